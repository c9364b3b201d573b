"""Checkpoints: the head of a log as the text of a signed note (c2sp.org/tlog-checkpoint)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from registry.transparency.errors import MalformedText
from registry.transparency.merkle import HASH_SIZE
from registry.transparency.notes import Note, decode_base64, encode_base64

NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


def parse_number(text: str) -> int:
    """Parse a number in these formats' spelling; raise `MalformedText` for another."""
    if not NUMBER.fullmatch(text):
        raise MalformedText(f"“{text}” is not a number without leading zeros.")
    return int(text)


def parse_hash(text: str) -> bytes:
    """Parse a base64 hash in these formats' spelling; raise `MalformedText`."""
    octets = decode_base64(text)
    if len(octets) != HASH_SIZE:
        raise MalformedText(f"“{text}” is not a SHA-256 hash.")
    return octets


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log, its number of entries, and the root of their tree."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Parse the text of a note as a head; raise `MalformedText`."""
        lines = text.split("\n")
        if len(lines) < 4 or lines.pop() or not all(lines):
            raise MalformedText("A checkpoint has three lines or more, none of them empty.")
        origin, size, root, *extensions = lines
        return cls(origin, parse_number(size), parse_hash(root), tuple(extensions))

    @classmethod
    def of(cls, note: Note) -> Checkpoint:
        """Return the head in a note, without verifying anything."""
        return cls.parse(note.text)

    def __str__(self) -> str:
        lines = (self.origin, str(self.size), encode_base64(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)
