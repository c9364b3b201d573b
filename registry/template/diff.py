"""What changed between two templates, section by section and word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from registry.template.alignment import (
    AlignmentEffort,
    Stretch,
    align_sequences,
)
from registry.template.fields import ORDER, field
from registry.template.template import Template

# A word carries the blanks behind it, so that the words of a text make up the text again.
_WORD: Final = re.compile(r"\S+\s*|\s+")
_KINSHIP: Final = 0.3


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a row, all of it changed or none of it."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Lines that stayed, to be folded away, or what they were beside what they are now.

    Of a row that did not change, `was` and `now` are the same. Either is empty where lines were
    added or taken out.
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
        """Whether the words stayed and only blanks or line breaks moved."""
        return self.changed and not any(run.changed for run in (*self.was, *self.now))


@dataclass(frozen=True, slots=True)
class SectionDiff:
    """A field that changed, by name and label, and its rows in order."""

    field: str
    label: str
    rows: tuple[Row, ...]


def diff(old: Template, new: Template) -> tuple[SectionDiff, ...]:
    """The fields that differ, in reading order, what is kept beside Syntax included.

    Lines are compared first, words only within lines that changed. The work is bounded for the
    whole template: what goes beyond it is shown as changed as a whole, never left out.
    """
    effort = AlignmentEffort()
    return tuple(
        SectionDiff(name, field(name).label, tuple(_build_rows(old[name], new[name], effort)))
        for name in ORDER
        if old[name] != new[name]
    )


def compare(was: str, now: str) -> tuple[Row, ...]:
    """The rows of two texts that are no sections of a template, compared as those are."""
    return tuple(_build_rows(was, now, AlignmentEffort()))


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
    """Whether enough words stayed for the rest to be worth pointing out."""
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
