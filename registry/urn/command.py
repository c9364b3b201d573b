"""The command line: `python -m registry.urn`."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from registry.urn.characters import escape_invisible, quote_excerpt
from registry.urn.diagnosis import problems
from registry.urn.equivalence import compare
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.nid import canonical
from registry.urn.repair import repairs
from registry.urn.urn import URN, display, parse

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


def answer_parse(text: str, form: str, stream: TextIO) -> int:
    """Write the parts of a URN, or all that keeps `text` from being one; return the status."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        known = _error_to_dict(error)
        words = _explain_problems(text)
    else:
        known = _urn_to_dict(urn)
        words = "".join(f"{name:<12} {value}\n" for name, value in _list_rows(urn))
    _write_answer(known, words, form, stream)
    return 0 if known["valid"] else 1


def answer_compare(first: str, second: str, form: str, stream: TextIO) -> int:
    """Write whether two URNs are equivalent, and why; return 1 where one of them is no URN."""
    try:
        one, other = parse(first), parse(second)
    except URNSyntaxError as error:
        _write_answer(
            _error_to_dict(error), f"{_quote_invalid(error.text)}: {error}\n", form, stream
        )
        return 1
    comparison = compare(one, other)
    known = {
        "valid": True,
        "equivalent": comparison.is_equivalent,
        "rule": comparison.rule,
        "first": one.assigned_name,
        "second": other.assigned_name,
        "folded": list(comparison.folded),
        "ignored": list(comparison.ignored),
        "part": comparison.part or None,
        "positions": comparison.positions,
    }
    verdict = "Equivalent" if comparison.is_equivalent else "Not equivalent"
    words = f"{verdict} by {comparison.rule}.\n{one.assigned_name}\n{other.assigned_name}\n"
    _write_answer(known, words, form, stream)
    return 0


def _urn_to_dict(urn: URN) -> dict[str, Any]:
    return {
        "text": urn.text,
        "valid": True,
        "nid": urn.nid,
        "nss": urn.nss,
        "r_component": urn.r_component,
        "q_component": urn.q_component,
        "f_component": urn.f_component,
        "canonical": urn.assigned_name,
    }


def _error_to_dict(error: URNSyntaxError) -> dict[str, Any]:
    return {
        "text": error.text,
        "valid": False,
        "position": error.position,
        "component": error.component,
        "rule": error.rule,
        "message": str(error),
    }


def _list_rows(urn: URN) -> list[tuple[str, str]]:
    components = {
        "r-component": urn.r_component,
        "q-component": urn.q_component,
        "f-component": urn.f_component,
    }
    shown = display(urn)
    return [
        ("NID", urn.nid),
        ("NSS", urn.nss),
        *((name, value) for name, value in components.items() if value is not None),
        ("canonical", urn.assigned_name),
        *([] if shown.is_exact else [("for reading", shown.text)]),
    ]


def _explain_problems(text: str) -> str:
    """The text with a mark under its first wrong character, what is wrong, and what to try."""
    lines = [_quote_invalid(text)]
    found = problems(text, most=20)
    lines += [f"  {problem.message} {problem.rule}." for problem in found]
    lines += [f"  Try {repair.text} ({', '.join(repair.changes)})." for repair in repairs(text)]
    return "\n".join(lines) + "\n"


def _quote_invalid(text: str) -> str:
    return f"Not a URN: {escape_invisible(text)}"


def _write_answer(known: dict[str, Any], words: str, form: str, stream: TextIO) -> None:
    if form == "text":
        stream.write(words)
    elif form == "json":
        stream.write(json.dumps(known, indent=2) + "\n")
    else:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(known)
        writer.writerow(" ".join(v) if isinstance(v, list) else v for v in known.values())


# use.

EXIT_WRONG_USE: Final = 2
EXIT_INTERRUPTED: Final = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out one command and return its exit status."""
    options = _build_parser().parse_args(arguments)
    # Whatever was read can be written, in whatever encoding the terminal has.
    for stream in (sys.stdout, sys.stderr):
        _tolerate_surrogates(stream)
    try:
        return _run_command(options)
    except (OSError, UnicodeError) as problem:
        return _report_failure(problem)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _run_command(options: argparse.Namespace) -> int:
    if options.command == "parse":
        return answer_parse(options.text, options.format, sys.stdout)
    if options.command == "compare":
        return answer_compare(options.first, options.second, options.format, sys.stdout)
    registered = read_nids(options.registered) if options.registered else None
    status = check_files(options.files or ["-"], options.format, registered)
    sys.stdout.flush()
    return status


def _report_failure(problem: OSError | UnicodeError) -> int:
    if isinstance(problem, BrokenPipeError):
        # Whoever read our output has seen enough; Python must not complain of it while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    print(f"python -m registry.urn: {problem}", file=sys.stderr)
    return EXIT_WRONG_USE


def _tolerate_surrogates(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m registry.urn",
        description="Read, compare and check URNs by RFC 8141.",
        epilog="Exit status: 0 all good, 1 something is not a URN, 2 wrong use.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    parse = commands.add_parser("parse", help="take one URN apart")
    parse.add_argument("text", metavar="URN")
    compare = commands.add_parser("compare", help="say whether two URNs are equivalent, and why")
    compare.add_argument("first", metavar="URN")
    compare.add_argument("second", metavar="URN")
    check = commands.add_parser("check", help="check files of URNs, one on each line")
    check.add_argument("files", nargs="*", metavar="FILE", help="- or none: standard input")
    check.add_argument(
        "--registered",
        type=Path,
        metavar="FILE",
        help="registered NIDs, one on each line or in a CSV file: tells which names have none",
    )
    for command in (parse, compare, check):
        command.add_argument("--format", choices=VERDICT_FORMATS, default="text")
    return parser
