"""URN syntax as four texts have it: RFC 2141, drafts -03 and -12 of its successor, and RFC 8141."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from registry.urn.syntax import (
    ALPHANUM,
    F_COMPONENT,
    NID,
    NSS,
    PCHAR_SET,
    PCT_ENCODED,
    Q_COMPONENT,
    R_COMPONENT,
    SCHEME,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One part of a URN in one specification: its mark, what it may hold, and where that stands."""

    component: str
    mark: re.Pattern[str]
    content: re.Pattern[str]
    production: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One specification of URN syntax, its parts in the order in which they stand.

    The drafts are those of draft-ietf-urnbis-rfc2141bis-urn. `reserves` says where the NID "urn"
    is kept out of use and `bans_nul` where `%00` is forbidden; both are empty where they are not.
    """

    name: str
    rules: tuple[Rule, ...]
    reserves: str = ""
    bans_nul: str = ""

    def __str__(self) -> str:
        return self.name


def _rule(component: str, mark: str, content: str, production: str) -> Rule:
    return Rule(component, re.compile(mark), re.compile(content), production)


def _characters(allowed: str) -> str:
    return f"(?:[{allowed}]++|{PCT_ENCODED})"


# RFC 2141, section 2.2, with the delimiters that its grammar takes and its prose reserves.
_URN_CHARS: Final = rf"{ALPHANUM}()+,\-.:=@;$_!*'/?#"
_DIRECTIVE: Final = (
    rf"[A-Za-z](?:-?[{ALPHANUM}])*+=(?:[{PCHAR_SET.replace('&', '')}/?]++|{PCT_ENCODED})*+"
)
_NID_SECTION: Final = "NID, section 2.1"

RFC_2141: Final = Profile(
    "RFC 2141",
    (
        _rule("nid", f"{SCHEME}:", f"[{ALPHANUM}][{ALPHANUM}-]{{0,31}}+", _NID_SECTION),
        _rule("nss", ":", f"{_characters(_URN_CHARS)}++", "NSS, section 2.2"),
    ),
    reserves="section 2.1",
    bans_nul="section 2.4",
)
DRAFT_03: Final = Profile(
    "draft -03",
    (
        _rule("nid", f"{SCHEME}:", NID, _NID_SECTION),
        _rule("nss", ":", f"{_characters(PCHAR_SET)}++", "NSS = 1*pchar, section 2.2"),
        _rule("query", r"\?", f"{_DIRECTIVE}(?:&{_DIRECTIVE})*+", "urn-query, section 2.3"),
        _rule("fragment", "#", F_COMPONENT, "fragment, section 2.4"),
    ),
    reserves="section 2.1",
    bans_nul="section 2.5.3",
)
DRAFT_12: Final = Profile(
    "draft -12",
    (
        _rule("nid", f"{SCHEME}:", NID, "NID, section 3"),
        _rule("nss", ":", NSS, "NSS, section 3"),
        # Section 3.3.1: the first "??" ends a q-component, so a "?" in it has no "?" behind it.
        _rule(
            "q",
            r"\?(?!\?)",
            rf"(?=[{PCHAR_SET}%])(?:[{PCHAR_SET}/]++|{PCT_ENCODED}|\?(?!\?))++",
            "q-string, section 3.3.1",
        ),
        _rule("r", r"\?\?", Q_COMPONENT, "r-string, section 3.3.2"),
        _rule("f", "#", F_COMPONENT, "f-string, section 3.3.3"),
    ),
)
RFC_8141: Final = Profile(
    "RFC 8141",
    (
        _rule("nid", f"{SCHEME}:", NID, "NID, section 2"),
        _rule("nss", ":", NSS, "NSS, section 2"),
        _rule("r", r"\?\+", R_COMPONENT, "r-component, section 2.3.1"),
        _rule("q", r"\?=", Q_COMPONENT, "q-component, section 2.3.2"),
        _rule("f", "#", F_COMPONENT, "f-component, section 2.3.3"),
    ),
)
PROFILES: Final = (RFC_2141, DRAFT_03, DRAFT_12, RFC_8141)
