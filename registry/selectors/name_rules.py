"""The rule that the names of a namespace are measured by: the one registered here, or one held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol, Self

from django.db.models import Exists, OuterRef

from registry.grammar import KINDS, Answer, Grammar, GrammarSyntaxError, Verdict, read
from registry.models import Namespace, Registration
from registry.namespace_rules import (
    NamespaceRule,
    Outcome,
    Ruling,
    find_namespace_rule as rule_of,
)
from registry.namespace_rules.spellings import describe_merges
from registry.urn import URN
from registry.urn.characters import quote_excerpt

_CACHED_GRAMMARS: Final = 64


class NameRule(Protocol):
    """A rule for the names of one namespace, wherever it comes from."""

    @property
    def document(self) -> str:
        """The document of record, to be cited."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Names that follow it, in full or as NSSs."""

    @property
    def left_open(self) -> str:
        """What it does not look at, empty where nothing is known to be left open."""

    @property
    def merges(self) -> tuple[str, ...]:
        """The equivalences it declares beyond RFC 8141, section 3.1."""

    def check(self, name: URN, /) -> Ruling:
        """Whether a URN of the namespace follows it."""


@dataclass(frozen=True, slots=True)
class RegisteredRule:
    """The grammar in the registration of a namespace, in the version in force."""

    nid: str
    document: str
    examples: tuple[str, ...]
    grammar: Grammar
    left_open: str = ""
    merges: tuple[str, ...] = ()

    @classmethod
    def of(cls, registration: Registration, nid: str) -> Self | None:
        """Take the grammar of `registration`; none where it has none, or none that can be read."""
        kind = registration.grammar_kind
        if kind not in KINDS or not registration.grammar.strip():
            return None
        try:
            grammar = _read_grammar(registration.grammar, kind, nid)
        except GrammarSyntaxError:
            return None
        document = f"Registration of {nid}, version {registration.number}"
        return cls(nid, document, tuple(registration.examples), grammar)

    def check(self, name: URN, /) -> Ruling:
        """Whether a URN of this namespace fits the grammar; components are not looked at."""
        verdict = self.grammar.matches(f"urn:{self.nid}:{name.nss}")
        outcome, check, message = _describe_verdict(verdict, name, self.nid)
        return Ruling(outcome, check, message, self.document, verdict.position)


@lru_cache(maxsize=_CACHED_GRAMMARS)
def _read_grammar(text: str, kind: str, nid: str) -> Grammar:
    return read(text, kind, nid=nid)


def _describe_verdict(verdict: Verdict, name: URN, nid: str) -> tuple[Outcome, str, str]:
    shown = quote_excerpt(name.text)
    if verdict.answer is Answer.YES:
        return Outcome.FOLLOWS, "rulebook.follows", f"{shown} follows the rule of “{nid}”."
    if verdict.answer is Answer.NO:
        message = f"{shown} is no name of “{nid}”. {verdict.message}"
        return Outcome.AGAINST, "rulebook.grammar", message
    message = f"We do not decide about {shown}. {verdict.reason}".rstrip()
    return Outcome.NOT_DECIDED, "rulebook.not-decided", message


def find_name_rule(nid: str, registration: Registration | None) -> NameRule | None:
    """Return the rule for names of `nid`: that of the version in force before one we ship.

    `registration` is that version, none where its text is not held here.
    """
    own = RegisteredRule.of(registration, nid) if registration else None
    return own or rule_of(nid)


def find_rule_of_namespace(namespace: Namespace) -> NameRule | None:
    """Return the rule for names of a registered namespace, looking up its version in force."""
    return find_name_rule(namespace.nid, namespace.current)


def map_versions_in_force() -> dict[str, Registration]:
    """Return the versions in force by the NIDs of their namespaces, in one query."""
    later = Registration.objects.filter(
        namespace=OuterRef("namespace"), number__gt=OuterRef("number")
    )
    in_force = Registration.objects.filter(~Exists(later)).select_related("namespace")
    return {each.namespace.nid: each for each in in_force}


def strip_explanations(rule: NameRule | None) -> NameRule | None:
    """Return a rule that decides alike and explains nothing, for names by the thousand."""
    if isinstance(rule, NamespaceRule):
        return replace(rule, explained_by="", preferred_form=())
    return rule


def describe_rule_merges(rule: NameRule) -> str:
    """Return what a rule does not count when names are compared, empty where it counts all."""
    return describe_merges(rule.merges) if rule.merges else ""
