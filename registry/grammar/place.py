"""A place for one character of a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from registry.grammar.charset import CharSet

END: Final = 1
"""The set, as bits, that holds the end of the name alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one character stands: which it may be, how it is written, and by which rule."""

    charset: CharSet
    written: str
    rule: str


NOWHERE: Final = Place(CharSet(), "", "")
