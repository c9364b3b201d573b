"""Input serializers: JSON from programs, passed to the same forms as people's input."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from rest_framework import serializers

from registry.api.problems import refuse_invalid_form
from registry.enums import (
    AppealGround,
    AppealOutcome,
    ChangeKind,
    EvidenceAbout,
    NamespaceStatus,
    RemarkWeight,
    RequestPath,
    Ruling,
    Settlement,
)
from registry.forms.paths import FACTS_CHOICE, REVISION_CHOICE
from registry.template import Template, field
from registry.template.template import LIST_FIELDS


class YesNoField(serializers.BooleanField):
    """True or false, converted to the value of a page's radio button."""

    def to_internal_value(self, data: Any) -> Any:
        return "yes" if super().to_internal_value(data) else "no"


class LinesField(serializers.ListField):
    """A list of texts, as people type it: one entry per line."""

    child = serializers.CharField()

    def to_internal_value(self, data: Any) -> Any:
        return "\n".join(super().to_internal_value(data))


class FreeTextField(serializers.CharField):
    """Text that may be empty; the forms validate it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_blank=True, trim_whitespace=False, **kwargs)


class InputSerializer(serializers.Serializer[Any]):
    """A program's input; an unknown field is an error, not ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the input as a person would type it."""
        unknown = data.keys() - self.fields.keys() if isinstance(data, dict) else ()
        if unknown:
            words = _("Nothing of this name is asked for.")
            raise serializers.ValidationError({name: [words] for name in sorted(unknown)})
        return super().to_internal_value(data)


class CommentInputSerializer(InputSerializer):
    """Why a step is taken; public."""

    comment = FreeTextField()


class ReasonInputSerializer(InputSerializer):
    """Why something is done; public."""

    reason = FreeTextField()


def clean_form(form: forms.Form) -> dict[str, Any]:
    """Return the cleaned data of a page's form for the input; raise its errors."""
    refuse_invalid_form(form)
    return dict(form.cleaned_data)


PATH_CHOICES = [(path.value, path.label) for path in RequestPath] + [
    (REVISION_CHOICE, "A revision of a registered namespace"),
    (FACTS_CHOICE, "A change of facts of a registered namespace"),
]
FACTS_CHANGE_CHOICES = [
    each for each in ChangeKind.choices if each[0] not in {ChangeKind.NEW, ChangeKind.REVISION}
]


ANSWER_CHOICES = [("", "None")] + [
    (each.value, each.label) for each in (Settlement.CHANGED, Settlement.EXPLAINED)
]


class StepInputSerializer(InputSerializer):
    """The input of a step. Each verb lists which fields it uses."""

    comment = FreeTextField(help_text="Reasons, or whatever else the verb asks to be told.")
    edition = serializers.IntegerField(
        required=False, min_value=0, help_text="Of the draft that was read: submit."
    )
    changed_elsewhere = serializers.BooleanField(
        required=False,
        help_text="Answers say that the text was changed, and it was in another section: submit.",
    )
    expert = serializers.EmailField(
        required=False, help_text="Email address of who comes to the request: assign."
    )
    leaver = serializers.EmailField(
        required=False, help_text="Email address of who leaves the request: assign, recuse."
    )
    due_on = serializers.DateField(required=False, help_text="The new date: extend.")
    unanswered = FreeTextField(
        help_text="Why questions of your checklist stay open, public: approve, report."
    )
    haste = FreeTextField(
        help_text="Why you decide while comments are invited, public: approve, report."
    )
    acts_for = FreeTextField(
        help_text="How it is known that the author acts for the organization, where nobody is "
        "shown to, public: approve, report."
    )
    for_good = serializers.BooleanField(
        required=False, help_text="Also from all else of the organization: recuse."
    )
    path = serializers.ChoiceField(RequestPath.choices, required=False, help_text="Of reroute.")
    standards_action = YesNoField(
        required=False, help_text="Whether a standard is to come of it: reroute."
    )
    ground = serializers.ChoiceField(
        AppealGround.choices, required=False, help_text="On which it is heard: appeal."
    )
    decision = serializers.IntegerField(
        required=False,
        help_text="Number of the event that is appealed, by default the last.",
    )
    outcome = serializers.ChoiceField(
        AppealOutcome.choices, required=False, help_text="How an appeal ends: decide_appeal."
    )
    references = LinesField(required=False, help_text="Documents of record: register.")
    contact = FreeTextField(
        help_text="Of a namespace without one, by default that of the Registrant section: register."
    )
    last_version = FreeTextField(
        help_text="Where the registry does not know it, or its sources disagree: register."
    )
    last_version_source = FreeTextField(help_text="Source: register.")
    iana_reference = FreeTextField(help_text="By what IANA knows the entry: register.")
    about = serializers.ChoiceField(
        EvidenceAbout.choices, required=False, help_text="What was seen: record_evidence."
    )
    organization = serializers.IntegerField(
        required=False,
        help_text="Whose consent was seen, where several are missing, by its id: record_evidence.",
    )
    rfc = FreeTextField(help_text="Which RFC itself changes the reference: record_evidence.")
    section = FreeTextField(help_text="In which of its sections it does: record_evidence.")
    ruling = serializers.ChoiceField(
        Ruling.choices, required=False, help_text="What is ruled, without a new state: direct."
    )
    confirmation = FreeTextField(
        help_text="The NID to publish, or the reference where it is not assigned yet: register."
    )


class StartInputSerializer(InputSerializer):
    """The questions asked before a template is written."""

    path = serializers.ChoiceField(PATH_CHOICES, help_text="What is asked for, and by which path.")
    organization = serializers.CharField(help_text="The body that asks, or takes over.")
    nid = FreeTextField(help_text="The NID of a new formal namespace.")
    namespace = FreeTextField(
        help_text="The NID of the namespace to revise or change. None for the rename of an "
        "organization that holds none."
    )
    change = serializers.ChoiceField(
        FACTS_CHANGE_CHOICES, required=False, help_text="Which of its facts shall change."
    )
    statement = FreeTextField(
        help_text="What kind of body asks, where the fast track has to be asked for."
    )
    summary = FreeTextField(help_text="What the names name, in a few words.")
    standards_action = YesNoField(required=False, help_text="Whether a standard is to come of it.")
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one request is started."
    )


class TemplateInputSerializer(InputSerializer):
    """Fields of the template to change, from its one definition."""

    def get_fields(self) -> dict[str, Any]:
        """Return a field for each of the definition's, in reading order."""
        return {
            name: LinesField(required=False, help_text=field(name).label)
            if name in LIST_FIELDS
            else FreeTextField(help_text=field(name).label)
            for name in Template.blank().to_dict()
        }


class FactsInputSerializer(InputSerializer):
    """Facts to change; which of them can change depends on the requested change."""

    contact = FreeTextField()
    references = LinesField(required=False)
    succession = FreeTextField()
    registrant = FreeTextField(help_text="The new name of the registrant.")
    status = serializers.ChoiceField(NamespaceStatus.choices, required=False)
    notice = FreeTextField()
    replaced_by = FreeTextField(help_text="The NID of what to use instead.")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; one is called as an attribute of every field is."""
        where = FreeTextField(help_text="Where the new name is recorded.")
        return {**super().get_fields(), "source": where}


class DraftInputSerializer(InputSerializer):
    """Changes to a draft; fields left out stay as they are."""

    template = TemplateInputSerializer(required=False)
    facts = FactsInputSerializer(required=False)
    base = serializers.IntegerField(
        required=False,
        help_text="The version in force, once the text has been brought up to date with it.",
    )


class CorrectionInputSerializer(InputSerializer):
    """A correction of how an imported record was understood; fields left out stay as they are."""

    template = TemplateInputSerializer()
    reason = FreeTextField(help_text="Why; public.")


class ContactInputSerializer(InputSerializer):
    """A mail address from a record."""

    address = FreeTextField()
    how = FreeTextField(help_text="How it was confirmed to be in use.")


class MessageInputSerializer(InputSerializer):
    """A public message of the discussion."""

    text = FreeTextField()
    section = FreeTextField(
        help_text="The field of the template that it is about, if it is about one."
    )
    answers = serializers.IntegerField(
        required=False, help_text="The number of the message that it answers."
    )
    mark = FreeTextField(
        help_text="What it is besides a comment: `advice` of an expert on the fast track, "
        "`challenge:` and the id of an expert, or `answer:` and the number of a challenge."
    )
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one message is written."
    )


class RemarkInputSerializer(InputSerializer):
    """A remark on a passage of the last round."""

    round = serializers.IntegerField(help_text="The number of the round that was read.")
    section = serializers.CharField(help_text="The field of the template.")
    quote = FreeTextField(help_text="The passage, in its own words; empty for the whole section.")
    occurrence = serializers.IntegerField(
        required=False, min_value=0, help_text="Which of several such passages, counted from 0."
    )
    weight = serializers.ChoiceField(RemarkWeight.choices)
    text = FreeTextField()


class AnswerInputSerializer(InputSerializer):
    """The answer to a remark, prepared with the draft; sending a round publishes it."""

    settlement = serializers.ChoiceField(
        ANSWER_CHOICES,
        help_text="Empty to take the answer back.",
    )
    text = FreeTextField()
    seen = FreeTextField(
        help_text="`prepared` of the remark as the draft showed it; `:` where nothing was."
    )
