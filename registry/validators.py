"""What columns and forms refuse."""

from __future__ import annotations

import datetime
import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from registry.enums import Role
from registry.template.checks.placeholders import CONTROL_CHARACTERS, describe_position
from registry.urn.characters import fold_lookalikes
from registry.urn.nid import fold_confusables

INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Control, direction, joining and private-use characters, line ends and unusual spaces."""
INVISIBLE_CHARACTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters of other categories: fillers, joiners and variation selectors."""
BRACKETS: Final = re.compile(r"[\[\]]")
OFFICE_NAMES: Final = ("the registry", *Role.values)

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
            gettext_lazy(
                "“%(value)s” is not a date. Write 2026-11-20, or 2026-11, or leave it empty."
            ),
            code="partial_date",
            params={"value": value},
        ) from None


def validate_no_control_characters(value: str) -> None:
    """Refuse control characters other than tab and line ends, naming line and column."""
    text = value.replace("\r\n", "\n")
    match = CONTROL_CHARACTERS.search(text)
    if match is None:
        return
    raise ValidationError(
        gettext_lazy("There is a control character (U+%(code)04X) in %(place)s. Delete it."),
        code="control_character",
        params={"code": ord(match.group()), "place": describe_position(text, match.start())},
    )


def validate_name(value: str) -> None:
    """Refuse a name of a person or an organization that contains anything invisible.

    Direction marks and characters without a shape make two names look alike.
    """
    for place, character in enumerate(value, start=1):
        if is_invisible(character):
            raise ValidationError(
                gettext_lazy(
                    "Character %(place)d of the name (U+%(code)04X) is an invisible character, "
                    "a line break or an unusual space. Delete it, or type the name by hand."
                ),
                code="unseen_character",
                params={"place": place, "code": ord(character)},
            )
    if not any(character.isalnum() for character in value):
        raise ValidationError(
            gettext_lazy("A name needs a letter or a digit. Type the name in full."),
            code="no_letter",
        )


def validate_name_of_person(value: str) -> None:
    """Refuse what `validate_name` does, and a name that could be read as one with a badge.

    Without colours and borders, officers are marked by words in square brackets.
    """
    validate_name(value)
    if BRACKETS.search(value):
        raise ValidationError(
            gettext_lazy(
                "Square brackets mark the offices of the registry. Write the name without them."
            ),
            code="bracket",
        )
    if fold_name(value) in map(fold_name, OFFICE_NAMES):
        raise ValidationError(
            gettext_lazy(
                "This is the name of the registry or of one of its offices. Enter your own."
            ),
            code="taken_name",
        )


def fold_name(name: str) -> str:
    """Return a name without what readers overlook; two names with equal results look alike.

    That is case, blanks, punctuation, accents, and letters of other scripts that look the same.
    """
    return "".join(filter(str.isalnum, fold_confusables(fold_lookalikes(name))))


def strip_invisible(name: str) -> str:
    """Return the valid part of a name that cannot be refused, such as that of a mail's sender."""
    spaced = "".join(" " if is_invisible(each) and each.isspace() else each for each in name)
    proper = "".join(each for each in BRACKETS.sub("", spaced) if not is_invisible(each))
    return " ".join(proper.split())


def is_invisible(character: str) -> bool:
    """Whether the character is invisible, or moves others; a plain space counts as visible."""
    return character != " " and (
        unicodedata.category(character) in INVISIBLE_CATEGORIES
        or bool(INVISIBLE_CHARACTERS.match(character))
    )
