"""URNs and URIs in running text, extracted as appendix E of the URI draft of 2003 says.

The appendix is unchanged in RFC 3986, as its appendix C.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Final, NamedTuple

from .carried import find_carried_urn
from .errors import require_text
from .syntax import ALPHANUM, HEXDIGS, PCHAR_SET, REACH, WHOLE_URN
from .uri.reference import validate_reference
from .uri.schemes import NAMED_SCHEMES

_SCHEME: Final = rf"[A-Za-z][{ALPHANUM}+.\-]{{1,31}}+:"
# Outside angle brackets many a word is followed by a colon and is not a scheme.
_KNOWN: Final = rf"(?:(?:{'|'.join(sorted(NAMED_SCHEMES))}):|{_SCHEME}//)"
# In text that was made for HTML the brackets and quotation marks are written as references.
_LT, _GT = "&(?:lt|#0*60|#[xX]0*3[cC]);", "&(?:gt|#0*62|#[xX]0*3[eE]);"
_QUOT: Final = "&(?:quot|#0*34|#[xX]0*22);"
_NAMES: Final = "|".join(sorted(name2codepoint.keys() - {"amp"}))
_REFERENCE: Final = (
    rf"&(?:{_NAMES}|apos|[lr]cub|[lr]sqb|vert"
    r"|#(?!0*38;)[0-9]{1,7}|#[xX](?!0*26;)[0-9A-Fa-f]{1,6});"
)
_START: Final = re.compile(
    rf"<\s*+(?:URL:\s*+)?+(?P<angle>{_SCHEME}[^<>]*+)>"
    rf"|{_LT}\s*+(?:URL:\s*+)?+(?P<escaped>{_SCHEME}(?:[^<>&]++|(?!{_LT}|{_GT})&)*+){_GT}"
    rf"|\"(?:URL:\s*+)?+(?P<quote>{_KNOWN}[^\"<>]*+)\""
    rf"|{_QUOT}(?:URL:\s*+)?+(?P<quoted>{_KNOWN}(?:[^\"<>&]++|(?!{_REFERENCE})&)*+){_QUOT}"
    rf"|(?<![{ALPHANUM}+.\-])(?P<bare>{_KNOWN})",
    re.IGNORECASE | re.ASCII,
)
# The same, and abbreviations that browsers accept (RFC 3986, section 4.5).
_START_OR_SUFFIX: Final = re.compile(
    rf"{_START.pattern}|(?<![{ALPHANUM}+.\-@/:])(?P<suffix>www\.(?=[{ALPHANUM}]))",
    re.IGNORECASE | re.ASCII,
)
# A URI ends before HTML's reference for a bracket or a quotation mark.
_SIGNS: Final = PCHAR_SET.replace("&", "")
_RUN, _RUN_IN_APOSTROPHES = (
    re.compile(rf"(?:[{signs}/?#\[\]]++|%{HEXDIGS}|(?!{_REFERENCE})&)++")
    for signs in (_SIGNS, _SIGNS.replace("'", ""))
)
_SPACE: Final = re.compile(r"\s+")
_BREAK: Final = re.compile(r"[ \t]*+(?:\r\n?|[\n\x0b\x0c\x85\u2028\u2029])\s*+")
_PUNCTUATION: Final = frozenset(".,;:!?'")
_EMPHASIS: Final = frozenset("*_")
_LAST: Final = _PUNCTUATION | _EMPHASIS | {")", "]"}
_MAX_LINE_READ: Final = 500
_CLOSING: Final = {")": "(", "]": "["}


class Found(NamedTuple):
    """A URI found in running text.

    `text` is the URI without its delimiters, its prefix and the line breaks within it; it was found
    at `searched[start:end]`. If a line was broken after a hyphen that may be the typesetter's,
    `without_hyphens` is the URI without it; else it is empty. `is_completed` says that `http://`
    was put before it, since the text had only a host and a path.
    """

    text: str
    start: int
    end: int
    without_hyphens: str = ""
    is_completed: bool = False

    @property
    def is_urn(self) -> bool:
        """Whether it is a URN, and not a URI of another scheme."""
        return self.text[:4].lower() == "urn:"

    @property
    def carried_urn(self) -> str:
        """The URN in an address of the web, such as that of a resolver; empty if it has none."""
        return find_carried_urn(self.text)


def find(searched: str, *, with_suffixes: bool = False) -> Iterator[Found]:
    """The URNs and other URIs in running text, in order, none within another.

    In angle brackets white space is skipped, in quotation marks line breaks and the white space
    around them; both may be written as in HTML, `&lt;…&gt;`. Elsewhere a URI ends at the first
    character that it cannot contain, at HTML's reference for a sign of the sentence, and, right
    behind an apostrophe, at the next, excluding the sentence's own punctuation or emphasis (`*…*`,
    `_…_`). The prefix `URL:` is dropped. `with_suffixes` takes `www.…` for the rest of an `http`
    URI, as people abbreviate them (RFC 3986, section 4.5). Raises `URNSyntaxError`, which is also a
    `TypeError`, for anything but a `str`.
    """
    require_text(searched, "Running text")
    return _find_all(searched, _START_OR_SUFFIX if with_suffixes else _START)


def _find_all(searched: str, start: re.Pattern[str]) -> Iterator[Found]:
    position = 0
    while match := start.search(searched, position):
        kind = match.lastgroup or "bare"
        if kind in ("bare", "suffix"):
            begin = match.start(kind)
            found = _find_bare(searched, begin, "http://" if kind == "suffix" else "")
            # An invalid delimited text is skipped as a whole, so that no text is read repeatedly.
            position = _skip_run(searched, begin, match.end())
        else:
            found = _find_delimited(match, kind)
            position = match.start() + 1
        if found:
            yield found
            position = max(position, found.end)


def _skip_run(searched: str, begin: int, end: int) -> int:
    run = _match_run(searched, begin)
    return max(run.end() if run else 0, end)


def _match_run(searched: str, start: int) -> re.Match[str] | None:
    """What a URI can have from `start` on; what an apostrophe opens the next one closes."""
    opened = searched[max(start - 1, 0) : start] == "'"
    return (_RUN_IN_APOSTROPHES if opened else _RUN).match(searched, start)


def _find_delimited(match: re.Match[str], kind: str) -> Found | None:
    raw = match.group(kind)
    is_plain = raw.isascii() and not _SPACE.search(raw)
    space = _SPACE if kind in ("angle", "escaped") else _BREAK
    text = raw if is_plain else space.sub("", raw)
    if not _is_uri(text):
        return None
    other = "" if is_plain else space.sub("", re.sub(rf"-{_BREAK.pattern}", "", raw))
    is_other = other not in ("", text) and _is_uri(other)
    return Found(text, match.start(kind), match.end(kind), other if is_other else "")


def _find_bare(searched: str, start: int, prefix: str = "") -> Found | None:
    run = _match_run(searched, start)
    text, before = prefix + (run.group() if run else ""), ""
    while text != before:
        before = text
        if text[-1:] in _LAST:
            text = _strip_punctuation(text, searched, start)
        text = _find_valid_beginning(text)
    if len(text) <= len(prefix):
        return None
    return Found(text, start, start + len(text) - len(prefix), is_completed=bool(prefix))


def _find_valid_beginning(text: str) -> str:
    """The longest beginning of `text` that is a URI; empty if there is none."""
    if _is_uri(text):
        return text
    if text[:4].lower() == "urn:":
        reach = REACH.match(text)
        return reach.group() if reach and reach.group(2) else ""
    errors = validate_reference(text, "uri", most=1)
    # Without its end, an address in square brackets is invalid from its beginning.
    shorter = text[: errors[0].position]
    return shorter if _is_uri(shorter) else ""


def _strip_punctuation(text: str, searched: str, start: int) -> str:
    """`text` without the punctuation of a sentence after it; closing brackets only if unopened.

    It begins at `start` in the searched text; a sign of emphasis is removed if the line has an open
    one before it.
    """
    spare = {close: text.count(close) - text.count(opening) for close, opening in _CLOSING.items()}
    end = len(text)
    while end:
        last = text[end - 1]
        if last in spare and spare[last] > 0:
            spare[last] -= 1
        elif last in _EMPHASIS and _is_emphasized(searched, start, last):
            pass
        elif last not in _PUNCTUATION:
            break
        end -= 1
    return text[:end]


def _is_emphasized(searched: str, start: int, sign: str) -> bool:
    """Whether `sign` occurs before `start` on its line and begins emphasis that is still open."""
    line = searched[max(0, start - _MAX_LINE_READ) : start].rpartition("\n")[2]
    # The URI follows, so no sign after which the line ends can have closed it.
    opened, closed = _OPENINGS[sign].findall(f"{line}x"), _CLOSINGS[sign].findall(f"{line}x")
    return len(opened) > len(closed)


_OPENINGS: Final = {
    sign: re.compile(rf"(?<![^\W_{sign}]){re.escape(sign)}++(?=[^\s*_])") for sign in _EMPHASIS
}
_CLOSINGS: Final = {
    sign: re.compile(rf"(?<=[^\s*_]){re.escape(sign)}++(?!\w)") for sign in _EMPHASIS
}


def _is_uri(text: str) -> bool:
    if text[:4].lower() == "urn:":
        return WHOLE_URN.fullmatch(text) is not None
    return not validate_reference(text, "uri", most=1)
