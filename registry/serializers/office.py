"""The JSON of NIDs held back, disputes and enquiries."""

from __future__ import annotations

from rest_framework import serializers

from registry.enums import DisputeKind, HoldGround
from registry.models import Dispute, Enquiry, HeldNid
from registry.selectors.entry_faults import EntryFaultKind, FaultyEntry
from registry.selectors.held_nids import explain_hold
from registry.serializers.base import (
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class HeldNidSerializer(SparseSerializer[HeldNid]):
    """A NID that is or was held back."""

    id = integer_field()
    nid = text_field()
    is_in_force = serializers.BooleanField(help_text="Whether it bars the NID now.")
    sentence = serializers.SerializerMethodField(help_text="As pages say it.")
    ground = serializers.ChoiceField(HoldGround.choices)
    reasons = text_field()
    source_ = text_field("Where it is recorded.")
    until = serializers.DateField()
    held_by = text_field(source="held_by.name")
    held_at = serializers.DateTimeField()
    appeal = nullable_text_field()
    appealed_at = serializers.DateTimeField(allow_null=True)
    appeal_answer = nullable_text_field()
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = nullable_text_field("Why it ended.")
    url = SiteURLField("api:held-nid-detail", "pk")

    def get_sentence(self, hold: HeldNid) -> str:
        """Return the public sentence."""
        return explain_hold(hold)


class DisputeSerializer(SparseSerializer[Dispute]):
    """A dispute or an agreement about a namespace, recorded and not judged."""

    id = integer_field()
    nid = text_field(source="namespace.nid")
    kind = serializers.ChoiceField(DisputeKind.choices)
    parties = text_field("Between whom.")
    text = text_field()
    source_ = text_field("Where it is recorded.")
    recorded_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = nullable_text_field("How it ended.")
    page = SiteURLField("namespaces:detail", "namespace.nid")


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
