"""Filters of lists, and the search box."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Literal
from urllib.parse import urlencode

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Fieldset, Layout
from django import forms
from django.core.validators import RegexValidator
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import NullIf
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy as _
from django_filters.filters import (
    CharFilter,
    ChoiceFilter,
    ModelChoiceFilter,
    MultipleChoiceFilter,
)
from django_filters.filterset import FilterSet

from registry import search, selectors
from registry.enums import (
    END_STATES,
    LIVE_STATES,
    ChangeKind,
    NamespaceKind,
    NamespaceStatus,
    RequestPath,
    State,
    Turn,
)
from registry.models import Namespace, RegistrationRequest, SearchDocument
from registry.models.namespace import NamespaceQuerySet
from registry.models.request import RequestQuerySet
from registry.selectors.namespace_facets import (
    HOLDING_CONDITIONS,
    NamespaceFacets,
    count_namespace_facets,
)
from registry.selectors.request_clock import list_requests_of_turn
from registry.urn import nid as nids
from registry.urn.syntax import NID
from registry.validators import validate_no_control_characters

FilterLabel = str | Promise

NAMESPACE_FILTER_CHOICES: Final[dict[str, Iterable[tuple[str, FilterLabel]]]] = {
    "kind": NamespaceKind.choices,
    "status": NamespaceStatus.choices,
    "has": (
        ("text", _("Template on file")),
        ("syntax", _("Machine-checked syntax")),
        ("resolves", _("Resolves")),
        ("revision", _("Being revised")),
    ),
}


class CollapsibleFields(Div):
    """Fields that narrow pages fold behind one line with the number of those set."""

    template = "namespaces/collapsible_fields.html"

    def __init__(self, *fields: Any, chosen: int, **kwargs: Any) -> None:
        Div.__init__(self, *fields, **kwargs)
        self.chosen = chosen


class NamespaceFilterForm(forms.Form):
    """The filters as a form: validation across fields, and the layout."""

    optional_unmarked = True
    summary_above = True

    def clean(self) -> dict[str, Any]:
        """Refuse a range of years that ends before it begins."""
        years = self.cleaned_data
        since, until = years.get("since"), years.get("until")
        if since and until and until < since:
            error = forms.ValidationError(
                gettext("%(until)s is before %(since)s. Swap the two years."),
                code="order",
                params={"since": since, "until": until},
            )
            self.add_error("until", error)
        return years

    @property
    def chosen(self) -> dict[str, Any]:
        """The valid filters that are set, by name."""
        cleaned = self.cleaned_data.items()
        return {name: value for name, value in cleaned if value and name != "sort"}

    @property
    def words(self) -> list[str]:
        """The filters that are set, in the words of the line above the list."""
        spoken = []
        for name, value in self.chosen.items():
            if name in NAMESPACE_FILTER_CHOICES:
                spoken += [
                    str(label)
                    for choice, label in NAMESPACE_FILTER_CHOICES[name]
                    if choice in value
                ]
            elif name == "q":
                spoken.append(gettext("“%s”") % value)
            else:
                spoken.append(f"{self.fields[name].label} {value}".lower())
        return spoken

    def say_counts(self, counts: dict[str, dict[str, int]]) -> None:
        """Show next to each choice how many namespaces it would leave."""
        for name, numbers in counts.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [
                (value, format_html('{} <span class="n">{}</span>', label, numbers.get(value, 0)))
                for value, label in NAMESPACE_FILTER_CHOICES[name]
            ]

    @property
    def helper(self) -> FormHelper:
        """The layout: words first, and the rest folded on narrow pages."""
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_action = reverse("namespaces:index")
        helper.form_class = "filters sticky"
        helper.attrs = {"aria-label": gettext("Filter the list")}
        years = Div("since", "until", css_class="filters__years")
        helper.layout = Layout(
            "sort",
            "registrant",
            "nid",
            Field("q", css_class="form-control-sm"),
            CollapsibleFields(
                "kind",
                "status",
                "has",
                Fieldset(gettext("Registered"), years),
                chosen=len(self.words),
            ),
        )
        return helper


REGISTRATION_DATE = NullIf("registered_on", Value(""))
NAMESPACE_FILTER_ORDERS = {
    "nid": (F("nid").asc(),),
    "-nid": (F("nid").desc(),),
    "registrant": (F("registrant__name").asc(nulls_last=True), "nid"),
    "-registrant": (F("registrant__name").desc(nulls_last=True), "nid"),
    "registered": (REGISTRATION_DATE.asc(nulls_last=True), "nid"),
    "-registered": (REGISTRATION_DATE.desc(nulls_last=True), "nid"),
}
YEAR_VALIDATOR = RegexValidator(
    r"\A(19|20)[0-9]{2}\Z",
    _("“%(value)s” is not a year. Write four digits, such as 2008."),
)


def build_checkbox_filter(name: str, label: FilterLabel, method: str | None = None) -> Any:
    """Return a filter that accepts several of the choices called `name`."""
    return MultipleChoiceFilter(
        choices=NAMESPACE_FILTER_CHOICES[name],
        label=label,
        method=method,
        distinct=False,
        widget=forms.CheckboxSelectMultiple,
    )


def build_year_filter(label: FilterLabel, method: str) -> Any:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "class": "form-control-sm"})
    return CharFilter(label=label, method=method, validators=[YEAR_VALIDATOR], widget=widget)


class NamespaceFilter(FilterSet):
    """The filters of the list of namespaces; an invalid one does not disable the others."""

    q = CharFilter(
        label=_("Words, organization or reference"),
        method="with_words",
        max_length=200,
        validators=[validate_no_control_characters],
        widget=forms.TextInput(attrs={"placeholder": _("library, RFC 8141")}),
    )
    kind = build_checkbox_filter("kind", _("Kind"))
    status = build_checkbox_filter("status", _("Status"))
    has = build_checkbox_filter("has", _("Has"), "holding")
    since = build_year_filter(_("From year"), "registered_since")
    until = build_year_filter(_("To year"), "registered_until")
    registrant = ModelChoiceFilter(
        label=_("Registrant"),
        queryset=lambda _request: selectors.public_organizations(),
        widget=forms.HiddenInput,
    )
    nid = CharFilter(
        label=_("Identifiers"), method="among", max_length=4_000, widget=forms.HiddenInput
    )
    sort = ChoiceFilter(
        choices=[(order, order) for order in NAMESPACE_FILTER_ORDERS],
        method="in_order",
        widget=forms.HiddenInput,
    )

    class Meta:
        model = Namespace
        form = NamespaceFilterForm
        fields: ClassVar[list[str]] = []

    def __init__(self, asked: QueryDict) -> None:
        FilterSet.__init__(self, asked, selectors.namespaces_for_filters())
        self.found_by_words: dict[str, QuerySet[SearchDocument, str]] = {}
        # Validate now: the counts need the input before the list does.
        self.form.is_valid()

    def with_words(self, found: NamespaceQuerySet, name: str, words: str) -> NamespaceQuerySet:
        """Keep namespaces whose facts contain every word, and those that search finds."""
        # Query the index first: only namespaces it does not find need their facts read.
        return found.filter(
            Q(nid__in=self.find_nids(words))
            | Q(pk__in=Namespace.objects.search(words).order_by().values("pk"))
        )

    def find_nids(self, words: str) -> QuerySet[SearchDocument, str]:
        """Return the NIDs that search finds, looked up once for all counts."""
        if words not in self.found_by_words:
            self.found_by_words[words] = search.find_namespace_keys(words)
        return self.found_by_words[words]

    def among(self, found: NamespaceQuerySet, name: str, listed: str) -> NamespaceQuerySet:
        """Keep those listed, separated by commas; unknown ones are ignored."""
        wanted = {nids.canonical(each.strip()) for each in listed.split(",")}
        return found.filter(nid__in=wanted)

    def holding(self, found: NamespaceQuerySet, name: str, held: list[str]) -> NamespaceQuerySet:
        """Keep those that have everything selected."""
        for value in held:
            found = found.filter(HOLDING_CONDITIONS[value])
        return found

    def registered_since(self, found: NamespaceQuerySet, name: str, year: str) -> NamespaceQuerySet:
        """Keep those registered in `year` or later; dates are stored year first."""
        return found.filter(registered_on__gte=year)

    def registered_until(self, found: NamespaceQuerySet, name: str, year: str) -> NamespaceQuerySet:
        """Keep those registered in `year` or before; unknown dates match neither filter."""
        return found.exclude(registered_on="").filter(registered_on__lt=str(int(year) + 1))

    def in_order(self, found: NamespaceQuerySet, name: str, order: str) -> NamespaceQuerySet:
        """Sort, with unknown values always last."""
        return found.order_by(*NAMESPACE_FILTER_ORDERS[order])

    @property
    def order(self) -> str:
        """The sort order of the list."""
        return str(self.form.cleaned_data.get("sort") or "nid")

    @cached_property
    def facets(self) -> NamespaceFacets:
        """How many namespaces the list has, and how many each choice would leave."""
        chosen, found = self.form.chosen, self.queryset.all()
        for name, value in chosen.items():
            if name not in NAMESPACE_FILTER_CHOICES:
                found = self.filters[name].filter(found, value)
        return count_namespace_facets(found, chosen)


OPEN_REQUESTS = "open"
STATE_FILTER_CHOICES = [
    (OPEN_REQUESTS, _("Open")),
    *[(state.value, state.label) for state in State if state != State.DRAFT],
]
TURN_FILTER_CHOICES = [(turn.value, turn.label) for turn in Turn if turn != Turn.NOBODY]


class RequestFilterForm(forms.Form):
    """Every field may be left out."""

    optional_unmarked = True


class RequestFilter(FilterSet):
    """The filters of the list of requests; unknown values are ignored."""

    state = ChoiceFilter(
        label=_("State"),
        choices=STATE_FILTER_CHOICES,
        method="in_state",
        empty_label=_("Any state"),
    )
    change = ChoiceFilter(
        label=_("Asks for"), choices=ChangeKind.choices, empty_label=_("Anything")
    )
    path = ChoiceFilter(label=_("Path"), choices=RequestPath.choices, empty_label=_("Any path"))
    turn = ChoiceFilter(
        label=_("Waiting for"),
        choices=TURN_FILTER_CHOICES,
        method="of_turn",
        empty_label=_("Anybody"),
    )

    class Meta:
        model = RegistrationRequest
        form = RequestFilterForm
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        FilterSet.__init__(self, *args, **kwargs)

    def in_state(self, found: RequestQuerySet, name: str, state: str) -> RequestQuerySet:
        """Keep those in one state, or all that have not ended."""
        return (
            found.filter(state__in=LIVE_STATES)
            if state == OPEN_REQUESTS
            else found.filter(state=state)
        )

    def of_turn(self, found: RequestQuerySet, name: str, turn: str) -> RequestQuerySet:
        """Keep those whose turn it is somebody's today."""
        if turn == Turn.NOBODY:
            return found.filter(state__in=END_STATES)
        return found.filter(pk__in=list_requests_of_turn(found.order_by(), Turn(turn)))

    @property
    def helper(self) -> FormHelper:
        """The layout: fields only, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper


MAX_SEARCH_LENGTH: Final = 2_000
_BARE_NID_PATTERN: Final = re.compile(rf"(?:([Uu][Rr][Nn]:)({NID}):?|({NID}))")


class SearchBoxForm(forms.Form):
    """A NID, a URN or words; a URN may contain anything, since its page says what is wrong."""

    q = forms.CharField(
        label=_("A namespace identifier, a full URN, or words"),
        max_length=MAX_SEARCH_LENGTH,
        required=False,
        error_messages={
            "max_length": _(
                "That is %(show_value)d characters; the limit is %(limit_value)d. Try a shorter "
                "search."
            )
        },
    )

    def clean_q(self) -> str:
        """Refuse control characters in words, where they would find nothing."""
        typed: str = self.cleaned_data["q"]
        if not is_meant_as_urn(typed):
            validate_no_control_characters(typed)
        return typed


@dataclass(frozen=True, slots=True)
class SearchInterpretation:
    """What a text in the search box is taken for; a NID is in lower case."""

    kind: Literal["nothing", "nid", "urn", "words"]
    text: str

    @property
    def url(self) -> str:
        """The page that looks it up."""
        if self.kind == "nid":
            return reverse("namespaces:detail", args=[self.text])
        if self.kind == "urn":
            return inspect_url(self.text)
        if self.kind == "words":
            return f"{reverse('home:find')}?{urlencode({'q': self.text}, errors='replace')}"
        return reverse("home:index")


def interpret_search(typed: str) -> SearchInterpretation:
    """Distinguish NID, URN and words; without `urn:` only a registered NID counts as one."""
    text = typed.strip()
    alone = _BARE_NID_PATTERN.fullmatch(text)
    if alone:
        nid = nids.canonical(alone[2] or alone[3])
        if alone[1] or Namespace.objects.filter(nid=nid).exists():
            return SearchInterpretation("nid", nid)
    if is_meant_as_urn(text):
        return SearchInterpretation("urn", text)
    return SearchInterpretation("words" if text else "nothing", text)


def is_meant_as_urn(text: str) -> bool:
    """Whether `text` is meant as a URN, valid or not."""
    return text.lstrip()[:4].lower() == "urn:"


def inspect_url(text: str) -> str:
    """Return the page that inspects `text` as a URN; all such links are made here."""
    return f"{reverse('inspect:index')}?{urlencode({'urn': text}, errors='replace')}"


def resolve_url(text: str, service: str = "") -> str:
    """Return the address at which the URN `text` is resolved, safe for use in a link.

    After `/resolve/` it would be verbatim, and browsers would resolve segments such as `..` in it.
    """
    asked = {"urn": text} | ({"s": service} if service else {})
    return f"{reverse('resolve:index')}?{urlencode(asked, errors='replace')}"
