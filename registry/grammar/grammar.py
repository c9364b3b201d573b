"""A grammar of either kind: read from its text, tested with names, and names drawn from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice, repeat
from random import Random
from typing import Final, Literal, TypeAlias

from registry.grammar import abnf, regex
from registry.grammar.alphabet import NAME_END, CharSet, CodePointRange, Place, iterate_bits
from registry.grammar.automaton import (
    Automaton,
    Machine,
    build_automaton,
    find_marked_characters,
)
from registry.grammar.comparison import (
    Comparison,
    ShortestNameSearch,
    compare_machines,
    have_shared_name,
)
from registry.grammar.errors import (
    LONGEST_TEXT,
    MOST_SAMPLES,
    Effort,
    GrammarSyntaxError,
    NotDecided,
)
from registry.grammar.expression import Expression, Rule, RuleReference
from registry.grammar.findings import (
    Scope,
    add_prefix,
    build_empty_machine,
    build_permitted_automaton,
    check_grammar_names,
    check_grammar_rules,
    find_scope,
    is_same_nid,
    split_full_name,
    strip_components,
)
from registry.grammar.matching import Answer, Verdict, build_undecided_verdict, match_name
from registry.grammar.regex_writer import write_regex
from registry.grammar.rule_set import RuleSet
from registry.urn import Finding
from registry.urn.nid import canonical

_TRIES: Final = 6
_STEP: Final = 100
_HEAVIEST: Final = 12
_MANY: Final = 50
_SIGNS: Final = 0.1
_PLAIN: Final[tuple[CodePointRange, ...]] = ((48, 57), (65, 90), (97, 122))


def draw_names(
    automaton: Automaton, nothing: Machine, count: int, seed: int, effort: Effort
) -> tuple[str, ...]:
    """At most `count` different names, short ones first, always the same for the same `seed`.

    The shortest name of all is among them. `nothing` is a machine without names. There are fewer
    names if the grammar has no more, or the effort is spent.
    """
    names: set[str] = set()
    count = max(0, min(count, MOST_SAMPLES))
    try:
        for name in islice(
            _generate_names(automaton, nothing, count, Random(seed), effort), count * _TRIES
        ):
            names.add(name)
            if len(names) == count:
                break
    except NotDecided:
        pass
    return tuple(sorted(names, key=lambda name: (len(name), name)))


def _generate_names(
    automaton: Automaton, nothing: Machine, count: int, chance: Random, effort: Effort
) -> Iterator[str]:
    shortest = ShortestNameSearch(automaton, nothing, effort).name()
    if shortest is None:
        return
    yield shortest
    for more in chain.from_iterable(repeat(range(2 * count))):
        yield _walk_automaton(automaton, len(shortest) + more, chance, effort)


def _walk_automaton(automaton: Automaton, wanted: int, chance: Random, effort: Effort) -> str:
    """A name of about `wanted` characters: random steps, then the shortest way to the end."""
    chars: list[str] = []
    onward, way_out = automaton.start, (automaton.start & -automaton.start).bit_length() - 1
    while onward != NAME_END and not (len(chars) >= wanted and onward & NAME_END):
        effort.spend(_STEP + 4 * onward.bit_count())
        number = way_out if len(chars) >= wanted else _choose_place(automaton, onward, chance)
        chars.append(_choose_character(automaton.places[number], chance))
        onward, way_out = automaton.follow[number], automaton.way_out[number]
    return "".join(chars)


def _choose_place(automaton: Automaton, onward: int, chance: Random) -> int:
    """One of the places `onward`, preferring those that accept more characters."""
    open_to = [number for number in iterate_bits(onward) if number]
    weights = [_weigh_place(automaton.places[number]) for number in open_to]
    return chance.choices(open_to, weights)[0]


def _weigh_place(place: Place) -> int:
    return min(CharSet(place.charset.ranges[:_HEAVIEST]).size, _HEAVIEST)


def _choose_character(place: Place, chance: Random) -> str:
    """One of its characters, preferably a letter or a digit, and as it is written."""
    if place.written and place.written in place.charset:
        return place.written
    plain = [
        range(max(low, first), min(high, last) + 1)
        for low, high in place.charset.ranges[:_MANY]
        for first, last in _PLAIN
    ]
    plain = [each for each in plain if each]
    if not plain or chance.random() < _SIGNS:
        low, high = chance.choice(place.charset.ranges)
        return chr(chance.randint(low, high))
    return chr(chance.choice(chance.choices(plain, list(map(len, plain)))[0]))


class Grammar:
    """Rules for the names of a namespace.

    `rules` are those of the grammar in order, none for a regular expression, and `start` is the one
    that describes a name. `scope` says whether its names are whole URNs or NSSs; `nid` is the
    identifier the grammar was read for, or that all its names have, and may be empty. If nothing
    can be tried, `undecided` says why. `findings` is what there is to say about it.

    Every question accepts an `Effort`, to be shared with others; otherwise each has its own.
    """

    def __init__(self, rules: RuleSet, expression: Expression, nid: str) -> None:
        start = rules.start
        self.rules: tuple[Rule, ...] = tuple(rules.own.values())
        self.start = start.name if start else ""
        self.undecided = ""
        self.scope = Scope.NSS
        self.nid = canonical(nid)
        self._found_nid = ""
        self._rule_set = rules
        self._expression = expression
        self._marked: dict[frozenset[str], Automaton] = {}
        self._machine = self._built()
        self.findings: tuple[Finding, ...] = (
            *check_grammar_names(self._automaton, self.undecided, self.nid, self._found_nid),
            *check_grammar_rules(rules, self.start),
        )

    def _built(self) -> Machine:
        try:
            built = build_automaton(self._expression, self._rule_set, Effort())
        except NotDecided as reason:
            self.undecided = str(reason)
            return build_empty_machine()
        self.scope, self._found_nid = find_scope(built)
        self.nid = self.nid or self._found_nid
        return Machine(built)

    @property
    def expression(self) -> Expression:
        """What describes a name: a reference to `start`, or a whole regular expression."""
        return self._expression

    def matches(self, name: str, effort: Effort | None = None) -> Verdict:
        """Whether `name` matches, as people write it, and if not, where it stops matching.

        A grammar of NSSs takes an NSS, or a full name that begins with "urn:"; where the name is
        known to be an NSS, ask `matches_nss`. Components after a full name are ignored, unless the
        grammar describes them.
        """
        if self.undecided:
            return build_undecided_verdict(self.undecided)
        effort = effort or Effort.for_a_name()
        verdict = self._judge(name, effort)
        bare = strip_components(name)
        if verdict.answer is not Answer.NO or bare == name:
            return verdict
        return self._judge(bare, effort)

    def matches_nss(self, nss: str, effort: Effort | None = None) -> Verdict:
        """Whether an NSS matches, whatever it begins with, and if not, where it stops matching."""
        if self.undecided:
            return build_undecided_verdict(self.undecided)
        before = self._prefix
        verdict = self._match(before + nss, effort or Effort.for_a_name())
        if verdict.position is None:
            return verdict
        return replace(verdict, position=max(verdict.position - len(before), 0))

    @property
    def _prefix(self) -> str:
        """What the names of the grammar have before an NSS."""
        return f"urn:{self.nid}:" if self.scope is Scope.WHOLE else ""

    def _judge(self, name: str, effort: Effort) -> Verdict:
        nid, begins = split_full_name(name) if self.scope is Scope.NSS else ("", 0)
        if nid and self.nid and not is_same_nid(nid, self.nid):
            return Verdict(Answer.NO, len("urn:"), f"“{self.nid}”", f"“{nid}”")
        verdict = self._match(name[begins:], effort)
        if verdict.position is None:
            return verdict
        return replace(verdict, position=verdict.position + begins)

    def _match(self, text: str, effort: Effort) -> Verdict:
        if self._machine.is_full:
            self._machine = Machine(self._automaton)
        try:
            return match_name(self._machine, text, effort)
        except NotDecided as reason:
            # This gives the same question the same answer.
            self._machine = Machine(self._automaton)
            return build_undecided_verdict(reason)

    def find_parts(
        self, nss: str, names: Iterable[str], effort: Effort | None = None
    ) -> list[bool]:
        """Which characters of an NSS are in a rule called one of `names`, ignoring case.

        If a name can be read in several ways, a character counts if it does in all of them. Raises
        `NotDecided` if that cannot be determined.
        """
        if self.undecided:
            raise NotDecided(self.undecided)
        effort = effort or Effort()
        marked = frozenset(name.lower() for name in names)
        if marked not in self._marked:
            self._marked[marked] = build_automaton(self._expression, self._rule_set, effort, marked)
        before = self._prefix
        return find_marked_characters(self._marked[marked], before + nss, effort)[len(before) :]

    def has_rule(self, name: str) -> bool:
        """Whether a name of the grammar can contain a part that the rule `name` describes."""
        return name.lower() in self._rule_set.reached(self.start) if self.start else False

    def samples(
        self, count: int = 10, seed: int = 0, effort: Effort | None = None
    ) -> tuple[str, ...]:
        """Up to `count` names, short ones first, the same for the same `seed`.

        None if no name matches, or nothing can be tried.
        """
        return draw_names(self._automaton, build_empty_machine(), count, seed, effort or Effort())

    def counter_example(
        self, effort: Effort | None = None, *, with_components: bool = False
    ) -> str | None:
        """A shortest matching name that is not a possible NSS, or not a possible whole name.

        With components an NSS may be followed by them.

        `None` if every name is valid by RFC 8141, section 2, and whole names have the right NID.
        Raises `NotDecided` if that cannot be determined.
        """
        if self.undecided:
            raise NotDecided(self.undecided)
        outside = Machine(build_permitted_automaton(self.scope, self.nid, with_components))
        return ShortestNameSearch(self._automaton, outside, effort or Effort()).name()

    def has_urn(self, effort: Effort | None = None, *, with_components: bool = False) -> bool:
        """Whether any of its names can be valid by RFC 8141, section 2, whatever the NID.

        With components an NSS may be followed by them.
        Raises `NotDecided` if that cannot be determined.
        """
        if self.undecided:
            raise NotDecided(self.undecided)
        permitted = Machine(build_permitted_automaton(self.scope, "", with_components))
        return have_shared_name(Machine(self._automaton), permitted, effort or Effort())

    @cached_property
    def nss_regex(self) -> str | None:
        """The matching NSSs as an anchored regular expression, the same for Python and JavaScript.

        For texts of NSS characters it is equivalent to the grammar; `None` if it cannot be written
        within the limit.
        """
        if self.undecided or (self.scope is Scope.WHOLE and not self.nid):
            return None
        return write_regex(self._expression, self._rule_set, self._prefix)

    def find_name_beyond(self, other: Grammar, effort: Effort | None = None) -> str | None:
        """A shortest name that matches but does not match `other`; `None` if there is none.

        Raises `NotDecided` if that cannot be determined.
        """
        effort = effort or Effort()
        mine, theirs = self._beside(other, effort), other._beside(self, effort)
        return ShortestNameSearch(mine, Machine(theirs), effort).name()

    def compare(self, other: Grammar, effort: Effort | None = None) -> Comparison:
        """Whether `other` has the same names, whether written for whole names or for NSSs."""
        effort = effort or Effort()
        try:
            first, second = self._beside(other, effort), other._beside(self, effort)
        except NotDecided as reason:
            return Comparison(Answer.NOT_DECIDED, reason=str(reason))
        return compare_machines(Machine(first), Machine(second), effort)

    @property
    def _automaton(self) -> Automaton:
        return self._machine.automaton

    def _beside(self, other: Grammar, effort: Effort) -> Automaton:
        """The automaton to compare with that of `other`: for whole names, if that one is."""
        if self.undecided:
            raise NotDecided(self.undecided)
        if self.scope is Scope.WHOLE or other.scope is Scope.NSS:
            return self._automaton
        nid = self.nid or other.nid
        if not nid:
            raise NotDecided(
                "One describes whole names and the other what follows an identifier"
                " that nobody has said."
            )
        return build_automaton(add_prefix(nid, self._expression), self._rule_set, effort)


Kind: TypeAlias = Literal["abnf", "regex"]
KINDS: Final[tuple[Kind, ...]] = ("abnf", "regex")


def read(text: str, kind: str = "abnf", *, nid: str = "", start: str = "") -> Grammar:
    """Read a grammar: "abnf" by RFC 5234 and RFC 7405, or "regex", a regular expression.

    `nid` is the identifier of the namespace, "urn-N" for an informal one without a number yet.
    `start` names the rule that describes a name, if it is not the conventional one. Raises
    `GrammarSyntaxError` if the text is not such a grammar, and `ValueError` for any other `kind`. A
    valid grammar beyond what we can try is read, and says so.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind of grammar called {kind!r}")
    if len(text) > LONGEST_TEXT:
        what = f"The text has {len(text):,} characters, and {LONGEST_TEXT:,} are the most"
        raise GrammarSyntaxError(1, 1, what, "Leave out the rules that names do not need.")
    if kind == "regex":
        return Grammar(RuleSet(), regex.parse_regex(text), nid)
    return _read_abnf(text, nid, start)


def _read_abnf(text: str, nid: str, chosen: str) -> Grammar:
    rules = RuleSet(abnf.parse_rules(text), chosen)
    if chosen and chosen.lower() not in rules.own:
        what = f"There is no rule “{chosen}”, which is to describe a name"
        raise GrammarSyntaxError(1, 1, what, "Name one of the rules that are written here.")
    start = rules.start
    expression: Expression = RuleReference(start.name) if start else RuleReference("")
    return Grammar(rules, expression, nid)
