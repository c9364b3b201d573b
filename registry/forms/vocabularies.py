"""What is typed about entries of the two registries of draft -03, section 9.2."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.choices import DesignatorStatus, KeywordScope
from registry.forms.services import PLAIN
from registry.forms.text import PlainText
from registry.services.vocabularies import DESIGNATORS, KEYWORDS, Vocabulary
from registry.urn import nid as nids


class EntryForm(forms.Form):
    """An entry of one of the registries of draft -03, section 9.2; a new one, or one changed."""

    vocabulary: Vocabulary

    ground = PlainText(
        most=200,
        label=_("What does the change rest on?"),
        help_text=_("A document, and who decided. Public."),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document on which the change rests.")},
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, key: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key = key
        # A word never changes into another, and what is new rests on its own reference.
        del self.fields[self.vocabulary.key if key else "ground"]

    @property
    def word(self) -> str:
        """The word that is entered or changed."""
        return self.key or str(self.cleaned_data[self.vocabulary.key])

    @property
    def said(self) -> dict[str, Any]:
        """What is said of it, for the acts."""
        return {name: self.cleaned_data[name] for name in self.vocabulary.columns}

    def clean(self) -> dict[str, Any]:
        """Say what the draft does not allow beside the field that says it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            for name, words in self.vocabulary.faults(self.word, self.said).items():
                self.add_error(name if name in self.fields else None, words)
        return cleaned


class KeywordForm(EntryForm):
    """An entry of the registry of query keywords (section 9.2.1)."""

    vocabulary = KEYWORDS

    keyword = PlainText(
        most=40,
        label=_("Keyword"),
        widget=forms.TextInput(attrs=PLAIN),
        error_messages={"required": _("Type the keyword.")},
    )
    purpose = PlainText(most=120, label=_("Purpose"), widget=forms.TextInput)
    scope = forms.ChoiceField(label=_("Scope"), choices=KeywordScope.choices)
    reference = PlainText(
        most=200,
        label=_("Defining document"),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document on which the entry rests.")},
    )
    supported_by = PlainText(
        most=4_000,
        required=False,
        label=_("Supported by"),
        help_text=_("One on each line: a NID, a blank, and the reference."),
        widget=forms.Textarea(attrs={"rows": 3, **PLAIN}),
    )
    field_order = ["keyword", "purpose", "scope", "reference", "supported_by", "ground"]

    def clean_supported_by(self) -> list[list[str]]:
        """Return pairs of a NID and a reference; refuse lines that are none."""
        lines = str(self.cleaned_data["supported_by"]).split("\n")
        pairs = [line.split(maxsplit=1) for line in lines if line.strip()]
        for number, pair in enumerate(pairs, start=1):
            if len(pair) != 2:
                raise forms.ValidationError(
                    gettext("Line %(number)d: write a NID, a blank, and a reference.")
                    % {"number": number}
                )
        return [[nids.canonical(nid), reference.strip()] for nid, reference in pairs]


class DesignatorForm(EntryForm):
    """An entry of the registry of resolution service designators (section 9.2.2)."""

    vocabulary = DESIGNATORS

    name = PlainText(
        most=20,
        label=_("Name"),
        widget=forms.TextInput(attrs=PLAIN),
        error_messages={"required": _("Type the name of the service.")},
    )
    purpose = PlainText(most=120, label=_("Purpose"), widget=forms.TextInput)
    status = forms.ChoiceField(label=_("Status"), choices=DesignatorStatus.choices)
    reference = PlainText(
        most=200,
        label=_("Reference"),
        help_text=_("For “Standard” and “Experimental”, the RFC."),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document on which the entry rests.")},
    )
    field_order = ["name", "purpose", "status", "reference", "ground"]
