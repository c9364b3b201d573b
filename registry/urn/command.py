"""The command line: `python -m registry.urn`."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from registry.urn.bulk_check import VERDICT_FORMATS, check_files, read_nids
from registry.urn.characters import escape_invisible
from registry.urn.comparison import compare
from registry.urn.diagnosis import problems
from registry.urn.display import display
from registry.urn.errors import URNSyntaxError
from registry.urn.repair import repairs
from registry.urn.urn import URN, parse


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
