"""What ABNF says about names (RFC 5234, RFC 7405)."""

from __future__ import annotations

from itertools import product

import pytest
from abnf.parser import ABNFGrammarRule, ParseError

from registry.grammar import Answer, GrammarSyntaxError, read

# A grammar, names that match it and names that do not.
RULES: dict[str, tuple[str, list[str], list[str]]] = {
    "2.3-a-string-has-both-cases": ('a = "Ab"', ["ab", "AB", "aB"], ["a", "abc", ""]),
    "2.3-only-ascii-has-cases": ('a = "k"', ["k", "K"], ["\u212a"]),
    "7405-2.1-case-counts": ('a = %s"Ab"', ["Ab"], ["ab", "AB"]),
    "7405-2.1-case-does-not-count": ('a = %i"Ab"', ["ab", "AB"], ["b"]),
    "7405-2.1-the-mark-has-both-cases": ('a = %S"Ab"', ["Ab"], ["ab"]),
    "2.3-the-empty-string": ('a = ""', [""], ["a"]),
    "2.3-hexadecimal": ("a = %x41", ["A"], ["a"]),
    "2.3-decimal": ("a = %d65", ["A"], ["a"]),
    "2.3-binary": ("a = %b1000001", ["A"], ["a"]),
    "2.3-numbers-in-a-row": ("a = %x41.62.43", ["AbC"], ["abc", "A"]),
    "2.3-beyond-ascii": ("a = %x1F600", ["\U0001f600"], ["a"]),
    "2.3-leading-zeros": (f"a = %x{'0' * 40}41", ["A"], ["a"]),
    "2.1-names-of-rules-have-no-case": ('a = B\nb = "x"', ["x"], ["b"]),
    "2.1-a-name-in-angle-brackets": ('a = <b>\nb = "x"', ["x"], ["b"]),
    "3.1-concatenation": ('a = "x" "y"', ["xy"], ["x", "yx"]),
    "3.2-alternatives": ('a = "x" / "yz"', ["x", "yz"], ["xyz", "y"]),
    "3.2-concatenation-binds-tighter": ('a = "x" "y" / "z"', ["xy", "z"], ["xz"]),
    "3.3-incremental": ('a = "x"\na =/ "y"\na =/ "z"', ["x", "y", "z"], ["xy"]),
    "3.3-incremental-in-another-case": ('a = "x"\nA =/ "y"', ["x", "y"], []),
    "3.4-a-range": ("a = %x30-32", ["0", "2"], ["3", "/"]),
    "3.5-a-group": ('a = "x" ("y" / "z") "x"', ["xyx", "xzx"], ["xy", "zx"]),
    "3.6-any-number": ('a = *"x"', ["", "x", "xxxx"], ["y"]),
    "3.6-at-least": ('a = 2*"x"', ["xx", "xxx"], ["x", ""]),
    "3.6-at-most": ('a = *2"x"', ["", "xx"], ["xxx"]),
    "3.6-between": ('a = 2*3"x"', ["xx", "xxx"], ["x", "xxxx"]),
    "3.6-none": ('a = 0"x" "y"', ["y"], ["xy"]),
    "3.7-exactly": ("a = 2DIGIT", ["12"], ["1", "123"]),
    "3.7-exactly-of-a-group": ('a = 2("x" / "yz")', ["xyz", "xx", "yzyz"], ["x", "yz"]),
    "3.8-optional": ('a = ["x"] "y"', ["xy", "y"], ["x", ""]),
    "3.9-a-comment": ('a = "x" ; or "y"\n   "z" ; and that is all', ["xz"], ["x", "xyz"]),
    "3.10-repetition-before-concatenation": ('a = *"x" "y"', ["y", "xxy"], ["xyxy"]),
    "4-repetition-of-what-may-be-empty": ('a = *(*"x" ["y"])', ["", "xyxx", "yy"], ["z"]),
    "4-ambiguous": ('a = *("x" / "xx" / "xxx")', ["", "xxxxxxx"], ["xxy"]),
    "b.1-core-rules": ("a = ALPHA DIGIT HEXDIG", ["x0f", "X9F"], ["x0g", "00f"]),
    "b.1-core-rules-in-any-case": ("a = Alpha digit", ["x0"], ["0x"]),
    "3986-a-pchar": ("a = 1*pchar", ["a%2F~", "%c3", ":@"], ["/", "%c", "?", ""]),
    "8141-2-nss": ("a = NSS", ["a/b", "%20"], ["/a", "", "a b"]),
    "8141-2-nid": ('a = NID "="', ["ab=", "a-b="], ["a=", "-a=", "a-=", f"{'a' * 33}="]),
    "right-linear-recursion": ('a = "x" a / "y"', ["y", "xxy"], ["x", "yx"]),
    "left-linear-recursion": ('a = a "x" / "y"', ["y", "yxx"], ["x", "xy"]),
    "recursion-through-another": ('a = "x" b\nb = "y" a / "z"', ["xz", "xyxz"], ["xy", "z"]),
}


@pytest.mark.parametrize(("text", "fitting", "others"), RULES.values(), ids=RULES)
def test_grammar_has_these_names(text: str, fitting: list[str], others: list[str]) -> None:
    grammar = read(text)

    answers = {name: grammar.matches(name).answer for name in [*fitting, *others]}

    assert answers == {
        **dict.fromkeys(fitting, Answer.YES),
        **dict.fromkeys(others, Answer.NO),
    }


# Grammars that we cannot try, and words from the reason.
UNDECIDED = {
    "4-prose": ("a = <a list of things>", "“<a list of things>” is meant for people"),
    "4-prose-in-one-way-to-a-name": ('a = "x" / <see RFC 1, 2>', "meant for people"),
    "2.1-undefined": ("a = b", "“b” is used and not defined"),
    "nested-recursion": ('a = "(" a ")" / "x"', "“a” uses itself"),
    "recursion-on-both-sides": ('a = a a / "x"', "“a” uses itself"),
    "3.6-a-million-times": ('a = 1*1000000"x"', "“1*1000000” repeats more often"),
    "3.6-without-end": (f'a = {"9" * 5000}"x"', "repeats more often"),
    "too-many-places": ("a = 4000(3DIGIT)", "more than 5,000 places"),
    "too-deep": (
        "\n".join(f'a{number} = "x" (a{number + 1})' for number in range(150)) + '\na150 = "x"',
        "use one another too deeply",
    ),
}


@pytest.mark.parametrize(("text", "reason"), UNDECIDED.values(), ids=UNDECIDED)
def test_untriable_grammar_is_not_decided(text: str, reason: str) -> None:
    grammar = read(text)

    verdict = grammar.matches("x")

    assert verdict.answer is Answer.NOT_DECIDED
    assert reason in verdict.reason
    assert verdict.reason == grammar.undecided
    assert "grammar.undecided" in [finding.check for finding in grammar.findings]
    assert grammar.samples() == ()


def test_undefined_rule_that_names_do_not_need_does_no_harm() -> None:
    grammar = read('a = "x"\nb = missing')

    assert grammar.matches("x").answer is Answer.YES


def test_first_rule_describes_names() -> None:
    assert read('b = "x"\nNSSx = "y"').start == "b"


def test_rules_that_everyone_knows_are_passed_over() -> None:
    assert read('DIGIT = %x30-39\nname = "x" DIGIT').start == "name"


def test_rule_called_nss_describes_names_where_the_first_does_not_lead_to_it() -> None:
    assert read('NID = "example"\nNSS = 1*DIGIT').start == "NSS"
    assert read('URN = "urn:example:" NSS\nNSS = 1*DIGIT').start == "URN"


def test_rules_are_listed_with_their_lines() -> None:
    grammar = read('; names\n\na = B\n  "x"\nb = "y"')

    assert [(rule.name, rule.line) for rule in grammar.rules] == [("a", 3), ("b", 5)]


def test_there_is_no_third_kind_of_grammar() -> None:
    with pytest.raises(ValueError, match="'prose'"):
        read("a", "prose")


def is_read_by_library(elements: str) -> bool:
    """Whether the package abnf takes this for the elements of a rule."""
    try:
        ABNFGrammarRule("alternation").parse_all(elements)
    except ParseError:
        return False
    return True


def is_read_by_us(elements: str) -> bool:
    try:
        read(f"r = {elements}\na = DIGIT\n")
    except GrammarSyntaxError:
        return False
    return True


def test_short_texts_are_rules_if_the_library_reads_them_too() -> None:
    texts = {"".join(signs).strip() for signs in product("a2()[]/ ", repeat=4)}

    rules = set(filter(is_read_by_us, texts))

    assert rules == set(filter(is_read_by_library, texts))
    assert {"a", "2a", "a a", "a/a", "[a]", "2(a)"} <= rules
