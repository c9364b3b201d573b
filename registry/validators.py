"""The library's errors, spoken as form and model errors."""

from __future__ import annotations

import datetime
import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from registry.template.checks.characters import CONTROL, position

PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


def validate_partial_date(value: str) -> None:
    """Refuse anything but `YYYY`, `YYYY-MM`, `YYYY-MM-DD` (real dates) or nothing."""
    if not value:
        return
    match = PARTIAL_DATE.fullmatch(value)
    try:
        if match is None:
            raise ValueError
        year, month, day = (int(part or 1) for part in match.groups())
        datetime.date(year, month, day)
    except ValueError:
        raise ValidationError(
            _("“%(value)s” is not a date. Write 2026-11-20, or 2026-11, or leave it empty."),
            code="partial_date",
            params={"value": value},
        ) from None


def validate_no_control_characters(value: str) -> None:
    """Refuse control characters other than tab and line ends, naming line and column."""
    text = value.replace("\r\n", "\n")
    match = CONTROL.search(text)
    if match is None:
        return
    raise ValidationError(
        _("There is a control character (U+%(code)04X) in %(place)s. Delete it."),
        code="control_character",
        params={"code": ord(match.group()), "place": position(text, match.start())},
    )
