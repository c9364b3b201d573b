"""The rules of one grammar, found by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType

from registry.grammar import known_rules
from registry.grammar.expression import alternation
from registry.grammar.rule import Rule


class Rulebook:
    """Rules as they stand once "=/" has added to them (RFC 5234, section 3.3).

    `own` holds those of the grammar by their names in lower case, in order; what it does not
    define is looked for among the known rules. `replaced` are definitions that later ones of the
    same name replace, `orphans` those that add to a rule that is not there.
    """

    def __init__(self, written: Iterable[Rule] = ()) -> None:
        own: dict[str, Rule] = {}
        self.replaced: list[tuple[Rule, Rule]] = []
        self.orphans: list[Rule] = []
        for rule in written:
            before = own.get(rule.name.lower())
            if before is not None and rule.adds:
                rule = _together(before, rule)
            elif before is not None:
                self.replaced.append((before, rule))
            elif rule.adds:
                self.orphans.append(rule)
            own[rule.name.lower()] = rule
        self.own: Mapping[str, Rule] = MappingProxyType(own)

    def find(self, name: str) -> Rule | None:
        """The rule `name`, of the grammar or a known one."""
        return self.own.get(name.lower()) or known_rules.find(name)

    def is_own(self, name: str) -> bool:
        """Whether the grammar itself defines `name`, and not as a rule that everyone knows."""
        return name.lower() in self.own and not known_rules.is_fixed(name)

    @property
    def start(self) -> Rule | None:
        """The rule that describes a name: the first, as convention has it.

        Rules that everyone knows are passed over, and so is a rule that does not lead to one
        called NSS where there is such a rule.
        """
        first = next(filter(self.is_own, self.own), None) or next(iter(self.own), None)
        if first is None:
            return None
        return self.own["nss" if "nss" in self.own.keys() - self.reached(first) else first]

    def reached(self, name: str) -> set[str]:
        """The rule `name` and all that it leads to, in lower case, undefined ones too."""
        reached = {name.lower()}
        waiting = [name.lower()]
        while waiting:
            rule = self.find(waiting.pop())
            for used in rule.uses if rule else ():
                if used.lower() not in reached:
                    reached.add(used.lower())
                    waiting.append(used.lower())
        return reached

    def cycle(self, names: Iterable[str]) -> tuple[str, ...]:
        """Rules among `names` of which each uses the next, and the last the first; or none."""
        graph = {name: set(self._uses(name)) for name in names}
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            return tuple(reversed(error.args[1][1:]))
        return ()

    def _uses(self, name: str) -> Iterator[str]:
        rule = self.find(name)
        return (used.lower() for used in (rule.uses if rule else ()))


def _together(before: Rule, rule: Rule) -> Rule:
    return replace(
        before,
        expression=alternation((before.expression, rule.expression)),
        uses=before.uses + rule.uses,
        prose=before.prose + rule.prose,
    )
