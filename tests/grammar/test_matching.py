"""Where a name stops matching, and the messages about it."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, read

SEEDS = """
    nss       = vault "/" accession [ "/" copy ]
    vault     = 3ALPHA
    accession = %x31-39 *5DIGIT
    copy      = %x41-5A
"""

# Grammar, name, position, what was expected and by which rule.
POSITIONS: dict[str, tuple[str, str, int, str, str]] = {
    "at-the-beginning": (SEEDS, "1", 0, "a letter", "vault"),
    "empty": (SEEDS, "", 0, "a letter", "vault"),
    "sign": (SEEDS, "NVF-42", 3, "“/”", "nss"),
    "range": (SEEDS, "NVF/042", 4, "a digit from 1 to 9", "accession"),
    "ends-early": (SEEDS, "NVF/", 4, "a digit from 1 to 9", "accession"),
    "several-rules": (
        SEEDS,
        "NVF/4-",
        5,
        "a digit (by “accession”), “/” (by “nss”) or the end of the name",
        "",
    ),
    "last-rule": (SEEDS, "NVF/4/b", 6, "a letter from A to Z", "copy"),
    "goes-on": (SEEDS, "NVF/4/BB", 7, "the end of the name", ""),
    "hexadecimal": ("a = 2HEXDIG", "0g", 1, "a hexadecimal digit", "a"),
    "either-case": ('a = "isbn"', "isxn", 2, "“b” in either case", "a"),
    "one-case": ('a = %s"isbn"', "isBn", 2, "“b”", "a"),
    "a-few": ('a = "1" / "3" / "X"', "2", 0, "“x” in either case, “1” or “3”", "a"),
    "listed": ("a = unreserved", "/", 0, "a letter, a digit, “-”, “.”, “_” or “~”", "a"),
    "many": (
        "a = VCHAR",
        " ",
        0,
        "a letter, a digit or one of “!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~”",
        "a",
    ),
    "almost-any": ("a = %x00-28 / %x2A-10FFFF", ")", 0, "any character but “)”", "a"),
    "beyond-ascii": (
        "a = %x3B1-3C9",
        "a",
        0,
        "a character from the Greek letter “α” (U+03B1) to the Greek letter “ω” (U+03C9)",
        "a",
    ),
    "nothing-fits": ('a = "x" a', "x", 0, "", ""),
}


@pytest.mark.parametrize(
    ("text", "name", "position", "expected", "rule"), POSITIONS.values(), ids=POSITIONS
)
def test_name_fails_at_a_position_for_a_reason(
    text: str, name: str, position: int, expected: str, rule: str
) -> None:
    verdict = read(text).matches(name)

    assert (verdict.answer, verdict.position) == (Answer.NO, position)
    assert (verdict.expected, verdict.rule) == (expected, rule)


MESSAGES = {
    "NVF-42": "At character 4 there is “-”, where “/” was expected by the rule “nss”.",
    "NVF": "The name ends after character 3, where “/” was expected by the rule “nss”.",
    "NVF 42": "At character 4 there is a space, where “/” was expected by the rule “nss”.",
    "NVF/42": "The name fits.",
}


@pytest.mark.parametrize(("name", "message"), MESSAGES.items())
def test_verdict_is_a_sentence(name: str, message: str) -> None:
    assert read(SEEDS).matches(name).message == message


def test_name_in_full_is_read_behind_its_identifier() -> None:
    grammar = read(SEEDS, nid="SeedBank")

    assert grammar.matches("urn:seedbank:NVF/42").answer is Answer.YES
    assert grammar.matches("URN:SEEDBANK:NVF/42").answer is Answer.YES
    assert grammar.matches("urn:seedbank:NVF-42").position == len("urn:seedbank:NVF")


def test_nss_is_read_from_its_beginning_whatever_that_looks_like() -> None:
    grammar = read(SEEDS, nid="seedbank")
    whole = read('name = "urn:seedbank:" 3ALPHA', nid="seedbank")

    assert grammar.matches_nss("NVF/42").answer is Answer.YES
    assert grammar.matches_nss("urn:seedbank:NVF/42").position == 3
    assert whole.matches_nss("NVF").answer is Answer.YES
    assert whole.matches_nss("urn:seedbank:NVF").position == 3
    assert whole.matches_nss("N").position == 1


def test_name_of_another_namespace_does_not_fit() -> None:
    verdict = read(SEEDS, nid="seedbank").matches("urn:seedvault:NVF/42")

    assert (verdict.answer, verdict.position, verdict.expected) == (Answer.NO, 4, "“seedbank”")


def test_any_identifier_will_do_where_none_is_known() -> None:
    assert read(SEEDS).matches("urn:example:NVF/42").answer is Answer.YES


@pytest.mark.parametrize("name", ["urn:urn-7:NVF/42", "urn:urn-N:NVF/42", "URN:URN-12:NVF/42"])
def test_informal_namespace_has_any_number_until_it_has_one_by_section_5_2(name: str) -> None:
    assert read(SEEDS, nid="urn-N").matches(name).answer is Answer.YES


def test_components_are_no_part_of_a_name_by_section_2_3() -> None:
    grammar = read(SEEDS, nid="seedbank")

    assert grammar.matches("urn:seedbank:NVF/42?+r?=q#f").answer is Answer.YES
    assert grammar.matches("urn:seedbank:NVF#/42").position == len("urn:seedbank:NVF")
    assert grammar.matches("NVF/42#f").answer is Answer.NO


def test_grammar_may_describe_components_too() -> None:
    grammar = read('name = "urn:example:" 1*ALPHA "?=" 1*DIGIT')

    assert grammar.matches("urn:example:a?=1").answer is Answer.YES
    assert grammar.matches("urn:example:a?=b").answer is Answer.NO


def test_whole_name_is_compared_with_a_grammar_of_whole_names() -> None:
    grammar = read('name = "urn:example:" 1*DIGIT')

    assert grammar.scope == "whole"
    assert grammar.nid == "example"
    assert grammar.matches("URN:Example:12").answer is Answer.YES
    assert grammar.matches("12").position == 0


@pytest.mark.parametrize(
    ("text", "scope", "nid"),
    [
        ('a = "urn:isbn:" 1*DIGIT', "whole", "isbn"),
        ('a = "urn" ":" nid ":" 1*DIGIT\nnid = "isbn"', "whole", "isbn"),
        ('a = ("urn:" / "URN:") %s"isbn:" 1*DIGIT', "whole", "isbn"),
        ('a = "urn:urn-7:" 1*DIGIT', "whole", "urn-7"),
        ("a = assigned-name", "whole", ""),
        ('a = "urn:" ("isbn" / "issn") ":" 1*DIGIT', "whole", ""),
        ('a = ["urn:isbn:"] 1*DIGIT', "nss", ""),
        ("a = 1*ALPHA", "nss", ""),
        ('a = "urn"', "nss", ""),
        ('a = ""', "nss", ""),
    ],
)
def test_grammar_describes_whole_names_where_all_begin_like_one(
    text: str, scope: str, nid: str
) -> None:
    grammar = read(text)

    assert (grammar.scope, grammar.nid) == (scope, nid)


def test_matching_takes_a_time_in_proportion_to_the_name() -> None:
    grammar = read('a = *("x" / "xx" / *"x" / (*"x" *"x"))')

    verdict = grammar.matches("x" * 99_999 + "y")

    assert verdict.position == 99_999


def test_name_that_is_too_long_is_not_tried() -> None:
    verdict = read('a = *"x"').matches("x" * 100_001)

    assert verdict.answer is Answer.NOT_DECIDED
    assert " 100,000 " in verdict.reason


def test_lone_surrogate_fits_nothing() -> None:
    assert read("a = *%x00-10FFFF").matches("a\ud800").position == 1
