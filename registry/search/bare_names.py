"""Names without `urn:` and NID, recognised by the rules we hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from registry.namespace_rules import Outcome, find_namespace_rule
from registry.urn import URN, URNSyntaxError, parse

MAX_BARE_NAME_LENGTH: Final = 200
_SEPARATORS: Final = re.compile(r"[\s‐‑‒–—−]+")


@dataclass(frozen=True, slots=True)
class BareName:
    """What a text without `urn:` looks like: a name of the namespace `nid`.

    `message` says what is wrong if only its check digit is.
    """

    nid: str
    urn: str
    message: str = ""


SHAPES: Final = {
    "isbn": re.compile(r"(?:isbn[ :]*)?((?:97[89])?[0-9]{9}[0-9xX])", re.IGNORECASE),
    "issn": re.compile(r"(?:issn[ :]*)?([0-9]{4}-?[0-9]{3}[0-9xX])", re.IGNORECASE),
    "uuid": re.compile(
        r"\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}?", re.IGNORECASE
    ),
    "isni": re.compile(r"(?:isni[ :]*)?([0-9]{15}[0-9xX])", re.IGNORECASE),
    "lei": re.compile(r"(?:lei[ :]*)?([0-9a-z]{18}[0-9]{2})", re.IGNORECASE),
    "eic": re.compile(r"([0-9]{2}[a-z][0-9a-z-]{12}[0-9a-z])", re.IGNORECASE),
    "doi": re.compile(
        r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.[0-9]{4,9}/\S+)", re.IGNORECASE
    ),
    "oid": re.compile(r"(?:oid[ .:]*)?([012](?:\.[0-9]+){3,})", re.IGNORECASE),
    "ietf": re.compile(r"(rfc[ -]?[0-9]{1,5})", re.IGNORECASE),
}
"""The form of bare names of each namespace. Its rule decides whether one is valid."""
CLOSED_UP: Final = frozenset({"isbn", "isni"})
"""Namespaces whose names are written with spaces or hyphens between their parts."""


def recognize_bare_names(text: str) -> tuple[BareName, ...]:
    """Return the names that `text` may be, valid ones before nearly valid ones."""
    typed = text.strip()
    if len(typed) > MAX_BARE_NAME_LENGTH or typed[:4].lower() == "urn:":
        return ()
    found = list(find_bare_names(typed))
    right = [each for each in found if not each.message]
    return tuple(right or found)


def find_bare_names(typed: str) -> Iterator[BareName]:
    """Yield what `typed` looks like, valid or with a wrong check digit."""
    plain = _SEPARATORS.sub("-", typed)
    for nid, shape in SHAPES.items():
        written = re.sub(r"(?<=[0-9])-(?=[0-9xX])", "", plain) if nid in CLOSED_UP else plain
        matched = shape.fullmatch(written.replace("isbn-", "isbn ").replace("ISBN-", "ISBN "))
        if matched:
            yield from check_bare_name(nid, matched[1])


def check_bare_name(nid: str, name: str) -> Iterator[BareName]:
    """Yield the whole URN if the namespace's rule accepts it, or only its check digit is wrong."""
    rule = find_namespace_rule(nid)
    urn = build_bare_urn(nid, name)
    if rule is None or urn is None:
        return
    ruling = rule.check(urn)
    if ruling.outcome is Outcome.FOLLOWS:
        yield BareName(nid, ruling.preferred or urn.text)
    elif ruling.check == "rulebook.check-digits" and nid in ("isbn", "issn"):
        yield BareName(nid, urn.text, ruling.message)


def build_bare_urn(nid: str, name: str) -> URN | None:
    """Return the URN of a bare name, or None if there is none."""
    if nid == "doi":
        prefix, _, suffix = name.partition("/")
        name = f"{prefix}:{suffix}"
    elif nid == "ietf":
        name = "rfc:" + name[3:].strip(" -")
    try:
        return parse(f"urn:{nid}:{name}")
    except URNSyntaxError:
        return None
