"""Which NIDs a reader may confuse, and why."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given, settings, strategies as st

from registry import lookalikes

HYPHENS = "Differs only in hyphens or look-alike characters"
PART = "One contains the other"


@pytest.mark.parametrize(
    ("nid", "other", "reason"),
    [
        pytest.param("is-bn", "isbn", HYPHENS, id="hyphen"),
        pytest.param("1sbn", "isbn", HYPHENS, id="digit"),
        pytest.param("rnrn", "mrn", HYPHENS, id="rn-and-m"),
        pytest.param("vveb", "web", HYPHENS, id="vv-and-w"),
        pytest.param("іѕbn", "isbn", HYPHENS, id="Cyrillic"),
        pytest.param("οαsis", "oasis", HYPHENS, id="Greek"),
        pytest.param("օgf", "ogf", HYPHENS, id="Armenian"),
        pytest.param("ｉｓｓｎ", "issn", HYPHENS, id="full-width"),
        pytest.param("ogc", "ogf", "One character differs", id="one-of-three"),
        pytest.param("isbm", "isbn", "One character differs", id="one-of-four"),
        pytest.param("isnb", "isbn", "Two neighbouring characters are swapped", id="swapped"),
        pytest.param("isbns", "isbn", "One character more or less", id="one-more"),
        pytest.param("seedbamg", "seedbank", "Two characters differ", id="two-of-eight"),
        pytest.param("broadband-forum", "broadband-forum-org", PART, id="with-org"),
        pytest.param("microsoft", "schemas-microsoft-com", PART, id="between-generic-words"),
        pytest.param("oasis", "oasis-open", PART, id="first-word"),
        pytest.param("globusonline", "globus", PART, id="beginning"),
        pytest.param("broadbandforum", "broadband-forum-org", PART, id="without-hyphens"),
        pytest.param(
            "world-libraries", "world-library", "Differs only in singular and plural", id="plural"
        ),
        pytest.param(
            "ogc",
            "open-geospatial-consortium",
            "One is made of the initials of the other",
            id="initials",
        ),
    ],
)  # fmt: skip
def test_two_identifiers_that_may_be_mistaken_say_why(nid: str, other: str, reason: str) -> None:
    (found,) = lookalikes.find_lookalikes(nid, [other])

    assert (found.nid, found.reason) == (other, reason)


@pytest.mark.parametrize(
    ("nid", "other"),
    [
        pytest.param("ipfs", "iptc", id="two-of-four"),
        pytest.param("oasis", "basic", id="two-of-five"),
        pytest.param("swiftx", "shifty", id="two-of-six"),
        pytest.param("seedbang", "seedtalk", id="three-of-eight"),
        pytest.param("dev-ops", "dev", id="a-part-of-three-letters"),
        pytest.param("schemas-pear-com", "schemas-apple-com", id="generic-words-alone"),
        pytest.param("isbn", "isbn", id="itself"),
    ],
)
def test_two_identifiers_that_differ_enough_are_not_close(nid: str, other: str) -> None:
    assert lookalikes.find_lookalikes(nid, [other]) == []


def test_nearest_comes_first() -> None:
    found = lookalikes.find_lookalikes("isbn", ["isbn-names", "isbm", "is-bn"])

    assert [each.nid for each in found] == ["is-bn", "isbm", "isbn-names"]


def test_candidate_among_many_is_judged_as_it_is_alone() -> None:
    words = ("book", "books", "city", "cities", "org", "www", "mrn", "rnrn", "1sbn", "isbn", "x")
    candidates = [*words, *("-".join(pair) for pair in product(words, words)), "book-x-org", "bxo"]

    for nid in candidates[::3]:
        among = lookalikes.find_lookalikes(nid, candidates)
        alone = [each for other in candidates for each in lookalikes.find_lookalikes(nid, [other])]

        assert among == sorted(alone, key=lambda each: (each.distance, each.nid))


WORDS = ("city", "cities", "day", "days", "box", "boxes", "cat", "cats", "org", "id", "seedbank")
LETTERS = "ab-1lrnm"
"""So few letters that many NIDs are similar."""

short_words = st.sampled_from((*WORDS, *"abcdo"))
worded_nids = st.lists(short_words, min_size=1, max_size=5).map("-".join)
dense_nids = st.text(LETTERS, min_size=1, max_size=9)
long_nids = st.text("abcd-0", min_size=14, max_size=40)
any_text = st.text(min_size=1, max_size=36).map(str.lower)
any_nids = st.one_of(worded_nids, dense_nids, long_nids, any_text)


@st.composite
def draw_near_pair(draw: st.DrawFn) -> tuple[str, str]:
    """Return a NID and another one made of it by a few edits of the kinds we search for."""
    nid = other = draw(any_nids)
    for _number in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(other)))
        letter = draw(st.sampled_from(LETTERS))
        word = draw(short_words)
        changes = (
            other[:at] + letter + other[at:],
            other[:at] + other[at + 1 :],
            other[:at] + letter + other[at + 1 :],
            other[:at] + other[at + 1 : at + 2] + other[at : at + 1] + other[at + 2 :],
            other.replace("l", "1"),
            other.replace("m", "rn"),
            other.replace("-", ""),
            f"{other}-{word}",
            f"{word}{other}",
            f"{other}s",
            "".join(part[:1] for part in other.split("-")),
            f"{word}-{other}-{word}",
        )
        other = draw(st.sampled_from(changes))
    return nid, other


def is_found_by_keys(nid: str, other: str) -> bool:
    """Whether an index of keys finds `other` among what may resemble `nid`."""
    probes = lookalikes.list_probes(nid)
    asked = {*probes.near, probes.containing}
    return other == probes.initials or not asked.isdisjoint(lookalikes.list_keys(other))


@example(("seedbank-of-the-north-and-south", "seedbank-of-the-nroth-and-suoth"))
@example(("a" * 31 + "b", "a" * 33 + "b"))
@example(("a-b-c", "abc"))
@example(("urn-org-com", "org"))
@given(st.one_of(draw_near_pair(), st.tuples(any_nids, any_nids)))
@settings(max_examples=1_000)
def test_resembling_nid_is_always_found_by_its_keys(pair: tuple[str, str]) -> None:
    for nid, other in (pair, pair[::-1]):
        if lookalikes.compare_nids(nid, other):
            assert is_found_by_keys(nid, other)


def test_nids_of_every_likeness_are_found_by_keys_among_all_pairs() -> None:
    words = [*WORDS, "a", "b", "c", "seedbanc", "seedbanks", "seed-bank"]
    some = ["cat-day-box", "cta", "cdb"]
    nids = sorted({"-".join(pair) for pair in product(words, words)} | {*words, *some})
    alike = [
        (nid, other.nid, other.reason)
        for nid in [*nids[::5], *some]
        for other in lookalikes.find_lookalikes(nid, nids)
    ]

    assert [each for each in alike if not is_found_by_keys(each[0], each[1])] == []
    assert len({reason for _nid, _other, reason in alike}) == 8


@pytest.mark.parametrize(
    ("nid", "most"),
    [("isbn", 12), ("seedbank", 60), ("seed-banks", 75), ("a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p", 300)],
)
def test_nid_has_few_keys_however_long_it_is(nid: str, most: int) -> None:
    assert len(lookalikes.list_keys(nid)) <= most


def test_members_of_a_family_share_keys_with_hardly_more_than_are_alike() -> None:
    nids = [f"shelfmark-{number * 7919 % 1_000_000:06}" for number in range(300)]
    probes = lookalikes.list_probes(nids[0])

    found = [nid for nid in nids if not probes.near.isdisjoint(lookalikes.list_keys(nid))]

    alike = [nid for nid in nids if nid == nids[0] or lookalikes.compare_nids(nids[0], nid)]
    assert set(alike) <= set(found)
    assert len(found) <= len(alike) + 10
