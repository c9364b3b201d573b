"""What Purpose, Assignment, Security and the rest have to speak of (RFC 8141, section 6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import (
    Context,
    ProseTopic,
    build_finding,
    build_topic,
    count_words,
    has_enough_words,
    join_words,
    list_unanswered,
    split_sentences,
)
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_RELATION: Final = "how they relate to other namespaces and numbering systems"
_LOOK_UP: Final = "whether they can be looked up"
_ALSO: Final = {
    _RELATION: ("interoperability", "additional_information"),
    _LOOK_UP: ("resolution",),
}
_PURPOSE_TOPICS: Final = (
    build_topic(
        "what kind of thing has a name",
        r"identif|name[sd]? (?:stand|for|of)|stands? for|naming|resource|assigned to",
    ),
    build_topic(
        "who uses the names and on what networks",
        r"communit|public|private|internet|worldwide|global|users?\b|used (?:by|in)"
        r"|industr|network|people who|members?\b",
    ),
    build_topic(
        "what people gain by them",
        r"benefit|gain|lasting|persist|stable|permanent|lets?\b|allow|enabl|so that"
        r"|can be found|advantage|without depending|leads? back|unambiguous"
        r"|keeps? pointing|can (?:ask|find|tell|be told|be cited)|a way to",
    ),
    build_topic(
        _RELATION,
        r"other (?:\w+ )?(?:namespace|scheme|system|identifier|name|number)|existing"
        r"|no registered|namespaces?\b[^.]{0,40}\b(?:exist|name|differ|overlap|concern)"
        r"|uri schemes?|overlap|numbering|in place of|instead of|complement"
        r"|compared? (?:to|with)|identifiers for"
        r"|(?:catalogue|inventory|serial|book|isbn|issn|doi|uuid)",
    ),
    build_topic(
        "which programs use them",
        r"program|software|application|systems\b|tools?\b|database|browser|implement"
        r"|machine|index",
    ),
    build_topic(
        _LOOK_UP,
        r"resol|look(?:ed)?[- ]?up|service|dereferenc",
    ),
    build_topic(
        "whether they are to become part of a standard",
        r"standard",
    ),
)


def purpose_answers_its_questions(template: Template, context: Context) -> Iterator[Finding]:
    """The text speaks of all seven matters, or nobody can tell whether they were thought of.

    What another section is asked for as well may stand there alone.
    """
    if not has_enough_words(template.purpose):
        return
    missing = [
        each.words
        for each in _PURPOSE_TOPICS
        if list_unanswered("\n".join(template[name] for name in _list_fields(each)), (each,))
    ]
    if missing:
        count = len(_PURPOSE_TOPICS) - len(missing)
        yield build_finding(
            "purpose",
            "purpose.questions",
            Severity.NOTE,
            f"Purpose speaks of {count} of the seven matters of section 6.4.1. It does not seem to"
            f" say {join_words(missing)}.",
            "Add a sentence on each, also where the answer is no.",
        )


def _list_fields(each: ProseTopic) -> tuple[str, ...]:
    return ("purpose", *_ALSO.get(each.words, ()))


_OPENNESS: Final = build_topic(
    "openness",
    r"open\b|closed|limited|only\b|alone\b|restrict|any(?:one|body)|who(?:ever)?\b"
    r"|first[- ]come|delegat|members?\b|exclusive|sole|authori[sz]",
)
_UNIQUE: Final = build_topic(
    "uniqueness",
    r"unique|twice|once\b|sequen|counter|counted|algorithm|hash|collision|duplicat"
    r"|one list|single list|the list\b|next (?:free )?number|same name|in (?:the )?order"
    r"|numbers? (?:its|their|the)|numbered|register(?:ed|s)? (?:in|with|by)|block|range",
)
_NEVER_REASSIGNED: Final = re.compile(
    r"\b(?:never|not|no(?! longer)|nor|without)\b[^.;]{0,80}\b(?:again|re-?assign|re-?us|re-?issu"
    r"|re-?alloc|re-?cycl|other|another|anything else|twice|changed?|taken out)"
    r"|\bfor ?ever|\bfor good\b|\bpermanent|\bpersist|\bin perpetuity|\bindefinite"
    r"|\bkeeps? its (?:name|number|code)|\bnames?\b[^.;]{0,40}\bstays?\b",
    re.I,
)
_GIVEN_AWAY: Final = re.compile(
    r"\b(?:available (?:again )?(?:to|for) (?:an)?other"
    r"|(?:can|may|will) be (?:used|given|assigned) (?:again|to (?:an)?other)"
    r"|(?:re-?assigned|re-?issued|recycled|re-?used) (?:after|when|if|to))",
    re.I,
)
_DENIED: Final = re.compile(r"\b(?:never|not|nor|no (?:name|number|code))\b", re.I)
_BORROWED: Final = re.compile(
    r"\b(?:domain names?|host ?names?|country codes?|iso 3166(?:-1)?|ip addresses"
    r"|(?:tele)?phone numbers?|mail addresses|trademarks?|ticker symbols?|postal codes?)\b",
    re.I,
)
_MINDED: Final = re.compile(
    r"\b(?:change[sd]? hands|expire|owner|re-?assigned|at the time|on the day|as of|passe[sd] to"
    r"|changes? its|lapse|transfer|dated?\b|even (?:if|after) (?:it|the (?:domain|country|number))"
    r"|means nothing|not (?:based|built|taken))",
    re.I,
)


def assignment_says_for_whom(template: Template, context: Context) -> Iterator[Finding]:
    """Assignment is open, closed or limited, and says which (6.4.3, item 1)."""
    if _is_silent(template, _OPENNESS.signs):
        yield build_finding(
            "assignment",
            "assignment.openness",
            Severity.NOTE,
            "Assignment does not seem to say whether it is open, closed or limited.",
            "Say who assigns names, and how somebody else may ask for one.",
        )


def assignment_keeps_names_unique(template: Template, context: Context) -> Iterator[Finding]:
    """Something keeps the same name from being given twice (6.4.3, item 2)."""
    if has_enough_words(template.assignment) and list_unanswered(template.assignment, (_UNIQUE,)):
        yield build_finding(
            "assignment",
            "assignment.unique",
            Severity.NOTE,
            "Assignment does not seem to say what keeps a name from being given twice.",
            "Describe the list, the number ranges or the algorithm.",
        )


def names_are_never_reassigned(template: Template, context: Context) -> Iterator[Finding]:
    """A name, once given, is never given to anything else (5.1, item 3)."""
    given = _find_reassignment(template.assignment)
    if given:
        yield build_finding(
            "assignment",
            "assignment.reassigned",
            Severity.WARN,
            f"Names seem to be given a second time: {quote_excerpt(given)}.",
            "A URN means one thing for ever; let old names rest.",
            "RFC 8141, section 5.1",
        )
    elif _is_silent(template, _NEVER_REASSIGNED):
        yield build_finding(
            "assignment",
            "assignment.reassigned",
            Severity.WARN,
            "Assignment does not seem to say that a name is never given to anything else.",
            "State it, also for the time after the thing or its owner is gone.",
            "RFC 8141, section 5.1",
        )


def names_do_not_rest_on_what_changes_hands(
    template: Template, context: Context
) -> Iterator[Finding]:
    """Names built on those that others assign anew change their meaning with them (5.1)."""
    match = _BORROWED.search(template.syntax) or _BORROWED.search(template.assignment)
    if match and not _MINDED.search(template.assignment):
        yield build_finding(
            "assignment",
            "assignment.borrowed",
            Severity.WARN,
            f"Names seem to rest on something that others assign, and assign again: “{match[0]}”.",
            "Say what becomes of the names when it passes to somebody else; a date within the"
            " name often helps.",
            "RFC 8141, section 5.1",
        )


def _find_reassignment(text: str) -> str:
    """The sentence that lets names be given again; empty where none does."""
    return next(
        (
            each
            for each in split_sentences(text)
            if _GIVEN_AWAY.search(each) and not _DENIED.search(each)
        ),
        "",
    )


def _is_silent(template: Template, signs: re.Pattern[str]) -> bool:
    return has_enough_words(template.assignment) and not signs.search(template.assignment)


_MIN_SECURITY_WORDS: Final = 20
_LONG: Final = 60
_BOILERPLATE: Final = re.compile(
    r"\bno (?:additional|new|known|specific|special|particular|further|other)?[ ]?"
    r"(?:security|privacy|considerations)\b"
    r"|\b(?:introduce|raise|pose)s? no\b|\bno different (?:from|than)\b|\bbeyond th(?:ose|at)\b"
    r"|\bthe usual measures\b|\bsee (?:the )?security considerations\b",
    re.I,
)
_SECURITY_TOPICS: Final = (
    build_topic(
        "what happens if two names are taken for one or one for two",
        r"compar|equivalen|mistak|taken for|taking|confus|false (?:pos|neg|name)|wrong"
        r"|mix(?:ed|ing)|differ|collision|typ(?:o|ing)|slip",
    ),
    build_topic(
        "what a name reveals",
        r"reveal|privacy|private|personal|persons?\b|people|leak|disclos|confiden"
        r"|tells?\b|sensitive|who\b|nothing about|anonym|donor|author",
    ),
    build_topic(
        "whether names can be guessed or collected",
        r"guess|harvest|enumerat|collect|crawl|scan|whole (?:list|director)|predict"
        r"|in sequence|listed|random",
    ),
)
_MAIL: Final = re.compile(r"[\w.+-]{1,64}(?:@|%40)(?:[\w-]{1,63}\.){1,5}[a-z]{2,20}", re.I)
_PHONE: Final = re.compile(r"(?:tel|phone|mobile|msisdn)[:/=.-]?\+?[0-9]{6,15}|\+[0-9]{8,15}", re.I)


def security_says_more_than_nothing(template: Template, context: Context) -> Iterator[Finding]:
    """A few words, or those that stand everywhere, answer nobody."""
    text = template.security_privacy
    few = bool(text.strip()) and count_words(text, _MIN_SECURITY_WORDS) < _MIN_SECURITY_WORDS
    usual = _BOILERPLATE.search(text) if count_words(text, _LONG) < _LONG else None
    if few or usual:
        how = (
            f"says what stands everywhere, {quote_excerpt(usual[0])}" if usual else "is very short"
        )
        yield build_finding(
            "security_privacy",
            "security.short",
            Severity.WARN,
            f"Security and Privacy {how}.",
            "Say what you considered for assigning, comparing, sending and looking up names.",
        )


def security_answers_its_questions(template: Template, context: Context) -> Iterator[Finding]:
    """The three matters that 6.4.4 names are spoken of."""
    text = template.security_privacy
    missing = list_unanswered(text, _SECURITY_TOPICS) if has_enough_words(text) else []
    if missing:
        yield build_finding(
            "security_privacy",
            "security.questions",
            Severity.NOTE,
            f"Security and Privacy does not seem to say {join_words(missing)}.",
            "Add a sentence on each, also where there is nothing to fear.",
        )


def examples_name_no_person(template: Template, context: Context) -> Iterator[Finding]:
    """An example shows no mail address or telephone number (ours, for 6.4.4)."""
    for name in ("examples", "counter_examples", "syntax"):
        match = _MAIL.search(template[name]) or _PHONE.search(template[name])
        if match:
            yield build_finding(
                name,
                "examples.personal",
                Severity.WARN,
                f"{quote_excerpt(match[0])} looks like the address or the telephone number of"
                " somebody.",
                "Use one that belongs to nobody, and consider what such names reveal.",
                "RFC 8141, section 6.4.4",
            )
            return


_MIN_INTEROPERABILITY_WORDS: Final = 7
_NOTHING: Final = re.compile(r"\b(?:none|no|nothing|not)\b", re.I)
_INTENDED: Final = re.compile(
    r"\b(?:resolution|lookup|look-up|resolving|resolvers?|services?)\b[^.]{0,60}"
    r"\b(?:is|are|will be)[ ](?:also[ ])?"
    r"(?:intended|planned|anticipated|expected|available|foreseen)\b"
    r"|^yes\b",
    re.I,
)
_OPERATOR: Final = re.compile(
    r"\b(?:operat|runs?\b|run by|provid|offer|maintain|recommend|host|by (?:the|its|each|our)\b"
    r"|our\b|answers?\b|at https?:|third part|others may|members? may)",
    re.I,
)


def interoperability_says_where_one_looked(
    template: Template, context: Context
) -> Iterator[Finding]:
    """Known issues MUST be given; "none" is worth as much as the search for them (6.4.5)."""
    text = template.interoperability
    short = (
        bool(text.strip())
        and count_words(text, _MIN_INTEROPERABILITY_WORDS) < _MIN_INTEROPERABILITY_WORDS
    )
    if short and _NOTHING.search(text):
        yield build_finding(
            "interoperability",
            "interoperability.short",
            Severity.WARN,
            "Interoperability says that there is nothing, and not where you looked.",
            "Name the namespaces, schemes and numbering systems that you compared, and what"
            " programs may do to the names.",
        )


def resolution_says_by_whom(template: Template, context: Context) -> Iterator[Finding]:
    """Where resolution is intended, the assigner says whether it runs a service (6.4.6)."""
    text = template.resolution
    if _INTENDED.search(text) and not _OPERATOR.search(text):
        yield build_finding(
            "resolution",
            "resolution.operator",
            Severity.NOTE,
            "Resolution is intended, and nothing is said about who runs a service.",
            "Say whether your organization runs one, or which it recommends.",
        )
