"""Lines of a stream, one at a time, in memory that does not grow with their length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

# In octets. No name is that long; a text without line ends must not be read into memory whole.
MAX_LINE_BYTES: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"


def number_stream_lines(read_line: Callable[[int], bytes]) -> Iterator[tuple[int, str | None]]:
    """Yield the lines that are not empty, with their numbers, without line ends.

    `read_line` reads one line, up to a number of octets. A line longer than `MAX_LINE_BYTES` gives
    None instead of a text. What is not UTF-8 is kept as lone surrogates, which no URN contains.
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
    """Read to the end of a line, discarding it."""
    while (rest := read_line(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass
