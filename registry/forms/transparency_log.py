"""Heads of the transparency log that people kept and want to check."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

from registry.forms.fields import PlainTextField
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MalformedText
from registry.transparency.notes import Note
from registry.transparency.proof_files import HEADER, LogProof

MAX_HEAD_LENGTH: Final = 4_000
"""The address of the response contains the head, and must fit into a request line."""


class EarlierHeadForm(forms.Form):
    """A signed head of the log, or a proof that contains one."""

    optional_unmarked = True

    head = PlainTextField(
        most=MAX_HEAD_LENGTH,
        label=_("The head that you kept"),
        help_text=_(
            "All of it, from the name of the log in the first line to the signatures, which "
            "begin with a dash. You can also paste a proof file."
        ),
        widget=forms.Textarea(
            attrs={"rows": 7, "spellcheck": "false", "autocapitalize": "off", "wrap": "off"}
        ),
        error_messages={"required": _("Paste the head that you kept.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.layout = Layout(
            Field("head", css_class="mono"),
            StrictButton(_("Compare with the log now"), type="submit", css_class="btn-primary"),
        )

    def clean_head(self) -> Note:
        """Return the signed note; refuse a text that is none, or that has no head."""
        octets = f"{self.cleaned_data['head']}\n".encode("utf-8", "surrogatepass")
        try:
            is_proof = octets.startswith(HEADER.encode())
            note = LogProof.parse(octets).note if is_proof else Note.parse(octets)
            Checkpoint.of(note)
        except MalformedText as error:
            raise ValidationError(
                gettext(
                    "This is not a signed head. %(why)s Paste it as you kept it, with its empty "
                    "line and the signatures below."
                ),
                code="invalid",
                params={"why": error},
            ) from None
        return note
