"""RFCXML and HTML as the lines of a plain text, with a label before each value.

Version 2 of RFCXML is read as well (RFC 7749); version 3 is that of RFC 7991.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple

from registry.template.reading.mail import MailLine
from registry.template.reading.tables import TableRow, find_label, write_rows
from registry.template.text import GRAMMAR_LABELS, SECTION_TITLE, SUBFIELD_LABELS

_STRUCTURE: Final = re.compile(
    r"</(?:section|name|t|dt|dd|dl|li|list|h[1-6]|p|td|tr|c|texttable|artwork|sourcecode|div|figure"
    r"|summary|legend|label|term)\s*>"
    r"|<(?:dt|dd|td|th|tr|h[1-6]|br ?/?)>",
    re.I,
)
_ENOUGH: Final = 3
_SHARE: Final = 5
_TAG: Final = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]{0,30})"
    r"(?P<attributes>(?:\s+[\w:-]{1,40}(?:\s*=\s*(?:\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'|[\w.#-]{1,80}))?"
    r"){0,30})\s*(?P<empty>/?)>"
)
_ATTRIBUTE: Final = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_SKIPPED: Final = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}
_UNREAD: Final = frozenset({"script", "style", "svg"})
_PREFORMATTED: Final = frozenset({"artwork", "sourcecode", "pre"})
_HEADINGS: Final = frozenset(
    {"name", "title", "summary", "legend", "label", "term", "h1", "h2", "h3", "h4", "h5", "h6"}
)
_LISTS: Final = frozenset({"list", "ul", "ol", "dl"})
_INLINE: Final = frozenset(
    "a abbr b bcp14 cite code contact cref del dfn em eref font i iref ins kbd mark q relref small"
    " spanx span strong sub sup tt u var xref".split()
)
_END_TAG: Final = re.compile(r"</([A-Za-z][\w-]{1,40})>")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CITED: Final = re.compile(r"(?:RFC|I-D\.|BCP|STD|W3C|ISO)", re.I)
_INDENT: Final = "   "
_SUBFIELD_LABELS: Final = frozenset(
    [
        *GRAMMAR_LABELS.values(),
        *(label for labels in SUBFIELD_LABELS.values() for label in labels.values()),
    ]
)


class Token(NamedTuple):
    """A tag with its attributes, or text; and the position where it begins."""

    at: int
    text: str = ""
    tag: str = ""
    is_end: bool = False
    attributes: Mapping[str, str] = MappingProxyType({})
    label: str = ""


def is_markup(text: str) -> bool:
    """Whether a text is RFCXML or HTML, and not one that only has angle brackets."""
    enough = 1 if text.lstrip().startswith("<") else _ENOUGH
    structure = list(islice(_STRUCTURE.finditer(text), enough))
    return len(structure) == enough or bool(_find_elements(text))


def is_mostly_markup(text: str) -> bool:
    """Whether a text is little else than RFCXML or HTML, and does not quote a few tags."""
    if text.lstrip().startswith("<"):
        return True
    tags = sum(found[0].startswith("</") for found in _STRUCTURE.finditer(text))
    return _SHARE * tags > sum(1 for line in text.split("\n") if line.strip())


def _find_elements(text: str) -> dict[str, str]:
    """Elements that are named after fields, with the labels of those; none if there are few."""
    found = {name: find_label(_CAMEL.sub(" ", name)) for name in _END_TAG.findall(text)}
    elements = {name: label for name, label in found.items() if label}
    return elements if len(elements) > _ENOUGH else {}


def read_markup(lines: list[MailLine]) -> list[MailLine]:
    """The words of a marked up text, one line for each block, and lines of tags alone."""
    text = "\n".join(line.text for line in lines)
    writer = _Writer(lines)
    for token in _list_tokens(text, _find_elements(text)):
        writer.take(token)
    writer.end_block()
    written = {number for line in writer.lines if line.text for number in _count(line)}
    rest = [
        line._replace(is_markup=True)
        for line in lines
        if line.text.strip() and not written.issuperset(_count(line))
    ]
    # Blank lines have no number of their own, and stay where they are.
    return sorted([*writer.lines, *rest], key=lambda line: line.first)


def _count(line: MailLine) -> range:
    return range(line.first, line.last + 1)


def _list_tokens(text: str, elements: Mapping[str, str]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        opening = text.find("<", at)
        if opening < 0:
            opening = len(text)
        if opening > at:
            yield Token(at, html.unescape(text[at:opening]))
        if opening == len(text):
            return
        at = opening
        found = _TAG.match(text, at)
        if found:
            tag = found["name"].lower()
            attributes = {
                name.lower(): html.unescape(first or second)
                for name, first, second in _ATTRIBUTE.findall(found["attributes"])
            }
            label = elements.get(found["name"], "")
            yield Token(at, "", tag, bool(found["end"]), attributes, label)
            at = found.end()
            if found["empty"] and not found["end"]:
                yield Token(at, "", tag, True)
            elif tag in _UNREAD and not found["end"]:
                at = _skip(text, f"</{tag}", at)
            continue
        begins = next((each for each in _SKIPPED if text.startswith(each, at)), "")
        if not begins:
            yield Token(at, "<")
            at += 1
            continue
        end = _skip(text, _SKIPPED[begins], at)
        if begins == "<![CDATA[":
            yield Token(at + 9, text[at + 9 : end - 3])
        at = end


def _skip(text: str, closing: str, at: int) -> int:
    end = text.find(closing, at)
    return len(text) if end < 0 else end + len(closing)


class _Writer:
    """The lines of a text as its tags are read."""

    def __init__(self, lines: list[MailLine]) -> None:
        self.lines: list[MailLine] = []
        self._source = lines
        self._starts: list[int] = []
        position = 0
        for line in lines:
            self._starts.append(position)
            position += len(line.text) + 1
        self._words: list[str] = []
        self._first = self._last = 0
        self._depth = 0
        self._anchors: list[str] = []
        self._lists: list[str] = []
        self._counts: list[int] = []
        self._mark = ""
        self._preformatted: list[tuple[int, str]] | None = None
        self._rows: list[TableRow] = []
        self._cells: list[str] | None = None
        self._columns = 0
        self._references: list[str] = []
        self._continues = self._is_term = self._is_cell = False
        self._is_ours = self._is_inner = False

    def take(self, token: Token) -> None:
        """Read the next token."""
        if not token.tag:
            self._take_text(token)
        elif self._preformatted is not None and token.tag not in _PREFORMATTED:
            pass
        elif token.tag in _INLINE:
            self._take_inline(token)
        elif token.is_end:
            self._end(token)
        else:
            self._begin(token)

    def _number(self, position: int) -> MailLine:
        return self._source[bisect_right(self._starts, position) - 1]

    def _take_text(self, token: Token) -> None:
        if self._preformatted is not None:
            position = token.at
            for line in token.text.split("\n"):
                self._preformatted.append((position, line))
                position += len(line) + 1
            return
        words = token.text
        if words.strip():
            lead = len(words) - len(words.lstrip())
            first = self._number(token.at + lead).first
            last = self._number(token.at + len(words.rstrip()) - 1).last
            self._first = min(self._first or first, first)
            self._last = max(self._last, last)
            if self._references:
                self._references[-1] = ""
        if words:
            self._words.append(words)

    def _take_inline(self, token: Token) -> None:
        """A reference without words of its own has those that a formatter would put there."""
        if token.tag not in ("xref", "eref", "relref"):
            return
        if not token.is_end:
            target = token.attributes.get("target", "")
            section = token.attributes.get("section", "")
            if _CITED.match(target) or token.tag == "relref":
                words = f"Section {section} of [{target}]" if section else f"[{target}]"
            else:
                words = target if token.tag == "eref" else f"{{{{{target}}}}}"
            self._references.append(words)
        elif self._references:
            words = self._references.pop()
            if words:
                self._take_text(Token(token.at, words))

    def _begin(self, token: Token) -> None:
        tag = token.tag
        if tag in ("br", "vspace"):
            self._break()
            return
        if tag in ("dd", "td", "th", "tr"):
            # HTML does not ask for the end of what precedes.
            self._end_open(token)
        self.end_block()
        if token.label:
            self._lists.append("dl")
            self._write_label(token.label, token.at)
        elif tag in _LISTS:
            self._begin_list(token)
        elif tag in _PREFORMATTED:
            self._preformatted = []
        elif tag in _BEGINNINGS:
            _BEGINNINGS[tag](self, token)

    def _end_open(self, token: Token) -> None:
        if self._is_term:
            self._end_label(token)
        elif self._is_cell:
            self._end_cell(token)

    def _begin_section(self, token: Token) -> None:
        self._depth += 1
        self._anchors.append(token.attributes.get("anchor", ""))
        if token.attributes.get("title"):
            self._write_heading(token.attributes["title"], token.at)

    def _begin_list(self, token: Token) -> None:
        kind = token.tag
        if kind == "list":
            style = token.attributes.get("style", "hanging")
            kind = {"hanging": "dl", "symbols": "ul", "empty": ""}.get(style, "ol")
        self._lists.append(kind)
        self._counts.append(0)

    def _begin_term(self, token: Token) -> None:
        self._is_term = True

    def _begin_table(self, token: Token) -> None:
        self._rows, self._columns = [], 0

    def _begin_row(self, token: Token) -> None:
        self._end_row()
        self._cells = []

    def _begin_cell(self, token: Token) -> None:
        self._is_cell = True

    def _begin_column(self, token: Token) -> None:
        self._columns += 1

    def _begin_item(self, token: Token) -> None:
        if "hangtext" in token.attributes:
            self._write_label(token.attributes["hangtext"], token.at)
        elif self._lists and self._lists[-1] in ("ul", "ol"):
            self._begin_entry(token)

    def _begin_entry(self, token: Token) -> None:
        if self._lists and self._counts:
            self._counts[-1] += 1
            self._mark = f"{self._counts[-1]}. " if self._lists[-1] == "ol" else "- "

    def _end(self, token: Token) -> None:
        tag = token.tag
        if tag in _PREFORMATTED:
            self._end_preformatted()
        elif tag in _HEADINGS:
            self._end_heading(token)
        elif tag == "dt":
            self._end_label(token)
        elif tag in ("td", "th", "c", "ttcol"):
            self._end_cell(token)
        elif tag == "tr":
            self._end_open(token)
            self._end_row()
        elif tag in ("table", "texttable"):
            self._end_open(token)
            self._end_row()
            self._write_table()
        elif tag not in ("br", "vspace"):
            self.end_block()
            self._end_block_of(token)

    def _end_block_of(self, token: Token) -> None:
        if token.tag == "section" and self._depth:
            self._depth -= 1
            self._anchors.pop()
        elif token.label and self._lists:
            self._lists.pop()
        elif token.tag in _LISTS and self._lists and self._counts:
            self._lists.pop()
            self._counts.pop()

    def _end_row(self) -> None:
        if self._cells:
            self._rows.append(TableRow(tuple(self._cells), self._first, self._last))
            self._first = self._last = 0
        self._cells = None

    def _end_heading(self, token: Token) -> None:
        title = self._take_words()
        # In a section of ours what is at the end of a field has labels of its own.
        self._is_ours = self._is_ours or title == SECTION_TITLE
        if title:
            self._write_heading(title, token.at)
            self._first = self._last = 0

    def _end_label(self, token: Token) -> None:
        label = self._take_words()
        self._is_term = False
        if label:
            self._write_label(label, token.at)
            self._first = self._last = 0

    def _take_words(self) -> str:
        words = " ".join("".join(self._words).split())
        self._words = []
        return words

    def _write_heading(self, title: str, position: int) -> None:
        line = self._number(position)
        anchor = self._anchors[-1] if self._anchors else ""
        tail = f" {{#{anchor}}}" if anchor else ""
        first, last = self._first or line.first, max(self._last, line.last)
        self._add_blank(first)
        self.lines.append(
            MailLine(first, last, f"{'#' * max(1, min(self._depth, 6))} {title}{tail}")
        )
        self._add_blank(last)

    def _write_label(self, label: str, position: int) -> None:
        line = self._number(position)
        first, last = self._first or line.first, max(self._last, line.last)
        self._is_inner = False
        self._add_blank(first)
        margin = _INDENT * (self._lists.count("dl") - 1)
        self.lines.append(MailLine(first, last, f"{margin}{label.rstrip(' :')}:"))

    def _add_blank(self, number: int) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(MailLine(number, number, ""))

    def _get_margin(self) -> str:
        return _INDENT * (self._lists.count("dl") + self._is_inner)

    def _break(self) -> None:
        """A new line within a paragraph."""
        if self._cells is not None or self._rows or self._columns:
            self._words.append("\n")
        elif "".join(self._words).strip():
            self._write_block()
            self._continues = True
            self._mark = " " * len(self._mark)

    def end_block(self) -> None:
        """Write the paragraph that was read."""
        if self._cells is not None or self._columns:
            return
        if "".join(self._words).strip():
            self._write_block()
            self._mark = ""
        self._words = []
        self._continues = False

    def _write_block(self) -> None:
        words = self._take_words()
        is_label = self._is_ours and words in _SUBFIELD_LABELS
        if is_label:
            self._is_inner = False
        if not self._mark.strip() and not self._continues:
            self._add_blank(self._first)
        text = f"{self._get_margin()}{self._mark}{words}"
        self.lines.append(MailLine(self._first, self._last, text))
        self._first = self._last = 0
        self._is_inner = self._is_inner or is_label

    def _end_preformatted(self) -> None:
        rows = self._preformatted or []
        self._preformatted = None
        while rows and not rows[0][1].strip():
            rows.pop(0)
        while rows and not rows[-1][1].strip():
            rows.pop()
        if not rows:
            return
        self._add_blank(self._number(rows[0][0]).first)
        margin = min(len(row) - len(row.lstrip()) for _at, row in rows if row.strip())
        for position, row in rows:
            number = self._number(position).first
            inner = "" if self._is_inner else _INDENT
            text = f"{self._get_margin()}{inner}{row[margin:]}" if row.strip() else ""
            self.lines.append(MailLine(number, number, text.rstrip()))

    def _end_cell(self, token: Token) -> None:
        self._is_cell = False
        if token.tag == "ttcol":
            self._words = []
            self._first = self._last = 0
            return
        text = "\n".join(" ".join(row.split()) for row in "".join(self._words).split("\n"))
        self._words = []
        if token.tag == "c":
            if self._cells is None:
                self._cells = []
            self._cells.append(text.strip())
            if len(self._cells) == max(self._columns, 1):
                self._end_row()
        elif self._cells is not None:
            self._cells.append(text.strip())

    def _write_table(self) -> None:
        rows, self._rows, self._columns, self._cells = self._rows, [], 0, None
        self.lines += write_rows([row for row in rows if row.first])


_BEGINNINGS: Final[dict[str, Callable[[_Writer, Token], None]]] = {
    "section": _Writer._begin_section,
    "t": _Writer._begin_item,
    "li": _Writer._begin_entry,
    "dt": _Writer._begin_term,
    "table": _Writer._begin_table,
    "texttable": _Writer._begin_table,
    "tr": _Writer._begin_row,
    "td": _Writer._begin_cell,
    "th": _Writer._begin_cell,
    "c": _Writer._begin_cell,
    "ttcol": _Writer._begin_column,
}
