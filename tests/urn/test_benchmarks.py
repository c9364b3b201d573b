"""What the benchmarks measure with is what they say it is."""

from __future__ import annotations

from benchmarks.corpus import invalid_urns, valid_urns
from benchmarks.measuring import FLOOR
from registry.urn import is_valid


def test_corpus_is_valid_and_invalid_to_the_library_and_to_the_floor() -> None:
    valid, invalid = valid_urns(), invalid_urns()

    assert (len(valid), len(invalid)) == (1000, 200)
    assert all(is_valid(text) and FLOOR.fullmatch(text) for text in valid)
    assert not any(is_valid(text) or FLOOR.fullmatch(text) for text in invalid)
