"""The documents of record of a namespace, as they are typed and as they are kept."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

from registry.forms.text import PlainText

LONGEST_REFERENCE: Final = 300
MOST_REFERENCES: Final = 30


class References(PlainText):
    """Documents of record, typed one in a line and kept as a list, each once."""

    def __init__(self, *, required: bool) -> None:
        super().__init__(
            most=MOST_REFERENCES * LONGEST_REFERENCE,
            required=required,
            label=_("Documents of record"),
            help_text=_("One in a line, such as RFC 3187 or the title and address of a document."),
            widget=forms.Textarea(attrs={"rows": 4}),
            error_messages={"required": _("Name a document of record, or the registrant.")},
        )

    def prepare_value(self, value: Any) -> Any:
        """Return what is kept as it is typed."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """Return the documents, or say which line is too long."""
        typed = (" ".join(line.split()) for line in super().clean(value).split("\n"))
        found = list(dict.fromkeys(line for line in typed if line))
        if len(found) > MOST_REFERENCES:
            words = gettext("There are %(count)d documents; %(most)d is the most.")
            raise ValidationError(words % {"count": len(found), "most": MOST_REFERENCES})
        for line in found:
            if len(line) > LONGEST_REFERENCE:
                words = gettext("“%(start)s…” has more than %(most)d characters. Shorten it.")
                raise ValidationError(words % {"start": line[:40], "most": LONGEST_REFERENCE})
        return found
