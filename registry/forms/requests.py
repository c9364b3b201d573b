"""How the list of requests is narrowed down."""

from __future__ import annotations

from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext_lazy as _
from django_filters.filters import ChoiceFilter
from django_filters.filterset import FilterSet

from registry.choices import LIVE, Change, Path, State
from registry.models import RegistrationRequest
from registry.models.request import RequestQuerySet

OPEN = "open"
STATES = [
    (OPEN, _("Open")),
    *[(state.value, state.label) for state in State if state != State.DRAFT],
]


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

    class Meta:
        model = RegistrationRequest
        form = RequestFilterForm
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        FilterSet.__init__(self, *args, **kwargs)

    def in_state(self, found: RequestQuerySet, name: str, state: str) -> RequestQuerySet:
        """Keep those in one state, or all that have not come to an end."""
        return found.filter(state__in=LIVE) if state == OPEN else found.filter(state=state)

    @property
    def helper(self) -> FormHelper:
        """How the filter is drawn: fields alone, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper
