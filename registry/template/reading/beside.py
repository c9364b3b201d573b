"""What is kept beside Syntax, taken from the end of the Syntax text where `write` put it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from registry.template.text import (
    COUNTER_EXAMPLES_LABEL,
    EXAMPLES_LABEL,
    GRAMMAR_LABELS,
    PRIOR_USE_LABEL,
)

_RANK: Final = {
    **dict.fromkeys(GRAMMAR_LABELS.values(), 0),
    EXAMPLES_LABEL: 1,
    COUNTER_EXAMPLES_LABEL: 2,
    PRIOR_USE_LABEL: 3,
}
_NAMES: Final = ("grammar", "examples", "counter_examples", "prior_use")
_KINDS: Final = {label: kind for kind, label in GRAMMAR_LABELS.items()}
_LISTS: Final = frozenset({"examples", "counter_examples"})
_NAME: Final = re.compile(r"urn:\S+", re.I)


def splits(syntax: str) -> Iterator[dict[str, str]]:
    """The Syntax text and what may stand at its end, from as much as possible to nothing."""
    lines = syntax.split("\n")
    places = _places(lines)
    for first in range(len(places)):
        yield _split(lines, places[first:])
    yield {"syntax": syntax}


def split(syntax: str) -> dict[str, str]:
    """The Syntax text and what stands at its end, where nothing else can be meant."""
    for parts in splits(syntax):
        lists = (parts.get(name, "urn:a") for name in sorted(_LISTS))
        if all(_NAME.fullmatch(line) for text in lists for line in text.split("\n")):
            return parts
    return {"syntax": syntax}


def _places(lines: Sequence[str]) -> list[int]:
    """Where labels stand at the margin, as long as all below them is empty or moved in."""
    places: list[int] = []
    rank = len(_NAMES)
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if line and not line.startswith("  "):
            if _RANK.get(line, rank) >= rank or (at and lines[at - 1]):
                break
            rank = _RANK[line]
            places.append(at)
    return places[::-1]


def _split(lines: Sequence[str], places: Sequence[int]) -> dict[str, str]:
    parts = {"syntax": "\n".join(lines[: places[0]])}
    for start, end in pairwise([*places, len(lines)]):
        name = _NAMES[_RANK[lines[start]]]
        if name == "grammar":
            parts["grammar_kind"] = _KINDS[lines[start]]
        below = lines[start + 1 : end]
        margin = min((len(line) - len(line.lstrip(" ")) for line in below if line), default=0)
        margin = min(margin, 3)
        text = "\n".join(line[margin:] for line in below).strip("\n")
        if name in _LISTS:
            text = "\n".join(line.strip() for line in text.split("\n") if line)
        parts[name] = text
    return {name: text for name, text in parts.items() if text or name == "syntax"}
