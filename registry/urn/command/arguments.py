"""What the command line takes, and what it answers with: 0 all good, 1 something invalid, 2 wrong
use."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from registry.urn.command.checking import check_files
from registry.urn.command.names import read_nids
from registry.urn.command.single import answer_compare, answer_parse
from registry.urn.command.writing import FORMATS

WRONG_USE: Final = 2
INTERRUPTED: Final = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out one command and return its exit status."""
    options = _parser().parse_args(arguments)
    # Whatever was read can be written, in whatever encoding the terminal has.
    for stream in (sys.stdout, sys.stderr):
        _write_anything(stream)
    try:
        return _run(options)
    except (OSError, UnicodeError) as problem:
        return _failed(problem)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    if options.command == "parse":
        return answer_parse(options.text, options.format, sys.stdout)
    if options.command == "compare":
        return answer_compare(options.first, options.second, options.format, sys.stdout)
    registered = read_nids(options.registered) if options.registered else None
    status = check_files(options.files or ["-"], options.format, registered)
    sys.stdout.flush()
    return status


def _failed(problem: OSError | UnicodeError) -> int:
    if isinstance(problem, BrokenPipeError):
        # Whoever read our output has seen enough; Python must not complain of it while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    print(f"python -m registry.urn: {problem}", file=sys.stderr)
    return WRONG_USE


def _write_anything(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")


def _parser() -> argparse.ArgumentParser:
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
        command.add_argument("--format", choices=FORMATS, default="text")
    return parser
