"""What a namespace declares about when two names are the same, and the consequences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from registry.grammar import (
    EquivalenceSyntaxError,
    GrammarSyntaxError,
    parse_equivalence,
    parse_statement,
    read,
)
from registry.urn.equivalence import fold_percent_octets
from tests.urn.strategies import nsses

VAULTS = read('nss = vault "/" number [copy]\nvault = 3ALPHA\nnumber = 1*6DIGIT\ncopy = "." ALPHA')


@pytest.mark.parametrize(
    ("lines", "first", "second", "is_one"),
    [
        pytest.param(["case"], "NVF/42", "nvf/42", True, id="case"),
        pytest.param(["case of vault"], "NVF/42.a", "nvf/42.a", True, id="case of a part"),
        pytest.param(["case of vault"], "NVF/42.a", "NVF/42.A", False, id="not of another part"),
        pytest.param(
            ["case of vault", "case of copy"], "NVF/42.a", "nvf/42.A", True, id="two parts"
        ),
        pytest.param(["hyphens"], "a-b-1", "ab1", True, id="hyphens"),
        pytest.param(["hyphens"], "a_b", "ab", False, id="hyphens alone"),
        pytest.param(["spaces"], "a%20b", "ab", True, id="spaces"),
        pytest.param(["spaces"], "a+b", "ab", False, id="no sign for a space"),
        pytest.param(["leading zeros"], "NVF/0042", "NVF/42", True, id="zeros"),
        pytest.param(["leading zeros"], "NVF/000", "NVF/0", True, id="a zero stays"),
        pytest.param(["leading zeros"], "NVF/402", "NVF/42", False, id="zeros within"),
        pytest.param(["leading zeros"], "a%00b", "a%0b", False, id="not within a triplet"),
        pytest.param(["leading zeros"], "a007", "a7", False, id="not behind a letter"),
        pytest.param(["prefix old: = new:"], "old:1", "new:1", True, id="beginnings"),
        pytest.param(["prefix old: = new:"], "x:old:1", "x:new:1", False, id="at the beginning"),
        pytest.param(
            ["prefix a: = b:", "prefix b: = c:"], "a:1", "c:1", True, id="beginnings in a row"
        ),
        pytest.param(["case", "prefix Old: = new:"], "OLD:1", "New:1", True, id="with case"),
        pytest.param(["only RFC 8141"], "a", "A", False, id="nothing is added"),
    ],
)
def test_two_names_are_the_same_where_it_is_declared(
    lines: list[str], first: str, second: str, is_one: bool
) -> None:
    declared = parse_equivalence(lines)
    assert declared is not None

    merged = [declared.find_merged(nss, VAULTS) for nss in (first, second)]

    assert (merged[0] == merged[1]) is is_one


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["cases"], "“cases” says nothing that we know."),
        (["case of"], "“case of” says nothing that we know."),
        (["prefix"], "“prefix” says nothing that we know."),
        (["prefix a: = a:"], "“prefix a: = a:” has the same beginning twice."),
        (["prefix a?: = b:"], "“prefix a?: = b:” says nothing that we know."),
        (["prefix a%2: = b:"], "“prefix a%2: = b:” says nothing that we know."),
        (["only RFC 8141", "case"], "“only RFC 8141” stands beside other statements."),
        ([f"prefix {'a' * 101} = b"], "A beginning has at most 100 characters."),
        ([f"case of a{n}" for n in range(21)], "There are more than 20 statements."),
    ],
)
def test_invalid_declaration_is_refused_with_what_to_write(lines: list[str], what: str) -> None:
    with pytest.raises(EquivalenceSyntaxError) as refused:
        parse_equivalence(lines)

    assert refused.value.what == what
    assert refused.value.how


def test_nothing_declared_is_not_the_same_as_that_nothing_is_added() -> None:
    nothing = parse_equivalence(["only RFC 8141"])

    assert parse_equivalence([]) is None
    assert nothing is not None
    assert nothing.statements == ()


def test_declaration_is_written_in_the_order_it_applies() -> None:
    declared = parse_equivalence(["leading zeros", "hyphens", "prefix a = b", "case of vault"])

    assert declared is not None
    assert list(map(str, declared.statements)) == [
        "case of vault",
        "prefix a = b",
        "hyphens",
        "leading zeros",
    ]


statements = st.sampled_from(
    [
        "case",
        "case of vault",
        "hyphens",
        "spaces",
        "leading zeros",
        "prefix a: = b:",
        "prefix b: = A",
        "prefix 0 = %2F",
    ]
)


@settings(deadline=None)
@given(st.lists(statements, max_size=6, unique=True), nsses, nsses, st.booleans())
def test_declaration_only_merges(lines: list[str], first: str, second: str, swapped: bool) -> None:
    declared = parse_equivalence(lines)
    merge = declared.find_merged if declared else lambda nss, grammar: nss
    octets = first.replace("%2f", "%2F").replace("%2c", "%2C")

    # Names that are the same by section 3.1 are folded first, and so stay the same.
    assert merge(fold_percent_octets(first), VAULTS) == merge(fold_percent_octets(octets), VAULTS)
    one, other = (second, first) if swapped else (first, second)
    same = merge(one, VAULTS) == merge(other, VAULTS)
    assert same == (merge(other, VAULTS) == merge(one, VAULTS))


@pytest.mark.parametrize(
    ("name", "parts", "inside"),
    [
        pytest.param("NVF/42", ["vault"], "111000", id="a part"),
        pytest.param("NVF/42", ["VAULT"], "111000", id="names of rules have no case"),
        pytest.param("NVF/42.a", ["vault", "copy"], "11100011", id="two parts"),
        pytest.param("NVF", ["vault"], "111", id="the beginning of a name"),
        pytest.param("NVF?", ["vault"], "1110", id="what stops being a name"),
        pytest.param("NVF/42", ["number"], "000011", id="behind a sign"),
        pytest.param("NVF/42", ["ALPHA"], "111000", id="a rule that everyone knows"),
    ],
)
def test_characters_of_a_part_are_found(name: str, parts: list[str], inside: str) -> None:
    found = VAULTS.find_parts(name, parts)

    assert "".join("01"[each] for each in found) == inside


def test_character_that_may_stand_in_two_rules_is_in_neither_for_sure() -> None:
    either = read("nss = letter / sign\nletter = ALPHA\nsign = ALPHA / DIGIT")

    assert either.find_parts("a", ["letter"]) == [False]
    assert either.find_parts("a", ["letter", "sign"]) == [True]


def test_part_is_found_in_a_grammar_of_whole_names() -> None:
    whole = read('name = "urn:seed:" vault "/" 1*DIGIT\nvault = 3ALPHA', nid="seed")

    assert whole.find_parts("NVF/4", ["vault"]) == [True, True, True, False, False]


def test_rule_that_describes_a_name_can_be_chosen() -> None:
    text = "vault = 3ALPHA\nname = vault 1*DIGIT"

    assert read(text).matches("NVF").position is None
    assert read(text, start="Name").matches("NVF4").position is None
    assert read(text, start="name").start == "name"
    with pytest.raises(GrammarSyntaxError, match="“vaults”"):
        read(text, start="vaults")


def test_statements_are_said_in_words() -> None:
    words = [parse_statement(each).words for each in ("case", "case of vault", "prefix a = b")]

    assert words == [
        "the case of letters",
        "the case of letters in “vault”",
        "whether a name begins with “a” or “b”",
    ]
