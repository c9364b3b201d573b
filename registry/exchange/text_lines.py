"""Lines of a stream, one at a time, in memory that does not grow with any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

# In octets. No name is so long; a text without line ends must not be read into memory whole.
MAX_LINE_BYTES: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"


def number_stream_lines(read_line: Callable[[int], bytes]) -> Iterator[tuple[int, str | None]]:
    """Yield the lines that hold anything, with their numbers, without their ends.

    `read_line` reads one line of so many octets at most. For a longer line than `LONGEST` there
    is none instead of a text. What is not UTF-8 is kept as lone surrogates, which no URN has.
    """
    number = 0
    while line := read_line(MAX_LINE_BYTES + 1):
        number += 1
        is_whole = len(line) <= MAX_LINE_BYTES or line.endswith(b"\n")
        if not is_whole:
            skip_rest_of_line(read_line)
        octets = line.removesuffix(b"\n").removesuffix(b"\r")
        octets = octets.removeprefix(_BOM) if number == 1 else octets
        if octets:
            yield number, octets.decode("utf-8", "surrogateescape") if is_whole else None


def skip_rest_of_line(read_line: Callable[[int], bytes]) -> None:
    """Read on to the end of a line, keeping nothing."""
    while (rest := read_line(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass
