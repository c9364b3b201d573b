"""What names of a namespace are checked and compared by: published here, shipped, or imported."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol, Self

from django.db.models import Exists, OuterRef, Q

from registry.grammar import (
    KINDS,
    Answer,
    EquivalenceSyntaxError,
    Grammar,
    GrammarSyntaxError,
    Verdict,
    parse_equivalence,
    read,
)
from registry.models import Namespace, Registration
from registry.namespace_rules import (
    NameEquivalence,
    NamespaceRule,
    Outcome,
    Ruling,
    answer_failures,
    find_namespace_rule as rule_of,
    list_ruled_nids,
)
from registry.namespace_rules.rules import compare_names
from registry.namespace_rules.spellings import describe_merges, merge_spellings
from registry.selectors.imported_records import ImportedTemplate, find_imported_template
from registry.template import Template
from registry.urn import URN
from registry.urn.characters import quote_excerpt
from registry.urn.equivalence import fold_percent_octets

_CACHED_GRAMMARS: Final = 64


class NameRule(Protocol):
    """A rule for the names of one namespace, wherever it comes from."""

    @property
    def document(self) -> str:
        """The document of record, for citing."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Names that follow it, in full or as NSSs."""

    @property
    def left_open(self) -> str:
        """What it does not check, empty if nothing is known to be unchecked."""

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

    @classmethod
    def of(cls, registration: Registration, nid: str) -> Self | None:
        """Return the rule of `registration`; None if it has no readable grammar."""
        return cls.read(registration.template, nid, cite_registration(registration, nid))

    @classmethod
    def of_imported(cls, imported: ImportedTemplate, nid: str) -> Self | None:
        """Return the rule found in a document of record.

        A program found it there: unless the document's own examples match it, nobody is told that
        their name breaks it.
        """
        own = cls.read(imported.template, nid, imported.rule_document)
        is_sound = own and all(
            own.grammar.matches(each).answer is not Answer.NO for each in own.examples
        )
        return own if is_sound else None

    @classmethod
    def read(cls, template: Template, nid: str, document: str) -> Self | None:
        """Return the grammar that comes with a text; None if there is no readable one."""
        grammar = read_template_grammar(template, nid)
        return cls(nid, document, template.examples, grammar) if grammar else None

    @answer_failures
    def check(self, name: URN, /) -> Ruling:
        """Whether a URN of this namespace matches the grammar; components are not checked."""
        verdict = self.grammar.matches(f"urn:{self.nid}:{name.nss}")
        outcome, check, message = _describe_verdict(verdict, name, self.nid)
        return Ruling(outcome, check, message, self.document, verdict.position)


def cite_registration(registration: Registration, nid: str) -> str:
    """Return how a version is cited if it decides about a name."""
    return f"Registration of {nid}, version {registration.number}"


def read_template_grammar(template: Template, nid: str) -> Grammar | None:
    """Return the grammar that comes with a text; None if there is no readable one."""
    return read_grammar_columns(
        template.grammar, template.grammar_kind, nid, template.grammar_start
    )


def read_grammar_columns(text: str, kind: str, nid: str, start: str) -> Grammar | None:
    """Return the grammar in the columns of a version; None as in `read_template_grammar`."""
    if kind not in KINDS or not text.strip():
        return None
    try:
        return _read_grammar(text, kind, nid, start)
    except GrammarSyntaxError:
        return None


@lru_cache(maxsize=_CACHED_GRAMMARS)
def _read_grammar(text: str, kind: str, nid: str, start: str) -> Grammar:
    return read(text, kind, nid=nid, start=start)


def _describe_verdict(verdict: Verdict, name: URN, nid: str) -> tuple[Outcome, str, str]:
    shown = quote_excerpt(name.text)
    if verdict.answer is Answer.YES:
        return Outcome.FOLLOWS, "rulebook.follows", f"{shown} follows the rule of “{nid}”."
    if verdict.answer is Answer.NO:
        message = f"{shown} is no name of “{nid}”. {verdict.message}"
        return Outcome.AGAINST, "rulebook.grammar", message
    message = f"We do not decide about {shown}. {verdict.reason}".rstrip()
    return Outcome.NOT_DECIDED, "rulebook.not-decided", message


def find_name_rule(
    nid: str, registration: Registration | None, imported: ImportedTemplate | None = None
) -> NameRule | None:
    """Return the rule for names of `nid`: that of the version in force, a shipped or an imported
    one.

    `registration` is that version, None if we do not have its text; `imported` is what the
    namespace's documents of record say.
    """
    own = RegisteredRule.of(registration, nid) if registration else None
    rule = own or rule_of(nid)
    if rule or registration or imported is None:
        return rule
    return RegisteredRule.of_imported(imported, nid)


def find_rule_of_namespace(namespace: Namespace) -> NameRule | None:
    """Return the rule for names of a registered namespace, looking up its texts."""
    current = namespace.current
    rule = find_name_rule(namespace.nid, current)
    if rule or current:
        return rule
    return find_name_rule(namespace.nid, None, find_imported_template(namespace))


def find_rule_of_nid(nid: str) -> NameRule | None:
    """Return the rule for names of `nid`, in lower case; None if it is not registered."""
    namespace = Namespace.objects.filter(nid=nid).first()
    return find_rule_of_namespace(namespace) if namespace else None


def map_versions_in_force(nids: Collection[str] | None = None) -> dict[str, Registration]:
    """Return the versions in force by the NIDs of their namespaces, of `nids` or all; one query."""
    later = Registration.objects.filter(
        namespace=OuterRef("namespace"), number__gt=OuterRef("number")
    )
    in_force = Registration.objects.filter(~Exists(later)).select_related("namespace")
    if nids is not None:
        in_force = in_force.filter(namespace__nid__in=nids)
    return {each.namespace.nid: each for each in in_force}


def q_has_rule() -> Q:
    """Return the condition that names of a namespace are checked: by its own grammar, or ours."""
    later = Registration.objects.filter(
        namespace=OuterRef("namespace"), number__gt=OuterRef("number")
    )
    own = Registration.objects.filter(
        ~Exists(later), namespace=OuterRef("pk"), grammar_kind__in=KINDS
    ).exclude(grammar="")
    return Q(nid__in=list_ruled_nids()) | Q(Exists(own))


def strip_explanations(rule: NameRule | None) -> NameRule | None:
    """Return a rule that decides the same but explains nothing, for thousands of names."""
    if isinstance(rule, NamespaceRule):
        return replace(rule, explained_by="", preferred_form=())
    return rule


@dataclass(frozen=True, slots=True)
class NamespaceEquivalence:
    """When two names of a namespace are the same beyond RFC 8141, section 3.1, and who says so.

    `merges` are the statements, empty if the namespace says that it adds nothing. `document` is
    cited if they decide; `is_declared` says that it is a registration published here. `rule` is
    what names are checked by, since the statements are only about names that follow it, and
    `grammar` has the parts that they name.
    """

    nid: str
    document: str
    merges: tuple[str, ...] = ()
    is_declared: bool = False
    rule: NameRule | None = None
    grammar: Grammar | None = None

    @property
    def words(self) -> str:
        """What is ignored in comparing names, empty if nothing is."""
        return describe_merges(self.merges) if self.merges else ""

    @property
    def digest(self) -> str:
        """A digest of what is declared and by whom, which identifies the keys made with it."""
        if not self.merges:
            return ""
        return hashlib.sha256("\n".join((self.document, *self.merges)).encode()).hexdigest()

    def find_merged(self, nss: str) -> str:
        """Return the one spelling of all NSSs, or beginnings of one, that are the same.

        The percent-encoded octets of `nss` have been folded as section 3.1 requires.
        """
        return merge_spellings(self.merges, nss, self.grammar)

    def find_compared_name(self, urn: URN) -> str:
        """Return the NSS of `urn` as it is compared; if it breaks the rule, as in section 3.1.

        Names that are the same have the same result, and no others.
        """
        folded = fold_percent_octets(urn.nss)
        return self.find_merged(folded) if self.merges and self._is_covered(urn) else folded

    def compare(self, first: URN, second: URN) -> NameEquivalence:
        """Compare two names of the namespace: by section 3.1, then by what is declared."""
        ours = self._is_covered(first) and self._is_covered(second)
        merges = self.merges if ours else None
        return compare_names(first, second, merges, self.document, self.grammar)

    def _is_covered(self, urn: URN) -> bool:
        return self.rule is None or self.rule.check(urn).outcome is not Outcome.AGAINST


def find_equivalence(nid: str, registration: Registration | None) -> NamespaceEquivalence | None:
    """Return when two names of `nid` are the same, by the version in force or a rule we hold.

    `registration` is that version, None if we do not have its text. None if nothing is declared and
    no rule is held: then only the Syntax section knows.
    """
    rule = find_name_rule(nid, registration)
    if registration:
        try:
            declared = parse_equivalence(registration.equivalence)
        except EquivalenceSyntaxError:
            declared = None
        if declared is not None:
            return NamespaceEquivalence(
                nid,
                cite_registration(registration, nid),
                tuple(map(str, declared.statements)),
                is_declared=True,
                rule=rule,
                grammar=read_template_grammar(registration.template, nid),
            )
    held = rule_of(nid)
    if held is None:
        return None
    document = held.comparison or held.document
    return NamespaceEquivalence(
        nid, document, held.merges, rule=strip_explanations(rule), grammar=held.read_grammar()
    )


def find_equivalence_of_namespace(namespace: Namespace) -> NamespaceEquivalence | None:
    """Return when two names of a registered namespace are the same, by its version in force."""
    return find_equivalence(namespace.nid, namespace.current)


def find_equivalences(nids: Iterable[str]) -> dict[str, NamespaceEquivalence | None]:
    """Return when two names are the same for each of `nids`, in one query."""
    wanted = set(nids)
    versions = map_versions_in_force(wanted)
    return {nid: find_equivalence(nid, versions.get(nid)) for nid in wanted}
