"""Whether the rule for names is valid, agrees with the examples, and keeps earlier names valid."""

from __future__ import annotations

import re
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
from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    find_sentence,
    is_denied,
    split_clauses,
    split_sentences,
)
from registry.template.checks.syntax import find_names_in_prose
from registry.template.template import Template
from registry.urn import URNSyntaxError, parse
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_MAX_NAMES_TRIED: Final = 10
_TRYING: Final = 100_000
_SEARCHING: Final = 100_000
_TRIED: Final = 50
_LABELS: Final = {"examples": "Example", "counter_examples": "Counter-example"}


def the_rule_holds(template: Template, context: Context) -> Iterator[Finding]:
    """The rule is read once, with findings on itself, on RFC 8141 and on the examples."""
    try:
        grammar = read_rule(template)
    except GrammarSyntaxError as error:
        yield _report_unreadable(error)
        return
    if grammar is None:
        return
    # Many write a fragment into an expression; ABNF for names goes by RFC 8141, section 2.
    with_components = template.grammar_kind == "regex"
    if _has_no_urn(grammar, with_components):
        yield _report_no_urn(grammar)
        return
    yield from (replace(each, section="grammar") for each in grammar.findings)
    if not grammar.undecided:
        yield from _find_names_outside(grammar, with_components)
        yield from islice(_find_contradictions(grammar, template), _MAX_NAMES_TRIED)


def read_rule(template: Template) -> Grammar | None:
    """The rule of a template; None if it has none, `GrammarSyntaxError` if it is not valid."""
    if template.grammar_kind not in KINDS or not template.grammar.strip():
        return None
    nid = template.nid if template.nid.isascii() else ""
    return read(template.grammar, template.grammar_kind, nid=nid, start=template.grammar_start)


def _has_no_urn(grammar: Grammar, with_components: bool = False) -> bool:
    try:
        return not grammar.has_urn(Effort(_SEARCHING), with_components=with_components)
    except NotDecided:
        return False


def _report_no_urn(grammar: Grammar) -> Finding:
    name = next(iter(grammar.samples(1)), "")
    shown = f" It allows {quote_excerpt(name)}, for example." if name else " It allows no name."
    return build_finding(
        "grammar",
        "grammar.no-urn",
        Severity.BLOCK,
        f"None of the names that the rule describes can be a URN.{shown}",
        "Describe what follows your identifier: letters, digits and the other characters of"
        " section 2, anything else percent-encoded, and no slash at the beginning.",
        "RFC 8141, section 2.2",
    )


def rule_still_has_the_names_given_out(template: Template, context: Context) -> Iterator[Finding]:
    """A name assigned under the last version is valid still, or the text says not (5; 3.1)."""
    if context.previous is None or template.grammar == context.previous.grammar:
        return
    try:
        grammar = read_rule(template)
    except GrammarSyntaxError:
        return
    name = "" if grammar is None else _find_name_lost(grammar, context.previous)
    if name:
        yield build_finding(
            "grammar",
            "revision.names-lost",
            Severity.WARN,
            f"{quote_excerpt(name)} was a name by the last version and is none by this rule.",
            "Keep the names that may have been given out, or say under Revision Information that"
            " none like it was.",
            "RFC 8141, section 5",
        )


def _find_name_lost(grammar: Grammar, previous: Template) -> str:
    """A name of the last version that breaks this rule: one of its examples, or a shortest one."""
    if grammar.undecided:
        return ""
    effort = Effort(_TRYING)
    for example in previous.examples[:_TRIED]:
        urn = _strip_components(example)
        if urn and grammar.matches(urn, effort).answer is Answer.NO:
            return urn
    try:
        before = read_rule(previous)
        name = before.find_name_beyond(grammar, Effort(_SEARCHING)) if before else None
    except (GrammarSyntaxError, NotDecided):
        return ""
    return name or ""


def _report_unreadable(error: GrammarSyntaxError) -> Finding:
    return build_finding(
        "grammar",
        "grammar.unreadable",
        Severity.WARN,
        f"The rule cannot be read. {error.message}",
        error.mend,
    )


def _find_names_outside(grammar: Grammar, with_components: bool) -> Iterator[Finding]:
    """Matching names that RFC 8141 does not allow as NSS, or as whole names of this namespace."""
    try:
        name = grammar.counter_example(Effort(_SEARCHING))
    except NotDecided:
        return
    if name is None:
        yield from _find_names_beyond_ascii(grammar)
        return
    if with_components:
        try:
            other = grammar.counter_example(Effort(_SEARCHING), with_components=True)
        except NotDecided:
            return
        if other is None:
            yield _report_component(name)
            return
        name = other
    what = "URN of this namespace" if grammar.scope is Scope.WHOLE else "NSS of a URN"
    quoted = f"{quote_excerpt(name)}, which" if name else "the empty name, which"
    yield build_finding(
        "grammar",
        "grammar.outside",
        Severity.BLOCK,
        f"The rule allows {quoted} can be no {what}.",
        "Leave out what section 2 of RFC 8141 does not allow, or write it percent-encoded.",
        "RFC 8141, section 2.2",
    )


_COMPONENTS: Final = {
    "#": ("#…", "an f-component", "2.3.3"),
    "?=": ("?=…", "a q-component", "2.3.2"),
    "?+": ("?+…", "an r-component", "2.3.1"),
}


def _report_component(name: str) -> Finding:
    """What is no part of a name in the rule is a component, and may follow any name."""
    sign = min(filter(name.__contains__, _COMPONENTS), key=name.index)
    written, component, section = _COMPONENTS[sign]
    return build_finding(
        "grammar",
        "grammar.component",
        Severity.WARN,
        f"The rule describes “{written}” too, as in {quote_excerpt(name)}: {component}, which is"
        " no part of a name.",
        "Leave it out of the rule, and say in Syntax what it means.",
        f"RFC 8141, section {section}",
    )


_ASCII_NAMES: Final = read('nss = *(%x00-24 / %x26-7F / "%" %x30-37 HEXDIG)')
_NAMES_ALLOWED_EARLIER: Final = read("nss = *(%x00-25 / %x27-2E / %x30-7D / %x7F)")
"""Without the characters that RFC 2141 had encoded and RFC 8141 allows: slash, tilde, ampersand."""


def _find_names_beyond_ascii(grammar: Grammar) -> Iterator[Finding]:
    """A namespace should do without characters beyond ASCII, unless it needs them (2.2)."""
    try:
        name = grammar.find_name_beyond(_ASCII_NAMES, Effort(_SEARCHING))
    except NotDecided:
        return
    if name:
        yield build_finding(
            "grammar",
            "grammar.beyond-ascii",
            Severity.NOTE,
            f"The rule allows characters beyond ASCII, as in {quote_excerpt(name)}.",
            "Allow them only if your names need them, and say in which normalization form.",
            "RFC 8141, section 2.2",
        )


def encoding_rules_stay(template: Template, context: Context) -> Iterator[Finding]:
    """How names are encoded is not changed by what URNs allow today (2.2)."""
    previous = context.previous
    if previous is None:
        return
    texts = (template, previous)
    wordings = {frozenset(filter(_ENCODES.search, split_sentences(each.syntax))) for each in texts}
    if len(wordings) == 1 and len({_allows_natively(each) for each in texts} - {None}) < 2:
        return
    yield build_finding(
        "syntax",
        "revision.encoding",
        Severity.WARN,
        "What is percent-encoded in a name differs from the last version.",
        "Keep it as it was, so that each name has one spelling; or say under Revision Information"
        " why names given out earlier stay valid.",
        "RFC 8141, section 2.2",
    )


def _allows_natively(template: Template) -> bool | None:
    """Whether names may have a slash, tilde or ampersand as it is; None if that is not known."""
    try:
        grammar = read_rule(template)
        if grammar is None:
            return None
        return bool(grammar.find_name_beyond(_NAMES_ALLOWED_EARLIER, Effort(_SEARCHING)))
    except (GrammarSyntaxError, NotDecided):
        return None


_ENCODES: Final = re.compile(r"percent|%[0-9a-f]{2}|\b(?:un)?encod|\bescap", re.I)


def _find_contradictions(grammar: Grammar, template: Template) -> Iterator[Finding]:
    """The contradictions between the rule and the examples."""
    effort = Effort(_TRYING)
    for section, wanted in (("examples", Answer.YES), ("counter_examples", Answer.NO)):
        names: tuple[str, ...] = getattr(template, section)
        for number, name in enumerate(names[:_TRIED], start=1):
            urn = _strip_components(name)
            if urn is None and wanted is Answer.YES:
                continue  # A separate finding says that it is not a URN.
            verdict = grammar.matches(urn or name, effort)
            if wanted is Answer.YES and verdict.answer is Answer.NO:
                # The rule may ask for a component, of which another finding tells.
                verdict = grammar.matches(name, effort)
            if verdict.answer in (wanted, Answer.NOT_DECIDED):
                continue
            quoted = f"{_LABELS[section]} {number}, {quote_excerpt(name)},"
            if wanted is Answer.YES:
                yield _report_refused(quoted, verdict.message)
            else:
                yield _report_accepted(quoted)


def _strip_components(text: str) -> str | None:
    """The URN without its components, which no rule of a namespace covers (2.3)."""
    try:
        urn = parse(text)
    except URNSyntaxError:
        return None
    return text[: len(f"urn:{urn.nid}:{urn.nss}")]


def _report_refused(quoted: str, message: str) -> Finding:
    return build_finding(
        "examples",
        "grammar.refuses",
        Severity.WARN,
        f"{quoted} does not fit the rule. {message}",
        "Mend the rule, or the example.",
    )


def _report_accepted(quoted: str) -> Finding:
    return build_finding(
        "counter_examples",
        "grammar.takes",
        Severity.WARN,
        f"{quoted} fits the rule, although it is said to be wrong.",
        "Let the rule say what is wrong with it, or take it out.",
    )


_LINE: Final = re.compile(r"[ \t]*<?([A-Za-z][\w-]*)>?[ \t]*(::=|:=|=/|=)[ \t]*(\S.*)")
_MIN_LINES: Final = 2
_MAX_PROSE: Final = 20_000
_WORTH_TELLING: Final = frozenset(
    f"grammar.{name}" for name in ("undefined", "replaced", "redefined", "empty", "nid", "orphan")
)


def the_rule_in_the_text_holds(template: Template, context: Context) -> Iterator[Finding]:
    """A rule within the text of Syntax is read too (6.4.2, item 1; RFC 5234)."""
    text = "" if template.grammar.strip() else find_rule_in_prose(template.syntax)
    if not text:
        return
    if re.search(r"::=|:=", text):
        yield build_finding(
            "syntax",
            "grammar.notation",
            Severity.NOTE,
            "The rule in Syntax is written in a notation of its own, and not in ABNF.",
            "Write it in ABNF or as a regular expression in the field below, where it is tried.",
            "RFC 8141, section 6.4.2",
        )
        return
    nid = template.nid if template.nid.isascii() else ""
    try:
        grammar = read(text, "abnf", nid=nid)
    except GrammarSyntaxError as error:
        yield build_finding(
            "syntax",
            "grammar.in-prose",
            Severity.NOTE,
            f"The rule in Syntax cannot be read as ABNF. {error.message}",
            "Put it into the field below, where it is tried as you type.",
            "RFC 5234",
        )
        return
    if _has_no_urn(grammar):
        yield replace(_report_no_urn(grammar), section="syntax", severity=Severity.WARN)
        return
    for each in grammar.findings:
        if each.check in _WORTH_TELLING:
            yield replace(each, section="syntax", severity=Severity.NOTE)
    if not grammar.undecided:
        yield from islice(_find_names_unfit(grammar, template), _MAX_NAMES_TRIED)


def find_rule_in_prose(text: str) -> str:
    """The lines of a text that define rules, with their continuations; empty if too few."""
    if "=" not in text or len(text) > _MAX_PROSE:
        return ""
    kept: list[str] = []
    rules, margin = 0, -1
    for line in text.split("\n"):
        match = _LINE.match(line)
        indent = len(line) - len(line.lstrip())
        if match and (margin < 0 or indent <= margin):
            margin, rules = indent, rules + 1
            kept.append(line.strip())
        elif margin >= 0 and line.strip() and indent > margin:
            kept.append("   " + line.strip())
        else:
            margin = -1
    return "\n".join(kept) if rules >= _MIN_LINES else ""


def _find_names_unfit(grammar: Grammar, template: Template) -> Iterator[Finding]:
    """Names in the text that its own rule rejects, unless the text itself rejects them."""
    effort = Effort(_TRYING)
    for name in find_names_in_prose(template)[:_TRIED]:
        urn = _strip_components(name)
        verdict = grammar.matches(urn, effort) if urn else None
        if (
            verdict is not None
            and verdict.answer is Answer.NO
            and not _is_called_wrong(template, name)
        ):
            yield build_finding(
                "syntax",
                "grammar.refuses-name",
                Severity.NOTE,
                f"{quote_excerpt(name)} stands in the text and does not fit the rule."
                f" {verdict.message}",
                "Correct the rule or the name.",
            )


def _is_called_wrong(template: Template, name: str) -> bool:
    return any(
        name in sentence and is_denied(sentence)
        for text in (template.syntax, template.purpose)
        for sentence in split_sentences(text)
    )


_SEPARATORS: Final = {
    "colon": ":",
    "hyphen": "-",
    "dash": "-",
    "slash": "/",
    "dot": ".",
    "period": ".",
    "full stop": ".",
    "underscore": "_",
    "comma": ",",
    "semicolon": ";",
}
_SEPARATED: Final = re.compile(
    r"\b(?:separated|divided|delimited|joined|followed) by (?:a |an |one |single |the )*"
    rf"({'|'.join(_SEPARATORS)})s?\b",
    re.I,
)
_ONE_CASE: Final = re.compile(r"\b(lower|upper)[- ]?case\b", re.I)
_LENGTHS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen".split()
)
_LENGTH: Final = re.compile(
    rf"\b(?:exactly|always|precisely) ({'|'.join(_LENGTHS)}|[1-9][0-9]?)[ -]"
    r"(?:\w+ ){0,2}?(?:digits?|letters?|characters?|hexadecimal)",
    re.I,
)
_SAMPLES: Final = 12


def the_rule_says_what_the_words_say(template: Template, context: Context) -> Iterator[Finding]:
    """Separators, case and lengths are the same in the rule and in the text (6.4.2)."""
    try:
        grammar = read_rule(template)
    except GrammarSyntaxError:
        return
    if grammar is None or grammar.undecided:
        return
    names = grammar.samples(_SAMPLES)
    for told in (
        _find_missing_separator(template, names),
        _find_other_case(template, grammar, names),
        _find_other_length(template, names),
    ):
        if told:
            yield build_finding(
                "grammar",
                "grammar.prose-differs",
                Severity.WARN,
                f"Syntax and the rule do not say the same. {told}",
                "Correct one of them.",
            )


def _find_missing_separator(template: Template, names: tuple[str, ...]) -> str:
    for match in _SEPARATED.finditer(" ".join(template.syntax.split())):
        sign = _SEPARATORS[match[1].lower()]
        if names and not any(sign in _cut_prefix(name) for name in (*names, *template.examples)):
            signs = match[1].lower() + ("es" if match[1].lower().endswith("sh") else "s")
            return f"The words have {signs} between parts, and no name by the rule has."
    return ""


def _cut_prefix(name: str) -> str:
    return name.split(":", 2)[-1] if name[:4].lower() == "urn:" else name


def _find_other_case(template: Template, grammar: Grammar, names: tuple[str, ...]) -> str:
    sentence = find_sentence(template.syntax, ("case",), _wants_one_case)
    cases = {each.lower() for each in _ONE_CASE.findall(template.syntax)}
    if not sentence or len(cases) != 1 or _CASE_IS_FREE.search(template.syntax):
        return ""
    turn = str.upper if cases == {"lower"} else str.lower
    for name in (*template.examples, *names):
        prefix = name[: len(name) - len(_cut_prefix(name))]
        other = prefix + turn(_cut_prefix(name))
        if other != name and all(
            grammar.matches(each).answer is Answer.YES for each in (name, other)
        ):
            only = "lower" if turn is str.upper else "upper"
            return f"The words want {only} case, and the rule allows {quote_excerpt(other)} too."
    return ""


def _wants_one_case(sentence: str) -> bool:
    return any(
        _ONE_CASE.search(each) and not is_denied(each) and not _SPEAKS_OF_NID.search(each)
        for each in split_clauses(sentence)
    )


_SPEAKS_OF_NID: Final = re.compile(r"\bNID\b|namespace identifier|scheme|hex|percent", re.I)
_CASE_IS_FREE: Final = re.compile(
    r"case[- ]insensitiv|either case|convert|normali[sz]|\bprefer|\bshould\b|recommend", re.I
)
_RUN: Final = re.compile(r"[0-9A-Za-z]+")


def _find_other_length(template: Template, names: tuple[str, ...]) -> str:
    runs = {len(run) for name in names for run in _RUN.findall(_cut_prefix(name))}
    wholes = {len(_cut_prefix(name)) for name in names}
    for match in _LENGTH.finditer(" ".join(template.syntax.split())):
        word = match[1].lower()
        wanted = int(word) if word.isdecimal() else _LENGTHS.index(word) + 1
        if names and not any(length >= wanted for length in runs | wholes):
            return f"The words have {match[0]}, and no name by the rule has as many."
        if names and wanted not in runs | wholes and _is_stretchable(names, wanted):
            return f"The words have {match[0]}, and the rule allows other numbers."
    return ""


def _is_stretchable(names: tuple[str, ...], wanted: int) -> bool:
    """Whether the rule allows names both shorter and longer than the given length."""
    lengths = [len(_cut_prefix(name)) for name in names]
    return min(lengths) < wanted < max(lengths)
