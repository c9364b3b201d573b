"""Which lines are labels, what belongs to each, and where text begins that belongs to none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from registry.template.reading.labels import (
    EDITION_LABEL,
    Label,
    LabelMark,
    find_mark,
    normalize_label,
)
from registry.template.reading.lines import (
    Passage,
    TextLine,
    build_passages,
    trim_lines,
)

_MAIL: Final = re.compile(
    r"(?:from|to|cc|subject|sent|reply-to|message-id|in-reply-to|list-id|mime-version)\s?:", re.I
)
_FACTS: Final = frozenset({"nid", "version", "date"})
_NEAR: Final = 2


class LabelLayout(NamedTuple):
    """The labels in order, how most of them are set, and where a second template begins."""

    labels: tuple[LabelMark, ...]
    style: str
    indent: int
    second: int | None

    def is_set_alike(self, mark: LabelMark) -> bool:
        """Whether another line is set as most labels are."""
        return mark.style == self.style and mark.indent == self.indent


def find_layout(lines: Sequence[TextLine], marks: Sequence[LabelMark]) -> LabelLayout:
    """The labels of the first template among lines that may be some."""
    places = {mark.at for mark in marks}
    marks = [mark for mark in marks if mark.at - 1 in places or _is_free_standing(lines, mark)]
    if not marks:
        return LabelLayout((), "", 0, None)
    style, indent = _find_most_used(marks)
    old = _is_old_template(marks, style, indent)
    alike = {_get_name(mark) for mark in marks if (mark.style, mark.indent) == (style, indent)}
    fit = [mark for mark in marks if _fits_layout(mark, style, indent, alike, old)]
    chosen, repeated = _keep_first(lines, fit)
    second = _find_second_template(chosen, repeated)
    if second is not None:
        chosen = [mark for mark in chosen if mark.at < second]
    return LabelLayout(tuple(chosen), style, indent, second)


def _get_label(mark: LabelMark) -> Label:
    label = mark.label
    assert label, "only labels are laid out"
    return label


def _get_name(mark: LabelMark) -> str:
    label = _get_label(mark)
    return label.field if label.field in _FACTS else label.name


def _is_free_standing(lines: Sequence[TextLine], mark: LabelMark) -> bool:
    """Whether the line is no part of a sentence, and no header of a letter."""
    before = lines[mark.at - 1] if mark.at else None
    after = lines[mark.at + 1] if mark.at + 1 < len(lines) else None
    if _get_label(mark).field == "date" and any(
        near and _MAIL.match(near.text) for near in (before, after)
    ):
        return False
    if mark.colon or mark.style in ("heading", "bold") or mark.height > 1:
        return True
    if before is None or not before.text or (after is not None and after.lead):
        return True
    return before.indent > mark.indent or before.text.endswith(":")


def _find_most_used(marks: Iterable[LabelMark]) -> tuple[str, int]:
    """The way in which most different labels are set."""
    names: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for mark in marks:
        names[mark.style, mark.indent].add(_get_name(mark))
    return max(names, key=lambda way: len(names[way]))


def _is_old_template(marks: Iterable[LabelMark], style: str, indent: int) -> bool:
    kinds = Counter(
        _get_label(mark).kind for mark in marks if (mark.style, mark.indent) == (style, indent)
    )
    return kinds["old"] > kinds["new"]


def _fits_layout(mark: LabelMark, style: str, indent: int, alike: set[str], old: bool) -> bool:
    """Whether a line is one of the labels; what is set otherwise has to have good reasons."""
    label = _get_label(mark)
    if (mark.style, mark.indent) == (style, indent):
        return True
    if _get_name(mark) in alike:
        return False
    if label.field in _FACTS or label.field == EDITION_LABEL:
        return mark.colon or mark.indent <= indent
    if abs(mark.indent - indent) <= _NEAR and mark.style == style:
        return True
    if not label.is_distinct or label.kind == ("new" if old else "old"):
        return label.is_distinct and mark.indent <= indent and mark.style in ("heading", "number")
    return mark.indent <= indent or mark.colon


def _keep_first(
    lines: Sequence[TextLine], marks: Sequence[LabelMark]
) -> tuple[list[LabelMark], list[LabelMark]]:
    """Each label once, the first that has a value; a table of contents has none."""
    ends = [*(mark.at for mark in marks[1:]), len(lines)]
    full = {
        mark.at
        for mark, end in zip(marks, ends, strict=True)
        if mark.value or any(lines[at].text for at in range(mark.at + mark.height, end))
    }
    taken: dict[str, LabelMark] = {}
    for mark in marks:
        before = taken.get(_get_name(mark))
        listed = (
            before
            and before.at not in full
            and normalize_label(before.title) == normalize_label(mark.title)
        )
        if before is None or (listed and mark.at in full):
            taken[_get_name(mark)] = mark
    chosen = {mark.at for mark in taken.values()}
    return (
        [mark for mark in marks if mark.at in chosen],
        [mark for mark in marks if mark.at not in chosen],
    )


def _find_second_template(chosen: Sequence[LabelMark], repeated: Sequence[LabelMark]) -> int | None:
    """Where a second template begins: an identifier again, and other fields after it."""
    first = next((mark.at for mark in chosen if _get_name(mark) == "nid"), 0)
    for place, mark in enumerate(repeated):
        if mark.at > first and _get_name(mark) == "nid":
            return mark.at if len({_get_name(each) for each in repeated[place:]}) > 2 else None
    return None


_CLOSING: Final = frozenset(
    normalize_label(each)
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
MAX_TITLE_LENGTH: Final = 70

# Words before a colon that divide a value and begin no field.
SUBHEADING_KEYS: Final = frozenset(
    normalize_label(each)
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


def find_section_end(
    lines: Sequence[TextLine], places: range, label: LabelMark, plan: LabelLayout, hangs: bool
) -> int:
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


def _begins_other(
    lines: Sequence[TextLine], at: int, label: LabelMark, plan: LabelLayout, hangs: bool
) -> bool:
    line = lines[at]
    alone = at == 0 or not lines[at - 1].text
    if alone and line.indent <= label.indent and _FAREWELL.fullmatch(line.text[:100]):
        return True
    sticks_out = hangs and line.indent <= label.indent
    other = find_mark(lines, at)
    if other is None or len(other.title) > MAX_TITLE_LENGTH:
        return sticks_out and alone
    if _is_heading(lines, other, label, plan, alone):
        return True
    if normalize_label(other.title) in SUBHEADING_KEYS or (
        other.label and plan.is_set_alike(other)
    ):
        return False
    if label.style == other.style == "number" and len(other.numbers) > len(label.numbers):
        return False
    return sticks_out and (alone or other.colon)


def _is_heading(
    lines: Sequence[TextLine], other: LabelMark, label: LabelMark, plan: LabelLayout, alone: bool
) -> bool:
    """Whether the line is a heading of the same rank as the label, or of a higher one."""
    if other.label and plan.is_set_alike(other):
        return False
    if other.style == "heading":
        return label.style != "heading" or other.level <= label.level
    below = lines[other.at + 1] if other.at + 1 < len(lines) else None
    free = alone and other.indent <= label.indent and not other.value
    if free and normalize_label(other.title) in _CLOSING:
        return True
    if other.style == "bold":
        return plan.style == "bold" and free and normalize_label(other.title) not in SUBHEADING_KEYS
    if other.style != "number" or not free or (below is not None and below.text):
        return False
    return _outranks(other, label) if label.style == "number" else other.indent < label.indent


def _outranks(other: LabelMark, label: LabelMark) -> bool:
    return len(other.numbers) <= len(label.numbers) and other.numbers > label.numbers


_MOSTLY: Final = 0.8


class LabelledSection(NamedTuple):
    """A label and the lines that belong to it."""

    mark: LabelMark
    lines: tuple[TextLine, ...]

    @property
    def last(self) -> int:
        """The number of the last line that says something."""
        return self.lines[-1].number if self.lines else self.mark.number + self.mark.height - 1

    @property
    def value(self) -> str:
        """What the label is answered with, moved to the margin."""
        above = [self.mark.value] if self.mark.value else []
        below = self.lines
        if above and below and below[0].number > self.mark.number + self.mark.height:
            above.append("")
        if below and below[0].lead:
            # In a definition list the first line hangs by its colon, the others by themselves.
            above, below = [*above, below[0].text], below[1:]
        margin = min((line.indent for line in below if line.text), default=0)
        return "\n".join(
            (
                *above,
                *(" " * (line.indent - margin) + line.text if line.text else "" for line in below),
            )
        )


def split_sections(
    lines: Sequence[TextLine], plan: LabelLayout
) -> tuple[tuple[LabelledSection, ...], tuple[Passage, ...]]:
    """The labels with their content, and the passages before, between and after them."""
    found: list[LabelledSection] = []
    rest: list[Passage] = []
    end = len(lines) if plan.second is None else plan.second
    starts = [*(each.at for each in plan.labels), end]
    rest += build_passages(lines[: starts[0]])
    hangs = _has_hanging_values(lines, plan, starts)
    for each, (start, after) in zip(plan.labels, pairwise(starts), strict=True):
        first = start + each.height
        stop = find_section_end(lines, range(first, after), each, plan, hangs)
        found.append(LabelledSection(each, tuple(trim_lines(lines[first:stop]))))
        rest += _collect_unread(lines, stop, after)
    rest += build_passages(lines[end:])
    return tuple(found), tuple(rest)


def _collect_unread(lines: Sequence[TextLine], stop: int, after: int) -> Iterator[Passage]:
    if stop < after:
        first = find_mark(lines, stop)
        titled = (
            first
            and len(first.title) <= MAX_TITLE_LENGTH
            and (first.colon or first.style != "plain")
        )
        yield from build_passages(lines[stop:after], first.title if first and titled else "")


def _has_hanging_values(
    lines: Sequence[TextLine], plan: LabelLayout, starts: Sequence[int]
) -> bool:
    """Whether values stand to the right of their labels in nearly all places."""
    firsts = [
        (each, next((line for line in lines[start + each.height : after] if line.text), None))
        for each, (start, after) in zip(plan.labels, pairwise(starts), strict=True)
    ]
    deeper = [line.indent > each.indent for each, line in firsts if line is not None]
    return len(deeper) > 1 and sum(deeper) >= _MOSTLY * len(deeper)
