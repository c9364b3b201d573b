"""How answers are described in OpenAPI; `registry.serializers` makes the answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.enums import (
    ChangeKind,
    MessageChannel,
    RemarkWeight,
    RequestPath,
    Settlement,
    State,
    Turn,
)
from registry.serializers.base import (
    OutputSerializer,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
    text_list_field,
)
from registry.serializers.templates import TemplateSerializer, TextFindingSerializer


class EventSerializer(SparseSerializer[Any]):
    """A line of the journal: SHA-256 of `line`, in UTF-8, is `digest`.

    `line` is JSON and ends the chain: its `previous` is the digest of the line before. Of lines
    that are not for everybody, such as those about drafts, all else is null.
    """

    number = integer_field()
    previous = nullable_text_field("Digest of the line before.")
    digest = text_field()
    line = nullable_text_field("What the digest is of, to the letter.")
    at = serializers.DateTimeField(allow_null=True)
    actor = nullable_text_field("Name at that time.")
    verb = nullable_text_field()
    what = nullable_text_field("In words, after the name.")
    subject = nullable_text_field()
    request = nullable_text_field("The reference of the request that it is about.")
    nid = nullable_text_field("The namespace that it is about.")
    source_ = nullable_text_field("From which state.")
    target = nullable_text_field("To which state.")
    comment = nullable_text_field()
    data_ = serializers.DictField(allow_null=True)


class FigureSerializer(SparseSerializer[Any]):
    """How long requests stay in a state, with a party, or take altogether; in days."""

    by = text_field("state, turn or whole.")
    key = nullable_text_field("Which state, or whose turn.")
    name = text_field()
    ended = integer_field("How many stays are over.")
    median_days = serializers.FloatField(allow_null=True)
    percentile_95_days = serializers.FloatField(allow_null=True)
    waiting = integer_field("How many are not over.")
    waiting_median_days = serializers.FloatField(allow_null=True)
    waiting_longest_days = serializers.FloatField(allow_null=True)


class RoundSerializer(SparseSerializer[Any]):
    """A text that was sent, and is frozen since, with the findings as they were."""

    number = integer_field()
    submitted_at = serializers.DateTimeField()
    sha256 = text_field("Of its canonical text.")
    template = TemplateSerializer()
    facts = serializers.DictField(help_text="Of a change of facts: what shall hold.")
    findings = TextFindingSerializer(many=True)
    url = serializers.URLField()


class RemarkSerializer(SparseSerializer[Any]):
    """What an expert remarked on a passage, and what has become of it."""

    number = integer_field()
    round = integer_field("The round it was made on.")
    section = text_field("The field of the template.")
    quote = text_field("The passage; empty for the whole section.")
    start = integer_field("Where in the section it stands, counted from 0.", allow_null=True)
    weight = serializers.ChoiceField(RemarkWeight.choices)
    text = text_field()
    author = text_field()
    made_at = serializers.DateTimeField()
    settlement = serializers.ChoiceField(Settlement.choices)
    answer = text_field()
    answered_by = nullable_text_field()
    answered_in = integer_field("The round that came with the answer.", allow_null=True)


class MessageSerializer(SparseSerializer[Any]):
    """A message; of one that a moderator hid the text is for them and its author."""

    number = integer_field()
    author_name = text_field()
    posted_at = serializers.DateTimeField()
    channel = serializers.ChoiceField(MessageChannel.choices)
    is_sender_verified = serializers.BooleanField(
        help_text="Whether the author was signed in; the name in a letter proves nothing."
    )
    section = nullable_text_field("The field of the template it is about.")
    answers = integer_field("The message it answers.", allow_null=True)
    text = nullable_text_field()
    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = nullable_text_field()
    hidden_reason = nullable_text_field()


class ActSerializer(SparseSerializer[Any]):
    """A line of the journal as the page of its request tells it."""

    number = integer_field()
    at = serializers.DateTimeField()
    actor = text_field("Name at that time.")
    verb = text_field()
    what = text_field("In words, after the name.")
    source_ = nullable_text_field("From which state.")
    target = nullable_text_field("To which state.")
    comment = nullable_text_field()
    round = integer_field(allow_null=True)
    sha256 = nullable_text_field("Of the text it speaks of.")
    checklist = serializers.DictField(help_text="What an expert answered, by question.")
    digest = text_field()


class DatedSerializer(OutputSerializer[Any]):
    """What happens on a day if nobody acts before."""

    words = text_field()
    day = serializers.DateField()


class WaitingSerializer(OutputSerializer[Any]):
    """For whom a request waits, since when, promised by when, and what happens then."""

    turn = serializers.ChoiceField(Turn.choices)
    who = text_field()
    since = serializers.DateTimeField()
    promised_by = serializers.DateField(allow_null=True)
    days_late = integer_field()
    late = text_field("How late it is, in words; empty where it is not.")
    then = text_field("What happens next.")
    otherwise = DatedSerializer(many=True, help_text="What happens if it does not.")
    alarm = text_field("What should never have come to be; mostly empty.")


class RequestSerializer(SparseSerializer[Any]):
    """A request as lists show it."""

    reference = text_field()
    nid = nullable_text_field("In lower case; null while the registry has not assigned one.")
    summary = text_field("What the names will name.")
    change = serializers.ChoiceField(ChangeKind.choices)
    path = serializers.ChoiceField(RequestPath.choices)
    standards_action = serializers.BooleanField(help_text="Whether a standard is to come of it.")
    state = serializers.ChoiceField(State.choices)
    state_word = text_field("The state as pages call it.")
    state_since = serializers.DateTimeField()
    revision = integer_field("What `If-Match` names; any verb advances it.", allow_null=True)
    organization = text_field()
    author = text_field()
    namespace = nullable_text_field("The NID of the namespace that it changes or became.")
    created_at = serializers.DateTimeField()
    waiting = WaitingSerializer(allow_null=True)
    url = serializers.URLField()
    page = serializers.URLField(help_text="Where people read it.")
    as_of = serializers.DateTimeField(help_text="Only where it was asked for: until when.")


class LinksSerializer(OutputSerializer[Any]):
    """Where there is more; null where there is nothing, or nothing for whoever asks."""

    template = serializers.URLField(allow_null=True, help_text="The last round as plain text.")
    draft = serializers.URLField(allow_null=True)
    namespace = serializers.URLField(allow_null=True)
    rounds = serializers.URLField()
    messages = serializers.URLField()
    remarks = serializers.URLField()
    history = serializers.URLField()
    feed = serializers.URLField()


class VerbFieldSerializer(OutputSerializer[Any]):
    """One thing that a verb asks for."""

    name = text_field()
    label_ = text_field()
    required_ = serializers.BooleanField()
    choices = text_list_field("Empty where anything can be said.")


class VerbSerializer(OutputSerializer[Any]):
    """A verb of the table that is open to whoever asks."""

    verb = text_field()
    label_ = text_field("What its button says.")
    consequence = text_field("What follows from it.")
    obstacle = text_field("What stands in the way, empty where nothing does.")
    asks = VerbFieldSerializer(many=True)
    url = serializers.URLField(help_text="Where it is taken, with POST.")


class RequestDetailSerializer(RequestSerializer):
    """A request with its rounds, what was said and done, and the verbs open to whoever asks."""

    missing_holder_word = nullable_text_field(
        "Of a change to a registered namespace that is not by its holder: whose word is "
        "missing for the last round. Until it is there, nobody approves or registers it."
    )
    contended_with = text_list_field("Other live requests for the same NID.")
    reopens = nullable_text_field("The request that it goes on from.")
    reopened_as = text_list_field("Requests that go on from it.")
    rounds = RoundSerializer(many=True)
    remarks = RemarkSerializer(many=True)
    messages = MessageSerializer(many=True)
    events = ActSerializer(many=True)
    links = LinksSerializer()
    verbs = VerbSerializer(many=True)
