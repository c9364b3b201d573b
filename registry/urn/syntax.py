"""The grammar of RFC 8141, section 2, as patterns, and the intended parts of a text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# Names and order are the RFC's. Each class of characters is one set and each repetition is
# possessive, so a text is read once from left to right, whatever is in it.

ALPHANUM: Final = "A-Za-z0-9"
UNRESERVED: Final = rf"{ALPHANUM}\-._~"
SUB_DELIMS: Final = "!$&'()*+,;="
PCHAR_SET: Final = f"{UNRESERVED}{SUB_DELIMS}:@"
HEXDIGS: Final = "[0-9A-Fa-f]{2}"
PCT_ENCODED: Final = f"%{HEXDIGS}"
PCHAR: Final = f"(?:[{PCHAR_SET}]|{PCT_ENCODED})"


def _repeat(characters: str, also: str = PCT_ENCODED) -> str:
    """Any number of `characters` and of the longer units in `also`."""
    return f"[{characters}]*+(?:(?:{also})[{characters}]*+)*+"


# A component that must not be empty begins with a pchar, never with "/" or "?".
_BEGINS: Final = f"(?=[{PCHAR_SET}%])"

SCHEME: Final = "[Uu][Rr][Nn]"
NID: Final = f"[{ALPHANUM}][{ALPHANUM}-]{{1,31}}+(?<!-)"
NSS: Final = _BEGINS + _repeat(f"{PCHAR_SET}/")
# Section 2.3.1: the r-component ends at the first "?=", so a "?" in it is not followed by "=".
R_COMPONENT: Final = _BEGINS + _repeat(f"{PCHAR_SET}/", rf"{PCT_ENCODED}|\?(?!=)")
Q_COMPONENT: Final = _BEGINS + _repeat(f"{PCHAR_SET}/?")
F_COMPONENT: Final = _repeat(f"{PCHAR_SET}/?")

NAMESTRING: Final = re.compile(
    rf"{SCHEME}:({NID}):({NSS})"
    rf"(?:\?\+({R_COMPONENT}))?+(?:\?=({Q_COMPONENT}))?+(?:#({F_COMPONENT}))?+"
)

# The same without groups, which take time: for checking only whether a text is a URN.
WHOLE_URN: Final = re.compile(
    rf"{SCHEME}:{NID}:{NSS}(?:\?\+{R_COMPONENT})?+(?:\?={Q_COMPONENT})?+(?:#{F_COMPONENT})?+"
)

# The same, truncated where a text stops being a URN: the last group says in which part that was.
REACH: Final = re.compile(
    rf"{SCHEME}:(?:({NID}):(?:({NSS})"
    rf"(?:\?\+({R_COMPONENT}))?+(?:\?=({Q_COMPONENT}))?+(?:#({F_COMPONENT}))?+)?+)?+"
)


# One pass that refuses nothing: each part takes everything up to what ends it.
_LENIENT: Final = re.compile(
    r"[Uu][Rr][Nn]:([^:?#]*+)"
    r"(?::([^?#]*+(?:\?(?![+=])[^?#]*+)*+)"
    r"(?:\?\+([^?#]*+(?:\?(?!=)[^?#]*+)*+))?+(?:\?=([^#]*+))?+(?:#(.*+))?+)?+",
    re.DOTALL,
)
_COMPONENTS: Final = ("nid", "nss", "r", "q", "f")


class ComponentSpan(NamedTuple):
    """One component as far as it can be recognised: its name, and where it begins and ends."""

    component: str
    start: int
    end: int


def split_components(text: str) -> tuple[ComponentSpan, ...]:
    """The components of `text` in order, as section 2 separates them; `()` without a scheme."""
    match = _LENIENT.match(text)
    if match is None:
        return ()
    return tuple(
        ComponentSpan(component, *match.span(index))
        for index, component in enumerate(_COMPONENTS, start=1)
        if match.start(index) >= 0
    )
