"""The JSON of who speaks for an organization or a namespace, and of proofs by domain."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.actions import domain_proofs
from registry.enums import SpeakerBasis, SpeakerEnd, SpeakerState
from registry.forms.speakers import SPEAKER_ACT_FORMS, SUBJECT_ACT_FORMS
from registry.models import Namespace, Speaker
from registry.presenters.speakers import SpeakerNotice, list_speaker_notices
from registry.selectors.speakers import find_effect_time
from registry.serializers.base import (
    JSONObject,
    NullableChoiceField,
    OutputSerializer,
    format_datetime,
    integer_field,
    nullable_text_field,
    text_field,
)


class SpeakerNoticeSerializer(OutputSerializer[SpeakerNotice]):
    """That somebody is to speak for the holder of a namespace, or that it is disputed who does."""

    state = serializers.ChoiceField(SpeakerState.choices)
    basis = serializers.ChoiceField(SpeakerBasis.choices)
    days = integer_field("How long it waits once its letters have left.")
    takes_effect_at = serializers.DateTimeField(
        allow_null=True, help_text="Null while its letters have not left."
    )
    objection = nullable_text_field("Why it was stopped.")


class NamespaceHolderSerializer(OutputSerializer[Namespace]):
    """Who holds a namespace, and what is about to change about who speaks for it."""

    nid = text_field()
    registrant = nullable_text_field(source="registrant.name")
    registrant_id = integer_field(allow_null=True)
    notices = serializers.SerializerMethodField()
    acts = serializers.SerializerMethodField(help_text="What you can do here now.")

    @extend_schema_field(SpeakerNoticeSerializer(many=True))
    def get_notices(self, namespace: Namespace) -> list[JSONObject]:
        """Return what waits, without names."""
        return list(SpeakerNoticeSerializer.serialize_each(list_speaker_notices(namespace)))

    def get_acts(self, namespace: Namespace) -> list[str]:
        """Return the acts open to the reader."""
        reader = self.context["reader"]
        return [act for act, form in SUBJECT_ACT_FORMS.items() if form.is_open(reader, namespace)]


class SpeakerSerializer(OutputSerializer[Speaker]):
    """That somebody speaks for an organization or for one namespace, now, soon, or once."""

    id = integer_field()
    person = text_field(source="person.name")
    organization = nullable_text_field(source="organization.name")
    organization_id = integer_field(allow_null=True)
    namespace = nullable_text_field(source="namespace.nid")
    basis = serializers.ChoiceField(SpeakerBasis.choices)
    state = serializers.ChoiceField(SpeakerState.choices)
    state_since = serializers.DateTimeField()
    evidence = nullable_text_field("What was seen, and where it is recorded.")
    recorded_by = nullable_text_field(source="recorded_by.name")
    countersigned_by = nullable_text_field(source="countersigned_by.name")
    removal_asked_by = nullable_text_field(source="removal_asked_by.name")
    takes_effect_at = serializers.SerializerMethodField(
        help_text="Of what waits; null while its letters have not left."
    )
    objection = nullable_text_field()
    end = NullableChoiceField(SpeakerEnd.choices)
    acts = serializers.SerializerMethodField(help_text="What you can do about it now.")

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_takes_effect_at(self, speaker: Speaker) -> str | None:
        """Return when its waiting period is over."""
        at = find_effect_time(speaker)
        return format_datetime(at) if at else None

    def get_acts(self, speaker: Speaker) -> list[str]:
        """Return the acts open to the reader."""
        reader = self.context["reader"]
        return [act for act, form in SPEAKER_ACT_FORMS.items() if form.is_open(reader, speaker)]


class ProofSerializer(OutputSerializer[Speaker]):
    """A proof by domain: what to do for it, and whether it is given."""

    id = integer_field()
    organization = text_field(source="organization.name")
    organization_id = integer_field()
    method = serializers.ChoiceField(SpeakerBasis.choices, source="basis")
    state = serializers.ChoiceField(SpeakerState.choices)
    domain = text_field()
    address = nullable_text_field("Where the letter went.")
    record_name = serializers.SerializerMethodField(
        help_text="Of a proof by the name servers: the name of the TXT record."
    )
    record = serializers.SerializerMethodField(help_text="What that has to say.")
    file = serializers.SerializerMethodField(help_text="Of a proof by a file: its address.")
    file_text = serializers.SerializerMethodField(help_text="What that has to say.")
    open_until = serializers.SerializerMethodField()
    is_pending = serializers.SerializerMethodField(help_text="Whether it is being looked for.")
    looked_at = serializers.DateTimeField(allow_null=True, help_text="When it last was.")
    finding = nullable_text_field("What was found then instead.")
    evidence = nullable_text_field(
        "What was found. While the state is `asked`, an officer has to countersign it."
    )

    def get_record_name(self, proof: Speaker) -> str | None:
        """Return the name of the DNS record, for a proof by one."""
        by_record = proof.basis == SpeakerBasis.DNS
        return domain_proofs.build_proof_record_name(proof) if by_record else None

    def get_record(self, proof: Speaker) -> str | None:
        """Return the content of the DNS record, for a proof by one."""
        return domain_proofs.build_proof_record(proof) if proof.basis == SpeakerBasis.DNS else None

    def get_file(self, proof: Speaker) -> str | None:
        """Return the address of the file, for a proof by one."""
        by_file = proof.basis == SpeakerBasis.FILE
        return domain_proofs.build_proof_file_url(proof) if by_file else None

    def get_file_text(self, proof: Speaker) -> str | None:
        """Return the content of the file, for a proof by one."""
        return proof.secret if proof.basis == SpeakerBasis.FILE else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_open_until(self, proof: Speaker) -> str | None:
        """Return until when the proof can be given, while it is not."""
        if proof.state != SpeakerState.ASKED or proof.awaits_countersign:
            return None
        return format_datetime(domain_proofs.find_proof_expiry(proof))

    def get_is_pending(self, proof: Speaker) -> bool:
        """Return whether the worker has yet to report a result."""
        return domain_proofs.is_proof_check_pending(proof)
