"""Where the content of a field ends, because something begins that belongs to no field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from registry.template.reading.label import key
from registry.template.reading.layout import Layout
from registry.template.reading.lines import Line
from registry.template.reading.marks import Mark, mark

_CLOSING: Final = frozenset(
    key(each)
    for each in (
        "acknowledgements, acknowledgments, appendix, author's address, authors' addresses,"
        " authors addresses, author addresses, change log, changes, conclusion, contributors,"
        " end of registration, end of template, full copyright statement, iana considerations,"
        " informative references, intellectual property, intellectual property statement,"
        " introduction, normative references, references, table of contents"
    ).split(", ")
)
_FAREWELL: Final = re.compile(
    r"--|_{5,}|(?:best|kind|warm|many)?[ ]?(?:regards|wishes|thanks)[,.]?|yours [a-z]{1,10},?"
    r"|sincerely,?|[-*=\[(< ]{0,9}end of (?:the )?(?:template|registration).{0,20}"
    r"|On .{5,80} wrote:",
    re.I,
)
LONGEST_TITLE: Final = 70

# Words before a colon that divide a value and begin no field.
WITHIN: Final = frozenset(
    key(each)
    for each in (
        "abnf, address, affiliation, attention, contact, contact information, contact name,"
        " contact person, country, definition, designated contact, designated contact person,"
        " email, e mail, example, examples, counter examples, fax, for example, formal grammar,"
        " grammar, homepage, mail, mobile, name, note, notes, organization, organisation, phone,"
        " postal address, prior use, rationale, registering organization,"
        " registering organisation, rules, street, tel, telephone, title, uri, url, web, website,"
        " where, with"
    ).split(", ")
)


def end(lines: Sequence[Line], places: range, label: Mark, plan: Layout, hangs: bool) -> int:
    """Where the content of a label ends at the latest, because something else begins."""
    first = next((lines[at] for at in places if lines[at].text), None)
    apart = label.value and len(places) > 0 and not lines[places.start].text
    hangs = hangs and first is not None and (first.indent > label.indent or bool(apart))
    fenced = False
    for at in places:
        line = lines[at]
        if line.text.startswith(("```", "~~~")):
            fenced = not fenced
        if line.text and not fenced and _begins_other(lines, at, label, plan, hangs):
            return at
    return places.stop


def _begins_other(lines: Sequence[Line], at: int, label: Mark, plan: Layout, hangs: bool) -> bool:
    line = lines[at]
    alone = at == 0 or not lines[at - 1].text
    if alone and line.indent <= label.indent and _FAREWELL.fullmatch(line.text[:100]):
        return True
    sticks_out = hangs and line.indent <= label.indent
    other = mark(lines, at)
    if other is None or len(other.title) > LONGEST_TITLE:
        return sticks_out and alone
    if _is_heading(lines, other, label, plan, alone):
        return True
    if key(other.title) in WITHIN or (other.label and plan.is_set_alike(other)):
        return False
    if label.style == other.style == "number" and len(other.numbers) > len(label.numbers):
        return False
    return sticks_out and (alone or other.colon)


def _is_heading(lines: Sequence[Line], other: Mark, label: Mark, plan: Layout, alone: bool) -> bool:
    """Whether the line is a heading of the same rank as the label, or of a higher one."""
    if other.label and plan.is_set_alike(other):
        return False
    if other.style == "heading":
        return label.style != "heading" or other.level <= label.level
    below = lines[other.at + 1] if other.at + 1 < len(lines) else None
    free = alone and other.indent <= label.indent and not other.value
    if free and key(other.title) in _CLOSING:
        return True
    if other.style == "bold":
        return plan.style == "bold" and free and key(other.title) not in WITHIN
    if other.style != "number" or not free or (below is not None and below.text):
        return False
    return _outranks(other, label) if label.style == "number" else other.indent < label.indent


def _outranks(other: Mark, label: Mark) -> bool:
    return len(other.numbers) <= len(label.numbers) and other.numbers > label.numbers
