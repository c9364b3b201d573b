"""How long proofs of a long log take, and verifying a whole log offline.

Run from the top of the repository as `python -m benchmarks.log [LEAVES [ENTRIES]]`, by default with
ten million leaves and a million entries; prints a table in Markdown and exits with 1 if a proof
takes more than 10 ms in the median or verifying more than a minute.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

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
PROOFS: Final = 200
MAX_PROOF_SECONDS: Final = 0.010
MAX_VERIFYING_SECONDS: Final = 60.0


def main(arguments: list[str]) -> int:
    leaves, count = (int(text) for text in (*arguments, *("10000000", "1000000")[len(arguments) :]))
    print("| | here | target |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="registry-log-") as folder:
        proofs = measure_proofs(Path(folder), leaves)
    with tempfile.TemporaryDirectory(prefix="registry-log-") as folder:
        verifying = measure_verifying(Path(folder), count)
    return 0 if proofs <= MAX_PROOF_SECONDS and verifying <= MAX_VERIFYING_SECONDS else 1


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


def measure_proofs(folder: Path, size: int) -> float:
    """Print how long inclusion and consistency proofs take; return the longer median."""
    write_random_tiles(folder, size)
    source, chance = FolderSource(folder), random.Random(19)
    numbers = [chance.randrange(1, size) for _ in range(PROOFS)]
    acts: dict[str, Callable[[int], object]] = {
        "inclusion": lambda number: TileTree(source, size).prove_inclusion(number),
        "consistency": lambda number: TileTree(source, size).prove_consistency(number),
    }
    medians = []
    for name, prove in acts.items():
        taken = []
        for number in numbers:
            start = time.process_time()
            prove(number)
            taken.append(time.process_time() - start)
        medians.append(statistics.median(taken))
        what = f"{name} proof, of {size:,} entries: median, longest"
        print(f"| {what} | {medians[-1] * 1e3:.2f} ms, {max(taken) * 1e3:.2f} ms | 10 ms |")
    return max(medians)


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


def measure_verifying(folder: Path, count: int) -> float:
    """Print how long it takes to verify a whole log; return the seconds of the processor."""
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
    start, began = time.process_time(), time.perf_counter()
    replay = EntryReplay()
    report = verify_log(FolderSource(folder), [key.verifier()], read_entry=replay.read)
    taken, passed = time.process_time() - start, time.perf_counter() - began
    if report.faults:
        raise RuntimeError(report.faults[0])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    what = f"verifying {count:,} entries of {len(make_entry(count - 1))} octets"
    print(f"| {what} | {taken:.1f} s, {passed:.1f} s on the clock, {memory:.1f} GB | 60 s |")
    return taken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
