"""The JSON of organizations, of their recognition for the fast track, and of proofs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry import permissions
from registry.actions import organization_proofs
from registry.enums import EvidenceKind, ProofMethod
from registry.models import Organization, Proof, Recognition
from registry.presenters.organizations import (
    DelegateRow,
    list_delegates,
    list_proof_methods,
)
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
    format_datetime,
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


class DelegateSerializer(OutputSerializer[DelegateRow]):
    """Somebody who acts for an organization."""

    id = integer_field(source="person.pk")
    name = text_field(source="person")


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
    ways = serializers.SerializerMethodField(help_text="How its delegates came to act for it.")
    delegate_count = serializers.SerializerMethodField(help_text="How many act for it.")
    delegates = serializers.SerializerMethodField(
        help_text="Null where they are not for you to see."
    )

    def to_representation(self, instance: Organization) -> JSONObject:
        """Return the members, querying only once who acts for it."""
        self.acting = list_delegates(instance)
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
        """Return how its delegates came to act for it, without names."""
        return list_proof_methods(self.acting)

    def get_delegate_count(self, organization: Organization) -> int:
        """Return how many people act for it."""
        return len(self.acting)

    @extend_schema_field(DelegateSerializer(many=True, allow_null=True))
    def get_delegates(self, organization: Organization) -> list[JSONObject] | None:
        """Return who acts for it, to those who may see it."""
        if not permissions.may_see_delegates(self.context["reader"], organization):
            return None
        return list(DelegateSerializer.serialize_each(self.acting))


class ProofSerializer(OutputSerializer[Proof]):
    """A proof to act for an organization: what to do for it, and whether it is valid."""

    id = integer_field()
    organization = text_field(source="organization.name")
    organization_id = integer_field()
    request = nullable_text_field(
        "The request it speaks for alone.", source="registration_request.reference"
    )
    method = serializers.ChoiceField(ProofMethod.choices)
    domain = text_field()
    address = nullable_text_field("Where the letter went.")
    record_name = serializers.SerializerMethodField(
        help_text="Of a proof by the name servers: the name of the TXT record."
    )
    record = serializers.SerializerMethodField(help_text="What that has to say.")
    file = serializers.SerializerMethodField(help_text="Of a proof by a file: its address.")
    file_text = serializers.SerializerMethodField(help_text="What that has to say.")
    open_until = serializers.SerializerMethodField()
    proved_at = serializers.DateTimeField(allow_null=True)
    effective_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when it holds; later, of who holds a namespace."
    )
    lapsed_at = serializers.DateTimeField(allow_null=True)
    is_pending = serializers.SerializerMethodField(help_text="Whether it is being looked for.")
    looked_at = serializers.DateTimeField(allow_null=True, help_text="When it last was.")
    finding = nullable_text_field("What was found then instead.")

    def get_record_name(self, proof: Proof) -> str | None:
        """Return the name of the DNS record, for a proof by one."""
        by_record = proof.method == ProofMethod.DNS
        return organization_proofs.build_proof_record_name(proof) if by_record else None

    def get_record(self, proof: Proof) -> str | None:
        """Return the content of the DNS record, for a proof by one."""
        by_record = proof.method == ProofMethod.DNS
        return organization_proofs.build_proof_record(proof) if by_record else None

    def get_file(self, proof: Proof) -> str | None:
        """Return the address of the file, for a proof by one."""
        by_file = proof.method == ProofMethod.FILE
        return organization_proofs.build_proof_file_url(proof) if by_file else None

    def get_file_text(self, proof: Proof) -> str | None:
        """Return the content of the file, for a proof by one."""
        return proof.secret if proof.method == ProofMethod.FILE else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_open_until(self, proof: Proof) -> str | None:
        """Return until when the proof can be given, while it is not."""
        if proof.proved_at:
            return None
        return format_datetime(organization_proofs.find_proof_expiry(proof))

    def get_is_pending(self, proof: Proof) -> bool:
        """Return whether the worker has yet to report a result."""
        return organization_proofs.is_proof_check_pending(proof)
