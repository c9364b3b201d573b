"""Experts' input: decisions, the checklist, filters, absences, conflicts, and assignments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, Submit
from django import forms
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from registry import permissions, selectors, workflow
from registry.actions import conflicts_of_interest, expert_assignment
from registry.enums import ChangeKind, ChecklistChoice, RequestPath, VerbKind, Words
from registry.forms.fields import (
    ConsequenceRadios,
    RadioOption,
    RadioOptionSelect,
)
from registry.forms.steps import (
    MAX_COMMENT_LENGTH,
    PLACEHOLDER_COMMENT,
    PostedStep,
    StepForm,
    build_comment_field,
)
from registry.models import Event, Organization, RegistrationRequest, Round, User
from registry.permissions import Person
from registry.selectors.accounts import find_account
from registry.selectors.appeals import find_stay_end
from registry.selectors.experts import list_candidates
from registry.selectors.explanations import list_explanations
from registry.template.checklist import ChecklistQuestion
from registry.validators import validate_no_control_characters
from registry.workflow import ActionRefused, Transition, available_transitions
from registry.workflow.conditions import may_assign_anybody
from registry.workflow.step import Step

MAX_EXPLANATION_LENGTH: Final = 1_000


def list_decision_offers(
    registration_request: RegistrationRequest, person: User
) -> list[tuple[Transition, Words]]:
    """Return the decisions open to `person` now, each with its obstacle, if any."""
    step = Step(registration_request, person, comment=PLACEHOLDER_COMMENT)
    return [
        (transition, transition.obstacle_before_input(step))
        for transition in available_transitions(registration_request, person)
        if VerbKind.EXPERT_DECISION in transition.kinds
    ]


class DecisionForm(PostedStep):
    """An expert's decision on a round, the reasons, and the revision they saw.

    `offers` are the transitions to choose from, each with its obstacle, if any. `explanations` are
    the fields in which a favourable decision explains itself, once it is previewed.
    """

    optional_unmarked = True

    def __init__(
        self,
        *args: Any,
        offers: Sequence[tuple[Transition, str | Promise]],
        explanations: Mapping[str, forms.CharField] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offers, self.explanations = offers, explanations or {}
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
        self.fields["comment"].required = False  # The chosen verb decides this; see clean.
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
                Submit("decide", str(only.label) if only else _("Check your decision")),
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
        """Show what each choice does, and what to consider first: `points`, by verb."""
        field = self.fields["verb"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (each.verb, build_decision_option(each, barred, points.get(each.verb, ())))
            for each, barred in self.offers
        ]

    def add_refusal(self, refusal: ActionRefused) -> None:
        """Show why it was refused; without reasons, those are most likely what is missing."""
        self.add_error(None if self.cleaned_data["comment"] else "comment", str(refusal))

    def clean(self) -> dict[str, Any]:
        """Require the reasons that the chosen decision needs, next to the field."""
        answers = super().clean() or {}
        chosen, comment = answers.get("verb"), str(answers.get("comment", ""))
        if chosen in self.explaining and not comment.strip() and "comment" not in self.errors:
            words = self.fields["comment"].error_messages["required"]
            self.add_error("comment", forms.ValidationError(words, code="required"))
        return answers

    @property
    def transition(self) -> Transition:
        """The decision of the valid form."""
        chosen = self.cleaned_data["verb"]
        return next(each for each, _barred in self.offers if each.verb == chosen)

    @property
    def must_explain(self) -> bool:
        """Whether the decision of the valid form must be explained beyond its reasons."""
        return bool(self.explanations) and VerbKind.FAVOURABLE in self.transition.kinds


class ConfirmedDecisionForm(DecisionForm):
    """A previewed decision, with what a favourable one has to explain."""

    confirmed = forms.BooleanField(widget=forms.HiddenInput, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.explanations.items():
            self.fields[name] = field
            field.required = False  # The chosen verb decides this; see clean.

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and its input, without the fact that it was previewed."""
        left_out = {"confirmed"} if self.must_explain else {"confirmed", *self.explanations}
        return {name: said for name, said in super().step_data.items() if name not in left_out}

    def clean(self) -> dict[str, Any]:
        """Require what a favourable decision has to explain."""
        answers = super().clean() or {}
        if "verb" in answers and self.must_explain:
            for name, field in self.explanations.items():
                if not str(answers.get(name, "")).strip() and name not in self.errors:
                    words = field.error_messages["required"]
                    self.add_error(name, forms.ValidationError(words, code="required"))
        return answers


class FavourableDecisionForm(StepForm):
    """A favourable decision, with what it has to explain.

    Programs and the page of a single step use it.
    """

    def add_fields(self) -> None:
        """Ask for the explanations."""
        if isinstance(self.actor, User):
            self.fields |= build_explanation_fields(self.registration_request, self.actor)


def build_explanation_fields(
    registration_request: RegistrationRequest, expert: User
) -> dict[str, forms.CharField]:
    """Return the fields in which a favourable decision explains what is unusual about it."""
    return {
        each.name: forms.CharField(
            label=each.label,
            max_length=MAX_EXPLANATION_LENGTH,
            validators=[validate_no_control_characters],
            widget=forms.Textarea(attrs={"rows": 2}),
            error_messages={"required": each.error_text},
        )
        for each in list_explanations(registration_request, expert)
    }


def build_decision_option(
    transition: Transition, barred: str | Promise, points: tuple[str | Promise, ...]
) -> RadioOption:
    """Return a transition as a choice: what it does, what to consider, and why it is barred."""
    shown = () if barred else points
    return RadioOption(transition.label, hint=transition.consequence, points=shown, barred=barred)


CHECKLIST_FORM_ID: Final = "checklist-form"


class ChecklistForm(forms.Form):
    """Yes, No or Unsure to each question; unanswered ones can be answered later, or never."""

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
                # Each is next to the section that it asks about, outside the form element.
                widget=forms.RadioSelect(attrs={"form": CHECKLIST_FORM_ID}),
            )
        self.helper = FormHelper()
        action = reverse("review:checklist", args=[shown.registration_request.slug])
        self.helper.form_action = action
        self.helper.attrs = {
            "id": CHECKLIST_FORM_ID,
            "data-send-again": "",
            "data-hx-post": action,
            "data-hx-trigger": f"change from:[form={CHECKLIST_FORM_ID}], submit",
            "data-hx-swap": "none",
            "data-hx-sync": "this:queue last",
        }
        self.helper.layout = Layout(
            "round_number",
            StrictButton(
                gettext("Keep the answers"),
                type="submit",
                css_class="btn-sm btn-outline-secondary",
            ),
        )

    def clean(self) -> dict[str, Any]:
        """Return the round that was read, and the answers by question."""
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
    """The first and last day of an expert's absence."""

    first_day = forms.DateField(
        label=_("First day away"),
        widget=DATE_WIDGET,
        error_messages={"required": _("Enter the first day.")},
    )
    last_day = forms.DateField(
        label=_("Last day away"),
        widget=DATE_WIDGET,
        error_messages={"required": _("Enter the last day.")},
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
        """Days away end after they begin, and not in the past."""
        days = super().clean() or {}
        first, last = days.get("first_day"), days.get("last_day")
        if first and last and last < first:
            text = _("The last day is before the first.")
            self.add_error("last_day", forms.ValidationError(text, code="before_first"))
        elif last and last < timezone.localdate():
            text = _("These days are over. Choose a last day from today on.")
            self.add_error("last_day", forms.ValidationError(text, code="past"))
        return days


class ConflictOfInterestForm(forms.Form):
    """The organization that an expert has a conflict of interest with."""

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


class LeaverForm(StepForm):
    """A step by which an expert on the request can leave it, and why."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()

    def add_leaver(self, *, required: bool) -> None:
        """Ask which of the experts on the request leaves it."""
        on_it = self.registration_request.assignments.active().select_related("expert")
        leavers = {str(each.expert_id): each.expert for each in on_it}
        names = [(key, str(leaver)) for key, leaver in leavers.items()]
        self.fields["leaver"] = forms.TypedChoiceField(
            label=_("Who leaves it"),
            choices=names if required else [("", _("Nobody")), *names],
            coerce=leavers.__getitem__,
            empty_value=None,
            required=required,
        )


class RecuseForm(LeaverForm):
    """Stepping back, with or without a reason, from one request or all of its organization.

    The lead can take another off the request; `for_another` lays the form out for that.
    """

    for_good = forms.BooleanField(required=False)

    def __init__(self, *args: Any, for_another: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["for_good"].label = gettext(
            "Also for every other request of %(organization)s"
        ) % {"organization": self.registration_request.organization}
        if self.actor and permissions.may_lead(self.actor, self.registration_request):
            self.add_leaver(required=for_another)
        self.fields["comment"].required = for_another
        self.fields["comment"].widget.attrs["rows"] = 2
        self.helper.form_action = reverse("review:recuse", args=[self.registration_request.slug])
        leaver = Field("leaver", css_class="narrow--30")
        label = _("Take them off") if for_another else _("Recuse yourself")
        self.helper.layout = Layout(
            "seen",
            *((leaver, "comment") if for_another else ("comment", "for_good")),
            StrictButton(label, type="submit", css_class="btn-outline-secondary"),
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a conflict of interest in another's name."""
        answers = super().clean() or {}
        if answers.get("leaver") and answers.get("for_good"):
            text = gettext("Only they can declare a conflict of interest.")
            self.add_error("for_good", forms.ValidationError(text, code="leaver"))
        return answers

    def perform(self, actor: Person) -> Event:
        """Step back, for good if requested, or take another off."""
        assert isinstance(actor, User)
        if self.cleaned_data.get("leaver"):
            return super().perform(actor)
        return conflicts_of_interest.step_back_from_request(
            self.registration_request,
            actor,
            **{name: self.cleaned_data[name] for name in ("comment", "seen", "for_good")},
        )

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and its input, without what only oneself can declare."""
        return {name: value for name, value in super().step_data.items() if name != "for_good"}


class AssignForm(LeaverForm):
    """Whom to put on a request, and who hands it over, if somebody does.

    The standards body names anybody by mail address where no designated expert can judge.
    """

    programs_may_omit = frozenset({"expert"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.actor and may_assign_anybody(self.actor, self.registration_request):
            self.fields["expert"] = AccountField(
                label=_("Email address of their account"),
                help_text=_("A letter tells them. To review it yourself, enter your own."),
                error_messages={"required": _("Enter the email address of the person.")},
            )
            shown: Any = Field("expert", css_class="narrow--34")
            self.fields["comment"].required = True
        else:
            self.fields["expert"] = forms.TypedChoiceField(
                label=_("Who judges it"),
                choices=self.list_choices,
                coerce=self.find_expert,
                empty_value=None,
                widget=RadioOptionSelect,
                error_messages={"required": _("Choose an expert.")},
            )
            shown = ConsequenceRadios("expert")
        rows = [shown, "comment"]
        if self.registration_request.assignments.active().exists():
            self.add_leaver(required=False)
            self.fields["leaver"].label = _("Who hands it over")
            rows.insert(1, Field("leaver", css_class="narrow--30"))
        self.helper.layout = Layout(
            "seen", *rows, StrictButton(_("Assign"), type="submit", css_class="btn-primary")
        )

    @cached_property
    def experts(self) -> list[tuple[User, RadioOption]]:
        """Every expert as a choice; queried only if somebody chooses."""
        return list_expert_choices(self.registration_request)

    def list_choices(self) -> list[tuple[int, RadioOption]]:
        """Return every expert by key."""
        return [(expert.pk, option) for expert, option in self.experts]

    def find_expert(self, key: str) -> User:
        """Return the chosen expert."""
        return next(expert for expert, _option in self.experts if str(expert.pk) == key)


class AccountField(forms.EmailField):
    """The confirmed mail address of an account, which becomes the account."""

    def clean(self, value: Any) -> Any:
        """Return the account, or say that there is none."""
        address = super().clean(value)
        if not address:
            return None
        person = find_account(address)
        if person is None:
            text = gettext(
                "There is no account with the confirmed address %(address)s. Ask them to create "
                "one first."
            ) % {"address": address}
            raise forms.ValidationError(text, code="no_account")
        return person


def build_assign_form(*args: Any, **kwargs: Any) -> StepForm:
    """Return the assignment form: designated experts without the lead take it themselves."""
    actor, registration_request = kwargs["actor"], kwargs["registration_request"]
    if permissions.may_lead(actor, registration_request) or may_assign_anybody(
        actor, registration_request
    ):
        return AssignForm(*args, **kwargs)
    return StepForm(*args, **kwargs)


class AdviserForm(forms.Form):
    """Whom the lead invites to advise in public, by mail address, and what about."""

    address = forms.EmailField(
        label=_("Email address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter the address to invite.")},
    )
    comment = forms.CharField(
        label=_("What you ask them, public"),
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say what you ask them; this is public.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("address", css_class="narrow--34"),
            "comment",
            StrictButton(_("Send the invitation"), type="submit", css_class="btn-primary"),
        )


class RotaForm(StepForm):
    """Assigns the next expert on the rota; nothing is typed."""

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def perform(self, actor: Person) -> Event:
        """Assign the next expert on the rota, or refuse if none is free."""
        seen = self.cleaned_data["seen"]
        # Without a revision the person has seen nothing, and is too late.
        event = expert_assignment.assign_next_expert(
            self.registration_request, actor=actor, seen=-1 if seen is None else seen
        )
        if event is None:
            raise workflow.ActionRefused(
                gettext(
                    "The rota finds no expert: each one is away, has a stake in the request, or "
                    "was on it before. Choose by hand, or take it yourself."
                )
            )
        return event


class ExtendForm(StepForm):
    """The new date of a decision or of the end of a stay, and why it is postponed."""

    due_on = forms.DateField(
        label=_("New date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Name the new date.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        promised_by = (
            find_stay_end(self.registration_request) or self.registration_request.promised_by
        )
        self.fields["due_on"].help_text = (
            gettext("Currently promised: %(day)s.") % {"day": f"{promised_by:%-d %B %Y}"}
            if promised_by
            else ""
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout("seen", Field("due_on", css_class="narrow--16"), "comment")


EXPERT_BARRIERS: Final[dict[str, str | Promise]] = {
    "author": _("Started this request."),
    "delegate": _("Is a delegate of the organization that asks."),
    "co_editor": _("Helps to write this request."),
    "organization": _("Belongs to the organization that asks."),
    "holder": _("Has a tie to the namespace's holder."),
    "conflict": _("Declared a conflict of interest with the organization."),
    "on_it": _("Is already on this request."),
    "stepped_back": _("Stepped back from this request."),
}


def list_expert_choices(
    registration_request: RegistrationRequest,
) -> list[tuple[User, RadioOption]]:
    """Return every expert as a choice, in the order of the rota, unavailable ones last."""
    turn = (F("open_assignments"), F("last_assigned_at").asc(nulls_first=True), "pk")
    listed = list_candidates(registration_request).order_by(*turn)
    found = [(expert, build_expert_option(expert, registration_request)) for expert in listed]
    return sorted(found, key=lambda choice: bool(choice[1].barred))


def build_expert_option(expert: User, registration_request: RegistrationRequest) -> RadioOption:
    """Return one expert from `candidates` as a choice: their load, days away, and hints."""
    facts = vars(expert)
    load = ngettext(
        "%(count)d open request", "%(count)d open requests", facts["open_assignments"]
    ) % {"count": facts["open_assignments"]}
    points = conflicts_of_interest.list_conflict_hints(expert, registration_request)
    if facts["away_until"]:
        until = date_format(facts["away_until"], "j F Y")
        points = [gettext("Away until %(day)s.") % {"day": until}, *points]
    barred = EXPERT_BARRIERS.get(facts["barrier"], "")
    return RadioOption(str(expert), hint=load, points=tuple(points), barred=barred)
