"""The template as plain text, in the shape of RFC 8141, Appendix A.

A label stands at the margin and ends in a colon. A value stands behind it when it is a line of
the registry's or the identifier, else below it, three columns in; so a label is never mistaken
for a value. What is kept beside Syntax stands at the end of Syntax under labels of its own,
three columns in, its values six.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from registry.template.definition import Field, Required
from registry.template.fields import FIELDS
from registry.template.template import Template
from registry.template.wrapping import indent, wrap

WIDTH: Final = 72
DEPTH: Final = 3

GRAMMAR_LABELS: Final = {
    "": "Formal grammar:",
    "abnf": "Formal grammar (ABNF):",
    "regex": "Formal grammar (regular expression):",
    "opaque": "Formal grammar (none, names are opaque):",
    "algorithmic": "Formal grammar (none, names follow an algorithm):",
}
EXAMPLES_LABEL: Final = "Examples:"
COUNTER_EXAMPLES_LABEL: Final = "Counter-examples:"
PRIOR_USE_LABEL: Final = "Prior use:"


def write(template: Template) -> str:
    """The canonical text: the same content gives the same bytes, ending in one line feed.

    Lines are at most 72 columns unless a word is longer or the line is preformatted. A field
    that has to be answered is there even when it is empty; an empty one that has not is left out.
    """
    written = (_field(each, template) for each in FIELDS)
    return "\n".join(text for text in written if text)


def sha256(template: Template) -> str:
    """The SHA-256 of the canonical text in UTF-8, in hexadecimal."""
    return hashlib.sha256(write(template).encode("utf-8")).hexdigest()


def _field(each: Field, template: Template) -> str:
    lines = list(_value(each, template))
    if not lines:
        optional = each.required in (Required.NEVER, Required.REVISION)
        return "" if optional else f"{each.label}:\n"
    if each.rows == 1 and len(lines) == 1:
        return f"{each.label}: {lines[0].strip()}\n"
    return "\n".join((f"{each.label}:", *indent(lines, DEPTH), ""))


def _value(each: Field, template: Template) -> Iterator[str]:
    text = template[each.name]
    if text:
        yield from wrap(text, WIDTH - DEPTH)
    if each.name == "syntax":
        yield from _beside_syntax(template, gap=bool(text))


def _beside_syntax(template: Template, *, gap: bool) -> Iterator[str]:
    for label, lines in _blocks(template):
        if gap:
            yield ""
        gap = True
        yield label
        if lines:
            yield ""
            yield from indent(lines, DEPTH)


def _blocks(template: Template) -> Iterator[tuple[str, list[str]]]:
    if template.grammar or template.grammar_kind:
        grammar = template.grammar.split("\n") if template.grammar else []
        yield GRAMMAR_LABELS[template.grammar_kind], grammar
    if template.examples:
        yield EXAMPLES_LABEL, list(template.examples)
    if template.counter_examples:
        yield COUNTER_EXAMPLES_LABEL, list(template.counter_examples)
    if template.prior_use:
        yield PRIOR_USE_LABEL, list(wrap(template.prior_use, WIDTH - 2 * DEPTH))
