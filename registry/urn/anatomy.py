"""The parts that a text means to have, whether or not it is a URN."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# One pass, and nothing is refused: each part takes all up to what ends it.
_LENIENT: Final = re.compile(
    r"[Uu][Rr][Nn]:([^:?#]*+)"
    r"(?::([^?#]*+(?:\?(?![+=])[^?#]*+)*+)"
    r"(?:\?\+([^?#]*+(?:\?(?!=)[^?#]*+)*+))?+(?:\?=([^#]*+))?+(?:#(.*+))?+)?+",
    re.DOTALL,
)
_COMPONENTS: Final = ("nid", "nss", "r", "q", "f")


class Part(NamedTuple):
    """One component as far as it can be told: its name, and where it begins and ends."""

    component: str
    start: int
    end: int


def dissect(text: str) -> tuple[Part, ...]:
    """The components of `text` in order, as section 2 separates them; `()` without a scheme."""
    match = _LENIENT.match(text)
    if match is None:
        return ()
    return tuple(
        Part(component, *match.span(index))
        for index, component in enumerate(_COMPONENTS, start=1)
        if match.start(index) >= 0
    )
