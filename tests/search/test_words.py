"""Words are stemmed correctly with several searches at the same time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from registry.search.words import stem


@pytest.fixture
def often_interrupted() -> Iterator[None]:
    """Make threads switch after every few steps."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("often_interrupted")
def test_threads_that_stem_at_once_do_not_mix_their_words() -> None:
    words = [f"{a}{b}{end}" for a in "bcdfgl" for b in "aeiou" for end in ("tionally", "nesses")]
    alone = [stem(word) for word in words]

    with ThreadPoolExecutor(8) as people:
        stem.cache_clear()
        together = [list(people.map(stem, words * 2))[: len(words)] for _time in range(5)]

    assert together == [alone] * 5
