"""The rules of one grammar by name, and those it may use because others have defined them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType
from typing import Final

from registry.grammar import abnf
from registry.grammar.expression import Rule, make_alternation

# The core rules of RFC 5234 (appendix B.1) belong to ABNF itself. Those of RFC 3986 (appendix A)
# and RFC 8141 (section 2) are what namespaces' grammars build on, mostly saying so in prose.

CORE_RULES: Final = "RFC 5234, appendix B.1"
_URI: Final = "RFC 3986, appendix A"
_URN: Final = "RFC 8141, section 2"

_TEXTS: Final[dict[str, dict[str, str]]] = {
    CORE_RULES: {
        "ALPHA": "%x41-5A / %x61-7A",
        "BIT": '"0" / "1"',
        "CHAR": "%x01-7F",
        "CR": "%x0D",
        "CRLF": "CR LF",
        "CTL": "%x00-1F / %x7F",
        "DIGIT": "%x30-39",
        "DQUOTE": "%x22",
        "HEXDIG": 'DIGIT / "A" / "B" / "C" / "D" / "E" / "F"',
        "HTAB": "%x09",
        "LF": "%x0A",
        "LWSP": "*(WSP / CRLF WSP)",
        "OCTET": "%x00-FF",
        "SP": "%x20",
        "VCHAR": "%x21-7E",
        "WSP": "SP / HTAB",
    },
    _URI: {
        "alphanum": "ALPHA / DIGIT",
        "unreserved": 'ALPHA / DIGIT / "-" / "." / "_" / "~"',
        "gen-delims": '":" / "/" / "?" / "#" / "[" / "]" / "@"',
        "sub-delims": '"!" / "$" / "&" / "\'" / "(" / ")" / "*" / "+" / "," / ";" / "="',
        "reserved": "gen-delims / sub-delims",
        "pct-encoded": '"%" HEXDIG HEXDIG',
        "pchar": 'unreserved / pct-encoded / sub-delims / ":" / "@"',
        "segment": "*pchar",
        "segment-nz": "1*pchar",
        "fragment": '*( pchar / "/" / "?" )',
    },
    _URN: {
        "namestring": 'assigned-name [ rq-components ] [ "#" f-component ]',
        "assigned-name": '"urn" ":" NID ":" NSS',
        "NID": "(alphanum) 0*30(ldh) (alphanum)",
        "ldh": 'alphanum / "-"',
        "NSS": 'pchar *(pchar / "/")',
        "rq-components": '[ "?+" r-component ] [ "?=" q-component ]',
        "r-component": 'pchar *( pchar / "/" / "?" )',
        "q-component": 'pchar *( pchar / "/" / "?" )',
        "f-component": "fragment",
    },
}
_KNOWN_RULES: Final = {
    name.lower(): (source, name, text)
    for source, rules in _TEXTS.items()
    for name, text in rules.items()
}
# A namespace that redefines these says what its own are, and contradicts nobody.
_MEANT_TO_DIFFER: Final = frozenset(map(str.lower, [*_TEXTS[_URN], "segment", "fragment"]))


def find_known_source(name: str) -> str:
    """Where the known rule `name` is defined; empty for any other."""
    return _KNOWN_RULES[name.lower()][0] if name.lower() in _KNOWN_RULES else ""


def is_fixed_rule(name: str) -> bool:
    """Whether `name` means the same wherever it is used."""
    return name.lower() in _KNOWN_RULES and name.lower() not in _MEANT_TO_DIFFER


def find_known_rule(name: str) -> Rule | None:
    """The known rule `name`, ignoring case; `None` for any other name."""
    return _read_known_rule(name.lower()) if name.lower() in _KNOWN_RULES else None


@cache
def _read_known_rule(name: str) -> Rule:
    _, written, text = _KNOWN_RULES[name]
    return abnf.parse_rules(f"{written} = {text}")[0]


class RuleSet:
    """Rules after additions by "=/" (RFC 5234, section 3.3).

    `own` has those of the grammar by their names in lower case, in order; what it does not define
    is looked up among the known rules. `replaced` are definitions that later ones of the same name
    replace, `orphans` those that add to a missing rule. `chosen` is the rule that somebody chose to
    describe a name, empty if nobody did.
    """

    def __init__(self, written: Iterable[Rule] = (), chosen: str = "") -> None:
        self.chosen = chosen.lower()
        own: dict[str, Rule] = {}
        self.replaced: list[tuple[Rule, Rule]] = []
        self.orphans: list[Rule] = []
        for rule in written:
            before = own.get(rule.name.lower())
            if before is not None and rule.adds:
                rule = _combine_rules(before, rule)
            elif before is not None:
                self.replaced.append((before, rule))
            elif rule.adds:
                self.orphans.append(rule)
            own[rule.name.lower()] = rule
        self.own: Mapping[str, Rule] = MappingProxyType(own)

    def find(self, name: str) -> Rule | None:
        """The rule `name`, of the grammar or a known one."""
        return self.own.get(name.lower()) or find_known_rule(name)

    def is_own(self, name: str) -> bool:
        """Whether the grammar itself defines `name`, and not as a rule that everyone knows."""
        return name.lower() in self.own and not is_fixed_rule(name)

    @property
    def start(self) -> Rule | None:
        """The rule that describes a name: the chosen one, else the first, by convention.

        Rules that everyone knows are skipped, and if there is a rule called NSS, so are rules that
        do not lead to it.
        """
        if self.chosen in self.own:
            return self.own[self.chosen]
        first = next(filter(self.is_own, self.own), None) or next(iter(self.own), None)
        if first is None:
            return None
        return self.own["nss" if "nss" in self.own.keys() - self.reached(first) else first]

    def reached(self, name: str) -> set[str]:
        """The rule `name` and all that it leads to, in lower case, including undefined ones."""
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


def _combine_rules(before: Rule, rule: Rule) -> Rule:
    return replace(
        before,
        expression=make_alternation((before.expression, rule.expression)),
        uses=before.uses + rule.uses,
        prose=before.prose + rule.prose,
    )
