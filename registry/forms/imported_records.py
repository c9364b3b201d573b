"""The registrar's work on an imported record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.enums import GrammarKind
from registry.forms.fields import PlainTextField
from registry.models import ImportedRecord
from registry.template import Template, field as template_field
from registry.template.template import LIST_FIELDS, WORD_FIELDS

MAX_FIELD_LENGTH: Final = 200_000
FIELDS_NOT_IN_DOCUMENTS: Final = frozenset(
    {
        "counter_examples",
        "prior_use",
        "known_issues",
        "resolution_intended",
        "resolution_operator",
    }
)
"""Subfields that only this registry asks for."""
CORRECTED_FIELDS: Final = tuple(
    name for name in Template.blank().to_dict() if name not in FIELDS_NOT_IN_DOCUMENTS
)


def make_corrected_field(name: str) -> forms.Field:
    """Return the form field that corrects one field of a template."""
    label = template_field(name).label
    if name == "grammar_kind":
        choices = [("", _("none")), *GrammarKind.choices]
        return forms.ChoiceField(label=label, choices=choices, required=False)
    is_word = name in WORD_FIELDS
    return PlainTextField(
        most=MAX_FIELD_LENGTH,
        required=False,
        label=label,
        strip=is_word,
        widget=forms.TextInput() if is_word else forms.Textarea(attrs={"rows": 6}),
    )


def list_understood_texts(record: ImportedRecord) -> dict[str, str]:
    """Return the fields of a record that can be corrected, as people type them."""
    template = record.template
    return {name: template[name] for name in CORRECTED_FIELDS}


class CorrectionForm(forms.Form):
    """How a text is understood, field by field, and the reason for a correction."""

    optional_unmarked = True

    reason = PlainTextField(
        most=1_000,
        label=_("Why should it be read differently?"),
        help_text=_("Public, with your name."),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say why; it is shown with the record.")},
    )

    def __init__(self, data: Any = None, *, record: ImportedRecord) -> None:
        super().__init__(data, initial=list_understood_texts(record))
        self.record = record
        reason = self.fields.pop("reason")
        self.fields.update({name: make_corrected_field(name) for name in CORRECTED_FIELDS})
        self.fields["reason"] = reason

    @property
    def changes(self) -> Mapping[str, object]:
        """The corrected fields."""
        return {
            name: self.cleaned_data[name].split("\n")
            if name in LIST_FIELDS
            else self.cleaned_data[name]
            for name in CORRECTED_FIELDS
            if name in self.cleaned_data
        }

    @property
    def helper(self) -> FormHelper:
        """The layout: fields only, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = Layout(
            *(
                Field(name, css_class="mono" if name in ("grammar", "examples") else "")
                for name in self.fields
            )
        )
        return helper


class ConfirmContactForm(forms.Form):
    """How an address was found to be in use."""

    address = forms.EmailField(widget=forms.HiddenInput)
    source = PlainTextField(
        most=300,
        label=_("How was it confirmed?"),
        widget=forms.TextInput,
        error_messages={"required": _("Say how you confirmed that the address is in use.")},
    )
