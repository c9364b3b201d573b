"""A text as paragraphs, lists and what is preformatted, for formats that tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Final, TypeAlias

_RULE: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*[ \t]*=/?[ \t]")
_MARKER: Final = re.compile(r"(?P<dot>[-*+•] +)|(?:[0-9]{1,3}[.)]|\([0-9a-z]{1,3}\)) +")
_COLUMNS: Final = re.compile(r"\S {3,}\S")
_PROSE: Final = 45


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of words; where the author broke them on purpose, more than one."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """The entries of a list, one after the other or numbered, without their marks."""

    entries: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines that have to stay as they are; `language` where they are a grammar of that kind."""

    text: str
    language: str = ""


Block: TypeAlias = Paragraph | Items | Preformatted


def blocks(text: str) -> tuple[Block, ...]:
    """The parts of a text in order; empty lines and a change of kind divide them."""
    joined: list[Block] = []
    for block in _each(text):
        last = joined[-1] if joined else None
        if isinstance(block, Items) and isinstance(last, Items) and block.numbered == last.numbered:
            joined[-1] = Items((*last.entries, *block.entries), block.numbered)
        elif isinstance(block, Preformatted) and isinstance(last, Preformatted):
            joined[-1] = Preformatted(f"{last.text}\n\n{block.text}")
        else:
            joined.append(block)
    return tuple(joined)


def _each(text: str) -> Iterator[Block]:
    for chunk in re.split(r"\n\n+", text):
        lines = chunk.split("\n")
        start = next((at for at, line in enumerate(lines) if _MARKER.match(line)), len(lines))
        if start and chunk.strip():
            yield _plain(lines[:start])
        if start < len(lines):
            yield _items(lines[start:])


def _plain(lines: Sequence[str]) -> Block:
    moved_in = all(line.startswith(("  ", "\t")) for line in lines)
    if moved_in or _RULE.match(lines[0]) or any(_COLUMNS.search(line) for line in lines):
        return Preformatted(cleandoc("\n" + "\n".join(lines)))
    words = [" ".join(line.split()) for line in lines]
    if all(len(line) >= _PROSE for line in words[:-1]):
        return Paragraph((" ".join(words),))
    return Paragraph(tuple(words))


def _items(lines: Sequence[str]) -> Items:
    entries: list[str] = []
    numbered = False
    for line in lines:
        marker = _MARKER.match(line)
        if marker:
            numbered = marker["dot"] is None
            entries.append(line[marker.end() :])
        else:
            entries[-1] += f" {line.strip()}"
    return Items(tuple(" ".join(entry.split()) for entry in entries), numbered)
