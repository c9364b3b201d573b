"""Checking files of names, one on each line, for the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from registry.urn.characters import quote_excerpt
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.nid import canonical
from registry.urn.urn import URN, parse

# No name is so long; a file without line ends must not be read into memory whole.
MAX_LINE_LENGTH: Final = 1 << 20
STANDARD_INPUT: Final = "-"
_ENCODING: Final = "utf-8-sig"
_ERRORS: Final = "surrogateescape"


@contextmanager
def open_input(name: str) -> Iterator[TextIO]:
    """The file of that name, or standard input for `-`, as text that keeps what is not UTF-8."""
    # Only a line feed ends a line: the other ends that Unicode has are errors within a URN.
    if name != STANDARD_INPUT:
        with Path(name).open(encoding=_ENCODING, errors=_ERRORS, newline="\n") as file:
            yield file
        return
    wrapped = io.TextIOWrapper(sys.stdin.buffer, _ENCODING, errors=_ERRORS, newline="\n")
    try:
        yield wrapped
    finally:
        wrapped.detach()


def read_numbered_lines(file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that hold anything, with their numbers, without their ends.

    Of a line of more than `LONGEST` characters only so many are given.
    """
    number = 0
    while line := file.readline(MAX_LINE_LENGTH):
        number += 1
        if len(line) == MAX_LINE_LENGTH and line[-1] != "\n":
            _skip_rest_of_line(file)
        text = line.removesuffix("\n").removesuffix("\r")
        if text:
            yield number, text


def _skip_rest_of_line(file: TextIO) -> None:
    while rest := file.readline(MAX_LINE_LENGTH):
        if rest[-1] == "\n":
            return


_HEADINGS: Final = frozenset({"nid", "urn namespace", "namespace identifier"})


class RegisteredNIDs:
    """A set of registered NIDs, and which of them are like one that is not."""

    def __init__(self, nids: frozenset[str]) -> None:
        self._nids = nids
        self.near = lru_cache(maxsize=1024)(self._near)

    def __contains__(self, nid: str) -> bool:
        return canonical(nid) in self._nids

    def _near(self, nid: str) -> tuple[str, ...]:
        return tuple(get_close_matches(canonical(nid), sorted(self._nids), n=3, cutoff=0.75))


def read_nids(path: Path) -> RegisteredNIDs:
    """Read NIDs from a file: one on each line, or the column of a CSV file that is headed so."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    heading = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((index for index, cell in enumerate(heading) if cell in _HEADINGS), None)
    body = rows if column is None else rows[1:]
    index = column or 0
    return RegisteredNIDs(
        frozenset(canonical(row[index].strip()) for row in body if len(row) > index)
    )


_LINES_BETWEEN_BARS: Final = 1 << 14
_BAR_WIDTH: Final = 30


def show_progress(
    lines: Iterator[tuple[int, str]], file: TextIO, terminal: TextIO
) -> Iterator[tuple[int, str]]:
    """`lines` as they are; while they pass, a bar is drawn where `terminal` is one."""
    if not terminal.isatty():
        yield from lines
        return
    size, passed = _measure_file(file), 0
    for count, (number, text) in enumerate(lines, start=1):
        passed += len(text) + 1
        if count % _LINES_BETWEEN_BARS == 0:
            terminal.write(f"\r{_draw_bar(passed, size)}{number:,} lines")
            terminal.flush()
        yield number, text
    terminal.write("\r\x1b[K")
    terminal.flush()


def _measure_file(file: TextIO) -> int:
    """How long the file is, 0 where that is not known; near enough for names, which are ASCII."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _draw_bar(passed: int, size: int) -> str:
    if not size:
        return ""
    share = min(passed / size, 1)
    done = round(share * _BAR_WIDTH)
    return f"[{'#' * done}{'.' * (_BAR_WIDTH - done)}] {share:4.0%}  "


_TOO_LONG: Final = Cause(
    "nss",
    "local rule",
    f"a line of more than {MAX_LINE_LENGTH:,} characters is not read to its end",
    "Put each name on a line of its own.",
)


class LineAnswer(StrEnum):
    """The three answers about a name; *valid* where it was not asked what is registered."""

    MALFORMED = "not valid"
    UNREGISTERED = "unregistered"
    REGISTERED = "registered"
    VALID = "valid"


class LineVerdict(NamedTuple):
    """The answer for one line, with the URN or the error it comes from."""

    file: str
    line: int
    text: str
    answer: LineAnswer
    urn: URN | None = None
    error: URNSyntaxError | None = None
    near: tuple[str, ...] = ()


def judge_line(
    file: str, line: int, text: str, registered: RegisteredNIDs | None = None
) -> LineVerdict:
    """Read `text` by RFC 8141, and look its NID up among those `registered`, if these are given."""
    if len(text) >= MAX_LINE_LENGTH:
        error = URNSyntaxError(text, MAX_LINE_LENGTH, _TOO_LONG)
        return LineVerdict(file, line, text, LineAnswer.MALFORMED, error=error)
    try:
        urn = parse(text)
    except URNSyntaxError as problem:
        return LineVerdict(file, line, text, LineAnswer.MALFORMED, error=problem)
    if registered is None:
        return LineVerdict(file, line, text, LineAnswer.VALID, urn)
    if urn.nid in registered:
        return LineVerdict(file, line, text, LineAnswer.REGISTERED, urn)
    return LineVerdict(
        file, line, text, LineAnswer.UNREGISTERED, urn, near=registered.near(urn.nid)
    )


VERDICT_FORMATS: Final = ("text", "json", "csv")
VERDICT_COLUMNS: Final = (
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
_REGISTERED: Final = {LineAnswer.REGISTERED: True, LineAnswer.UNREGISTERED: False}


def write_text_verdicts(verdicts: Iterable[LineVerdict], stream: TextIO) -> None:
    """Write a line on each name that is no URN, or whose NID nobody has registered."""
    for verdict in verdicts:
        if verdict.answer in (LineAnswer.VALID, LineAnswer.REGISTERED):
            continue
        stream.write(
            f"{verdict.file}:{verdict.line}: {quote_excerpt(verdict.text)}:"
            f" {_describe_verdict(verdict)}\n"
        )


def write_verdict_counts(counts: Counter[LineAnswer], stream: TextIO) -> None:
    """Write how many names got which answer."""
    total = counts.total()
    kinds = ", ".join(f"{counts[answer]:,} {answer}" for answer in LineAnswer if counts[answer])
    names = "name" if total == 1 else "names"
    stream.write(f"{total:,} {names}: {kinds}.\n" if kinds else "No names.\n")


def write_json_verdicts(verdicts: Iterable[LineVerdict], stream: TextIO) -> None:
    """Write one JSON object on each line, for every name; positions count from 0."""
    for verdict in verdicts:
        known = dict(zip(VERDICT_COLUMNS, _build_row(verdict), strict=True))
        stream.write(f"{json.dumps(known)}\n")


def write_csv_verdicts(verdicts: Iterable[LineVerdict], stream: TextIO) -> None:
    """Write a heading and one row for every name; lists are joined by spaces."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(VERDICT_COLUMNS)
    for verdict in verdicts:
        *cells, near = _build_row(verdict)
        writer.writerow((*cells, " ".join(near)))


VERDICT_WRITERS: Final[dict[str, Callable[[Iterable[LineVerdict], TextIO], None]]] = {
    "text": write_text_verdicts,
    "json": write_json_verdicts,
    "csv": write_csv_verdicts,
}


def _build_row(verdict: LineVerdict) -> tuple[Any, ...]:
    """What is known of one name, in the order of `COLUMNS`."""
    file, line, text, answer, urn, error, near = verdict
    registered = _REGISTERED.get(answer)
    if urn is not None:
        return (file, line, text, True, registered, urn.assigned_name, *_NO_ERROR, near)
    told = (error.position, error.component, error.rule, str(error)) if error else _NO_ERROR
    return (file, line, text, False, registered, None, *told, near)


def _describe_verdict(verdict: LineVerdict) -> str:
    if verdict.error is not None:
        return str(verdict.error)
    near = f" Near: {', '.join(verdict.near)}." if verdict.near else ""
    nid = verdict.urn.nid if verdict.urn else ""
    return f"Well formed, but nobody has registered {nid}.{near}"


def check_files(names: Iterable[str], form: str, registered: RegisteredNIDs | None) -> int:
    """Check every line of the files, write the verdicts, and return the exit status."""
    counts: Counter[LineAnswer] = Counter()
    VERDICT_WRITERS[form](_count_verdicts(_judge_files(names, registered), counts), sys.stdout)
    if form == "text":
        write_verdict_counts(counts, sys.stdout)
    return 1 if counts[LineAnswer.MALFORMED] else 0


def _judge_files(names: Iterable[str], registered: RegisteredNIDs | None) -> Iterator[LineVerdict]:
    for name in names:
        with open_input(name) as file:
            for number, text in show_progress(read_numbered_lines(file), file, sys.stderr):
                yield judge_line(name, number, text, registered)


def _count_verdicts(
    verdicts: Iterable[LineVerdict], counts: Counter[LineAnswer]
) -> Iterator[LineVerdict]:
    for verdict in verdicts:
        counts[verdict.answer] += 1
        yield verdict
