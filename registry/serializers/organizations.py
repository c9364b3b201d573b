"""The JSON of organizations, and of their recognition for the fast track."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.enums import EvidenceKind
from registry.models import Organization, Recognition
from registry.presenters.organizations import list_bases, list_delegates
from registry.selectors.organizations import (
    list_evidence,
    list_organization_namespaces,
    list_organization_requests,
)
from registry.serializers.base import (
    JSONObject,
    OutputSerializer,
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class OrganizationSerializer(SparseSerializer[Organization]):
    """A registrant body as lists show it."""

    id = integer_field()
    name = text_field()
    former_names = serializers.ListField(child=serializers.CharField())
    aliases = serializers.ListField(child=serializers.CharField())
    public_ids = serializers.ListField(
        child=serializers.URLField(), help_text="Its ROR address, or others."
    )
    website = nullable_text_field()
    recognised_on = serializers.DateField(allow_null=True)
    recognition_source = nullable_text_field("Where the recognition is recorded.")
    url = SiteURLField("api:organization-detail", "pk")
    page = SiteURLField("organizations:detail", "pk")


class RecognitionSerializer(SparseSerializer[Recognition]):
    """A request for recognition for the fast track, and the answer (6.3)."""

    id = integer_field()
    organization = text_field(source="organization.name")
    organization_id = integer_field()
    asked_at = serializers.DateTimeField()
    statement = text_field("What kind of body it says it is.")
    is_granted = serializers.BooleanField(allow_null=True, help_text="Null while it waits.")
    decided_by = nullable_text_field(source="decided_by.name")
    decided_at = serializers.DateTimeField(allow_null=True)
    reasons = nullable_text_field("Of a refusal, or where the recognition is recorded.")


class EvidenceSerializer(OutputSerializer[dict[str, Any]]):
    """Another name of an organization, a public identifier, or a body that it is not."""

    kind = serializers.ChoiceField(EvidenceKind.choices)
    value = text_field("The name, the address, or the id of the other body.")
    text = text_field("The same for readers.")
    source_ = text_field("Where it is known from.")
    since = nullable_text_field("Of a website: since when its domain is the organization's.")
    is_confirmed = serializers.SerializerMethodField(
        help_text="False while a second officer has to record the same."
    )

    def get_is_confirmed(self, entry: dict[str, Any]) -> bool:
        return not entry.get("recorded_by")


class OrganizationDetailSerializer(OrganizationSerializer):
    """A registrant body: what it holds and asks for, and who acts for it."""

    website_source = nullable_text_field("Where its website is known from.")
    evidence = serializers.SerializerMethodField(
        help_text="What officers recorded of it, and where it is known from."
    )
    namespaces = serializers.SerializerMethodField(help_text="The NIDs it holds.")
    requests = serializers.SerializerMethodField(
        help_text="The references of its public requests, those that moved last first."
    )
    recognitions = serializers.SerializerMethodField()
    ways = serializers.SerializerMethodField(help_text="How it is known of its delegates.")
    delegate_count = serializers.SerializerMethodField(help_text="How many act for it.")

    def to_representation(self, instance: Organization) -> JSONObject:
        """Return the members, querying only once who acts for it."""
        self.delegates = list_delegates(instance)
        return super().to_representation(instance)

    def get_namespaces(self, organization: Organization) -> list[str]:
        """Return the NIDs it holds."""
        return [each.nid for each in list_organization_namespaces(organization)]

    def get_requests(self, organization: Organization) -> list[str]:
        """Return the references of its public requests."""
        return [each.reference for each in list_organization_requests(organization)]

    @extend_schema_field(EvidenceSerializer(many=True))
    def get_evidence(self, organization: Organization) -> list[JSONObject]:
        """Return what officers recorded of it."""
        return list(EvidenceSerializer.serialize_each(list_evidence(organization)))

    @extend_schema_field(RecognitionSerializer(many=True))
    def get_recognitions(self, organization: Organization) -> list[JSONObject]:
        """Return its requests for recognition."""
        asked = organization.recognitions.select_related("organization", "decided_by")
        return list(RecognitionSerializer.serialize_each(asked))

    def get_ways(self, organization: Organization) -> list[str]:
        """Return how it is known of its delegates, without names."""
        return list_bases(self.delegates)

    def get_delegate_count(self, organization: Organization) -> int:
        """Return how many people act for it."""
        return len(self.delegates)
