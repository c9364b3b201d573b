"""Requests and their parts, as programs are told of them."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.shapes.shape import Shape, Sparse, TemplateShape, line, maybe, texts, whole
from registry.choices import Change, Channel, Path, Settlement, State, Turn, Weight


class TextFindingShape(Shape):
    """What the machine has to say of a text."""

    check = line("Stable id such as nid.registered.")
    severity = line("block, warn or note; only block stops anybody.")
    message = line("What was found.")
    source_ = line("The rule, such as RFC 8141, section 5.1.")
    mend = line("How to put it right.")
    section = line("The field it speaks of, empty for all.")


class RoundShape(Sparse):
    """A text that was sent, and is frozen since, with the findings as they were."""

    number = whole()
    submitted_at = serializers.DateTimeField()
    sha256 = line("Of its canonical text.")
    template = TemplateShape()
    facts = serializers.DictField(help_text="Of a change of facts: what shall hold.")
    findings = TextFindingShape(many=True)
    url = serializers.URLField()


class RemarkShape(Sparse):
    """What an expert remarked on a passage, and what has become of it."""

    number = whole()
    round = whole("The round it was made on.")
    section = line("The field of the template.")
    quote = line("The passage; empty for the whole section.")
    start = whole("Where in the section it stands, counted from 0.", allow_null=True)
    weight = serializers.ChoiceField(Weight.choices)
    text = line()
    author = line()
    made_at = serializers.DateTimeField()
    settlement = serializers.ChoiceField(Settlement.choices)
    answer = line()
    answered_by = maybe()
    answered_in = whole("The round that came with the answer.", allow_null=True)


class MessageShape(Sparse):
    """A message; of one that a moderator hid the text is for them and its author."""

    number = whole()
    author_name = line()
    posted_at = serializers.DateTimeField()
    channel = serializers.ChoiceField(Channel.choices)
    is_sender_verified = serializers.BooleanField(
        help_text="Whether the author was signed in; the name in a letter proves nothing."
    )
    section = maybe("The field of the template it is about.")
    answers = whole("The message it answers.", allow_null=True)
    text = maybe()
    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = maybe()
    hidden_reason = maybe()


class ActShape(Sparse):
    """A line of the journal as the page of its request tells it."""

    number = whole()
    at = serializers.DateTimeField()
    actor = line("Name at that time.")
    verb = line()
    what = line("In words, after the name.")
    source_ = maybe("From which state.")
    target = maybe("To which state.")
    comment = maybe()
    round = whole(allow_null=True)
    sha256 = maybe("Of the text it speaks of.")
    checklist = serializers.DictField(help_text="What an expert answered, by question.")
    digest = line()


class DatedShape(Shape):
    """What happens on a day if nobody acts before."""

    words = line()
    day = serializers.DateField()


class WaitingShape(Shape):
    """For whom a request waits, since when, promised by when, and what happens then."""

    turn = serializers.ChoiceField(Turn.choices)
    who = line()
    since = serializers.DateTimeField()
    promised_by = serializers.DateField(allow_null=True)
    days_late = whole()
    late = line("How late it is, in words; empty where it is not.")
    then = line("What happens next.")
    otherwise = DatedShape(many=True, help_text="What happens if it does not.")
    alarm = line("What should never have come to be; mostly empty.")


class RequestShape(Sparse):
    """A request as lists show it."""

    reference = line()
    nid = maybe("In lower case; null while the registry has not assigned one.")
    summary = line("What the names will name.")
    change = serializers.ChoiceField(Change.choices)
    path = serializers.ChoiceField(Path.choices)
    standards_action = serializers.BooleanField(help_text="Whether a standard is to come of it.")
    state = serializers.ChoiceField(State.choices)
    state_word = line("The state as pages call it.")
    state_since = serializers.DateTimeField()
    revision = whole("What `If-Match` names; any verb advances it.", allow_null=True)
    organization = line()
    author = line()
    namespace = maybe("The NID of the namespace that it changes or became.")
    created_at = serializers.DateTimeField()
    waiting = WaitingShape(allow_null=True)
    url = serializers.URLField()
    page = serializers.URLField(help_text="Where people read it.")
    as_of = serializers.DateTimeField(help_text="Only where it was asked for: until when.")


class LinksShape(Shape):
    """Where there is more; null where there is nothing, or nothing for whoever asks."""

    template = serializers.URLField(allow_null=True, help_text="The last round as plain text.")
    draft = serializers.URLField(allow_null=True)
    namespace = serializers.URLField(allow_null=True)
    rounds = serializers.URLField()
    messages = serializers.URLField()
    remarks = serializers.URLField()
    history = serializers.URLField()
    feed = serializers.URLField()


class AskedShape(Shape):
    """One thing that a verb asks for."""

    name = line()
    label_ = line()
    required_ = serializers.BooleanField()
    choices = texts("Empty where anything can be said.")


class VerbShape(Shape):
    """A verb of the table that is open to whoever asks."""

    verb = line()
    label_ = line("What its button says.")
    consequence = line("What follows from it.")
    obstacle = line("What stands in the way, empty where nothing does.")
    asks = AskedShape(many=True)
    url = serializers.URLField(help_text="Where it is taken, with POST.")


class RequestDetailShape(RequestShape):
    """A request with its rounds, what was said and done, and the verbs open to whoever asks."""

    missing_holder_word = maybe(
        "Of a change to a registered namespace that is not by its holder: whose word is "
        "missing for the last round. Until it is there, nobody approves or registers it."
    )
    contended_with = texts("Other live requests for the same NID.")
    reopens = maybe("The request that it goes on from.")
    reopened_as = texts("Requests that go on from it.")
    rounds = RoundShape(many=True)
    remarks = RemarkShape(many=True)
    messages = MessageShape(many=True)
    events = ActShape(many=True)
    links = LinksShape()
    verbs = VerbShape(many=True)
