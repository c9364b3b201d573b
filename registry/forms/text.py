"""Fields for text that is kept as it was typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import BaseValidator
from django.utils.translation import gettext_lazy as _

from registry.validators import validate_name, validate_no_control_characters

BLANKS: Final = re.compile(r"[ \t]+")


class AtMost(BaseValidator):
    """Refuses more text than a field keeps, and says where the limit is reached."""

    def __call__(self, value: str) -> None:
        """Raise `ValidationError` when `value` is too long."""
        most = int(self.limit_value)
        if len(value) <= most:
            return
        kept = value[:most]
        raise ValidationError(
            _(
                "There are %(length)s characters; %(most)s is the most, reached in line "
                "%(line)d, column %(column)d. Shorten the text."
            ),
            code="too_long",
            params={
                "length": f"{len(value):,}",
                "most": f"{most:,}",
                "line": kept.count("\n") + 1,
                "column": most - (kept.rfind("\n") + 1),
            },
        )


class PlainText(forms.CharField):
    """Text of any number of lines: nothing is cut off, whatever cannot be kept is pointed at.

    The limit is not given to the browser, which would cut pasted text without a word.
    """

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators = [validate_no_control_characters, AtMost(most)]

    def to_python(self, value: Any) -> str:
        """Return the text with the line ends that the registry keeps."""
        return with_line_feeds(super().to_python(value) or "")


def with_line_feeds(text: str) -> str:
    """Return `text` with line feeds alone: browsers send the line ends of hidden fields as CRLF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Name(PlainText):
    """The name of a person or an organization, checked by `check`."""

    def __init__(
        self, *, most: int, check: Callable[[str], None] = validate_name, **kwargs: Any
    ) -> None:
        super().__init__(most=most, **kwargs)
        self.validators = [check, AtMost(most)]

    def to_python(self, value: Any) -> str:
        """Return the name with single blanks between its words."""
        return BLANKS.sub(" ", super().to_python(value))
