"""What belongs to each label, and where text begins that belongs to none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from registry.template.reading.endings import LONGEST_TITLE, end as end_of
from registry.template.reading.layout import Layout
from registry.template.reading.lines import Line, passages, trimmed
from registry.template.reading.marks import Mark, mark
from registry.template.reading.result import Passage

_MOSTLY: Final = 0.8


class Section(NamedTuple):
    """A label and the lines that belong to it."""

    mark: Mark
    lines: tuple[Line, ...]

    @property
    def last(self) -> int:
        """The number of the last line that says something."""
        return self.lines[-1].number if self.lines else self.mark.number + self.mark.height - 1

    @property
    def value(self) -> str:
        """What the label is answered with, moved to the margin."""
        above = [self.mark.value] if self.mark.value else []
        below = self.lines
        if above and below and below[0].number > self.mark.number + self.mark.height:
            above.append("")
        if below and below[0].lead:
            # In a definition list the first line hangs by its colon, the others by themselves.
            above, below = [*above, below[0].text], below[1:]
        margin = min((line.indent for line in below if line.text), default=0)
        return "\n".join(
            (
                *above,
                *(" " * (line.indent - margin) + line.text if line.text else "" for line in below),
            )
        )


def sections(
    lines: Sequence[Line], plan: Layout
) -> tuple[tuple[Section, ...], tuple[Passage, ...]]:
    """The labels with their content, and the passages before, between and after them."""
    found: list[Section] = []
    rest: list[Passage] = []
    end = len(lines) if plan.second is None else plan.second
    starts = [*(each.at for each in plan.labels), end]
    rest += passages(lines[: starts[0]])
    hangs = _hangs(lines, plan, starts)
    for each, (start, after) in zip(plan.labels, pairwise(starts), strict=True):
        first = start + each.height
        stop = end_of(lines, range(first, after), each, plan, hangs)
        found.append(Section(each, tuple(trimmed(lines[first:stop]))))
        rest += _unread(lines, stop, after)
    rest += passages(lines[end:])
    return tuple(found), tuple(rest)


def _unread(lines: Sequence[Line], stop: int, after: int) -> Iterator[Passage]:
    if stop < after:
        first = mark(lines, stop)
        titled = (
            first and len(first.title) <= LONGEST_TITLE and (first.colon or first.style != "plain")
        )
        yield from passages(lines[stop:after], first.title if first and titled else "")


def _hangs(lines: Sequence[Line], plan: Layout, starts: Sequence[int]) -> bool:
    """Whether values stand to the right of their labels in nearly all places."""
    firsts = [
        (each, next((line for line in lines[start + each.height : after] if line.text), None))
        for each, (start, after) in zip(plan.labels, pairwise(starts), strict=True)
    ]
    deeper = [line.indent > each.indent for each, line in firsts if line is not None]
    return len(deeper) > 1 and sum(deeper) >= _MOSTLY * len(deeper)
