"""Which of the seven matters of RFC 8141, section 6.4.1 Purpose speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.checks.wording import Question, is_begun, listed, question, unanswered
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_RELATION: Final = "how they relate to other namespaces and numbering systems"
_LOOK_UP: Final = "whether they can be looked up"
_ALSO: Final = {
    _RELATION: ("interoperability", "additional_information"),
    _LOOK_UP: ("resolution",),
}
_QUESTIONS: Final = (
    question(
        "what kind of thing has a name",
        r"identif|name[sd]? (?:stand|for|of)|stands? for|naming|resource|assigned to",
    ),
    question(
        "who uses the names and on what networks",
        r"communit|public|private|internet|worldwide|global|users?\b|used (?:by|in)"
        r"|industr|network|people who|members?\b",
    ),
    question(
        "what people gain by them",
        r"benefit|gain|lasting|persist|stable|permanent|lets?\b|allow|enabl|so that"
        r"|can be found|advantage|without depending|leads? back|unambiguous"
        r"|keeps? pointing|can (?:ask|find|tell|be told|be cited)|a way to",
    ),
    question(
        _RELATION,
        r"other (?:\w+ )?(?:namespace|scheme|system|identifier|name|number)|existing"
        r"|no registered|namespaces?\b[^.]{0,40}\b(?:exist|name|differ|overlap|concern)"
        r"|uri schemes?|overlap|numbering|in place of|instead of|complement"
        r"|compared? (?:to|with)|identifiers for"
        r"|(?:catalogue|inventory|serial|book|isbn|issn|doi|uuid)",
    ),
    question(
        "which programs use them",
        r"program|software|application|systems\b|tools?\b|database|browser|implement"
        r"|machine|index",
    ),
    question(
        _LOOK_UP,
        r"resol|look(?:ed)?[- ]?up|service|dereferenc",
    ),
    question(
        "whether they are to become part of a standard",
        r"standard",
    ),
)


def purpose_answers_its_questions(template: Template, context: Context) -> Iterator[Finding]:
    """The text speaks of all seven matters, or nobody can tell whether they were thought of.

    What another section is asked for as well may stand there alone.
    """
    if not is_begun(template.purpose):
        return
    missing = [
        each.words
        for each in _QUESTIONS
        if unanswered("\n".join(template[name] for name in _places(each)), (each,))
    ]
    if missing:
        count = len(_QUESTIONS) - len(missing)
        yield finding(
            "purpose",
            "purpose.questions",
            Severity.NOTE,
            f"Purpose speaks of {count} of the seven matters of section 6.4.1. It does not seem to"
            f" say {listed(missing)}.",
            "Add a sentence on each, also where the answer is no.",
        )


def _places(each: Question) -> tuple[str, ...]:
    return ("purpose", *_ALSO.get(each.words, ()))
