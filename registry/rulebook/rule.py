"""A rule for the names of one namespace, and what can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from registry import grammar
from registry.grammar import Answer, Grammar
from registry.rulebook import comparing, telling
from registry.rulebook.answers import Equivalence, Outcome, Part, Ruling
from registry.rulebook.asked import Asked
from registry.rulebook.digits import wrong
from registry.rulebook.explaining import EXPLAINED
from registry.rulebook.preferring import preferred
from registry.urn import URN, URNSyntaxError, parse


@dataclass(frozen=True, slots=True)
class Practice:
    """Names that people write against the document: a grammar, and the caution to give them.

    It does not speak of NSSs that begin with one of `not_for`.
    """

    grammar: str
    caution: str
    examples: tuple[str, ...]
    not_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What a document of record says of the names of the namespace `nid`.

    `grammar` describes the NSS and is of the given `kind`; `left_open` says what it does not look
    at. `check_digits`, `merges`, `preferred_form` and `explained_by` name what is done beyond
    it, and are empty where there is nothing. Examples are NSSs.
    """

    nid: str
    document: str
    grammar: str
    examples: tuple[str, ...]
    counter_examples: tuple[str, ...]
    kind: Literal["abnf", "regex"] = "abnf"
    left_open: str = ""
    check_digits: str = ""
    merges: tuple[str, ...] = ()
    preferred_form: tuple[str, ...] = ()
    explained_by: str = ""
    practices: tuple[Practice, ...] = ()

    def read_grammar(self) -> Grammar:
        """The grammar, ready to be tried; it is read once."""
        return _read(self.grammar, self.kind, self.nid)

    def check(self, name: URN | str) -> Ruling:
        """Whether `name`, a whole URN or an NSS, follows this rule.

        Components behind the NSS are not looked at. A text beginning with "urn:" is a whole URN.
        """
        try:
            asked = Asked.of(name)
        except URNSyntaxError as error:
            return Ruling(Outcome.AGAINST, "rulebook.urn", str(error), error.rule, error.position)
        if asked.nid and asked.nid.lower() != self.nid:
            return telling.other_namespace(asked, self.nid)
        verdict = self.read_grammar().matches(asked.nss)
        if verdict.answer is Answer.YES:
            return self._settle(asked, "")
        if verdict.answer is Answer.NOT_DECIDED:
            return telling.not_decided(asked, verdict, self.document)
        caution = self._caution(asked.nss)
        if caution:
            return self._settle(asked, caution)
        return telling.not_matched(asked, verdict, self.nid, self.document)

    def are_equivalent(self, first: URN | str, second: URN | str) -> Equivalence:
        """Whether two names are the same: by RFC 8141, section 3.1, or what the namespace adds.

        What the namespace adds only merges, and only names that are not against the rule. Raises
        `URNSyntaxError` where one of the names is no URN, nor an NSS.
        """
        one, other = self._as_urn(first), self._as_urn(second)
        ours = all(self.check(urn).outcome is not Outcome.AGAINST for urn in (one, other))
        return comparing.compare(one, other, self.merges if ours else None, self.document)

    def _settle(self, asked: Asked, caution: str) -> Ruling:
        """The ruling on a name that has the right form, or with a `caution` a usual one."""
        mistake = wrong(self.check_digits, asked.nss) if self.check_digits else None
        if mistake:
            return telling.wrong_digits(asked, mistake, self.nid, self.document)
        form = preferred(self.preferred_form, asked.nss) if self.preferred_form else ""
        return telling.settled(
            asked,
            caution,
            self.document,
            preferred=form and f"urn:{self.nid}:{form}",
            parts=self._parts(asked.nss),
            nid=self.nid,
        )

    def _caution(self, nss: str) -> str:
        for practice in self.practices:
            if nss.lower().startswith(practice.not_for):
                continue
            if _read(practice.grammar, "abnf", self.nid).matches(nss).answer is Answer.YES:
                return practice.caution
        return ""

    def _parts(self, nss: str) -> tuple[Part, ...]:
        return tuple(EXPLAINED[self.explained_by](nss)) if self.explained_by else ()

    def _as_urn(self, name: URN | str) -> URN:
        if isinstance(name, URN):
            return name
        return parse(name if name[:4].lower() == "urn:" else f"urn:{self.nid}:{name}")


@cache
def _read(text: str, kind: str, nid: str) -> Grammar:
    return grammar.read(text, kind, nid=nid)
