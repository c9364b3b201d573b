"""A bar on a terminal that tells how far a check has come."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import Final, TextIO

_EVERY: Final = 1 << 14
_WIDTH: Final = 30


def with_progress(
    lines: Iterator[tuple[int, str]], file: TextIO, terminal: TextIO
) -> Iterator[tuple[int, str]]:
    """`lines` as they are; while they pass, a bar is drawn where `terminal` is one."""
    if not terminal.isatty():
        yield from lines
        return
    size, passed = _size(file), 0
    for count, (number, text) in enumerate(lines, start=1):
        passed += len(text) + 1
        if count % _EVERY == 0:
            terminal.write(f"\r{_bar(passed, size)}{number:,} lines")
            terminal.flush()
        yield number, text
    terminal.write("\r\x1b[K")
    terminal.flush()


def _size(file: TextIO) -> int:
    """How long the file is, 0 where that is not known; near enough for names, which are ASCII."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _bar(passed: int, size: int) -> str:
    if not size:
        return ""
    share = min(passed / size, 1)
    done = round(share * _WIDTH)
    return f"[{'#' * done}{'.' * (_WIDTH - done)}] {share:4.0%}  "
