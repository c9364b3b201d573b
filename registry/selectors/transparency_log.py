"""The transparency log as published: its head, its entries, and their proofs.

Everything is read from the files that the worker wrote, as anybody could: no key is here, and what
is proved is what others have.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto

from django.conf import settings

from registry.journal.log_worker import KEY_PATH, find_development_key
from registry.models import LogOrigin
from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MissingTile, TransparencyError, UnverifiedProof
from registry.transparency.notes import Note, VerifierKey
from registry.transparency.proof_files import LogProof
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import CHECKPOINT_PATH, TILE_WIDTH, TileTree


@dataclass(frozen=True, slots=True)
class PublishedHead:
    """The published head: as a note, what it says, and since when it is there."""

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
    """A proof that the tree of one size continues that of another."""

    first: int
    second: int
    first_root: bytes
    second_root: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry as pages name it, with the published head; None before the first."""

    number: int
    published: PublishedHead | None

    @property
    def is_proved(self) -> bool:
        """Whether the head proves it."""
        return self.published is not None and self.published.has_entry(self.number)

    @property
    def is_awaited(self) -> bool:
        """Whether only the next head proves it, which comes without an event of the journal."""
        return self.published is not None and not self.is_proved


class EarlierHeadVerdict(StrEnum):
    """How an earlier head relates to the log as it is now."""

    SAME = auto()
    GROWN = auto()
    OTHER_LOG = auto()
    FORMER_LOG = auto()
    """Of a log of this registry that has ended."""
    OTHER_KEY = auto()
    FORGED = auto()
    """It names our key, but its signature does not verify."""
    LARGER = auto()
    OTHER_ENTRIES = auto()
    """Signed by our key, but the log now has other entries."""
    UNKNOWN = auto()
    """Files of the log are missing, so nothing can be proved."""


@dataclass(frozen=True, slots=True)
class EarlierHeadAnswer:
    """The answer about a head that somebody kept."""

    verdict: EarlierHeadVerdict
    kept: Checkpoint
    published: PublishedHead

    @property
    def difference(self) -> int:
        """By how many entries one log is longer than the other."""
        return abs(self.published.head.size - self.kept.size)


def find_published_head() -> PublishedHead | None:
    """Return the head; None while nothing was signed."""
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


def is_signed_for_development(published: PublishedHead) -> bool:
    """Whether the head is signed by a key that a demonstration made on this machine."""
    key = find_development_key()
    return key is not None and bool(published.note.find_verified([key.verifier()]))


def prove_entry(published: PublishedHead, number: int) -> LogProof | None:
    """Return the proof of an entry, with the entry; None if the head does not include it."""
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
    """Return the proof that the log of `first` entries was only appended to; None past the head."""
    if not 0 <= first <= second <= published.head.size:
        return None
    tree = published.open_tree()
    try:
        roots = [merkle.hash_range(tree.read_subtree, 0, size) for size in (first, second)]
        path = merkle.prove_consistency(tree.read_subtree, first, second)
    except MissingTile:
        return None
    return ConsistencyProof(first, second, roots[0], roots[1], tuple(path))


def list_logged_entries(numbers: Iterable[int]) -> list[LoggedEntry]:
    """Return entries with the published head, in the order of the given numbers."""
    published = find_published_head()
    return [LoggedEntry(number, published) for number in numbers]


def compare_earlier_head(note: Note, published: PublishedHead) -> EarlierHeadAnswer:
    """Return how a head that somebody kept relates to the log; raise `MalformedText` for other
    notes.

    That the log has grown is said only if the proof of it (RFC 9162, section 2.1.4.2) holds, for
    the kept root and the published one.
    """
    kept = Checkpoint.of(note)
    return EarlierHeadAnswer(find_earlier_head_verdict(note, kept, published), kept, published)


def find_earlier_head_verdict(
    note: Note, kept: Checkpoint, published: PublishedHead
) -> EarlierHeadVerdict:
    """Return how a head relates to the log: of which log, by which key, over which entries."""
    if kept.origin != published.head.origin:
        is_former = LogOrigin.objects.filter(origin=kept.origin).exists()
        return EarlierHeadVerdict.FORMER_LOG if is_former else EarlierHeadVerdict.OTHER_LOG
    try:
        key = VerifierKey.parse(find_published_key())
    except TransparencyError:
        return EarlierHeadVerdict.UNKNOWN
    if not any(signature.is_by(key) for signature in note.signatures):
        return EarlierHeadVerdict.OTHER_KEY
    try:
        note.verify(key)
    except TransparencyError:
        return EarlierHeadVerdict.FORGED
    if kept.size > published.head.size:
        return EarlierHeadVerdict.LARGER
    return find_growth_verdict(kept, published)


def find_growth_verdict(kept: Checkpoint, published: PublishedHead) -> EarlierHeadVerdict:
    """Return whether the log continues a head that it signed and that is not the larger."""
    size = published.head.size
    proof = prove_growth(published, kept.size, size)
    if proof is None or proof.second_root != published.head.root:
        return EarlierHeadVerdict.UNKNOWN
    try:
        merkle.verify_consistency(kept.size, kept.root, size, published.head.root, proof.path)
    except UnverifiedProof:
        return EarlierHeadVerdict.OTHER_ENTRIES
    return EarlierHeadVerdict.SAME if kept.size == size else EarlierHeadVerdict.GROWN


def read_log_file(path: str) -> bytes | None:
    """Return a file of the log; None if it is not there."""
    try:
        return FolderSource(settings.REGISTRY_LOG_DIR).read(path)
    except MissingTile:
        return None
