"""A rule for the names of a namespace read, tried on names, and compared with another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final, Self

from django.utils.translation import gettext as _, ngettext

from registry.grammar import (
    KINDS,
    LONGEST_NAME,
    Answer,
    Comparison,
    Effort,
    Grammar,
    GrammarSyntaxError,
    NotDecided,
    Scope,
    Verdict,
    read,
)
from registry.template import Template
from registry.urn import Finding, URNSyntaxError, parse

MAX_TRIAL_NAMES: Final = 100
"""So many names of each sort are tried at once."""
MAX_TRIAL_CHARACTERS: Final = 50_000
"""So many characters of names of each sort are tried at once."""
_MAX_NAME_SHOWN: Final = 60
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class NameTrial:
    """One name, whether it is said to be right, and the verdict of the rule.

    `problem` is what keeps the name from being a URN at all, empty where nothing does.
    """

    name: str
    is_right: bool
    verdict: Verdict
    problem: str = ""

    @property
    def fits(self) -> bool:
        """Whether the rule takes the name."""
        return self.verdict.answer is Answer.YES

    @property
    def is_decided(self) -> bool:
        """Whether the rule was tried to the end."""
        return self.verdict.answer is not Answer.NOT_DECIDED

    @property
    def agrees(self) -> bool:
        """Whether the rule says what the people say."""
        return self.is_decided and self.fits == self.is_right

    @property
    def before(self) -> str:
        """The name up to the character that cannot stand; its beginning may be cut off."""
        before = self.name if self.verdict.position is None else self.name[: self.verdict.position]
        if self.verdict.position is None:
            return (
                before
                if len(before) <= 2 * _MAX_NAME_SHOWN
                else before[: 2 * _MAX_NAME_SHOWN] + _ELLIPSIS
            )
        return before if len(before) <= _MAX_NAME_SHOWN else _ELLIPSIS + before[-_MAX_NAME_SHOWN:]

    @property
    def wrong(self) -> str:
        """The character that cannot stand; empty where there is none, or the name ends early."""
        at = self.verdict.position
        return "" if at is None else self.name[at : at + 1]

    @property
    def after(self) -> str:
        """What comes after that character; its end may be cut off."""
        if self.verdict.position is None:
            return ""
        after = self.name[self.verdict.position + 1 :]
        return after if len(after) <= _MAX_NAME_SHOWN else after[:_MAX_NAME_SHOWN] + _ELLIPSIS


def limit_trial_names(names: Sequence[str]) -> Sequence[str]:
    """Return those of `names` that are tried: the first ones, as many as there is time for."""
    lengths = accumulate(len(name) for name in names[:MAX_TRIAL_NAMES])
    return names[: sum(length <= MAX_TRIAL_CHARACTERS for length in lengths)]


def run_name_trials(
    grammar: Grammar, right: Iterable[str], wrong: Iterable[str], effort: Effort
) -> Iterator[NameTrial]:
    """Yield a trial of each name, those that are said to be right first."""
    for names, is_right in ((right, True), (wrong, False)):
        for name in names:
            yield NameTrial(
                name, is_right, judge_name(grammar, name, effort), describe_name_problem(name)
            )


def judge_name(grammar: Grammar, name: str, effort: Effort) -> Verdict:
    """Return what the rule says of `name`, components left out: no rule of a namespace has them."""
    return grammar.matches(name[: measure_name_length(name)], effort)


def measure_name_length(text: str) -> int:
    """Return where r-, q- and f-component of a URN begin; the whole length of any other text."""
    if len(text) > LONGEST_NAME:
        return len(text)
    try:
        urn = parse(text)
    except URNSyntaxError:
        return len(text)
    return len(f"urn:{urn.nid}:{urn.nss}")


def describe_name_problem(name: str) -> str:
    """Return what keeps a name in full from being a URN, else nothing."""
    if name[:4].lower() != "urn:" or len(name) > LONGEST_NAME:
        return ""
    try:
        parse(name)
    except URNSyntaxError as error:
        return error.message
    return ""


MAX_SAMPLE_NAMES: Final = 8
_TRIAL_EFFORT: Final = 300_000
_SAMPLING_EFFORT: Final = 100_000
_SEARCH_EFFORT: Final = 300_000
_COMPARISON_EFFORT: Final = 400_000
_MAX_DRAWN_LENGTH: Final = 200
_MAX_TYPED_NID_LENGTH: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarTrialInput:
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
            text=unify_posted_line_ends(values.get("grammar", "")),
            nid=values.get("nid", "").strip()[:_MAX_TYPED_NID_LENGTH],
            right=split_typed_names(values.get("examples", "")),
            wrong=split_typed_names(values.get("counter_examples", "")),
            other_kind=values.get("other_kind", "regex"),
            other=unify_posted_line_ends(values.get("other", "")),
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
            other=unify_posted_line_ends(other),
        )

    @property
    def is_blank(self) -> bool:
        """Whether there is no rule to try."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class UnreadableRule:
    """Where a rule cannot be read: the words, how to mend it, and the line if it can be drawn."""

    error: GrammarSyntaxError
    line: str | None

    @property
    def position(self) -> int:
        """Where in the line the first character stands that cannot, counted from 0."""
        return self.error.column - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarTrial:
    """What came of trying.

    `beyond` is how many names were left untried. `outside` is a shortest name that RFC 8141
    would not have, None where there is none; `outside_undecided` says why nobody knows.
    """

    question: GrammarTrialInput
    misread: UnreadableRule | None = None
    grammar: Grammar | None = None
    findings: tuple[Finding, ...] = ()
    trials: tuple[NameTrial, ...] = ()
    beyond: int = 0
    samples: tuple[str, ...] = ()
    outside: str | None = None
    outside_undecided: str = ""
    other_misread: UnreadableRule | None = None
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


def run_grammar_trial(question: GrammarTrialInput) -> GrammarTrial:
    """Read the rule and ask everything that the bench asks; each question has an end."""
    if question.kind not in KINDS or question.is_blank:
        return GrammarTrial(question=question)
    grammar = read_trial_rule(question.text, question.kind, question.nid)
    if isinstance(grammar, UnreadableRule):
        return GrammarTrial(question=question, misread=grammar)
    right, wrong = limit_trial_names(question.right), limit_trial_names(question.wrong)
    outside, undecided = find_name_beyond_rfc(grammar)
    other = read_second_rule(question)
    return GrammarTrial(
        question=question,
        grammar=grammar,
        findings=grammar.findings,
        trials=tuple(run_name_trials(grammar, right, wrong, Effort(_TRIAL_EFFORT))),
        beyond=len(question.right) + len(question.wrong) - len(right) - len(wrong),
        samples=grammar.samples(MAX_SAMPLE_NAMES, effort=Effort(_SAMPLING_EFFORT)),
        outside=outside,
        outside_undecided=undecided,
        other_misread=other if isinstance(other, UnreadableRule) else None,
        comparison=grammar.compare(other, Effort(_COMPARISON_EFFORT))
        if isinstance(other, Grammar)
        else None,
    )


def read_trial_rule(text: str, kind: str, nid: str) -> Grammar | UnreadableRule:
    """Return the rule as it was read, or where it cannot be."""
    try:
        return read(text, kind, nid=nid if nid.isascii() else "")
    except GrammarSyntaxError as error:
        line = next(islice(text.split("\n"), error.line - 1, None), "")
        return UnreadableRule(error, line if len(line) <= _MAX_DRAWN_LENGTH else None)


def read_second_rule(question: GrammarTrialInput) -> Grammar | UnreadableRule | None:
    """Return the second rule, or where it cannot be read; nothing where there is none."""
    if question.other_kind not in KINDS or not question.other.strip():
        return None
    return read_trial_rule(question.other, question.other_kind, question.nid)


def find_name_beyond_rfc(grammar: Grammar) -> tuple[str | None, str]:
    """Return a name that the rule takes and RFC 8141 does not, or why nobody knows."""
    try:
        return grammar.counter_example(Effort(_SEARCH_EFFORT)), ""
    except NotDecided as reason:
        return None, str(reason)


def split_typed_names(text: str) -> tuple[str, ...]:
    """Return the names in `text`, one on each line."""
    return tuple(
        line for each in unify_posted_line_ends(text).split("\n") if (line := each.strip())
    )


def unify_posted_line_ends(text: str) -> str:
    """Return `text` with the line ends that browsers send as one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
