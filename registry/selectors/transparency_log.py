"""The transparency log as it is published: its head, its entries, and proofs of them.

All is read from the files that the worker wrote, as anybody could: no key is here, and what is
proved is what others have.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.conf import settings

from registry.journal.log_worker import KEY_PATH
from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MissingTile, TransparencyError
from registry.transparency.notes import Note
from registry.transparency.proof_files import LogProof
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import CHECKPOINT_PATH, TILE_WIDTH, TileTree


@dataclass(frozen=True, slots=True)
class PublishedHead:
    """The head that everybody reads: as a note, what it says, and since when it is there."""

    note: Note
    head: Checkpoint
    published_at: datetime.datetime

    def has_entry(self, number: int) -> bool:
        """Whether the head proves the entry of that number."""
        return 0 <= number < self.head.size

    def open_tree(self) -> TileTree:
        """Return the tree of the head."""
        return TileTree(FolderSource(settings.REGISTRY_LOG_DIR), self.head.size)


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """That the tree of one size is continued by that of another."""

    first: int
    second: int
    first_root: bytes
    second_root: bytes
    path: tuple[bytes, ...]


def find_published_head() -> PublishedHead | None:
    """Return the head, none while nothing was signed."""
    path = settings.REGISTRY_LOG_DIR / CHECKPOINT_PATH
    try:
        note = Note.parse(path.read_bytes())
        moment = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
        return PublishedHead(note, Checkpoint.of(note), moment)
    except (OSError, TransparencyError):
        return None


def find_published_key() -> str:
    """Return the key by which others verify the head, empty while there is none."""
    try:
        return str((settings.REGISTRY_LOG_DIR / KEY_PATH).read_text("ascii").strip())
    except OSError:
        return ""


def prove_entry(published: PublishedHead, number: int) -> LogProof | None:
    """Return the proof of an entry, with the entry; none where the head does not have it."""
    if not published.has_entry(number):
        return None
    tree = published.open_tree()
    try:
        path = tree.prove_inclusion(number)
        entry = tree.read_entries(number // TILE_WIDTH)[number % TILE_WIDTH]
    except MissingTile:
        return None
    return LogProof(number, tuple(path), published.note, entry)


def prove_growth(published: PublishedHead, first: int, second: int) -> ConsistencyProof | None:
    """Return the proof that the log of `first` entries was only added to; none beyond the head."""
    if not 0 <= first <= second <= published.head.size:
        return None
    tree = published.open_tree()
    try:
        roots = [merkle.hash_range(tree.read_subtree, 0, size) for size in (first, second)]
        path = merkle.prove_consistency(tree.read_subtree, first, second)
    except MissingTile:
        return None
    return ConsistencyProof(first, second, roots[0], roots[1], tuple(path))


def read_log_file(path: str) -> bytes | None:
    """Return a file of the log, none where it is not there."""
    try:
        return FolderSource(settings.REGISTRY_LOG_DIR).read(path)
    except MissingTile:
        return None
