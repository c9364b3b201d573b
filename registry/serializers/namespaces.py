"""The JSON of namespaces, of their versions, and of sightings."""

from __future__ import annotations

from dataclasses import dataclass

from rest_framework import serializers

from registry.enums import NamespaceKind, NamespaceStatus
from registry.exchange.exports.entries import NamespaceEntry
from registry.models import Erratum, Namespace, Registration
from registry.presenters.sightings import SightingRow
from registry.serializers.base import (
    TEXT_LICENCE_HELP,
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)
from registry.serializers.imported_records import ImportedTemplateSerializer
from registry.serializers.resolution import ServiceSerializer
from registry.serializers.templates import TemplateSerializer


@dataclass(frozen=True, slots=True)
class ListedNamespace:
    """One of `namespaces_for_lists`, which know only their version in force."""

    namespace: Namespace

    @property
    def version(self) -> int | None:
        """The version in force, or None if we do not hold its text."""
        number: int | None = vars(self.namespace)["version"]
        return number


NamespaceRow = ListedNamespace | NamespaceEntry


class NamespaceSerializer(SparseSerializer[NamespaceRow]):
    """A namespace as lists show it."""

    nid = text_field("In lower case, as it is compared.", source="namespace.nid")
    nid_as_registered = text_field(
        "In the spelling of its registration.", source="namespace.nid_as_registered"
    )
    kind = serializers.ChoiceField(NamespaceKind.choices, source="namespace.kind")
    informal_number = integer_field(allow_null=True, source="namespace.informal_number")
    status = serializers.ChoiceField(
        NamespaceStatus.choices, allow_null=True, source="namespace.status"
    )
    notice = nullable_text_field(
        "Why it is deprecated or obsolete, and what to use instead.", source="namespace.notice"
    )
    replaced_by = nullable_text_field(
        "The NID of what to use instead; nobody is redirected.", source="namespace.replaced_by.nid"
    )
    summary = nullable_text_field(
        "What its names name, in a few words.", source="namespace.summary"
    )
    background = nullable_text_field(
        "What to know of its documents, in a sentence.", source="namespace.background"
    )
    registrant = nullable_text_field("Who holds it.", source="namespace.registrant.name")
    contact = nullable_text_field(source="namespace.contact")
    references = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Documents of record.",
        source="namespace.references",
    )
    is_reference_verified = serializers.BooleanField(source="namespace.is_reference_verified")
    registered_on = nullable_text_field(
        "As precise as it is known: 2026-11-20, 2026-11 or 2026.", source="namespace.registered_on"
    )
    is_date_verified = serializers.SerializerMethodField(
        help_text="Whether the day is known, and was found in a document."
    )
    version = integer_field("The version in force, if its text is held here.", allow_null=True)
    last_known_version = nullable_text_field(
        "As an imported template said it.", source="namespace.last_known_version"
    )
    iana_reference = nullable_text_field(
        "By what IANA knows the entry, such as a ticket.", source="namespace.iana_reference"
    )
    url = SiteURLField("api:namespace-detail", "namespace.nid")
    page = SiteURLField("namespaces:detail", "namespace.nid", help_text="Where people read it.")

    def get_is_date_verified(self, row: NamespaceRow) -> bool:
        """Return whether the day of its registration is known and verified."""
        provenance = getattr(row.namespace, "provenance", None)
        return bool(row.namespace.registered_on) and (
            provenance is None or provenance.is_date_verified
        )


class VersionSerializer(SparseSerializer[Registration]):
    """One published version as lists show it."""

    version = integer_field(source="number")
    registered_on = serializers.DateField()
    sha256 = text_field("Of its canonical text.")
    text_licence = nullable_text_field(TEXT_LICENCE_HELP)
    url = SiteURLField("api:version-detail", "namespace.nid", "number")
    page = SiteURLField(
        "namespaces:version", "namespace.nid", "number", help_text="Its permanent address."
    )


class PublishedTextSerializer(VersionSerializer):
    """A published version with its text, field by field."""

    template = TemplateSerializer()


class NamespaceDetailSerializer(NamespaceSerializer):
    """A namespace with the version in force, the others and its resolution services."""

    current = PublishedTextSerializer(allow_null=True)
    versions = VersionSerializer(many=True)
    imported = ImportedTemplateSerializer(
        allow_null=True,
        required=False,
        help_text="What documents of record say, read by a program; no publication of ours.",
    )
    services = ServiceSerializer(many=True, required=False)


class ErratumSerializer(SparseSerializer[Erratum]):
    """An error that a reader found in an entry, and what the registrar says of it."""

    id = integer_field()
    text = text_field()
    sent_at = serializers.DateTimeField()
    answer = nullable_text_field()
    answered_at = serializers.DateTimeField()
    page = SiteURLField("namespaces:errata", "namespace.nid")


class SightingSerializer(SparseSerializer[SightingRow]):
    """A NID in use without registration."""

    id = integer_field(source="sighting.pk")
    nid = text_field(source="sighting.nid")
    evidence = text_field("Where it was seen.", source="sighting.evidence")
    user_of_it = nullable_text_field("Who uses it.", source="sighting.user_of_it")
    noted_by = nullable_text_field(
        "Who noted it; null where it came with the data that the registry ships.",
        source="sighting.noted_by.name",
    )
    noted_at = serializers.DateTimeField(source="sighting.noted_at")
    notice_sent_at = serializers.DateTimeField(allow_null=True, source="sighting.notice_sent_at")
    edition = serializers.SerializerMethodField(help_text="What `If-Match` names.")
    claimed_by = nullable_text_field("The request that claims it.", source="claim.reference")
    asked_for_by = serializers.SerializerMethodField(
        help_text="Other requests that ask for the NID."
    )
    namespace = nullable_text_field("The NID, once it is registered.", source="namespace.nid")
    url = SiteURLField("api:sighting-detail", "sighting.pk")

    def get_edition(self, row: SightingRow) -> str:
        """Return a mark of the sighting's content."""
        return row.sighting.edition

    def get_asked_for_by(self, row: SightingRow) -> list[str]:
        """Return the references of the other requests."""
        return [each.reference for each in row.asking]
