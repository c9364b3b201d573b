"""Writing an edition beside the one that is served, and putting it in its place in one step."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from registry.edition.manifest import digests

WORTH_PACKING: Final = 500
PACKED: Final = (".html", ".json", ".jsonld", ".xml", ".csv", ".txt", ".ttl", ".atom", ".abnf")
PACKED_TOO: Final = (".md", ".css", ".js", ".jsonl", ".svg", "")


class Unfit(Exception):
    """An edition cannot be put there; the text says why."""


@contextmanager
def alone(directory: Path) -> Iterator[None]:
    """Let one process at a time write editions of `directory`."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with beside(directory, "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unfit(f"Another process is writing an edition of {directory}.") from None
        yield


def beside(directory: Path, word: str) -> Path:
    """Return a place beside `directory`, on the same disk, that nobody serves."""
    return directory.with_name(f".{directory.name}.{word}")


def put(directory: Path, files: Mapping[str, bytes]) -> int:
    """Have `directory` hold `files`, and those alone; return how many were written.

    `directory` is a link to a folder beside it, and is moved to another in one step: whoever
    reads finds the old edition or the new one, whole. A file that is as it was is the same file,
    with its date.
    """
    before = current(directory)
    edition = beside(directory, digest_of(files))
    if before == edition:
        return 0
    making = beside(directory, "making")
    remove(making)
    written = sum(write(making, name, octets, before) for name, octets in files.items())
    remove(edition)
    making.rename(edition)
    point(directory, edition)
    sweep(directory, edition)
    return written


def current(directory: Path) -> Path | None:
    """Return the folder of the edition that is there, none where there is none yet."""
    if directory.is_symlink():
        return directory.parent / directory.readlink()
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise Unfit(f"{directory} is there already, and is no edition. Name another folder.")
    return None


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return what tells one edition from another."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def write(making: Path, name: str, octets: bytes, before: Path | None) -> int:
    """Write a file and its packed form, or take them over as they are; return how many are new."""
    place = making / name
    place.parent.mkdir(parents=True, exist_ok=True)
    old = before / name if before else None
    is_same = bool(old and old.is_file() and old.read_bytes() == octets)
    forms = {place: octets}
    if is_packed(name, octets):
        forms[place.with_name(f"{place.name}.gz")] = b"" if is_same else packed(octets)
    for path, content in forms.items():
        source = before / path.relative_to(making) if before else None
        if is_same and source and source.is_file():
            os.link(source, path)
        else:
            path.write_bytes(content if not is_same else packed(octets))
    return 0 if is_same else 1


def is_packed(name: str, octets: bytes) -> bool:
    """Whether a packed form is worth its place."""
    return len(octets) >= WORTH_PACKING and Path(name).suffix in PACKED + PACKED_TOO


def packed(octets: bytes) -> bytes:
    """Return the octets in gzip, the same for the same."""
    return gzip.compress(octets, 9, mtime=0)


def point(directory: Path, edition: Path) -> None:
    """Have `directory` be `edition`, in one step."""
    link = beside(directory, "link")
    link.unlink(missing_ok=True)
    link.symlink_to(edition.name)
    if directory.is_dir() and not directory.is_symlink():
        directory.rmdir()
    link.replace(directory)


def sweep(directory: Path, edition: Path) -> None:
    """Remove the editions that were there before."""
    for other in directory.parent.glob(f".{directory.name}.*"):
        if other != edition and other.is_dir() and digests(other):
            remove(other)


def remove(folder: Path) -> None:
    """Remove a folder, if it is there."""
    if folder.exists():
        shutil.rmtree(folder)
