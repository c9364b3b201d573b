"""Reading a dump: lines with their numbers, up to the one that seals them."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

from registry.dump.refusing import Refused, on_line

LONGEST: Final = 1 << 26
"""In octets. No text is so long; what has no line ends must not be read into memory whole."""


class Row(NamedTuple):
    """A row, on which line it stands, and of which table it is."""

    line: int
    label: str
    columns: dict[str, Any]


class Reader:
    """The lines of a dump, and the digest of those read so far."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.number = 0
        self.sha256 = hashlib.sha256()

    def first(self) -> Any:
        """Return what the first line says."""
        octets = self.next()
        if not octets:
            raise Refused("The file is empty.")
        return self.understood(octets)

    def rows(self) -> Iterator[Row]:
        """Yield the rows; raise `Refused` unless the last line seals them."""
        while octets := self.next():
            said = self.understood(octets)
            if isinstance(said, dict):
                return self.seal(said)
            if not is_row(said):
                raise on_line(self.number, "this is no row of a table.")
            yield Row(self.number, *said)
        raise Refused(f"The file ends after line {self.number}, before its end: it was cut.")

    def next(self) -> bytes:
        """Return the next line, empty at the end of the file."""
        try:
            octets = self.stream.readline(LONGEST)
        except (EOFError, OSError, zlib.error) as error:
            what = f"the file cannot be read on: {error}"
            raise on_line(self.number + 1, what) from None
        self.number += bool(octets)
        if octets and not octets.endswith(b"\n"):
            raise on_line(self.number, "the line has no end: the file was cut or is damaged.")
        return octets

    def understood(self, octets: bytes) -> Any:
        """Return what a line says; what is not the last line is counted among the sealed."""
        try:
            said = json.loads(octets.decode())
        except (ValueError, RecursionError):
            raise on_line(self.number, "this is not JSON: the line is damaged.") from None
        if not (isinstance(said, dict) and said.keys() == {"sha256"}):
            self.sha256.update(octets)
        return said

    def seal(self, said: dict[str, Any]) -> None:
        """Raise `Refused` where the last line does not go with those before it, or is not last."""
        if said.get("sha256") != self.sha256.hexdigest():
            raise on_line(self.number, "the SHA-256 is not that of the lines before: one was lost.")
        if self.next():
            raise on_line(self.number, "the file goes on after its last line.")


def is_row(said: Any) -> bool:
    """Whether a line tells of a row."""
    match said:
        case [str(), dict()]:
            return True
    return False
