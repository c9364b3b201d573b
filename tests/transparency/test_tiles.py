"""Tiles, their addresses, and reading and extending trees with them (c2sp.org/tlog-tiles)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from registry.transparency import merkle, tiles
from registry.transparency.errors import MalformedText, MissingTile
from registry.transparency.merkle import hash_leaf
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import ExtendedTree, TileTree
from tests.transparency.logs import define_hash, make_entries, read_list, write_tiles

PATHS = {
    (0, 1234067, 256): "tile/0/x001/x234/067",
    (0, 273, 112): "tile/0/273.p/112",
    (1, 0, 1): "tile/1/000.p/1",
    (63, 999, 256): "tile/63/999",
    (None, 1000, 255): "tile/entries/x001/000.p/255",
}


@pytest.mark.parametrize(("tile", "path"), PATHS.items())
def test_tile_has_one_address(tile: tuple[int | None, int, int], path: str) -> None:
    assert tiles.build_tile_path(*tile) == path
    assert tiles.parse_tile_path(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/1",
        "tile/0/0001",
        "tile/00/001",
        "tile/64/000",
        "tile/0/x000/001",
        "tile/0/001/002",
        "tile/0/x001/002/",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p/5/",
        "tile/entry/000",
        "tile/0/../../secret-key",
        "checkpoint",
        "tile/0/٠٠٠",
    ],
)
def test_nothing_else_is_the_address_of_a_tile(path: str) -> None:
    with pytest.raises(MalformedText):
        tiles.parse_tile_path(path)


def test_tree_of_seventy_thousand_has_the_tiles_of_the_text() -> None:
    found = Counter(
        (level, width if width < tiles.TILE_WIDTH else "full")
        for level, _number, width in tiles.list_tiles(70_000)
    )

    assert found == {(0, "full"): 273, (0, 112): 1, (1, "full"): 1, (1, 17): 1, (2, 1): 1}


def test_tree_of_one_tile_has_that_and_its_hash() -> None:
    assert list(tiles.list_tiles(256)) == [(0, 0, 256), (1, 0, 1)]
    assert list(tiles.list_tiles(0)) == []


def test_tiles_that_are_new_are_those_that_changed() -> None:
    assert list(tiles.list_tiles(513, 511)) == [(0, 1, 256), (0, 2, 1), (1, 0, 2)]


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 700])
def test_tree_that_is_read_by_tiles_is_the_tree(tmp_path: Path, size: int) -> None:
    entries = make_entries(size)
    write_tiles(tmp_path, entries)

    tree = TileTree(FolderSource(tmp_path), size)

    assert tree.compute_root() == define_hash(entries)
    assert [entry for number in range(-(-size // 256)) for entry in tree.read_entries(number)] == (
        entries
    )
    for index in {0, size // 2, size - 1}:
        path = tree.prove_inclusion(index)
        assert path == merkle.prove_inclusion(read_list(entries), index, size)
    for first in {1, size // 3, size - 1}:
        assert tree.prove_consistency(first) == (
            merkle.prove_consistency(read_list(entries), first, size)
        )


def test_tree_grows_in_steps_to_the_same_tiles(tmp_path: Path) -> None:
    entries = make_entries(600)
    leaves = [hash_leaf(entry) for entry in entries]
    write_tiles(tmp_path, entries)
    size = 0
    for step in (1, 100, 155, 0, 1, 200, 143):
        extended = ExtendedTree(TileTree(FolderSource(tmp_path), size))
        extended.append(leaves[size : size + step])

        for path, octets in extended.list_new_tiles():
            file = tmp_path / path
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(octets)
            assert file.read_bytes() == octets

        assert extended.compute_root() == define_hash(entries[: size + step])
        merkle.verify_consistency(
            size,
            define_hash(entries[:size]),
            size + step,
            extended.compute_root(),
            extended.prove_consistency(size),
        )
        size += step


def test_full_tile_stands_in_for_a_partial_one_that_is_gone(tmp_path: Path) -> None:
    entries = make_entries(256)
    write_tiles(tmp_path, entries)

    tree = TileTree(FolderSource(tmp_path), 100)

    assert tree.compute_root() == define_hash(entries[:100])
    assert tree.read_entries(0) == entries[:100]


def test_tile_that_was_cut_is_as_good_as_missing(tmp_path: Path) -> None:
    write_tiles(tmp_path, make_entries(20))
    (tmp_path / "tile/0/000.p/20").write_bytes(bytes(19 * 32))

    with pytest.raises(MissingTile, match="608 octets, not 640"):
        TileTree(FolderSource(tmp_path), 20).compute_root()


@pytest.mark.parametrize("octets", [b"\x00", b"\x00\x03ab", b"\x00\x01a\x00"])
def test_bundle_that_was_cut_is_refused(octets: bytes) -> None:
    with pytest.raises(MalformedText, match="was cut"):
        tiles.decode_bundle(octets)


def test_bundle_has_entries_of_every_length_that_two_octets_can_say() -> None:
    entries = [b"", b"a", b"b" * 65_535]

    assert tiles.decode_bundle(tiles.encode_bundle(entries)) == entries
    with pytest.raises(ValueError, match="more than 65535"):
        tiles.encode_bundle([b"c" * 65_536])
