"""When two URNs are the same name (RFC 8141, section 3)."""

from __future__ import annotations

from itertools import combinations

import pytest

from registry.urn import compare, parse

# Section 3.2: the names of one row are equivalent to each other and to no others.
GROUPS = {
    "first and second": (
        "urn:example:a123,z456",
        "URN:example:a123,z456",
        "urn:EXAMPLE:a123,z456",
        "urn:example:a123,z456?+abc",
        "urn:example:a123,z456?=xyz",
        "urn:example:a123,z456#789",
    ),
    "third, foo": ("urn:example:a123,z456/foo",),
    "third, bar": ("urn:example:a123,z456/bar",),
    "third, baz": ("urn:example:a123,z456/baz",),
    "fourth": ("urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"),
    "fifth, A": ("urn:example:A123,z456",),
    "fifth, Z": ("urn:example:a123,Z456",),
    "sixth": ("urn:example:%D0%B0123,z456",),
}
NAMES = {name: group for group, names in GROUPS.items() for name in names}
PAIRS = list(combinations(NAMES, 2))

CANONICAL = {
    "3.1-scheme": ("URN:ab:c", "urn:ab:c"),
    "3.1-nid": ("urn:AB-1:Cd", "urn:ab-1:Cd"),
    "3.1-percent-octets": ("urn:ab:%aF%0b-af", "urn:ab:%AF%0B-af"),
    "3.1-nothing-decoded": ("urn:ab:%41%2d%7e", "urn:ab:%41%2D%7E"),
    "3.1-components-left-out": ("urn:ab:c%2f?+%2f?=%2f#%2f", "urn:ab:c%2F"),
    "3.1-digits-behind-a-triplet": ("urn:ab:%0aaa%250a", "urn:ab:%0Aaa%250a"),
}


def test_examples_make_ninety_one_pairs() -> None:
    assert (len(NAMES), len(PAIRS)) == (14, 91)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=[f"3.2-{a}~{b}" for a, b in PAIRS])
def test_pair_of_examples_is_equivalent_as_the_rfc_says(first: str, second: str) -> None:
    is_equivalent = NAMES[first] == NAMES[second]

    assert parse(first).is_equivalent_to(parse(second)) is is_equivalent
    assert compare(parse(first), parse(second)).is_equivalent is is_equivalent


@pytest.mark.parametrize(("text", "canonical"), CANONICAL.values(), ids=CANONICAL)
def test_assigned_name_folds_what_the_rfc_folds_and_no_more(text: str, canonical: str) -> None:
    assert parse(text).assigned_name == canonical


def test_comparison_tells_what_was_folded_and_what_left_out() -> None:
    comparison = compare(parse("urn:ab:%2c?+r#f"), parse("URN:AB:%2C?=q#f"))

    assert comparison.is_equivalent
    assert comparison.folded == ("scheme", "nid", "percent")
    assert comparison.ignored == ("r", "q")


@pytest.mark.parametrize(
    ("first", "second", "part", "positions"),
    [
        ("urn:ab:c", "urn:AC:c", "nid", (5, 5)),
        ("urn:ab:c", "urn:abc:c", "nid", (6, 6)),
        ("urn:ab:%2cfi", "urn:AB:%2CFI", "nss", (10, 10)),
        ("urn:ab:c", "urn:ab:cd", "nss", (8, 8)),
    ],
)
def test_comparison_points_at_the_first_character_that_keeps_two_names_apart(
    first: str, second: str, part: str, positions: tuple[int, int]
) -> None:
    comparison = compare(parse(first), parse(second))

    assert (comparison.is_equivalent, comparison.part) == (False, part)
    assert comparison.positions == positions
