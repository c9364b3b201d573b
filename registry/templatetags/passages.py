"""Passages of a text highlighted, and what is said of each below it.

The text is marked with two control characters, which no text of ours holds, before it is made
HTML. In the HTML they become elements around words alone, so passages may begin and end
anywhere, and overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from registry.templatetags.prose import blocks

START: Final = "\x02"
END: Final = "\x03"
_PIECE: Final = re.compile(rf"(<[^>]*>|[{START}{END}])")
_MARK: Final = re.compile(r"[ \t]*(?:(?:[-*•o]|[0-9]{1,3}[.)])[ \t]+)?")
_WORD: Final = re.compile(r"\S+")


@dataclass
class Stretch:
    """Some paragraphs of a text, and the notes on passages that end in them."""

    html: SafeString = field(default_factory=SafeString)
    notes: list[Any] = field(default_factory=list)


def with_notes(text: str, notes: Iterable[Any]) -> list[Stretch]:
    """`text` as HTML with the passages of `notes` highlighted; each note below its paragraph.

    A note has `found`, with `start` and `end`, or None where it is on the whole text: such a
    one stands at the end, as does one whose passage is no longer there.
    """
    here = sorted((note for note in notes if note.found and note.found.text), key=_end)
    elsewhere = [note for note in notes if not (note.found and note.found.text)]
    stretches = [Stretch()]
    depth = ended = 0
    for block in blocks(_marked(text, here)):
        html, depth, ends = _highlighted(block, depth)
        stretches[-1].html += format_html("{}\n", html)
        if ends:
            stretches[-1].notes += here[ended : ended + ends]
            ended += ends
            stretches.append(Stretch())
    stretches[-1].notes += [*here[ended:], *elsewhere]
    return [each for each in stretches if each.html or each.notes]


def highlighted(text: str, notes: Iterable[Any]) -> SafeString:
    """`text` as it stands, escaped, with the passages of `notes` highlighted."""
    here = [note for note in notes if note.found and note.found.text]
    return _highlighted(escape(_marked(text, here)), 0)[0]


def _end(note: Any) -> int:
    end: int = note.found.end
    return end


def _marked(text: str, notes: Iterable[Any]) -> str:
    """The text with a character before and after each passage."""
    text = text.replace(START, "\ufffd").replace(END, "\ufffd")
    marks: list[tuple[int, str]] = []
    for note in notes:
        start, end = _bounds(text, note.found.start, note.found.end)
        marks += [(start, START), (end, END)]
    marked, at = [], 0
    for place, mark in sorted(marks, key=lambda each: (each[0], each[1] == START)):
        marked += [text[at:place], mark]
        at = place
    return "".join([*marked, text[at:]])


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Where to mark a passage: outside of names and addresses, and behind the mark of a list."""
    # A mark in an empty line would join two paragraphs.
    passage = text[start:end]
    start += len(passage) - len(passage.lstrip())
    end = start + len(passage.strip())
    first, last = _word_at(text, start), _word_at(text, max(start, end - 1))
    start = _behind_mark(text, first.start() if first and ":" in first.group() else start)
    end = _behind_mark(text, last.end() if last and ":" in last.group() else end)
    return start, max(start, end)


def _word_at(text: str, place: int) -> re.Match[str] | None:
    before = place
    while before and not text[before - 1].isspace():
        before -= 1
    return _WORD.match(text, before)


def _behind_mark(text: str, place: int) -> int:
    """The place, or the end of the mark that makes its line an item, if it is within that."""
    line = text.rfind("\n", 0, place) + 1
    mark = _MARK.match(text, line)
    return max(place, mark.end()) if mark and mark.end() < len(text) else place


def _highlighted(html: str, depth: int) -> tuple[SafeString, int, int]:
    """HTML with what is marked highlighted, how many passages go on, and how many ended."""
    pieces: list[str] = []
    ends = 0
    for piece in _PIECE.split(html):
        if piece == START:
            depth += 1
        elif piece == END:
            depth, ends = depth - 1, ends + 1
        else:
            pieces += _piece(piece, depth)
    # The text was escaped before; only elements of ours are put around it.
    return mark_safe("".join(pieces)), depth, ends


def _piece(piece: str, depth: int) -> Iterator[str]:
    if depth > 0 and piece.strip("\n") and not piece.startswith("<"):
        yield f'<mark class="hl">{piece}</mark>'
    else:
        yield piece.replace(START, "").replace(END, "")
