"""The JSON of who speaks for a namespace, and of changes to that before they take effect."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.enums import DelegateChangeKind, DelegateChangeOutcome, Turn
from registry.models import DelegateChange, Namespace
from registry.presenters.holder import (
    ClaimNotice,
    SearchNotice,
    find_search_notice,
    list_claim_notices,
    list_open_holder_acts,
)
from registry.selectors.holder_clock import OfficeWait, find_claim_wait
from registry.serializers.base import (
    JSONObject,
    NullableChoiceField,
    OutputSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)
from registry.serializers.requests import DatedSerializer

SEARCH_STAGES = [
    ("letters", "Letters were written to every address on record"),
    ("notice", "A public notice stands"),
    ("finding", "The standards body said what it found"),
    ("appeal", "An appeal against that waits for its answer"),
]


class OfficeWaitSerializer(OutputSerializer[OfficeWait]):
    """Which office a claim or a search waits for, and who in it can act today."""

    turn = serializers.ChoiceField(Turn.choices)
    people = serializers.ListField(
        source="names",
        child=serializers.CharField(),
        help_text="Who can act today, by name; empty where it waits for an administrator.",
    )
    since = serializers.DateTimeField()
    promised_by = serializers.DateField()
    days_late = integer_field()
    otherwise = DatedSerializer(many=True, help_text="What happens if nobody acts.")


class ClaimNoticeSerializer(OutputSerializer[ClaimNotice]):
    """That somebody is to act for the holder, and when it takes effect."""

    domain = text_field(
        "By which it was proved; empty where an administrator named the first delegate."
    )
    takes_effect_at = serializers.DateTimeField()
    needs_source = serializers.BooleanField(
        help_text="Whether the registrar has yet to confirm whose the domain is, or that "
        "whoever was named acts for the organization."
    )
    waiting = OfficeWaitSerializer(allow_null=True, help_text="Null where only days have to pass.")


class SearchNoticeSerializer(OutputSerializer[SearchNotice]):
    """The state of the search for the holder."""

    stage = serializers.ChoiceField(SEARCH_STAGES)
    begun_at = serializers.DateTimeField(source="search.begun_at")
    opened_at = serializers.DateTimeField(source="search.opened_at", allow_null=True)
    notice_until = serializers.DateTimeField(source="search.notice_until", allow_null=True)
    finding = nullable_text_field("What the standards body found.")
    evidence = nullable_text_field(source="search.evidence")
    takes_effect_at = serializers.DateTimeField(source="search.takes_effect_at", allow_null=True)
    appeal = nullable_text_field(source="search.appeal")
    waiting = OfficeWaitSerializer(allow_null=True, help_text="Null where only days have to pass.")


class NamespaceHolderSerializer(OutputSerializer[Namespace]):
    """Who holds a namespace, and what is about to change about that."""

    nid = text_field()
    registrant = nullable_text_field(source="registrant.name")
    registrant_id = integer_field(allow_null=True)
    claims = serializers.SerializerMethodField()
    search = serializers.SerializerMethodField(help_text="Null while there is none.")
    acts = serializers.SerializerMethodField(help_text="What you can do here now.")

    @extend_schema_field(ClaimNoticeSerializer(many=True))
    def get_claims(self, namespace: Namespace) -> list[JSONObject]:
        """Return the pending claims."""
        return list(ClaimNoticeSerializer.serialize_each(list_claim_notices(namespace)))

    @extend_schema_field(SearchNoticeSerializer(allow_null=True))
    def get_search(self, namespace: Namespace) -> JSONObject | None:
        """Return the current search."""
        search = find_search_notice(namespace)
        return SearchNoticeSerializer(search).data if search else None

    def get_acts(self, namespace: Namespace) -> list[str]:
        """Return the actions open to the reader."""
        return list_open_holder_acts(self.context["reader"], namespace)


class DelegateChangeSerializer(OutputSerializer[DelegateChange]):
    """Somebody is about to act, or to stop acting, for a holder of a namespace."""

    id = integer_field()
    organization = text_field(source="organization.name")
    organization_id = integer_field()
    kind = serializers.ChoiceField(DelegateChangeKind.choices)
    person = text_field(source="person.name")
    asked_by = text_field(source="asked_by.name")
    asked_at = serializers.DateTimeField()
    needs_code = serializers.BooleanField(help_text="Whether the code from the letter is missing.")
    needs_source = serializers.BooleanField(
        help_text="Whether the registrar has yet to confirm whose the domain is, or that "
        "whoever was named acts for the organization."
    )
    source = nullable_text_field("Source.")  # type: ignore[assignment]
    takes_effect_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    outcome = NullableChoiceField(DelegateChangeOutcome.choices)
    reason = nullable_text_field("Why it was stopped.")
    waiting = serializers.SerializerMethodField(help_text="Null where no officer has to act.")

    @extend_schema_field(OfficeWaitSerializer(allow_null=True))
    def get_waiting(self, change: DelegateChange) -> JSONObject | None:
        """Return which office it waits for."""
        wait = find_claim_wait(change)
        return OfficeWaitSerializer(wait).data if wait else None
