"""The template as a section of an Internet-Draft, to be pasted among the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Final, TypeAlias

from registry.template.fields import FIELDS
from registry.template.template import LIST_FIELDS, Template
from registry.template.text import GRAMMAR_LABELS, SYNTAX_LABELS

_RULE: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_MARKER: Final = re.compile(r"(?P<dot>[-*+•] +)|(?:[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_COLUMNS: Final = re.compile(r"\S {3,}\S")
_PROSE: Final = 45


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of words; where the author broke them on purpose, more than one."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListItems:
    """The entries of a list, one after the other or numbered, without their marks."""

    entries: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines that have to stay as they are; `language` where they are a grammar of that kind."""

    text: str
    language: str = ""


Block: TypeAlias = Paragraph | ListItems | Preformatted


def split_blocks(text: str) -> tuple[Block, ...]:
    """The parts of a text in order; empty lines and a change of kind divide them."""
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
        start = next((at for at, line in enumerate(lines) if _MARKER.match(line)), len(lines))
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
        marker = _MARKER.match(line)
        if marker:
            numbered = marker["dot"] is None
            entries.append(line[marker.end() :])
        else:
            entries[-1] += f" {line.strip()}"
    return ListItems(tuple(" ".join(entry.split()) for entry in entries), numbered)


# Both forms are a definition list with the labels of RFC 8141, Appendix A. What is empty is left
# out. RFCXML is that of RFC 7991, kramdown the dialect that kramdown-rfc turns into it.

_TITLE: Final = "URN Namespace Registration"
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
    """A `<section>` of RFCXML version 3, well-formed whatever the template holds."""
    lines = [f'<section anchor="{_build_anchor(template)}">', f"  <name>{_TITLE}</name>"]
    lines.append('  <dl newline="true">')
    for label, value in _list_values(template):
        lines += [f"    <dt>{label}:</dt>", "    <dd>"]
        lines += [f"      {_write_xml(block)}" for block in value]
        lines.append("    </dd>")
    return "\n".join([*lines, "  </dl>", "</section>", ""])


def kramdown(template: Template) -> str:
    """A section in kramdown, its signs escaped so that nothing is taken for a mark."""
    parts = [f"# {_TITLE} {{#{_build_anchor(template)}}}"]
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
        value = list(split_blocks(template[each.name]))
        if each.name == "syntax":
            value += _list_syntax_blocks(template)
        if value:
            yield each.label, value


def _list_syntax_blocks(template: Template) -> Iterator[Block]:
    if template.grammar or template.grammar_kind:
        yield Paragraph((GRAMMAR_LABELS[template.grammar_kind],))
    if template.grammar:
        yield Preformatted(template.grammar, template.grammar_kind)
    for name, label in SYNTAX_LABELS.items():
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
        # Two blanks at its end keep a line apart from the next.
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
