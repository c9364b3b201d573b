"""What changed between two templates, section by section and word by word, in bounded time."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

from rapidfuzz.distance import LCSseq

from registry.template.fields import ORDER, field
from registry.template.template import Template

Stretch: TypeAlias = tuple[bool, slice, slice]
"""Whether the two stretches are the same, and where they are in either sequence."""


@dataclass(slots=True)
class AlignmentEffort:
    """How many pairs of elements may still be compared.

    It counts pairs and not seconds, so the same texts give the same result on every machine. One
    comparison takes a bit of memory for each of its pairs.
    """

    left: int = 1_000_000_000
    most_at_once: int = 300_000_000

    def allows(self, pairs: int) -> bool:
        """Whether so many may be compared; if so, the effort is used up."""
        if pairs > min(self.left, self.most_at_once):
            return False
        self.left -= pairs
        return True


def align_sequences(was: list[str], now: list[str], effort: AlignmentEffort) -> list[Stretch]:
    """The stretches that make up both sequences, in order, the same and the changed by turns.

    What is between equal beginnings and ends counts as changed as a whole if the effort does not
    allow comparing it.
    """
    head = _count_alike(was, now)
    tail = _count_alike(was[head:][::-1], now[head:][::-1])
    old_end, new_end = len(was) - tail, len(now) - tail
    stretches = [(True, slice(0, head), slice(0, head))]
    if effort.allows((old_end - head) * (new_end - head)):
        stretches += (
            (
                step.tag == "equal",
                slice(head + step.src_start, head + step.src_end),
                slice(head + step.dest_start, head + step.dest_end),
            )
            for step in LCSseq.opcodes(was[head:old_end], now[head:new_end])
        )
    else:
        stretches.append((False, slice(head, old_end), slice(head, new_end)))
    stretches.append((True, slice(old_end, len(was)), slice(new_end, len(now))))
    return _merge_stretches(stretches)


def _count_alike(left: Iterable[str], right: Iterable[str]) -> int:
    """How many elements are the same from the beginning on."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# A word includes the spaces after it, so that the words of a text make up the text again.
_WORD: Final = re.compile(r"\S+\s*|\s+")
_KINSHIP: Final = 0.4


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
    for same, left, right in align_sequences(was, now, effort):
        before, after = "\n".join(was[left]), "\n".join(now[right])
        if same:
            yield Row(False, (Run(after, False),), (Run(after, False),))
        else:
            yield Row(True, *_build_runs(before, after, effort))


def _build_runs(
    before: str, after: str, effort: AlignmentEffort
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    left, right = _WORD.findall(before), _WORD.findall(after)
    stretches = align_sequences(_strip_blanks(left), _strip_blanks(right), effort)
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


def _merge_stretches(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The stretches without empty ones, and with neighbours of the same kind joined."""
    merged: list[Stretch] = []
    for same, old, new in stretches:
        if old.start == old.stop and new.start == new.stop:
            continue
        if merged and merged[-1][0] == same:
            _, old_before, new_before = merged.pop()
            old, new = slice(old_before.start, old.stop), slice(new_before.start, new.stop)
        merged.append((same, old, new))
    return merged
