"""The benchmarks measure with what they say."""

from __future__ import annotations

from benchmarks.corpus import invalid_urns, mixture, running_text, valid_urns
from benchmarks.urn import FLOOR
from registry.urn import find, is_valid, parse


def test_corpus_is_valid_and_invalid_to_the_library_and_to_the_floor() -> None:
    valid, invalid = valid_urns(), invalid_urns()

    assert (len(valid), len(invalid)) == (1000, 200)
    assert all(is_valid(text) and FLOOR.fullmatch(text) for text in valid)
    assert not any(is_valid(text) or FLOOR.fullmatch(text) for text in invalid)


def test_mixture_is_the_one_that_was_asked_for() -> None:
    urns = [parse(text) for text in mixture() if is_valid(text)]

    with_components = [urn for urn in urns if any(list(urn.parts.values())[2:])]
    assert (len(mixture()), len(urns), len(with_components)) == (1200, 1000, 400)


def test_text_that_is_searched_is_full_of_uris() -> None:
    text = running_text(20_000)

    assert len(list(find(text))) > len(text) / 100
