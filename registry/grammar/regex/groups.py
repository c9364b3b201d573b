"""What stands behind the bracket that opens a group."""

from __future__ import annotations

import re
from typing import Final

from registry.grammar.errors import GrammarSyntaxError, NotDecided
from registry.grammar.regex.text import Text

_NAME: Final = re.compile(r"\?P?<[A-Za-z_][A-Za-z0-9_]*>")
_CASE: Final = re.compile(r"\?(-?)i:")
_BEYOND: Final = (
    ("?=", "Looking ahead"),
    ("?!", "Looking ahead"),
    ("?<=", "Looking back"),
    ("?<!", "Looking back"),
    ("?>", "An atomic group"),
    ("?(", "A condition"),
    ("?P=", "A reference to a group"),
    ("?P>", "A reference to a group"),
    ("?R", "Recursion"),
    ("?&", "Recursion"),
    ("?|", "A group that resets its numbers"),
)
_FLAGS: Final = re.compile(r"\?[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]")


def opening(text: Text, either_case: bool) -> bool:
    """Read what a group begins with; says whether case counts in it no more than `either_case`.

    Groups that capture, or have a name, are groups like any other. Raises `NotDecided` for those
    that do more than to hold together what is in them.
    """
    at = text.at
    if text.next != "?" or text.skip("?:"):
        return either_case
    name = _NAME.match(text.text, at)
    if name:
        text.take(len(name.group()))
        return either_case
    case = _CASE.match(text.text, at)
    if case:
        text.take(len(case.group()))
        return not case.group(1)
    raise _beyond(text, at)


def _beyond(text: Text, at: int) -> GrammarSyntaxError | NotDecided:
    for sign, words in _BEYOND:
        if text.text.startswith(sign, at):
            return NotDecided(f"{words} ({text.place(at - 1)}) is not decided here.")
    if _FLAGS.match(text.text, at):
        return NotDecided(
            f"The flags of this group ({text.place(at - 1)}) are not among those tried here:"
            " (?i) may begin the expression."
        )
    if text.text.startswith("?#", at):
        return text.error("Not every dialect reads remarks", "Leave the remark out.", at - 1)
    mend = "Write “(?:” for a group, or “\\?” for the sign itself."
    return text.error("“(?” opens no group that is known", mend, at - 1)
