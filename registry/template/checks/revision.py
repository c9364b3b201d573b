"""Whether Revision Information describes what the text itself shows (RFC 8141, section 6.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import find_sentence, join_words, split_sentences
from registry.template.fields import FIELDS, SUBFIELDS, Required
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_COMPARED: Final = tuple(
    each.name
    for each in FIELDS
    if each.required is not Required.REGISTRY and each.name not in ("nid", "revision_information")
)
_SIGNS: Final = {
    "registrant": r"registrant|contact|address|organi[sz]ation",
    "purpose": r"purpose",
    "syntax": r"syntax|grammar|example|abnf|equivalence|encod",
    "assignment": r"assign",
    "security_privacy": r"security|privacy",
    "interoperability": r"interoperab",
    "resolution": r"resol|look-?up|service",
    "documentation": r"document|specification|edition|reference",
    "additional_information": r"additional",
}
_NOT: Final = re.compile(
    r"\b(?:not?|un(?:changed|affected|modified)|same|as before|stay|stays|remain|remains|keep|keeps"
    r"|other than|except|names assigned)\b",
    re.I,
)
_LABELS: Final = {each.name: each.label for each in FIELDS}


def revision_changes_something(template: Template, context: Context) -> Iterator[Finding]:
    """A new version differs from the last."""
    if context.previous is not None and not _list_changed(template, context.previous):
        yield build_finding(
            "revision_information",
            "revision.same",
            Severity.WARN,
            "The text is the same as that of the last version.",
            "Make the changes, or withdraw the request.",
        )


_MAX_EMPTY_LENGTH: Final = 400
_EMPTY_ANSWER: Final = frozenset(
    """
    a above after all amended amendment amendments an and applied are as at bd been below best
    bug by change changed changes clarification clarifications cleaned cleanup complete
    completely content contents correct corrected correction corrections current currently date
    description different differs do document done earlier edit edited editing edition editorial
    edits entire entirely etc everything few first fix fixed fixes following for from full fully
    further general given has have here i improve improved improvement improvements in initial
    into is it its last later latest made major make many minor misc miscellaneous modification
    modifications modified modify more my n na namespace nd necessary need needed new newer
    newest no none not nothing now number of old older on one or original other our out overall
    part partial parts please possible previous previously prior registration release released
    renewed replaced request requested required reviewed revise revised revision revisions
    rewrite rewritten said same second section sections see several since slight slightly small
    some something st stuff submission submit submitted tba tbd template text texts th than that
    the their there these they thing things third this those throughout to todo typo typos under
    up update updated updates updating upgrade upgraded us v various version versions very was
    we were what where whole with wording work
    """.split()
)
"""Words that cannot describe a difference, in any combination."""
_ANY_WORD: Final = re.compile(r"[^\W\d_]+")


def revision_says_what_changed(template: Template, context: Context) -> Iterator[Finding]:
    """Boilerplate such as "Some things changed." describes no difference (6.2: MUST)."""
    text = template.revision_information.strip()
    if not (context.is_revision and text) or len(text) > _MAX_EMPTY_LENGTH:
        return
    if _EMPTY_ANSWER.issuperset(_ANY_WORD.findall(text.lower())):
        yield build_finding(
            "revision_information",
            "revision.vague",
            Severity.BLOCK,
            f"Revision Information says only {quote_excerpt(text)}, and that does not describe any"
            " difference from the version before.",
            "Name each section that differs and say in a sentence what is different there, and"
            " why.",
            "RFC 8141, section 6.2",
        )


def revision_names_what_changed(template: Template, context: Context) -> Iterator[Finding]:
    """Each section that differs is mentioned (6.2: differences MUST be described)."""
    text = template.revision_information
    if context.previous is None or not text.strip():
        return
    silent = [
        _LABELS[name]
        for name in _list_changed(template, context.previous)
        if not re.search(rf"\b(?:{_SIGNS[name]})", text, re.I)
    ]
    if silent:
        yield build_finding(
            "revision_information",
            "revision.unmentioned",
            Severity.NOTE,
            f"Revision Information does not speak of {join_words(silent)}, and the text there"
            " differs from the last version.",
            "Say what is different, one sentence for each.",
        )


_EARLIER: Final = ("earlier", "old", "existing", "previous", "former", "prior", "version")
_INVALIDATED: Final = re.compile(
    r"\b(?:earlier|old|existing|previous|former|version 1|prior)\b[^.;]{0,40}\b(?:names?|URNs?"
    r"|identifiers?)\b[^.;]{0,60}\b(?:no longer|invalid|withdrawn|not (?:be )?valid|cease|expire"
    r"|re-?assigned|renamed|replaced|discontinued|must (?:not be used|be replaced))",
    re.I,
)


def names_given_out_stay_valid(template: Template, context: Context) -> Iterator[Finding]:
    """A revision does not withdraw names (5.1, criterion 3)."""
    if not context.is_revision:
        return
    for name in ("revision_information", "syntax", "assignment"):
        sentence = find_sentence(
            template[name], _EARLIER, lambda each: _INVALIDATED.search(each) is not None
        )
        if sentence:
            yield build_finding(
                name,
                "revision.invalidates",
                Severity.WARN,
                f"Names given out earlier seem to lose their meaning: {quote_excerpt(sentence)}.",
                "Let them stay valid, and say that no more of the kind are given out.",
                "RFC 8141, section 5.1",
            )
            return


def revision_names_nothing_else(template: Template, context: Context) -> Iterator[Finding]:
    """What is said to have changed has changed."""
    if context.previous is None:
        return
    changed = _list_changed(template, context.previous)
    wrongly = [
        _LABELS[name]
        for name in _COMPARED
        if name not in changed
        and _is_described_as_changed(_LABELS[name], template.revision_information)
    ]
    if wrongly:
        yield build_finding(
            "revision_information",
            "revision.unfounded",
            Severity.NOTE,
            f"Revision Information speaks of {join_words(wrongly)}, and the text there is the"
            " same as in the last version.",
            "Look whether the change was forgotten, or whether another section is meant.",
        )


def _list_changed(template: Template, previous: Template) -> list[str]:
    """The fields whose words differ; subfields count as their section."""
    return [
        name
        for name in _COMPARED
        if any(
            template[each].split() != previous[each].split()
            for each in (name, *(subfield.name for subfield in SUBFIELDS.get(name, ())))
        )
    ]


def _is_described_as_changed(label: str, text: str) -> bool:
    # Only the label itself, capitalised: "assigned names" means something else.
    named = re.compile(rf"\b{re.escape(label)}\b")
    return any(named.search(each) and not _NOT.search(each) for each in split_sentences(text))
