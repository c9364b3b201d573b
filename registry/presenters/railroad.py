"""The rule for names of a namespace in words and as a railroad diagram, in accessible SVG.

Both are made from the grammar's tree (`registry.grammar.expression`), with one diagram per rule.
The words of a rule are the description of its drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.grammar import Grammar, read
from registry.grammar.expression import (
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    Rule,
    RuleReference,
    Terminal,
    Undecidable,
)
from registry.grammar.matching import describe_charset

MAX_RULES_DRAWN: Final = 14
MAX_NODES_DRAWN: Final = 160
"""A rule with more parts is only described in words: nobody can follow such a drawing."""
MAX_LABEL: Final = 34
ROW_WIDTH: Final = 640
_CHARACTER: Final = 8.2
_PADDING, _HEIGHT, _GAP, _ARC = 10, 28, 14, 9

COMMON_RULES: Final = {
    "alpha": gettext_lazy("a letter"),
    "digit": gettext_lazy("a digit"),
    "alphanum": gettext_lazy("a letter or digit"),
    "hexdig": gettext_lazy("a hexadecimal digit"),
    "pchar": gettext_lazy("a character allowed in a URN"),
    "pct-encoded": gettext_lazy("a percent sign and two hexadecimal digits"),
    "sub-delims": gettext_lazy("one of ! $ & ' ( ) * + , ; ="),
    "unreserved": gettext_lazy("a letter, a digit, or one of - . _ ~"),
}
"""Shared rules in words: they get no diagram."""


@dataclass(frozen=True, slots=True)
class RuleDrawing:
    """One rule: its name, what it says in words, and its diagram unless it has too many parts."""

    name: str
    words: str
    svg: SafeString | None


@lru_cache(maxsize=256)
def draw_plain_rule(nid: str) -> tuple[RuleDrawing, ...]:
    """Return the drawing of what RFC 8141, section 2 requires of names in any namespace."""
    return tuple(draw_grammar(read(f'name = "urn:{nid}:" pchar *(pchar / "/")', nid=nid)))


def draw_grammar(grammar: Grammar) -> list[RuleDrawing]:
    """Return the rules of a grammar reachable from its start, in words and drawn."""
    if not grammar.rules:
        return [draw_rule(_("name"), grammar.expression)]
    by_name = {rule.name.lower(): rule for rule in grammar.rules}
    return [
        draw_rule(rule.name, rule.expression)
        for rule in list(follow_rules(by_name, grammar.start.lower()))[:MAX_RULES_DRAWN]
    ]


def follow_rules(by_name: dict[str, Rule], start: str) -> Iterator[Rule]:
    """Yield the rule `start` and those reachable from it, nearest first."""
    waiting, seen = [start], {start}
    while waiting:
        rule = by_name.get(waiting.pop(0))
        if rule is None or rule.name.lower() in COMMON_RULES:
            continue
        yield rule
        for used in rule.uses:
            if used.lower() not in seen:
                seen.add(used.lower())
                waiting.append(used.lower())


def draw_rule(name: str, expression: Expression) -> RuleDrawing:
    """Return one rule in words and drawn."""
    words = describe_expression(expression)
    if count_nodes(expression) > MAX_NODES_DRAWN:
        return RuleDrawing(name, words, None)
    return RuleDrawing(name, words, render_svg(name, words, build_track(expression)))


def count_nodes(expression: Expression) -> int:
    """Return about how many parts a drawing has."""
    if isinstance(expression, Concatenation):
        return sum(map(count_nodes, expression.parts))
    if isinstance(expression, Alternation):
        return sum(map(count_nodes, expression.options))
    return count_nodes(expression.body) + 1 if isinstance(expression, Repetition) else 1


# Words.


def describe_expression(expression: Expression | str) -> str:
    """Describe an expression as a phrase."""
    if isinstance(expression, Concatenation):
        parts = [describe_expression(each) for each in join_letters(expression.parts)]
        return reduce(say_in_turn, parts) if parts else _("nothing")
    if isinstance(expression, Alternation):
        options = [bracket(each) for each in expression.options]
        return reduce(say_either, options) if options else _("nothing at all")
    if isinstance(expression, Repetition):
        return describe_repetition(expression)
    return name_leaf(expression, quoted=True)


def say_in_turn(first: str, following: str) -> str:
    """Return two parts of a sequence as one phrase."""
    return _("%(first)s, then %(following)s") % {"first": first, "following": following}


def say_either(one: str, other: str) -> str:
    """Return two alternatives as one phrase."""
    return _("%(one)s or %(other)s") % {"one": one, "other": other}


def bracket(expression: Expression) -> str:
    """Return an alternative in words, in brackets if it is a sequence of several."""
    said = describe_expression(expression)
    is_row = isinstance(expression, Concatenation) and len(join_letters(expression.parts)) > 1
    return f"({said})" if is_row else said


def describe_repetition(repetition: Repetition) -> str:
    """Describe what is repeated, and how often."""
    least, most = repetition.least, repetition.most
    body = describe_expression(repetition.body)
    if isinstance(repetition.body, Concatenation | Alternation):
        body = f"({body})"
    if (least, most) == (0, 1):
        return _("optionally %(what)s") % {"what": body}
    return _("%(times)s: %(what)s") % {"times": count_times(least, most), "what": body}


def count_times(least: int, most: int | None) -> str:
    """Return a number of repetitions: 3 times, once or more, 2 to 4 times."""
    if least == most:
        return ngettext("%(count)d time", "%(count)d times", least) % {"count": least}
    if most is None:
        if least == 0:
            return _("any number of times")
        return _("once or more") if least == 1 else _("%(least)d times or more") % {"least": least}
    if least == 0:
        return _("up to %(most)d times") % {"most": most}
    return _("%(least)d to %(most)d times") % {"least": least, "most": most}


def join_letters(parts: Iterable[Expression]) -> list[Expression | str]:
    """Return the parts of a sequence, with consecutive letters joined to one text."""
    joined: list[Expression | str] = []
    for part in parts:
        written = part.written if isinstance(part, Terminal) else ""
        if written and joined and isinstance(joined[-1], str):
            joined[-1] += written
        else:
            joined.append(written or part)
    return joined


def name_leaf(leaf: Expression | str, *, quoted: bool) -> str:
    """Return a text, a set of characters or the name of a rule in words."""
    if isinstance(leaf, str):
        return f"“{leaf}”" if quoted else leaf
    if isinstance(leaf, Terminal):
        if leaf.written:
            return f"“{leaf.written}”" if quoted else leaf.written
        kinds = describe_charset(leaf.charset)[:4]
        return reduce(say_either, kinds) if kinds else _("a character")
    if isinstance(leaf, RuleReference):
        common = COMMON_RULES.get(leaf.name.lower())
        return str(common) if common and quoted else leaf.name
    return leaf.reason if isinstance(leaf, Undecidable) else ""


# Drawing. A track runs from left to right at height 0; `up` and `down` are its extent.


@dataclass(slots=True)
class Track:
    """A piece of the drawing: its width, its extent, and its marks at given positions."""

    width: float = 0.0
    up: float = 0.0
    down: float = 0.0
    marks: list[tuple[float, float, SafeString]] = field(default_factory=list)

    def put(self, other: Track, x: float, y: float) -> None:
        """Add the marks of `other`, shifted to a position."""
        self.marks += [(x + left, y + top, mark) for left, top, mark in other.marks]

    def line(self, x: float, y: float, path: str) -> None:
        """Draw a line from a position."""
        self.marks.append((x, y, format_html('<path d="M0 0{}"/>', path)))


def build_track(expression: Expression | str) -> Track:
    """Return the track of an expression."""
    if isinstance(expression, Concatenation):
        return build_row([build_track(each) for each in join_letters(expression.parts)])
    if isinstance(expression, Alternation):
        return build_choice([build_track(each) for each in expression.options])
    if isinstance(expression, Repetition):
        return build_loop(expression)
    return build_box(
        name_leaf(expression, quoted=False), is_rule=isinstance(expression, RuleReference)
    )


def build_box(label: str, *, is_rule: bool) -> Track:
    """Return a box with a label: round for characters, square for a rule."""
    shown = label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"
    width = max(len(shown), 1) * _CHARACTER + 2 * _PADDING
    track = Track(width, _HEIGHT / 2, _HEIGHT / 2)
    box = format_html(
        '<rect class="{}" y="{}" width="{}" height="{}" rx="{}"/><text x="{}" y="5">{}</text>',
        "rule" if is_rule else "text",
        -_HEIGHT / 2,
        round(width, 1),
        _HEIGHT,
        0 if is_rule else _HEIGHT / 2,
        round(width / 2, 1),
        shown,
    )
    track.marks.append((0, 0, box))
    return track


def build_row(parts: list[Track]) -> Track:
    """Return tracks one after the other, in several rows if one would be too wide."""
    rows, width = list[list[Track]](), 0.0
    for part in parts:
        if not rows or (width + part.width > ROW_WIDTH and rows[-1]):
            rows.append([])
            width = 0.0
        rows[-1].append(part)
        width += part.width + _GAP
    lines = [build_line(row) for row in rows]
    if len(lines) < 2:
        return lines[0] if lines else Track(_GAP)
    return stack_lines(lines)


def build_line(parts: list[Track]) -> Track:
    """Return tracks in one row."""
    track = Track(up=max(p.up for p in parts), down=max(p.down for p in parts))
    for part in parts:
        if track.width:
            track.line(track.width, 0, f"h{_GAP}")
            track.width += _GAP
        track.put(part, track.width, 0)
        track.width += part.width
    return track


def stack_lines(lines: list[Track]) -> Track:
    """Return rows below each other, each end joined with the next beginning."""
    widest = max(line.width for line in lines) + 4 * _ARC
    track = Track(widest, lines[0].up, lines[0].down)
    y = 0.0
    track.line(0, 0, f"h{2 * _ARC}")
    for place, line in enumerate(lines):
        track.put(line, 2 * _ARC, y)
        end = 2 * _ARC + line.width
        if place + 1 == len(lines):
            track.line(end, y, f"h{widest - end - _ARC:.1f}v{-y:.1f}h{_ARC}")
            track.down = y + line.down
            continue
        step = line.down + _GAP + lines[place + 1].up
        half = line.down + _GAP / 2
        back = end - _ARC
        track.line(
            end,
            y,
            f"h{_ARC / 2}v{half:.1f}h{-(back):.1f}v{step - half:.1f}h{_ARC / 2}",
        )
        y += step
    return track


def build_choice(options: list[Track]) -> Track:
    """Return alternative tracks below each other; the first is straight."""
    if not options:
        return Track(_GAP)
    inner = max(option.width for option in options)
    side = 2 * _ARC
    track = Track(inner + 2 * side, options[0].up, options[0].down)
    y = 0.0
    for place, option in enumerate(options):
        if place:
            y += options[place - 1].down + _GAP / 2 + option.up
            track.line(0, 0, f"h{_ARC}v{y:.1f}h{_ARC}")
            track.line(track.width, 0, f"h{-_ARC}v{y:.1f}h{-_ARC}")
        else:
            track.line(0, 0, f"h{side}")
            track.line(track.width, 0, f"h{-side}")
        track.put(option, side, y)
        track.line(side + option.width, y, f"h{inner - option.width:.1f}")
    track.down = max(track.down, y + options[-1].down)
    return track


def build_loop(repetition: Repetition) -> Track:
    """Return a track with a way back below it, and a bypass if it is optional."""
    body = build_track(repetition.body)
    least, most = repetition.least, repetition.most
    if (least, most) != (0, 1):
        body = add_way_back(body, count_times(max(least, 1), most))
    if least == 0:
        body = add_way_around(body)
    return body


def add_way_back(body: Track, label: str) -> Track:
    """Return a track with a line back to its beginning, and how often it may be repeated."""
    width = max(body.width, len(label) * 7.0 + 2 * _PADDING) + 4 * _ARC
    left = (width - body.width) / 2
    bottom = body.down + _GAP
    track = Track(width, body.up, bottom + 18)
    track.line(0, 0, f"h{left:.1f}")
    track.put(body, left, 0)
    track.line(left + body.width, 0, f"h{left:.1f}")
    track.line(width - _ARC, 0, f"v{bottom}h{-(width - 2 * _ARC):.1f}v{-bottom}")
    text = format_html('<text class="times" x="{}" y="14">{}</text>', round(width / 2, 1), label)
    arrow = format_html('<path class="arrow" d="M{} -4l-7 4l7 4z"/>', round(width / 2, 1))
    track.marks += [(0, bottom, text), (0, bottom, arrow)]
    return track


def add_way_around(body: Track) -> Track:
    """Return a track with a line above it that bypasses it."""
    top = body.up + _GAP / 2 + 3
    track = Track(body.width + 4 * _ARC, top + 2, body.down)
    track.line(0, 0, f"h{2 * _ARC}")
    track.put(body, 2 * _ARC, 0)
    track.line(2 * _ARC + body.width, 0, f"h{2 * _ARC}")
    track.line(_ARC, 0, f"v{-top}h{track.width - 2 * _ARC:.1f}v{top}")
    return track


def render_svg(name: str, words: str, track: Track) -> SafeString:
    """Return the drawing with its beginning and end, its title and its description."""
    margin = 14
    width, height = track.width + 4 * margin, track.up + track.down + 2 * margin
    y = track.up + margin
    marks = format_html_join(
        "",
        '<g transform="translate({} {})">{}</g>',
        ((round(2 * margin + left, 1), round(y + top, 1), mark) for left, top, mark in track.marks),
    )
    return format_html(
        '<svg class="railroad" role="img" viewBox="0 0 {w} {h}" width="{w}" height="{h}"'
        ' aria-label="{label}">'
        '<path d="M{m} {y1}v12M{m} {y}h{m}M{end} {y}h{m}M{last} {y1}v12"/>{marks}</svg>',
        w=round(width),
        h=round(height),
        label=_("%(name)s: %(words)s") % {"name": name, "words": words},
        m=margin,
        y=round(y, 1),
        y1=round(y - 6, 1),
        end=round(2 * margin + track.width, 1),
        last=round(3 * margin + track.width, 1),
        marks=marks,
    )
