"""What each column of the registry's files may hold. A check returns what is wrong, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import Model

from registry.enums import NamespaceKind
from registry.exchange.seed.csv_files import CSVRow
from registry.models import Namespace, Organization, Provenance
from registry.urn.nid import informal_number
from registry.urn.syntax import NID
from registry.validators import validate_partial_date

ColumnCheck = Callable[[str], str]

MAX_INTEGER = 2_147_483_647  # of a column of whole numbers
REFERENCE_SEPARATOR = ", "
GUESS_MARK = "(assumed)"
NO_DATE_MARK = "none"
UNCHECKED_ADDRESS_MARK = "pattern"


def quote_value(value: str) -> str:
    """Return `value` as a message shows it: short, and on one line."""
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in value)
    return f"“{shown[:40]}…”" if len(shown) > 40 else f"“{shown}”"


def check_nid(value: str) -> str:
    """A NID by RFC 8141, section 2. Whether it might be asked for today is not the question."""
    if not re.fullmatch(NID, value):
        return f"{quote_value(value)} is not a NID (RFC 8141, section 2)."
    if (informal_number(value) or 0) > MAX_INTEGER:
        return f"{quote_value(value)} has too large a number."
    return ""


def make_choice_check(*values: str) -> ColumnCheck:
    """Return the check for one of `values`."""

    def check(value: str) -> str:
        expected = ", ".join(f"“{each}”" if each else "empty" for each in values)
        return "" if value in values else f"{quote_value(value)} is none of: {expected}."

    return check


def make_text_check(most: int | None) -> ColumnCheck:
    """Return the check for a text in one line that fits into a column of `most` characters."""

    def check(value: str) -> str:
        if most is not None and len(value) > most:
            return f"{quote_value(value)} has {len(value)} characters; {most} is the most."
        unseen = [each for each in value if not each.isprintable()]
        return (
            f"{quote_value(value)} has a character that does not show (U+{ord(unseen[0]):04X})."
            if unseen
            else ""
        )

    return check


def make_required_check(check: ColumnCheck) -> ColumnCheck:
    """Return the check for what `check` allows, and not for nothing."""
    return lambda value: check(value) if value else "It is empty."


def check_date(value: str) -> str:
    """A date as precise as it is known, or nothing."""
    try:
        validate_partial_date(value)
    except ValidationError as error:
        return error.messages[0]
    return ""


def check_web_address(value: str) -> str:
    """An address in the web, or nothing."""
    try:
        URLValidator(schemes=["http", "https"])(value or "https://registry.example/")
    except ValidationError:
        return f"{quote_value(value)} is not an address in the web."
    return make_text_check(find_max_length(Provenance, "template_url"))(value)


def find_max_length(model: type[Model], name: str) -> int | None:
    """Return how many characters a column of the database takes."""
    return getattr(model._meta.get_field(name), "max_length", None)


NAMESPACE_COLUMNS: Mapping[str, ColumnCheck] = {
    "nid": check_nid,
    "kind": make_choice_check(*NamespaceKind.values),
    "reference": make_text_check(500),
    "registered": check_date,
    "template_url": check_web_address,
    "registrant_organization": make_text_check(find_max_length(Organization, "name")),
    "purpose_hint": make_text_check(find_max_length(Namespace, "summary")),
    "confidence": make_choice_check("seen", "memory"),
}

PROVENANCE_COLUMNS: Mapping[str, ColumnCheck] = {
    "nid": check_nid,
    "kind": make_choice_check(*NamespaceKind.values),
    "registered_source": make_choice_check(
        "iana-record", "template-date", "rfc-month-seen", "rfc-month-memory", NO_DATE_MARK
    ),
    "template_url_source": make_choice_check("seen", UNCHECKED_ADDRESS_MARK, ""),
    "template_version": make_text_check(find_max_length(Namespace, "last_known_version")),
    "template_date": check_date,
    "template_generation": make_text_check(find_max_length(Provenance, "template_generation")),
    "note": make_text_check(find_max_length(Provenance, "note")),
}


def find_wrong_values(row: CSVRow, checks: Mapping[str, ColumnCheck]) -> Iterator[str]:
    """Yield a sentence for each value of `row` that its column may not hold."""
    for column, check in checks.items():
        trouble = check(row[column])
        if trouble:
            yield f"{column}: {trouble}"
