"""Characters nobody can see, and more text than anybody can read. Both rules are ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.fields import ORDER, field
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

LONGEST: Final = 100_000

CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_DIRECTION: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LOCAL: Final = "local rule"


def no_control_characters(template: Template, context: Context) -> Iterator[Finding]:
    """Text has no control characters but line ends and tabs."""
    for name, where in _places(CONTROL, template):
        yield finding(
            name,
            "characters.control",
            Severity.BLOCK,
            f"{field(name).label} has a control character {where}.",
            "Delete it. It often comes with text copied from a PDF or a terminal.",
            _LOCAL,
        )


def no_hidden_turns_of_direction(template: Template, context: Context) -> Iterator[Finding]:
    """No invisible mark makes text read otherwise than it is stored."""
    for name, where in _places(_DIRECTION, template):
        yield finding(
            name,
            "characters.direction",
            Severity.WARN,
            f"{field(name).label} has an invisible mark {where}. It changes the order in which"
            " characters are shown.",
            "Delete it, unless the text needs it to be read rightly.",
            _LOCAL,
        )


def no_field_is_endless(template: Template, context: Context) -> Iterator[Finding]:
    """A field keeps within what the registry stores and compares."""
    for name in ORDER:
        length = len(template[name])
        if length > LONGEST:
            yield finding(
                name,
                "field.length",
                Severity.BLOCK,
                f"{field(name).label} has {length:,} characters; {LONGEST:,} is the most.",
                "Shorten it, or move the details to a document and name it under Documentation.",
                _LOCAL,
            )


def position(text: str, index: int) -> str:
    """Where in `text` the character is, as people count: "line 3, column 12"."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return f"line {line}, column {column}"


def _places(pattern: re.Pattern[str], template: Template) -> Iterator[tuple[str, str]]:
    """Each field in which the pattern is found, which character comes first, where, how many."""
    for name in ORDER:
        text = template[name]
        first = pattern.search(text)
        if first:
            more = len(pattern.findall(text)) - 1
            point = f"U+{ord(first[0]):04X}"
            also = f", and {more:,} more" if more else ""
            yield name, f"({point}) in {position(text, first.start())}{also}"
