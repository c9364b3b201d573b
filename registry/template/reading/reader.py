"""The steps of reading, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from registry.template.definition import Required
from registry.template.fields import FIELDS, field
from registry.template.reading import assembly
from registry.template.reading.canonical import read_back
from registry.template.reading.label import key
from registry.template.reading.layout import Layout, layout
from registry.template.reading.lines import passages, split
from registry.template.reading.marks import labels
from registry.template.reading.page_breaks import without_page_breaks
from registry.template.reading.result import Generation, Passage, ReadField, Reading
from registry.template.reading.sections import Section, sections
from registry.template.template import Template

MOST: Final = 500_000
"""So many characters are read; what is beyond is left over."""

_ASKED: Final = tuple(each.name for each in FIELDS if each.required is Required.ALWAYS)
_FIRST_OF_TWO: Final = key("Declaration of structure")
_SPOKEN: Final = {
    "8141": "The text follows the template of RFC 8141.",
    "3406": "The text follows the older template of RFC 3406. What it says was put where RFC 8141"
    " asks for it.",
    "2611": "The text follows the oldest template, that of RFC 2611. What it says was put where"
    " RFC 8141 asks for it.",
    "mixed": "The text has fields of RFC 8141 and of the older template. What belongs together"
    " was put together.",
    "": "No template was recognized in the text.",
}


def read(text: str) -> Reading:
    """What is understood of `text` as a registration template; any text can be read.

    A text that `write` made gives back the template it was made from.
    """
    fields = read_back(text)
    if fields is None:
        return _understood(text)
    return Reading(
        template=_template(fields),
        generation="8141",
        fields=fields,
        remarks=(_SPOKEN["8141"], *_missing(fields)),
    )


def _understood(text: str) -> Reading:
    text, beyond = text[:MOST], text[MOST:]
    lines, marks = split(text)
    lines, breaks = without_page_breaks(lines)
    plan = layout(lines, labels(lines))
    found, rest = sections(lines, plan)
    fields, left = assembly.fields(found, text)
    taken = sorted([*breaks, *([each] for each in marks)])
    generation = _generation(found)
    return Reading(
        template=_template(fields),
        generation=generation,
        fields=fields,
        left_over=(*sorted((*rest, *left), key=_place), *_beyond(text, beyond)),
        taken_out=tuple(passage for each in taken for passage in passages(each)),
        remarks=(
            _SPOKEN[generation],
            *_missing(fields),
            *_circumstances(plan, len(breaks), beyond),
        ),
    )


def _template(fields: Sequence[ReadField]) -> Template:
    return Template.from_dict({each.name: each.value for each in fields})


def _place(passage: Passage) -> int:
    return passage.first


def _beyond(text: str, beyond: str) -> Iterator[Passage]:
    if beyond.strip():
        first = text.count("\n") + 1
        yield Passage(beyond, first, first + beyond.count("\n"))


def _generation(found: Sequence[Section]) -> Generation:
    """By which RFC the labels are; those that both have do not count."""
    named = [label for section in found if (label := section.mark.label)]
    old = any(label.kind == "old" for label in named)
    new = any(label.kind == "new" for label in named)
    if old and new:
        return "mixed"
    if not old:
        return "8141" if new else ""
    first = any(key(section.mark.title) == _FIRST_OF_TWO for section in found)
    return "2611" if first else "3406"


def _missing(found: Sequence[ReadField]) -> Iterator[str]:
    filled = {each.name for each in found if each.value.strip()}
    missing = [field(name).label for name in _ASKED if name not in filled]
    if found and missing:
        yield f"Nothing was found for {_listed(missing)}."


def _circumstances(plan: Layout, breaks: int, beyond: str) -> Iterator[str]:
    if breaks:
        times = "A page break was" if breaks == 1 else f"{breaks:,} page breaks were"
        yield f"{times} taken out of the text."
    if plan.second is not None:
        yield "A second template begins further down. It was left as it is; read it by itself."
    if beyond:
        yield f"Only the first {MOST:,} characters were read."


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
