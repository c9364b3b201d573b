"""Names drawn from a grammar, invalid names, and names on which grammars differ."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, NotDecided, read
from registry.urn import is_valid, parse


def is_nss(text: str) -> bool:
    name = f"urn:example:{text}"
    return is_valid(name) and parse(name).nss == text


def test_samples_begin_with_the_shortest_name_and_vary() -> None:
    grammar = read('nss = 1*3ALPHA "-" 2*DIGIT [":" 1*pchar]')

    samples = grammar.samples(20)

    assert len(samples) == 20
    assert len(samples[0]) == 4
    assert len({len(name) for name in samples}) > 5
    assert all(grammar.matches(name).answer is Answer.YES for name in samples)


def test_samples_depend_on_the_seed_alone() -> None:
    one, other = read("nss = 1*9pchar"), read("nss = 1*9pchar")

    assert one.samples(9, seed=1) == other.samples(9, seed=1)
    assert one.samples(9, seed=1) != one.samples(9, seed=2)


def test_samples_are_all_the_names_where_there_are_few() -> None:
    assert read('nss = "1" / "2" "0"').samples(10) == ("1", "20")


def test_samples_are_written_as_the_grammar_writes_them() -> None:
    assert read('nss = "ISBN" "x"').samples(1) == ("ISBNx",)


@pytest.mark.parametrize("count", [0, -1])
def test_no_samples_are_none(count: int) -> None:
    assert read("nss = 1*DIGIT").samples(count) == ()


def test_there_is_a_bound_to_the_number_of_samples() -> None:
    assert len(read("nss = 1*9pchar").samples(10_000)) == 100


# What may follow the NID by RFC 8141, section 2, and what may not: the grammar and a shortest
# invalid name, or `None`.
NSS: dict[str, tuple[str, str | None]] = {
    "2-nss": ("a = NSS", None),
    "2-nss-of-rfc-3986": ('a = segment-nz *("/" segment)', None),
    "2-digits": ("a = 1*DIGIT", None),
    "2-empty": ("a = *DIGIT", ""),
    "2-slash-first": ('a = *"/" 1*DIGIT', "/0"),
    "2-space": ('a = "x" [SP] "y"', "x y"),
    "2-hash": ('a = 1*DIGIT ["#" DIGIT]', "0#0"),
    "2-question-mark": ("a = fragment DIGIT", "/0"),
    "2-percent-alone": ('a = "%" *HEXDIG', "%"),
    "2-half-a-triplet": ('a = 1*("%" 1*2HEXDIG)', "%a"),
    "2-beyond-ascii": ("a = 2(ALPHA / %xC0-FF)", "aÀ"),
    "2-octets": ("a = OCTET", '"'),
    "2-none-fits": ('a = "x" a', None),
}


@pytest.mark.parametrize(("text", "expected"), NSS.values(), ids=NSS)
def test_counter_example_is_no_nss(text: str, expected: str | None) -> None:
    found = read(text).counter_example()

    assert found == expected
    assert found is None or not is_nss(found)


WHOLE: dict[str, tuple[str, str, str | None]] = {
    "2-assigned-name": ("a = assigned-name", "", None),
    "2-right-nid": ('a = "urn:isbn:" 1*DIGIT', "ISBN", None),
    "2-nid-in-one-case": ('a = %s"urn:isbn:" 1*DIGIT', "isbn", None),
    "2-wrong-nid": ('a = "urn:issn:" 1*DIGIT', "isbn", "urn:issn:0"),
    "2-any-nid": ("a = assigned-name", "isbn", "urn:aa:a"),
    "2-nid-too-short": ('a = "urn:" 1*2ALPHA ":" 1*DIGIT', "", "urn:a:0"),
    "2-nss-missing": ('a = "urn:isbn:" *DIGIT', "isbn", "urn:isbn:"),
    "2-components": ('a = "urn:isbn:" 1*DIGIT ["#"]', "isbn", "urn:isbn:0#"),
    "5.2-any-number-of-an-informal-one": ('a = "urn:urn-7:" 1*DIGIT', "urn-N", None),
    "5.2-number-of-another": ('a = "urn:urn-7:" 1*DIGIT', "urn-8", "urn:urn-7:0"),
    "5.2-number-with-a-zero-first": ('a = "urn:urn-07:" 1*DIGIT', "urn-N", "urn:urn-07:0"),
}


@pytest.mark.parametrize(("text", "nid", "expected"), WHOLE.values(), ids=WHOLE)
def test_counter_example_is_no_name_of_the_namespace(
    text: str, nid: str, expected: str | None
) -> None:
    assert read(text, nid=nid).counter_example() == expected


def test_there_is_no_counter_example_where_nothing_is_decided() -> None:
    with pytest.raises(NotDecided, match=r"“b” .* not defined"):
        read("a = b").counter_example()


def test_grammar_and_an_expression_of_the_same_names_agree() -> None:
    first = read('nss = 3ALPHA *2("-" 1*DIGIT)')
    second = read("^[A-Za-z]{3}(-[0-9]+){0,2}$", "regex")

    assert first.compare(second).answer is Answer.YES


def test_they_differ_on_a_shortest_name_that_one_of_them_has() -> None:
    first = read("nss = 3ALPHA")
    second = read("[A-Z]{3}", "regex")

    comparison = first.compare(second)

    assert comparison.answer is Answer.NO
    assert comparison.accepted_by == "first"
    assert len(comparison.name) == 3
    assert first.matches(comparison.name).answer is Answer.YES
    assert second.matches(comparison.name).answer is Answer.NO


def test_whole_names_are_compared_with_nsss_by_way_of_the_identifier() -> None:
    whole = read('a = "urn:example:" 1*DIGIT')
    nss = read("[0-9]+", "regex", nid="example")

    assert whole.compare(nss).answer is Answer.YES
    assert nss.compare(whole).answer is Answer.YES
    assert whole.compare(read("[0-9]*", "regex")).name == "urn:example:"


def test_whole_names_and_nsss_are_not_compared_without_an_identifier() -> None:
    comparison = read("a = assigned-name").compare(read("[0-9]+", "regex"))

    assert comparison.answer is Answer.NOT_DECIDED
    assert "nobody has said" in comparison.reason


def test_undecided_grammar_is_not_compared() -> None:
    comparison = read("a = 1*DIGIT").compare(read("(?=a)b", "regex"))

    assert comparison.answer is Answer.NOT_DECIDED
    assert "Looking ahead" in comparison.reason
