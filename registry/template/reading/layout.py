"""Which of the lines that look like labels are labels, judged by how the others are set."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from registry.template.reading.label import EDITION, Label, key
from registry.template.reading.lines import Line
from registry.template.reading.marks import Mark

_MAIL: Final = re.compile(
    r"(?:from|to|cc|subject|sent|reply-to|message-id|in-reply-to|list-id|mime-version)\s?:", re.I
)
_FACTS: Final = frozenset({"nid", "version", "date"})
_NEAR: Final = 2


class Layout(NamedTuple):
    """The labels in order, how most of them are set, and where a second template begins."""

    labels: tuple[Mark, ...]
    style: str
    indent: int
    second: int | None

    def is_set_alike(self, mark: Mark) -> bool:
        """Whether another line is set as most labels are."""
        return mark.style == self.style and mark.indent == self.indent


def layout(lines: Sequence[Line], marks: Sequence[Mark]) -> Layout:
    """The labels of the first template among lines that may be some."""
    places = {mark.at for mark in marks}
    marks = [mark for mark in marks if mark.at - 1 in places or _stands_free(lines, mark)]
    if not marks:
        return Layout((), "", 0, None)
    style, indent = _most_used(marks)
    old = _is_old(marks, style, indent)
    alike = {_name(mark) for mark in marks if (mark.style, mark.indent) == (style, indent)}
    fit = [mark for mark in marks if _fits(mark, style, indent, alike, old)]
    chosen, repeated = _once(lines, fit)
    second = _second(chosen, repeated)
    if second is not None:
        chosen = [mark for mark in chosen if mark.at < second]
    return Layout(tuple(chosen), style, indent, second)


def _label(mark: Mark) -> Label:
    label = mark.label
    assert label, "only labels are laid out"
    return label


def _name(mark: Mark) -> str:
    label = _label(mark)
    return label.field if label.field in _FACTS else label.name


def _stands_free(lines: Sequence[Line], mark: Mark) -> bool:
    """Whether the line is no part of a sentence, and no header of a letter."""
    before = lines[mark.at - 1] if mark.at else None
    after = lines[mark.at + 1] if mark.at + 1 < len(lines) else None
    if _label(mark).field == "date" and any(
        near and _MAIL.match(near.text) for near in (before, after)
    ):
        return False
    if mark.colon or mark.style in ("heading", "bold") or mark.height > 1:
        return True
    if before is None or not before.text or (after is not None and after.lead):
        return True
    return before.indent > mark.indent or before.text.endswith(":")


def _most_used(marks: Iterable[Mark]) -> tuple[str, int]:
    """The way in which most different labels are set."""
    names: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for mark in marks:
        names[mark.style, mark.indent].add(_name(mark))
    return max(names, key=lambda way: len(names[way]))


def _is_old(marks: Iterable[Mark], style: str, indent: int) -> bool:
    kinds = Counter(
        _label(mark).kind for mark in marks if (mark.style, mark.indent) == (style, indent)
    )
    return kinds["old"] > kinds["new"]


def _fits(mark: Mark, style: str, indent: int, alike: set[str], old: bool) -> bool:
    """Whether a line is one of the labels; what is set otherwise has to have good reasons."""
    label = _label(mark)
    if (mark.style, mark.indent) == (style, indent):
        return True
    if _name(mark) in alike:
        return False
    if label.field in _FACTS or label.field == EDITION:
        return mark.colon or mark.indent <= indent
    if abs(mark.indent - indent) <= _NEAR and mark.style == style:
        return True
    if not label.is_distinct or label.kind == ("new" if old else "old"):
        return label.is_distinct and mark.indent <= indent and mark.style in ("heading", "number")
    return mark.indent <= indent or mark.colon


def _once(lines: Sequence[Line], marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    """Each label once, the first that has a value; a table of contents has none."""
    ends = [*(mark.at for mark in marks[1:]), len(lines)]
    full = {
        mark.at
        for mark, end in zip(marks, ends, strict=True)
        if mark.value or any(lines[at].text for at in range(mark.at + mark.height, end))
    }
    taken: dict[str, Mark] = {}
    for mark in marks:
        before = taken.get(_name(mark))
        listed = before and before.at not in full and key(before.title) == key(mark.title)
        if before is None or (listed and mark.at in full):
            taken[_name(mark)] = mark
    chosen = {mark.at for mark in taken.values()}
    return (
        [mark for mark in marks if mark.at in chosen],
        [mark for mark in marks if mark.at not in chosen],
    )


def _second(chosen: Sequence[Mark], repeated: Sequence[Mark]) -> int | None:
    """Where a second template begins: an identifier again, and other fields after it."""
    first = next((mark.at for mark in chosen if _name(mark) == "nid"), 0)
    for place, mark in enumerate(repeated):
        if mark.at > first and _name(mark) == "nid":
            return mark.at if len({_name(each) for each in repeated[place:]}) > 2 else None
    return None
