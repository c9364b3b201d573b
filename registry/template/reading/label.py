"""What the label of a field is, and how its spelling is compared."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["new", "old", "either", "neither"]

EDITION: Final = "edition"
"""Stands for version and date, which the older template has in one field."""


class Label(NamedTuple):
    """The name of a field, the field of RFC 8141 that it belongs to, and which template has it.

    `lead` is what its content is introduced by, empty where that needs no introduction; `place`
    orders what comes together in one field.
    """

    name: str
    field: str
    kind: Kind
    lead: str = ""
    place: int = 0

    @property
    def is_distinct(self) -> bool:
        """Whether the name hardly stands before a colon by chance."""
        return " " in self.name


_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_WORD: Final = re.compile(r"[a-z0-9]+")
_SMALL: Final = frozenset("a an and for in of the to with".split())


def key(written: str) -> str:
    """A label without what varies: case, signs, small words, and what is in parentheses."""
    words = _WORD.findall(_PARENTHESES.sub(" ", written).casefold())
    return " ".join(word for word in words if word not in _SMALL)
