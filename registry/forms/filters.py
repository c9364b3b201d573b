"""How the list of namespaces is narrowed down and put in order."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.validators import RegexValidator
from django.db.models import Count, F, Q, Value
from django.db.models.functions import NullIf
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django_filters.filters import CharFilter, ChoiceFilter, MultipleChoiceFilter
from django_filters.filterset import FilterSet

from registry import queries
from registry.forms.filter_form import CHOICES, NamespaceFilterForm, Words
from registry.models import Namespace
from registry.models.namespace import NamespaceQuerySet
from registry.validators import validate_no_control_characters

REGISTERED = NullIf("registered_on", Value(""))
ORDERS = {
    "nid": (F("nid").asc(),),
    "-nid": (F("nid").desc(),),
    "registrant": (F("registrant__name").asc(nulls_last=True), "nid"),
    "-registrant": (F("registrant__name").desc(nulls_last=True), "nid"),
    "registered": (REGISTERED.asc(nulls_last=True), "nid"),
    "-registered": (REGISTERED.desc(nulls_last=True), "nid"),
}
HOLDING = {"text": Q(version__isnull=False), "revision": Q(is_being_revised=True)}
YEAR = RegexValidator(
    r"\A(19|20)[0-9]{2}\Z",
    _("“%(value)s” is not a year. Write four digits, such as 2008."),
)


def checkboxes(name: str, label: Words, method: str | None = None) -> Any:
    """Return a filter that lets several of the choices called `name` through."""
    return MultipleChoiceFilter(
        choices=CHOICES[name],
        label=label,
        method=method,
        distinct=False,
        widget=forms.CheckboxSelectMultiple,
    )


def year(label: Words, method: str) -> Any:
    """Return a filter by the year of registration."""
    widget = forms.TextInput(attrs={"inputmode": "numeric", "class": "form-control-sm"})
    return CharFilter(label=label, method=method, validators=[YEAR], widget=widget)


class NamespaceFilter(FilterSet):
    """The filters of the list of namespaces: what is wrong with one leaves the others at work."""

    q = CharFilter(
        label=_("Words, organization or reference"),
        method="with_words",
        max_length=200,
        validators=[validate_no_control_characters],
        widget=forms.TextInput(attrs={"placeholder": _("library, RFC 8141")}),
    )
    kind = checkboxes("kind", _("Kind"))
    status = checkboxes("status", _("Status"))
    has = checkboxes("has", _("Has"), "holding")
    since = year(_("From year"), "registered_since")
    until = year(_("To year"), "registered_until")
    sort = ChoiceFilter(
        choices=[(order, order) for order in ORDERS], method="in_order", widget=forms.HiddenInput
    )

    class Meta:
        model = Namespace
        form = NamespaceFilterForm
        fields: ClassVar[list[str]] = []

    def __init__(self, asked: QueryDict) -> None:
        FilterSet.__init__(self, asked, queries.listed())
        # What was typed is checked now: the counts ask for it before the list does.
        self.form.is_valid()

    def with_words(self, found: NamespaceQuerySet, name: str, words: str) -> NamespaceQuerySet:
        """Keep those in whose facts every word occurs."""
        return found.search(words)

    def holding(self, found: NamespaceQuerySet, name: str, held: list[str]) -> NamespaceQuerySet:
        """Keep those that have all that is asked for."""
        for value in held:
            found = found.filter(HOLDING[value])
        return found

    def registered_since(self, found: NamespaceQuerySet, name: str, year: str) -> NamespaceQuerySet:
        """Keep those registered in `year` or later; dates are written year first."""
        return found.filter(registered_on__gte=year)

    def registered_until(self, found: NamespaceQuerySet, name: str, year: str) -> NamespaceQuerySet:
        """Keep those registered in `year` or before; a date not known is neither."""
        return found.exclude(registered_on="").filter(registered_on__lt=str(int(year) + 1))

    def in_order(self, found: NamespaceQuerySet, name: str, order: str) -> NamespaceQuerySet:
        """Sort; what is not known comes last either way."""
        return found.order_by(*ORDERS[order])

    @property
    def order(self) -> str:
        """By what the list is sorted."""
        return str(self.form.cleaned_data.get("sort") or "nid")

    def counts(self) -> dict[str, dict[str, int]]:
        """Return how many each choice would leave, the other filters being as they are."""
        held = {value: Count("pk", filter=query) for value, query in HOLDING.items()}
        return {
            "kind": self.tally("kind"),
            "status": self.tally("status"),
            "has": self.but_for("has").aggregate(**held),
        }

    def tally(self, column: str) -> dict[str, int]:
        """Return how many there are of each value of `column`."""
        rows = self.but_for(column).order_by().values_list(column).annotate(Count("pk"))
        return dict(rows)

    def but_for(self, left_out: str) -> NamespaceQuerySet:
        """Return what all filters but one would leave."""
        found: NamespaceQuerySet = self.queryset.all()
        for name, value in self.form.chosen.items():
            if name != left_out:
                found = self.filters[name].filter(found, value)
        return found
