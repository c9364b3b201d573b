"""Which NIDs, and which names of organizations, a reader may confuse."""

from __future__ import annotations

from itertools import product

import pytest

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
        pytest.param("bbf-org", "bbf", PART, id="with-org-and-three-letters"),
        pytest.param("bbf-net", "bbf-org", "Differs only in common words", id="common-words"),
        pytest.param("seedbanking", "seedbankn", "Two characters more or less", id="two-more"),
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


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("international isbn AGENCY", id="case"),
        pytest.param("Internatiónal ISBN Agëncy", id="accents"),
        pytest.param("The International ISBN Agency", id="article"),
        pytest.param("International I.S.B.N. Agency.", id="full-stops"),
        pytest.param("Ｉｎｔｅｒｎａｔｉｏｎａｌ ISBN Agency", id="full-width"),
        pytest.param("lnternationa1 ISBN Agency", id="l-for-I"),
        pytest.param("Internаtional ISBN Agency", id="Cyrillic"),
        pytest.param("International ISBN Agency (official)", id="remark"),
        pytest.param("International ISBN Agency, Ltd.", id="legal-form"),
    ],
)
def test_compare_organization_names_takes_what_looks_alike_for_the_same(other: str) -> None:
    assert lookalikes.compare_organization_names("International ISBN Agency", other) == 0


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("ISAN International Agency", "ISNI International Agency", id="two-letters"),
        pytest.param("International ISBN Agency", "ISBN International Agency", id="order"),
        pytest.param("International ISBN Agency", "International ISBM Agency", id="typo"),
    ],
)
def test_compare_organization_names_finds_names_close_in_spelling(name: str, other: str) -> None:
    distance = lookalikes.compare_organization_names(name, other)

    assert distance in (1, 2)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("IEEE", "IETF", id="two-of-four"),
        pytest.param("International ISBN Agency", "ISSN International Centre", id="other-word"),
        pytest.param("Northlight Seed Vault", "Northlight Library", id="a-shared-word"),
        pytest.param("中国国家图书馆", "日本国立国会図書館", id="other-scripts"),
    ],
)
def test_compare_organization_names_tells_others_apart(name: str, other: str) -> None:
    assert lookalikes.compare_organization_names(name, other) is None
