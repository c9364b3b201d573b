"""Small grammars compared with a second implementation that tries everything."""

from __future__ import annotations

import re

from hypothesis import given, settings

from registry.grammar import Answer, Grammar, read
from tests.grammar.oracle import Tree, abnf, accepts, names, regex, trees, words

# Up to this length every name over the small alphabet is tried.
LENGTH = 4


def accepted(grammar: Grammar, longest: int = LENGTH) -> list[str]:
    """The names over the small alphabet that `grammar` accepts, shortest first."""
    return [name for name in words(longest) if grammar.matches(name).answer is Answer.YES]


@given(trees)
@settings(max_examples=100, deadline=None)
def test_abnf_accepts_what_trying_everything_accepts(tree: Tree) -> None:
    grammar = read(abnf(tree))

    found = accepted(grammar, 3)

    assert found == [name for name in words(3) if accepts(tree, name)]


@given(trees, names)
@settings(max_examples=300, deadline=None)
def test_longer_names_fare_the_same(tree: Tree, name: str) -> None:
    grammar = read(abnf(tree))

    verdict = grammar.matches(name)

    assert (verdict.answer is Answer.YES) == accepts(tree, name)


@given(trees)
@settings(max_examples=150, deadline=None)
def test_expression_accepts_what_python_accepts(tree: Tree) -> None:
    grammar = read(regex(tree) or "()", "regex")

    found = accepted(grammar, 3)

    assert found == [
        name for name in words(3) if re.fullmatch(regex(tree), name, re.ASCII) is not None
    ]


@given(trees, names)
@settings(max_examples=300, deadline=None)
def test_nothing_helps_behind_the_character_that_cannot_stand(tree: Tree, name: str) -> None:
    grammar = read(abnf(tree))

    position = grammar.matches(name).position

    if position is not None and position < len(name):
        longer = [name[: position + 1] + after for after in words(3)]
        assert [each for each in longer if accepts(tree, each)] == []


@given(trees)
@settings(max_examples=100, deadline=None)
def test_abnf_and_expression_of_one_grammar_have_the_same_names(tree: Tree) -> None:
    first, second = read(abnf(tree)), read(regex(tree) or "()", "regex")

    comparison = first.compare(second)

    assert comparison.answer is Answer.YES


@given(trees, trees)
@settings(max_examples=150, deadline=None)
def test_grammars_differ_first_on_a_shortest_name(one: Tree, other: Tree) -> None:
    first, second = read(abnf(one)), read(abnf(other))

    comparison = first.compare(second)

    differing = [name for name in words(LENGTH) if accepts(one, name) != accepts(other, name)]
    if comparison.answer is Answer.YES:
        assert differing == []
    else:
        assert accepts(one, comparison.name) == (comparison.accepted_by == "first")
        assert accepts(other, comparison.name) == (comparison.accepted_by == "second")
        assert not differing or len(comparison.name) == len(differing[0])


@given(trees, trees)
@settings(max_examples=100, deadline=None)
def test_comparing_the_other_way_round_gives_the_same(one: Tree, other: Tree) -> None:
    first, second = read(abnf(one)), read(regex(other) or "()", "regex")

    there, back = first.compare(second), second.compare(first)

    turned = {"first": "second", "second": "first", "": ""}
    assert (there.answer, there.name) == (back.answer, back.name)
    assert there.accepted_by == turned[back.accepted_by]


@given(trees)
@settings(max_examples=150, deadline=None)
def test_counter_example_is_a_shortest_one(tree: Tree) -> None:
    grammar = read(abnf(tree))

    found = grammar.counter_example()

    # Of the small alphabet, an NSS cannot contain "#" (RFC 8141, section 2).
    wrong = [name for name in words(LENGTH) if accepts(tree, name) and ("#" in name or name == "")]
    if found is None:
        assert wrong == []
    else:
        assert accepts(tree, found)
        assert "#" in found or found == ""
        assert not wrong or len(found) == len(wrong[0])


@given(trees)
@settings(max_examples=150, deadline=None)
def test_samples_are_names_of_the_grammar(tree: Tree) -> None:
    grammar = read(abnf(tree))

    samples = grammar.samples(8, seed=3)

    assert all(accepts(tree, name) for name in samples)
    assert samples == grammar.samples(8, seed=3)
    assert list(samples) == sorted(samples, key=lambda name: (len(name), name))
    assert len(set(samples)) == len(samples)
