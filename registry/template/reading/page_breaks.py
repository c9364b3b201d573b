"""Headers and footers that a text for printed pages has in the middle of its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from registry.template.reading.lines import Line

_FOOTER: Final = re.compile(
    r"\[Page +\w{1,6}\]$|^-{0,3} ?Page [0-9]{1,4}(?: of [0-9]{1,4})? ?-{0,3}$"
)
_HEADER: Final = re.compile(
    r"(?:RFC ?[0-9]{1,5}|Internet[ -]Draft|draft-[a-z0-9-]{1,80})\b.{0,90}? {2,}\S"
    r"|\S.{0,90}? {2,}\S.{0,60}(?:19|20)[0-9]{2}$",
    re.I,
)
_ENDS_SENTENCE: Final = (".", ":", ";", "!", "?")
_FULL: Final = 50


def without_page_breaks(lines: Sequence[Line]) -> tuple[list[Line], list[list[Line]]]:
    """The lines with the text joined across pages, and what stood between, break by break."""
    kept: list[Line] = []
    breaks: list[list[Line]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not _FOOTER.search(line.text[-160:]):
            kept.append(line)
            at += 1
            continue
        between = [line]
        at = _after_blanks(lines, at + 1)
        if at < len(lines) and _is_header(lines, at):
            between.append(lines[at])
            at = _after_blanks(lines, at + 1)
        breaks.append(between)
        _join(kept, lines[at] if at < len(lines) else None, line.number)
    return kept, breaks


def _after_blanks(lines: Sequence[Line], at: int) -> int:
    while at < len(lines) and not lines[at].text:
        at += 1
    return at


def _is_header(lines: Sequence[Line], at: int) -> bool:
    line = lines[at]
    if not line.page and (at == 0 or not lines[at - 1].page):
        return _HEADER.match(line.text[:200]) is not None
    # Behind a form feed, a line of its own with nothing below it is what stands above a page.
    alone = at + 1 >= len(lines) or not lines[at + 1].text
    return alone and (line.indent == 0 or _HEADER.match(line.text[:200]) is not None)


def _join(kept: list[Line], following: Line | None, number: int) -> None:
    while kept and not kept[-1].text:
        kept.pop()
    if kept and following and not _goes_on(kept[-1], following):
        kept.append(Line(number, 0, ""))


def _goes_on(before: Line, after: Line) -> bool:
    """Whether the sentence before a page break goes on behind it."""
    if before.text.endswith(_ENDS_SENTENCE) or before.indent != after.indent:
        return False
    return after.text[:1].islower() or before.indent + len(before.text) >= _FULL
