"""Setting a text in lines of limited width, without breaking what must stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

# A table, a drawing or a quotation: two blanks or a tab in front say "leave as it is". So does
# the left side of an ABNF rule, which may not go on at the margin.
_PREFORMATTED: Final = re.compile(r" {2}| ?\t|[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_BLANKS: Final = re.compile(r"[ \t]+")
_MARKER: Final = re.compile(r"(?:[-*+•]|[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_PAGE: Final = 80
_SLACK: Final = 4


def wrap(text: str, width: int) -> Iterator[str]:
    """The lines of `text`, each at most `width` long unless a single word or preformatted.

    A line break that is there stays, except in a paragraph that came wrapped for a page
    somewhat wider. Setting the result again changes nothing.
    """
    for paragraph in _paragraphs(text.split("\n")):
        if _margin(paragraph[0]) is None:
            yield from paragraph
        elif width < _widest(paragraph) <= _PAGE and _is_filled(paragraph):
            yield from _fold(" ".join(line.strip() for line in paragraph), width)
        else:
            for line in paragraph:
                yield from (line,) if len(line) <= width else _fold(line, width)


def indent(lines: Iterable[str], depth: int) -> Iterator[str]:
    """The lines moved to the right, empty ones left empty."""
    margin = " " * depth
    return (margin + line if line else "" for line in lines)


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines that may have been one: plain ones in a row, or an entry of a list."""
    paragraph: list[str] = []
    margin: int | None = None
    for line in lines:
        if paragraph and margin is not None and _starts_at(margin, line):
            paragraph.append(line)
        else:
            if paragraph:
                yield paragraph
            paragraph, margin = [line], _margin(line)
    yield paragraph


def _margin(line: str) -> int | None:
    """Where a line that goes on with the sentence of this one would begin; None if none can."""
    if not line or _PREFORMATTED.match(line):
        return None
    marker = _MARKER.match(line)
    return marker.end() if marker else 0


def _starts_at(margin: int, line: str) -> bool:
    if margin:
        return line.startswith(" " * margin) and not line[margin:].startswith((" ", "\t"))
    return _margin(line) == 0 and not line.startswith(" ")


def _widest(lines: Sequence[str]) -> int:
    """How long the lines get; a single word had no choice and does not count."""
    return max((len(line) for line in lines if _BLANKS.search(line.strip())), default=0)


def _is_filled(lines: Sequence[str]) -> bool:
    """Whether every break stands where the next word had hardly room on the widest line."""
    room = _widest(lines) - _SLACK
    ends = ((len(line), _BLANKS.split(after.strip())[0]) for line, after in pairwise(lines))
    return all(length + 1 + len(word) > room for length, word in ends)


def _fold(line: str, width: int) -> Iterator[str]:
    """Break one line at blanks; the further lines hang below its text."""
    marker = _MARKER.match(line)
    hang = " " * (marker.end() if marker else len(line) - len(line.lstrip(" ")))
    first, *words = _BLANKS.split(line.strip(" \t"))
    built = first if marker else hang + first
    for word in words:
        if len(built) + 1 + len(word) <= width:
            built = f"{built} {word}"
        else:
            yield built
            built = hang + word
    yield built
