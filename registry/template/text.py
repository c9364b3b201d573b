"""The template as plain text: by RFC 8141, Appendix A, and as a section of an Internet-Draft."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from itertools import pairwise
from typing import Final, TypeAlias

from registry.template.fields import (
    FIELDS,
    GRAMMAR_FIELD,
    GRAMMAR_KIND_FIELD,
    SUBFIELDS,
    Field,
    Required,
)
from registry.template.template import LIST_FIELDS, Template

# A table, a drawing or a quotation: two spaces or a tab in front say "leave as it is". So does the
# left side of an ABNF rule, whose continuation must not be at the margin.
_PREFORMATTED: Final = re.compile(r" {2}| ?\t|[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_BLANKS: Final = re.compile(r"[ \t]+")
_MARKER: Final = re.compile(r"(?:[-*+•]|[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_PAGE: Final = 80
_SLACK: Final = 4


def wrap_text(text: str, width: int) -> Iterator[str]:
    """The lines of `text`, each at most `width` long unless a single word or preformatted.

    An existing line break stays, except in a paragraph that was wrapped for a somewhat wider page.
    Wrapping the result again changes nothing.
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
    """Where a continuation of this line's sentence would begin; None if there can be none."""
    if not line or _PREFORMATTED.match(line):
        return None
    marker = _MARKER.match(line)
    return marker.end() if marker else 0


def _begins_at_margin(margin: int, line: str) -> bool:
    if margin:
        return line.startswith(" " * margin) and not line[margin:].startswith((" ", "\t"))
    return _find_margin(line) == 0 and not line.startswith(" ")


def _measure_widest(lines: Sequence[str]) -> int:
    """The length of the longest line; a single word had no choice and does not count."""
    return max((len(line) for line in lines if _BLANKS.search(line.strip())), default=0)


def _is_filled(lines: Sequence[str]) -> bool:
    """Whether the next word hardly had room at every break, given the widest line."""
    room = _measure_widest(lines) - _SLACK
    ends = ((len(line), _BLANKS.split(after.strip())[0]) for line, after in pairwise(lines))
    return all(length + 1 + len(word) > room for length, word in ends)


def _join_lines(lines: Sequence[str]) -> str:
    """The lines as one; a dash after a space neither began a list item nor does now."""
    joined = " ".join(line.strip() for line in lines)
    return f" {joined}" if lines[0].startswith(" ") and _MARKER.match(joined) else joined


def _fold_line(line: str, width: int) -> Iterator[str]:
    """Wrap one line at spaces; continuation lines are indented to its text.

    A continuation that begins with a dash or a number is indented by a space: it is no list item.
    """
    marker = _MARKER.match(line)
    hang = " " * (marker.end() if marker else len(line) - len(line.lstrip(" ")))
    first, *words = _BLANKS.split(line.strip(" \t"))
    built = first if marker else hang + first
    for word in words:
        gap = hang[len(built) :] or " "  # after a marker, as wide as it was
        if len(built) + len(gap) + len(word) <= width:
            built = f"{built}{gap}{word}"
        else:
            yield built
            built = (hang or " " if _MARKER.match(f"{word} ") else hang) + word
    yield built


# A label is at the margin and ends in a colon. Its value is on the same line for the registry's own
# lines and the identifier, else below it, indented by three columns; so a label is never mistaken
# for a value. Subfields are at the end of their section under labels of their own, indented by
# three columns, their values by six.

TEXT_WIDTH: Final = 72
TEXT_INDENT: Final = 3

GRAMMAR_LABELS: Final = {
    "": "Formal grammar:",
    "abnf": "Formal grammar (ABNF):",
    "regex": "Formal grammar (regular expression):",
    "opaque": "Formal grammar (none, names are opaque):",
    "algorithmic": "Formal grammar (none, names follow an algorithm):",
}
SUBFIELD_LABELS: Final = {
    section: {
        each.name: each.label if each.label.endswith("?") else f"{each.label}:"
        for each in subfields
        if each not in {GRAMMAR_KIND_FIELD, GRAMMAR_FIELD}
    }
    for section, subfields in SUBFIELDS.items()
}
"""What is at the end of each section, in Syntax after the grammar, by the name of the field."""


def write(template: Template) -> str:
    """The canonical text: the same content gives the same bytes, ending in one line feed.

    Lines are at most 72 columns unless a word is longer or the line is preformatted. A required
    field is there even when it is empty; an optional empty one is left out.
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
    yield from _write_subfields(each.name, template, gap=bool(text))


def _write_subfields(section: str, template: Template, *, gap: bool) -> Iterator[str]:
    for label, lines in _list_subfields(section, template):
        if gap:
            yield ""
        gap = True
        yield label
        if lines:
            yield ""
            yield from indent_lines(lines, TEXT_INDENT)


def _list_subfields(section: str, template: Template) -> Iterator[tuple[str, list[str]]]:
    if section == "syntax" and (template.grammar or template.grammar_kind):
        grammar = template.grammar.split("\n") if template.grammar else []
        yield GRAMMAR_LABELS[template.grammar_kind], grammar
    for name, label in SUBFIELD_LABELS.get(section, {}).items():
        if text := template[name]:
            width = TEXT_WIDTH - 2 * TEXT_INDENT
            yield label, text.split("\n") if name in LIST_FIELDS else list(wrap_text(text, width))


_RULE: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_LIST_MARKER: Final = re.compile(r"(?P<dot>[-*+•] +)|(?:[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_COLUMNS: Final = re.compile(r"\S {3,}\S")
_PROSE: Final = 45


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of words; several if the author broke them on purpose."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListItems:
    """The entries of a list, bulleted or numbered, without their marks."""

    entries: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines that must stay as they are; `language` is set if they are a grammar of that kind."""

    text: str
    language: str = ""


Block: TypeAlias = Paragraph | ListItems | Preformatted


def split_blocks(text: str) -> tuple[Block, ...]:
    """The parts of a text in order; empty lines and a change of kind separate them."""
    joined: list[Block] = []
    for block in _iterate_blocks(text):
        last = joined[-1] if joined else None
        if (
            isinstance(block, ListItems)
            and isinstance(last, ListItems)
            and block.numbered == last.numbered
        ):
            joined[-1] = ListItems((*last.entries, *block.entries), block.numbered)
        elif isinstance(block, Preformatted) and isinstance(last, Preformatted):
            joined[-1] = Preformatted(f"{last.text}\n\n{block.text}")
        else:
            joined.append(block)
    return tuple(joined)


def _iterate_blocks(text: str) -> Iterator[Block]:
    for chunk in re.split(r"\n\n+", text):
        lines = chunk.split("\n")
        start = next((at for at, line in enumerate(lines) if _LIST_MARKER.match(line)), len(lines))
        if start and chunk.strip():
            yield _build_plain_block(lines[:start])
        if start < len(lines):
            yield _build_items(lines[start:])


def _build_plain_block(lines: Sequence[str]) -> Block:
    moved_in = all(line.startswith(("  ", "\t")) for line in lines)
    if moved_in or _RULE.match(lines[0]) or any(_COLUMNS.search(line) for line in lines):
        return Preformatted(cleandoc("\n" + "\n".join(lines)))
    words = [" ".join(line.split()) for line in lines]
    if all(len(line) >= _PROSE for line in words[:-1]):
        return Paragraph((" ".join(words),))
    return Paragraph(tuple(words))


def _build_items(lines: Sequence[str]) -> ListItems:
    entries: list[str] = []
    numbered = False
    for line in lines:
        marker = _LIST_MARKER.match(line)
        if marker:
            numbered = marker["dot"] is None
            entries.append(line[marker.end() :])
        else:
            entries[-1] += f" {line.strip()}"
    return ListItems(tuple(" ".join(entry.split()) for entry in entries), numbered)


# Both formats are a definition list with the labels of RFC 8141, Appendix A, without empty fields.
# RFCXML is that of RFC 7991, kramdown the dialect that kramdown-rfc converts to it.

SECTION_TITLE: Final = "URN Namespace Registration"
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9]+")
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_XML: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_KRAMDOWN: Final = {
    **{sign: f"\\{sign}" for sign in "\\*_`[]|$"},
    "&": "&amp;",
    "<": "&lt;",
    "{": "&#123;",
    "}": "&#125;",
}
_MARK_OF_LINE: Final = re.compile(r"([0-9]{0,9})([#>+=~:^.)-])")


def rfcxml(template: Template) -> str:
    """A `<section>` of RFCXML version 3, well-formed whatever the template contains."""
    lines = [f'<section anchor="{_build_anchor(template)}">', f"  <name>{SECTION_TITLE}</name>"]
    lines.append('  <dl newline="true">')
    for label, value in _list_values(template):
        lines += [f"    <dt>{label}:</dt>", "    <dd>"]
        lines += [f"      {_write_xml(block)}" for block in value]
        lines.append("    </dd>")
    return "\n".join([*lines, "  </dl>", "</section>", ""])


def kramdown(template: Template) -> str:
    """A section in kramdown, its signs escaped so that nothing is taken for markup."""
    parts = [f"# {SECTION_TITLE} {{#{_build_anchor(template)}}}"]
    for label, value in _list_values(template):
        below = "\n\n".join(map(_write_kramdown, value)).split("\n")
        moved = [f"  {line}" if line else "" for line in below]
        parts.append("\n".join([f"{label}:", f": {moved[0].lstrip()}", *moved[1:]]))
    return "\n\n".join(parts) + "\n"


def _build_anchor(template: Template) -> str:
    name = _NOT_IN_A_NAME.sub("-", template.nid.lower()).strip("-")
    return f"urn-namespace-{name}" if name else "urn-namespace"


def _list_values(template: Template) -> Iterator[tuple[str, list[Block]]]:
    for each in FIELDS:
        value = [*split_blocks(template[each.name]), *_build_subfields(each.name, template)]
        if value:
            yield each.label, value


def _build_subfields(section: str, template: Template) -> Iterator[Block]:
    if section == "syntax" and (template.grammar or template.grammar_kind):
        yield Paragraph((GRAMMAR_LABELS[template.grammar_kind],))
        if template.grammar:
            yield Preformatted(template.grammar, template.grammar_kind)
    for name, label in SUBFIELD_LABELS.get(section, {}).items():
        if text := template[name]:
            yield Paragraph((label,))
            yield from (Preformatted(text),) if name in LIST_FIELDS else split_blocks(text)


def _write_xml(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<t>{'<br/>'.join(map(_escape_xml, block.lines))}</t>"
    if isinstance(block, ListItems):
        tag = "ol" if block.numbered else "ul"
        entries = "".join(f"<li>{_escape_xml(entry)}</li>" for entry in block.entries)
        return f"<{tag}>{entries}</{tag}>"
    if block.language == "abnf":
        return f'<sourcecode type="abnf">\n{_escape_xml(block.text)}\n</sourcecode>'
    return f"<artwork>\n{_escape_xml(block.text)}\n</artwork>"


def _escape_xml(text: str) -> str:
    plain = _NOT_IN_XML.sub("\ufffd", text)
    return "".join(_XML.get(sign, sign) for sign in plain)


def _write_kramdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        # Two spaces at the end of a line keep it separate from the next.
        return "  \n".join(map(_escape_kramdown, block.lines))
    if isinstance(block, ListItems):
        return "\n".join(
            f"{f'{number}.' if block.numbered else '*'} {_escape_kramdown(entry)}"
            for number, entry in enumerate(block.entries, start=1)
        )
    fence = "~" * max(3, 1 + max(map(len, re.findall("~+", block.text)), default=0))
    language = " abnf" if block.language == "abnf" else ""
    return f"{fence}{language}\n{block.text}\n{fence}"


def _escape_kramdown(text: str) -> str:
    escaped = "".join(_KRAMDOWN.get(sign, sign) for sign in text)
    return _MARK_OF_LINE.sub(r"\1\\\2", escaped, count=1) if _MARK_OF_LINE.match(text) else escaped
