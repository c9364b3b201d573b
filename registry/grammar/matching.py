"""Whether a name matches a grammar, where it stops matching, and how to say that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from registry.grammar.alphabet import NAME_END, CharSet, CodePointRange, iterate_bits
from registry.grammar.automaton import Automaton, Machine, MachineState
from registry.grammar.errors import LONGEST_NAME, Effort
from registry.urn.characters import describe_character


class Answer(StrEnum):
    """Yes, no, or not decided within the limits."""

    YES = "yes"
    NO = "no"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a name matches.

    If not, `position` is the 0-based index of the first invalid character, or the length of the
    name if it ends too early; `expected` says in words what could be there and `found` what is, and
    `rule` which rule says so, empty if there are several or it has no name. If nothing is decided,
    `reason` says why.
    """

    answer: Answer
    position: int | None = None
    expected: str = ""
    found: str = ""
    rule: str = ""
    reason: str = ""

    @property
    def message(self) -> str:
        """The verdict as a sentence, positions counted from 1 as people count."""
        if self.position is None:
            return self.reason or "The name fits."
        rule = f" by the rule “{self.rule}”" if self.rule else ""
        wanted = f"{self.expected} was expected{rule}."
        if not self.found:
            return f"The name ends after character {self.position}, where {wanted}"
        return f"At character {self.position + 1} there is {self.found}, where {wanted}"


YES: Final = Verdict(Answer.YES)


def build_undecided_verdict(reason: object) -> Verdict:
    """Nothing was decided, for this reason."""
    return Verdict(Answer.NOT_DECIDED, reason=str(reason))


_UPPER: Final[CodePointRange] = (65, 90)
_LOWER: Final[CodePointRange] = (97, 122)
_DIGIT: Final[CodePointRange] = (48, 57)
_HEXADECIMAL: Final = CharSet.of(_DIGIT, (65, 70), (97, 102))
_NAMED: Final = (
    (CharSet.of(_UPPER, _LOWER), "a letter"),
    (CharSet.of(_UPPER), "a letter from A to Z"),
    (CharSet.of(_LOWER), "a letter from a to z"),
    (CharSet.of(_DIGIT), "a digit"),
)
_FEW: Final = 4
_MANY_RUNS: Final = 4


def describe_charset(charset: CharSet) -> list[str]:
    """What the characters of `charset` are, for `listed`: "a digit", "“-”"."""
    if charset == _HEXADECIMAL:
        return ["a hexadecimal digit"]
    excepted = charset.complement()
    if not excepted:
        return ["any character"]
    if excepted.size < charset.size:
        return [f"any character but {join_alternatives(describe_charset(excepted))}"]
    return _describe_parts(charset)


def join_alternatives(parts: Iterable[str]) -> str:
    """`parts` as alternatives in the middle of a sentence: "a digit or “-”"."""
    row = list(dict.fromkeys(parts))
    return " or ".join(filter(None, (", ".join(row[:-1]), *row[-1:])))


def _describe_parts(charset: CharSet) -> list[str]:
    parts, rest = [], charset
    for named, words in _NAMED:
        if named.is_within(rest):
            parts.append(words)
            rest = rest.minus(named)
    runs = [pair for pair in rest.ranges if _is_run(*pair)]
    single = CharSet(tuple(pair for pair in rest.ranges if pair not in runs))
    if len(runs) > _MANY_RUNS:
        return [*parts, f"one of {rest.size:,} other characters"]
    return [*parts, *(_describe_run(*pair) for pair in runs), *_describe_singles(single)]


def _is_run(low: int, high: int) -> bool:
    """Whether a range is named by its ends; ASCII signs are listed instead."""
    return high - low > 1 and (_name_range(low, high) != "character" or high > ord("~"))


def _describe_run(low: int, high: int) -> str:
    words = _name_range(low, high)
    name = describe_character if words == "character" else str
    return f"a {words} from {name(chr(low))} to {name(chr(high))}"


def _name_range(low: int, high: int) -> str:
    for words, (first, last) in (("letter", _UPPER), ("letter", _LOWER), ("digit", _DIGIT)):
        if first <= low and high <= last:
            return words
    return "character"


def _describe_singles(charset: CharSet) -> list[str]:
    chars = [chr(code) for low, high in charset.ranges for code in range(low, high + 1)]
    lower = [char for char in chars if "a" <= char <= "z" and char.upper() in charset]
    paired = {*lower, *map(str.upper, lower)}
    return [
        *(f"{part} in either case" for part in _list_characters(lower, few=1)),
        *_list_characters([char for char in chars if char not in paired]),
    ]


def _list_characters(chars: list[str], few: int = _FEW) -> list[str]:
    if len(chars) <= few:
        return [describe_character(char) for char in chars]
    if all("!" <= char <= "~" for char in chars):
        return [f"one of “{''.join(chars)}”"]
    return [f"one of {len(chars)} other characters"]


_MAX_RULES_NAMED: Final = 3
_MAX_RANGES_DESCRIBED: Final = 500


def match_name(machine: Machine, text: str, effort: Effort) -> Verdict:
    """Read `text` once, from left to right; raises `NotDecided` when the effort is spent."""
    if len(text) > LONGEST_NAME:
        return build_undecided_verdict(f"The name has more than {LONGEST_NAME:,} characters.")
    state = machine.start
    class_of = machine.automaton.alphabet.class_of
    for position, char in enumerate(text):
        char_class = class_of(char)
        following = state.moves.get(char_class) or machine.step(state, char_class, effort)
        if not following.next:
            return _build_refusal(machine.automaton, state, position, describe_character(char))
        state = following
    return YES if state.accepts else _build_refusal(machine.automaton, state, len(text), "")


def _build_refusal(automaton: Automaton, state: MachineState, position: int, found: str) -> Verdict:
    """What could have come after `state`, where the text has something else or ends."""
    if state.expected is None:
        # Most names of a list stop at one of a few states, and the words take longer than the name.
        state.expected = _describe_expected(automaton, state)
    expected, rule = state.expected
    return Verdict(Answer.NO, position, expected, found, rule)


def _describe_expected(automaton: Automaton, state: MachineState) -> tuple[str, str]:
    by_rule: dict[str, dict[int, CharSet]] = {}
    for number in iterate_bits(state.next & ~NAME_END):
        place = automaton.places[number]
        by_rule.setdefault(place.rule, {})[id(place.charset)] = place.charset
    end = ["the end of the name"] if state.accepts else []
    if len(by_rule) == 1:
        rule, charsets = by_rule.popitem()
        return join_alternatives([*_describe_charsets(charsets.values()), *end]), rule
    return join_alternatives([*_group_by_rules(by_rule), *end]), ""


def _group_by_rules(by_rule: dict[str, dict[int, CharSet]]) -> list[str]:
    """The characters that several rules ask for, each with its rule while there are few."""
    if len(by_rule) > _MAX_RULES_NAMED:
        return _describe_charsets(charset for each in by_rule.values() for charset in each.values())
    # What is written first has the highest number.
    return [
        join_alternatives(_describe_charsets(charsets.values()))
        + (f" (by “{rule}”)" if rule else "")
        for rule, charsets in reversed(by_rule.items())
    ]


def _describe_charsets(charsets: Iterable[CharSet]) -> list[str]:
    row = list(charsets)
    if sum(len(charset.ranges) for charset in row) > _MAX_RANGES_DESCRIBED:
        return ["one of many characters"]
    return describe_charset(CharSet.union(row))
