"""The rule for names of a namespace in words and as a railroad diagram, in accessible SVG.

Both are made from the grammar's tree (`registry.grammar.expression`), with one diagram per rule.
The words of a rule are the description of its drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Final

import railroad
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
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
GAP: Final = 20
"""What the library leaves between two parts."""

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


# Drawing.


def build_track(expression: Expression | str) -> railroad.DiagramItem:
    """Return the diagram of an expression."""
    if isinstance(expression, Concatenation):
        return wrap_row([build_track(each) for each in join_letters(expression.parts)])
    if isinstance(expression, Alternation):
        options = [build_track(each) for each in expression.options]
        return railroad.Choice(0, *options) if options else railroad.Skip()
    if isinstance(expression, Repetition):
        return build_loop(expression)
    label = name_leaf(expression, quoted=False)
    label = label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"
    return (
        railroad.NonTerminal(label)
        if isinstance(expression, RuleReference)
        else railroad.Terminal(label)
    )


def wrap_row(parts: list[railroad.DiagramItem]) -> railroad.DiagramItem:
    """Return parts one after the other, in several rows if one would be too wide."""
    rows, width = list[list[railroad.DiagramItem]](), 0.0
    for part in parts:
        if not rows or width + part.width > ROW_WIDTH:
            rows.append([])
            width = 0.0
        rows[-1].append(part)
        width += part.width + GAP
    if len(rows) > 1:
        return railroad.Stack(*(railroad.Sequence(*row) for row in rows))
    return railroad.Sequence(*rows[0]) if rows else railroad.Skip()


def build_loop(repetition: Repetition) -> railroad.DiagramItem:
    """Return a part with a way back, which says how often, and a way around it if optional."""
    track = build_track(repetition.body)
    least, most = repetition.least, repetition.most
    if (least, most) != (0, 1):
        track = railroad.OneOrMore(track, railroad.Comment(count_times(max(least, 1), most)))
    return railroad.Optional(track) if least == 0 else track


def render_svg(name: str, words: str, track: railroad.DiagramItem) -> SafeString:
    """Return the drawing with its beginning and end, and what it says as its label."""
    diagram = railroad.Diagram(track)
    diagram.attrs["class"] = "railroad"
    pieces: list[str] = []
    diagram.writeSvg(pieces.append)
    # The library escapes texts, but no “<” in attributes; it writes none of ours but the class.
    label = _("%(name)s: %(words)s") % {"name": name, "words": words}
    start = format_html('<svg role="img" aria-label="{}"', label)
    return start + mark_safe("".join(pieces).removeprefix("<svg"))
