"""A text as lines that keep their numbers, freed of what its way here has done to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from registry.template.reading.result import Passage

_LINE_END: Final = re.compile(r"\r\n?")
_ENTITY: Final = re.compile("&(lt|gt|amp|quot|apos|nbsp|#39|#x27);")
_CHARACTER: Final = {
    "lt": "<",
    "gt": ">",
    "amp": "&",
    "quot": '"',
    "apos": "'",
    "nbsp": " ",
    "#39": "'",
    "#x27": "'",
}
_BLANKS: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\ufeff": None, "\u200b": None})
_BREAK: Final = re.compile(r"<br ?/?>")
_ATTRIBUTES: Final = re.compile(r"\{[:#.]?[^{}]{0,80}\}")
_DEFINITION: Final = re.compile(r":(?= +\S)|:$")
_QUOTED: Final = re.compile(r"> ?")
_NEARLY_ALL: Final = 0.9


class Line(NamedTuple):
    """One line: its number in the text as given, how far it is indented, and its words.

    `page` says that a form feed stood in it, `lead` that it began with the colon of a
    definition list, which is a blank now.
    """

    number: int
    indent: int
    text: str
    page: bool = False
    lead: bool = False


def split(text: str) -> tuple[list[Line], list[Line]]:
    """The lines of a text, and those that only told a program how to show the others."""
    plain = _unquoted(_unescaped(_LINE_END.sub("\n", text).translate(_BLANKS)).split("\n"))
    lines: list[Line] = []
    marks: list[Line] = []
    for number, each in enumerate(plain, start=1):
        line = _line(number, each)
        if line.text.startswith("{") and _ATTRIBUTES.fullmatch(line.text):
            marks.append(line)
            line = Line(number, 0, "")
        lines.append(line)
    return lines, marks


def passages(lines: Iterable[Line], label: str = "") -> tuple[Passage, ...]:
    """The lines as one passage; none where all are empty."""
    kept = trimmed(list(lines))
    if not kept:
        return ()
    text = "\n".join(" " * line.indent + line.text for line in kept)
    return (Passage(text, kept[0].number, kept[-1].number, label),)


def trimmed(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines without empty ones at either end."""
    first, last = 0, len(lines)
    while first < last and not lines[first].text:
        first += 1
    while first < last and not lines[last - 1].text:
        last -= 1
    return lines[first:last]


def _line(number: int, raw: str) -> Line:
    page = "\f" in raw
    text = raw.replace("\f", "").expandtabs(8).rstrip()
    lead = text.startswith(":") and _DEFINITION.match(text) is not None
    if lead:
        text = " " + text[1:]
    words = _BREAK.sub("", text).strip(" ") if "<br" in text else text.lstrip(" ")
    return Line(number, len(text) - len(text.lstrip(" ")) if words else 0, words, page, lead)


def _unescaped(text: str) -> str:
    """Signs that were written for HTML; where both kinds occur, somebody speaks of them."""
    if "<" in text or not _ENTITY.search(text):
        return text
    return _ENTITY.sub(lambda match: _CHARACTER[match[1]], text)


def _unquoted(lines: list[str]) -> list[str]:
    """A text quoted in a letter, without the signs of quotation."""
    written = sum(1 for line in lines if line.strip())
    quoted = sum(1 for line in lines if line.startswith(">"))
    if quoted < 3 or quoted < _NEARLY_ALL * written:
        return lines
    return [_QUOTED.sub("", line, count=1) for line in lines]
