"""The hard rules for requesting a formal NID, one function each (RFC 8141, sections 2 and 5.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from registry.urn.characters import describe, excerpt
from registry.urn.finding import Finding, Severity

LONGEST: Final = 32
_RFC_2: Final = "RFC 8141, section 2"
_RFC_5_1: Final = "RFC 8141, section 5.1"
_NOT_LDH: Final = re.compile("[^A-Za-z0-9-]")
_COUNTRY: Final = re.compile("[A-Za-z]{2}--?")


def broken(text: str, taken: Container[str] = ()) -> Iterator[Finding]:
    """Each rule that `text` breaks, in the order of the RFC; nothing where it may be registered."""
    for rule in _RULES:
        yield from rule(text)
    if text and _is_taken(text, taken):
        yield _finding(
            "registered",
            f"{excerpt(text)} is registered already; upper and lower case are the same.",
            _RFC_5_1,
            "Choose another identifier: none is given twice.",
        )


def canonical(text: str) -> str:
    """`text` with its ASCII letters in lower case; what only looks like one stays as it is."""
    if text.isascii():
        return text.lower()
    return "".join(char.lower() if char.isascii() else char for char in text)


def _is_taken(text: str, taken: Container[str]) -> bool:
    wanted = canonical(text)
    if wanted in taken:
        return True
    return isinstance(taken, Iterable) and any(canonical(other) == wanted for other in taken)


def _length(text: str) -> Iterator[Finding]:
    if not text:
        yield _finding("length", "No identifier was given.", _RFC_2, "Type 3 to 32 characters.")
    elif len(text) == 1:
        message = f"{excerpt(text)} is one character; an identifier has at least three."
        yield _finding("length", message, _RFC_2, "Choose a longer identifier.")
    elif len(text) > LONGEST:
        message = f"{excerpt(text)} is {len(text):,} characters long; 32 is the most."
        yield _finding("length", message, _RFC_2, "Shorten it.")


def _characters(text: str) -> Iterator[Finding]:
    bad = _NOT_LDH.search(text)
    if bad:
        message = f"{excerpt(text)} has {describe(bad.group())} as character {bad.start() + 1}."
        mend = "Use the letters a to z, digits and hyphens alone."
        yield _finding("characters", message, _RFC_2, mend)


def _ends(text: str) -> Iterator[Finding]:
    places = ("begins", text.startswith("-")), ("ends", text.endswith("-"))
    where = " and ".join(verb for verb, holds in places if holds)
    if where:
        message = f"{excerpt(text)} {where} with a hyphen."
        yield _finding("ends", message, _RFC_2, "Begin and end with a letter or a digit.")


def _two_letters(text: str) -> Iterator[Finding]:
    if len(text) == 2:
        message = f"{excerpt(text)} is two characters; a formal identifier has more."
        yield _finding("two-letters", message, _RFC_5_1, "Choose one of three characters or more.")


def _country(text: str) -> Iterator[Finding]:
    begins = _COUNTRY.match(text)
    if begins:
        hyphens, use = "a hyphen", "identifiers based on country codes"
        if begins.group().endswith("--"):
            hyphens, use = "two hyphens", "encoded domain names"
        message = f"{excerpt(text)} begins with “{begins.group()}”, two letters and {hyphens}."
        mend = f"Begin with something else: this is kept for {use}."
        yield _finding("country", message, _RFC_5_1, mend)


def _informal(text: str) -> Iterator[Finding]:
    if canonical(text[:4]) == "urn-":
        message = f"{excerpt(text)} begins with “{text[:4]}”, which informal namespaces have."
        mend = "Begin with something else, or ask for an informal namespace and be given a number."
        yield _finding("informal", message, _RFC_5_1, mend)


def _experimental(text: str) -> Iterator[Finding]:
    if canonical(text[:2]) == "x-":
        message = f"{excerpt(text)} begins with “{text[:2]}”, as experimental namespaces once did."
        yield _finding("experimental", message, _RFC_5_1, "Begin with something else.")


def _scheme_itself(text: str) -> Iterator[Finding]:
    if canonical(text) == "urn":
        message = f"{excerpt(text)} is the name of the scheme itself, and RFC 2141 reserved it."
        yield _finding("urn", message, "local rule", "Choose another identifier.")


def _finding(name: str, message: str, source: str, mend: str) -> Finding:
    return Finding(f"nid.{name}", Severity.BLOCK, message, source, mend, section="nid")


_RULES: Final[tuple[Callable[[str], Iterator[Finding]], ...]] = (
    _length,
    _characters,
    _ends,
    _two_letters,
    _country,
    _informal,
    _experimental,
    _scheme_itself,
)
