"""Whether Syntax is complete, and its names and examples are valid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.placeholders import describe_position
from registry.template.checks.prose import (
    begins_elsewhere,
    build_topic,
    find_sentence,
    has_enough_words,
    is_denied,
    list_unanswered,
    split_clauses,
)
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
_STRUCTURE: Final = build_topic(
    "structure",
    r"opaque|unstructured|no (?:internal )?structure|hierarch|consists? of|composed of|made up of"
    r"|digits?\b|letters?\b|characters?\b|alphanumeric|hexadecimal|followed by|separated by|begins?"
    r"|prefix|format|form of|abnf|bnf\b|grammar|regular expression|algorithm|uuid|::?=|<[a-z-]+>"
    r"|slash|colon|hyphen|namespace[- ]specific string|part(?:s|ed)?\b|structure",
)
_NAME: Final = re.compile(r"\burn:[A-Za-z0-9-]{2,32}:[^\s<>\"“”„«»‘’]*", re.I)
_BEYOND: Final = re.compile(r"[^\x00-\x7f]")
_COMMENT: Final = re.compile(r";[^\n]*")
_PUNCTUATION: Final = "….,–—·•"


def _says_enough(template: Template) -> bool:
    """Whether Syntax says enough to ask what it leaves out, here or in another document."""
    return has_enough_words(template.syntax) and not begins_elsewhere(template.syntax)


def encoding_is_spoken_of(template: Template, context: Context) -> Iterator[Finding]:
    """The text says how to write characters that URNs reserve (6.4.2, items 2 and 4)."""
    if _says_enough(template) and list_unanswered(template.syntax, (_ENCODING,)):
        yield build_finding(
            "syntax",
            "syntax.encoding",
            Severity.NOTE,
            "Syntax does not say whether anything in a name is percent-encoded.",
            "Say which characters are, or that nothing is.",
        )


def structure_is_described(template: Template, context: Context) -> Iterator[Finding]:
    """The text says how a name is built, or that nobody should rely on it (6.4.2, item 1)."""
    if not _says_enough(template) or template.grammar.strip():
        return
    if template.grammar_kind == "" and list_unanswered(template.syntax, (_STRUCTURE,)):
        yield build_finding(
            "syntax",
            "syntax.structure",
            Severity.WARN,
            "Syntax does not say how a name is built.",
            "Describe the parts and what separates them, give a rule, or say that names are"
            " opaque.",
        )


_UNICODE_WORDS: Final = tuple(
    "unicode utf 10646 ascii diacrit accent umlaut iri cyrillic greek arabic chinese japanese"
    " korean hebrew thai kanji hangul devanagari script language alphabet characters"
    " international".split()
)
_UNICODE: Final = re.compile(
    r"\b(?:unicode|utf-?8|iso[- ]10646|non-?ascii|diacritics?|accent(?:s|ed)|umlauts?|IRIs?"
    r"|(?:cyrillic|greek|arabic|chinese|japanese|korean|hebrew|thai|kanji|hangul|devanagari)"
    r"|(?:any|every|all) (?:scripts?|languages?|alphabets?)"
    r"|(?:local|national|native|other) (?:scripts?|languages?|alphabets?|characters)"
    r"|international(?:i[sz]ed)? (?:characters?|letters?|domain|strings?))\b",
    re.I,
)
_PERCENT: Final = re.compile(r"percent|\bpct-|%[0-9a-f]{2}|\bescap|\bencoded\b|punycode", re.I)
_NORMALIZED: Final = re.compile(
    r"\bnormali[sz]|\bNF[KCD]{1,2}\b|\bcanonical|\bprecomposed|\btransliterat|\btransform", re.I
)


def characters_beyond_ascii_have_a_form(template: Template, context: Context) -> Iterator[Finding]:
    """Names in other scripts are percent-encoded, each in one way only (2.2; 1.2.2)."""
    sentence = find_sentence(template.syntax, _UNICODE_WORDS, _uses_unicode)
    if not sentence or _NORMALIZED.search(template.syntax):
        return
    if _PERCENT.search(template.syntax):
        yield build_finding(
            "syntax",
            "syntax.normalization",
            Severity.NOTE,
            "Syntax does not say in which normalization form characters beyond ASCII are encoded:"
            f" {quote_excerpt(sentence)}.",
            "Name one, such as NFC. Otherwise one word has several names.",
            "RFC 8141, section 6.4.2",
        )
    else:
        yield build_finding(
            "syntax",
            "syntax.unicode",
            Severity.WARN,
            f"Syntax allows characters beyond ASCII: {quote_excerpt(sentence)}. A URN has none.",
            "Say that their UTF-8 octets are percent-encoded, and in which normalization form.",
            "RFC 8141, section 2.2",
        )


def _uses_unicode(sentence: str) -> bool:
    return any(
        _UNICODE.search(clause) is not None and not is_denied(clause)
        for clause in split_clauses(sentence)
    )


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


def _find_written_names(template: Template) -> Iterator[tuple[str, int, str]]:
    """Names in the text, and in the grammar without its comments."""
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
    """Each example is a URN (RFC 8141, section 2) with the requested identifier."""
    faults = _find_faults(template, context)
    yield from islice(faults, _MAX_FAULTS_REPORTED)
    if next(faults, None):
        yield _MORE_FAULTS


_TRAILING: Final = ".,;:!?)]}'\"*_`’”"
_HAS_A_GAP: Final = re.compile(r"[<>{}\[\]|\\]|\.\.\.|…|\*")
_WHERE_NAMES_STAND: Final = ("syntax", "purpose", "assignment", "additional_information")


def find_names_in_prose(template: Template) -> tuple[str, ...]:
    """The names of the namespace in the text itself; those with gaps are patterns."""
    prefix = f"urn:{canonical(template.nid)}:"
    if not template.nid:
        return ()
    found: dict[str, None] = {}
    for field_name in _WHERE_NAMES_STAND:
        text = template[field_name]
        for match in _NAME.finditer(text) if "urn:" in text.lower() else ():
            name = match[0].rstrip(_TRAILING)
            is_own = canonical(name).startswith(prefix) and len(name) > len(prefix)
            if is_own and not _HAS_A_GAP.search(match[0]):
                found[name] = None
    return tuple(found)


def two_examples_are_given(template: Template, context: Context) -> Iterator[Finding]:
    """A reader sees what varies and what does not (ours)."""
    if len(template.examples) >= 2 or template.grammar_kind == "opaque":
        return
    count = len({*template.examples, *find_names_in_prose(template)})
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
            Severity.NOTE,
            "There is no counter-example.",
            "Give a name that looks right and is wrong, ideally a mistake that people really make.",
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
