"""What each column of the registry's files may hold. A check returns what is wrong, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import Model

from registry.choices import Kind
from registry.loading.table import Row
from registry.models import Namespace, Organization, Provenance
from registry.urn.nid import informal_number
from registry.urn.syntax import NID
from registry.validators import validate_partial_date

Check = Callable[[str], str]

LARGEST_NUMBER = 2_147_483_647  # of a column of whole numbers
REFERENCE_SEPARATOR = ", "
GUESS = "(assumed)"
NO_DATE = "none"
UNCHECKED_ADDRESS = "pattern"


def quoted(value: str) -> str:
    """Return `value` as a message shows it: short, and on one line."""
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in value)
    return f"“{shown[:40]}…”" if len(shown) > 40 else f"“{shown}”"


def is_nid(value: str) -> str:
    """A NID by RFC 8141, section 2. Whether it might be asked for today is not the question."""
    if not re.fullmatch(NID, value):
        return f"{quoted(value)} is not a NID (RFC 8141, section 2)."
    if (informal_number(value) or 0) > LARGEST_NUMBER:
        return f"{quoted(value)} has too large a number."
    return ""


def one_of(*values: str) -> Check:
    """Return the check for one of `values`."""

    def check(value: str) -> str:
        expected = ", ".join(f"“{each}”" if each else "empty" for each in values)
        return "" if value in values else f"{quoted(value)} is none of: {expected}."

    return check


def text(most: int | None) -> Check:
    """Return the check for a text in one line that fits into a column of `most` characters."""

    def check(value: str) -> str:
        if most is not None and len(value) > most:
            return f"{quoted(value)} has {len(value)} characters; {most} is the most."
        unseen = [each for each in value if not each.isprintable()]
        return (
            f"{quoted(value)} has a character that does not show (U+{ord(unseen[0]):04X})."
            if unseen
            else ""
        )

    return check


def filled(check: Check) -> Check:
    """Return the check for what `check` allows, and not for nothing."""
    return lambda value: check(value) if value else "It is empty."


def is_date(value: str) -> str:
    """A date as precise as it is known, or nothing."""
    try:
        validate_partial_date(value)
    except ValidationError as error:
        return error.messages[0]
    return ""


def is_address(value: str) -> str:
    """An address in the web, or nothing."""
    try:
        URLValidator(schemes=["http", "https"])(value or "https://registry.example/")
    except ValidationError:
        return f"{quoted(value)} is not an address in the web."
    return text(longest(Provenance, "template_url"))(value)


def longest(model: type[Model], name: str) -> int | None:
    """Return how many characters a column of the database takes."""
    return getattr(model._meta.get_field(name), "max_length", None)


NAMESPACE_COLUMNS: Mapping[str, Check] = {
    "nid": is_nid,
    "kind": one_of(*Kind.values),
    "reference": text(500),
    "registered": is_date,
    "template_url": is_address,
    "registrant_organization": text(longest(Organization, "name")),
    "purpose_hint": text(longest(Namespace, "summary")),
    "confidence": one_of("seen", "memory"),
}

PROVENANCE_COLUMNS: Mapping[str, Check] = {
    "nid": is_nid,
    "kind": one_of(*Kind.values),
    "registered_source": one_of(
        "iana-record", "template-date", "rfc-month-seen", "rfc-month-memory", NO_DATE
    ),
    "template_url_source": one_of("seen", UNCHECKED_ADDRESS, ""),
    "template_version": text(longest(Namespace, "last_known_version")),
    "template_date": is_date,
    "template_generation": text(longest(Provenance, "template_generation")),
    "note": text(longest(Provenance, "note")),
}


def wrong_values(row: Row, checks: Mapping[str, Check]) -> Iterator[str]:
    """Yield a sentence for each value of `row` that its column may not hold."""
    for column, check in checks.items():
        trouble = check(row[column])
        if trouble:
            yield f"{column}: {trouble}"
