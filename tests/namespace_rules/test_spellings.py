"""A namespace's declaration merges names, and never separates what section 3.1 has merged."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, strategies as st

from registry.namespace_rules import (
    NAMESPACE_RULES,
    NamespaceRule,
    list_ruled_nids,
)
from registry.namespace_rules.spellings import convert_to_isbn_13, find_needed_merges
from registry.urn import URNSyntaxError, parse
from tests.urn.strategies import nsses, schemes

SECTION = "RFC 8141, section 3.1"

rules = st.sampled_from(list_ruled_nids()).map(NAMESPACE_RULES.__getitem__)


@st.composite
def names(draw: st.DrawFn) -> tuple[NamespaceRule, str]:
    """A rule, and an NSS: one of its examples, one drawn from its grammar, or any."""
    held = draw(rules)
    return held, draw(st.sampled_from(_known(held)) | nsses)


@cache
def _known(held: NamespaceRule) -> tuple[str, ...]:
    known = (*held.examples, *held.counter_examples, *held.read_grammar().samples(10))
    return tuple(filter(_is_nss, known))


def _is_nss(nss: str) -> bool:
    try:
        return parse(f"urn:ab:{nss}").nss == nss
    except URNSyntaxError:
        return False


def _other_case(text: str, flips: list[bool]) -> str:
    """`text` with the case of the digits of percent-octets changed as `flips` says."""
    chars = list(text)
    for at, flip in zip(range(len(chars)), flips, strict=False):
        if flip and "%" in text[max(at - 2, 0) : at]:
            chars[at] = chars[at].swapcase()
    return "".join(chars)


@given(names(), schemes, st.lists(st.booleans(), min_size=40, max_size=40), st.data())
def test_pairs_of_section_3_1_are_never_separated(
    name: tuple[NamespaceRule, str], scheme: str, flips: list[bool], data: st.DataObject
) -> None:
    held, nss = name
    nid = data.draw(st.sampled_from([held.nid, held.nid.upper(), held.nid.title()]))
    first = parse(f"urn:{held.nid}:{nss}")
    second = parse(f"{scheme}:{nid}:{_other_case(nss, flips)}#f")
    assert first.is_equivalent_to(second)

    equivalence = held.are_equivalent(first, second)

    assert (equivalence.is_equivalent, equivalence.source) == (True, SECTION)
    assert held.check(first).outcome == held.check(second).outcome


@given(names(), names())
def test_equivalence_does_not_depend_on_which_name_is_first(
    one: tuple[NamespaceRule, str], other: tuple[NamespaceRule, str]
) -> None:
    held, first = one
    second = other[1]

    there = held.are_equivalent(f"urn:{held.nid}:{first}", f"urn:{held.nid}:{second}")
    back = held.are_equivalent(f"urn:{held.nid}:{second}", f"urn:{held.nid}:{first}")

    assert there == back


MERGED = {
    "isbn-hyphens": ("isbn", "978-0-395-36341-6", "9780395363416", ("hyphens",)),
    "isbn-x": ("isbn", "097522980X", "097522980x", ("case",)),
    "isbn-10-and-13": ("isbn", "0-395-36341-1", "9780395363416", ("hyphens", "isbn-13")),
    "issn": ("issn", "2434-561X", "2434561x", ("case", "hyphens")),
    "uuid": (
        "uuid",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
        ("case",),
    ),
    "lei": ("lei", "5493001KJTIIGC8Y1R12", "5493001kjtiigc8y1r12", ("case",)),
    "nbn-prefix": ("nbn", "DE:101:1-20a", "de:101:1-20a", ("case of prefix",)),
}


@pytest.mark.parametrize(("nid", "first", "second", "merges"), MERGED.values(), ids=MERGED)
def test_declared_equivalences_merge_and_are_named(
    nid: str, first: str, second: str, merges: tuple[str, ...]
) -> None:
    equivalence = NAMESPACE_RULES[nid].are_equivalent(first, second)

    assert equivalence.is_equivalent
    held = NAMESPACE_RULES[nid]
    assert (equivalence.source, equivalence.merges) == (held.comparison or held.document, merges)


APART = {
    "isbn": ("isbn", "9780395363416", "9780975229804"),
    "nbn-number": ("nbn", "fi-fe2010A", "fi-fe2010a"),
    "oid": ("oid", "1.3.6", "1.3.6.1"),
    "against-the-rule": ("uuid", "abc", "ABC"),
    "wrong-check-digit": ("isbn", "978-0-395-36341-7", "9780395363417"),
}


@pytest.mark.parametrize(("nid", "first", "second"), APART.values(), ids=APART)
def test_other_names_stay_apart(nid: str, first: str, second: str) -> None:
    equivalence = NAMESPACE_RULES[nid].are_equivalent(first, second)

    assert not equivalence.is_equivalent
    assert (equivalence.source, equivalence.merges) == (SECTION, ())


@pytest.mark.parametrize(
    ("isbn", "replacement"),
    [
        ("0-395-36341-1", "9780395363416"),
        ("0-395-36341-2", "0-395-36341-2"),
        ("978-0-395-36341-6", "978-0-395-36341-6"),
    ],
)
def test_convert_to_isbn_13_replaces_valid_isbns_of_ten_digits_alone(
    isbn: str, replacement: str
) -> None:
    assert convert_to_isbn_13(isbn) == replacement


def test_rule_does_not_merge_names_of_other_namespaces() -> None:
    first, second = "urn:example:a-b", "urn:example:ab"

    equivalence = NAMESPACE_RULES["isbn"].are_equivalent(first, second)

    assert not equivalence.is_equivalent


def test_invalid_nss_is_not_compared() -> None:
    with pytest.raises(URNSyntaxError):
        NAMESPACE_RULES["isbn"].are_equivalent("978 0395363416", "9780395363416")


@pytest.mark.parametrize("nid", [nid for nid, rule in NAMESPACE_RULES.items() if rule.merges])
def test_names_have_one_merged_spelling_just_where_they_are_merged(nid: str) -> None:
    merges, grammar = NAMESPACE_RULES[nid].merges, NAMESPACE_RULES[nid].read_grammar()
    written = [
        spelled
        for name in NAMESPACE_RULES[nid].examples
        for spelled in (name, name.upper(), name.lower(), name.replace("-", ""))
    ]

    for one, other in product(written, repeat=2):
        is_one = NAMESPACE_RULES[nid].find_merged(one) == NAMESPACE_RULES[nid].find_merged(other)
        used = find_needed_merges(merges, one, other, grammar)
        assert is_one == (used is not None), (one, other)
