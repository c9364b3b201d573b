"""Rows sorted by their keys, more than memory holds.

Rows that come in the order of the index are written one page after the other. In any other order
each batch touches most pages of it: loading a million rows then wrote twelve times as much.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, Final, Self

from registry.gateway.lines import Row

RUN: Final = 100_000
BUFFER: Final = 1 << 16


class Sorter:
    """Takes rows with the numbers of their lines, and gives them back by key, then line.

    What does not fit in memory lies in files without a name: they go when the process ends,
    however it ends.
    """

    def __init__(self) -> None:
        self.count = 0
        self._held: list[bytes] = []
        self._runs: list[IO[bytes]] = []
        self._files = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._files.close()

    def add(self, number: int, row: Row) -> None:
        """Take one row."""
        # Neither a name nor a locator holds a blank or a line end: both are URIs, or parts.
        line = f"{row.key.hex()} {number:011d} {row.name} {row.locator}\n"
        self._held.append(line.encode("ascii"))
        self.count += 1
        if len(self._held) == RUN:
            self._put_aside()

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        self._held.sort()
        for run in self._runs:
            run.seek(0)
        for line in heapq.merge(self._held, *self._runs):
            key, number, name, locator = line.decode("ascii").split()
            yield int(number), Row(bytes.fromhex(key), name, locator)

    def _put_aside(self) -> None:
        self._held.sort()
        run = TemporaryFile(prefix="registry-", buffering=BUFFER)  # noqa: SIM115, see __exit__
        self._files.push(run)
        run.writelines(self._held)
        self._runs.append(run)
        self._held = []
