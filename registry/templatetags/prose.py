"""Plain template text as HTML: paragraphs, lists, indented blocks, addresses and names.

What people write is text and stays text: nothing in it is markup, everything is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Final, Literal

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from registry.templatetags.names import urn

_ITEM: Final = re.compile(r"[ ]*(?:(?P<bullet>[-*•o])|(?P<number>[0-9]{1,3})[.)])[ ]+(?=\S)")
_LINKED: Final = re.compile(
    r"(?P<address>https?://[\w\[][^\s<>\"“”\x02\x03]{0,2000})"
    r"|(?<![\w:/-])(?P<name>urn:[a-z0-9][a-z0-9-]{0,31}(?::[^\s<>\"“”\x02\x03]{0,2000})?)",
    re.IGNORECASE,
)
_ENDS_SENTENCE: Final = ".,;:!?'’"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


@dataclass
class _Block:
    kind: Literal["p", "ul", "ol", "pre"]
    lines: list[str] = field(default_factory=list)
    start: int = 1


def prose(text: str) -> SafeString:
    """`text` as HTML, for an element of class `prose`.

    A blank line ends a paragraph; lines set in by two spaces or more are kept as they stand;
    lines that begin with a hyphen, a bullet or a number make a list.
    """
    return format_html_join("\n", "{}", ((block,) for block in blocks(text)))


def blocks(text: str) -> list[SafeString]:
    """The paragraphs, lists and indented blocks of `text`, each as HTML."""
    return [_drawn(block) for block in _blocks(str(text))]


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    gap = True
    for line in dedent(text.expandtabs(4)).splitlines():
        if line.strip():
            _take(blocks, line.rstrip(), gap)
        elif blocks and blocks[-1].kind == "pre":
            blocks[-1].lines.append("")
        gap = not line.strip()
    return blocks


def _take(blocks: list[_Block], line: str, gap: bool) -> None:
    """Give the line to the block it goes on, or begin another with it."""
    last = blocks[-1] if blocks else None
    inset = line.startswith("  ")
    if last and last.kind == "pre" and inset:
        last.lines.append(line)
    elif (item := _ITEM.match(line)) and (gap or _may_interrupt(item, last)):
        kind: Literal["ul", "ol"] = "ul" if item["bullet"] else "ol"
        if not last or last.kind != kind:
            blocks.append(last := _Block(kind, start=int(item["number"] or 1)))
        last.lines.append(line[item.end() :])
    elif last and last.kind in ("ul", "ol") and not gap:
        last.lines[-1] += f"\n{line.strip()}"
    elif inset:
        blocks.append(_Block("pre", [line]))
    elif last and last.kind == "p" and not gap:
        last.lines.append(line)
    else:
        blocks.append(_Block("p", [line]))


def _may_interrupt(item: re.Match[str], last: _Block | None) -> bool:
    """Whether a list begins here: a number at the start of a wrapped line is most often not one."""
    return last is None or last.kind != "p" or bool(item["bullet"]) or item["number"] == "1"


def _drawn(block: _Block) -> SafeString:
    if block.kind == "pre":
        return format_html("<pre>{}</pre>", dedent("\n".join(block.lines)).rstrip())
    if block.kind == "p":
        return format_html("<p>{}</p>", _linked("\n".join(block.lines)))
    items = format_html_join("", "<li>{}</li>", ((_linked(line),) for line in block.lines))
    if block.kind == "ul":
        return format_html("<ul>{}</ul>", items)
    return format_html('<ol start="{}">{}</ol>', block.start, items)


def _linked(text: str) -> SafeString:
    # Every piece is escaped where it is made.
    return mark_safe("".join(_pieces(text)))


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for match in _LINKED.finditer(text):
        found = _without_ending(match.group())
        yield escape(text[at : match.start()])
        if match["address"]:
            yield format_html('<a href="{}" rel="nofollow noopener">{}</a>', found, found)
        else:
            yield urn(found)
        at = match.start() + len(found)
    yield escape(text[at:])


def _without_ending(found: str) -> str:
    """The address or name without the full stop or bracket that belongs to the sentence."""
    while found[-1] in _ENDS_SENTENCE or _unopened(found):
        found = found[:-1]
    return found


def _unopened(found: str) -> bool:
    opening = _BRACKETS.get(found[-1])
    return opening is not None and found.count(opening) < found.count(found[-1])
