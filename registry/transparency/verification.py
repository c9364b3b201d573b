"""Whether a log matches its heads: every entry, every tile, every root.

Kept heads, and a memory of the leaves, say what was seen before: only they expose a log that was
entirely rewritten and signed again, and the memory shows from which entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import (
    MalformedText,
    MissingTile,
    TransparencyError,
    UnverifiedSignature,
)
from registry.transparency.merkle import HASH_SIZE, TreeBuilder, hash_leaf
from registry.transparency.notes import Note, VerifierKey
from registry.transparency.tiles import (
    CHECKPOINT_PATH,
    TILE_WIDTH,
    ShortBundle,
    TileSource,
    TileTree,
)

MEMORY_HEADER: Final = b"registry.transparency leaves 1\n"
EntryReader = Callable[[int, bytes], Iterator[str]]
"""Called with number and octets of each entry; yields a sentence for each fault."""


@dataclass(frozen=True, slots=True)
class LogMemory:
    """The origin of a log and the hashes of its leaves, as they were verified at some time."""

    origin: str
    leaves: bytes

    @classmethod
    def read(cls, path: Path) -> LogMemory | None:
        """Return the memory in a file, or None without a file; raise `MalformedText`."""
        if not path.exists():
            return None
        octets = path.read_bytes()
        head, _end, rest = octets.removeprefix(MEMORY_HEADER).partition(b"\n")
        if not octets.startswith(MEMORY_HEADER) or len(rest) % HASH_SIZE:
            raise MalformedText(f"{path} does not remember a log.")
        return cls(json.loads(head)["origin"], rest)

    def write(self, path: Path) -> None:
        """Write the memory to a file, replacing an older one."""
        head = json.dumps({"origin": self.origin}).encode()
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_bytes(MEMORY_HEADER + head + b"\n" + self.leaves)
        fresh.replace(path)

    @property
    def size(self) -> int:
        """How many entries are remembered."""
        return len(self.leaves) // HASH_SIZE


@dataclass(slots=True)
class LogReport:
    """The result: the head, the current leaves, and a sentence for each fault."""

    head: Checkpoint | None = None
    note: Note | None = None
    leaves: bytearray = field(default_factory=bytearray)
    faults: list[str] = field(default_factory=list)


def verify_head(note: Note, keys: Sequence[VerifierKey]) -> Checkpoint:
    """Return the head in a note, signed by a key of its origin.

    Raises `MalformedText` and `UnverifiedSignature`.
    """
    head = Checkpoint.of(note)
    own = [key for key in keys if key.name == head.origin]
    if not own:
        names = ", ".join(sorted({key.name for key in keys})) or "none"
        raise UnverifiedSignature(
            f"The head is of the log {head.origin}, and no key of it is trusted ({names})."
        )
    note.verify(*own)
    return head


def verify_log(
    source: TileSource,
    keys: Sequence[VerifierKey],
    *,
    seen: Sequence[Note] = (),
    memory: LogMemory | None = None,
    read_entry: EntryReader | None = None,
) -> LogReport:
    """Return what is wrong with a log, entry by entry, or nothing.

    `seen` are heads kept from earlier, `memory` the leaves at that time.
    """
    report = LogReport()
    try:
        report.note = Note.parse(source.read(CHECKPOINT_PATH))
        head = Checkpoint.of(report.note)
    except TransparencyError as error:
        report.faults.append(f"The head: {error}")
        return report
    try:
        report.head = verify_head(report.note, keys)
    except TransparencyError as error:
        # Whoever signed it, what was seen earlier shows which entries differ.
        report.faults.append(f"The head: {error}")
        if not seen and not memory:
            return report
    earlier = read_seen_heads(seen, keys, head, report)
    LogWalk(source, head, report, memory, read_entry).run(earlier)
    return report


def read_seen_heads(
    seen: Sequence[Note],
    keys: Sequence[VerifierKey],
    present: Checkpoint | None,
    report: LogReport,
) -> list[Checkpoint]:
    """Return the kept heads, by size; those without a trusted signature are faults."""
    found = []
    for note in seen:
        try:
            head = verify_head(note, keys)
        except TransparencyError as error:
            report.faults.append(f"A head that was kept: {error}")
            continue
        if present and head.origin != present.origin:
            report.faults.append(
                f"A head that was kept is of {head.origin}, this log is {present.origin}."
            )
            continue
        found.append(head)
    return sorted(found, key=lambda head: head.size)


class LogWalk:
    """One pass through a log from entry 0 to its head."""

    def __init__(
        self,
        source: TileSource,
        head: Checkpoint,
        report: LogReport,
        memory: LogMemory | None,
        read_entry: EntryReader | None,
    ) -> None:
        self.tiles = TileTree(source, head.size)
        self.head = head
        self.report = report
        self.memory = memory
        self.read_entry = read_entry
        self.tree = TreeBuilder()
        self.levels: list[list[bytes]] = []

    def run(self, earlier: list[Checkpoint]) -> None:
        """Read every entry, and compare roots wherever there is a head."""
        waiting = list(earlier)
        faults = self.report.faults
        if self.memory and self.memory.origin != self.head.origin:
            faults.append(f"The log remembered is {self.memory.origin}, not {self.head.origin}.")
            self.memory = None
        self.compare_heads(waiting)
        if not self.read_bundles(waiting):
            return
        self.compare_partial_tiles()
        if self.tree.root() != self.head.root:
            faults.append(f"The head of {self.head.size} entries has another root than they have.")
        for head in waiting:
            faults.append(
                f"Entries {self.head.size} to {head.size - 1} are missing: a head that was kept "
                f"has {head.size} entries, this one {self.head.size}."
            )
        if self.memory and self.memory.size > self.head.size:
            faults.append(
                f"Entries {self.head.size} to {self.memory.size - 1} are missing, "
                "which are remembered."
            )

    def read_bundles(self, waiting: list[Checkpoint]) -> bool:
        """Read the entries, as far as possible; return whether all were there."""
        for number in range(-(-self.head.size // TILE_WIDTH)):
            try:
                entries = self.tiles.read_entries(number)
            except ShortBundle as error:
                self.read_bundle(number, error.entries, waiting)
                self.note_unread(str(error))
                return False
            except TransparencyError as error:
                self.note_unread(str(error))
                return False
            self.read_bundle(number, entries, waiting)
        return True

    def note_unread(self, why: str) -> None:
        """Report the entry from which on none can be read."""
        first, last = self.tree.size, self.head.size - 1
        which = f"Entry {first}" if first == last else f"Entries {first} to {last}"
        self.report.faults.append(f"{which} cannot be read: {why}")

    def read_bundle(self, number: int, entries: list[bytes], waiting: list[Checkpoint]) -> None:
        """Compare the entries of a bundle with their tile, the memory and the heads."""
        first = number * TILE_WIDTH
        leaves = [hash_leaf(entry) for entry in entries]
        octets = b"".join(leaves)
        self.compare_tile(0, number, octets)
        self.tiles.tiles.clear()
        for place in self.compare_memory(first, octets):
            self.report.faults.append(f"Entry {place} is not the one that is remembered.")
        for place, (entry, leaf) in enumerate(zip(entries, leaves, strict=True), first):
            if self.read_entry:
                self.report.faults.extend(self.read_entry(place, entry))
            self.tree.append(leaf)
            self.add_hash(0, leaf)
            if waiting:
                self.compare_heads(waiting)
        self.report.leaves += octets

    def compare_memory(self, first: int, octets: bytes) -> Iterator[int]:
        """Yield the numbers of entries that differ from those remembered."""
        if not self.memory:
            return
        start = first * HASH_SIZE
        known = self.memory.leaves[start : start + len(octets)]
        if octets.startswith(known):
            return
        for place in range(0, len(known), HASH_SIZE):
            if known[place : place + HASH_SIZE] != octets[place : place + HASH_SIZE]:
                yield first + place // HASH_SIZE

    def compare_heads(self, waiting: list[Checkpoint]) -> None:
        """Compare the current root with those of heads with the same number of entries."""
        while waiting and waiting[0].size == self.tree.size:
            if waiting.pop(0).root != self.tree.root():
                self.report.faults.append(
                    f"Entries 0 to {self.tree.size - 1} were written anew: a head that was kept "
                    "has another root."
                )

    def add_hash(self, level: int, value: bytes) -> None:
        """Add a hash to a level; a full tile is compared, and hashed into the next level."""
        if level == len(self.levels):
            self.levels.append([])
        hashes = self.levels[level]
        hashes.append(value)
        if len(hashes) % TILE_WIDTH:
            return
        size = self.tree.size >> (level * 8)
        if level:
            self.compare_tile(level, (size - 1) // TILE_WIDTH, b"".join(hashes))
        self.levels[level] = []
        self.add_hash(level + 1, merkle.compute_root(hashes))

    def compare_partial_tiles(self) -> None:
        """Compare the last tile of each level but the first, whose tiles have been compared."""
        for level, hashes in enumerate(self.levels):
            if level and hashes:
                number = (self.head.size >> (level * 8)) // TILE_WIDTH
                self.compare_tile(level, number, b"".join(hashes))

    def compare_tile(self, level: int, number: int, octets: bytes) -> None:
        """Report a tile that does not match its entries."""
        try:
            tile = self.tiles.read_tile(level, number)
        except MissingTile as error:
            self.report.faults.append(str(error))
            return
        if tile == octets:
            return
        for place in range(0, len(octets), HASH_SIZE):
            if tile[place : place + HASH_SIZE] != octets[place : place + HASH_SIZE]:
                which = number * TILE_WIDTH + place // HASH_SIZE
                self.report.faults.append(f"{name_hash(level, which)} is not what its tile has.")


def name_hash(level: int, number: int) -> str:
    """Return what a hash of a tile is of: an entry, or the many below a higher level."""
    if level == 0:
        return f"Entry {number}"
    width = TILE_WIDTH**level
    entries = f"entries {number * width} to {(number + 1) * width - 1}"
    return f"Hash {number} of level {level}, of {entries},"
