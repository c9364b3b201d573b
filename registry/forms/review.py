"""What experts type: decisions, the checklist, filters of the queue, absences and conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, Submit
from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from registry import selectors
from registry.enums import ChangeKind, ChecklistChoice, RequestPath
from registry.forms.fields import (
    RadioOption,
    RadioOptionSelect,
    YesNoUnsureRadios,
)
from registry.forms.steps import PLACEHOLDER_COMMENT, PostedStep, build_comment_field
from registry.models import Organization, RegistrationRequest, Round, User
from registry.template.checklist import ChecklistQuestion
from registry.validators import validate_no_control_characters
from registry.verbs import VerbKind, Words
from registry.workflow import ActionRefused, Transition, available_transitions
from registry.workflow.step import Step


def list_decision_offers(
    registration_request: RegistrationRequest, person: User
) -> list[tuple[Transition, Words]]:
    """Return the decisions open to `person` now, each with what stands in its way, if anything."""
    step = Step(registration_request, person, comment=PLACEHOLDER_COMMENT)
    return [
        (transition, transition.obstacle(step))
        for transition in available_transitions(registration_request, person)
        if VerbKind.EXPERT_DECISION in transition.kinds
    ]


class DecisionForm(PostedStep):
    """What an expert decides on a round, why, and which revision they had before them.

    `offers` are the transitions to choose from, each with what stands in its way, if anything.
    """

    optional_unmarked = True

    def __init__(
        self, *args: Any, offers: Sequence[tuple[Transition, str | Promise]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offers = offers
        self.fields["verb"] = forms.ChoiceField(
            label=_("What you decide"),
            choices=[(each.verb, each.label) for each, _barred in offers],
            widget=RadioOptionSelect,
            error_messages={"required": _("Choose what you decide.")},
        )
        only = offers[0][0] if len(offers) == 1 else None
        if only:
            self.fields["verb"].initial = only.verb
        self.explaining = {each.verb for each, _barred in offers if each.explains}
        self.fields["comment"] = build_comment_field(offers[0][0])
        self.fields["comment"].required = False  # Which verb was chosen decides; see clean.
        if not only:
            self.fields["comment"].label = _("Reasons, public")
        self.helper = FormHelper()
        self.helper.form_class = "decision"
        self.helper.attrs = {"id": "decide"}
        self.helper.layout = Layout(
            "seen",
            Field("verb", template="components/choice.html"),
            "comment",
            Div(
                Submit("decide", str(only.label) if only else _("Record decision")),
                StrictButton(
                    _("Save for later"),
                    type="submit",
                    name="later",
                    value="1",
                    formnovalidate=True,
                    css_class="btn-outline-secondary",
                ),
                css_class="cluster",
            ),
        )

    def show_consequences(self, points: Mapping[str, tuple[str | Promise, ...]]) -> None:
        """Have each choice say what it does, and what to weigh before: `points`, by verb."""
        field = self.fields["verb"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (each.verb, build_decision_option(each, barred, points.get(each.verb, ())))
            for each, barred in self.offers
        ]

    def add_refusal(self, refusal: ActionRefused) -> None:
        """Say why it was refused; without a word of reason it is most often that which lacks."""
        self.add_error(None if self.cleaned_data["comment"] else "comment", str(refusal))

    def clean(self) -> dict[str, Any]:
        """Ask for the reasons that the chosen decision needs, beside the field."""
        answers = super().clean() or {}
        chosen, comment = answers.get("verb"), str(answers.get("comment", ""))
        if chosen in self.explaining and not comment.strip() and "comment" not in self.errors:
            self.add_error("comment", self.fields["comment"].error_messages["required"])
        return answers


def build_decision_option(
    transition: Transition, barred: str | Promise, points: tuple[str | Promise, ...]
) -> RadioOption:
    """Return a transition as a choice: what it does, what to weigh, and why it cannot be taken."""
    shown = () if barred else points
    return RadioOption(transition.label, hint=transition.consequence, points=shown, barred=barred)


class ChecklistForm(forms.Form):
    """Yes, No or Unsure to each question; what is left out is answered later, or never."""

    round_number = forms.IntegerField(widget=forms.HiddenInput)

    optional_unmarked = True

    def __init__(
        self,
        *args: Any,
        shown: Round,
        questions: Sequence[ChecklistQuestion],
        answers: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **{"auto_id": "check_%s", **kwargs})
        self.fields["round_number"].initial = shown.number
        for question in questions:
            self.fields[question.slug] = forms.ChoiceField(
                label=question.text,
                choices=ChecklistChoice,
                required=False,
                initial=answers.get(question.slug),
                widget=forms.RadioSelect,
            )
        self.helper = FormHelper()
        action = reverse("review:checklist", args=[shown.registration_request.slug])
        self.helper.form_action = action
        self.helper.attrs = {
            "id": "checklist-form",
            "data-send-again": "",
            "hx-post": action,
            "hx-trigger": "change, submit",
            "hx-swap": "none",
            "hx-sync": "this:queue last",
        }
        self.helper.layout = Layout(
            "round_number",
            *(YesNoUnsureRadios(question.slug) for question in questions),
            StrictButton(
                gettext("Keep the answers"),
                type="submit",
                css_class="btn-sm btn-outline-secondary mt-3",
            ),
        )

    def clean(self) -> dict[str, Any]:
        """Return the round that was read, and what is answered, by question."""
        cleaned = super().clean() or {}
        number = cleaned.pop("round_number", None)
        return {
            "round_number": number,
            "answers": {slug: given for slug, given in cleaned.items() if given},
        }


QUEUE_KIND_CHOICES = (
    ("", _("Every kind")),
    (RequestPath.COMMUNITY, _("Formal")),
    (RequestPath.FAST_TRACK, _("Fast track")),
    (RequestPath.INFORMAL, _("Informal")),
    (ChangeKind.REVISION, _("Revision")),
)
QUEUE_ORDER_CHOICES = (
    ("turn", _("By turn and age")),
    ("due", _("Due first")),
    ("oldest", _("Oldest first")),
    ("latest", _("Latest first")),
)


class QueueForm(forms.Form):
    """Which requests of a tab to show, and in what order."""

    optional_unmarked = True

    tab = forms.CharField(required=False, widget=forms.HiddenInput)
    words = forms.CharField(
        label=_("Words"),
        required=False,
        max_length=100,
        validators=[validate_no_control_characters],
        widget=forms.TextInput(attrs={"placeholder": _("Identifier or registrant")}),
    )
    path = forms.ChoiceField(label=_("Kind"), required=False, choices=QUEUE_KIND_CHOICES)
    sort = forms.ChoiceField(label=_("Sort"), required=False, choices=QUEUE_ORDER_CHOICES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.form_class = "cluster align-items-start"
        self.helper.label_class = "visually-hidden"
        self.helper.attrs = {"aria-label": _("Filter")}
        self.helper.layout = Layout(
            "tab",
            Field("words", css_class="form-control-sm"),
            Field("path", css_class="form-select-sm"),
            Field("sort", css_class="form-select-sm"),
            StrictButton(_("Apply"), type="submit", css_class="btn-sm btn-outline-secondary"),
        )


DATE_WIDGET = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class AbsenceForm(forms.Form):
    """From which day to which an expert is away."""

    first_day = forms.DateField(
        label=_("First day away"),
        widget=DATE_WIDGET,
        error_messages={"required": _("Name the first day.")},
    )
    last_day = forms.DateField(
        label=_("Last day away"),
        widget=DATE_WIDGET,
        error_messages={"required": _("Name the last day.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("first_day", css_class="narrow--16"),
            Field("last_day", css_class="narrow--16"),
            StrictButton(_("Note these days"), type="submit", css_class="btn-primary"),
        )

    def clean(self) -> dict[str, Any]:
        """Days away end after they begin, and are not over."""
        days = super().clean() or {}
        first, last = days.get("first_day"), days.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day is before the first."))
        elif last and last < timezone.localdate():
            self.add_error("last_day", _("These days are over. Name a last day from today on."))
        return days


class ConflictOfInterestForm(forms.Form):
    """With which organization an expert has a conflict of interest."""

    organization = forms.ModelChoiceField(
        Organization.objects.none(),
        label=_("Organization"),
        empty_label=_("Choose an organization"),
        error_messages={"required": _("Choose an organization.")},
    )
    reason = forms.CharField(
        label=_("Reason, public"),
        required=False,
        max_length=300,
        validators=[validate_no_control_characters],
        help_text=_("The journal keeps it. It is enough to say that you have a conflict."),
    )

    def __init__(self, *args: Any, expert: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = expert.conflicts.values("organization")
        field = self.fields["organization"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = selectors.organizations_visible_to(expert).exclude(pk__in=known)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("organization", css_class="narrow--34"),
            Field("reason", css_class="narrow--34"),
            StrictButton(_("Declare the conflict"), type="submit", css_class="btn-primary"),
        )
