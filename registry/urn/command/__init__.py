"""The command line: `urn`, or `python -m` with the name of the package."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TextIO

from ..characters import escape_surrogates
from . import answers
from .answers import Answer
from .check import MAX_LINE_LENGTH, STANDARD_INPUT, check_files, open_octets, read_nids
from .completion import write_completion
from .options import build_parser

__all__ = ["EXIT_INTERRUPTED", "MAX_LINE_LENGTH", "main"]

EXIT_WRONG_USE: Final = 2
EXIT_INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    The status 0 is yes, 1 is no, as for `cmp` and `grep`, and 2 trouble: wrong use, or a file that
    cannot be read; 130 after ctrl-C.
    """
    parser = build_parser()
    options = parser.parse_args(arguments)
    # Whatever was read can be written, in any encoding of the terminal.
    for stream in (sys.stdout, sys.stderr):
        _tolerate_surrogates(stream)
    try:
        status = _run_command(options)
        sys.stdout.flush()
    except (OSError, UnicodeError) as problem:
        return _report_failure(parser.prog, problem)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return status


def _run_command(options: Namespace) -> int:
    if options.command == "check":
        registered = read_nids(options.registered) if options.registered else None
        files = options.files or [STANDARD_INPUT]
        return check_files(files, options.format, registered, is_quiet=options.quiet)
    if options.command == "completion":
        sys.stdout.write(write_completion(options.shell, build_parser()))
        return 0
    return _write_answers(_list_answers(options), options, sys.stdout)


def _report_failure(program: str, problem: OSError | UnicodeError) -> int:
    if isinstance(problem, BrokenPipeError):
        # The reader of our output has closed it; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    print(f"{program}: {problem}", file=sys.stderr)
    return EXIT_WRONG_USE


def _tolerate_surrogates(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")


_ASK_OF_EACH: Final[dict[str, Callable[[str, Namespace], Answer]]] = {
    "parse": lambda text, _: answers.answer_parse(text),
    "readings": lambda text, _: answers.answer_readings(text),
    "convert": lambda text, options: answers.answer_convert(text, options.source),
    "normalize": lambda text, options: answers.answer_normalize(text, options.rung),
    "validate": lambda text, options: answers.answer_validate(text, options.form),
    "locate": lambda text, _: answers.answer_locate(text),
    "display": lambda text, _: answers.answer_display(text),
    "nid": lambda text, options: answers.answer_nid(text, options.registered),
}


def _list_answers(options: Namespace) -> Iterator[Answer]:
    if options.command in _ASK_OF_EACH:
        ask = _ASK_OF_EACH[options.command]
        return (ask(text, options) for text in _read_texts(options.texts))
    if options.command == "find":
        return _find_in_files(options)
    return iter((_ASK_ONCE[options.command](options),))


def _ask_compare(options: Namespace) -> Answer:
    first, second = _read_texts([options.first, options.second])
    return answers.answer_compare(first, second, options.by, options.step)


def _ask_resolve(options: Namespace) -> Answer:
    base, reference = _read_texts([options.base, options.reference])
    return answers.answer_resolve(base, reference, is_strict=not options.lenient)


def _ask_build(options: Namespace) -> Answer:
    (name,) = _read_texts([options.name])
    components = {f"{mark}_component": getattr(options, mark) for mark in "rqf"}
    return answers.answer_build(options.nid, name, components)


_ASK_ONCE: Final = {"compare": _ask_compare, "resolve": _ask_resolve, "build": _ask_build}


def _find_in_files(options: Namespace) -> Iterator[Answer]:
    for name in options.files or [STANDARD_INPUT]:
        with open_octets(name) as file:
            text = file.read().decode("utf-8-sig", "surrogateescape")
        yield from answers.answer_find(
            name, text, is_urn_only=options.urns, with_suffixes=options.suffixes
        )


def _read_texts(given: Iterable[str]) -> Iterator[str]:
    """The texts that were given; for `-` each line of standard input that is not empty."""
    for text in given:
        if text != STANDARD_INPUT:
            yield _read_argument(text)
            continue
        for number, line in enumerate(sys.stdin.buffer):
            octets = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
            written = octets.removesuffix(b"\n").removesuffix(b"\r")
            if written:
                yield written.decode("utf-8", "surrogateescape")


def _read_argument(text: str) -> str:
    """An argument decoded as UTF-8, whatever the locale says."""
    try:
        return os.fsencode(text).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def _write_answers(found: Iterable[Answer], options: Namespace, stream: TextIO) -> int:
    """Write each answer as it comes, and return the worst status of all."""
    is_alone = options.command not in _ASK_OF_EACH or (
        len(options.texts) == 1 and options.texts[0] != STANDARD_INPUT
    )
    is_alone = is_alone and options.command != "find"
    worst = count = 0
    for count, answer in enumerate(found, start=1):
        worst = max(worst, answer.status)
        if not options.quiet:
            stream.write(_write_answer(answer, options.format, count, is_alone=is_alone))
    if options.command == "find" and not count:
        return answers.NOT_SO
    return worst


def _write_answer(answer: Answer, form: str, number: int, *, is_alone: bool) -> str:
    if form == "text":
        return answer.words
    if form == "json":
        return json.dumps(answer.known, indent=2 if is_alone else None) + "\n"
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    if number == 1:
        writer.writerow(answer.known)
    writer.writerow(_write_cell(value) for value in answer.known.values())
    return written.getvalue()


def _write_cell(value: Any) -> object:
    if isinstance(value, list | tuple) and all(isinstance(each, str | int) for each in value):
        return " ".join(map(str, value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return escape_surrogates(value) if isinstance(value, str) else value
