"""The tokens of ABNF in a text as it was copied (RFC 5234, section 4; RFC 7405)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from registry.grammar.errors import MAX_TOKENS, GrammarSyntaxError
from registry.urn.characters import describe_character

_ENDS: Final = re.compile(r"\r\n|\r|\n")
_FOOTER: Final = re.compile(r".*\[Page [0-9ivxlc]+\]\s*")
_HEADER: Final = re.compile(r"\f?\s*(?:RFC [0-9]+|Internet-Draft)\s.*\s[0-9]{4}\s*")
# Blanks that word processors and web pages use instead of a space.
_BLANKS: Final = dict.fromkeys(map(ord, "\f\v\u00a0\u2007\u202f\u200b\u2060\ufeff"), " ")


def iterate_grammar_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that can be part of a grammar.

    Any common line end will do, and the last line needs none. Footers and headers at page breaks of
    a printed RFC are left out; any kind of blank counts as a space.
    """
    is_after_break = False
    for number, line in enumerate(_ENDS.split(text), 1):
        is_after_break = is_after_break or "\f" in line
        if _FOOTER.fullmatch(line):
            is_after_break = True
        elif is_after_break and _HEADER.fullmatch(line):
            is_after_break = False
        elif line.strip():
            is_after_break = False
            yield number, line.translate(_BLANKS)
        # After an empty line the header of the next page can still follow.


_NAME: Final = re.compile("[A-Za-z0-9_-]+")
_ENTITY: Final = re.compile("&#?[A-Za-z0-9]+;")
_VISIBLE: Final = frozenset(map(chr, range(0x20, 0x7F)))

_MEANT: Final = {
    **dict.fromkeys("“”„‟«»″＂", 'Use the straight quotation mark: ".'),
    **dict.fromkeys("'‘’‚‛`´", 'Put quotation marks around literal text: "…".'),
    **dict.fromkeys("‐‑‒–—−", "Use the plain hyphen: -."),
    **dict.fromkeys("|¦", "Write “/” between alternatives."),
    **dict.fromkeys("{}", "Write how often in front: 3DIGIT, 1*3DIGIT, *DIGIT."),
    "+": "Write “1*” in front of what is there once or more.",
    "?": "Put square brackets around what may be left out.",
    "#": 'ABNF has no lists: write item *("," item). A remark begins with “;”.',
    "^": "This looks like a regular expression: choose that kind of rule.",
    "$": "This looks like a regular expression: choose that kind of rule.",
    "\\": "ABNF has no escapes: write the character by its number, such as %x5C.",
    "-": "A hyphen joins two numbers, %x41-5A, or stands inside a name.",
    ".": "A full stop joins numbers alone, %x41.42.",
    ",": "Put a space between what follows one another.",
    "~": "ABNF cannot take characters out: list those that may stand.",
}


def explain_no_token(line: int, text: str, at: int) -> GrammarSyntaxError:
    """Why no ABNF token begins at `at`, a 0-based position in the line `text`."""
    special = _SPECIAL.get(text[at])
    if special is not None:
        at, what, mend = special(text, at)
    else:
        what = f"ABNF has no place for {describe_character(text[at])}"
        mend = _MEANT.get(text[at]) or _quote_character(text[at])
    return GrammarSyntaxError(line, at + 1, what, mend)


def _quote_character(char: str) -> str:
    if char in _VISIBLE:
        return f'Where names have it, put it in quotation marks: "{char}".'
    return f"Where names have it, write its number: %x{ord(char):02X}."


def _explain_quotation(text: str, at: int) -> tuple[int, str, str]:
    """A quotation mark that is not closed, or encloses something that cannot be quoted."""
    close = text.find('"', at + 1)
    inside = text[at + 1 : close if close > 0 else len(text)]
    odd = next((place for place, char in enumerate(inside) if char not in _VISIBLE), None)
    if odd is not None:
        what = f"Quotation marks cannot hold {describe_character(inside[odd])}"
        meant = _MEANT.get(inside[odd]) if close < 0 else None
        return at + 1 + odd, what, meant or _number_character(inside[odd])
    return at, "This quotation mark is not closed on its line", "Put another at the end."


def _number_character(char: str) -> str:
    return f"Close them and write it by its number: %x{ord(char):02X}."


def _explain_angle(text: str, at: int) -> tuple[int, str, str]:
    mend = "Put “>” at the end, on the same line, or write a rule in its place."
    return at, "What “<” opens is not closed", mend


def _explain_percent(text: str, at: int) -> tuple[int, str, str]:
    mend = 'Write %x41, %d65 or %b1000001; for the sign itself, "%".'
    return at, "No number follows “%”", mend


def _explain_underscore(text: str, at: int) -> tuple[int, str, str]:
    name = _NAME.search(text, _find_word_start(text, at))
    meant = name.group().replace("_", "-").strip("-") if name else ""
    mend = f"Write “{meant}”, wherever it is used." if meant else 'For the sign itself, "_".'
    return at, "Names of rules have letters, digits and hyphens, and no “_”", mend


def _find_word_start(text: str, at: int) -> int:
    while at > 0 and _NAME.match(text[at - 1]):
        at -= 1
    return at


def _explain_colon(text: str, at: int) -> tuple[int, str, str]:
    if re.match(":+=", text[at:]):
        return at, "Between a name and its rule ABNF has no colon", "Write “=” alone."
    return at, "ABNF has no place for “:”", _quote_character(":")


def _explain_ampersand(text: str, at: int) -> tuple[int, str, str]:
    entity = _ENTITY.match(text, at)
    if entity:
        mend = "It comes from a web page: write the sign that it stands for."
        return at, f"ABNF has no place for “{entity.group()}”", mend
    return at, "ABNF has no place for “&”", _quote_character("&")


_SPECIAL: Final[dict[str, Callable[[str, int], tuple[int, str, str]]]] = {
    '"': _explain_quotation,
    "<": _explain_angle,
    "%": _explain_percent,
    "_": _explain_underscore,
    ":": _explain_colon,
    "&": _explain_ampersand,
}


# No part of this repeats what the next could match instead, so a line is read once.
_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]+)|(?P<comment>;.*)"
    r"|(?P<rulename>[A-Za-z][A-Za-z0-9-]*)"
    r'|(?P<string>(?:%[sSiI])?"[ !#-~]*")'
    r"|(?P<number>%[bBdDxX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?)"
    r"|(?P<prose><[ -=?-~]*>)"
    r"|(?P<repeat>[0-9]*\*[0-9]*|[0-9]+)"
    r"|(?P<defined>=/?)|(?P<slash>/)|(?P<open>[(\[])|(?P<close>[)\]])"
)
ELEMENT_KINDS: Final = frozenset({"rulename", "string", "number", "prose", "open"})


@dataclass(frozen=True, slots=True)
class ABNFToken:
    """A token; `is_first` on its line, `is_apart` from the one before it."""

    kind: str
    text: str
    line: int
    column: int
    is_first: bool
    is_apart: bool

    def error(self, what: str, mend: str) -> GrammarSyntaxError:
        """The error about this token."""
        return GrammarSyntaxError(self.line, self.column, what, mend)


def find_tokens(text: str) -> list[ABNFToken]:
    """All tokens of a grammar; raises `GrammarSyntaxError` where there is none."""
    found: list[ABNFToken] = []
    for number, line in iterate_grammar_lines(text):
        found.extend(_find_line_tokens(number, line))
        if len(found) > MAX_TOKENS:
            what = f"The grammar has more than {MAX_TOKENS:,} words and signs"
            raise found[MAX_TOKENS].error(what, "Leave out the rules that names do not need.")
    return found


def _find_line_tokens(number: int, line: str) -> Iterator[ABNFToken]:
    at, is_first, is_apart = 0, True, True
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise explain_no_token(number, line, at)
        kind = str(match.lastgroup)
        if kind in ("blank", "comment"):
            is_apart = True
        else:
            yield ABNFToken(kind, match.group(), number, at + 1, is_first, is_apart)
            is_first = is_apart = False
        at = match.end()
