"""A grammar that has been read, and what can be asked of it."""

from __future__ import annotations

from dataclasses import replace

from registry.grammar.automaton import Automaton, automaton
from registry.grammar.comparison import Comparison, compare
from registry.grammar.errors import NotDecided
from registry.grammar.expression import Expression
from registry.grammar.findings import of_names
from registry.grammar.generation import draw
from registry.grammar.limits import Effort
from registry.grammar.machine import Machine
from registry.grammar.matching import match
from registry.grammar.rule import Rule
from registry.grammar.rule_findings import of_rules
from registry.grammar.rulebook import Rulebook
from registry.grammar.scope import (
    Scope,
    is_same_nid,
    nothing,
    permitted,
    scope,
    split_name,
    with_prefix,
    without_components,
)
from registry.grammar.shortest import Search
from registry.grammar.verdict import Answer, Verdict, not_decided
from registry.urn import Finding
from registry.urn.nid import canonical


class Grammar:
    """Rules for the names of a namespace.

    `rules` are those of the grammar in order, none for a regular expression, and `start` is the
    one that describes a name. `scope` says whether its names are whole URNs or NSSs; `nid` is the
    identifier the grammar was read for, or that all its names have, and may be empty. Where
    nothing can be tried, `undecided` says why. `findings` is what there is to say about it.

    Every question may be given an `Effort`, to be shared with others; each has its own otherwise.
    """

    def __init__(self, rulebook: Rulebook, expression: Expression, nid: str) -> None:
        start = rulebook.start
        self.rules: tuple[Rule, ...] = tuple(rulebook.own.values())
        self.start = start.name if start else ""
        self.undecided = ""
        self.scope = Scope.NSS
        self.nid = canonical(nid)
        self._found_nid = ""
        self._rulebook = rulebook
        self._expression = expression
        self._machine = self._built()
        self.findings: tuple[Finding, ...] = (
            *of_names(self._automaton, self.undecided, self.nid, self._found_nid),
            *of_rules(rulebook, self.start),
        )

    def _built(self) -> Machine:
        try:
            built = automaton(self._expression, self._rulebook, Effort())
        except NotDecided as reason:
            self.undecided = str(reason)
            return nothing()
        self.scope, self._found_nid = scope(built)
        self.nid = self.nid or self._found_nid
        return Machine(built)

    def matches(self, name: str, effort: Effort | None = None) -> Verdict:
        """Whether `name` fits, and if not, where it stops fitting.

        A grammar of NSSs is given an NSS, or a name in full that begins with "urn:". Components
        behind a name in full are no part of it, unless the grammar describes them.
        """
        if self.undecided:
            return not_decided(self.undecided)
        effort = effort or Effort.for_a_name()
        verdict = self._judge(name, effort)
        bare = without_components(name)
        if verdict.answer is not Answer.NO or bare == name:
            return verdict
        return self._judge(bare, effort)

    def _judge(self, name: str, effort: Effort) -> Verdict:
        nid, begins = split_name(name) if self.scope is Scope.NSS else ("", 0)
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
            return match(self._machine, text, effort)
        except NotDecided as reason:
            # The same question then has the same answer.
            self._machine = Machine(self._automaton)
            return not_decided(reason)

    def samples(
        self, count: int = 10, seed: int = 0, effort: Effort | None = None
    ) -> tuple[str, ...]:
        """Up to `count` names, short ones first, the same for the same `seed`.

        There are none where no name fits, or nothing can be tried.
        """
        return draw(self._automaton, nothing(), count, seed, effort or Effort())

    def counter_example(self, effort: Effort | None = None) -> str | None:
        """A shortest name that fits and is no possible NSS, or no possible whole name.

        `None` where every name is one by RFC 8141, section 2, and whole names have the right NID.
        Raises `NotDecided` where that is not found out.
        """
        if self.undecided:
            raise NotDecided(self.undecided)
        outside = Machine(permitted(self.scope, self.nid))
        return Search(self._automaton, outside, effort or Effort()).name()

    def compare(self, other: Grammar, effort: Effort | None = None) -> Comparison:
        """Whether `other` has the same names, be it written for whole names or for NSSs."""
        effort = effort or Effort()
        try:
            first, second = self._beside(other, effort), other._beside(self, effort)
        except NotDecided as reason:
            return Comparison(Answer.NOT_DECIDED, reason=str(reason))
        return compare(Machine(first), Machine(second), effort)

    @property
    def _automaton(self) -> Automaton:
        return self._machine.automaton

    def _beside(self, other: Grammar, effort: Effort) -> Automaton:
        """The automaton to hold against that of `other`: for whole names, if that one is."""
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
        return automaton(with_prefix(nid, self._expression), self._rulebook, effort)
