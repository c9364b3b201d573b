"""The JSON of a request and its parts: rounds, remarks, messages, events; and of the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry import permissions, selectors
from registry.actions.discussion import may_read_message
from registry.actions.remarks import format_prepared_answer
from registry.enums import (
    ChangeKind,
    MessageChannel,
    MessageMark,
    ObstacleKind,
    RemarkWeight,
    RequestPath,
    Settlement,
    State,
    Turn,
)
from registry.journal.event_messages import describe_event, label_event_state
from registry.models import Event, Message, PendingComment, RegistrationRequest, Remark, Round
from registry.permissions import Person
from registry.selectors import CurrentTurn
from registry.selectors.base_versions import find_newer_version
from registry.selectors.case import open_case
from registry.selectors.consent import PublicationObstacle
from registry.selectors.durations import DurationRow
from registry.selectors.publication import (
    CONSENT_OBSTACLES,
    list_obstacles_once_sent,
    list_publication_obstacles,
)
from registry.selectors.requests import find_reopened_request
from registry.selectors.shown_states import ShownState, find_shown_state
from registry.selectors.turns import DatedSentence
from registry.serializers.base import (
    TEXT_LICENCE_HELP,
    JSONObject,
    NullableChoiceField,
    OutputSerializer,
    SiteURLField,
    SparseSerializer,
    build_url,
    integer_field,
    nullable_text_field,
    text_field,
)
from registry.serializers.templates import TemplateSerializer, TextFindingSerializer

ANYBODY: Final = AnonymousUser()
REMARK_RELATIONS: Final = ("round", "author", "answered_by", "answered_in")
LOG_MEMBERS: Final = frozenset({"number", "digest", "entry"})
"""What is shown of a private event: its sealed entry in the log."""


class EventSerializer(SparseSerializer[Event]):
    """An event of the journal: `entry` is its entry in the transparency log, with the same number.

    `digest` is the hash of the entry as a leaf of the log: SHA-256 of an octet zero and of `entry`
    in UTF-8 (RFC 9162, section 2.1.1). For private events, such as those about drafts, the entry is
    sealed and everything else is null.
    """

    number = integer_field()
    digest = text_field()
    entry = text_field("What the digest is of, to the letter.")
    statement = nullable_text_field("Where the entry is sealed, what it commits to.")
    seal_salt = nullable_text_field("The salt with which it does, in hexadecimal.")
    actor_salt = nullable_text_field("Opens `actor` of the entry.")
    details_salt = nullable_text_field("Opens `details` of the entry.")
    at = serializers.DateTimeField(allow_null=True)
    actor = text_field("Name at that time.", allow_null=True, source="actor_name")
    verb = text_field(allow_null=True)
    what = serializers.SerializerMethodField(help_text="In words, after the name.")
    subject = text_field(allow_null=True)
    request = nullable_text_field(
        "The reference of the request that it is about.", source="registration_request.reference"
    )
    nid = nullable_text_field("The namespace that it is about.", source="namespace.nid")
    source_ = nullable_text_field("From which state.")
    target = nullable_text_field("To which state.")
    target_word = serializers.SerializerMethodField(help_text="That state as pages call it.")
    comment = nullable_text_field()
    data_ = serializers.DictField(allow_null=True)

    def get_what(self, event: Event) -> str | None:
        """Return what was done, in words."""
        return describe_event(event)

    def get_target_word(self, event: Event) -> str | None:
        """Return the state after it in words."""
        return label_event_state(event, event.target) or None

    def to_representation(self, instance: Event) -> JSONObject:
        """Return the event; for a private one only its entry."""
        if vars(instance)["is_open"]:
            return super().to_representation(instance)
        return {
            name: (getattr(instance, name) or None) if name in LOG_MEMBERS else None
            for name, _write in self.member_writers
        }


class ActSerializer(SparseSerializer[Event]):
    """An event of the journal as the page of its request shows it."""

    number = integer_field()
    at = serializers.DateTimeField()
    actor = text_field("Name at that time.", source="actor_name")
    verb = text_field()
    what = serializers.SerializerMethodField(help_text="In words, after the name.")
    source_ = nullable_text_field("From which state.")
    target = nullable_text_field("To which state.")
    target_word = serializers.SerializerMethodField(help_text="That state as pages call it.")
    comment = nullable_text_field()
    round = integer_field(allow_null=True, source="data.round")
    sha256 = nullable_text_field("Of the text it speaks of.", source="data.sha256")
    checklist = serializers.SerializerMethodField(help_text="What an expert answered, by question.")
    digest = text_field()

    def get_what(self, event: Event) -> str:
        """Return what was done, in words."""
        return describe_event(event)

    def get_target_word(self, event: Event) -> str | None:
        """Return the state after it in words."""
        return label_event_state(event, event.target) or None

    def get_checklist(self, event: Event) -> dict[str, Any]:
        """Return the expert's answers, by question."""
        return dict(event.data.get("checklist", {}))


class FactsField(serializers.DictField):
    """The facts that a change asks for; one that should become empty is null."""

    def to_representation(self, value: Any) -> JSONObject:
        """Return the facts by name."""
        return {name: None if fact == "" else fact for name, fact in value.items()}


class RoundSerializer(SparseSerializer[Round]):
    """A text that was sent, and is frozen since, with its findings at that time."""

    number = integer_field()
    base = integer_field(
        "The version that it was written from.", allow_null=True, source="base.number"
    )
    submitted_at = serializers.DateTimeField()
    sha256 = text_field("Of its canonical text.")
    text_licence = nullable_text_field(TEXT_LICENCE_HELP)
    template = TemplateSerializer()
    facts = FactsField(help_text="Of a change of facts: what shall hold.")
    findings = TextFindingSerializer(many=True)
    url = SiteURLField("api:round-detail", "registration_request.slug", "number")


class RemarkSerializer(SparseSerializer[Remark]):
    """An expert's remark on a passage, and its state."""

    number = integer_field()
    round = integer_field("The round it was made on.", source="round.number")
    section = text_field("The field of the template.")
    quote = nullable_text_field("The passage; null for the whole section.")
    start = integer_field("Where in the section it stands, counted from 0.", allow_null=True)
    weight = serializers.ChoiceField(RemarkWeight.choices)
    text = text_field()
    author = text_field(source="author.name")
    made_at = serializers.DateTimeField()
    settlement = serializers.ChoiceField(Settlement.choices)
    answer = nullable_text_field()
    answered_by = nullable_text_field(source="answered_by.name")
    answered_in = integer_field(
        "The round that came with the answer.", allow_null=True, source="answered_in.number"
    )


class ToAnswerSerializer(RemarkSerializer):
    """An open remark, with the prepared answer."""

    draft_settlement = NullableChoiceField(Settlement.choices)
    draft_answer = nullable_text_field()
    prepared = serializers.SerializerMethodField(
        help_text="What a new answer has to say that it saw."
    )

    def get_prepared(self, remark: Remark) -> str:
        """Return the mark by which the prepared answer is recognised."""
        return format_prepared_answer(remark)


class PublicationObstacleSerializer(OutputSerializer[PublicationObstacle]):
    """One reason why the last round cannot be registered now."""

    kind = serializers.ChoiceField(
        [(each.value, each.value) for each in ObstacleKind],
        help_text="`text` is the registrant's to mend, `consent` needs that of a body, "
        "`held_nid` and `recognition` the standards body.",
    )
    message = text_field()


class DraftSerializer(OutputSerializer[Round]):
    """The round being written, with its current findings."""

    number = integer_field()
    edition = integer_field("What `If-Match` names; each saving advances it.")
    base = integer_field(
        "The version that it was written from.", allow_null=True, source="base.number"
    )
    newer_version = serializers.SerializerMethodField(
        help_text="The version in force, if the text has to be brought up to date with it."
    )
    saved_at = serializers.DateTimeField()
    template = TemplateSerializer()
    facts = FactsField(help_text="Of a change of facts: what shall hold.")
    findings = serializers.SerializerMethodField()
    publication_obstacles = serializers.SerializerMethodField(
        help_text="What nobody can publish before, once you have sent it as it is."
    )
    remarks = serializers.SerializerMethodField(
        help_text="What waits for an answer with this round."
    )

    def get_newer_version(self, draft: Round) -> int | None:
        """Return the number of the version registered since the draft was begun."""
        newer = find_newer_version(draft.registration_request, draft)
        return newer.number if newer else None

    @extend_schema_field(TextFindingSerializer(many=True))
    def get_findings(self, draft: Round) -> list[JSONObject]:
        """Return the current findings."""
        found = selectors.list_findings(
            draft.registration_request, draft.template, facts=draft.facts
        )
        return list(TextFindingSerializer.serialize_each(map(asdict, found)))

    @extend_schema_field(PublicationObstacleSerializer(many=True))
    def get_publication_obstacles(self, draft: Round) -> list[JSONObject]:
        """Return what prevents publication of the draft once the reader has sent it."""
        found = list_obstacles_once_sent(
            open_case(draft.registration_request), self.context["reader"], draft
        )
        return list(PublicationObstacleSerializer.serialize_each(found))

    @extend_schema_field(ToAnswerSerializer(many=True))
    def get_remarks(self, draft: Round) -> list[JSONObject]:
        """Return the open remarks."""
        remarks = draft.registration_request.remarks.open().select_related(*REMARK_RELATIONS)
        return list(ToAnswerSerializer.serialize_each(remarks))


class MessageSerializer(SparseSerializer[Message]):
    """A message; if a moderator hid it, only moderators and its author get the text."""

    number = integer_field()
    author_name = text_field()
    posted_at = serializers.DateTimeField()
    channel = serializers.ChoiceField(MessageChannel.choices)
    is_sender_verified = serializers.BooleanField(
        help_text="Whether the author was signed in; the name in a letter proves nothing."
    )
    section = nullable_text_field("The field of the template it is about.")
    mark_ = serializers.ChoiceField(MessageMark.choices, help_text="Empty for a comment.")
    challenged = nullable_text_field("The expert challenged.", source="challenged.name")
    answers = integer_field("The message it answers.", allow_null=True, source="answers.number")
    text = serializers.SerializerMethodField()
    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = nullable_text_field(source="hidden_by.name")
    hidden_reason = nullable_text_field()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_text(self, message: Message) -> str | None:
        """Return the text, to those who may read it."""
        return message.text if may_read_message(self.context["reader"], message) else None


class PendingCommentSerializer(SparseSerializer[PendingComment]):
    """A message that was sent and is not public yet, for its author only."""

    id = integer_field()
    section = nullable_text_field("The field of the template it is about.")
    answers = integer_field("The message it answers.", allow_null=True, source="answers.number")
    text = text_field()
    written_at = serializers.DateTimeField()
    publish_at = serializers.DateTimeField(help_text="When it will be public.")
    refusal = nullable_text_field("Why it was not published then; mostly null.")
    url = SiteURLField(
        "api:pending-comment-detail",
        "registration_request.slug",
        "pk",
        help_text="Where it is taken back, with DELETE.",
    )


class DatedSerializer(OutputSerializer[DatedSentence]):
    """What happens on a day if nobody acts before."""

    words = serializers.SerializerMethodField()
    day = serializers.DateField()

    @extend_schema_field(serializers.CharField())
    def get_words(self, sentence: DatedSentence) -> str:
        """Return the sentence with the day in it."""
        return str(sentence.words) % {"day": sentence.day.isoformat()}


class WaitingSerializer(OutputSerializer[CurrentTurn]):
    """Whose turn a request is, since when, the promised date, and what happens then."""

    turn = serializers.ChoiceField(Turn.choices)
    who = text_field()
    people = serializers.ListField(
        child=serializers.CharField(),
        help_text="Who can act today, by name: experts and officers, and of the registrant’s side "
        "its author. Empty where that is not for everybody to read.",
    )
    since = serializers.DateTimeField()
    promised_by = serializers.DateField(allow_null=True)
    days_late = integer_field()
    late = nullable_text_field("How late it is, in words.")
    then = text_field("What happens next.")
    otherwise = DatedSerializer(many=True, help_text="What happens if it does not.")
    alarm = nullable_text_field("What should never have come to be.")


class RequestSerializer(SparseSerializer[RegistrationRequest]):
    """A request as lists show it."""

    reference = text_field()
    nid = nullable_text_field("In lower case; null while the registry has not assigned one.")
    summary = text_field("What the names will name.")
    change = serializers.ChoiceField(ChangeKind.choices)
    path = serializers.ChoiceField(RequestPath.choices)
    standards_action = serializers.BooleanField(help_text="Whether a standard is to come of it.")
    state = serializers.ChoiceField(State.choices)
    state_word = serializers.SerializerMethodField(
        help_text="The state as pages call it, and whose consent is missing."
    )
    state_since = serializers.DateTimeField()
    revision = integer_field("What `If-Match` names; any verb advances it.")
    organization = text_field(source="organization.name")
    author = text_field(source="author.name")
    namespace = nullable_text_field(
        "The NID of the namespace that it changes or became.", source="namespace.nid"
    )
    created_at = serializers.DateTimeField()
    waiting = serializers.SerializerMethodField()
    url = SiteURLField("api:request-detail", "slug")
    page = SiteURLField("requests:detail", "slug", help_text="Where people read it.")
    missing_consent = serializers.SerializerMethodField(
        help_text="What the last round lacks of those for whom it speaks: their consent, the end "
        "of its waiting period, or the end of an objection. Until then nobody approves or "
        "registers it."
    )
    publication_obstacles = serializers.SerializerMethodField(
        help_text="Why the last round cannot be registered now; empty where it can be, before "
        "the first round and after the end."
    )

    @extend_schema_field(WaitingSerializer(allow_null=True))
    def get_waiting(self, registration_request: RegistrationRequest) -> JSONObject | None:
        """Return whose turn it is now."""
        turn: CurrentTurn | None = self.context["waiting"].get(registration_request.pk)
        return WaitingSerializer(turn).data if turn else None

    def get_state_word(self, registration_request: RegistrationRequest) -> str:
        """Return the state in words."""
        shown: ShownState = self.context["states"][registration_request.pk]
        return shown.words

    def get_missing_consent(self, registration_request: RegistrationRequest) -> str | None:
        """Return what it needs from those for whom it speaks."""
        obstacles = self.find_obstacles(registration_request)
        words = (each.message for each in obstacles if each.kind in CONSENT_OBSTACLES)
        return next(words, None)

    @extend_schema_field(PublicationObstacleSerializer(many=True))
    def get_publication_obstacles(
        self, registration_request: RegistrationRequest
    ) -> list[JSONObject]:
        """Return what prevents publication, and who can clear it."""
        obstacles = self.find_obstacles(registration_request)
        return list(PublicationObstacleSerializer.serialize_each(obstacles))

    def find_obstacles(
        self, registration_request: RegistrationRequest
    ) -> tuple[PublicationObstacle, ...]:
        """Return the obstacles in the context."""
        found: dict[int, tuple[PublicationObstacle, ...]] = self.context["obstacles"]
        return found[registration_request.pk]


class LinksSerializer(OutputSerializer[RegistrationRequest]):
    """Links to more; null if there is nothing, or nothing for the caller."""

    template = serializers.SerializerMethodField(help_text="The last round as plain text.")
    draft = serializers.SerializerMethodField()
    namespace = serializers.SerializerMethodField()
    rounds = SiteURLField("api:round-list", "slug")
    messages = SiteURLField("api:message-list", "slug")
    remarks = SiteURLField("api:remark-list", "slug")
    history = SiteURLField("requests:history", "slug")
    feed = SiteURLField("feeds:request", "slug")

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_template(self, registration_request: RegistrationRequest) -> str | None:
        """Return the link to the last round, once one was sent."""
        sent = registration_request.rounds.sent().exists()
        return self.build_url("requests:template", registration_request.slug) if sent else None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_draft(self, registration_request: RegistrationRequest) -> str | None:
        """Return the link to the draft, for those who may edit it."""
        may_edit = permissions.may_edit(self.context["reader"], registration_request)
        return self.build_url("api:draft", registration_request.slug) if may_edit else None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_namespace(self, registration_request: RegistrationRequest) -> str | None:
        """Return the link to its namespace, if it has one."""
        namespace = registration_request.namespace
        return self.build_url("api:namespace-detail", namespace.nid) if namespace else None

    def build_url(self, name: str, *args: object) -> str:
        """Return an address on this site."""
        return build_url(self.context["site"], name, *args)


class RequestRecordSerializer(RequestSerializer):
    """A request with its rounds, discussion and history, as the reader may see it."""

    contended_with = serializers.SerializerMethodField(
        help_text="Other live requests for the same NID."
    )
    reopens = serializers.SerializerMethodField(help_text="The request that it goes on from.")
    reopened_as = serializers.SerializerMethodField(help_text="Requests that go on from it.")
    rounds = serializers.SerializerMethodField()
    remarks = serializers.SerializerMethodField()
    messages = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField()
    links = LinksSerializer(source="*")

    def get_contended_with(self, registration_request: RegistrationRequest) -> list[str]:
        """Return the references of its rivals."""
        return [each.reference for each in selectors.list_rival_requests(registration_request)]

    def get_reopens(self, registration_request: RegistrationRequest) -> str | None:
        """Return the reference of the previous request, if the reader may know of it."""
        before = find_reopened_request(registration_request, self.context["reader"])
        return before.reference if before else None

    def get_reopened_as(self, registration_request: RegistrationRequest) -> list[str]:
        """Return the references of later requests that the reader may know of."""
        visible = selectors.requests_visible_to(self.context["reader"])
        found = visible.filter(reopens=registration_request).order_by("created_at")
        return list(found.values_list("reference", flat=True))

    @extend_schema_field(RoundSerializer(many=True))
    def get_rounds(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the rounds that were sent."""
        rounds = registration_request.rounds.sent().select_related("base")
        return list(RoundSerializer.serialize_each(rounds, **self.context))

    @extend_schema_field(RemarkSerializer(many=True))
    def get_remarks(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the experts' remarks."""
        remarks = registration_request.remarks.select_related(*REMARK_RELATIONS)
        return list(RemarkSerializer.serialize_each(remarks))

    @extend_schema_field(MessageSerializer(many=True))
    def get_messages(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the public discussion."""
        messages = registration_request.messages.public().select_related("answers", "hidden_by")
        return list(MessageSerializer.serialize_each(messages, **self.context))

    @extend_schema_field(ActSerializer(many=True))
    def get_events(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the events."""
        events = registration_request.events.order_by("number")
        return list(ActSerializer.serialize_each(events))


def read_standing(requests: Sequence[RegistrationRequest]) -> JSONObject:
    """Return whose turn each of `requests` is now, and what prevents its publication.

    Returned as part of the context of `RequestSerializer`; the number of queries is constant.
    """
    waiting = selectors.find_current_turns(requests)
    cases = {key: turn.case for key, turn in waiting.items()}
    return {
        "waiting": waiting,
        "obstacles": {key: list_publication_obstacles(each) for key, each in cases.items()},
        "states": {key: find_shown_state(each) for key, each in cases.items()},
    }


def serialize_request(
    registration_request: RegistrationRequest, site: str, reader: Person = ANYBODY
) -> JSONObject:
    """Return the JSON of a request as `reader` may see it."""
    context = {"site": site, "reader": reader, **read_standing([registration_request])}
    return RequestRecordSerializer(registration_request, context=context).data


class DaysField(serializers.FloatField):
    """Days with two decimals, as in pages and the CSV file."""

    def to_representation(self, value: Any) -> Any:
        """Return the days, rounded."""
        return round(float(value), 2)


class FigureSerializer(SparseSerializer[DurationRow]):
    """How long requests stay in a state, with a party, or take in total; in days."""

    by = serializers.SerializerMethodField(help_text="state, turn or whole.")
    key = serializers.SerializerMethodField(help_text="Which state, or whose turn.")
    name = text_field(source="label")
    ended = integer_field("How many stays are over.", source="closed.number")
    median_days = DaysField(allow_null=True, source="closed.median")
    percentile_95_days = DaysField(allow_null=True, source="closed.percentile")
    waiting = integer_field("How many are not over.", source="open.number")
    waiting_median_days = DaysField(allow_null=True, source="open.median")
    waiting_longest_days = DaysField(allow_null=True, source="open.longest")

    def get_by(self, row: DurationRow) -> str:
        """Return what stays are grouped by."""
        return row.track[0]

    def get_key(self, row: DurationRow) -> str | None:
        """Return which group this is."""
        return str(row.track[1]) or None
