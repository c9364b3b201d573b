"""The equivalence declared as data next to Syntax: is it valid, and does the text agree?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from registry.grammar import (
    Answer,
    DeclaredEquivalence,
    EquivalenceSyntaxError,
    Grammar,
    GrammarSyntaxError,
    StatementKind,
    parse_equivalence,
)
from registry.template.checks.context import Context, build_finding
from registry.template.checks.equivalence import MERGERS, list_mergers, makes_case_count
from registry.template.checks.prose import find_sentence
from registry.template.checks.rule import read_rule
from registry.template.template import Template
from registry.urn import URN, URNSyntaxError, parse
from registry.urn.characters import quote_excerpt
from registry.urn.equivalence import fold_percent_octets
from registry.urn.finding import Finding, Severity

_PROCEDURE: Final = "RFC 8141, section 3.1"
_MAX_PAIRS: Final = 3
_MAX_NAMES: Final = 50
_KIND_OF_WORDS: Final = {
    "letter case": StatementKind.CASE,
    "hyphens": StatementKind.HYPHENS,
    "leading zeros": StatementKind.LEADING_ZEROS,
    "blanks": StatementKind.SPACES,
}


def the_declaration_holds(template: Template, context: Context) -> Iterator[Finding]:
    """The declaration can be read, and the parts it names are parts of a name."""
    try:
        declared = parse_equivalence(template.equivalence)
    except EquivalenceSyntaxError as error:
        yield build_finding(
            "equivalence", "equivalence.unreadable", Severity.BLOCK, error.what, error.how
        )
        return
    if declared is None or not declared.parts:
        return
    grammar = _read_grammar(template)
    for part in declared.parts:
        if grammar is None or not grammar.has_rule(part):
            yield build_finding(
                "equivalence",
                "equivalence.part",
                Severity.WARN,
                f"No rule of the grammar that a name leads to is called {quote_excerpt(part)}.",
                "Name a rule of your ABNF as it is written there, or give one.",
            )


def examples_stay_different_names(template: Template, context: Context) -> Iterator[Finding]:
    """Names shown as different differ by the declaration; no invalid one equals a valid one."""
    declared = _read_declaration(template)
    if declared is None or not declared.statements:
        return
    grammar = _read_grammar(template)
    examples = list(_list_names(template.examples))
    wrong = list(_list_names(template.counter_examples))
    merged = {urn: _merge(declared, urn, grammar) for urn in (*examples, *wrong)}
    pairs = [
        *(pair for pair in combinations(examples, 2) if merged[pair[0]] == merged[pair[1]]),
        *(pair for pair in product(examples, wrong) if merged[pair[0]] == merged[pair[1]]),
    ]
    for first, second in pairs[:_MAX_PAIRS]:
        if first.is_equivalent_to(second):
            continue
        shown = f"{quote_excerpt(first.text)} and {quote_excerpt(second.text)}"
        what = "a counter-example" if second in wrong else "another example"
        yield build_finding(
            "equivalence",
            "equivalence.examples",
            Severity.WARN,
            f"{shown} are the same name by what is declared, and one of them is {what}.",
            "Look at what is declared, or show names that differ.",
            _PROCEDURE,
        )


def the_words_say_what_is_declared(template: Template, context: Context) -> Iterator[Finding]:
    """Programs use the declaration and people read Syntax: they must agree."""
    declared = _read_declaration(template)
    if declared is None:
        return
    kinds = {each.kind for each in declared.statements}
    for merger in list_mergers(template.syntax):
        if _KIND_OF_WORDS[merger.words] not in kinds:
            yield build_finding(
                "equivalence",
                "equivalence.words",
                Severity.WARN,
                f"Syntax says that {merger.words} makes no difference, and that is not declared."
                if merger.words == "letter case"
                else f"Syntax says that {merger.words} make no difference, and that is not"
                " declared.",
                "Declare it, or change the words: names are compared by what is declared.",
            )
    whole = any(each.kind is StatementKind.CASE and not each.part for each in declared.statements)
    sentence = find_sentence(template.syntax, ("case", "capital"), makes_case_count)
    if whole and sentence:
        yield build_finding(
            "equivalence",
            "equivalence.words",
            Severity.WARN,
            f"It is declared that letter case makes no difference, and Syntax says otherwise:"
            f" {quote_excerpt(sentence)}.",
            "Declare it for the parts where it holds, or change the words.",
        )


def a_revision_merges_no_two_names(template: Template, context: Context) -> Iterator[Finding]:
    """Names that were declared to be different may be in use as such (5; 3.1)."""
    previous, declared = context.previous, _read_declaration(template)
    if previous is None or declared is None or template.equivalence == previous.equivalence:
        return
    pair = _find_merged_pair(template, previous, declared)
    if pair:
        shown = " and ".join(map(quote_excerpt, pair))
        yield build_finding(
            "equivalence",
            "revision.declared-same",
            Severity.WARN,
            f"{shown} were two names by the last version, and are one by what is declared now.",
            "Say under Revision Information that no two such names were given out, or declare"
            " less.",
            "RFC 8141, section 5",
        )


def _find_merged_pair(
    template: Template, previous: Template, declared: DeclaredEquivalence
) -> tuple[str, ...]:
    """Two names that were different and are the same now, empty if none is found."""
    before, grammar = _read_declaration(previous), _read_grammar(template)
    old_grammar = _read_grammar(previous)
    said = {each.words for each in list_mergers(previous.syntax)} if before is None else set()
    for urn in _list_names(previous.examples):
        begins = urn.text[: len("urn::") + len(urn.nid)]
        for merger in MERGERS:
            for nss in merger.vary(urn.nss) if merger.words not in said else ():
                try:
                    other = parse(begins + nss)
                except URNSyntaxError:
                    continue
                is_name = grammar is None or grammar.matches_nss(nss).answer is not Answer.NO
                if not is_name or other.is_equivalent_to(urn):
                    continue
                was_one = before is not None and (
                    _merge(before, urn, old_grammar) == _merge(before, other, old_grammar)
                )
                if not was_one and (
                    _merge(declared, urn, grammar) == _merge(declared, other, grammar)
                ):
                    return urn.text, other.text
    return ()


def _read_declaration(template: Template) -> DeclaredEquivalence | None:
    try:
        return parse_equivalence(template.equivalence)
    except EquivalenceSyntaxError:
        return None


def _read_grammar(template: Template) -> Grammar | None:
    try:
        return read_rule(template)
    except GrammarSyntaxError:
        return None


def _list_names(written: tuple[str, ...]) -> Iterator[URN]:
    for text in written[:_MAX_NAMES]:
        try:
            yield parse(text)
        except URNSyntaxError:
            continue


def _merge(declared: DeclaredEquivalence, urn: URN, grammar: Grammar | None) -> str:
    return declared.find_merged(fold_percent_octets(urn.nss), grammar)
