"""Graphs as Turtle (RDF 1.1 Turtle). The same nodes give the same octets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from registry.exports.rdf.graph import IRI, Node, Term, Value, prefixes

SHORT: Final = re.compile(r"(?P<prefix>[a-z]+):(?P<local>[A-Za-z_][A-Za-z0-9_-]*)")
ESCAPES: Final = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
ESCAPED: Final = re.compile(r'[\\"\x00-\x1f\x7f\ud800-\udfff]')
BARRED: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


def turtle(nodes: Iterable[Node], site: str) -> Iterator[str]:
    """Yield the document: the prefixes, then a paragraph for each thing."""
    known = prefixes(site)
    yield "".join(f"@prefix {name}: <{start}> .\n" for name, start in known.items())
    for each in nodes:
        yield f"\n{paragraph(each, known)}"


def paragraph(each: Node, known: Mapping[str, str]) -> str:
    """Return what is said of one thing."""
    said = [("a", ", ".join(each.types))] if each.types else []
    said += [(name, term(value, known)) for name, value in each.said]
    return f"{term(each.id, known)}\n    " + " ;\n    ".join(map(" ".join, said)) + " .\n"


def term(value: Term, known: Mapping[str, str]) -> str:
    """Return a thing or a value as Turtle writes it."""
    if isinstance(value, IRI):
        return name(value, known)
    written = f'"{ESCAPED.sub(escape, value.text)}"'
    return written + behind(value)


def behind(value: Value) -> str:
    """Return what stands behind the text of a value: its language or its type."""
    if value.language:
        return f"@{value.language}"
    return f"^^{value.datatype}" if value.datatype else ""


def name(value: IRI, known: Mapping[str, str]) -> str:
    """Return what stands for a thing, by a prefix where it has one."""
    short = SHORT.fullmatch(value)
    if short and short["prefix"] in known:
        return str(value)
    return f"<{BARRED.sub(lambda found: f'%{ord(found[0]):02X}', value)}>"


def escape(found: re.Match[str]) -> str:
    """Return how a character is written within a text; half a character is not to be written."""
    if "\ud800" <= found[0] <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"
