"""Entries of the log: their maximum length."""

from __future__ import annotations

import pytest

from registry.transparency.entries import encode_entry
from registry.transparency.errors import OversizedEntry
from registry.transparency.tiles import decode_bundle, encode_bundle


def make_entry(octets: int) -> dict[str, str]:
    """Return an entry of that length once it is written; its last letter has two octets."""
    empty = len(b'{"v":""}')
    return {"v": "x" * (octets - empty - 2) + "\N{LATIN SMALL LETTER E WITH ACUTE}"}


def test_entry_of_60_000_octets_is_written_and_fits_into_a_bundle() -> None:
    longest = encode_entry(make_entry(60_000))

    assert len(longest) == 60_000
    assert decode_bundle(encode_bundle([longest, b"next"])) == [longest, b"next"]


def test_entry_of_one_octet_more_is_refused() -> None:
    with pytest.raises(OversizedEntry, match=r"60001 .* 60000"):
        encode_entry(make_entry(60_001))
