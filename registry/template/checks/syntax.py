"""Whether Syntax, its formal rule and its examples agree with RFC 8141 and with each other."""

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
from registry.template.checks.context import (
    Context,
    build_finding,
    build_topic,
    has_enough_words,
    list_unanswered,
    split_sentences,
)
from registry.template.checks.placeholders import describe_position
from registry.template.fields import field
from registry.template.template import Template
from registry.urn import URNSyntaxError, parse
from registry.urn.characters import describe_character, quote_excerpt
from registry.urn.finding import Finding, Severity
from registry.urn.nid import PLACEHOLDER, canonical

_ENCODING: Final = build_topic(
    "encoding",
    r"percent|(?:un)?encod|escap|ascii|%[0-9a-f]{2}",
)
_EQUIVALENCE: Final = build_topic(
    "equivalence",
    r"equivalen|case\b|case-|same\b|identical|compar|matter|distinct",
)
_COMPONENT: Final = re.compile(
    r"\b[rqf]-components?\b|\bfragment|\bquery (?:part|component|string)|\?\+|\?=", re.I
)
_RESOLVING: Final = re.compile(r"\br-components?\b|\?\+", re.I)
_MEANS: Final = re.compile(
    r"\b(?:means|mean|carr(?:y|ies)|select\w*|specif(?:y|ies)|denotes?|indicates?|chooses?"
    r"|contains?|holds?|passe[sd]|used (?:to|for|by)|gives|give)\b",
    re.I,
)
_NOT: Final = re.compile(
    r"\b(?:not?|none|nothing|never|neither|nor|without|undefined|reserved|ignored?|future|once)\b"
    r"|n[’']t\b",
    re.I,
)
_FORBIDS: Final = re.compile(
    r"\b(?:(?:must|may|shall|can|are|is|should) ?not|cannot|never|no)\b[^.]{0,40}"
    r"\b(?:allow|permit|append|add|contain|include|have|use|carry|follow|be present|occur|valid)"
    r"|\b(?:forbid|forbidden|prohibit|disallow|invalid|illegal)",
    re.I,
)
_MEANING: Final = re.compile(
    r"\b(?:meaning|defin|semantic|effect|purpose|special|interpret|role|significan)", re.I
)
_NAME: Final = re.compile(r"\burn:[A-Za-z0-9-]{2,32}:[^\s<>\"“”„«»‘’]*", re.I)
_BEYOND: Final = re.compile(r"[^\x00-\x7f]")
_COMMENT: Final = re.compile(r";[^\n]*")
_PUNCTUATION: Final = "….,–—·•"


def encoding_is_spoken_of(template: Template, context: Context) -> Iterator[Finding]:
    """A reader knows how characters are written that URNs reserve (6.4.2, items 2 and 4)."""
    if has_enough_words(template.syntax) and list_unanswered(template.syntax, (_ENCODING,)):
        yield build_finding(
            "syntax",
            "syntax.encoding",
            Severity.NOTE,
            "Syntax does not say whether anything in a name is percent-encoded.",
            "Say which characters are, or that nothing is.",
        )


def equivalence_is_spoken_of(template: Template, context: Context) -> Iterator[Finding]:
    """A reader knows when two names are the same (6.4.2, item 3)."""
    if has_enough_words(template.syntax) and list_unanswered(template.syntax, (_EQUIVALENCE,)):
        yield build_finding(
            "syntax",
            "syntax.equivalence",
            Severity.NOTE,
            "Syntax does not say when two names are the same, nor whether case matters.",
            "Say so, even if section 3 of RFC 8141 is all that holds.",
        )


def r_components_wait_for_their_standard(template: Template, context: Context) -> Iterator[Finding]:
    """What r-components mean is kept for a standard to come (2.3.1)."""
    for name in ("syntax", "resolution"):
        for sentence in split_sentences(template[name]):
            if (
                _RESOLVING.search(sentence)
                and _MEANS.search(sentence)
                and not _NOT.search(sentence)
            ):
                yield build_finding(
                    name,
                    "syntax.r-component",
                    Severity.WARN,
                    f"{field(name).label} gives r-components a meaning: {quote_excerpt(sentence)}."
                    " They should not be used before there is a standard for them.",
                    "Leave r-components without a meaning; parameters for the resource itself can"
                    " stand in a q-component.",
                    "RFC 8141, section 2.3.1",
                )
                break


def components_are_not_forbidden(template: Template, context: Context) -> Iterator[Finding]:
    """Anybody may append components to any name, whatever its namespace says (2.3)."""
    for sentence in split_sentences(template.syntax):
        if (
            _COMPONENT.search(sentence)
            and _FORBIDS.search(sentence)
            and not _MEANING.search(sentence)
        ):
            yield build_finding(
                "syntax",
                "syntax.components",
                Severity.WARN,
                f"Syntax seems to forbid components: {quote_excerpt(sentence)}. They may be used"
                " with the names of any namespace.",
                "Say that they have no meaning in this namespace, which is what can be said.",
                "RFC 8141, section 2.3",
            )
            return


def names_are_written_in_ascii(template: Template, context: Context) -> Iterator[Finding]:
    """What is beyond ASCII is percent-encoded in a name (2.2; 1.2.2)."""
    for name, start, text in _find_written_names(template):
        foreign = _BEYOND.search(text.rstrip(_PUNCTUATION))
        if foreign:
            place = describe_position(template[name], start + foreign.start())
            yield build_finding(
                name,
                "syntax.ascii",
                Severity.WARN,
                f"{field(name).label} has {describe_character(foreign[0])} within a name or a rule,"
                f" in {place}.",
                "Write the octets of its UTF-8 form percent-encoded, and let the rule say so.",
                "RFC 8141, section 2.2",
            )
            return


def _gives_meaning(sentence: str) -> bool:
    return _MEANS.search(sentence) is not None and _NOT.search(sentence) is None


def _find_written_names(template: Template) -> Iterator[tuple[str, int, str]]:
    """Names that stand in the text, and the grammar without what is only said beside it."""
    for match in _NAME.finditer(template.syntax):
        yield "syntax", match.start(), match[0]
    bare = _COMMENT.sub(lambda comment: " " * len(comment[0]), template.grammar)
    if template.grammar_kind in ("abnf", "regex"):
        yield "grammar", 0, bare if template.grammar_kind == "abnf" else template.grammar


_MAX_FAULTS_REPORTED: Final = 10
_MORE_FAULTS: Final = build_finding(
    "examples",
    "examples.more",
    Severity.BLOCK,
    "More examples have faults.",
    "Mend the ones above; the others are shown then.",
)


def examples_are_names_of_the_namespace(template: Template, context: Context) -> Iterator[Finding]:
    """Each example is a URN (RFC 8141, section 2) and has the identifier asked for."""
    faults = _find_faults(template, context)
    yield from islice(faults, _MAX_FAULTS_REPORTED)
    if next(faults, None):
        yield _MORE_FAULTS


def two_examples_are_given(template: Template, context: Context) -> Iterator[Finding]:
    """A reader sees what varies and what does not (ours)."""
    count = len(template.examples)
    if count < 2:
        yield build_finding(
            "examples",
            "examples.few",
            Severity.WARN,
            "There is only one example." if count else "There are no examples.",
            "Give at least two names that are right, and as different as they can be.",
        )


def a_counter_example_is_given(template: Template, context: Context) -> Iterator[Finding]:
    """A reader sees where the names end (ours)."""
    if not template.counter_examples:
        yield build_finding(
            "counter_examples",
            "counter-examples.none",
            Severity.WARN,
            "There is no counter-example.",
            "Give a name that looks right and is wrong, best a mistake that people really make.",
        )


def _find_faults(template: Template, context: Context) -> Iterator[Finding]:
    for number, text in enumerate(template.examples, start=1):
        quoted = f"Example {number}, {quote_excerpt(text)},"
        try:
            urn = parse(text)
        except URNSyntaxError as error:
            yield build_finding(
                "examples",
                "examples.syntax",
                Severity.BLOCK,
                f"{quoted} is not a URN. {error.message}",
                error.mend,
                error.rule,
            )
        else:
            if template.nid and not _is_same_nid(urn.nid, template.nid):
                yield build_finding(
                    "examples",
                    "examples.namespace",
                    Severity.BLOCK,
                    f"{quoted} is not in the namespace {quote_excerpt(template.nid)}: its"
                    f" identifier is “{urn.nid}” (character 5).",
                    f"Begin it with urn:{template.nid[:40]}: or take it out.",
                )


def _is_same_nid(left: str, right: str) -> bool:
    # Only the exact placeholder is replaced by the number, so urn-n will not do for urn-N.
    if PLACEHOLDER in (left, right):
        return left == right
    return canonical(left) == canonical(right)


_MAX_NAMES_TRIED: Final = 10
_TRYING: Final = 100_000
_SEARCHING: Final = 100_000
_TRIED: Final = 50
_LABELS: Final = {"examples": "Example", "counter_examples": "Counter-example"}


def the_rule_holds(template: Template, context: Context) -> Iterator[Finding]:
    """The rule is read once; what it says of itself, of RFC 8141 and of the examples is told."""
    if template.grammar_kind not in KINDS or not template.grammar.strip():
        return
    try:
        grammar = read(template.grammar, template.grammar_kind, nid=_find_nid(template))
    except GrammarSyntaxError as error:
        yield _report_unreadable(error)
        return
    yield from (replace(each, section="grammar") for each in grammar.findings)
    if not grammar.undecided:
        yield from _find_names_outside(grammar)
        yield from islice(_find_contradictions(grammar, template), _MAX_NAMES_TRIED)


def _find_nid(template: Template) -> str:
    return template.nid if template.nid.isascii() else ""


def _report_unreadable(error: GrammarSyntaxError) -> Finding:
    return build_finding(
        "grammar",
        "grammar.unreadable",
        Severity.WARN,
        f"The rule cannot be read. {error.message}",
        f"{error.mend} It must be mended before publishing.",
    )


def _find_names_outside(grammar: Grammar) -> Iterator[Finding]:
    """What RFC 8141 has not as the NSS of a URN, or as a whole name of this namespace."""
    try:
        name = grammar.counter_example(Effort(_SEARCHING))
    except NotDecided:
        return
    if name is None:
        return
    what = "URN of this namespace" if grammar.scope is Scope.WHOLE else "NSS of a URN"
    quoted = f"{quote_excerpt(name)}, which" if name else "the empty name, which"
    yield build_finding(
        "grammar",
        "grammar.outside",
        Severity.WARN,
        f"The rule allows {quoted} can be no {what}.",
        "Leave out what section 2 of RFC 8141 does not allow, or write it percent-encoded.",
        "RFC 8141, section 2.2",
    )


def _find_contradictions(grammar: Grammar, template: Template) -> Iterator[Finding]:
    """What the rule says otherwise than the examples."""
    effort = Effort(_TRYING)
    for section, wanted in (("examples", Answer.YES), ("counter_examples", Answer.NO)):
        names: tuple[str, ...] = getattr(template, section)
        for number, name in enumerate(names[:_TRIED], start=1):
            urn = _strip_components(name)
            if urn is None and wanted is Answer.YES:
                continue  # What is no URN is told of already.
            verdict = grammar.matches(urn or name, effort)
            if verdict.answer in (wanted, Answer.NOT_DECIDED):
                continue
            quoted = f"{_LABELS[section]} {number}, {quote_excerpt(name)},"
            if wanted is Answer.YES:
                yield _report_refused(quoted, verdict.message)
            else:
                yield _report_accepted(quoted)


def _strip_components(text: str) -> str | None:
    """The URN without its components, of which no rule of a namespace speaks (2.3)."""
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
