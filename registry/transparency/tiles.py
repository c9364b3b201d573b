"""A tree as tiles: files at addresses that never change (c2sp.org/tlog-tiles).

A tile has up to 256 hashes, those of its level; a bundle has the entries of a tile of level 0. A
`TileSource` provides them: a folder, an address, a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from registry.transparency import merkle
from registry.transparency.errors import MalformedText, MissingTile
from registry.transparency.merkle import HASH_SIZE

TILE_HEIGHT: Final = 8
TILE_WIDTH: Final = 1 << TILE_HEIGHT
MAX_LEVEL: Final = 63
MAX_ENTRY_BYTES: Final = 65_535
"""The maximum of the two-octet length before an entry."""
CHECKPOINT_PATH: Final = "checkpoint"
ENTRIES: Final = "entries"
"""Replaces the level in the address of a bundle."""
TILE_PATH: Final = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/(?P<number>(?:x[0-9]{3}/)*[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?",
    re.ASCII,
)


class TileSource(Protocol):
    def read(self, path: str) -> bytes:
        """Return the content at `path` below the log's address; raise `MissingTile`."""


def build_tile_path(level: int | None, number: int, width: int = TILE_WIDTH) -> str:
    """Return the address of a tile below that of the log, or of a bundle if there is no level."""
    if level is not None and not 0 <= level <= MAX_LEVEL:
        raise ValueError(f"There is no level {level}.")
    if number < 0 or not 1 <= width <= TILE_WIDTH:
        raise ValueError(f"There is no tile {number} of width {width}.")
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03}")
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return f"tile/{ENTRIES if level is None else level}/{'/'.join(groups)}{partial}"


def parse_tile_path(path: str) -> tuple[int | None, int, int]:
    """Return level (None for a bundle), number and width of the tile at `path`.

    Raises `MalformedText` for every address that `build_tile_path` does not produce.
    """
    if not (found := TILE_PATH.fullmatch(path)):
        raise MalformedText(f"{path} is not the address of a tile.")
    level = None if found["level"] == ENTRIES else int(found["level"])
    number = int(found["number"].replace("x", "").replace("/", ""))
    tile = level, number, int(found["width"] or TILE_WIDTH)
    try:
        if build_tile_path(*tile) == path:
            return tile
    except ValueError:
        pass
    raise MalformedText(f"{path} is not the address of a tile.")


def measure_tile(level: int, number: int, size: int) -> int:
    """Return how many hashes a tile has in a tree of `size` leaves, 0 if it does not exist."""
    hashes = size >> (TILE_HEIGHT * level)
    return max(0, min(TILE_WIDTH, hashes - number * TILE_WIDTH))


def list_tiles(size: int, first: int = 0) -> Iterator[tuple[int, int, int]]:
    """Yield level, number and width of the tiles that a tree of `first` leaves does not have."""
    for level in range(MAX_LEVEL + 1):
        hashes, known = size >> (TILE_HEIGHT * level), first >> (TILE_HEIGHT * level)
        if not hashes:
            return
        if hashes == known:
            continue
        for number in range(known // TILE_WIDTH, -(-hashes // TILE_WIDTH)):
            yield level, number, measure_tile(level, number, size)


def encode_bundle(entries: Iterable[bytes]) -> bytes:
    """Return entries as a bundle, each after its length in two octets."""
    parts = []
    for entry in entries:
        if len(entry) > MAX_ENTRY_BYTES:
            raise ValueError(f"An entry has {len(entry)} octets, more than {MAX_ENTRY_BYTES}.")
        parts += [len(entry).to_bytes(2), entry]
    return b"".join(parts)


def decode_bundle(octets: bytes) -> list[bytes]:
    """Return the entries of a bundle; raise `MalformedText` if it was truncated."""
    entries, place = [], 0
    while place < len(octets):
        start = place + 2
        place = start + int.from_bytes(octets[place:start])
        if start > len(octets) or place > len(octets):
            raise MalformedText("A bundle of entries was cut.")
        entries.append(octets[start:place])
    return entries


class ShortBundle(MissingTile):
    """A bundle has fewer entries than the tree requires; `entries` are those that exist."""

    def __init__(self, number: int, width: int, entries: list[bytes]) -> None:
        super().__init__(f"Bundle {number} has {len(entries)} entries, not {width}.")
        self.entries = entries


class TileTree:
    """A tree of a size, read tile by tile, with tiles cached."""

    def __init__(self, source: TileSource, size: int) -> None:
        self.source = source
        self.size = size
        self.tiles: dict[tuple[int, int], bytes] = {}

    def read_tile(self, level: int, number: int) -> bytes:
        """Return the hashes of a tile; raise `MissingTile`."""
        if found := self.tiles.get((level, number)):
            return found
        width = measure_tile(level, number, self.size)
        if not width:
            raise MissingTile(f"A tree of {self.size} leaves has no tile {number} of {level}.")
        path = build_tile_path(level, number, width)
        try:
            octets = self.source.read(path)
        except MissingTile:
            if width == TILE_WIDTH:
                raise
            octets = self.source.read(build_tile_path(level, number))  # Full by now.
        if len(octets) % HASH_SIZE or len(octets) < width * HASH_SIZE:
            raise MissingTile(f"{path} has {len(octets)} octets, not {width * HASH_SIZE}.")
        self.tiles[level, number] = found = octets[: width * HASH_SIZE]
        return found

    def read_subtree(self, height: int, number: int) -> bytes:
        """Return the hash of a complete subtree, as a `merkle.SubtreeReader`."""
        level, rest = divmod(height, TILE_HEIGHT)
        first = number << rest
        tile = self.read_tile(level, first // TILE_WIDTH)
        start = (first % TILE_WIDTH) * HASH_SIZE
        end = start + (HASH_SIZE << rest)
        if end > len(tile):
            raise MissingTile(f"No complete subtree of height {height} begins at {number}.")
        hashes = [tile[place : place + HASH_SIZE] for place in range(start, end, HASH_SIZE)]
        while len(hashes) > 1:
            pairs = zip(hashes[::2], hashes[1::2], strict=True)
            hashes = [merkle.hash_children(left, right) for left, right in pairs]
        return hashes[0]

    def compute_root(self) -> bytes:
        return merkle.hash_range(self.read_subtree, 0, self.size)

    def prove_inclusion(self, index: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree."""
        return merkle.prove_inclusion(self.read_subtree, index, self.size)

    def prove_consistency(self, first: int) -> list[bytes]:
        """Return the proof that the tree continues the one of its `first` leaves."""
        return merkle.prove_consistency(self.read_subtree, first, self.size)

    def read_leaf(self, index: int) -> bytes:
        return self.read_subtree(0, index)

    def read_entries(self, number: int) -> list[bytes]:
        """Return the entries of a bundle; raise `MissingTile`, or `ShortBundle` with some."""
        width = measure_tile(0, number, self.size)
        try:
            octets = self.source.read(build_tile_path(None, number, width))
        except MissingTile:
            if width == TILE_WIDTH:
                raise
            octets = self.source.read(build_tile_path(None, number))
        entries = decode_bundle(octets)
        if len(entries) < width:
            raise ShortBundle(number, width, entries)
        return entries[:width]


class ExtendedTree:
    """A tree that grows in memory from one with existing tiles, and the new tiles."""

    def __init__(self, tree: TileTree) -> None:
        self.old = tree
        self.size = tree.size
        self.new: dict[tuple[int, int], list[bytes]] = {}

    def append(self, leaves: Sequence[bytes]) -> None:
        """Add the hashes of further leaves."""
        for leaf in leaves:
            self.add_hash(0, self.size, leaf)
            self.size += 1

    def add_hash(self, level: int, place: int, value: bytes) -> None:
        """Add a hash to the last tile of a level, and a full tile's hash to the next level."""
        number = place // TILE_WIDTH
        tile = self.new.get((level, number))
        if tile is None:
            tile = self.new[level, number] = self.begin_tile(level, number)
        tile.append(value)
        if len(tile) == TILE_WIDTH:
            self.add_hash(level + 1, number, merkle.compute_root(tile))

    def begin_tile(self, level: int, number: int) -> list[bytes]:
        """Return the hashes that a tile already has."""
        if not measure_tile(level, number, self.old.size):
            return []
        tile = self.old.read_tile(level, number)
        return [tile[place : place + HASH_SIZE] for place in range(0, len(tile), HASH_SIZE)]

    def list_new_tiles(self) -> Iterator[tuple[str, bytes]]:
        """Yield address and octets of each tile that the old tree did not have."""
        for (level, number), hashes in sorted(self.new.items()):
            yield build_tile_path(level, number, len(hashes)), b"".join(hashes)

    def read_subtree(self, height: int, number: int) -> bytes:
        """Return the hash of a complete subtree, as a `merkle.SubtreeReader`."""
        level, rest = divmod(height, TILE_HEIGHT)
        first = number << rest
        tile = self.new.get((level, first // TILE_WIDTH))
        if tile is None:
            return self.old.read_subtree(height, number)
        start = first % TILE_WIDTH
        return merkle.compute_root(tile[start : start + (1 << rest)])

    def compute_root(self) -> bytes:
        """Return the root of the tree as it is now."""
        return merkle.hash_range(self.read_subtree, 0, self.size)

    def prove_consistency(self, first: int) -> list[bytes]:
        """Return the proof that the tree continues the one of its `first` leaves."""
        return merkle.prove_consistency(self.read_subtree, first, self.size)
