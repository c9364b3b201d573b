"""Lines that are set apart: labels of fields, and other headings that end a field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from registry.template.reading.label import Label, key
from registry.template.reading.labels import LABELS
from registry.template.reading.lines import Line

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
_DASH: Final = re.compile(r" +[-–—] +")
_UNDERLINE: Final = re.compile(r"([=~^-])\1{2,}")
_NUMBER: Final = re.compile(r"[0-9]+")
_LONGEST: Final = 70


class Mark(NamedTuple):
    """A line that is set apart, at which place among the lines, and how.

    `style` is "heading", "number", "bold", "bullet" or "plain"; `level` the depth of a heading,
    `numbers` those in front of it. `colon` says that one follows the title, `value` what stands
    behind it. `height` counts the lines, two where a title is underlined.
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

    @property
    def label(self) -> Label | None:
        """The field that the title names, if it is one."""
        return LABELS.get(key(self.title))


def labels(lines: Sequence[Line]) -> list[Mark]:
    """Every line that may begin a field, those in fenced code left out unless all are."""
    outside: list[Mark] = []
    inside: list[Mark] = []
    fenced = False
    for at, line in enumerate(lines):
        if line.text.startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if line.text:
            found = mark(lines, at)
            if found and found.label:
                (inside if fenced else outside).append(found)
    is_template = any(found.label and found.label.field == "nid" for found in outside)
    return outside if is_template or not inside else sorted(outside + inside)


def mark(lines: Sequence[Line], at: int) -> Mark | None:
    """The line as a title, with or without a colon and a value; None where it cannot be one."""
    line = lines[at]
    found = _DECORATION.match(line.text)
    assert found, "every part of the pattern may be missing"
    rest = line.text[found.end() :]
    parts = _emphasized(rest, found["emphasis"]) if found["emphasis"] else _plain(rest)
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
    level = len((found["hashes"] or "").strip()) or _depth_of_underline(lines, at, underlined)
    return Mark(
        at, line.number, line.indent, style, level, numbers, title, colon, value, 1 + underlined
    )


def _emphasized(rest: str, sign: str) -> tuple[str, bool, str] | None:
    close = rest.find(sign)
    if not 0 < close <= _LONGEST:
        return None
    title, after = rest[:close].rstrip(), rest[close + len(sign) :].lstrip()
    if title.endswith(":") or after.startswith(":"):
        return title.rstrip(": "), True, after.lstrip(": ")
    if not after:
        return title, False, ""
    dash = _DASH.match(" " + after)
    return (title, True, after[dash.end() - 1 :]) if dash else None


def _plain(rest: str) -> tuple[str, bool, str] | None:
    head, colon, value = rest[: _LONGEST + 1].partition(":")
    if colon:
        whole = rest[len(head) + 1 :].lstrip(": ")
        return (head.rstrip(), True, whole) if value or len(head) < len(rest) else None
    if len(rest) <= _LONGEST:
        title, *values = _DASH.split(rest, maxsplit=1)
        if values and key(title) in LABELS:
            return title, True, values[0]
        return _TAIL.sub("", rest).rstrip("."), False, ""
    title, *values = _DASH.split(rest[:_LONGEST], maxsplit=1)
    if values and key(title) in LABELS:
        return title, True, _DASH.split(rest, maxsplit=1)[1]
    return None


def _is_underlined(lines: Sequence[Line], at: int) -> bool:
    if at + 1 >= len(lines) or lines[at + 1].indent != lines[at].indent:
        return False
    return _UNDERLINE.fullmatch(lines[at + 1].text) is not None


def _depth_of_underline(lines: Sequence[Line], at: int, underlined: bool) -> int:
    return 1 + "=-~^".index(lines[at + 1].text[0]) if underlined else 0
