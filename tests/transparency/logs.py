"""Small logs in folders, as a worker would write them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.merkle import EMPTY_ROOT, hash_leaf
from registry.transparency.notes import Note, SignerKey, sign_note
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import (
    CHECKPOINT_PATH,
    TILE_WIDTH,
    ExtendedTree,
    TileTree,
    build_tile_path,
    encode_bundle,
)

ORIGIN = "log.example/log"


def make_entries(count: int, salt: str = "") -> list[bytes]:
    """Return this many different entries."""
    return [f'{{"entry":{number},"salt":"{salt}"}}'.encode() for number in range(count)]


def read_list(entries: Sequence[bytes]) -> merkle.SubtreeReader:
    """Return a reader of complete subtrees from a list of entries, by the definition alone."""

    def read(height: int, number: int) -> bytes:
        first = number << height
        return define_hash(entries[first : first + (1 << height)])

    return read


def define_hash(entries: Sequence[bytes]) -> bytes:
    """Return the hash of a tree as RFC 9162, section 2.1.1, defines it, step by step."""
    if not entries:
        return EMPTY_ROOT
    if len(entries) == 1:
        return hash_leaf(entries[0])
    middle = 1
    while middle * 2 < len(entries):
        middle *= 2
    left, right = define_hash(entries[:middle]), define_hash(entries[middle:])
    return merkle.hash_children(left, right)


def write_tiles(folder: Path, entries: Sequence[bytes]) -> None:
    """Write tiles and bundles of a log, without a head."""
    tree = ExtendedTree(TileTree(FolderSource(folder), 0))
    tree.append([hash_leaf(entry) for entry in entries])
    files = dict(tree.list_new_tiles())
    for first in range(0, len(entries), TILE_WIDTH):
        part = entries[first : first + TILE_WIDTH]
        path = build_tile_path(None, first // TILE_WIDTH, len(part))
        files[path] = encode_bundle(part)
    for path, octets in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(octets)


def sign_head(key: SignerKey, entries: Sequence[bytes], origin: str = ORIGIN) -> Note:
    """Return the signed head of a log of these entries."""
    root = merkle.compute_root(hash_leaf(entry) for entry in entries)
    return sign_note(str(Checkpoint(origin, len(entries), root)), key)


def write_log(folder: Path, entries: Sequence[bytes], key: SignerKey) -> Note:
    """Write a whole log into a folder; return its head."""
    write_tiles(folder, entries)
    note = sign_head(key, entries, key.name)
    (folder / CHECKPOINT_PATH).write_bytes(bytes(note))
    return note
