"""Which lines look like the label of a field."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from registry.template.reading.label_names import LABELS, Label, normalize_label
from registry.template.reading.lines import TextLine

_DECORATION: Final = re.compile(
    r"""
    (?P<bullet> [-*+•o] [ ]+ )?
    (?P<hashes> \#{1,6} [ ]* )?
    (?P<number>
        (?: [Ss]ection [ ]+ )?
        (?: [0-9]{1,3} (?: \.[0-9]{1,3} ){0,4} | [A-Z] (?: (?: \.[0-9]{1,3} ){1,4} | (?=[.)]) ) )
        [.):]? [ ]+
        | \( [0-9a-z]{1,3} \) [ ]+
    )?
    (?P<emphasis> \*\*\*? | __ | \* | _ )?
    """,
    re.X,
)
_TAIL: Final = re.compile(r"[ ]+#{1,6}$|[ ]*\{#[\w:.-]{1,60}\}$")
_DASH: Final = re.compile(r" +(?:-{1,3}|–) +| *— *")
# What YAML writes before a value of several lines.
_BLOCK_SIGNS: Final = frozenset({"|", "|-", "|+", ">", ">-", ">+"})
_UNDERLINE: Final = re.compile(r"([=~^-])\1{2,}")
_NUMBER: Final = re.compile(r"[0-9]+")
_TITLE_WORD: Final = re.compile(r"[a-z0-9]+")
_MAX_LABEL_LENGTH: Final = 70


class LabelMark(NamedTuple):
    """A line that is set apart, its position among the lines, and how.

    `style` is "heading", "number", "bold", "bullet" or "plain"; `level` the depth of a heading,
    `numbers` its section numbers. `colon` says that one follows the title, `value` is what follows
    that. `height` counts the lines, two if a title is underlined; `last` is the number of the last
    of them, since page breaks may have been removed in between.
    """

    at: int
    number: int
    indent: int
    style: str
    level: int
    numbers: tuple[int, ...]
    title: str
    colon: bool
    value: str
    height: int = 1
    last: int = 0

    @property
    def last_number(self) -> int:
        """The number of the last of its lines in the text as given."""
        return self.last or self.number + self.height - 1

    @property
    def label(self) -> Label | None:
        """The field that the title names, if it is one."""
        return LABELS.get(normalize_label(self.title))

    @property
    def layout(self) -> tuple[str, int, int]:
        """The line's layout: its style, its indentation, and how many numbers precede it."""
        return self.style, self.indent, len(self.numbers) if self.style == "number" else 0


def find_labels(lines: Sequence[TextLine]) -> list[LabelMark]:
    """Every line that may begin a field, except those in fenced code unless all are."""
    outside: list[LabelMark] = []
    inside: list[LabelMark] = []
    fenced = False
    contents = find_table_of_contents(lines)
    for at, line in enumerate(lines):
        if line.text.startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if line.text and at not in contents:
            found = find_mark(lines, at)
            if found and found.label:
                (inside if fenced else outside).append(found)
    is_template = any(found.label and found.label.field == "nid" for found in outside)
    marks = outside if is_template or not inside else sorted(outside + inside)
    return _merge_repeated(lines, marks)


def unwrap_fences(
    lines: Sequence[TextLine], marks: Sequence[LabelMark]
) -> tuple[list[TextLine], list[TextLine]]:
    """The lines with empty ones for the fences around labels, and those fences."""
    fences = [at for at, line in enumerate(lines) if line.text.startswith(("```", "~~~"))]
    labelled = sorted(mark.at for mark in marks)
    opened: set[int] = set()
    for first, last in zip_longest(fences[::2], fences[1::2], fillvalue=len(lines)):
        inside = bisect_right(labelled, first) < bisect_right(labelled, last)
        if inside or last == len(lines):
            opened |= {first, last}
    unwrapped = [
        TextLine(line.number, 0, "") if at in opened else line for at, line in enumerate(lines)
    ]
    return unwrapped, [lines[at] for at in sorted(opened) if at < len(lines)]


def _merge_repeated(lines: Sequence[TextLine], marks: Sequence[LabelMark]) -> list[LabelMark]:
    """A heading and the same label repeated below it, before the value, as one."""
    merged: list[LabelMark] = []
    for mark in marks:
        above = merged[-1] if merged else None
        if above and mark.colon and not above.value and above.label == mark.label:
            between = lines[above.at + above.height : mark.at]
            if not any(line.text for line in between):
                merged[-1] = above._replace(
                    colon=True,
                    value=mark.value,
                    height=mark.at + mark.height - above.at,
                    last=mark.last_number,
                )
                continue
        merged.append(mark)
    return merged


_CONTENTS: Final = re.compile(r"(?:#{1,6} *)?(?:[0-9]{1,2}\.? +)?(?:table of )?contents:?", re.I)
_LEADER: Final = re.compile(r"[ .]{2,}[0-9]{0,4}$|[ ]+[0-9]{1,4}$")
_MAX_CONTENTS: Final = 500


def find_table_of_contents(lines: Sequence[TextLine]) -> range:
    """The positions of a table of contents: from its heading to where its first entry recurs."""
    head = next((at for at, line in enumerate(lines) if _CONTENTS.fullmatch(line.text[:60])), None)
    if head is None:
        return range(0)
    first = next((at for at in range(head + 1, len(lines)) if lines[at].text), len(lines))
    title = _read_entry(lines[first]) if first < len(lines) else ""
    for at in range(first + 1, min(len(lines), first + _MAX_CONTENTS)):
        if title and _read_entry(lines[at]) == title:
            return range(head, at)
    end = next((at for at in range(first, len(lines)) if not lines[at].text), len(lines))
    return range(head, end)


def _read_entry(line: TextLine) -> str:
    """The title of a section, in its table of contents or above it."""
    found = _DECORATION.match(line.text[:200])
    title = line.text[found.end() : 200] if found else ""
    return " ".join(_TITLE_WORD.findall(_LEADER.sub("", title).casefold()))


def find_mark(lines: Sequence[TextLine], at: int) -> LabelMark | None:
    """The line as a title, with or without a colon and a value; None if it cannot be one."""
    line = lines[at]
    found = _DECORATION.match(line.text)
    assert found, "every part of the pattern may be missing"
    rest = line.text[found.end() :]
    parts = _split_emphasized(rest, found["emphasis"]) if found["emphasis"] else _split_plain(rest)
    if parts is None:
        return None
    title, colon, value = parts
    underlined = not value and _is_underlined(lines, at)
    style = "plain"
    for name, holds in (
        ("heading", found["hashes"] or underlined),
        ("number", found["number"]),
        ("bold", found["emphasis"]),
        ("bullet", found["bullet"]),
    ):
        if holds:
            style = name
            break
    numbers = tuple(int(digits) for digits in _NUMBER.findall(found["number"] or ""))
    level = len((found["hashes"] or "").strip()) or _measure_underline(lines, at, underlined)
    return LabelMark(
        at, line.number, line.indent, style, level, numbers, title, colon, value, 1 + underlined
    )


def _split_emphasized(rest: str, sign: str) -> tuple[str, bool, str] | None:
    close = rest.find(sign)
    if not 0 < close <= _MAX_LABEL_LENGTH:
        return None
    title, after = rest[:close].rstrip(), rest[close + len(sign) :].lstrip()
    if title.endswith(":") or after.startswith(":"):
        return title.rstrip(": "), True, after.lstrip(": ")
    if not after:
        return title, False, ""
    dash = _DASH.match(" " + after)
    return (title, True, after[dash.end() - 1 :]) if dash else None


def _split_plain(rest: str) -> tuple[str, bool, str] | None:
    head, colon, value = rest[: _MAX_LABEL_LENGTH + 1].partition(":")
    title, *values = _DASH.split(rest[:_MAX_LABEL_LENGTH], maxsplit=1)
    # A sentence can go on with a word and a dash.
    if values and not title[:1].islower() and normalize_label(title) in LABELS:
        return title, True, _DASH.split(rest, maxsplit=1)[1]
    if colon:
        whole = rest[len(head) + 1 :].lstrip(": ")
        whole = "" if whole in _BLOCK_SIGNS else whole
        if value and not value.startswith((" ", ":")) and head.lower().endswith("urn"):
            return None
        return (head.rstrip(), True, whole) if value or len(head) < len(rest) else None
    if len(rest) <= _MAX_LABEL_LENGTH:
        return _TAIL.sub("", rest).rstrip("."), False, ""
    return None


def _is_underlined(lines: Sequence[TextLine], at: int) -> bool:
    if at + 1 >= len(lines) or lines[at + 1].indent != lines[at].indent:
        return False
    return _UNDERLINE.fullmatch(lines[at + 1].text) is not None


def _measure_underline(lines: Sequence[TextLine], at: int, underlined: bool) -> int:
    return 1 + "=-~^".index(lines[at + 1].text[0]) if underlined else 0
