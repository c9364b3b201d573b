"""Answers about many names as CSV, JSON and text, a piece at a time."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from registry.desk.findings import Standing
from registry.desk.inspection import Verdict
from registry.desk.lines import Known, Line, resembling
from registry.urn.characters import excerpt

COLUMNS: Final = (
    "line",
    "text",
    "valid",
    "registered",
    "canonical",
    "position",
    "component",
    "rule",
    "message",
    "near",
    "finding",
    "finding_position",
    "finding_message",
)
_REGISTERED: Final = {Verdict.REGISTERED: True, Verdict.UNREGISTERED: False}
_SAID: Final = (Standing.AGAINST, Standing.DOUBTFUL, Standing.NOT_DECIDED)
_TOGETHER: Final = 256


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        """Return `text` and keep nothing."""
        return text


def facts(line: Line, registered: Known) -> dict[str, Any]:
    """Return what is known of one line by the names in `COLUMNS`; positions count from 0.

    `valid` is none for a line that was not read, `finding` for all but registered names, and
    `near` where nobody looked.
    """
    urn, error, finding = line.urn, line.error, line.finding
    return {
        "line": line.number,
        "text": line.text,
        "valid": None if line.verdict is None else urn is not None,
        "registered": _REGISTERED.get(line.verdict) if line.verdict else None,
        "canonical": urn.assigned_name if urn else None,
        "position": error.position if error else None,
        "component": error.component if error else None,
        "rule": error.rule if error else None,
        "message": str(error) if error else line.unread or None,
        "near": None if (alike := resembling(line, registered)) is None else list(alike),
        "finding": finding.standing if finding else None,
        "finding_position": finding.position if finding else None,
        "finding_message": (finding.message or None) if finding else None,
    }


def as_csv(lines: Iterable[Line], registered: Known) -> Iterator[str]:
    """Yield a heading and a row for each line; several NIDs are joined by spaces."""
    yield from together(csv_rows(lines, registered))


def csv_rows(lines: Iterable[Line], registered: Known) -> Iterator[str]:
    """Yield the rows one by one; a lone surrogate, which no file can hold, is written in ASCII."""
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for line in lines:
        known = facts(line, registered)
        row = writer.writerow((known | {"near": " ".join(known["near"] or ())}).values())
        yield row.encode("utf-8", "backslashreplace").decode("utf-8")


def as_json(lines: Iterable[Line], registered: Known) -> Iterator[str]:
    """Yield one JSON array with an object for each line."""
    yield "["
    yield from together(
        f"{',' if index else ''}\n{json.dumps(facts(line, registered))}"
        for index, line in enumerate(lines)
    )
    yield "\n]\n"


def as_json_lines(lines: Iterable[Line], registered: Known) -> Iterator[str]:
    """Yield a JSON object on a line of its own for each line."""
    yield from together(f"{json.dumps(facts(line, registered))}\n" for line in lines)


def as_text(lines: Iterable[Line], registered: Known) -> Iterator[str]:
    """Yield for each line its number, the answer, and what there is to say, with tabs between."""
    yield from together(
        f"{line.number}\t{line.verdict or 'unread'}\t{said(line, registered)}\n" for line in lines
    )


def said(line: Line, registered: Known) -> str:
    """Return the canonical form of a URN with what its namespace has against it, else why not."""
    if line.error:
        return f"{excerpt(line.text)}: {line.error}"
    if line.urn is None:
        return line.unread
    if line.finding and line.finding.standing in _SAID:
        return f"{line.urn.assigned_name} ({line.finding.standing}: {line.finding.message})"
    alike = ", ".join(resembling(line, registered) or ())
    return f"{line.urn.assigned_name} (near: {alike})" if alike else line.urn.assigned_name


def together(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the same text in fewer pieces: each is sent by itself."""
    held: list[str] = []
    for piece in pieces:
        held.append(piece)
        if len(held) == _TOGETHER:
            yield "".join(held)
            held.clear()
    if held:
        yield "".join(held)
