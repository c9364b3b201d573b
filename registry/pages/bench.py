"""The bench: a rule for the names of a namespace, read, tried, and held against others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Self

from django.utils.translation import gettext as _, ngettext

from registry.grammar import (
    KINDS,
    Comparison,
    Effort,
    Grammar,
    GrammarSyntaxError,
    NotDecided,
    Scope,
    read,
)
from registry.pages.trial import Trial, trials, tried
from registry.template import Template
from registry.urn import Finding

SAMPLES: Final = 8
_TRYING: Final = 300_000
_DRAWING: Final = 100_000
_SEARCHING: Final = 300_000
_COMPARING: Final = 400_000
_DRAWN: Final = 200
_LONGEST_NID: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is brought to the bench: a rule, names to try, and a second rule to hold against it."""

    kind: str = "abnf"
    text: str = ""
    nid: str = ""
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    other_kind: str = "regex"
    other: str = ""

    @classmethod
    def typed(cls, values: Mapping[str, str]) -> Self:
        """Return what stands in a form whose fields are called as those of the template."""
        return cls(
            kind=values.get("grammar_kind", "abnf"),
            text=with_line_feeds(values.get("grammar", "")),
            nid=values.get("nid", "").strip()[:_LONGEST_NID],
            right=lines(values.get("examples", "")),
            wrong=lines(values.get("counter_examples", "")),
            other_kind=values.get("other_kind", "regex"),
            other=with_line_feeds(values.get("other", "")),
        )

    @classmethod
    def of(cls, template: Template, other_kind: str = "regex", other: str = "") -> Self:
        """Return what a template says of its names."""
        return cls(
            kind=template.grammar_kind,
            text=template.grammar,
            nid=template.nid,
            right=template.examples,
            wrong=template.counter_examples,
            other_kind=other_kind,
            other=with_line_feeds(other),
        )

    @property
    def is_blank(self) -> bool:
        """Whether there is no rule to try."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Misread:
    """Where a rule cannot be read: the words, how to mend it, and the line if it can be drawn."""

    error: GrammarSyntaxError
    line: str | None

    @property
    def position(self) -> int:
        """Where in the line the first character stands that cannot, counted from 0."""
        return self.error.column - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What came of trying.

    `beyond` is how many names were left untried. `outside` is a shortest name that RFC 8141
    would not have, None where there is none; `outside_undecided` says why nobody knows.
    """

    question: Question
    misread: Misread | None = None
    grammar: Grammar | None = None
    findings: tuple[Finding, ...] = ()
    trials: tuple[Trial, ...] = ()
    beyond: int = 0
    samples: tuple[str, ...] = ()
    outside: str | None = None
    outside_undecided: str = ""
    other_misread: Misread | None = None
    comparison: Comparison | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing is said about how the rule is written, or nothing can be tried by it."""
        return self.grammar is None and self.misread is None

    @property
    def disagreeing(self) -> int:
        """Of how many names the rule says other things than the people."""
        return sum(each.is_decided and not each.agrees for each in self.trials)

    @property
    def describes_whole_names(self) -> bool:
        """Whether the rule describes URNs in full, and not only their NSS."""
        return self.grammar is not None and self.grammar.scope is Scope.WHOLE

    @property
    def summary(self) -> str:
        """The result in a line, for those who hear it."""
        if self.misread:
            return self.misread.error.message
        if self.is_silent:
            return ""
        if self.disagreeing:
            return ngettext(
                "The rule is read. It says otherwise than you of %(count)d name.",
                "The rule is read. It says otherwise than you of %(count)d names.",
                self.disagreeing,
            ) % {"count": self.disagreeing}
        return _("The rule is read, and nothing you say of names speaks against it.")


def try_out(question: Question) -> Bench:
    """Read the rule and ask everything that the bench asks; each question has an end."""
    if question.kind not in KINDS or question.is_blank:
        return Bench(question=question)
    grammar = rule(question.text, question.kind, question.nid)
    if isinstance(grammar, Misread):
        return Bench(question=question, misread=grammar)
    right, wrong = tried(question.right), tried(question.wrong)
    outside, undecided = outsider(grammar)
    other = second(question)
    return Bench(
        question=question,
        grammar=grammar,
        findings=grammar.findings,
        trials=tuple(trials(grammar, right, wrong, Effort(_TRYING))),
        beyond=len(question.right) + len(question.wrong) - len(right) - len(wrong),
        samples=grammar.samples(SAMPLES, effort=Effort(_DRAWING)),
        outside=outside,
        outside_undecided=undecided,
        other_misread=other if isinstance(other, Misread) else None,
        comparison=grammar.compare(other, Effort(_COMPARING))
        if isinstance(other, Grammar)
        else None,
    )


def rule(text: str, kind: str, nid: str) -> Grammar | Misread:
    """Return the rule as it was read, or where it cannot be."""
    try:
        return read(text, kind, nid=nid if nid.isascii() else "")
    except GrammarSyntaxError as error:
        line = next(islice(text.split("\n"), error.line - 1, None), "")
        return Misread(error, line if len(line) <= _DRAWN else None)


def second(question: Question) -> Grammar | Misread | None:
    """Return the second rule, or where it cannot be read; nothing where there is none."""
    if question.other_kind not in KINDS or not question.other.strip():
        return None
    return rule(question.other, question.other_kind, question.nid)


def outsider(grammar: Grammar) -> tuple[str | None, str]:
    """Return a name that the rule takes and RFC 8141 does not, or why nobody knows."""
    try:
        return grammar.counter_example(Effort(_SEARCHING)), ""
    except NotDecided as reason:
        return None, str(reason)


def lines(text: str) -> tuple[str, ...]:
    """Return the names in `text`, one on each line."""
    return tuple(line for each in with_line_feeds(text).split("\n") if (line := each.strip()))


def with_line_feeds(text: str) -> str:
    """Return `text` with the line ends that browsers send as one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
