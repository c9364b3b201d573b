"""Whatever is pasted, there is an answer in time, which says when a limit was reached."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings, strategies as st

from registry.grammar import Answer, Effort, Grammar, GrammarSyntaxError, NotDecided, read
from tests.endless import stopped_if_endless
from tests.grammar.hostile_texts import (
    ABNF,
    NAMES,
    REGEX,
)
from tests.grammar.namespace_grammars import ALL

# The limit of a page.
MEGABYTES = 100
HOSTILE = [
    pytest.param(text, kind, id=f"{kind}-{name}")
    for kind, texts in (("abnf", ABNF), ("regex", REGEX))
    for name, text in texts.items()
]
# The most memory-intensive ones.
GREEDY = {
    "optional-5000-times": (ABNF["optional-5000-times"], "abnf"),
    "ranges": (ABNF["ranges"], "abnf"),
    "doubling-when-deterministic": (REGEX["doubling-when-deterministic"], "regex"),
    "many-characters": (REGEX["many-characters"], "regex"),
    "a-large-class": (REGEX["a-large-class"], "regex"),
}
SIGNS = [
    *"aAbX019-_ \t\n;\"'<>()[]/*=%{}|+?.,:#&^$\\é“”–\f\r\0\ud800",
    *("a = ", "\nb = ", '"x"', '%s"x"', "%x41", "%x30-39", "%d9.10", "1*", "2*3", "=/", "DIGIT"),
    *("pchar", "<a>", "(?:", "(?=", "[a-z]", r"\d", r"\1", "{1,3}", "{999}", "urn:", "5000"),
]
anything = st.lists(st.sampled_from(SIGNS), max_size=25).map("".join) | st.text(max_size=40)
kinds = st.sampled_from(["abnf", "regex"])


def outcome(text: str, kind: str = "abnf") -> Grammar | GrammarSyntaxError:
    try:
        return read(text, kind, nid="example")
    except GrammarSyntaxError as error:
        return error


def counter_example(grammar: Grammar) -> str | NotDecided | None:
    try:
        return grammar.counter_example()
    except NotDecided as reason:
        return reason


def ask_everything(grammar: Grammar, name: str) -> None:
    """Ask everything that can be asked; only the documented results may come."""
    verdict = grammar.matches(name)
    assert (verdict.position is None) == (verdict.answer is not Answer.NO)
    assert verdict.message
    for sample in grammar.samples(4):
        assert grammar.matches(sample).answer is not Answer.NO
    found = counter_example(grammar)
    assert not isinstance(found, str) or grammar.matches(found).answer is not Answer.NO
    assert grammar.compare(grammar).answer is not Answer.NO


@given(anything, kinds, st.text("aAbX019-/ é", max_size=8))
@settings(max_examples=1000, deadline=None)
def test_no_text_makes_it_fail(text: str, kind: str, name: str) -> None:
    grammar = outcome(text, kind)

    if isinstance(grammar, Grammar):
        ask_everything(grammar, name)
    else:
        assert 1 <= grammar.line <= text.count("\n") + text.count("\r") + 1
        assert 1 <= grammar.column <= len(text) + 1
        assert str(grammar).startswith(grammar.what)


@given(
    st.sampled_from(list(ALL.values())),
    st.integers(0, 900),
    st.integers(0, 5),
    st.sampled_from(SIGNS),
)
@settings(max_examples=200, deadline=None)
def test_no_slip_in_a_real_grammar_makes_it_fail(text: str, at: int, cut: int, put: str) -> None:
    grammar = outcome(text[:at] + put + text[at + cut :])

    if isinstance(grammar, Grammar):
        ask_everything(grammar, "urn:example:a1")
    else:
        assert grammar.what
        assert grammar.mend


@pytest.mark.parametrize(("text", "kind"), HOSTILE)
def test_everything_together_comes_to_an_end(text: str, kind: str) -> None:

    with stopped_if_endless():
        grammar = outcome(text, kind)
        if isinstance(grammar, Grammar):
            effort = Effort()
            for name in NAMES:
                grammar.matches(name, effort)
            grammar.samples(20)
            grammar.compare(grammar)
            counter_example(grammar)


@pytest.mark.parametrize(("text", "kind"), GREEDY.values(), ids=GREEDY)
def test_reading_and_trying_stays_within_memory(text: str, kind: str) -> None:
    tracemalloc.start()

    grammar = outcome(text, kind)
    if isinstance(grammar, Grammar):
        grammar.matches("ab" * 2_000)
        counter_example(grammar)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < MEGABYTES * 2**20


def test_giving_up_is_said() -> None:
    grammar = read("(a|b)*a(a|b){2000}", "regex")

    verdict = grammar.matches("ab" * 20_000)
    comparison = grammar.compare(read(".*", "regex"))

    gave_up = "The answer would take more steps than we allow for one question."
    assert (verdict.answer, verdict.reason) == (Answer.NOT_DECIDED, gave_up)
    assert grammar.matches("b").answer is Answer.NO
    assert comparison.answer is Answer.NO
    assert grammar.compare(read("(a|b)*a(b|a){2000}", "regex")).reason == gave_up


def test_effort_can_be_shared_by_many_questions() -> None:
    grammar = read("(a|b)*a(a|b){2000}", "regex")
    effort = Effort(3_000)

    answers = [grammar.matches(name, effort).answer for name in ("b", "ab" * 90, "a" * 90, "c")]

    assert answers == [Answer.NO, Answer.NOT_DECIDED, Answer.NOT_DECIDED, Answer.NO]
    assert grammar.matches("a" * 90).answer is Answer.NO


def test_giving_up_on_one_name_does_not_spoil_the_next() -> None:
    grammar = read("(a|b)*a(a|b){2000}", "regex")

    first = [grammar.matches("ab" * 20_000).answer for _ in range(3)]

    assert first == [Answer.NOT_DECIDED] * 3
    assert grammar.matches("a" + "b" * 2_000).answer is Answer.YES


def test_memory_of_matched_names_has_a_bound() -> None:
    grammar = read("(a|b)*a(a|b){14}", "regex")

    answers = {
        grammar.matches(f"{number:016b}".replace("0", "a").replace("1", "b")).answer
        for number in range(0, 65_536, 13)
    }

    assert answers == {Answer.YES, Answer.NO}
