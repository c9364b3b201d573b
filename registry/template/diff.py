"""What changed between two templates, section by section and word by word, in bounded time."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, TypeAlias

from registry.template.fields import ORDER, field
from registry.template.template import Template

_SETUP_COST: Final = 1_000

Stretch: TypeAlias = tuple[bool, slice, slice]
"""Whether the two stretches are the same, and where they are in either sequence."""


@dataclass(slots=True)
class AlignmentEffort:
    """How many comparisons may still be made.

    It counts steps and not seconds, so the same texts give the same result on every machine.
    """

    left: int = 10_000_000

    @property
    def is_spent(self) -> bool:
        """Whether not even two single elements may be compared any more."""
        return self.left < _SETUP_COST

    def allows(self, was: Sequence[Hashable], now: Sequence[Hashable]) -> bool:
        """Whether these two may be compared closely; if so, the effort is used up."""
        cost = _estimate_cost(was, now)
        if cost > self.left:
            # Asking has a cost too: after enough refusals nobody asks any more.
            self.left -= _SETUP_COST
            return False
        self.left -= cost
        return True


def align_sequences(
    was: Sequence[str], now: Sequence[str], effort: AlignmentEffort
) -> Iterator[Stretch]:
    """The stretches that make up both sequences, in order.

    Equal beginnings and ends are set aside first; then elements that occur once on each side serve
    as anchors, and only what is between them is compared closely, if the effort allows. The rest
    counts as changed as a whole.
    """
    points = [(0, 0), *_find_anchors(was, now), (len(was), len(now))]
    for (i, j), (next_i, next_j) in pairwise(points):
        if i < next_i or j < next_j:
            yield from _align_between(was, now, slice(i, next_i), slice(j, next_j), effort)


def _align_between(
    was: Sequence[str], now: Sequence[str], old: slice, new: slice, effort: AlignmentEffort
) -> Iterator[Stretch]:
    left, right = was[old], now[new]
    head = _count_alike(left, right)
    tail = _count_alike(left[head:][::-1], right[head:][::-1])
    ends = old.stop - tail, new.stop - tail
    if head:
        yield True, slice(old.start, old.start + head), slice(new.start, new.start + head)
    yield from _align_closely(
        was, now, slice(old.start + head, ends[0]), slice(new.start + head, ends[1]), effort
    )
    if tail:
        yield True, slice(ends[0], old.stop), slice(ends[1], new.stop)


def _align_closely(
    was: Sequence[str], now: Sequence[str], old: slice, new: slice, effort: AlignmentEffort
) -> Iterator[Stretch]:
    left, right = was[old], now[new]
    if not left and not right:
        return
    if not left or not right or not effort.allows(left, right):
        yield False, old, new
        return
    # Empty lines do not make two places the same.
    matcher = SequenceMatcher(lambda element: not element, left, right, autojunk=False)
    for tag, i, next_i, j, next_j in matcher.get_opcodes():
        yield (
            tag == "equal",
            slice(old.start + i, old.start + next_i),
            slice(new.start + j, new.start + next_j),
        )


def _estimate_cost(was: Sequence[Hashable], now: Sequence[Hashable]) -> int:
    """The maximum number of steps of difflib: each search goes over `was` and over all pairs of
    equal elements, and there are no more searches than elements in common.
    """
    left, right = Counter(was), Counter(now)
    common = left.keys() & right.keys()
    pairs = sum(left[each] * right[each] for each in common)
    searches = 1 + sum(min(left[each], right[each]) for each in common)
    return _SETUP_COST + (len(was) + len(now) + pairs) * searches


def _count_alike(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _find_anchors(was: Sequence[str], now: Sequence[str]) -> list[tuple[int, int]]:
    """Elements that occur once in each, as many as keep their order in both (patience)."""
    once_was, once_now = _find_unique(was), _find_unique(now)
    found = [(i, once_now[each]) for each, i in once_was.items() if each in once_now]
    return _find_longest_rise(found)


def _find_unique(sequence: Sequence[str]) -> dict[str, int]:
    counts = Counter(sequence)
    return {each: i for i, each in enumerate(sequence) if counts[each] == 1}


def _find_longest_rise(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest sequence of points, sorted by their first, in which the second rises too."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for place, (_, j) in enumerate(points):
        at = bisect_left(ends, j)
        before.append(tops[at - 1] if at else -1)
        ends[at : at + 1] = [j]
        tops[at : at + 1] = [place]
    run: list[tuple[int, int]] = []
    place = tops[-1] if tops else -1
    while place >= 0:
        run.append(points[place])
        place = before[place]
    return run[::-1]


# A word includes the spaces after it, so that the words of a text make up the text again.
_WORD: Final = re.compile(r"\S+\s*|\s+")
_KINSHIP: Final = 0.3


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a row, all of it changed or none of it."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Unchanged lines, to be folded, or the old and the new lines.

    In an unchanged row, `was` and `now` are the same. Either is empty if lines were added or
    removed.
    """

    changed: bool
    was: tuple[Run, ...]
    now: tuple[Run, ...]

    @property
    def text(self) -> str:
        """The text as it is now."""
        return "".join(run.text for run in self.now)

    @property
    def only_spacing(self) -> bool:
        """Whether only spaces or line breaks changed."""
        return self.changed and not any(run.changed for run in (*self.was, *self.now))


@dataclass(frozen=True, slots=True)
class SectionDiff:
    """A field that changed, by name and label, and its rows in order."""

    field: str
    label: str
    rows: tuple[Row, ...]


def diff(old: Template, new: Template) -> tuple[SectionDiff, ...]:
    """The fields that differ, in reading order, including what is stored next to Syntax.

    Lines are compared first, words only within lines that changed. The work is bounded for the
    whole template: what exceeds it is shown as changed as a whole, never left out.
    """
    effort = AlignmentEffort()
    return tuple(
        SectionDiff(name, field(name).label, tuple(_build_rows(old[name], new[name], effort)))
        for name in ORDER
        if old[name] != new[name]
    )


def compare(was: str, now: str) -> tuple[Row, ...]:
    """The rows of two texts that are not sections of a template, compared in the same way."""
    return tuple(_build_rows(was, now, AlignmentEffort()))


_CONTEXT_LINES: Final = 2
_PLAIN_WIDTH: Final = 72


def write_differences(sections: Iterable[SectionDiff]) -> str:
    """The differences as plain text, for a letter: old lines after "-", new ones after "+".

    Unchanged lines next to a change stay, for orientation.
    """
    return "\n\n".join(
        "\n".join([section.label, *_write_rows(section.rows)]) for section in sections
    )


def _write_rows(rows: Sequence[Row]) -> Iterator[str]:
    for place, row in enumerate(rows):
        if row.changed:
            yield from _mark_lines("-", "".join(run.text for run in row.was))
            yield from _mark_lines("+", row.text)
            continue
        lines = row.text.split("\n")
        before = 0 if place == 0 else _CONTEXT_LINES
        after = 0 if place == len(rows) - 1 else _CONTEXT_LINES
        if len(lines) <= before + after:
            yield from _mark_lines(" ", row.text)
            continue
        yield from _mark_lines(" ", "\n".join(lines[:before]))
        yield "  [...]"
        yield from _mark_lines(" ", "\n".join(lines[len(lines) - after :]))


def _mark_lines(mark: str, text: str) -> Iterator[str]:
    """The lines after a mark, long ones wrapped; nothing for an empty text."""
    for line in text.split("\n") if text else ():
        folded = textwrap.wrap(
            line, _PLAIN_WIDTH - 2, break_long_words=False, break_on_hyphens=False
        )
        yield from (f"{mark} {each}" for each in folded or [""])


def unchanged(old: Template, new: Template) -> tuple[str, ...]:
    """The names of the fields that are the same in both, in reading order."""
    return tuple(name for name in ORDER if old[name] == new[name])


def _build_rows(old: str, new: str, effort: AlignmentEffort) -> Iterator[Row]:
    was, now = old.split("\n") if old else [], new.split("\n") if new else []
    for same, left, right in _merge_stretches(align_sequences(was, now, effort)):
        before, after = "\n".join(was[left]), "\n".join(now[right])
        if same:
            yield Row(False, (Run(after, False),), (Run(after, False),))
        else:
            yield Row(True, *_build_runs(before, after, effort))


def _build_runs(
    before: str, after: str, effort: AlignmentEffort
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    if effort.is_spent:
        return _build_whole_run(before), _build_whole_run(after)
    left, right = _WORD.findall(before), _WORD.findall(after)
    stretches = _merge_stretches(align_sequences(_strip_blanks(left), _strip_blanks(right), effort))
    if not _is_akin(stretches, len(left), len(right)):
        return _build_whole_run(before), _build_whole_run(after)
    return (
        tuple(Run("".join(left[i]), not same) for same, i, _ in stretches if left[i]),
        tuple(Run("".join(right[j]), not same) for same, _, j in stretches if right[j]),
    )


def _strip_blanks(words: Sequence[str]) -> list[str]:
    return [word.strip() for word in words]


def _is_akin(stretches: Sequence[Stretch], left: int, right: int) -> bool:
    """Whether enough words stayed for the rest to be worth marking."""
    kept: int = sum(i.stop - i.start for same, i, _ in stretches if same)
    return kept > _KINSHIP * min(left, right)


def _build_whole_run(text: str) -> tuple[Run, ...]:
    return (Run(text, True),) if text else ()


def _merge_stretches(stretches: Iterator[Stretch]) -> list[Stretch]:
    """The stretches with neighbours of the same kind joined."""
    merged: list[Stretch] = []
    for same, i, j in stretches:
        if merged and merged[-1][0] == same:
            _, before_i, before_j = merged.pop()
            i, j = slice(before_i.start, i.stop), slice(before_j.start, j.stop)
        merged.append((same, i, j))
    return merged
