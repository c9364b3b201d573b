"""URNs and URIs in running text, as appendix E of the URI draft of 2003 says to take them out.

The appendix stands unchanged in RFC 3986, as its appendix C.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from registry.urn.syntax import ALPHANUM, HEXDIGS, PCHAR_SET, REACH
from registry.urn.uri.reference import validate_reference
from registry.urn.urn import is_valid

_SCHEME: Final = rf"[A-Za-z][{ALPHANUM}+.\-]{{1,31}}+:"
# Outside angle brackets many a word has a colon behind it and is no scheme.
_KNOWN: Final = (
    "(?:urn|mailto|news|nntp|tel|sips?|xmpp|doi|hdl|info|tag|data|cid|mid|geo|magnet|acct|did):"
    f"|{_SCHEME}//"
)
_START: Final = re.compile(
    rf"<\s*+(?:URL:\s*+)?+(?P<angle>{_SCHEME}[^<>]*+)>"
    rf"|\"(?:URL:\s*+)?+(?P<quote>(?:{_KNOWN})[^\"<>]*+)\""
    rf"|(?<![{ALPHANUM}+.\-])(?P<bare>{_KNOWN})",
    re.IGNORECASE | re.ASCII,
)
_RUN: Final = re.compile(rf"(?:[{PCHAR_SET}/?#\[\]]++|%{HEXDIGS})++")
_SPACE: Final = re.compile(r"\s+")
_BREAK: Final = re.compile(r"[ \t]*+(?:\r\n?|[\n\x0b\x0c\x85\u2028\u2029])\s*+")
_PUNCTUATION: Final = ".,;:!?'"
_CLOSING: Final = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Found:
    """A URI found in running text.

    `text` is the URI without its delimiters, its prefix and the breaks within it; it stood in
    `searched[start:end]`. Where a line was broken behind a hyphen that may be the typesetter's,
    `without_hyphens` is what the URI is then; else it is empty.
    """

    text: str
    start: int
    end: int
    without_hyphens: str = ""

    @property
    def is_urn(self) -> bool:
        """Whether it is a URN, and not a URI of another scheme."""
        return self.text[:4].lower() == "urn:"


def find(searched: str) -> Iterator[Found]:
    """The URNs and other URIs in running text, in order, none within another.

    In angle brackets white space is passed over, in quotation marks line breaks with the white
    space around them. Elsewhere a URI ends where a character cannot stand in it, and what is the
    sentence's own punctuation stays behind. The prefix `URL:` is dropped.
    """
    position = 0
    while match := _START.search(searched, position):
        bare = match.group("bare")
        found = _find_bare(searched, match.start("bare")) if bare else _find_delimited(match)
        if found:
            yield found
        # What is wrong in itself is passed over whole, so that no text is read again and again.
        position = _skip_run(searched, match) if bare else match.start() + 1
        position = max(position, found.end) if found else position


def _skip_run(searched: str, match: re.Match[str]) -> int:
    run = _RUN.match(searched, match.start("bare"))
    return max(run.end() if run else 0, match.end())


def _find_delimited(match: re.Match[str]) -> Found | None:
    kind = "angle" if match.group("angle") else "quote"
    raw = match.group(kind)
    space = _SPACE if kind == "angle" else _BREAK
    text = space.sub("", raw)
    if not _is_uri(text):
        return None
    dehyphenated = space.sub("", re.sub(rf"-{_BREAK.pattern}", "", raw))
    other = dehyphenated if dehyphenated != text and _is_uri(dehyphenated) else ""
    return Found(text, match.start(kind), match.end(kind), other)


def _find_bare(searched: str, start: int) -> Found | None:
    run = _RUN.match(searched, start)
    text = run.group() if run else ""
    before = ""
    while text != before:
        before = text
        text = _find_valid_beginning(_strip_punctuation(text))
    return Found(text, start, start + len(text)) if text else None


def _find_valid_beginning(text: str) -> str:
    """As much of `text` as is a URI; empty where its beginning is none."""
    if text[:4].lower() == "urn:":
        reach = REACH.match(text)
        return reach.group() if reach and reach.group(2) else ""
    errors = validate_reference(text, "uri", most=1)
    if not errors:
        return text
    # Without its end an address in square brackets is wrong from its beginning on.
    shorter = text[: errors[0].position]
    return shorter if _is_uri(shorter) else ""


def _strip_punctuation(text: str) -> str:
    """`text` without what a sentence puts behind it, closing brackets only where unopened."""
    spare = {close: text.count(close) - text.count(opening) for close, opening in _CLOSING.items()}
    end = len(text)
    while end and (text[end - 1] in _PUNCTUATION or spare.get(text[end - 1], 0) > 0):
        end -= 1
        if text[end] in spare:
            spare[text[end]] -= 1
    return text[:end]


def _is_uri(text: str) -> bool:
    if text[:4].lower() == "urn:":
        return is_valid(text)
    return not validate_reference(text, "uri", most=1)
