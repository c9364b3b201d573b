"""The template as plain text, in the shape of RFC 8141, Appendix A, its lines wrapped."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from registry.template.fields import (
    BESIDE_SYNTAX,
    FIELDS,
    GRAMMAR_FIELD,
    GRAMMAR_KIND_FIELD,
    Field,
    Required,
)
from registry.template.template import LIST_FIELDS, Template

# A table, a drawing or a quotation: two blanks or a tab in front say "leave as it is". So does
# the left side of an ABNF rule, which may not go on at the margin.
_PREFORMATTED: Final = re.compile(r" {2}| ?\t|[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_BLANKS: Final = re.compile(r"[ \t]+")
_MARKER: Final = re.compile(r"(?:[-*+•]|[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_PAGE: Final = 80
_SLACK: Final = 4


def wrap_text(text: str, width: int) -> Iterator[str]:
    """The lines of `text`, each at most `width` long unless a single word or preformatted.

    A line break that is there stays, except in a paragraph that came wrapped for a page
    somewhat wider. Setting the result again changes nothing.
    """
    for paragraph in _group_paragraphs(text.split("\n")):
        if _find_margin(paragraph[0]) is None:
            yield from paragraph
        elif width < _measure_widest(paragraph) <= _PAGE and _is_filled(paragraph):
            yield from _fold_line(_join_lines(paragraph), width)
        else:
            for line in paragraph:
                yield from (line,) if len(line) <= width else _fold_line(line, width)


def indent_lines(lines: Iterable[str], depth: int) -> Iterator[str]:
    """The lines moved to the right, empty ones left empty."""
    margin = " " * depth
    return (margin + line if line else "" for line in lines)


def _group_paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines that may have been one: plain ones in a row, or an entry of a list."""
    paragraph: list[str] = []
    margin: int | None = None
    for line in lines:
        if paragraph and margin is not None and _begins_at_margin(margin, line):
            paragraph.append(line)
        else:
            if paragraph:
                yield paragraph
            paragraph, margin = [line], _find_margin(line)
    yield paragraph


def _find_margin(line: str) -> int | None:
    """Where a line that goes on with the sentence of this one would begin; None if none can."""
    if not line or _PREFORMATTED.match(line):
        return None
    marker = _MARKER.match(line)
    return marker.end() if marker else 0


def _begins_at_margin(margin: int, line: str) -> bool:
    if margin:
        return line.startswith(" " * margin) and not line[margin:].startswith((" ", "\t"))
    return _find_margin(line) == 0 and not line.startswith(" ")


def _measure_widest(lines: Sequence[str]) -> int:
    """How long the lines get; a single word had no choice and does not count."""
    return max((len(line) for line in lines if _BLANKS.search(line.strip())), default=0)


def _is_filled(lines: Sequence[str]) -> bool:
    """Whether every break stands where the next word had hardly room on the widest line."""
    room = _measure_widest(lines) - _SLACK
    ends = ((len(line), _BLANKS.split(after.strip())[0]) for line, after in pairwise(lines))
    return all(length + 1 + len(word) > room for length, word in ends)


def _join_lines(lines: Sequence[str]) -> str:
    """Return the lines as one; a dash behind a blank made no entry of a list, and makes none."""
    joined = " ".join(line.strip() for line in lines)
    return f" {joined}" if lines[0].startswith(" ") and _MARKER.match(joined) else joined


def _fold_line(line: str, width: int) -> Iterator[str]:
    """Break one line at blanks; the further lines hang below its text.

    One that begins with a dash or a number moves in by a blank: it is no entry of a list.
    """
    marker = _MARKER.match(line)
    hang = " " * (marker.end() if marker else len(line) - len(line.lstrip(" ")))
    first, *words = _BLANKS.split(line.strip(" \t"))
    built = first if marker else hang + first
    for word in words:
        gap = hang[len(built) :] or " "  # behind a marker as wide as it was
        if len(built) + len(gap) + len(word) <= width:
            built = f"{built}{gap}{word}"
        else:
            yield built
            built = (hang or " " if _MARKER.match(f"{word} ") else hang) + word
    yield built


# A label stands at the margin and ends in a colon. A value stands behind it when it is a line of
# the registry's or the identifier, else below it, three columns in; so a label is never mistaken
# for a value. What is kept beside Syntax stands at the end of Syntax under labels of its own,
# three columns in, its values six.

TEXT_WIDTH: Final = 72
TEXT_INDENT: Final = 3

GRAMMAR_LABELS: Final = {
    "": "Formal grammar:",
    "abnf": "Formal grammar (ABNF):",
    "regex": "Formal grammar (regular expression):",
    "opaque": "Formal grammar (none, names are opaque):",
    "algorithmic": "Formal grammar (none, names follow an algorithm):",
}
SYNTAX_LABELS: Final = {
    each.name: f"{each.label}:"
    for each in BESIDE_SYNTAX
    if each not in {GRAMMAR_KIND_FIELD, GRAMMAR_FIELD}
}
"""What stands at the end of Syntax behind the grammar, by the name of the field."""


def write(template: Template) -> str:
    """The canonical text: the same content gives the same bytes, ending in one line feed.

    Lines are at most 72 columns unless a word is longer or the line is preformatted. A field
    that has to be answered is there even when it is empty; an empty one that has not is left out.
    """
    written = (_write_field(each, template) for each in FIELDS)
    return "\n".join(text for text in written if text)


def sha256(template: Template) -> str:
    """The SHA-256 of the canonical text in UTF-8, in hexadecimal."""
    return hashlib.sha256(write(template).encode("utf-8")).hexdigest()


def _write_field(each: Field, template: Template) -> str:
    lines = list(_write_value(each, template))
    if not lines:
        optional = each.required in (Required.NEVER, Required.REVISION)
        return "" if optional else f"{each.label}:\n"
    if each.rows == 1 and len(lines) == 1:
        return f"{each.label}: {lines[0].strip()}\n"
    return "\n".join((f"{each.label}:", *indent_lines(lines, TEXT_INDENT), ""))


def _write_value(each: Field, template: Template) -> Iterator[str]:
    text = template[each.name]
    if text:
        yield from wrap_text(text, TEXT_WIDTH - TEXT_INDENT)
    if each.name == "syntax":
        yield from _write_syntax_blocks(template, gap=bool(text))


def _write_syntax_blocks(template: Template, *, gap: bool) -> Iterator[str]:
    for label, lines in _list_syntax_blocks(template):
        if gap:
            yield ""
        gap = True
        yield label
        if lines:
            yield ""
            yield from indent_lines(lines, TEXT_INDENT)


def _list_syntax_blocks(template: Template) -> Iterator[tuple[str, list[str]]]:
    if template.grammar or template.grammar_kind:
        grammar = template.grammar.split("\n") if template.grammar else []
        yield GRAMMAR_LABELS[template.grammar_kind], grammar
    for name, label in SYNTAX_LABELS.items():
        if text := template[name]:
            width = TEXT_WIDTH - 2 * TEXT_INDENT
            yield label, text.split("\n") if name in LIST_FIELDS else list(wrap_text(text, width))
