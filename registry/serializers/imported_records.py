"""The JSON of imported records: what was read from documents of record, and IANA's differences."""

from __future__ import annotations

from rest_framework import serializers

from registry.exchange.iana import Difference, FieldChange
from registry.licences import Terms
from registry.models import ImportedRecord
from registry.presenters.imported_records import GivenContact
from registry.selectors.imported_records import ImportedTemplate
from registry.serializers.base import (
    JSONObject,
    OutputSerializer,
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
    text_list_field,
)
from registry.serializers.templates import TemplateSerializer


class TermsSerializer(OutputSerializer[Terms]):
    """The terms on which another publisher's text can be read here."""

    publisher = text_field("IETF Trust, IANA, or the host that publishes it.")
    url = text_field("Where the terms are; of other publishers, the document itself.")


class ImportedRecordSerializer(SparseSerializer[ImportedRecord]):
    """A reading of one document as lists show it."""

    number = integer_field("Of the record among those of the namespace; not a version.")
    document = text_field("RFC 8458, urn-formal/nbn or an address.", source="document.name")
    address = text_field("Where it is published.", source="document.address")
    terms = TermsSerializer(
        source="document.terms", help_text="It is not under the licence of this registry."
    )
    read_at = serializers.DateTimeField()
    version = nullable_text_field("As the document says it.")
    date = nullable_text_field("As the document says it.")
    is_update = serializers.BooleanField(
        help_text="Whether it replaces single fields of a template that stands elsewhere."
    )
    first_line = integer_field()
    last_line = integer_field()
    first_page = integer_field()
    last_page = integer_field()
    sha256 = text_field("Of the text as found.")
    url = SiteURLField("api:record-detail", "namespace.nid", "number")
    page = SiteURLField("namespaces:record", "namespace.nid", "number")


class LeftOverSerializer(OutputSerializer[JSONObject]):
    """Lines within a template that belong to no field."""

    first = integer_field()
    last = integer_field()
    label_ = nullable_text_field("The label before them, if any.")
    text = text_field()

    def to_representation(self, instance: JSONObject) -> JSONObject:
        """Return the members."""
        return read_members(self, instance)


class FieldSourceSerializer(OutputSerializer[JSONObject]):
    """Where a field is in the document."""

    field = text_field()
    label_ = nullable_text_field("As the document has it.")
    first = integer_field()
    last = integer_field()

    def to_representation(self, instance: JSONObject) -> JSONObject:
        """Return the members."""
        return read_members(self, instance)


def read_members(serializer: OutputSerializer[JSONObject], kept: JSONObject) -> JSONObject:
    """Return the members of stored JSON; an empty text is null."""
    return {name: None if kept[name] == "" else kept[name] for name, _ in serializer.member_writers}


class ImportedTextSerializer(ImportedRecordSerializer):
    """A reading with the text as found, and what was understood from it, field by field."""

    read_from = text_field("The address or file that was read.", source="document.read_from")
    document_sha256 = text_field("Of the document's octets.", source="document.sha256")
    reader = text_field("The version of the program that read it.")
    generation = nullable_text_field("8141, 3406, 2611 or mixed.")
    template = TemplateSerializer(help_text="As it was understood.")
    sources = FieldSourceSerializer(many=True, source="field_places")
    left_over = LeftOverSerializer(many=True)
    remarks = text_list_field()
    doubts = text_list_field("What a person should look at.")
    corrected_fields = text_list_field("Fields that a registrar understood otherwise.")
    text = text_field("As it was found.")


class ImportedTemplateSerializer(OutputSerializer[ImportedTemplate]):
    """What a namespace's documents of record say together; not published by us."""

    template = TemplateSerializer(help_text="As it was understood.")
    records = ImportedRecordSerializer(many=True)


class RecordContactSerializer(OutputSerializer[GivenContact]):
    """A mail address from a document of record; for the registrar."""

    address = text_field()
    confirmed_at = serializers.DateTimeField(
        allow_null=True,
        source="confirmed.confirmed_at",
        default=None,
        help_text="Since when it is told of requests.",
    )
    confirmed_by = nullable_text_field(source="confirmed.confirmed_by.name", default=None)
    how = nullable_text_field("How it was confirmed.", source="confirmed.source", default=None)


class FieldChangeSerializer(OutputSerializer[FieldChange]):
    """A fact that differs at IANA."""

    field = text_field("registered_on, references or template_url.")
    here = nullable_text_field("What this registry says.")
    there = nullable_text_field("What IANA says.")


class DifferenceSerializer(OutputSerializer[Difference]):
    """How IANA's list differs for one namespace."""

    nid = text_field()
    kind = text_field("new, changed, gone, or here only.")
    changes = FieldChangeSerializer(many=True)
    waits_for = nullable_text_field(
        "Why the registrar has to look at it; null where it is taken over unseen."
    )
    may_be_entered = serializers.BooleanField()
    digest = text_field("By which it is known that it is as it was seen.")
