"""Signed notes about files, each in a file beside its own: `SHA256SUMS.note` signs `SHA256SUMS`.

The text has the log, the file's name, size and SHA-256, and the head of the journal at that time:

    urn-namespace-registry-file/v1
    log urn.example/log
    file SHA256SUMS
    octets 312
    sha256 9f86d081884c7d65…
    head 153:60303ae22b998861…

No line but the first of a checkpoint begins with a word, so that neither passes for the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from registry.transparency.errors import MalformedText, UnverifiedSignature
from registry.transparency.notes import Note, SignerKey, VerifierKey, sign_note

NOTE_SUFFIX: Final = ".note"
FILE_NOTE: Final = re.compile(
    r"urn-namespace-registry-file/v1\n"
    r"log (?P<origin>[^\n]+)\n"
    r"file (?P<name>[^\n]+)\n"
    r"octets (?P<octets>0|[1-9][0-9]{0,18})\n"
    r"sha256 (?P<sha256>[0-9a-f]{64})\n"
    r"head (?P<head>[0-9]{1,10}:[0-9a-f]{64})\n"
)


@dataclass(frozen=True, slots=True)
class FileNote:
    """What a note says about a file; `head` is NUMBER:DIGEST, as `verify_journal` takes it."""

    origin: str
    name: str
    octets: int
    sha256: str
    head: str

    def __post_init__(self) -> None:
        if not FILE_NOTE.fullmatch(str(self)):
            raise MalformedText(f"No note can be about {self.name!r} with the head {self.head!r}.")

    @classmethod
    def of(cls, note: Note) -> FileNote:
        """Return what a note says, without verifying it; raise `MalformedText`."""
        found = FILE_NOTE.fullmatch(note.text)
        if not found:
            raise MalformedText("The note is not about a file.")
        return cls(
            found["origin"], found["name"], int(found["octets"]), found["sha256"], found["head"]
        )

    def __str__(self) -> str:
        return (
            f"urn-namespace-registry-file/v1\nlog {self.origin}\nfile {self.name}\n"
            f"octets {self.octets}\nsha256 {self.sha256}\nhead {self.head}\n"
        )


def get_note_path(path: Path) -> Path:
    """Return where the note about a file is."""
    return path.with_name(f"{path.name}{NOTE_SUFFIX}")


def sign_file(path: Path, key: SignerKey, head: str) -> Note:
    """Return the note about a file, signed with a log's key."""
    octets, sha256 = measure_file(path)
    return sign_note(str(FileNote(key.name, path.name, octets, sha256, head)), key)


def verify_file(path: Path, keys: Sequence[VerifierKey]) -> Note:
    """Return the note about a file, signed by one of `keys`, which is of the log that it names.

    Raises `MalformedText`, and `UnverifiedSignature` if there is no note, or one by another key or
    about another file.
    """
    note = read_unverified_note(path)
    origin = FileNote.of(note).origin
    try:
        note.verify(*(key for key in keys if key.name == origin))
    except UnverifiedSignature as error:
        raise UnverifiedSignature(
            f"{get_note_path(path)}: {error} It says that it is by {list_signers(note)}. Compare "
            "the key that you gave with the one that the log publishes, or copy the file and its "
            "note again."
        ) from None
    return note


def read_unverified_note(path: Path) -> Note:
    """Return the note about a file, which anybody may have signed; raises as `verify_file`."""
    place = get_note_path(path)
    if not place.exists():
        raise UnverifiedSignature(
            f"{path.name} is not signed: there is no {place}. Copy it from where the file is from."
        )
    note = Note.parse(place.read_bytes())
    stated = FileNote.of(note)
    if stated.name != path.name:
        raise UnverifiedSignature(
            f"{place} is about {stated.name}, not {path.name}. Copy the note of this file, or give "
            "the file its name back."
        )
    if measure_file(path) != (stated.octets, stated.sha256):
        raise UnverifiedSignature(
            f"{path} is not the file that was signed: its size or SHA-256 is another. Copy it "
            "again."
        )
    return note


def list_signers(note: Note) -> str:
    """Return the names and ids of the keys that a note says it is signed by."""
    return ", ".join(f"{each.name}+{each.key_id.hex()}" for each in note.signatures)


def measure_file(path: Path) -> tuple[int, str]:
    """Return the size and SHA-256 of a file."""
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        return stream.tell(), sha256
