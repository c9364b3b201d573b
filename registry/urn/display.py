"""A URN as people read it, told apart from the URN as it is (RFC 8141, section 4.4)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from registry.urn.urn import URN

_TRIPLETS: Final = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])++")
# Letters, marks upon them, digits and symbols are shown; nothing that is invisible, breaks the
# line or turns the direction of writing may come out of an encoding.
_READABLE: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "So"})
# Counted among letters and symbols, and yet nothing is drawn for them.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class DisplayForm:
    """What to show of a URN, and whether it is the URN itself.

    `text` is for reading; `exact` is the URN as written, to copy. `str()` says which it is.
    """

    text: str
    exact: str

    @property
    def is_exact(self) -> bool:
        """Whether what is shown is the URN itself, to the letter."""
        return self.text == self.exact

    def __str__(self) -> str:
        return self.text if self.is_exact else f"{self.text} (for reading; the URN is {self.exact})"


def display(urn: URN) -> DisplayForm:
    """The URN with percent-encoded UTF-8 decoded where that can be read without confusion.

    ASCII stays encoded: decoded, it could pass for a delimiter or for what the namespace keeps.
    So do octets that are not UTF-8. The scheme and every component are shown (section 4.4).
    """
    return DisplayForm(_TRIPLETS.sub(_decode_readable, urn.text), urn.text)


def _decode_readable(match: re.Match[str]) -> str:
    triplets = match.group()
    shown, start = [], 0
    for char in bytes.fromhex(triplets.replace("%", "")).decode("utf-8", "surrogateescape"):
        end = start + 3 * len(char.encode("utf-8", "surrogateescape"))
        shown.append(char if _is_readable(char) else triplets[start:end])
        start = end
    return "".join(shown)


def _is_readable(char: str) -> bool:
    return unicodedata.category(char) in _READABLE and char not in _BLANK
