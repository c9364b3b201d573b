"""The lines of a text that is read, and the result of reading it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from registry.template.reading.label_layouts import (
    read_json,
    set_labels_plainly,
    undo_escapes,
    undo_quotes,
)
from registry.template.reading.mail import MailLine, undo_mail
from registry.template.reading.markup import is_markup, is_mostly_markup, read_markup
from registry.template.reading.tables import read_csv, read_tables
from registry.template.template import Template
from registry.template.text import SECTION_TITLE

Generation: TypeAlias = Literal["8141", "3406", "2611", "mixed", ""]
"""The RFC whose template the text follows; "mixed" with labels of both, "" without any."""


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

    `old_field` is its name in the older template, empty if RFC 8141 has the same; `value` is what
    was found there, without the words that introduce it in the field.
    """

    label: str
    old_field: str
    first: int
    last: int
    value: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ReadField:
    """A field that was found, the value taken from it, and remarks for people."""

    name: str
    value: str
    sources: tuple[Source, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOutRule:
    """Lines that define something and are not part of a grammar, and the reason."""

    text: str
    first: int
    last: int
    reason: str

    @property
    def remark(self) -> str:
        """The lines, where they are, and the reason, in one sentence for people."""
        where = (
            f"line {self.first}"
            if self.first == self.last
            else f"lines {self.first} to {self.last}"
        )
        return f"Left out, {where}: “{' '.join(self.text.split())}”. {self.reason}"


@dataclass(frozen=True, slots=True)
class FoundGrammar:
    """A grammar in the text of Syntax.

    `grammar` is its text in readable form, `kind` "abnf" or "regex", `start` the rule that
    describes a name; `left_out` is what it was written with besides. An unreadable one has an empty
    `kind`, `written` as it is in the text, and the reason in `problem`.
    """

    kind: str
    grammar: str
    written: str
    start: str = ""
    problem: str = ""
    remarks: tuple[str, ...] = ()
    left_out: tuple[LeftOutRule, ...] = ()

    @property
    def all_remarks(self) -> tuple[str, ...]:
        """The remarks, and those on what was left out."""
        return (*self.remarks, *(rule.remark for rule in self.left_out))


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A field that refers to a section, and the section if the document itself has it.

    `wording` is the reference as it is in the field, `is_whole` says that the field has nothing
    else. `document` is empty for the document that was read. A section that was not found has no
    `text`.
    """

    field: str
    wording: str
    target: str
    document: str = ""
    title: str = ""
    text: str = ""
    first: int = 0
    last: int = 0
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of a text, and what was not.

    `fields` has those that were found, in reading order. `left_over` is text that belongs to no
    field, `taken_out` what is not content: headers and footers of pages, formatting marks. Each
    line that is not empty is in one of the three. `grammars` and `examples` are what could be moved
    out of the text of Syntax to fields of their own, `references` the sections of the document, or
    of others, that fields refer to.
    """

    template: Template
    generation: Generation = ""
    fields: tuple[ReadField, ...] = ()
    left_over: tuple[Passage, ...] = ()
    taken_out: tuple[Passage, ...] = ()
    remarks: tuple[str, ...] = ()
    grammars: tuple[FoundGrammar, ...] = ()
    examples: tuple[str, ...] = ()
    references: tuple[FoundReference, ...] = ()

    def found(self, name: str) -> ReadField | None:
        """The field by name; None if the text does not have it."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last line of the template, counted from 1; zeros if there is none.

        The sections on considerations, which may be far away, do not count.
        """
        own = [
            source
            for each in self.fields
            for source in each.sources
            if each.name not in ("purpose", "security_privacy")
            or not source.label.lower().endswith("considerations")
        ]
        if not own:
            return 0, 0
        return min(each.first for each in own), max(each.last for each in own)

    @property
    def left_inside(self) -> tuple[Passage, ...]:
        """What is between the first and the last line of the template and in no field."""
        first, last = self.span
        return tuple(each for each in self.left_over if first <= each.first and each.last <= last)

    @property
    def is_update(self) -> bool:
        """Whether the text only replaces fields of a registration that is elsewhere."""
        return bool(self.fields) and not self.template.nid and not self.template.syntax


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


class TextLine(NamedTuple):
    """One line: its number in the text as given, its indentation, and its words.

    `page` says that it contained a form feed, `lead` that it began with the colon of a definition
    list, which is a space now. `last` is the number of the last line if a mail program split it, 0
    otherwise.
    """

    number: int
    indent: int
    text: str
    page: bool = False
    lead: bool = False
    last: int = 0

    @property
    def last_number(self) -> int:
        """The number of the last line in the text as given."""
        return self.last or self.number


class SplitText(NamedTuple):
    """The lines of a text, those that only controlled formatting, and those that somebody wrote
    between the lines of a quotation.
    """

    lines: list[TextLine]
    marks: list[list[TextLine]]
    asides: list[TextLine]


def split_lines(text: str, *, is_unusual: bool = False) -> SplitText:
    """The lines of a text, without what mail programs and formatters add.

    With `is_unusual` labels are looked for that are set in ways that few people use.
    """
    mailed = undo_mail(_unescape_html(_LINE_END.sub("\n", text).translate(_BLANKS)))
    plain = _undo_layout(mailed, is_unusual)
    lines: list[TextLine] = []
    marks: list[list[TextLine]] = []
    asides: list[TextLine] = []
    fence = ""
    front = _measure_front_matter(plain)
    for at, each in enumerate(plain):
        line = _build_line(each)
        fence = _follow_fence(fence, line.text)
        if each.is_markup:
            marks.append([line])
            continue
        if at < front:
            if at:
                marks[-1].append(line)
            else:
                marks.append([line])
        elif each.is_aside:
            asides.append(line)
        elif not fence and _is_mark(plain, at, line.text):
            marks.append([line])
        else:
            lines.append(line)
            continue
        lines.append(TextLine(line.number, 0, ""))
    return SplitText(lines, marks, asides)


def _undo_layout(lines: list[MailLine], is_unusual: bool) -> list[MailLine]:
    """The lines with a label and a colon before each value, whatever marks or draws them."""
    text = "\n".join(line.text for line in lines)
    if (is_unusual or is_mostly_markup(text)) and is_markup(text):
        return read_markup(lines)
    lines = read_tables(read_json(lines))
    if is_unusual:
        lines = set_labels_plainly(read_csv(lines))
    return undo_escapes(undo_quotes(lines))


_FENCE: Final = re.compile(r"(`{3,}|~{3,})")
_SEPARATOR: Final = re.compile(r"---(?: (?:abstract|middle|back|note[\w ]{0,40}))?")
_FRONT_KEY: Final = re.compile(r"[A-Za-z][\w-]{0,40}:(?: |$)")
_OUR_TITLE: Final = re.compile(rf"#{{1,6}} {SECTION_TITLE}(?: \{{#[\w-]{{1,80}}\}})?")
_MAX_FRONT_MATTER: Final = 400


def _follow_fence(fence: str, text: str) -> str:
    """The fence of the code block that continues after this line, if any."""
    found = _FENCE.match(text)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and text == found[1] else fence


def _measure_front_matter(lines: Sequence[MailLine]) -> int:
    """How many lines at the beginning are metadata for a formatter, such as YAML."""
    first = next((at for at, line in enumerate(lines) if line.text.strip()), len(lines))
    if first == len(lines) or lines[first].text.strip() != "---":
        return 0
    keys = 0
    for at in range(first + 1, min(len(lines), first + _MAX_FRONT_MATTER)):
        text = lines[at].text.rstrip()
        if text in ("---", "...") or _SEPARATOR.fullmatch(text):
            return at + 1 if keys else 0
        keys += _FRONT_KEY.match(text) is not None
    return 0


def _is_mark(lines: Sequence[MailLine], at: int, text: str) -> bool:
    """Whether a line is only formatting: attributes, the start of a part, or our own title."""
    if text.startswith("{") and _ATTRIBUTES.fullmatch(text):
        return True
    if text.startswith("#") and _OUR_TITLE.fullmatch(text):
        return True
    # Directly below a line of words three dashes underline a title.
    alone = at == 0 or not lines[at - 1].text.strip()
    return alone and text.startswith("---") and _SEPARATOR.fullmatch(text) is not None


def build_passages(lines: Iterable[TextLine], label: str = "") -> tuple[Passage, ...]:
    """The lines as one passage; None if all are empty."""
    kept = trim_lines(list(lines))
    if not kept:
        return ()
    text = "\n".join(" " * line.indent + line.text for line in kept)
    return (Passage(text, kept[0].number, kept[-1].last_number, label),)


def trim_lines(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines without empty ones at either end."""
    first, last = 0, len(lines)
    while first < last and not lines[first].text:
        first += 1
    while first < last and not lines[last - 1].text:
        last -= 1
    return lines[first:last]


def _build_line(mailed: MailLine) -> TextLine:
    raw = mailed.text
    page = "\f" in raw
    text = raw.replace("\f", "").expandtabs(8).rstrip()
    lead = text.startswith(":") and _DEFINITION.match(text) is not None
    if lead:
        text = " " + text[1:]
    words = _BREAK.sub("", text).strip(" ") if "<br" in text else text.lstrip(" ")
    indent = len(text) - len(text.lstrip(" ")) if words else 0
    last = mailed.last if mailed.last > mailed.first else 0
    return TextLine(mailed.first, indent, words, page, lead, last)


def _unescape_html(text: str) -> str:
    """Decode HTML's references, unless the text has both kinds, and so is about them."""
    if "<" in text or not _ENTITY.search(text):
        return text
    return _ENTITY.sub(lambda match: _CHARACTER[match[1]], text)


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
    """The lines with the text joined across pages, and what was in between, break by break."""
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
    # After a form feed, a line alone with nothing below it is a page header.
    alone = at + 1 >= len(lines) or not lines[at + 1].text
    return alone and (line.indent == 0 or _HEADER.match(line.text[:200]) is not None)


def _join_split_lines(kept: list[TextLine], following: TextLine | None, number: int) -> None:
    while kept and not kept[-1].text:
        kept.pop()
    if kept and following and not _is_continued(kept[-1], following):
        kept.append(TextLine(number, 0, ""))


def _is_continued(before: TextLine, after: TextLine) -> bool:
    """Whether the sentence before a page break continues after it."""
    if before.text.endswith(_ENDS_SENTENCE) or before.indent != after.indent:
        return False
    return after.text[:1].islower() or before.indent + len(before.text) >= _FULL
