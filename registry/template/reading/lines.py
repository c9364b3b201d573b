"""The lines of a text that is read, and what reading it gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from registry.template.template import Template

Generation: TypeAlias = Literal["8141", "3406", "2611", "mixed", ""]
"""By which RFC the text was laid out; "mixed" with labels of both, "" where it has none."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of the text as they were given, counted from 1, and the label before them, if any."""

    text: str
    first: int
    last: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value was found: the label as it was written, and the lines from there on.

    `old_field` is what the older template calls it, empty where RFC 8141 has the same.
    """

    label: str
    old_field: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ReadField:
    """A field that was found, the value taken from it, and what people should know of that."""

    name: str
    value: str
    sources: tuple[Source, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of a text, and what was not.

    `fields` holds those that were found, in reading order. `left_over` is text that belongs to
    no field, `taken_out` what is no text at all: headers and footers of pages, marks of a
    format. Each line that is not empty is in one of the three.
    """

    template: Template
    generation: Generation = ""
    fields: tuple[ReadField, ...] = ()
    left_over: tuple[Passage, ...] = ()
    taken_out: tuple[Passage, ...] = ()
    remarks: tuple[str, ...] = ()

    def found(self, name: str) -> ReadField | None:
        """The field by its name; None where the text does not have it."""
        return next((each for each in self.fields if each.name == name), None)


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


class TextLine(NamedTuple):
    """One line: its number in the text as given, how far it is indented, and its words.

    `page` says that a form feed stood in it, `lead` that it began with the colon of a
    definition list, which is a blank now.
    """

    number: int
    indent: int
    text: str
    page: bool = False
    lead: bool = False


def split_lines(text: str) -> tuple[list[TextLine], list[TextLine]]:
    """The lines of a text, and those that only told a program how to show the others."""
    plain = _unquote_lines(_unescape_html(_LINE_END.sub("\n", text).translate(_BLANKS)).split("\n"))
    lines: list[TextLine] = []
    marks: list[TextLine] = []
    for number, each in enumerate(plain, start=1):
        line = _build_line(number, each)
        if line.text.startswith("{") and _ATTRIBUTES.fullmatch(line.text):
            marks.append(line)
            line = TextLine(number, 0, "")
        lines.append(line)
    return lines, marks


def build_passages(lines: Iterable[TextLine], label: str = "") -> tuple[Passage, ...]:
    """The lines as one passage; none where all are empty."""
    kept = trim_lines(list(lines))
    if not kept:
        return ()
    text = "\n".join(" " * line.indent + line.text for line in kept)
    return (Passage(text, kept[0].number, kept[-1].number, label),)


def trim_lines(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines without empty ones at either end."""
    first, last = 0, len(lines)
    while first < last and not lines[first].text:
        first += 1
    while first < last and not lines[last - 1].text:
        last -= 1
    return lines[first:last]


def _build_line(number: int, raw: str) -> TextLine:
    page = "\f" in raw
    text = raw.replace("\f", "").expandtabs(8).rstrip()
    lead = text.startswith(":") and _DEFINITION.match(text) is not None
    if lead:
        text = " " + text[1:]
    words = _BREAK.sub("", text).strip(" ") if "<br" in text else text.lstrip(" ")
    return TextLine(number, len(text) - len(text.lstrip(" ")) if words else 0, words, page, lead)


def _unescape_html(text: str) -> str:
    """Signs that were written for HTML; where both kinds occur, somebody speaks of them."""
    if "<" in text or not _ENTITY.search(text):
        return text
    return _ENTITY.sub(lambda match: _CHARACTER[match[1]], text)


def _unquote_lines(lines: list[str]) -> list[str]:
    """A text quoted in a letter, without the signs of quotation."""
    written = sum(1 for line in lines if line.strip())
    quoted = sum(1 for line in lines if line.startswith(">"))
    if quoted < 3 or quoted < _NEARLY_ALL * written:
        return lines
    return [_QUOTED.sub("", line, count=1) for line in lines]


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


def remove_page_breaks(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[list[TextLine]]]:
    """The lines with the text joined across pages, and what stood between, break by break."""
    kept: list[TextLine] = []
    breaks: list[list[TextLine]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not _FOOTER.search(line.text[-160:]):
            kept.append(line)
            at += 1
            continue
        between = [line]
        at = _skip_blanks(lines, at + 1)
        if at < len(lines) and _is_page_header(lines, at):
            between.append(lines[at])
            at = _skip_blanks(lines, at + 1)
        breaks.append(between)
        _join_split_lines(kept, lines[at] if at < len(lines) else None, line.number)
    return kept, breaks


def _skip_blanks(lines: Sequence[TextLine], at: int) -> int:
    while at < len(lines) and not lines[at].text:
        at += 1
    return at


def _is_page_header(lines: Sequence[TextLine], at: int) -> bool:
    line = lines[at]
    if not line.page and (at == 0 or not lines[at - 1].page):
        return _HEADER.match(line.text[:200]) is not None
    # Behind a form feed, a line of its own with nothing below it is what stands above a page.
    alone = at + 1 >= len(lines) or not lines[at + 1].text
    return alone and (line.indent == 0 or _HEADER.match(line.text[:200]) is not None)


def _join_split_lines(kept: list[TextLine], following: TextLine | None, number: int) -> None:
    while kept and not kept[-1].text:
        kept.pop()
    if kept and following and not _is_continued(kept[-1], following):
        kept.append(TextLine(number, 0, ""))


def _is_continued(before: TextLine, after: TextLine) -> bool:
    """Whether the sentence before a page break goes on behind it."""
    if before.text.endswith(_ENDS_SENTENCE) or before.indent != after.indent:
        return False
    return after.text[:1].islower() or before.indent + len(before.text) >= _FULL
