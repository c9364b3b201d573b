"""What a holder says about a request: codes, and objections by letter."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.enums import Words
from registry.forms.organizations import BareForm
from registry.forms.steps import MAX_COMMENT_LENGTH
from registry.validators import validate_no_control_characters


def build_text_field(label: Words, *, help_text: Words = "", required: bool = True) -> Any:
    """Return a field for reasons, evidence or a source."""
    return forms.CharField(
        label=cast(str, label),
        help_text=cast(str, help_text),
        required=required,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say it in a few words.")},
    )


class CodeForm(BareForm):
    code = forms.CharField(
        label=_("Code from the letter"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
        error_messages={"required": _("Type the code from the letter.")},
    )


class ObjectionForm(BareForm):
    """Why the published contact objects."""

    comment = build_text_field(_("Why, public"))
