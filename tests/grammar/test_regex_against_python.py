"""Regular expressions compared with Python's, whatever is typed."""

from __future__ import annotations

import re
import warnings

from hypothesis import given, settings, strategies as st

from registry.grammar import Answer, Grammar, GrammarSyntaxError, read

PIECES = [
    *"aaAbB01#-_.^$|*+?()[]{},",
    *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\.", r"\-", r"\(", r"\\", r"\x41", r"\n", r"\A"),
    *(r"\Z", "(?:", "(?i:", "(?-i:", "(?P<n>", "(?i)", "{2}", "{1,2}", "{,1}", "{0,}", "*?", "+?"),
    *("[ab]", "[^a]", "[0-9]", r"[\d#]", "[a-b1]", "[^]a]", "[]]", "[-a]", "(a|b)", "(?=a)", "a+"),
]
expressions = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
names = st.lists(st.sampled_from("aaAbB01#-_.^$|*+?()[]{},\\\n é"), max_size=5).map("".join)


def compiled(text: str) -> re.Pattern[str] | None:
    """`text` compiled by Python; `None` if it is not an expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile(text, re.ASCII)
        except re.error:
            return None


def ours(text: str) -> Grammar | None:
    try:
        return read(text, "regex")
    except GrammarSyntaxError:
        return None


@given(expressions, st.lists(names, max_size=8))
@settings(max_examples=600, deadline=None)
def test_decided_matches_agree_with_python(text: str, tried: list[str]) -> None:
    theirs, grammar = compiled(text), ours(text)

    if theirs is None or grammar is None:
        return
    for name in [*tried, *grammar.samples(3)]:
        answer = grammar.matches(name).answer
        if answer is not Answer.NOT_DECIDED:
            assert (answer is Answer.YES) == (theirs.fullmatch(name) is not None)


@given(expressions)
@settings(max_examples=600, deadline=None)
def test_expression_that_python_refuses_is_not_accepted(text: str) -> None:
    theirs, grammar = compiled(text), ours(text)

    # Two groups with one name are an error there, but do not matter here.
    if theirs is None and grammar is not None and text.count("<n>") < 2:
        assert grammar.undecided


@given(expressions)
@settings(max_examples=600, deadline=None)
def test_expression_that_python_reads_is_read(text: str) -> None:
    theirs, grammar = compiled(text), ours(text)

    # We refuse an empty expression, and named classes, which Python takes for brackets.
    if theirs is not None and text and "[." not in text:
        assert grammar is not None
