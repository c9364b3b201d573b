"""Naming a character, and quoting a text, so that a person sees what was typed."""

from __future__ import annotations

import unicodedata
from typing import Final

_NAMED: Final = {
    "\0": "a NUL character",
    "\t": "a tab",
    "\n": "a line feed",
    "\r": "a carriage return",
    " ": "a space",
    "\x7f": "a delete character",
    "\x85": "a next-line character (U+0085)",
    "\u2028": "a line separator (U+2028)",
    "\u2029": "a paragraph separator (U+2029)",
    "\ufeff": "a byte order mark (U+FEFF)",
}
# What looks like a letter of another script, by the first word of its name in Unicode.
_SCRIPTS: Final = frozenset(
    "ARABIC ARMENIAN BENGALI CHEROKEE COPTIC CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI "
    "HANGUL HEBREW HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MONGOLIAN MYANMAR TAMIL "
    "TELUGU THAI TIBETAN".split()
)
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs", "Mn", "Me"})
MAX_EXCERPT_LENGTH: Final = 48


def describe_character(character: str) -> str:
    """Say what `character` is, for the middle of a sentence: "a space", "the Cyrillic letter …"."""
    named = _NAMED.get(character)
    if named:
        return named
    if " " < character < "\x7f":
        return f"“{character}”"
    return _describe_beyond_ascii(character, f"U+{ord(character):04X}")


def _describe_beyond_ascii(character: str, point: str) -> str:
    name = unicodedata.name(character, "")
    category = unicodedata.category(character)
    if category == "Cs":
        return f"a lone surrogate ({point})"
    if category in ("Cc", "Cn", "Co"):
        return f"a character without a name ({point})"
    if category in _INVISIBLE:
        return f"an invisible or combining character ({point}, {name.lower()})"
    script = name.partition(" ")[0]
    if script in _SCRIPTS and category[0] == "L":
        return f"the {script.title()} letter “{character}” ({point})"
    return f"“{character}” ({point}, {name.lower()})"


def escape_invisible(text: str) -> str:
    """`text` with each character that cannot be seen, or would move others, written as `\\u{…}`."""
    return "".join(
        f"\\u{{{ord(char):X}}}"
        if unicodedata.category(char) in _INVISIBLE and char != " "
        else char
        for char in text
    )


def quote_excerpt(text: str, limit: int = MAX_EXCERPT_LENGTH) -> str:
    """Quote the beginning of what was typed, safe to print whatever it is, `limit` long at most."""
    shown = escape_invisible(text[:limit])
    cut = len(text) > limit or len(shown) > limit
    return f"“{shown[:limit]}…”" if cut else f"“{shown}”"
