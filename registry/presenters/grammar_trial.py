"""A rule for the names of a namespace: read, tried on names, and compared with another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final, Self

from django.utils.translation import gettext as _, ngettext

from registry.forms.equivalence import read_equivalence_inputs
from registry.grammar import (
    KINDS,
    LONGEST_NAME,
    Answer,
    Comparison,
    DeclaredEquivalence,
    Effort,
    EquivalenceSyntaxError,
    Grammar,
    GrammarSyntaxError,
    NotDecided,
    Scope,
    Verdict,
    parse_equivalence,
    read,
)
from registry.template import Template
from registry.urn import Finding, URNSyntaxError, parse
from registry.urn.equivalence import fold_percent_octets

MAX_TRIAL_NAMES: Final = 100
"""How many names of each kind are tried at once."""
MAX_TRIAL_CHARACTERS: Final = 50_000
"""How many characters of names of each kind are tried at once."""
_MAX_NAME_SHOWN: Final = 60
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class NameTrial:
    """One name, whether people say that it is valid, and the verdict of the rule.

    `problem` is why the name is not a URN at all, empty if it is one.
    """

    name: str
    is_right: bool
    verdict: Verdict
    problem: str = ""

    @property
    def fits(self) -> bool:
        """Whether the rule accepts the name."""
        return self.verdict.answer is Answer.YES

    @property
    def is_decided(self) -> bool:
        """Whether the rule was tried to the end."""
        return self.verdict.answer is not Answer.NOT_DECIDED

    @property
    def agrees(self) -> bool:
        """Whether the rule agrees with the people."""
        return self.is_decided and self.fits == self.is_right

    @property
    def before(self) -> str:
        """The name up to the invalid character; its beginning may be cut off."""
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
        """The invalid character; empty if there is none, or the name ends too early."""
        at = self.verdict.position
        return "" if at is None else self.name[at : at + 1]

    @property
    def after(self) -> str:
        """What follows that character; its end may be cut off."""
        if self.verdict.position is None:
            return ""
        after = self.name[self.verdict.position + 1 :]
        return after if len(after) <= _MAX_NAME_SHOWN else after[:_MAX_NAME_SHOWN] + _ELLIPSIS


@dataclass(frozen=True, slots=True)
class SameNames:
    """A name, and other spellings of it that are declared to be the same name."""

    name: str
    others: tuple[str, ...]


MAX_NAMES_VARIED: Final = 5
_FIRST_NUMBER: Final = re.compile(r"(?<![0-9A-Za-z%])(?=[0-9])")


def find_same_names(question: GrammarTrialInput, grammar: Grammar) -> tuple[SameNames, ...]:
    """Return names said to be valid, each with spellings that are declared the same."""
    try:
        declared = parse_equivalence(question.equivalence)
    except EquivalenceSyntaxError:
        return ()
    if declared is None:
        return ()
    found = []
    for name in question.right[:MAX_NAMES_VARIED]:
        try:
            urn = parse(name)
        except URNSyntaxError:
            continue
        begins = name[: len("urn::") + len(urn.nid)]
        others = [
            nss
            for nss in dict.fromkeys(vary_spelling(declared, grammar, urn.nss))
            if nss != urn.nss and are_same_names(declared, grammar, nss, urn.nss)
        ]
        if others:
            found.append(SameNames(name, tuple(f"{begins}{nss}" for nss in others)))
    return tuple(found)


def vary_spelling(declared: DeclaredEquivalence, grammar: Grammar, nss: str) -> Iterator[str]:
    """Yield other spellings of `nss`, some of which may be the same name."""
    yield nss.swapcase()
    if declared.parts:
        try:
            inside = grammar.find_parts(nss, declared.parts)
        except NotDecided:
            inside = [False] * len(nss)
        spelled = zip(nss, inside, strict=True)
        yield "".join(char.swapcase() if swapped else char for char, swapped in spelled)
    yield nss.replace("-", "")
    yield nss.replace("%20", "")
    yield _FIRST_NUMBER.sub("0", nss, count=1)
    for each in declared.statements:
        for one, other in (each.prefixes, each.prefixes[::-1]):
            if one and nss.startswith(one):
                yield other + nss[len(one) :]


def are_same_names(
    declared: DeclaredEquivalence, grammar: Grammar, first: str, second: str
) -> bool:
    """Whether two NSSs are the same name by the declaration."""
    one, other = (
        declared.find_merged(fold_percent_octets(nss), grammar) for nss in (first, second)
    )
    return one == other


def limit_trial_names(names: Sequence[str]) -> Sequence[str]:
    """Return those of `names` that are tried: the first ones, as many as there is time for."""
    lengths = accumulate(len(name) for name in names[:MAX_TRIAL_NAMES])
    return names[: sum(length <= MAX_TRIAL_CHARACTERS for length in lengths)]


def run_name_trials(
    grammar: Grammar, right: Iterable[str], wrong: Iterable[str], effort: Effort
) -> Iterator[NameTrial]:
    """Yield a trial of each name, first those said to be valid."""
    for names, is_right in ((right, True), (wrong, False)):
        for name in names:
            yield NameTrial(
                name, is_right, judge_name(grammar, name, effort), describe_name_problem(name)
            )


def judge_name(grammar: Grammar, name: str, effort: Effort) -> Verdict:
    """Return the rule's verdict on `name`, without components, which no namespace's rule covers."""
    return grammar.matches(name[: measure_name_length(name)], effort)


def measure_name_length(text: str) -> int:
    """Return where the components of a URN begin; the whole length of any other text."""
    if len(text) > LONGEST_NAME:
        return len(text)
    try:
        urn = parse(text)
    except URNSyntaxError:
        return len(text)
    return len(f"urn:{urn.nid}:{urn.nss}")


def describe_name_problem(name: str) -> str:
    """Return why a full name is not a URN, or nothing."""
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
    """The input of the trial page: a rule, names to try, and a second rule to compare."""

    kind: str = "abnf"
    text: str = ""
    nid: str = ""
    start: str = ""
    equivalence: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    other_kind: str = "regex"
    other: str = ""

    @classmethod
    def typed(cls, values: Mapping[str, str]) -> Self:
        """Return the input of a form whose fields are named like the template's."""
        return cls(
            kind=values.get("grammar_kind", "abnf"),
            text=unify_posted_line_ends(values.get("grammar", "")),
            nid=values.get("nid", "").strip()[:_MAX_TYPED_NID_LENGTH],
            start=values.get("grammar_start", "").strip(),
            equivalence=split_typed_names(read_equivalence_inputs(values, "equivalence")),
            right=split_typed_names(values.get("examples", "")),
            wrong=split_typed_names(values.get("counter_examples", "")),
            other_kind=values.get("other_kind", "regex"),
            other=unify_posted_line_ends(values.get("other", "")),
        )

    @classmethod
    def of(cls, template: Template, other_kind: str = "regex", other: str = "") -> Self:
        """Return what a template says about its names."""
        return cls(
            kind=template.grammar_kind,
            text=template.grammar,
            nid=template.nid,
            start=template.grammar_start,
            equivalence=template.equivalence,
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
    """Where a rule cannot be read: the message, how to fix it, and the line if it can be drawn."""

    error: GrammarSyntaxError
    line: str | None

    @property
    def position(self) -> int:
        """The position in the line of the first invalid character, counted from 0."""
        return self.error.column - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarTrial:
    """The result of a trial.

    `beyond` is how many names were not tried. `outside` is a shortest name that RFC 8141 would
    reject, None if there is none; `outside_undecided` says why this is unknown.
    """

    question: GrammarTrialInput
    misread: UnreadableRule | None = None
    grammar: Grammar | None = None
    findings: tuple[Finding, ...] = ()
    trials: tuple[NameTrial, ...] = ()
    beyond: int = 0
    samples: tuple[str, ...] = ()
    same: tuple[SameNames, ...] = ()
    outside: str | None = None
    outside_undecided: str = ""
    other_misread: UnreadableRule | None = None
    comparison: Comparison | None = None

    @property
    def is_silent(self) -> bool:
        """Whether there is no remark on how the rule is written, or it cannot be tried."""
        return self.grammar is None and self.misread is None

    @property
    def disagreeing(self) -> int:
        """For how many names the rule disagrees with the people."""
        return sum(each.is_decided and not each.agrees for each in self.trials)

    @property
    def describes_whole_names(self) -> bool:
        """Whether the rule describes full URNs, not only their NSS."""
        return self.grammar is not None and self.grammar.scope is Scope.WHOLE

    @property
    def summary(self) -> str:
        """The result in one line, for screen readers."""
        if self.misread:
            return self.misread.error.message
        if self.is_silent:
            return ""
        if self.disagreeing:
            return ngettext(
                "The rule was understood. It disagrees with you about %(count)d name.",
                "The rule was understood. It disagrees with you about %(count)d names.",
                self.disagreeing,
            ) % {"count": self.disagreeing}
        return _("The rule was understood, and it agrees with all your examples.")


def run_grammar_trial(question: GrammarTrialInput) -> GrammarTrial:
    """Read the rule and run all checks of the trial page, each of which is bounded."""
    if question.kind not in KINDS or question.is_blank:
        return GrammarTrial(question=question)
    grammar = read_trial_rule(question.text, question.kind, question.nid, question.start)
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
        same=find_same_names(question, grammar),
        outside=outside,
        outside_undecided=undecided,
        other_misread=other if isinstance(other, UnreadableRule) else None,
        comparison=grammar.compare(other, Effort(_COMPARISON_EFFORT))
        if isinstance(other, Grammar)
        else None,
    )


def read_trial_rule(text: str, kind: str, nid: str, start: str = "") -> Grammar | UnreadableRule:
    """Return the rule, or where it cannot be read; `start` describes a name."""
    try:
        return read(text, kind, nid=nid if nid.isascii() else "", start=start)
    except GrammarSyntaxError as error:
        line = next(islice(text.split("\n"), error.line - 1, None), "")
        return UnreadableRule(error, line if len(line) <= _MAX_DRAWN_LENGTH else None)


def read_second_rule(question: GrammarTrialInput) -> Grammar | UnreadableRule | None:
    """Return the second rule, or where it cannot be read; None if there is none."""
    if question.other_kind not in KINDS or not question.other.strip():
        return None
    return read_trial_rule(question.other, question.other_kind, question.nid)


def find_name_beyond_rfc(grammar: Grammar) -> tuple[str | None, str]:
    """Return a name that the rule accepts and RFC 8141 does not, or why that is unknown."""
    try:
        return grammar.counter_example(Effort(_SEARCH_EFFORT)), ""
    except NotDecided as reason:
        return None, str(reason)


def split_typed_names(text: str) -> tuple[str, ...]:
    """Return the names in `text`, one per line."""
    return tuple(
        line for each in unify_posted_line_ends(text).split("\n") if (line := each.strip())
    )


def unify_posted_line_ends(text: str) -> str:
    """Return `text` with browsers' line ends unified."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
