"""Whether Revision Information tells what the text itself shows (RFC 8141, section 6.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding, join_words, split_sentences
from registry.template.fields import BESIDE_SYNTAX, FIELDS, Required
from registry.template.template import Template
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


def revision_names_what_changed(template: Template, context: Context) -> Iterator[Finding]:
    """Each section that differs is spoken of (6.2: differences MUST be described)."""
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
    """The fields whose words differ; what is kept beside Syntax counts as Syntax."""
    beside = [each.name for each in BESIDE_SYNTAX]
    return [
        name
        for name in _COMPARED
        if any(
            template[each].split() != previous[each].split()
            for each in (name, *(beside if name == "syntax" else ()))
        )
    ]


def _is_described_as_changed(label: str, text: str) -> bool:
    # Only the label itself, with its capital: "assigned names" speaks of something else.
    named = re.compile(rf"\b{re.escape(label)}\b")
    return any(named.search(each) and not _NOT.search(each) for each in split_sentences(text))
