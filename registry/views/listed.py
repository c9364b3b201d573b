"""The answers about a list of names as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from registry.desk import Known, Line, Standing, Tally, Verdict, resembling

SHOWN: Final = 200
ORDER: Final = (
    Verdict.MALFORMED,
    Verdict.UNREGISTERED,
    Standing.AGAINST,
    Standing.DOUBTFUL,
    Standing.NOT_DECIDED,
    Verdict.REGISTERED,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, with the registered NIDs that resemble an unregistered one."""

    line: Line
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """How many names there are of each kind, and the first of them.

    `against` and `doubtful` are registered names that the rule of their namespace has something
    against.
    """

    rows: tuple[Row, ...]
    in_order: bool
    count: int
    malformed: int
    unregistered: int
    registered: int
    against: int
    doubtful: int
    repeated: int

    @property
    def problems(self) -> int:
        """How many names are not valid, in no registered namespace, or against its rule."""
        return self.malformed + self.unregistered + self.against

    @property
    def is_cut(self) -> bool:
        """Whether there are more lines than the page shows."""
        return self.count > len(self.rows)


def listed(lines: Iterable[Line], registered: Known, *, in_order: bool) -> Listed:
    """Count all of `lines` and keep the first of them, problems before others unless `in_order`."""
    tally = Tally()
    kept: dict[Verdict | Standing | None, list[Line]] = {kind: [] for kind in ORDER}
    for line in lines:
        tally.add(line)
        shelf = kept[ORDER[0] if in_order else kind_of(line)]
        if len(shelf) < SHOWN:
            shelf.append(line)
    shown = [line for kind in ORDER for line in kept[kind]][:SHOWN]
    return Listed(
        rows=tuple(Row(line, resembling(line, registered) or ()) for line in shown),
        in_order=in_order,
        count=tally.answers.total(),
        malformed=tally.answers[Verdict.MALFORMED],
        unregistered=tally.answers[Verdict.UNREGISTERED],
        registered=tally.answers[Verdict.REGISTERED],
        against=tally.findings[Standing.AGAINST],
        doubtful=tally.findings[Standing.DOUBTFUL],
        repeated=tally.repeated,
    )


def kind_of(line: Line) -> Verdict | Standing | None:
    """Return what decides the place of a line: its verdict, or what its namespace says of it."""
    if line.finding is not None and line.finding.standing in ORDER:
        return line.finding.standing
    return line.verdict
