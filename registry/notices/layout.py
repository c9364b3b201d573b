"""How plain text is laid out in a letter."""

from __future__ import annotations

import re
import textwrap
from typing import Final

WIDTH: Final = 72
LONGEST_SUBJECT: Final = 200


def shortened(subject: str) -> str:
    """Return a subject on one line, cut where it is too long for a list of mails."""
    return textwrap.shorten(subject, LONGEST_SUBJECT, placeholder="…")


def wrapped(text: str) -> str:
    """Return plain text in lines that mail programs show whole; what stands alone stays whole."""
    lines = [in_width(line) for line in text.strip().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def in_width(line: str) -> str:
    """Return a line as lines of at most `WIDTH`, all as far from the margin as it was."""
    if len(line) <= WIDTH:
        return line
    margin = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
