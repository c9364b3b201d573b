"""Builds and signs the transparency log: tiles, bundles of entries, and the head.

One process at a time does this, under a lock, and only it has the key. What it last signed is in a
file outside the database, so a database restored to an earlier day cannot make it sign a head that
does not extend the last one.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import Error, connection

from registry import journal
from registry.env import LOG_KEY, LOG_KEY_FILE
from registry.errors import RegistryError
from registry.journal import JournalHead
from registry.models import BuiltExport, Event, LogOrigin
from registry.models.export import DUMP_NAME
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MissingTile, TransparencyError
from registry.transparency.file_notes import FileNote
from registry.transparency.merkle import HASH_SIZE, hash_leaf
from registry.transparency.notes import Note, SignerKey, VerifierKey, sign_note
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import (
    CHECKPOINT_PATH,
    TILE_WIDTH,
    ExtendedTree,
    TileTree,
    build_tile_path,
    encode_bundle,
)
from registry.transparency.witness import lock_exclusively, write_durably
from registry.transparency.witness_client import GrowthProver, KnownWitness

logger = logging.getLogger(__name__)

KEY_PATH: Final = "key"
"""Where the verification key is published, next to the checkpoint."""
RECENT_ENTRIES: Final = 2 * TILE_WIDTH
"""How many entries before the last head are compared each time; at first all of them are."""
WITNESS_PAUSE_SECONDS: Final = 60
"""How long a witness that did not answer is left alone, unless there is a new head."""
SECRET_MODE: Final = 0o600
DATABASE_LOCK: Final = 0x75726E2D6C6F67
"""The number of our advisory lock in PostgreSQL: `urn-log`."""


class LogRefused(RegistryError):
    """The log was not built. Nothing was signed, and the message says what is wrong."""

    status = HTTPStatus.CONFLICT


def read_signing_key(origin: str) -> SignerKey:
    """Return the log's key: from the environment, from a file, or the demonstration's.

    Raises `LogRefused` if there is none, or if it belongs to another log.
    """
    text = os.environ.get(LOG_KEY, "").strip()
    path = os.environ.get(LOG_KEY_FILE, "").strip()
    try:
        if text:
            key = SignerKey.parse(text)
        elif path:
            key = SignerKey.parse(Path(path).read_text("ascii"))
        elif settings.DEMONSTRATION:
            key = read_development_key(settings.REGISTRY_LOG_DEVELOPMENT_KEY, origin)
        else:
            raise LogRefused(
                f"There is no key: set {LOG_KEY_FILE} or {LOG_KEY}. "
                f"`python -m registry.transparency keygen {origin} FILE` makes one."
            )
    except (TransparencyError, OSError, UnicodeDecodeError) as error:
        raise LogRefused(f"The key of the log cannot be read: {error}") from None
    if key.name != origin:
        raise LogRefused(f"The key is that of {key.name}, and the log is {origin}.")
    return key


def read_development_key(path: Path, origin: str) -> SignerKey:
    """Return the demonstration's own key, created on first use, and again for another log."""
    if path.exists():
        key = SignerKey.parse(path.read_text("ascii"))
        if key.name == origin:
            return key
    key = SignerKey.generate(origin)
    write_durably(path, f"{key.export()}\n".encode("ascii"), SECRET_MODE)
    return key


@contextmanager
def hold_lock() -> Iterator[None]:
    """Hold the lock for building the log; raise `LogRefused` if another process has it.

    A file keeps the processes of one machine apart, PostgreSQL those of several.
    """
    with hold_file_lock(), hold_database_lock():
        yield


@contextmanager
def hold_file_lock() -> Iterator[None]:
    """Hold this machine's lock; raise `LogRefused` if another process has it."""
    path = settings.REGISTRY_LOG_HEAD
    try:
        number = lock_exclusively(path.with_name(f"{path.name}.lock"))
    except TransparencyError:
        raise LogRefused("Another process builds the log.") from None
    try:
        yield
    finally:
        os.close(number)


@contextmanager
def hold_database_lock() -> Iterator[None]:
    """Hold the lock in PostgreSQL; raise `LogRefused` if another connection has it."""
    claim_database_lock()
    try:
        yield
    finally:
        if connection.vendor == "postgresql":
            # The lock was claimed once per build; after an outage it is already gone.
            with suppress(Error), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock_all()")


def claim_database_lock() -> None:
    """Claim or keep the log's lock in PostgreSQL, for as long as the connection lives.

    After an outage there is another connection, which must claim it again. SQLite is a file on one
    machine, where a file lock is enough. Raises `LogRefused` if another connection has the lock.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [DATABASE_LOCK])
        is_ours = cursor.fetchone()[0]
    if not is_ours:
        raise LogRefused(
            "Another process builds the log, on another machine perhaps: it has the lock in the "
            "database. End one of the two."
        )


@dataclass(frozen=True, slots=True)
class BuiltLog:
    """The result of a build: the head, the number of new entries, and whether the key is real."""

    head: Checkpoint
    new: int
    is_development: bool


class LogBuilder:
    """Builds one log from the journal, repeatedly; requires `hold_lock`."""

    def __init__(self, log: LogOrigin, key: SignerKey) -> None:
        self.log = log
        self.key = key
        self.folder: Path = settings.REGISTRY_LOG_DIR
        self.source = FolderSource(self.folder)
        self.has_compared_all = False
        self.ask_again_at = 0.0

    def build(self) -> BuiltLog:
        """Add the journal's new events to the log, and sign its head.

        Raises `LogRefused` if the journal does not extend the last head, or if another process took
        over after the connection was lost.
        """
        claim_database_lock()
        last = read_last_head(self.log.origin, [self.key.verifier()])
        size = 1 + (Event.objects.order_by("-number").values_list("number", flat=True).first() or 0)
        if size < last.size:
            raise LogRefused(
                f"The journal ends with line {size - 1}, and the last head has {last.size} "
                f"entries: lines {size} to {last.size - 1} are missing. The database was restored "
                "to an earlier day, or cut. Restore a newer backup, or begin another log with "
                "restart_log, which names this head."
            )
        tree = self.open_tree(last)
        self.compare_leaves(tree)
        if size > last.size or not self.is_published(last):
            self.extend(tree, size)
        else:
            self.ask_missing_witnesses(tree)
        head = read_last_head(self.log.origin, [self.key.verifier()])
        self.sign_dumps(head)
        is_development = self.key == find_development_key()
        return BuiltLog(head, head.size - last.size, is_development)

    def sign_dumps(self, head: Checkpoint) -> None:
        """Sign the public dumps that have no note yet, and whose events this head covers."""
        last_line = JournalHead(head.size - 1, head.root.hex())
        unsigned = BuiltExport.objects.filter(name=DUMP_NAME, note="", line__lt=head.size)
        for built in unsigned:
            note = FileNote(head.origin, built.name, built.size, built.sha256, str(last_line))
            # The worker may have removed it meanwhile.
            signed = BuiltExport.objects.filter(pk=built.pk)
            signed.update(note=str(sign_note(str(note), self.key)))

    def is_published(self, last: Checkpoint) -> bool:
        """Whether the last head is published."""
        note = read_published_note()
        return note is not None and Checkpoint.of(note) == last

    def open_tree(self, last: Checkpoint) -> TileTree:
        """Return the tree of the last head, rebuilding its tiles if they were lost.

        Raises `LogRefused` if the tiles have another root.
        """
        tree = TileTree(self.source, last.size)
        try:
            root = tree.compute_root()
            if last.size:
                tree.read_entries((last.size - 1) // TILE_WIDTH)
        except TransparencyError:
            root = self.rebuild_tiles(last.size)
            tree = TileTree(self.source, last.size)
        if root != last.root:
            raise LogRefused(
                f"Tiles and journal make another root of {last.size} entries than the last head "
                "has: a line was changed, or a tile. verify_journal says which line."
            )
        return tree

    def rebuild_tiles(self, size: int) -> bytes:
        """Rewrite the tiles of the first entries from the journal; return their root."""
        tree = ExtendedTree(TileTree(self.source, 0))
        for first in range(0, size, TILE_WIDTH):
            self.add_entries(tree, first, min(size, first + TILE_WIDTH))
        self.write_tiles(tree)
        return tree.compute_root()

    def compare_leaves(self, tree: TileTree) -> None:
        """Raise `LogRefused` if an entry of the journal differs from the log's."""
        first = max(0, tree.size - RECENT_ENTRIES) if self.has_compared_all else 0
        for number in range(first // TILE_WIDTH, -(-tree.size // TILE_WIDTH)):
            tile = tree.read_tile(0, number)
            start = number * TILE_WIDTH
            ours = b"".join(self.list_digests(start, start + len(tile) // HASH_SIZE))
            tree.tiles.pop((0, number))
            if ours != tile:
                self.refuse_difference(start, ours, tile)
        self.has_compared_all = True

    def refuse_difference(self, start: int, ours: bytes, theirs: bytes) -> None:
        """Raise `LogRefused` naming the first event that differs in the log."""
        for place in range(0, len(theirs), HASH_SIZE):
            if ours[place : place + HASH_SIZE] != theirs[place : place + HASH_SIZE]:
                raise LogRefused(
                    f"Line {start + place // HASH_SIZE} is not the entry of that number which was "
                    "signed: the database was restored to an earlier day and written on, or the "
                    "line was changed. Restore a newer backup, or begin another log with "
                    "restart_log."
                )

    def list_digests(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the hashes of the journal's entries."""
        if start == 0:
            yield hash_leaf(self.log.entry.encode())
        lines = Event.objects.filter(number__gte=start, number__lt=end).order_by("number")
        for digest in lines.values_list("digest", flat=True):
            yield bytes.fromhex(digest)

    def list_entries(self, start: int, end: int) -> list[bytes]:
        """Return the journal's entries; raise `LogRefused` if one is missing."""
        found = [self.log.entry.encode()] if start == 0 else []
        lines = Event.objects.filter(number__gte=start, number__lt=end).order_by("number")
        found += [entry.encode() for entry in lines.values_list("entry", flat=True)]
        if len(found) != end - start:
            raise LogRefused(f"Of lines {start} to {end - 1}, {end - start - len(found)} are gone.")
        return found

    def extend(self, tree: TileTree, size: int) -> None:
        """Write the tiles of further entries, then store the new head, then publish it."""
        extended = ExtendedTree(tree)
        first = tree.size
        while first < size:
            end = min(size, (first // TILE_WIDTH + 1) * TILE_WIDTH)
            self.add_entries(extended, first, end)
            first = end
        self.write_tiles(extended)
        head = Checkpoint(self.log.origin, size, extended.compute_root())
        note = sign_note(str(head), self.key)
        write_durably(settings.REGISTRY_LOG_HEAD, bytes(note))
        write_durably(self.folder / KEY_PATH, f"{self.key.verifier()}\n".encode("ascii"))
        write_durably(self.folder / CHECKPOINT_PATH, bytes(note))
        self.publish_cosignatures(note, extended.prove_consistency)

    def ask_missing_witnesses(self, tree: TileTree) -> None:
        """Ask witnesses whose signature the published head lacks, once a minute at most."""
        note = read_published_note()
        if note and time.monotonic() >= self.ask_again_at:
            self.publish_cosignatures(note, tree.prove_consistency)

    def publish_cosignatures(self, note: Note, prove: GrowthProver) -> None:
        """Ask witnesses to cosign a published head, and publish it with their signatures."""
        cosigned = self.ask_witnesses(note, prove)
        self.ask_again_at = time.monotonic() + WITNESS_PAUSE_SECONDS
        if cosigned.signatures != note.signatures:
            write_durably(self.folder / CHECKPOINT_PATH, bytes(cosigned))

    def ask_witnesses(self, note: Note, prove: GrowthProver) -> Note:
        """Return the head with the cosignatures of the witnesses that answered.

        Those that have signed are not asked. The others are logged and asked again later: none
        holds up the log.
        """
        for text in settings.REGISTRY_LOG_WITNESSES:
            try:
                witness = KnownWitness.parse(text)
                if not note.find_verified([witness.key]):
                    note = note.add(witness.cosign(note, prove))
            except TransparencyError as error:
                logger.warning("A witness has not cosigned: %s", error)
        return note

    def add_entries(self, tree: ExtendedTree, start: int, end: int) -> None:
        """Add entries of one bundle to a tree, and write the bundle."""
        beginning = start // TILE_WIDTH * TILE_WIDTH
        entries = self.list_entries(beginning, end)
        self.write_file(
            build_tile_path(None, start // TILE_WIDTH, len(entries)), encode_bundle(entries)
        )
        tree.append([hash_leaf(entry) for entry in entries[start - beginning :]])

    def write_tiles(self, tree: ExtendedTree) -> None:
        """Write the new tiles."""
        for path, octets in tree.list_new_tiles():
            self.write_file(path, octets)

    def write_file(self, path: str, octets: bytes) -> None:
        """Write a file of the log atomically, unless it exists with the same content."""
        try:
            if self.source.read(path) == octets:
                return
        except MissingTile:
            pass
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        write_durably(file, octets)


def find_development_key() -> SignerKey | None:
    """Return the key that a demonstration made on this machine, or None if none did."""
    try:
        return SignerKey.parse(settings.REGISTRY_LOG_DEVELOPMENT_KEY.read_text("ascii"))
    except (TransparencyError, OSError, UnicodeDecodeError):
        return None


def read_head_note() -> Note | None:
    """Return the last signed head, from its file outside the database.

    If that file was lost or replaced by an older one, the published head counts: it was signed too,
    and nothing may contradict it.
    """
    path = settings.REGISTRY_LOG_HEAD
    published = read_published_note()
    try:
        kept = Note.parse(path.read_bytes()) if path.exists() else None
        known = [note for note in (kept, published) if note]
        return max(known, key=lambda note: Checkpoint.of(note).size, default=None)
    except (TransparencyError, OSError) as error:
        raise LogRefused(f"{path}, which has the last head, cannot be read: {error}") from None


def read_published_note() -> Note | None:
    """Return the published head, or None if there is no complete one."""
    try:
        note = Note.parse(FolderSource(settings.REGISTRY_LOG_DIR).read(CHECKPOINT_PATH))
        Checkpoint.of(note)
    except TransparencyError:
        return None
    return note


def read_last_head(origin: str, keys: Sequence[VerifierKey]) -> Checkpoint:
    """Return the last signed head, empty before the first.

    Raises `LogRefused` if the file holds another log's head, or an unsigned one.
    """
    note = read_head_note()
    if note is None:
        return Checkpoint(
            origin, 0, TileTree(FolderSource(settings.REGISTRY_LOG_DIR), 0).compute_root()
        )
    try:
        head = Checkpoint.of(note)
        if head.origin != origin:
            raise LogRefused(
                f"{settings.REGISTRY_LOG_HEAD} has the head of {head.origin}, and the log is "
                f"{origin}: this is the database of another registry, or the name was changed."
            )
        note.verify(*keys)
    except TransparencyError as error:
        raise LogRefused(f"The last head is not signed by the key of the log: {error}") from None
    return head


def find_current_log() -> LogOrigin:
    """Return the log; raise `LogRefused` if there is none, or the settings name another."""
    log = journal.find_log()
    if log is None:
        raise LogRefused("The journal has no line yet, so there is no log to build.")
    if log.origin != settings.REGISTRY_LOG_ORIGIN:
        raise LogRefused(
            f"The log is {log.origin} by its entry 0, and the settings name "
            f"{settings.REGISTRY_LOG_ORIGIN}. Set REGISTRY_LOG_ORIGIN back, or begin another log "
            "with restart_log."
        )
    return log


def build_log() -> BuiltLog:
    """Build the log once; raise `LogRefused` if that is not possible."""
    with hold_lock():
        return open_builder().build()


def open_builder() -> LogBuilder:
    """Return the builder of the log, after finishing a restart that was interrupted.

    Requires `hold_lock`. Raises `LogRefused` if there is no log, or no key of it.
    """
    log = find_current_log()
    finish_restart(log)
    return LogBuilder(log, read_signing_key(log.origin))


def discard_demonstration_log() -> None:
    """Discard what the demonstration signed for a database that is gone; elsewhere do nothing.

    Its key is a development key, and the new database is another registry.
    """
    if settings.DEMONSTRATION and not Event.objects.exists() and read_head_note():
        with hold_lock():
            shutil.rmtree(settings.REGISTRY_LOG_DIR, ignore_errors=True)
            settings.REGISTRY_LOG_HEAD.unlink(missing_ok=True)


def restart_log() -> tuple[LogOrigin, Checkpoint | None]:
    """Begin the log named in the settings; return it, and the old head that its entry 0 names.

    Tiles and head of the previous log are moved aside. Called again after it was interrupted, it
    goes on. Raises `LogRefused` if the settings name the existing log: a head of it was signed, and
    another would contradict it.
    """
    origin = settings.REGISTRY_LOG_ORIGIN
    with hold_lock():
        begun = journal.find_log()
        if begun and begun.origin == origin and (left := finish_restart(begun)):
            return begun, left
        if LogOrigin.objects.filter(origin=origin).exists():
            raise LogRefused(
                f"{origin} is or was a log already. Set REGISTRY_LOG_ORIGIN to a name that never "
                "was."
            )
        note = read_head_note()
        head = Checkpoint.of(note) if note else None
        last = {"origin": head.origin, "size": head.size, "root": head.root.hex()} if head else None
        log = journal.begin_log(origin, last_head=last)
        move_aside(head.size if head else 0)
    return log, head


def finish_restart(log: LogOrigin) -> Checkpoint | None:
    """Move aside what an interrupted `restart_log` left of the log that this one continues.

    Returns the head that entry 0 of this log names, or None if nothing was left. A head that it
    does not name is another registry's, and stays.
    """
    named = json.loads(log.entry).get("continues")
    note = read_head_note()
    left = Checkpoint.of(note) if note else None
    if not named or not left or left.origin != named["origin"] or left.size > named["size"]:
        return None
    move_aside(named["size"])
    return Checkpoint(named["origin"], named["size"], bytes.fromhex(named["root"]))


def move_aside(size: int) -> None:
    """Rename tiles and head of the log before, whose last head has this size."""
    number = LogOrigin.objects.count() - 1
    for path in (settings.REGISTRY_LOG_DIR, settings.REGISTRY_LOG_HEAD):
        if path.exists():
            path.rename(path.with_name(f"{path.name}-{number}-{size}"))
