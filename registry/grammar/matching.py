"""Whether a name fits a grammar, and where it stops doing so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from registry.grammar.automaton import Automaton
from registry.grammar.bits import numbers
from registry.grammar.charset import CharSet
from registry.grammar.limits import LONGEST_NAME, Effort
from registry.grammar.machine import Machine, State
from registry.grammar.place import END
from registry.grammar.verdict import YES, Answer, Verdict, not_decided
from registry.grammar.words import in_words, listed
from registry.urn.characters import describe

_MOST_RULES: Final = 3
_MOST_RANGES: Final = 500


def match(machine: Machine, text: str, effort: Effort) -> Verdict:
    """Read `text` once, from left to right; raises `NotDecided` when the effort is spent."""
    if len(text) > LONGEST_NAME:
        return not_decided(f"The name has more than {LONGEST_NAME:,} characters.")
    state = machine.start
    class_of = machine.automaton.alphabet.class_of
    for position, char in enumerate(text):
        char_class = class_of(char)
        following = state.moves.get(char_class) or machine.step(state, char_class, effort)
        if not following.next:
            return _no(machine.automaton, state, position, describe(char))
        state = following
    return YES if state.accepts else _no(machine.automaton, state, len(text), "")


def _no(automaton: Automaton, state: State, position: int, found: str) -> Verdict:
    """What could have come after `state`, where the text has something else or ends."""
    by_rule: dict[str, dict[int, CharSet]] = {}
    for number in numbers(state.next & ~END):
        place = automaton.places[number]
        by_rule.setdefault(place.rule, {})[id(place.charset)] = place.charset
    end = ["the end of the name"] if state.accepts else []
    if len(by_rule) == 1:
        rule, charsets = by_rule.popitem()
        expected = listed([*_words(charsets.values()), *end])
        return Verdict(Answer.NO, position, expected, found, rule)
    return Verdict(Answer.NO, position, listed([*_by_rules(by_rule), *end]), found)


def _by_rules(by_rule: dict[str, dict[int, CharSet]]) -> list[str]:
    """The characters that several rules ask for, each with its rule while there are few."""
    if len(by_rule) > _MOST_RULES:
        return _words(charset for each in by_rule.values() for charset in each.values())
    # What is written first has the highest number.
    return [
        listed(_words(charsets.values())) + (f" (by “{rule}”)" if rule else "")
        for rule, charsets in reversed(by_rule.items())
    ]


def _words(charsets: Iterable[CharSet]) -> list[str]:
    row = list(charsets)
    if sum(len(charset.ranges) for charset in row) > _MOST_RANGES:
        return ["one of many characters"]
    return in_words(CharSet.union(row))
