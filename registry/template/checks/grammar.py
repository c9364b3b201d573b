"""Whether the rule for names can be read, stays within RFC 8141, and says what the examples say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from registry.grammar import (
    KINDS,
    Answer,
    Effort,
    Grammar,
    GrammarSyntaxError,
    NotDecided,
    Scope,
    read,
)
from registry.template.checks.context import Context, finding
from registry.template.template import Template
from registry.urn import URNSyntaxError, parse
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

_MOST: Final = 10
_TRYING: Final = 100_000
_SEARCHING: Final = 100_000
_TRIED: Final = 50
_LABELS: Final = {"examples": "Example", "counter_examples": "Counter-example"}


def the_rule_holds(template: Template, context: Context) -> Iterator[Finding]:
    """The rule is read once; what it says of itself, of RFC 8141 and of the examples is told."""
    if template.grammar_kind not in KINDS or not template.grammar.strip():
        return
    try:
        grammar = read(template.grammar, template.grammar_kind, nid=_nid(template))
    except GrammarSyntaxError as error:
        yield _unreadable(error)
        return
    yield from (replace(each, section="grammar") for each in grammar.findings)
    if not grammar.undecided:
        yield from _outside(grammar)
        yield from islice(_against(grammar, template), _MOST)


def _nid(template: Template) -> str:
    return template.nid if template.nid.isascii() else ""


def _unreadable(error: GrammarSyntaxError) -> Finding:
    return finding(
        "grammar",
        "grammar.unreadable",
        Severity.WARN,
        f"The rule cannot be read. {error.message}",
        f"{error.mend} It must be mended before publishing.",
    )


def _outside(grammar: Grammar) -> Iterator[Finding]:
    """What RFC 8141 has not as the NSS of a URN, or as a whole name of this namespace."""
    try:
        name = grammar.counter_example(Effort(_SEARCHING))
    except NotDecided:
        return
    if name is None:
        return
    what = "URN of this namespace" if grammar.scope is Scope.WHOLE else "NSS of a URN"
    quoted = f"{excerpt(name)}, which" if name else "the empty name, which"
    yield finding(
        "grammar",
        "grammar.outside",
        Severity.WARN,
        f"The rule allows {quoted} can be no {what}.",
        "Leave out what section 2 of RFC 8141 does not allow, or write it percent-encoded.",
        "RFC 8141, section 2.2",
    )


def _against(grammar: Grammar, template: Template) -> Iterator[Finding]:
    """What the rule says otherwise than the examples."""
    effort = Effort(_TRYING)
    for section, wanted in (("examples", Answer.YES), ("counter_examples", Answer.NO)):
        names: tuple[str, ...] = getattr(template, section)
        for number, name in enumerate(names[:_TRIED], start=1):
            urn = _name_alone(name)
            if urn is None and wanted is Answer.YES:
                continue  # What is no URN is told of already.
            verdict = grammar.matches(urn or name, effort)
            if verdict.answer in (wanted, Answer.NOT_DECIDED):
                continue
            quoted = f"{_LABELS[section]} {number}, {excerpt(name)},"
            if wanted is Answer.YES:
                yield _refused(quoted, verdict.message)
            else:
                yield _taken(quoted)


def _name_alone(text: str) -> str | None:
    """The URN without its components, of which no rule of a namespace speaks (2.3)."""
    try:
        urn = parse(text)
    except URNSyntaxError:
        return None
    return text[: len(f"urn:{urn.nid}:{urn.nss}")]


def _refused(quoted: str, message: str) -> Finding:
    return finding(
        "examples",
        "grammar.refuses",
        Severity.WARN,
        f"{quoted} does not fit the rule. {message}",
        "Mend the rule, or the example.",
    )


def _taken(quoted: str) -> Finding:
    return finding(
        "counter_examples",
        "grammar.takes",
        Severity.WARN,
        f"{quoted} fits the rule, although it is said to be wrong.",
        "Let the rule say what is wrong with it, or take it out.",
    )
