"""Which lines are labels, what belongs to each, and where text begins that belongs to none."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from registry.template.reading.label_names import EDITION_LABEL, Label, normalize_label
from registry.template.reading.labels import LabelMark, find_mark
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
_FEW: Final = 2


class LabelLayout(NamedTuple):
    """The labels of one template in order, and the layout of most of them.

    `end` is where another template begins further down, `outer` the positions of labels outside the
    template, in sections of their own.
    """

    labels: tuple[LabelMark, ...]
    layout: tuple[str, int, int]
    end: int | None = None
    outer: frozenset[int] = frozenset()

    @property
    def style(self) -> str:
        """The style of most labels."""
        return self.layout[0]

    @property
    def has_colons(self) -> bool:
        """Whether a colon follows most labels."""
        return 2 * sum(mark.colon for mark in self.labels) > len(self.labels)

    @property
    def has_values(self) -> bool:
        """Whether the value follows most labels on the same line."""
        return 2 * sum(bool(mark.value) for mark in self.labels) > len(self.labels)

    def is_set_alike(self, mark: LabelMark) -> bool:
        """Whether another line has the layout of most labels."""
        return mark.layout == self.layout

    def is_inner(self, place: int) -> bool:
        """Whether the label in that position is followed by another of the same template."""
        following = place + 1
        return following < len(self.labels) and not (
            {self.labels[place].at, self.labels[following].at} & self.outer
        )


def iterate_layouts(lines: Sequence[TextLine], marks: Sequence[LabelMark]) -> Iterator[LabelLayout]:
    """The labels of each template among candidate lines; one without labels for none."""
    places = {mark.at for mark in marks}
    marks = [mark for mark in marks if mark.at - 1 in places or _is_free_standing(lines, mark)]
    if not marks:
        yield LabelLayout((), ("", 0, 0))
        return
    layout = _find_most_used(marks)
    old = _is_old_template(marks, layout)
    alike = {_get_name(mark) for mark in marks if mark.layout == layout}
    fit = _drop_stray_facts([mark for mark in marks if _fits_layout(mark, layout, alike, old)])
    full = _find_answered(lines, fit)
    headings = _find_document_headings(lines, layout)
    anchors = _find_anchors(fit, full, headings)
    if not anchors:
        yield _choose_labels(fit, full, layout, (0, None), None, headings)
    ends: list[int | None] = [*anchors[1:], None]
    for place, (anchor, end) in enumerate(zip(anchors, ends[: len(anchors)], strict=True)):
        bounds = (anchor if place else 0, end)
        yield _choose_labels(fit, full, layout, bounds, anchor, headings)


def _get_label(mark: LabelMark) -> Label:
    label = mark.label
    assert label, "only labels are laid out"
    return label


def _get_name(mark: LabelMark) -> str:
    label = _get_label(mark)
    return label.field if label.field in _FACTS else label.name


def _is_detachable(mark: LabelMark) -> bool:
    """Whether RFC 3406, section 4.3 asks for the section besides the template."""
    is_asked = _get_label(mark).field in ("purpose", "security_privacy")
    return is_asked and normalize_label(mark.title).endswith(" consideration")


def _is_free_standing(lines: Sequence[TextLine], mark: LabelMark) -> bool:
    """Whether the line is not part of a sentence, nor a mail header."""
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


def _find_most_used(marks: Iterable[LabelMark]) -> tuple[str, int, int]:
    """The layout of most different labels."""
    names: defaultdict[tuple[str, int, int], set[str]] = defaultdict(set)
    for mark in marks:
        names[mark.layout].add(_get_name(mark))
    return max(names, key=lambda layout: len(names[layout]))


def _is_old_template(marks: Iterable[LabelMark], layout: tuple[str, int, int]) -> bool:
    kinds = Counter(_get_label(mark).kind for mark in marks if mark.layout == layout)
    return kinds["old"] > kinds["new"]


def _fits_layout(mark: LabelMark, layout: tuple[str, int, int], alike: set[str], old: bool) -> bool:
    """Whether a line is one of the labels; a different layout needs good reasons."""
    label = _get_label(mark)
    style, indent, depth = layout
    if mark.layout == layout:
        return True
    if style == mark.style == "number" and len(mark.numbers) > depth:
        return False
    if _get_name(mark) in alike:
        return False
    if label.field in _FACTS or label.field == EDITION_LABEL or label.name == "Registrant":
        return mark.colon or mark.indent <= indent
    if abs(mark.indent - indent) <= _NEAR and mark.style == style:
        return True
    if not label.is_distinct or label.kind == ("new" if old else "old"):
        return label.is_distinct and mark.indent <= indent and mark.style in ("heading", "number")
    return mark.indent <= indent or mark.colon


def _drop_stray_facts(marks: Sequence[LabelMark]) -> list[LabelMark]:
    """The labels without version and date that are far from other facts of the template."""
    kept: list[LabelMark] = []
    heads = {"nid", "version", "date", EDITION_LABEL, "registrant"}
    for place, mark in enumerate(marks):
        near = marks[place - 1] if place else None
        following = marks[place + 1] if place + 1 < len(marks) else None
        is_fact = _get_label(mark).field in ("version", "date")
        if (
            not is_fact
            or mark.colon
            or (near and _get_label(near).field in heads)
            or (following and _get_label(following).field in heads)
        ):
            kept.append(mark)
    return kept


def _find_answered(lines: Sequence[TextLine], marks: Sequence[LabelMark]) -> set[int]:
    """The positions of labels with something below or after them."""
    ends = [*(mark.at for mark in marks[1:]), len(lines)]
    return {
        mark.at
        for mark, end in zip(marks, ends, strict=True)
        if mark.value or any(lines[at].text for at in range(mark.at + mark.height, end))
    }


def _find_document_headings(lines: Sequence[TextLine], layout: tuple[str, int, int]) -> list[int]:
    """Where sections of the document begin that cannot be within a template."""
    style, indent, depth = layout
    places = []
    for at, line in enumerate(lines):
        if not line.text or (line.text[0] not in "#" and not line.text[0].isalnum()):
            continue
        if not _is_title_alone(lines, at) or len(line.text) > MAX_TITLE_LENGTH + 10:
            continue
        mark = find_mark(lines, at)
        if mark is None or mark.label or mark.value or not _is_title(mark.title):
            continue
        if mark.style == "number":
            above = mark.indent < indent or (
                style == "number" and mark.indent == indent and len(mark.numbers) < depth
            )
        else:
            above = mark.style == "heading" and style not in ("heading", "number")
        if above:
            places.append(at)
    return places


def _is_title_alone(lines: Sequence[TextLine], at: int) -> bool:
    """Whether empty lines surround a line and its continuation, if it was too long."""
    if at and lines[at - 1].text:
        return False
    below = at + 1
    if below < len(lines) and lines[below].text and lines[below].indent > lines[at].indent:
        below += 1
    return below >= len(lines) or not lines[below].text


def _find_anchors(marks: Sequence[LabelMark], full: set[int], headings: Sequence[int]) -> list[int]:
    """Where templates begin: at an identifier followed by other fields, or the best if none is."""
    names: dict[int, set[str]] = {}
    anchor: int | None = None
    for mark in marks:
        if _get_name(mark) == "nid" and mark.at in full:
            anchor = mark.at
            names[anchor] = set()
        if anchor is not None and not _is_divided(headings, anchor, mark.at):
            names[anchor].add(_get_name(mark))
    anchors = [at for at, own in names.items() if len(own) > _FEW]
    return anchors or sorted(names, key=lambda at: (-len(names[at]), at))[:1]


def _is_divided(headings: Sequence[int], first: int, last: int) -> bool:
    return bisect_right(headings, first) < bisect_right(headings, last - 1)


def _choose_labels(
    marks: Sequence[LabelMark],
    full: set[int],
    layout: tuple[str, int, int],
    bounds: tuple[int, int | None],
    anchor: int | None,
    headings: Sequence[int],
) -> LabelLayout:
    """The labels of the template that begins at `anchor`, and what goes with it."""
    first, end = bounds
    own: list[LabelMark] = []
    others: list[LabelMark] = []
    for mark in marks:
        inside = first <= mark.at and (end is None or mark.at < end)
        if anchor is not None:
            low, high = sorted((anchor, mark.at))
            inside = inside and not _is_divided(headings, low, high)
        if inside and not (_is_detachable(mark) and mark.layout != layout):
            own.append(mark)
        elif _is_detachable(mark):
            others.append(mark)
    chosen = _keep_first(own, full, anchor)
    names = {_get_name(mark) for mark in chosen}
    fields = {_get_label(mark).field for mark in chosen}
    new = any(_get_label(mark).kind == "new" for mark in chosen)
    if not fields - {"purpose", "security_privacy"} and all(map(_is_detachable, chosen)):
        return LabelLayout((), layout)
    if anchor is None and EDITION_LABEL not in fields:
        loose = _FACTS | {"registrant"}
        chosen = [
            mark for mark in chosen if mark.layout == layout or _get_label(mark).field not in loose
        ]
    outer = [
        mark
        for mark in _keep_first(others, full, None)
        if _get_name(mark) not in names
        and not (new and _get_label(mark).field in fields)
        and fields & {"nid", "syntax"}
    ]
    labels = tuple(sorted([*chosen, *outer]))
    return LabelLayout(labels, layout, end, frozenset(mark.at for mark in outer))


def _keep_first(marks: Sequence[LabelMark], full: set[int], anchor: int | None) -> list[LabelMark]:
    """Each label once, the first that has a value; in a table of contents none has."""
    taken: dict[str, LabelMark] = {}
    for mark in marks:
        before = taken.get(_get_name(mark))
        listed = (
            before
            and before.at not in full
            and normalize_label(before.title) == normalize_label(mark.title)
        )
        ahead = before and anchor is not None and before.at < anchor <= mark.at
        if before is None or (listed and mark.at in full) or ahead:
            taken[_get_name(mark)] = mark
    chosen = {mark.at for mark in taken.values()}
    return [mark for mark in marks if mark.at in chosen]


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
    r"-{2,}|_{3,}|={3,}|\*{3,}|(?:best|kind|warm|many)?[ ]?(?:regards|wishes|thanks)[,.]?"
    r"|yours [a-z]{1,10},?|sincerely,?"
    r"|[-*=\[(< ]{0,9}end of (?:the )?(?:template|registration).{0,20}|On .{5,80} wrote:",
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
    lines: Sequence[TextLine],
    places: range,
    label: LabelMark,
    plan: LabelLayout,
    hangs: bool,
    inner: bool,
) -> int:
    """Where the content of a label ends at the latest, because something else begins.

    Between two labels (`inner`) a paragraph indented as little as they are still belongs to the
    field.
    """
    first = next((lines[at] for at in places if lines[at].text), None)
    apart = label.value and len(places) > 0 and not lines[places.start].text
    hangs = hangs and first is not None and (first.indent > label.indent or bool(apart))
    fenced = False
    for at in places:
        line = lines[at]
        if line.text.startswith(("```", "~~~")):
            fenced = not fenced
        if line.text and not fenced and _begins_other(lines, at, label, plan, hangs, inner):
            return at
    return places.stop


def _begins_other(
    lines: Sequence[TextLine],
    at: int,
    label: LabelMark,
    plan: LabelLayout,
    hangs: bool,
    inner: bool,
) -> bool:
    line = lines[at]
    alone = at == 0 or not lines[at - 1].text
    if alone and line.indent <= label.indent and _FAREWELL.fullmatch(line.text[:100]):
        return True
    sticks_out = hangs and line.indent <= label.indent
    other = find_mark(lines, at)
    if other is None or not _is_title(other.title):
        return sticks_out and alone and not inner
    if _is_heading(lines, other, label, plan, alone):
        return True
    if normalize_label(other.title) in SUBHEADING_KEYS or (
        other.label and plan.is_set_alike(other)
    ):
        return False
    if label.style == other.style == "number" and len(other.numbers) > len(label.numbers):
        return False
    if inner:
        answered = not other.value or plan.has_values
        set_alike = plan.has_colons and answered and plan.is_set_alike(other)
        return sticks_out and alone and other.colon and set_alike
    return sticks_out and (alone or other.colon)


_TITLE: Final = re.compile(r"[\"“'‘]?[^\W_][\w ,/&()’'\"”.-]*")


def _is_title(title: str) -> bool:
    """Whether words could name a section; rules of a grammar and halves of quotations cannot."""
    whole = len(title) <= MAX_TITLE_LENGTH and title.count('"') % 2 == 0
    return whole and _TITLE.fullmatch(title) is not None


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
    deeper = label.style == other.style == "number" and len(other.numbers) > len(label.numbers)
    if free and not deeper and normalize_label(other.title) in _CLOSING:
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
        """The number of the last line that is not empty."""
        if self.lines:
            return self.lines[-1].last_number
        return self.mark.last_number

    @property
    def value(self) -> str:
        """The label's value, moved to the margin."""
        above = [self.mark.value] if self.mark.value else []
        below = self.lines
        if above and below and below[0].number > self.mark.last_number + 1:
            above.append("")
        if below and below[0].lead:
            # In a definition list the first line is indented by its colon, the others on their own.
            above, below = [*above, below[0].text], below[1:]
        margin = min((line.indent for line in below if line.text), default=0)
        lines = [
            *above,
            *(" " * (line.indent - margin) + line.text if line.text else "" for line in below),
        ]
        return "\n".join(_undo_signs(lines))


_FENCES: Final = ("```", "~~~")
_BULLETS: Final = ("* ", "- ", "• ")


def _undo_signs(lines: list[str]) -> list[str]:
    """A value without the fence, the signs of quotation or the one bullet that it is set in."""
    while lines and lines[-1].strip() in ("#", "//", "*", "*/", ">", ":END:"):
        lines = lines[:-1]
    fences = [at for at, line in enumerate(lines) if line.startswith(_FENCES)]
    if fences == [0, len(lines) - 1] and len(lines) > 1:
        return lines[1:-1]
    if any(lines) and all(line.startswith(">") for line in lines if line):
        return [line[1:].removeprefix(" ") for line in lines]
    first, *others = lines or [""]
    if first.startswith(_BULLETS) and all(line.startswith("  ") for line in others if line):
        return [first[2:].lstrip(), *(line.removeprefix("  ") for line in others)]
    return lines


def split_sections(
    lines: Sequence[TextLine], plan: LabelLayout
) -> tuple[tuple[LabelledSection, ...], tuple[Passage, ...]]:
    """The labels with their content, and the passages before, between and after them."""
    found: list[LabelledSection] = []
    rest: list[Passage] = []
    starts = [*(each.at for each in plan.labels), len(lines)]
    rest += _collect_unread(lines, 0, starts[0], plan.end)
    hangs = _has_hanging_values(lines, plan, starts)
    for place, (each, (start, after)) in enumerate(zip(plan.labels, pairwise(starts), strict=True)):
        first = start + each.height
        bound = min(after, plan.end) if plan.end is not None and start < plan.end else after
        stop = find_section_end(lines, range(first, bound), each, plan, hangs, plan.is_inner(place))
        found.append(LabelledSection(each, tuple(trim_lines(lines[first:stop]))))
        rest += _collect_unread(lines, stop, after, plan.end)
    return tuple(found), tuple(rest)


def _collect_unread(
    lines: Sequence[TextLine], stop: int, after: int, other: int | None
) -> Iterator[Passage]:
    """What is between two positions, divided where another template begins."""
    if other is not None and stop <= other < after:
        yield from _collect_unread(lines, stop, other, None)
        yield from build_passages(lines[other:after])
        return
    if stop < after:
        first = find_mark(lines, stop) if stop else None
        titled = (
            first
            and len(first.title) <= MAX_TITLE_LENGTH
            and (first.colon or first.style != "plain")
        )
        yield from build_passages(lines[stop:after], first.title if first and titled else "")


def _has_hanging_values(
    lines: Sequence[TextLine], plan: LabelLayout, starts: Sequence[int]
) -> bool:
    """Whether values are to the right of their labels in nearly all places."""
    firsts = [
        (each, after, next((line for line in lines[start + each.height :] if line.text), None))
        for each, (start, after) in zip(plan.labels, pairwise(starts), strict=True)
    ]
    deeper = [
        line.indent > each.indent
        for each, after, line in firsts
        if line is not None
        and (line.indent > each.indent or line is not lines[min(after, len(lines) - 1)])
    ]
    return len(deeper) > 1 and sum(deeper) >= _MOSTLY * len(deeper)
