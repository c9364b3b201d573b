"""How the list of requests is narrowed down."""

from __future__ import annotations

from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from django import forms
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _
from django_filters.filters import ChoiceFilter
from django_filters.filterset import FilterSet

from registry.choices import LIVE, TURNS, Change, Path, State, Turn
from registry.models import Assignment, RegistrationRequest
from registry.models.request import RequestQuerySet

OPEN = "open"
STATES = [
    (OPEN, _("Open")),
    *[(state.value, state.label) for state in State if state != State.DRAFT],
]
TURN_CHOICES = [(turn.value, turn.label) for turn in Turn if turn != Turn.NOBODY]


class RequestFilterForm(forms.Form):
    """Every part of the filter may be left out."""

    optional_unmarked = True


class RequestFilter(FilterSet):
    """The filters of the list of requests; one with an unknown value is left out."""

    state = ChoiceFilter(
        label=_("State"), choices=STATES, method="in_state", empty_label=_("Any state")
    )
    change = ChoiceFilter(label=_("Asks for"), choices=Change.choices, empty_label=_("Anything"))
    path = ChoiceFilter(label=_("Path"), choices=Path.choices, empty_label=_("Any path"))
    turn = ChoiceFilter(
        label=_("Waiting for"), choices=TURN_CHOICES, method="of_turn", empty_label=_("Anybody")
    )

    class Meta:
        model = RegistrationRequest
        form = RequestFilterForm
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        FilterSet.__init__(self, *args, **kwargs)

    def in_state(self, found: RequestQuerySet, name: str, state: str) -> RequestQuerySet:
        """Keep those in one state, or all that have not come to an end."""
        return found.filter(state__in=LIVE) if state == OPEN else found.filter(state=state)

    def of_turn(self, found: RequestQuerySet, name: str, turn: str) -> RequestQuerySet:
        """Keep those that wait for somebody; a review that nobody judges waits for the lead."""
        if turn not in {Turn.EXPERTS, Turn.LEAD}:
            return found.filter(state__in=[state for state in State if TURNS[state] == turn])
        judged = Assignment.objects.undecided().filter(registration_request=OuterRef("pk"))
        is_judged = Exists(judged) if turn == Turn.EXPERTS else ~Exists(judged)
        return found.filter(is_judged, state=State.IN_REVIEW)

    @property
    def helper(self) -> FormHelper:
        """How the filter is drawn: fields alone, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper
