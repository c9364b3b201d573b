"""Namespaces, their versions and their resolution services, as programs are told of them."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.shapes.shape import Sparse, TemplateShape, line, maybe, texts, whole
from registry.choices import DesignatorStatus, KeywordScope, Kind, Probe, Status

WAS = [("yes", "Yes"), ("perhaps", "Perhaps")]


class NamespaceShape(Sparse):
    """A namespace as lists show it."""

    nid = line("In lower case, as it is compared.")
    nid_as_registered = line("In the spelling of its registration.")
    kind = serializers.ChoiceField(Kind.choices)
    informal_number = whole(allow_null=True)
    status = serializers.ChoiceField(Status.choices, allow_null=True)
    notice = maybe("Why it is deprecated or obsolete, and what to use instead.")
    summary = maybe("What its names name, in a few words.")
    registrant = maybe("Who holds it.")
    contact = maybe()
    references = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="Documents of record."
    )
    is_reference_verified = serializers.BooleanField()
    registered_on = maybe("As precise as it is known: 2026-11-20, 2026-11 or 2026.")
    is_date_verified = serializers.BooleanField()
    version = whole("The version in force, if its text is held here.", allow_null=True)
    last_known_version = maybe("As an imported template said it.")
    url = serializers.URLField()
    page = serializers.URLField(help_text="Where people read it.")
    as_of = serializers.DateTimeField(help_text="Only where it was asked for: until when.")
    was_registered = serializers.ChoiceField(
        WAS, help_text="Only with `as_of`: perhaps, where the day is not known that precisely."
    )


class VersionShape(Sparse):
    """One published version as lists show it."""

    version = whole()
    registered_on = serializers.DateField()
    sha256 = line("Of its canonical text.")
    url = serializers.URLField()
    page = serializers.URLField(help_text="Its permanent address.")


class PublishedTextShape(VersionShape):
    """A published version with its text, field by field."""

    template = TemplateShape()


class ServiceShape(Sparse):
    """A resolution service of a namespace (RFC 2483)."""

    id = whole()
    nid = line()
    service = line("Such as I2L.")
    prefix = maybe("The beginning of the names that it knows; null for all.")
    template = line("Its address as a URI template (RFC 6570).")
    media_type = maybe()
    language = maybe()
    priority = whole("The smaller comes first.")
    operator = line("Who runs it.")
    source_ = line("Where that is known from.")
    updated_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    probe = serializers.ChoiceField(Probe.choices)
    probed_at = serializers.DateTimeField(allow_null=True)
    probe_note = maybe("What it said when it was last asked.")
    url = serializers.URLField()


class NamespaceDetailShape(NamespaceShape):
    """A namespace with the version in force, the others and its resolution services."""

    current = PublishedTextShape(allow_null=True)
    versions = VersionShape(many=True)
    services = ServiceShape(many=True)


class DesignatorShape(Sparse):
    """A resolution service designator (draft -03, section 9.2.2)."""

    name = line()
    purpose = line()
    status = serializers.ChoiceField(DesignatorStatus.choices)
    reference = line()
    updated_at = serializers.DateTimeField()


class KeywordShape(Sparse):
    """A query keyword (draft -03, section 9.2.1)."""

    keyword = line()
    purpose = line()
    scope = serializers.ChoiceField(KeywordScope.choices)
    reference = line()
    supported_by = serializers.ListField(child=texts(), help_text="Pairs of a NID and a reference.")
    updated_at = serializers.DateTimeField()
