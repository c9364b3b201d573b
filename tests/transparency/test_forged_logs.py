"""A randomly changed log: each change is detected offline, with its entry.

`make forgeries` does so a thousand times with ten thousand entries.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from registry.transparency.canonical_json import canonicalize, parse_canonical
from registry.transparency.merkle import HASH_SIZE, hash_leaf
from registry.transparency.notes import Note, SignerKey
from registry.transparency.replay import EntryReplay
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import (
    CHECKPOINT_PATH,
    TILE_WIDTH,
    build_tile_path,
    decode_bundle,
    encode_bundle,
    measure_tile,
)
from registry.transparency.verification import LogMemory, verify_log
from tests.transparency.logs import sign_head, write_log, write_tiles
from tests.transparency.registry_dumps import ORIGIN, REGISTER, SampleRegistry
from tests.transparency.test_dumps import ENTRIES, FORGER, KEY, MUTATIONS, PARTS, names_entry

# At least some bundles, so that there is a tile above the first level.
COUNT = max(ENTRIES, 3 * TILE_WIDTH)

Entries = Sequence[bytes]
Mutation = Callable[[Path, Entries, random.Random], int]
"""Changes the files of a log of these entries; returns which entry it touches first."""


@pytest.fixture(scope="module")
def entries() -> Entries:
    """The entries of a registry."""
    return SampleRegistry(COUNT - 1).list_entries()


@pytest.fixture(scope="module")
def sound(entries: Entries, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their log in a folder."""
    folder = tmp_path_factory.mktemp("sound") / "log"
    write_log(folder, entries, KEY)
    return folder


@pytest.fixture(scope="module")
def memory(entries: Entries) -> LogMemory:
    """Somebody's memory of it."""
    return LogMemory(ORIGIN, b"".join(map(hash_leaf, entries)))


def find_bundle(folder: Path, number: int) -> Path:
    """Return the file of the bundle with an entry."""
    bundle = number // TILE_WIDTH
    return folder / build_tile_path(None, bundle, measure_tile(0, bundle, COUNT))


def forge_entry(octets: bytes, chance: random.Random) -> bytes:
    """Return an entry with one member changed, in its canonical form."""
    entry = parse_canonical(octets)
    name = chance.choice(sorted(entry))
    entry[name] = f"{entry[name]}x"
    return canonicalize(entry)


def change_field(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Change one entry, but not the tiles."""
    number = chance.randrange(len(entries))
    place = number % TILE_WIDTH
    file = find_bundle(folder, number)
    bundle = decode_bundle(file.read_bytes())
    bundle[place] = forge_entry(bundle[place], chance)
    file.write_bytes(encode_bundle(bundle))
    return number


def change_hash(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Flip one bit in a tile of the first level."""
    number = chance.randrange(len(entries))
    bundle = number // TILE_WIDTH
    file = folder / build_tile_path(0, bundle, measure_tile(0, bundle, COUNT))
    turn_bit(file, number % TILE_WIDTH, chance)
    return number


def change_hash_above(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Flip one bit in a tile of the second level, covering 256 entries."""
    place = chance.randrange(min(TILE_WIDTH, COUNT // TILE_WIDTH))
    turn_bit(folder / build_tile_path(1, 0, measure_tile(1, 0, COUNT)), place, chance)
    return place * TILE_WIDTH


def turn_bit(file: Path, place: int, chance: random.Random) -> None:
    """Flip one bit of a hash in a tile."""
    octets = bytearray(file.read_bytes())
    octets[place * HASH_SIZE + chance.randrange(HASH_SIZE)] ^= 1 << chance.randrange(8)
    file.write_bytes(octets)


def exchange(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Swap two entries, in bundles and tiles."""
    one, other = sorted(chance.sample(range(len(entries)), 2))
    forged = list(entries)
    forged[one], forged[other] = forged[other], forged[one]
    write_tiles(folder, forged)
    return one


def take_out(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Remove an entry; those after it move up, in bundles and tiles."""
    number = chance.randrange(len(entries))
    rewrite_files(folder, [*entries[:number], *entries[number + 1 :]])
    return number


def cut(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Cut the log at its end."""
    number = chance.randrange(1, len(entries))
    rewrite_files(folder, entries[:number])
    return number


def cut_bundle(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Cut a bundle within an entry."""
    number = chance.randrange(len(entries))
    file = find_bundle(folder, number)
    bundle = decode_bundle(file.read_bytes())
    place = number % TILE_WIDTH
    kept = encode_bundle(bundle[: place + 1])[: -chance.randrange(1, 9)]
    file.write_bytes(kept)
    return number


def insert(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Insert an entry, in bundles and tiles, and sign the head with another key."""
    number = chance.randrange(len(entries))
    forged = [*entries[:number], forge_entry(entries[number], chance), *entries[number:]]
    return rewrite_log(folder, forged, FORGER, number)


def rewrite(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Rewrite the log with another entry, consistently, and sign it with another key."""
    number = chance.randrange(len(entries))
    return rewrite_log(folder, replace_entry(entries, number, chance), FORGER, number)


def rewrite_as_operator(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Do the same with the key of the log."""
    number = chance.randrange(len(entries))
    return rewrite_log(folder, replace_entry(entries, number, chance), KEY, number)


def replay_old_head(folder: Path, entries: Entries, chance: random.Random) -> int:
    """Show an old head with the current log."""
    number = chance.randrange(1, len(entries))
    old = entries[:number]
    write_tiles(folder, old)
    (folder / CHECKPOINT_PATH).write_bytes(bytes(sign_head(KEY, old, ORIGIN)))
    return number


def replace_entry(entries: Entries, number: int, chance: random.Random) -> Entries:
    """Return the entries with one replaced."""
    return [*entries[:number], forge_entry(entries[number], chance), *entries[number + 1 :]]


def rewrite_files(folder: Path, entries: Entries) -> None:
    """Replace the folder's tiles and bundles by those of these entries, keeping its head."""
    shutil.rmtree(folder / "tile")
    write_tiles(folder, entries)


def rewrite_log(folder: Path, entries: Entries, key: SignerKey, number: int) -> int:
    """Replace the folder's log by that of these entries, signed; return the number."""
    rewrite_files(folder, entries)
    (folder / CHECKPOINT_PATH).write_bytes(bytes(sign_head(key, entries, ORIGIN)))
    return number


CHANGES: tuple[Mutation, ...] = (
    change_field,
    change_hash,
    change_hash_above,
    exchange,
    take_out,
    cut,
    cut_bundle,
    insert,
    rewrite,
    rewrite_as_operator,
    replay_old_head,
)


def find_faults(folder: Path, memory: LogMemory | None, *seen: Note) -> list[str]:
    """Return the faults of the log in a folder."""
    replay = EntryReplay()
    source = FolderSource(folder)
    keys = [KEY.verifier()]
    report = verify_log(source, keys, seen=seen, memory=memory, read_entry=replay.read)
    return report.faults


def test_nothing_is_said_against_the_log_as_it_is(sound: Path, memory: LogMemory) -> None:
    assert find_faults(sound, memory) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_every_random_change_of_a_log_is_found_with_its_entry(
    sound: Path, entries: Entries, memory: LogMemory, tmp_path: Path, part: int
) -> None:
    chance = random.Random(19 + part)
    folder = tmp_path / "log"
    for turn in range(part, MUTATIONS, PARTS):
        change = CHANGES[turn % len(CHANGES)]
        shutil.copytree(sound, folder)
        number = change(folder, entries, chance)

        faults = find_faults(folder, memory)

        assert names_entry(faults, number), (change.__name__, number, faults[:3])
        shutil.rmtree(folder)


def test_log_signed_anew_is_found_by_a_kept_head(
    sound: Path, entries: Entries, tmp_path: Path
) -> None:
    shutil.copytree(sound, tmp_path / "log")
    number = REGISTER + 1
    entry = parse_canonical(entries[number])
    other = canonicalize({**entry, "details": entry["actor"]})
    rewrite_log(tmp_path / "log", [*entries[:number], other, *entries[number + 1 :]], KEY, number)

    assert find_faults(tmp_path / "log", None) == []
    [fault] = find_faults(tmp_path / "log", None, sign_head(KEY, entries, ORIGIN))
    assert fault.startswith(f"Entries 0 to {COUNT - 1} ")
    assert "written anew" in fault


def test_old_head_is_found_by_a_newer_one_that_was_kept(
    sound: Path, entries: Entries, tmp_path: Path
) -> None:
    shutil.copytree(sound, tmp_path / "log")
    number = replay_old_head(tmp_path / "log", entries, random.Random(1))

    assert find_faults(tmp_path / "log", None) == []
    [fault] = find_faults(tmp_path / "log", None, sign_head(KEY, entries, ORIGIN))
    assert fault.startswith(f"Entries {number} to {COUNT - 1} ")
    assert "are missing" in fault
