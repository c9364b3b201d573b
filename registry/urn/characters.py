"""Naming a character, and quoting a text, so that people see what was typed."""

from __future__ import annotations

import re
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
# Characters that look like a letter of another script, by the first word of their Unicode name.
_SCRIPTS: Final = frozenset(
    "ARABIC ARMENIAN BENGALI CHEROKEE COPTIC CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI "
    "HANGUL HEBREW HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MONGOLIAN MYANMAR TAMIL "
    "TELUGU THAI TIBETAN".split()
)
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs", "Mn", "Me"})
MAX_EXCERPT_LENGTH: Final = 48


def describe_character(character: str) -> str:
    """Describe `character` for the middle of a sentence: "a space", "the Cyrillic letter …"."""
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
        octet = find_undecoded_octet(character)
        what = f"a lone surrogate ({point})"
        return what if octet is None else f"the octet 0x{octet:02X}, which is not UTF-8,"
    if category in ("Cc", "Cn", "Co"):
        return f"a character without a name ({point})"
    if category in _INVISIBLE:
        return f"an invisible or combining character ({point}, {name.lower()})"
    script = name.partition(" ")[0]
    if script in _SCRIPTS and category[0] == "L":
        return f"the {script.title()} letter “{character}” ({point})"
    return f"“{character}” ({point}, {name.lower()})"


def find_undecoded_octet(character: str) -> int | None:
    """The octet that Python keeps as this lone surrogate since it is not UTF-8 (PEP 383)."""
    return ord(character) - 0xDC00 if "\udc80" <= character <= "\udcff" else None


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def escape_surrogates(text: str) -> str:
    """`text` with octets that are not UTF-8 as `\\xff`, so that any encoding can express it."""
    return _SURROGATE.sub(_escape_surrogate, text)


def _escape_surrogate(match: re.Match[str]) -> str:
    octet = find_undecoded_octet(match.group())
    return f"\\u{ord(match.group()):04x}" if octet is None else f"\\x{octet:02x}"


def escape_invisible(text: str) -> str:
    """`text` with each character that is invisible or would move others written as `\\u{…}`."""
    return "".join(
        f"\\u{{{ord(char):X}}}"
        if unicodedata.category(char) in _INVISIBLE and char != " "
        else char
        for char in text
    )


def quote_excerpt(text: str, limit: int = MAX_EXCERPT_LENGTH) -> str:
    """Quote the beginning of what was typed, at most `limit` long and safe to print."""
    shown = escape_invisible(text[:limit])
    cut = len(text) > limit or len(shown) > limit
    return f"“{shown[:limit]}…”" if cut else f"“{shown}”"


# Drawn like ASCII characters, by the Unicode list of confusable characters (UTS 39): Cyrillic,
# Greek, Armenian, and Latin letters beyond ASCII, typographic hyphens and dashes, and full-width
# forms of East Asian text.
LOOKALIKE_LETTERS: Final = str.maketrans(
    "аеорсухіјѕԁһӏкмтвнαορτυνικχβεζηАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧԛԝгьпзүѵωγϲϳօոսցհյզտıɑɡɩʟᴏᴄᴜᴠᴡᴢᴋ",
    "aeopcyxijsdhlkmtbhaoptuvikxbeznABEKMHOPCTYXIJSABEZHIKMNOPTYXqwrbn3yvwycjonughjqsiagilocuvwzk",
)
_LOOKALIKE_SIGNS: Final = str.maketrans(
    {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
    | dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"), "-")
    | {0x2024: ".", 0x2215: "/", 0x2236: ":", 0xA789: ":", 0x3000: " "}
)
_NOT_DRAWN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")

_DIGIT: Final = re.compile(r"(?![0-9])\d")


def fold_lookalikes(text: str) -> str:
    """`text` with characters that look like ASCII, and digits of any script, written in ASCII."""
    alike = text.translate(_LOOKALIKE_SIGNS).translate(LOOKALIKE_LETTERS)
    return _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), alike)


def remove_invisible(text: str) -> str:
    """`text` without zero widths, soft hyphens, byte order marks and direction marks."""
    return _NOT_DRAWN.sub("", text)
