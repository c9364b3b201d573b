"""The JSON of faulty entries and enquiries."""

from __future__ import annotations

from rest_framework import serializers

from registry.models import Enquiry
from registry.selectors.entry_faults import EntryFaultKind, FaultyEntry
from registry.serializers.base import (
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class FaultyEntrySerializer(SparseSerializer[FaultyEntry]):
    """A namespace whose entry lacks something."""

    nid = text_field(source="namespace.nid")
    registrant = nullable_text_field(source="namespace.registrant.name")
    contact = nullable_text_field(source="namespace.contact")
    contact_confirmed_on = serializers.DateField(
        allow_null=True, source="namespace.contact_confirmed_on"
    )
    faults = serializers.ListField(
        child=serializers.ChoiceField([(kind.value, kind.value) for kind in EntryFaultKind])
    )
    dead_links = serializers.ListField(
        child=serializers.CharField(), help_text="Those that did not answer when last asked."
    )
    page = SiteURLField("namespaces:detail", "namespace.nid")


class EnquirySerializer(SparseSerializer[Enquiry]):
    """An enquiry and its answer."""

    id = integer_field()
    question = text_field()
    is_public = serializers.BooleanField(help_text="Whether it was to be answered in public.")
    asked_by = text_field(source="asked_by.name")
    asked_at = serializers.DateTimeField()
    answer = nullable_text_field()
    answered_by = nullable_text_field(source="answered_by.name")
    answered_at = serializers.DateTimeField(allow_null=True)
    url = SiteURLField("api:enquiry-detail", "pk")
    page = SiteURLField("enquiries:detail", "pk")
