"""The standards body's decisions, and organizations' statements when asking for recognition."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout, Submit
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy as _

from registry.actions.recognition import list_possible_answers
from registry.enums import AppealGround, AppealOutcome, VerbKind
from registry.forms.consent import build_ruling_field
from registry.forms.fields import (
    ConsequenceRadios,
    PlainTextField,
    RadioOption,
    RadioOptionSelect,
)
from registry.forms.steps import MAX_COMMENT_LENGTH, PostedStep, StepForm
from registry.journal.event_messages import describe_event
from registry.models import Recognition
from registry.selectors.appeals import (
    list_appealable_decisions,
    list_open_grounds,
    list_possible_outcomes,
)
from registry.validators import validate_no_control_characters
from registry.workflow import Transition

RECOGNITION_ANSWER_CHOICES: Final = (
    (
        "recognise",
        RadioOption(
            _("Recognise"),
            _("It may ask for registration on the fast track, where experts block nothing."),
        ),
    ),
    (
        "refuse_recognition",
        RadioOption(
            _("Refuse"),
            _("Its requests go on by advice, and can be moved to expert review. It may ask again."),
        ),
    ),
    (
        "withdraw_recognition",
        RadioOption(
            _("Take back"),
            _(
                "It is not recognised any more, at once, and none of its requests on the fast "
                "track is registered. They can be moved to expert review. It may ask again."
            ),
        ),
    ),
)


def build_public_reason_field(label: Any, help_text: Any) -> forms.CharField:
    """Return the field for the public reasons of a decision."""
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": _("Give your reasons; they are public.")},
    )


class AppealForm(StepForm):
    """Which decision is appealed, if there are several, and on what ground."""

    programs_may_omit = frozenset({"decision"})

    def add_fields(self) -> None:
        """Ask for both; grounds that were heard are left out."""
        decisions = list_appealable_decisions(self.registration_request)
        if len(decisions) > 1:
            self.fields["decision"] = forms.TypedChoiceField(
                label=gettext("Against what?"),
                choices=[
                    (each.number, f"{each.actor_name} {describe_event(each)}") for each in decisions
                ],
                coerce=int,
                widget=forms.RadioSelect,
                error_messages={"required": gettext("Choose what you appeal against.")},
            )
        grounds = {ground for each in decisions for ground in list_open_grounds(each)}
        self.fields["ground"] = forms.ChoiceField(
            label=gettext("On what ground?"),
            choices=[(each.value, each.label) for each in AppealGround if each in grounds],
            widget=forms.RadioSelect,
            error_messages={"required": gettext("Choose a ground.")},
        )


class DecideAppealForm(StepForm):
    """How an appeal ends."""

    def add_fields(self) -> None:
        """Ask for the outcome."""
        self.fields["outcome"] = forms.ChoiceField(
            label=gettext("What you decide"),
            choices=[
                (each.value, RadioOption(each.label, OUTCOME_CONSEQUENCES.get(each, "")))
                for each in list_possible_outcomes(self.registration_request)
            ],
            widget=RadioOptionSelect,
            error_messages={"required": gettext("Choose what you decide.")},
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout("seen", ConsequenceRadios("outcome"), "comment")


OUTCOME_CONSEQUENCES: Final = {
    AppealOutcome.GOES_BACK: _("Those who decided decide again. A ruling no longer counts."),
    AppealOutcome.ANEW: _("You decide in their place, the other way."),
    AppealOutcome.CORRECT: _(
        "One change of the entry needs no consent of its holder. It says nothing about who owns "
        "the name. RFC 8141, section 5.1."
    ),
    AppealOutcome.DEPRECATE: _(
        "One change of its status needs no consent of its holder. It says nothing about who owns "
        "the name. RFC 8141, section 5.1."
    ),
}


class RulingForm(PostedStep):
    """The standards body's decision on a request, with reasons.

    `offers` are the transitions to choose from.
    """

    def __init__(self, *args: Any, offers: Sequence[Transition], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["verb"] = forms.ChoiceField(
            label=_("What you decide"),
            choices=[(each.verb, RadioOption(each.label, each.consequence)) for each in offers],
            widget=RadioOptionSelect,
            error_messages={"required": _("Choose what you decide.")},
        )
        directs = any(VerbKind.DIRECTION in each.kinds for each in offers)
        if directs:
            self.fields["ruling"] = build_ruling_field(self.registration_request)
        self.fields["comment"] = build_public_reason_field(
            _("Reasons, public"),
            _("For a direction, where it is recorded: minutes, or the address of a decision.")
            if directs
            else _("They are public, next to the appealed decision."),
        )
        self.helper = FormHelper()
        self.helper.form_class = "decision"
        self.helper.attrs = {"id": "decide"}
        self.helper.layout = Layout(
            "seen",
            Field("verb", template="components/choice.html"),
            *(["ruling"] if directs else []),
            "comment",
            Submit("decide", _("Record decision")),
        )


class RecognitionForm(forms.Form):
    """Whether a body is recognised for the fast track, since when, and where that is recorded."""

    verb = forms.ChoiceField(
        label=_("What you decide"),
        choices=RECOGNITION_ANSWER_CHOICES,
        widget=RadioOptionSelect,
        error_messages={"required": _("Choose what you decide.")},
    )
    recognised_on = forms.DateField(
        label=_("Recognised on"),
        required=False,
        help_text=_("The day of the decision, such as 2026-03-01; only where you recognise it."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    comment = build_public_reason_field(
        _("Where it is recorded, or your reasons; public"),
        _("Such as minutes with their date and item, or the address of the decision."),
    )

    optional_unmarked = True

    def __init__(self, *args: Any, asked: Recognition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        possible = list_possible_answers(asked)
        verb = self.fields["verb"]
        assert isinstance(verb, forms.ChoiceField)
        verb.choices = [each for each in RECOGNITION_ANSWER_CHOICES if each[0] in possible]
        self.fields["recognised_on"].initial = timezone.localdate
        self.helper = FormHelper()
        self.helper.form_class = "decision"
        self.helper.layout = Layout(
            Field("verb", template="components/choice.html"),
            *([Field("recognised_on", css_class="narrow--16")] if "recognise" in possible else []),
            "comment",
            Submit("decide", _("Record decision")),
        )

    def clean_recognised_on(self) -> datetime.date | None:
        """Refuse a day in the future."""
        day: datetime.date | None = self.cleaned_data["recognised_on"]
        if day and day > timezone.localdate():
            raise ValidationError(gettext("That day is in the future."))
        return day

    def clean(self) -> dict[str, Any]:
        """Require the day of a recognition."""
        answers = super().clean() or {}
        if answers.get("verb") == "recognise" and not answers.get("recognised_on"):
            if "recognised_on" not in self.errors:
                self.add_error("recognised_on", gettext("Say on which day it was recognised."))
        elif answers.get("verb"):
            self.errors.pop("recognised_on", None)
        return answers


MAX_STATEMENT_LENGTH: Final = 5_000
STATEMENT_HELP_TEXT: Final = _(
    "Which standards organization, scientific society or similar body, and where that can be read. "
    "The standards body is asked, and publishes its answer with what you write here. It may be "
    "pending while you write and get advice, and is needed when you ask for registration. "
    "RFC 8141, section 6.3."
)


def build_statement_field(
    label: Any, help_text: Any = "", *, required: bool = False
) -> PlainTextField:
    """Return the field that asks what kind of body it is."""
    return PlainTextField(
        most=MAX_STATEMENT_LENGTH,
        required=required,
        label=label,
        help_text=format_lazy("{} {}", STATEMENT_HELP_TEXT, help_text),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say what kind of body it is.")},
    )


class RecognitionStatementForm(forms.Form):
    """Asking for recognition on its own, for example before a request changes its path."""

    statement = build_statement_field(_("What kind of body it is"), required=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout("statement", Submit("ask", _("Ask for recognition")))
