"""Words that say "this is not finished yet"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from registry.template.checks.characters import position
from registry.template.checks.context import Context, finding
from registry.template.fields import ORDER, field
from registry.template.template import Template
from registry.urn.finding import Finding

# In quotation marks a word is spoken of, not used; behind a colon, dot, slash or hyphen it is
# part of a name.
_BEFORE: Final = r"(?<![\w\"“‘'`:./-])"
_AFTER: Final = r"(?![\w\"”’'`-])"
_LEFT: Final = re.compile(
    rf"""
    {_BEFORE} (?: (?i:TBD) | TBA | TODO | FIXME | (?i:Requested[ ]of[ ]IANA) ) {_AFTER}
    | {_BEFORE} (?i:xxx) x* X* {_AFTER} (?![:/])
    | {_BEFORE} RFC[ -]?X{{3,5}} {_AFTER}
    | (?i: (?: ^ | [(\[:;,.][ ]? | \b(?:is|are|remains?|still|yet)[ ] )
        (?P<phrase>to[ ]be[ ]determined) (?= [ ]* (?: [.,;:)\]] | $ ) ) )
    """,
    re.X | re.M,
)
_SKIPPED: Final = frozenset({"nid", "version", "date", "grammar_kind"})
_MOST: Final = 5


def nothing_is_left_for_later(template: Template, context: Context) -> Iterator[Finding]:
    """No field holds a placeholder; while the text is being written, that is a reminder."""
    for name in ORDER:
        if name not in _SKIPPED:
            yield from _in_field(name, template[name], context)


def _in_field(name: str, text: str, context: Context) -> Iterator[Finding]:
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for match in _LEFT.finditer(text):
        words, start = match["phrase"] or match[0], match.start("phrase")
        counts[words[:30]] += 1
        first.setdefault(words[:30], match.start() if start < 0 else start)
    for words, index in list(first.items())[:_MOST]:
        times = f", {counts[words]:,} times" if counts[words] > 1 else ""
        yield finding(
            name,
            "placeholder.left",
            context.unfinished,
            f"{field(name).label} still says “{words}” in {position(text, index)}{times}.",
            "Replace it by what is meant. If the text speaks of the word itself, put the word in"
            " quotation marks.",
        )
