"""Lines of a file, read in constant memory whatever is in it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

# No name is so long; a file without line ends must not be read into memory whole.
LONGEST: Final = 1 << 20
STANDARD_INPUT: Final = "-"
_ENCODING: Final = "utf-8-sig"
_ERRORS: Final = "surrogateescape"


@contextmanager
def opened(name: str) -> Iterator[TextIO]:
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


def numbered(file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that hold anything, with their numbers, without their ends.

    Of a line of more than `LONGEST` characters only so many are given.
    """
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) == LONGEST and line[-1] != "\n":
            _pass_over_rest(file)
        text = line.removesuffix("\n").removesuffix("\r")
        if text:
            yield number, text


def _pass_over_rest(file: TextIO) -> None:
    while rest := file.readline(LONGEST):
        if rest[-1] == "\n":
            return
