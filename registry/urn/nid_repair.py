"""Identifiers to try in place of one that cannot be had."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Cyrillic and Greek letters that are drawn like Latin ones.
_DRAWN_ALIKE: Final = str.maketrans(
    "аеорсухіјѕԁһӏкмтвнαορτυνικχβεζη", "aeopcyxijsdhlkmtbhaoptuvikxbezn"
)
_BAD_RUN: Final = re.compile("[^a-z0-9-]+")
_KEPT: Final = re.compile("(?:urn-|x-|-)+")
_COUNTRY: Final = re.compile("([a-z]{2})-+(.*)")
_READ: Final = 200
_LONGEST: Final = 32


def repaired_nids(text: str) -> tuple[str, ...]:
    """Spellings near `text` that may keep the rules it breaks, likeliest first.

    A proposal only: whoever offers one checks it first.
    """
    plain = _plain(text[:_READ])
    found = dict.fromkeys(
        candidate[:_LONGEST].rstrip("-")
        for spelling in (_BAD_RUN.sub("-", plain), _BAD_RUN.sub("", plain))
        for candidate in _unreserved(spelling)
    )
    return tuple(candidate for candidate in found if candidate and candidate != text.lower())


def _plain(text: str) -> str:
    """`text` in lower case, its letters turned to ASCII where they have a twin there."""
    lowered = text.strip().lower().removeprefix("urn:").strip(":").translate(_DRAWN_ALIKE)
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _unreserved(spelling: str) -> tuple[str, ...]:
    """The spelling without a beginning that is kept for other uses."""
    rest = _KEPT.sub("", spelling, count=1) if _KEPT.match(spelling) else spelling
    country = _COUNTRY.fullmatch(rest)
    return (country.group(1) + country.group(2), country.group(2)) if country else (rest,)
