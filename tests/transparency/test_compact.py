"""What is kept of every row of a log takes little memory, and is told apart as well as the rows."""

from __future__ import annotations

import tracemalloc

import pytest

from benchmarks.log import make_entry
from registry.transparency.compact import RecordTable, make_fingerprint, pack_digest
from registry.transparency.replay import EntryReplay

DIGEST = "0f" * 32
MAX_OCTETS_AN_ENTRY = 600
"""A million entries, each of which registers a namespace, then take 600 MB."""


def test_records_are_found_by_their_keys_and_no_others() -> None:
    table = RecordTable(2)
    keys = ["round 1", "round 256", "round 255", "remark 1", "round", "round 01", "round 0"]
    keys += [f"round {'9' * 5_000}", "round ²", "round 1 ", "", "round 900000000000"]

    for number, key in enumerate(keys, 1):
        assert table.get(key) is None
        assert table.replace(key, number.to_bytes(2)) is None

    kept = {key: number.to_bytes(2) for number, key in enumerate(keys, 1)}
    assert {key: table.get(key) for key in keys} == kept
    assert dict(table.items()) == kept
    assert table.replace("round 1", b"ab") == b"\0\1"
    assert table.get("round 1") == b"ab"
    assert table.get("round 2") is None


@pytest.mark.parametrize(
    "other", ["", DIGEST[:-1], DIGEST[:-1] + "e", DIGEST.upper(), f"{DIGEST[:-2]} f", "approved"]
)
def test_digest_is_kept_whole_and_anything_else_is_no_digest(other: str) -> None:
    assert pack_digest(DIGEST).hex() == DIGEST
    assert pack_digest(other) != pack_digest(DIGEST)
    assert pack_digest(other) == pack_digest(str(other))
    assert make_fingerprint(other) != make_fingerprint(DIGEST)


def test_entry_takes_little_memory_once_it_is_read() -> None:
    count, replay = 3_000, EntryReplay()
    tracemalloc.start()

    faults = [fault for number in range(count) for fault in replay.read(number, make_entry(number))]

    kept, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert faults == []
    assert len(dict(replay.state.rows.items())) == 4 * (count - 1)
    assert kept / count < MAX_OCTETS_AN_ENTRY
