"""What an organization says of itself to be recognised for the fast track."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from registry.forms.text import PlainText

LONGEST: Final = 5_000
WHAT_IT_IS: Final = _(
    "Which standards organization, scientific society or similar body, and where that can be read. "
    "The standards body is asked, and publishes its answer with what you write here. It may be "
    "pending while you write and get advice, and is needed when you ask for registration. "
    "RFC 8141, section 6.3."
)


def statement_field(label: Any, help_text: Any = "", *, required: bool = False) -> PlainText:
    """Return the field that asks which kind of body it is."""
    return PlainText(
        most=LONGEST,
        required=required,
        label=label,
        help_text=format_lazy("{} {}", WHAT_IT_IS, help_text),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say what kind of body it is.")},
    )


class StatementForm(forms.Form):
    """Asking for recognition by itself, as for a request that is to change its path."""

    statement = statement_field(_("What kind of body it is"), required=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout("statement", Submit("ask", _("Ask for recognition")))
