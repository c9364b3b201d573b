"""Namespace identifiers: their kinds, and which may be requested (RFC 8141, 5.1 and 5.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal

from .characters import LOOKALIKE_LETTERS, describe_character, quote_excerpt
from .finding import Finding, Severity

MAX_NID_LENGTH: Final = 32
_RFC_2: Final = "RFC 8141, section 2"
_RFC_5_1: Final = "RFC 8141, section 5.1"
_NOT_LDH: Final = re.compile("[^A-Za-z0-9-]")
_COUNTRY: Final = re.compile("[A-Za-z]{2}--?")


def find_broken_rules(text: str, taken: Container[str] = ()) -> Iterator[Finding]:
    """Each rule that `text` breaks, in the order of the RFC; empty if it may be registered."""
    for rule in _RULES:
        yield from rule(text)
    if text and _is_taken(text, taken):
        yield _build_finding(
            "registered",
            f"{quote_excerpt(text)} is registered already; upper and lower case are the same.",
            _RFC_5_1,
            "Choose another identifier: none is given twice.",
        )


def canonical(text: str) -> str:
    """`text` with its ASCII letters in lower case; lookalikes stay as they are."""
    if text.isascii():
        return text.lower()
    return "".join(char.lower() if char.isascii() else char for char in text)


def _is_taken(text: str, taken: Container[str]) -> bool:
    wanted = canonical(text)
    if wanted in taken:
        return True
    return isinstance(taken, Iterable) and any(canonical(other) == wanted for other in taken)


def _check_length(text: str) -> Iterator[Finding]:
    if not text:
        yield _build_finding(
            "length", "No identifier was given.", _RFC_2, "Type 3 to 32 characters."
        )
    elif len(text) == 1:
        message = f"{quote_excerpt(text)} is one character; an identifier has at least three."
        yield _build_finding("length", message, _RFC_2, "Choose a longer identifier.")
    elif len(text) > MAX_NID_LENGTH:
        message = f"{quote_excerpt(text)} is {len(text):,} characters long; 32 is the most."
        yield _build_finding("length", message, _RFC_2, "Shorten it.")


def _check_characters(text: str) -> Iterator[Finding]:
    bad = _NOT_LDH.search(text)
    if bad:
        where = f"as character {bad.start() + 1}"
        message = f"{quote_excerpt(text)} has {describe_character(bad.group())} {where}."
        mend = "Use the letters a to z, digits and hyphens alone."
        yield _build_finding("characters", message, _RFC_2, mend)


def _check_ends(text: str) -> Iterator[Finding]:
    places = ("begins", text.startswith("-")), ("ends", text.endswith("-"))
    where = " and ".join(verb for verb, holds in places if holds)
    if where:
        message = f"{quote_excerpt(text)} {where} with a hyphen."
        yield _build_finding("ends", message, _RFC_2, "Begin and end with a letter or a digit.")


def _check_two_letters(text: str) -> Iterator[Finding]:
    if len(text) == 2:
        message = f"{quote_excerpt(text)} is two characters; a formal identifier has more."
        yield _build_finding(
            "two-letters", message, _RFC_5_1, "Choose one of three characters or more."
        )


def _check_country(text: str) -> Iterator[Finding]:
    begins = _COUNTRY.match(text)
    if begins:
        hyphens, use = "a hyphen", "identifiers based on country codes"
        if begins.group().endswith("--"):
            hyphens, use = "two hyphens", "encoded domain names"
        message = (
            f"{quote_excerpt(text)} begins with “{begins.group()}”, two letters and {hyphens}."
        )
        mend = f"Begin with something else: this is kept for {use}."
        yield _build_finding("country", message, _RFC_5_1, mend)


def _check_informal(text: str) -> Iterator[Finding]:
    if canonical(text[:4]) == "urn-":
        message = f"{quote_excerpt(text)} begins with “{text[:4]}”, which informal namespaces have."
        mend = "Begin with something else, or ask for an informal namespace and be given a number."
        yield _build_finding("informal", message, _RFC_5_1, mend)


def _check_experimental(text: str) -> Iterator[Finding]:
    if canonical(text[:2]) == "x-":
        message = (
            f"{quote_excerpt(text)} begins with “{text[:2]}”, as experimental namespaces once did."
        )
        yield _build_finding("experimental", message, _RFC_5_1, "Begin with something else.")


def _check_scheme(text: str) -> Iterator[Finding]:
    if canonical(text) == "urn":
        message = (
            f"{quote_excerpt(text)} is the name of the scheme itself, and RFC 2141 reserved it."
        )
        yield _build_finding("urn", message, "local rule", "Choose another identifier.")


def _build_finding(name: str, message: str, source: str, mend: str) -> Finding:
    return Finding(f"nid.{name}", Severity.BLOCK, message, source, mend, section="nid")


_RULES: Final[tuple[Callable[[str], Iterator[Finding]], ...]] = (
    _check_length,
    _check_characters,
    _check_ends,
    _check_two_letters,
    _check_country,
    _check_informal,
    _check_experimental,
    _check_scheme,
)


_CONFUSABLE_ASCII: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "-": None})


def fold_confusables(text: str) -> str:
    """`text` with lookalikes of any script unified; two equal results look the same."""
    plain = _fold_lookalikes(text).replace("rn", "m").replace("vv", "w")
    return plain.translate(_CONFUSABLE_ASCII)


_BAD_RUN: Final = re.compile("[^a-z0-9-]+")
_RESERVED_PREFIX: Final = re.compile("(?:urn-|x-|-)+")
_COUNTRY_PREFIX: Final = re.compile("([a-z]{2})-+(.*)")
_MAX_REPAIR_READ: Final = 200
_MAX_REPAIRED_LENGTH: Final = 32


def repair_nid(text: str) -> tuple[str, ...]:
    """Spellings near `text` that may follow the rules it breaks, likeliest first.

    Only proposals: callers check them before they offer them.
    """
    plain = _fold_lookalikes(text[:_MAX_REPAIR_READ])
    found = dict.fromkeys(
        candidate[:_MAX_REPAIRED_LENGTH].rstrip("-")
        for spelling in (_BAD_RUN.sub("-", plain), _BAD_RUN.sub("", plain))
        for candidate in _strip_reserved_prefix(spelling)
    )
    return tuple(candidate for candidate in found if candidate and candidate != text.lower())


def _fold_lookalikes(text: str) -> str:
    """`text` in lower case, with letters replaced by their ASCII lookalikes."""
    lowered = text.strip().lower().removeprefix("urn:").strip(":")
    if lowered.isascii():
        return lowered
    decomposed = unicodedata.normalize("NFKD", lowered.translate(LOOKALIKE_LETTERS))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _strip_reserved_prefix(spelling: str) -> tuple[str, ...]:
    """The spelling without a reserved prefix."""
    rest = (
        _RESERVED_PREFIX.sub("", spelling, count=1)
        if _RESERVED_PREFIX.match(spelling)
        else spelling
    )
    country = _COUNTRY_PREFIX.fullmatch(rest)
    return (country.group(1) + country.group(2), country.group(2)) if country else (rest,)


PLACEHOLDER: Final = "urn-N"
_INFORMAL: Final = re.compile("[Uu][Rr][Nn]-([1-9][0-9]{0,27})")


def check(text: str, taken: Container[str] = ()) -> tuple[Finding, ...]:
    """Every hard rule that prevents `text` from being registered as a formal NID, in order.

    `taken` has the registered NIDs, including deprecated and obsolete ones. `()` means that it may
    be registered. The rules are those of RFC 8141, sections 2 and 5.1, and one of our own.
    """
    findings = tuple(find_broken_rules(text, taken))
    offers = suggestions(text, taken) if findings else ()
    if not offers:
        return findings
    tried = f" Try {' or '.join(offers)}."
    return tuple(replace(finding, mend=finding.mend + tried) for finding in findings)


def suggestions(text: str, taken: Container[str] = ()) -> tuple[str, ...]:
    """Identifiers close to `text` that could be registered, two at most, likeliest first."""
    free = (offer for offer in repair_nid(text) if not any(find_broken_rules(offer, taken)))
    return tuple(offer for offer, _ in zip(free, range(2), strict=False))


def kind(text: str) -> Literal["formal", "informal"] | None:
    """The kind of namespace `text` can name by sections 5.1 and 5.2; `None` if neither."""
    if informal_number(text) is not None:
        return "informal"
    return None if any(find_broken_rules(text)) else "formal"


def informal_number(text: str) -> int | None:
    """The number in an informal NID such as `urn-7` (section 5.2); `None` for any other text."""
    match = _INFORMAL.fullmatch(text)
    return int(match.group(1)) if match else None


def informal_nid(number: int) -> str:
    """The NID of the informal namespace of that number (section 5.2)."""
    return f"urn-{number}"
