"""The lines of a grammar as it was copied, without the furniture of printed pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ENDS: Final = re.compile(r"\r\n|\r|\n")
_FOOTER: Final = re.compile(r".*\[Page [0-9ivxlc]+\]\s*")
_HEADER: Final = re.compile(r"\f?\s*(?:RFC [0-9]+|Internet-Draft)\s.*\s[0-9]{4}\s*")
# Blanks that word processors and web pages put in the place of a space.
_BLANKS: Final = dict.fromkeys(map(ord, "\f\v\u00a0\u2007\u202f\u200b\u2060\ufeff"), " ")


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that can be part of a grammar.

    Any of the usual line ends will do, also none at the last line. The footer and the header
    that stand at a page break of a printed RFC are left out; a blank of any sort is a space.
    """
    is_after_break = False
    for number, line in enumerate(_ENDS.split(text), 1):
        is_after_break = is_after_break or "\f" in line
        if _FOOTER.fullmatch(line):
            is_after_break = True
        elif is_after_break and _HEADER.fullmatch(line):
            is_after_break = False
        elif line.strip():
            is_after_break = False
            yield number, line.translate(_BLANKS)
        # An empty line keeps the header of the next page to be expected.
