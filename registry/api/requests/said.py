"""What programs say, as JSON; it is read by the same forms as what people type."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.said import Lines, Said, Text, YesOrNo
from registry.choices import Change, Ground, Path, Settlement, Status, Weight
from registry.forms.paths import FACTS, REVISION
from registry.template import Template, field
from registry.template.template import LISTS

ASKED = [(path.value, path.label) for path in Path] + [
    (REVISION, "A revision of a registered namespace"),
    (FACTS, "A change of facts of a registered namespace"),
]
FACTS_ASKED = [each for each in Change.choices if each[0] not in {Change.NEW, Change.REVISION}]


ANSWERS = [("", "None")] + [
    (each.value, each.label) for each in (Settlement.CHANGED, Settlement.EXPLAINED)
]


class StepSaid(Said):
    """What is said with a step. Which of it a verb asks for stands beside the verb."""

    comment = Text(help_text="Reasons, or whatever else the verb asks to be told.")
    edition = serializers.IntegerField(
        required=False, min_value=0, help_text="Of the draft that was read: submit, revise."
    )
    expert = serializers.EmailField(
        required=False, help_text="Mail address of who comes to the request: assign, reassign."
    )
    leaver = serializers.EmailField(
        required=False, help_text="Mail address of who leaves the request: reassign."
    )
    due_on = serializers.DateField(required=False, help_text="The new date: extend.")
    for_good = serializers.BooleanField(
        required=False, help_text="Also from all else of the organization: recuse."
    )
    path = serializers.ChoiceField(Path.choices, required=False, help_text="Of reroute.")
    standards_action = YesOrNo(
        required=False, help_text="Whether a standard is to come of it: reroute."
    )
    ground = serializers.ChoiceField(Ground.choices, required=False, help_text="Of bounce.")
    references = Lines(required=False, help_text="Documents of record: register.")
    last_version = Text(help_text="Where the registry does not know it: register.")
    last_version_source = Text(help_text="Where that is known from: register.")
    proof = Text(help_text="What was seen for a change of facts: register.")
    confirmation = Text(
        help_text="The NID to publish, or the reference where it is not assigned yet: register."
    )


class StartSaid(Said):
    """What is asked before a template is written."""

    path = serializers.ChoiceField(ASKED, help_text="What is asked for, and by which path.")
    organization = serializers.CharField(help_text="The body that asks, or takes over.")
    nid = Text(help_text="The NID of a new formal namespace.")
    namespace = Text(help_text="The NID of the namespace to revise or change.")
    change = serializers.ChoiceField(
        FACTS_ASKED, required=False, help_text="Which of its facts shall change."
    )
    statement = Text(help_text="What kind of body asks, where the fast track has to be asked for.")
    summary = Text(help_text="What the names name, in a few words.")
    standards_action = YesOrNo(required=False, help_text="Whether a standard is to come of it.")
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one request is started."
    )


class TemplateSaid(Said):
    """Fields of the template to change, from its one definition."""

    def get_fields(self) -> dict[str, Any]:
        """Return one field for each of the definition, in the order of reading."""
        return {
            name: Lines(required=False, help_text=field(name).label)
            if name in LISTS
            else Text(help_text=field(name).label)
            for name in Template.blank().to_dict()
        }


class FactsSaid(Said):
    """Facts to change; which of them can be depends on the change that is asked for."""

    contact = Text()
    references = Lines(required=False)
    succession = Text()
    status = serializers.ChoiceField(Status.choices, required=False)
    notice = Text()


class DraftSaid(Said):
    """What to change in a draft; what is left out stays as it is."""

    template = TemplateSaid(required=False)
    facts = FactsSaid(required=False)


class MessageSaid(Said):
    """A public message of the discussion."""

    text = Text()
    section = Text(help_text="The field of the template that it is about, if it is about one.")
    answers = serializers.IntegerField(
        required=False, help_text="The number of the message that it answers."
    )
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one message is written."
    )


class RemarkSaid(Said):
    """A remark on a passage of the last round."""

    round = serializers.IntegerField(help_text="The number of the round that was read.")
    section = serializers.CharField(help_text="The field of the template.")
    quote = Text(help_text="The passage, in its own words; empty for the whole section.")
    occurrence = serializers.IntegerField(
        required=False, min_value=0, help_text="Which of several such passages, counted from 0."
    )
    weight = serializers.ChoiceField(Weight.choices)
    text = Text()


class AnswerSaid(Said):
    """The answer to a remark, prepared beside the draft; public once a round is sent."""

    settlement = serializers.ChoiceField(
        ANSWERS,
        help_text="Empty to take the answer back.",
    )
    text = Text()
    seen = Text(help_text="`prepared` of the remark as the draft showed it; `:` where nothing was.")
