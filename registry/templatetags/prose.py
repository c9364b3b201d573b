"""Plain text as HTML: paragraphs, lists, addresses, names, and passages with their notes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any, Final, Literal

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from registry.templatetags.urn_markup import urn

# What people write is plain text: nothing in it is markup, everything is escaped.

_ITEM_PATTERN: Final = re.compile(
    r"[ ]*(?:(?P<bullet>[-*•o])|(?P<number>[0-9]{1,3})[.)])[ ]+(?=\S)"
)
_LINK_PATTERN: Final = re.compile(
    r"(?P<address>https?://[\w\[][^\s<>\"“”\x02\x03]{0,2000})"
    r"|(?<![\w:/-])(?P<name>urn:[a-z0-9][a-z0-9-]{0,31}(?::[^\s<>\"“”\x02\x03]{0,2000})?)",
    re.IGNORECASE,
)
_CLOSING_QUOTES: Final = {"'": "'", "`": "`", "‘": "’", "‹": "›", "«": "»", "„": "“"}
_ENTITY_PATTERN: Final = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_SENTENCE_ENDS: Final = ".,;:!?'’"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


@dataclass
class _Block:
    kind: Literal["p", "ul", "ol", "pre"]
    lines: list[str] = field(default_factory=list)
    start: int = 1


def prose(text: str) -> SafeString:
    """`text` as HTML, for an element of class `prose`.

    A blank line ends a paragraph; lines indented by two spaces or more are kept as they are; lines
    that begin with a hyphen, a bullet or a number make a list.
    """
    return format_html_join("\n", "{}", ((block,) for block in render_blocks(text)))


def render_blocks(text: str) -> list[SafeString]:
    """The paragraphs, lists and indented blocks of `text`, each as HTML."""
    return [_render_block(block) for block in _split_blocks(str(text))]


def _split_blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    gap = True
    for line in dedent(text.expandtabs(4)).splitlines():
        if line.strip():
            _add_line(blocks, line.rstrip(), gap)
        elif blocks and blocks[-1].kind == "pre":
            blocks[-1].lines.append("")
        gap = not line.strip()
    return blocks


def _add_line(blocks: list[_Block], line: str, gap: bool) -> None:
    """Add the line to its block, or begin another with it."""
    last = blocks[-1] if blocks else None
    inset = line.startswith("  ")
    if last and last.kind == "pre" and inset:
        last.lines.append(line)
    elif (item := _ITEM_PATTERN.match(line)) and (gap or _may_interrupt(item, last)):
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
    """Whether a list begins here: a number at the start of a wrapped line usually begins none."""
    return last is None or last.kind != "p" or bool(item["bullet"]) or item["number"] == "1"


def _render_block(block: _Block) -> SafeString:
    if block.kind == "pre":
        return format_html("<pre>{}</pre>", dedent("\n".join(block.lines)).rstrip())
    if block.kind == "p":
        return format_html("<p>{}</p>", _link_text("\n".join(block.lines)))
    items = format_html_join("", "<li>{}</li>", ((_link_text(line),) for line in block.lines))
    if block.kind == "ul":
        return format_html("<ul>{}</ul>", items)
    return format_html('<ol start="{}">{}</ol>', block.start, items)


def _link_text(text: str) -> SafeString:
    # Every piece is escaped where it is made.
    return mark_safe("".join(_link_pieces(text)))


def _link_pieces(text: str) -> Iterator[str]:
    at = 0
    while match := _LINK_PATTERN.search(text, at):
        found = _strip_ending(_cut_at_quote(text, match))
        yield escape(text[at : match.start()])
        if match["address"]:
            yield format_html('<a href="{}" rel="nofollow noopener">{}</a>', found, found)
        else:
            yield urn(found)
        at = match.start() + len(found)
    yield escape(text[at:])


def _cut_at_quote(text: str, match: re.Match[str]) -> str:
    """The address or name up to the quotation mark that it follows, or HTML's name of a sign."""
    found = match.group()
    closing = _CLOSING_QUOTES.get(text[match.start() - 1 : match.start()], "")
    if closing and closing in found:
        found = found[: found.index(closing)]
    for entity in _ENTITY_PATTERN.finditer(found):
        if html.unescape(entity[0]) not in (entity[0], "&"):
            return found[: entity.start()]
    return found


def _strip_ending(found: str) -> str:
    """The address or name without the full stop or bracket that belongs to the sentence."""
    while found[-1] in _SENTENCE_ENDS or _is_unopened_bracket(found):
        found = found[:-1]
    return found


def _is_unopened_bracket(found: str) -> bool:
    opening = _BRACKETS.get(found[-1])
    return opening is not None and found.count(opening) < found.count(found[-1])


# The text is marked with two control characters, which our texts never contain, before it becomes
# HTML. In the HTML they become elements around the words only, so passages may begin and end
# anywhere, and overlap.

PASSAGE_START: Final = "\x02"
PASSAGE_END: Final = "\x03"
_PIECE_PATTERN: Final = re.compile(rf"(<[^>]*>|[{PASSAGE_START}{PASSAGE_END}])")
_LIST_MARK_PATTERN: Final = re.compile(r"[ \t]*(?:(?:[-*•o]|[0-9]{1,3}[.)])[ \t]+)?")
_WORD_PATTERN: Final = re.compile(r"\S+")


@dataclass
class AnnotatedStretch:
    """Some paragraphs of a text, and the notes on passages that end in them."""

    html: SafeString = field(default_factory=SafeString)
    notes: list[Any] = field(default_factory=list)


def with_notes(text: str, notes: Iterable[Any]) -> list[AnnotatedStretch]:
    """`text` as HTML with the passages of `notes` highlighted; each note below its paragraph.

    A note has `found`, with `start` and `end`, or None if it is on the whole text: such a note goes
    to the end, like one whose passage no longer exists.
    """
    here = sorted((note for note in notes if note.found and note.found.text), key=_find_note_end)
    elsewhere = [note for note in notes if not (note.found and note.found.text)]
    stretches = [AnnotatedStretch()]
    depth = ended = 0
    for block in render_blocks(_mark_passages(text, here)):
        html, depth, ends = _highlight_html(block, depth)
        stretches[-1].html += format_html("{}\n", html)
        if ends:
            stretches[-1].notes += here[ended : ended + ends]
            ended += ends
            stretches.append(AnnotatedStretch())
    stretches[-1].notes += [*here[ended:], *elsewhere]
    return [each for each in stretches if each.html or each.notes]


def highlighted(text: str, notes: Iterable[Any]) -> SafeString:
    """`text` as it is, escaped, with the passages of `notes` highlighted."""
    here = [note for note in notes if note.found and note.found.text]
    return _highlight_html(escape(_mark_passages(text, here)), 0)[0]


def _find_note_end(note: Any) -> int:
    end: int = note.found.end
    return end


def _mark_passages(text: str, notes: Iterable[Any]) -> str:
    """The text with a character before and after each passage."""
    text = text.replace(PASSAGE_START, "\ufffd").replace(PASSAGE_END, "\ufffd")
    marks: list[tuple[int, str]] = []
    for note in notes:
        start, end = _find_bounds(text, note.found.start, note.found.end)
        marks += [(start, PASSAGE_START), (end, PASSAGE_END)]
    marked, at = [], 0
    for place, mark in sorted(marks, key=lambda each: (each[0], each[1] == PASSAGE_START)):
        marked += [text[at:place], mark]
        at = place
    return "".join([*marked, text[at:]])


def _find_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Where to mark a passage: outside names and addresses, and after a list item's bullet."""
    # A mark in an empty line would join two paragraphs.
    passage = text[start:end]
    start += len(passage) - len(passage.lstrip())
    end = start + len(passage.strip())
    first, last = _find_word(text, start), _find_word(text, max(start, end - 1))
    start = _skip_list_mark(text, first.start() if first and ":" in first.group() else start)
    end = _skip_list_mark(text, last.end() if last and ":" in last.group() else end)
    return start, max(start, end)


def _find_word(text: str, place: int) -> re.Match[str] | None:
    before = place
    while before and not text[before - 1].isspace():
        before -= 1
    return _WORD_PATTERN.match(text, before)


def _skip_list_mark(text: str, place: int) -> int:
    """The position, or the end of its line's bullet if it is within that."""
    line = text.rfind("\n", 0, place) + 1
    mark = _LIST_MARK_PATTERN.match(text, line)
    return max(place, mark.end()) if mark and mark.end() < len(text) else place


def _highlight_html(html: str, depth: int) -> tuple[SafeString, int, int]:
    """HTML with the marked words highlighted, how many passages continue, and how many ended."""
    pieces: list[str] = []
    ends = 0
    for piece in _PIECE_PATTERN.split(html):
        if piece == PASSAGE_START:
            depth += 1
        elif piece == PASSAGE_END:
            depth, ends = depth - 1, ends + 1
        else:
            pieces += _highlight_piece(piece, depth)
    # The text was escaped before; only our own elements are put around it.
    return mark_safe("".join(pieces)), depth, ends


def _highlight_piece(piece: str, depth: int) -> Iterator[str]:
    if depth > 0 and piece.strip("\n") and not piece.startswith("<"):
        yield f'<mark class="hl">{piece}</mark>'
    else:
        yield piece.replace(PASSAGE_START, "").replace(PASSAGE_END, "")
