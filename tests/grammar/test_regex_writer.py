"""Grammars written as regular expressions, tried by Python and by JavaScript."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from registry.grammar import Answer, Grammar, read
from registry.grammar.regex_writer import LONGEST_REGEX
from registry.namespace_rules import NAMESPACE_RULES
from tests.endless import stopped_if_endless
from tests.grammar import oracle
from tests.grammar.hostile_texts import ABNF
from tests.programs import program

NSS_ALPHABET = "".join(
    char
    for char in map(chr, range(128))
    if char.isascii() and (char.isalnum() or char in "-._~%!$&'()*+,;=:@/")
)
WITHOUT = {
    "3gpp2": "a colon stands in the parts that colons divide, so the ways to read one double",
    "epc": "more than 2,000 characters",
    "lex": "more than 2,000 characters",
}


@cache
def held(nid: str) -> tuple[Grammar, re.Pattern[str]]:
    """A shipped rule, and its expression, compiled."""
    found = NAMESPACE_RULES[nid].read_grammar()
    assert found.nss_regex is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return found, re.compile(found.nss_regex)


@cache
def draw_samples(nid: str, seed: int) -> tuple[str, ...]:
    """Names of a shipped rule."""
    return held(nid)[0].samples(20, seed)


WRITTEN = sorted(NAMESPACE_RULES.keys() - WITHOUT.keys())


def mutate(name: str, draw: st.DrawFn) -> str:
    """A name with a few characters removed, inserted or doubled."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(name)))
        put = draw(st.sampled_from(["", *NSS_ALPHABET, name[at : at + 2] * 2]))
        name = name[:at] + put + name[at + draw(st.integers(0, 2)) :]
    return name


@st.composite
def held_names(draw: st.DrawFn) -> tuple[str, str]:
    """A namespace with a shipped rule, and a valid or nearly valid name of it."""
    nid = draw(st.sampled_from(WRITTEN))
    return nid, mutate(draw(st.sampled_from(draw_samples(nid, draw(st.integers(0, 3))))), draw)


def test_all_rules_that_are_held_are_written_but_three() -> None:
    without = {nid for nid, rule in NAMESPACE_RULES.items() if not rule.read_grammar().nss_regex}

    assert (len(NAMESPACE_RULES), without) == (76, set(WITHOUT))


@given(held_names())
@settings(max_examples=600, deadline=None)
def test_expression_takes_the_names_that_its_rule_takes(tried: tuple[str, str]) -> None:
    nid, name = tried
    grammar, pattern = held(nid)

    assert (pattern.fullmatch(name) is not None) == (grammar.matches(name).answer is Answer.YES)


@pytest.mark.parametrize("nid", WRITTEN)
def test_expression_and_its_rule_have_the_same_names(nid: str) -> None:
    grammar, pattern = held(nid)

    again = read(pattern.pattern.removeprefix("^").removesuffix("$"), "regex")

    compared = again.compare(grammar)
    assert compared.answer is Answer.YES


@given(oracle.trees, st.lists(st.text("01aA", max_size=6), max_size=8))
@settings(max_examples=300, deadline=None)
def test_small_grammars_are_written_as_they_are(tree: oracle.Tree, tried: list[str]) -> None:
    grammar = read(oracle.abnf(tree))
    written = grammar.nss_regex

    if written is None:
        return
    for name in [*tried, *(each for each in grammar.samples(5) if "#" not in each)]:
        assert (re.fullmatch(written, name) is not None) == oracle.accepts(tree, name)


@pytest.mark.parametrize(
    ("rules", "expression"),
    [
        ('isbn = 9DIGIT (DIGIT / "X")', "^[0-9]{9}[0-9Xx]$"),
        ('a = %s"id:" 1*3ALPHA', "^id:[A-Za-z]{1,3}$"),
        ('a = ["x"] 2*"." / b\nb = %x30-39 / %x41', r"^(?:[Xx]?\.{2,}|[0-9A])$"),
        ('a = 1*(b / ":")\nb = 1*("$" / "(" / "-" / "/")', r"^[$\(\-\/:]+$"),
        ('a = "urn:x:" 2DIGIT', "^[0-9]{2}$"),
        ('a = scheme ":" ("x" / "X") ":" 1*DIGIT\nscheme = "urn"', "^[0-9]+$"),
        ('a = "" / "b"', "^[Bb]?$"),
        ('a = 1*DIGIT / "{" DIGIT "}"', "^[0-9]+$"),
    ],
)
def test_grammar_is_written_in_few_signs(rules: str, expression: str) -> None:
    assert read(rules, nid="x").nss_regex == expression


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        ('a = "x" / "(" a ")"', "abnf"),
        ("a = b", "abnf"),
        ("a = <a name as people give it>", "abnf"),
        ('a = "{"', "abnf"),
        ('a = 300("a" / "bc") 400("d" / "ef") "urn:x:" 1*DIGIT *(1*DIGIT ":" / DIGIT)', "abnf"),
        ('a = "urn:y:" 1*DIGIT', "abnf"),
        ('a = *(":" 1*(ALPHA / ":"))', "abnf"),
        ('a = 40["a"] 40"a"', "abnf"),
        ('a = 30("a" / "aa")', "abnf"),
        ('a = *40(*"a" "b" / *"a" *"b")', "abnf"),
        ("a = " + " ".join(f'"{number:04}"' for number in range(LONGEST_REGEX // 4)), "abnf"),
        ("(?=a)b", "regex"),
    ],
)
def test_grammar_that_programs_could_not_finish_gives_no_regex(rules: str, kind: str) -> None:
    assert read(rules, kind, nid="x").nss_regex is None


def double(start: str, option: str, end: str) -> str:
    """Each rule contains the next one twice, once next to what no name may contain."""
    pairs = [f"a{number} = a{number + 1} / {option.format(number + 1)}" for number in range(30)]
    return "\n".join([f"a = {start}", *pairs, f"a30 = {end}"])


HOSTILE = ABNF | {
    "doubling-unseen": double("9a0", "*%x7B a{}", '"x"'),
    "doubling-whole-names": double("a0", "a{} *%x7B", '"urn:x:" DIGIT'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_grammars_are_written_or_given_up(name: str) -> None:
    try:
        grammar = read(HOSTILE[name], nid="x")
    except ValueError:
        return

    with stopped_if_endless():
        written = grammar.nss_regex

    assert written is None or len(written) <= LONGEST_REGEX


@pytest.mark.parametrize("nid", WRITTEN)
def test_no_name_keeps_the_expression_of_a_rule_busy(nid: str) -> None:
    grammar, pattern = held(nid)

    with stopped_if_endless():
        for name in grammar.samples(10):
            for repeated in {name, name[-1:], name[-2:], name[len(name) // 2 :]}:
                assert pattern.fullmatch(f"{name}{repeated * (120 // len(repeated))}^") is None


JAVASCRIPT = """
const tried = JSON.parse(require("fs").readFileSync(0, "utf8"));
const read = ([text, names]) => ["", "u", "v"].map(
  (flags) => names.map((name) => new RegExp(text, flags).test(name)));
console.log(JSON.stringify(tried.map(read)));
"""


@pytest.mark.whole
def test_javascript_reads_an_expression_as_python_does() -> None:
    node = program("node")
    tried = []
    for nid in WRITTEN:
        grammar, pattern = held(nid)
        names = [*grammar.samples(8), *NAMESPACE_RULES[nid].counter_examples, "", "^", "-", "a/b"]
        tried.append((pattern.pattern, names))

    done = subprocess.run(
        [node, "-e", JAVASCRIPT], input=json.dumps(tried), capture_output=True, text=True
    )

    assert done.stderr == ""
    assert json.loads(done.stdout) == [
        [[re.fullmatch(text, name) is not None for name in names]] * 3 for text, names in tried
    ]
