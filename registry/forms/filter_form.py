"""The filters of the list of namespaces as a form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Fieldset, Layout
from django import forms
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy

from registry.choices import Kind, Status

Words = str | Promise

CHOICES: Final[dict[str, Iterable[tuple[str, Words]]]] = {
    "kind": Kind.choices,
    "status": Status.choices,
    "has": (
        ("text", gettext_lazy("Template on file")),
        ("revision", gettext_lazy("Being revised")),
    ),
}


class Fold(Div):
    """Fields behind one line that says how many are set, on narrow pages."""

    template = "namespaces/fold.html"

    def __init__(self, *fields: Any, chosen: int, **kwargs: Any) -> None:
        Div.__init__(self, *fields, **kwargs)
        self.chosen = chosen


class NamespaceFilterForm(forms.Form):
    """The filters as a form: what concerns two fields at once, and how it is drawn."""

    optional_unmarked = True
    summary_above = True

    def clean(self) -> dict[str, Any]:
        """Refuse a span of years that ends before it begins."""
        years = self.cleaned_data
        since, until = years.get("since"), years.get("until")
        if since and until and until < since:
            said = _("%(until)s is before %(since)s. Exchange the two years.")
            self.add_error("until", said % {"since": since, "until": until})
        return years

    @property
    def chosen(self) -> dict[str, Any]:
        """The filters that are set, and well, by name."""
        cleaned = self.cleaned_data.items()
        return {name: value for name, value in cleaned if value and name != "sort"}

    @property
    def words(self) -> list[str]:
        """The filters that are set, as the line above the list names them."""
        spoken = []
        for name, value in self.chosen.items():
            if name in CHOICES:
                spoken += [str(label) for choice, label in CHOICES[name] if choice in value]
            elif name == "q":
                spoken.append(_("“%s”") % value)
            else:
                spoken.append(f"{self.fields[name].label} {value}".lower())
        return spoken

    def say_counts(self, counts: dict[str, dict[str, int]]) -> None:
        """Write behind each choice how many namespaces it would leave."""
        for name, numbers in counts.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [
                (value, format_html('{} <span class="n">{}</span>', label, numbers.get(value, 0)))
                for value, label in CHOICES[name]
            ]

    @property
    def helper(self) -> FormHelper:
        """How crispy-forms draws it: words first, the rest behind a fold on narrow pages."""
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_action = reverse("namespaces:index")
        helper.form_class = "filters sticky"
        helper.attrs = {"aria-label": _("Filter the list")}
        years = Div("since", "until", css_class="filters__years")
        helper.layout = Layout(
            "sort",
            Field("q", css_class="form-control-sm"),
            Fold("kind", "status", "has", Fieldset(_("Registered"), years), chosen=len(self.words)),
        )
        return helper
