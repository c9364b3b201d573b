"""How experts come to a request, hand it over and step back, and how its date is put off."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.db.models import F
from django.urls import reverse
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from registry import permissions, workflow
from registry.actions import conflicts_of_interest, expert_assignment
from registry.forms.fields import ConsequenceRadios, RadioOption, RadioOptionSelect
from registry.forms.steps import StepForm
from registry.models import Event, RegistrationRequest, User
from registry.permissions import Person
from registry.selectors.experts import list_candidates


class RecuseForm(StepForm):
    """Stepping back, with a reason or without, from one request or all of its organization."""

    for_good = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["for_good"].label = gettext(
            "Also for every other request of %(organization)s"
        ) % {"organization": self.registration_request.organization}
        self.fields["comment"].widget.attrs["rows"] = 2
        self.helper = FormHelper()
        self.helper.form_action = reverse("review:recuse", args=[self.registration_request.slug])
        self.helper.layout = Layout(
            "seen",
            "comment",
            "for_good",
            StrictButton(_("Recuse yourself"), type="submit", css_class="btn-outline-secondary"),
        )

    def perform(self, actor: Person) -> Event:
        """Step back, for good if that is asked."""
        assert isinstance(actor, User)
        return conflicts_of_interest.step_back_from_request(
            self.registration_request, actor, **self.cleaned_data
        )


class ExpertForm(StepForm):
    """Which expert is put on a request; those who cannot judge it are shown with the reason."""

    programs_may_omit = frozenset({"expert"})
    button = _("Put on the request")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["expert"] = forms.TypedChoiceField(
            label=_("Who judges it"),
            choices=self.list_choices,
            coerce=self.find_expert,
            empty_value=None,
            widget=RadioOptionSelect,
            error_messages={"required": _("Choose an expert.")},
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen", *self.rows(), StrictButton(self.button, type="submit", css_class="btn-primary")
        )

    @cached_property
    def experts(self) -> list[tuple[User, RadioOption]]:
        """Every expert as a choice; asked of the database only where somebody chooses."""
        return list_expert_choices(self.registration_request)

    def list_choices(self) -> list[tuple[int, RadioOption]]:
        """Return every expert by their key."""
        return [(expert.pk, option) for expert, option in self.experts]

    def find_expert(self, key: str) -> User:
        """Return the expert who was chosen."""
        return next(expert for expert, _option in self.experts if str(expert.pk) == key)

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (ConsequenceRadios("expert"),)


def build_assign_form(*args: Any, **kwargs: Any) -> StepForm:
    """Return the form that puts an expert on: the lead names whom, others come themselves."""
    if permissions.may_lead(kwargs["actor"], kwargs["registration_request"]):
        return ExpertForm(*args, **kwargs)
    return StepForm(*args, **kwargs)


class RotaForm(StepForm):
    """Puts on the request whose turn it is; nothing is typed."""

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def perform(self, actor: Person) -> Event:
        """Put the next expert of the rota on the request, and refuse where nobody is free."""
        seen = self.cleaned_data["seen"]
        # Who does not say what they saw has seen nothing, and comes too late.
        event = expert_assignment.assign_next_expert(
            self.registration_request, actor=actor, seen=-1 if seen is None else seen
        )
        if event is None:
            raise workflow.ActionRefused(
                gettext(
                    "The rota finds nobody: every designated expert is away, has a stake in the "
                    "request, or was on it already. Choose by hand, or take it yourself."
                )
            )
        return event


class HandOverForm(ExpertForm):
    """Who leaves a request, who comes to it, and why."""

    programs_may_omit = frozenset()
    button = _("Hand over")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        on_it = self.registration_request.assignments.active().select_related("expert")
        leavers = {str(each.expert_id): each.expert for each in on_it}
        self.fields["leaver"] = forms.TypedChoiceField(
            label=_("Who leaves it"),
            choices=[(leaver.pk, str(leaver)) for leaver in leavers.values()],
            coerce=leavers.__getitem__,
            empty_value=None,
        )
        self.fields["expert"].label = _("Who comes to it")

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (Field("leaver", css_class="narrow--30"), ConsequenceRadios("expert"), "comment")


class ExtendForm(StepForm):
    """Until when a decision is put off, and why."""

    due_on = forms.DateField(
        label=_("New date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Name the new date.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        promised_by = self.registration_request.promised_by
        self.fields["due_on"].help_text = (
            gettext("Promised so far: %(day)s.") % {"day": f"{promised_by:%-d %B %Y}"}
            if promised_by
            else ""
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen",
            Field("due_on", css_class="narrow--16"),
            "comment",
            StrictButton(_("Extend the date"), type="submit", css_class="btn-primary"),
        )


EXPERT_BARRIERS: Final[dict[str, str | Promise]] = {
    "author": _("Started this request."),
    "delegate": _("Is a delegate of the organization that asks."),
    "co_editor": _("Helps to write this request."),
    "organization": _("Belongs to the organization that asks."),
    "conflict": _("Declared a conflict of interest with the organization."),
    "on_it": _("Is on this request already."),
    "stepped_back": _("Stepped back from this request."),
}


def list_expert_choices(
    registration_request: RegistrationRequest,
) -> list[tuple[User, RadioOption]]:
    """Return every expert as a choice, in the order of the rota, those who cannot come last."""
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
