"""How long proofs of a long log take, and verifying a whole log offline."""

from __future__ import annotations

import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.tables import Table, judge
from registry.transparency import entries, merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.merkle import HASH_SIZE, TreeBuilder, hash_leaf
from registry.transparency.notes import SignerKey, sign_note
from registry.transparency.replay import EntryReplay
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import (
    CHECKPOINT_PATH,
    TILE_WIDTH,
    ExtendedTree,
    TileTree,
    build_tile_path,
    encode_bundle,
)
from registry.transparency.verification import verify_log

ORIGIN: Final = "registry.example/log"
LEAVES: Final = 1_000_000
PROOFS: Final = 200
MAX_PROOF_MILLISECONDS: Final = 10.0
ENTRIES: Final = 100_000
MAX_ENTRY_MICROSECONDS: Final = 60.0
"""A log of a million entries is then verified in a minute."""


def measure(is_smallest: bool) -> Iterator[Table]:
    """Build two logs: one of random leaves for proofs, and one of entries to verify."""
    leaves, count = (1_000, 1_000) if is_smallest else (LEAVES, ENTRIES)
    with tempfile.TemporaryDirectory(prefix="registry-log-") as folder:
        rows = list(measure_proofs(Path(folder), leaves))
    yield Table(f"Proofs in a log of {leaves:,} entries", ("", "median", "longest", "target"), rows)
    with tempfile.TemporaryDirectory(prefix="registry-log-") as folder:
        row = measure_verifying(Path(folder), count)
    columns = ("", "processor", "of that for each", "target", "memory of the process")
    yield Table("Verifying a whole log offline", columns, [row])


def write_file(folder: Path, path: str, octets: bytes) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(octets)


def write_random_tiles(folder: Path, size: int) -> None:
    """Write the tiles of a tree whose leaves are random."""
    level = 0
    hashes = os.urandom(size * HASH_SIZE)
    while hashes:
        above = []
        for start in range(0, len(hashes), TILE_WIDTH * HASH_SIZE):
            tile = hashes[start : start + TILE_WIDTH * HASH_SIZE]
            width = len(tile) // HASH_SIZE
            number = start // (TILE_WIDTH * HASH_SIZE)
            write_file(folder, build_tile_path(level, number, width), tile)
            if width == TILE_WIDTH:
                parts = [tile[at : at + HASH_SIZE] for at in range(0, len(tile), HASH_SIZE)]
                above.append(merkle.compute_root(parts))
        hashes, level = b"".join(above), level + 1


def measure_proofs(folder: Path, size: int) -> Iterator[Sequence[str]]:
    """Yield a row for inclusion proofs, and one for consistency proofs."""
    write_random_tiles(folder, size)
    source, chance = FolderSource(folder), random.Random(19)
    numbers = [chance.randrange(1, size) for _ in range(PROOFS)]
    proofs: dict[str, Callable[[int], object]] = {
        "inclusion": lambda number: TileTree(source, size).prove_inclusion(number),
        "consistency": lambda number: TileTree(source, size).prove_consistency(number),
    }
    for name, prove in proofs.items():
        taken = []
        for number in numbers:
            start = time.process_time()
            prove(number)
            taken.append((time.process_time() - start) * 1e3)
        median = statistics.median(taken)
        target = judge(f"{MAX_PROOF_MILLISECONDS:.0f} ms", median <= MAX_PROOF_MILLISECONDS)
        yield name, f"{median:.2f} ms", f"{max(taken):.2f} ms", target


def make_entry(number: int) -> bytes:
    """Return an entry such as the registry writes when it registers a namespace."""
    if number == 0:
        origin = entries.compose_origin_entry(ORIGIN, "2026-01-01", last_head=None, journal=None)
        return entries.encode_entry(origin)
    digest = hash_leaf(number.to_bytes(8)).hex()
    return (
        f'{{"actor":"{digest}","at":"2026-01-01T00:00:00+00:00","details":"{digest}",'
        f'"facts":{{"namespace {number}":{{"holder":{number},"informal":null,'
        f'"nid":"sample{number}","status":"active"}},"registration {number}":'
        f'{{"nid":"sample{number}","on":"2026-01-01","sha256":"{digest}","version":1}}}},'
        f'"n":{number},"namespace":{number},"request":{number},"rows":{{"namespace {number}":["",'
        f'"{digest}"],"organization {number}":["{digest}","{digest}"],"registration {number}":["",'
        f'"{digest}"]}},"source":"approved","target":"registered","v":1,"verb":"register"}}'
    ).encode()


def measure_verifying(folder: Path, count: int) -> Sequence[str]:
    """Return the row of a log whose every entry is verified."""
    key, root = SignerKey.generate(ORIGIN), TreeBuilder()
    tree = ExtendedTree(TileTree(FolderSource(folder), 0))
    for first in range(0, count, TILE_WIDTH):
        part = [make_entry(number) for number in range(first, min(count, first + TILE_WIDTH))]
        leaves = [hash_leaf(entry) for entry in part]
        for leaf in leaves:
            root.append(leaf)
        tree.append(leaves)
        path = build_tile_path(None, first // TILE_WIDTH, len(part))
        write_file(folder, path, encode_bundle(part))
    for path, octets in tree.list_new_tiles():
        write_file(folder, path, octets)
    note = sign_note(str(Checkpoint(ORIGIN, count, root.root())), key)
    write_file(folder, CHECKPOINT_PATH, bytes(note))
    start, replay = time.process_time(), EntryReplay()
    report = verify_log(FolderSource(folder), [key.verifier()], read_entry=replay.read)
    seconds = time.process_time() - start
    if report.faults:
        raise RuntimeError(report.faults[0])
    each, memory = seconds / count * 1e6, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{count:,} entries of {len(make_entry(count - 1))} octets",
        f"{seconds:.1f} s",
        f"{each:.0f} µs",
        judge(f"{MAX_ENTRY_MICROSECONDS:.0f} µs", each <= MAX_ENTRY_MICROSECONDS),
        f"{memory:.0f} MB",
    )
