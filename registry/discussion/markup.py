"""The words of an HTML letter: no element of it, and no address, outlives this.

The standard library's parser takes minutes over markup that is made to keep it busy; this one
looks at each character once, and gives up at what is never closed.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Iterator
from typing import Final

_NAME: Final = re.compile(r"/?[a-z][a-z0-9]{0,20}")
_UNREAD: Final = frozenset({"script", "style", "head", "title", "template", "noscript"})
_BREAKS: Final = frozenset(
    {"p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "br"}
)
_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""Letters beyond these may change their number with their case, and places with it."""
DEEPEST: Final = 5


def words_of(markup: str) -> str:
    """Return the words of `markup`, a line for each block; quoted ones with the sign of mail."""
    lines = [""]
    quotes = 0
    for name, text in tokens(markup):
        if name == "blockquote":
            quotes += 1
        elif name == "/blockquote":
            quotes = max(quotes - 1, 0)
        if name and name.removeprefix("/") in _BREAKS | {"blockquote"}:
            lines.append("> " * min(quotes, DEEPEST))
        elif text:
            lines[-1] += text
    return "\n".join(" ".join(line.split()) for line in lines if line.strip("> \t\n"))


def tokens(markup: str) -> Iterator[tuple[str, str]]:
    """Yield each tag by its name, and each text between, one of the two empty."""
    lower, at = markup.translate(_LOWER), 0
    while at < len(markup):
        opening = lower.find("<", at)
        end = len(markup) if opening < 0 else opening
        yield "", html.unescape(markup[at:end]).replace("\n", " ")
        if opening < 0:
            return
        found = _NAME.match(lower, opening + 1)
        name = found.group() if found else ""
        yield name, ""
        at = after(lower, opening, name)


def after(lower: str, opening: int, name: str) -> int:
    """Return where the text goes on behind the tag, comment or unread element at `opening`."""
    if lower.startswith("<!--", opening):
        return behind(lower, "-->", opening)
    if name in _UNREAD:
        return behind(lower, ">", behind(lower, f"</{name}", opening))
    return behind(lower, ">", opening)


def behind(lower: str, closing: str, at: int) -> int:
    """Return the place behind the next `closing`, or the end where nothing is closed."""
    end = lower.find(closing, at)
    return len(lower) if end < 0 else end + len(closing)
