"""Verdicts as text, as JSON lines and as CSV."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, TextIO

from registry.urn.characters import excerpt
from registry.urn.command.verdict import Answer, Verdict

FORMATS: Final = ("text", "json", "csv")
COLUMNS: Final = (
    "file",
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
)
_NO_ERROR: Final = (None, None, None, None)
_REGISTERED: Final = {Answer.REGISTERED: True, Answer.UNREGISTERED: False}


def write_text(verdicts: Iterable[Verdict], stream: TextIO) -> None:
    """Write a line on each name that is no URN, or whose NID nobody has registered."""
    for verdict in verdicts:
        if verdict.answer in (Answer.VALID, Answer.REGISTERED):
            continue
        stream.write(f"{verdict.file}:{verdict.line}: {excerpt(verdict.text)}: {_say(verdict)}\n")


def write_counts(counts: Counter[Answer], stream: TextIO) -> None:
    """Write how many names got which answer."""
    total = counts.total()
    kinds = ", ".join(f"{counts[answer]:,} {answer}" for answer in Answer if counts[answer])
    names = "name" if total == 1 else "names"
    stream.write(f"{total:,} {names}: {kinds}.\n" if kinds else "No names.\n")


def write_json(verdicts: Iterable[Verdict], stream: TextIO) -> None:
    """Write one JSON object on each line, for every name; positions count from 0."""
    for verdict in verdicts:
        known = dict(zip(COLUMNS, _row(verdict), strict=True))
        stream.write(f"{json.dumps(known)}\n")


def write_csv(verdicts: Iterable[Verdict], stream: TextIO) -> None:
    """Write a heading and one row for every name; lists are joined by spaces."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for verdict in verdicts:
        *cells, near = _row(verdict)
        writer.writerow((*cells, " ".join(near)))


WRITERS: Final[dict[str, Callable[[Iterable[Verdict], TextIO], None]]] = {
    "text": write_text,
    "json": write_json,
    "csv": write_csv,
}


def _row(verdict: Verdict) -> tuple[Any, ...]:
    """What is known of one name, in the order of `COLUMNS`."""
    file, line, text, answer, urn, error, near = verdict
    registered = _REGISTERED.get(answer)
    if urn is not None:
        return (file, line, text, True, registered, urn.assigned_name, *_NO_ERROR, near)
    told = (error.position, error.component, error.rule, str(error)) if error else _NO_ERROR
    return (file, line, text, False, registered, None, *told, near)


def _say(verdict: Verdict) -> str:
    if verdict.error is not None:
        return str(verdict.error)
    near = f" Near: {', '.join(verdict.near)}." if verdict.near else ""
    nid = verdict.urn.nid if verdict.urn else ""
    return f"Well formed, but nobody has registered {nid}.{near}"
