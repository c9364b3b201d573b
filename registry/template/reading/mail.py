"""What mail programs do to a text: encodings, wrapped lines and quotation marks."""

from __future__ import annotations

import quopri
import re
from collections.abc import Sequence
from typing import Final, NamedTuple


class MailLine(NamedTuple):
    """A line as it was written, the numbers of the first and last line it came in, whether somebody
    else put it between the lines of a quotation, and whether it only has tags or borders.
    """

    first: int
    last: int
    text: str
    is_aside: bool = False
    is_markup: bool = False


_QUOTED_PRINTABLE: Final = re.compile(
    r"^content-transfer-encoding:\s*quoted-printable", re.I | re.M
)
_OCTET: Final = re.compile(r"=[0-9A-F]{2}")
_FLOWED: Final = re.compile(r"^(?:content-type:.*;|\s).*\bformat=\"?flowed\b", re.I | re.M)
_ENOUGH: Final = 2
_LONG: Final = 55
_MOSTLY: Final = 0.6
_NEARLY_ALL: Final = 0.9
_MAX_QUOTATION_DEPTH: Final = 5
_SIGN: Final = re.compile(r" ?[>|] ?")
_SIGNS: Final = re.compile(r"(?:> ?){1,5}")
_LABEL: Final = re.compile(
    r"(?:> ?){0,5}(?:[0-9.]{1,9} )?\s*(?:requested )?(?:namespace id|version|date|regist|declar"
    r"|purpose|syntax|assignment|security|interoperability|resolution|documentation|additional"
    r"|revision|relevant|identifier|process|rules for|conformance|validation|scope)[\w ]{0,45}:?",
    re.I,
)


def undo_mail(text: str) -> list[MailLine]:
    """The lines of a text as they were before a mail program sent and quoted them."""
    lines = [MailLine(number, number, each) for number, each in enumerate(text.split("\n"), 1)]
    if _is_quoted_printable(text):
        lines = _decode_quoted_printable(lines)
    lines = _unquote_lines(lines)
    return _join_flowed(lines) if _is_flowed(text, lines) else lines


def _is_quoted_printable(text: str) -> bool:
    if _QUOTED_PRINTABLE.search(text[:20_000]):
        return True
    folded = text.count("=\n")
    return folded >= _ENOUGH and len(_OCTET.findall(text)) >= _ENOUGH


def _decode_quoted_printable(lines: Sequence[MailLine]) -> list[MailLine]:
    """The octets of RFC 2045, section 6.7 as characters, with the lines that it split joined."""
    joined: list[MailLine] = []
    open_end = False
    for line in lines:
        bare = line.text.rstrip()
        folds = bare.endswith("=")
        words = bare[:-1] if folds else bare
        if open_end:
            before = joined[-1]
            joined[-1] = MailLine(before.first, line.last, before.text + words)
        else:
            joined.append(MailLine(line.first, line.last, words))
        open_end = folds
    return [line._replace(text=_decode_octets(line.text)) for line in joined]


def _decode_octets(text: str) -> str:
    if not _OCTET.search(text):
        return text
    octets = quopri.decodestring(text.encode("utf-8", "surrogatepass"))
    try:
        return octets.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return octets.decode("cp1252", "replace")


def _unquote_lines(lines: list[MailLine]) -> list[MailLine]:
    """A text quoted in a letter, without the signs of quotation."""
    for _depth in range(_MAX_QUOTATION_DEPTH):
        written = sum(1 for line in lines if line.text.strip() and not line.is_aside)
        sign = max(">|", key=lambda each: _count_quoted(lines, each))
        quoted = _count_quoted(lines, sign)
        if quoted < 3 or quoted < _NEARLY_ALL * written:
            return _set_answers_aside(lines)
        lines = [
            line._replace(text=_SIGN.sub("", line.text, count=1))
            if line.text.lstrip(" ").startswith(sign)
            else line
            for line in lines
        ]
    return lines


def _count_quoted(lines: Sequence[MailLine], sign: str) -> int:
    # A drawing or a table has such a sign at either end, or between cells.
    if sign == "|" and any(line.text.startswith(("|===", "{|", "|-")) for line in lines):
        return 0
    return sum(
        1
        for line in lines
        if line.text.startswith((sign, f" {sign}"))
        and not (sign == "|" and "|" in line.text.strip()[1:])
    )


def _set_answers_aside(lines: list[MailLine]) -> list[MailLine]:
    """The quotation and the answers, if somebody answered between the lines of a quotation."""
    quoted = [at for at, line in enumerate(lines) if line.text.startswith(">")]
    labels = sum(1 for at in quoted if _LABEL.match(lines[at].text))
    if labels < 3 or 3 * labels < 2 * sum(1 for line in lines if _LABEL.match(line.text)):
        return lines
    first, last = quoted[0], quoted[-1]
    inner = [
        line._replace(text=_SIGNS.sub("", line.text, count=1))
        if line.text.startswith(">")
        else line._replace(is_aside=bool(line.text.strip()))
        for line in lines[first : last + 1]
    ]
    return [*lines[:first], *inner, *lines[last + 1 :]]


def _is_flowed(text: str, lines: Sequence[MailLine]) -> bool:
    """Whether lines that end in a space continue on the next (RFC 3676)."""
    if _FLOWED.search(text[:20_000]):
        return True
    long = [line.text for line in lines if len(line.text) > _LONG]
    soft = sum(1 for text in long if text.endswith(" ") and not text.endswith("  "))
    return soft > _ENOUGH and soft >= _MOSTLY * len(long)


def _join_flowed(lines: Sequence[MailLine]) -> list[MailLine]:
    joined: list[MailLine] = []
    open_end = False
    for line in lines:
        if open_end and line.text.strip() and not line.is_aside:
            before = joined[-1]
            joined[-1] = before._replace(last=line.last, text=before.text + line.text)
        else:
            joined.append(line)
        # The mark above a signature ends in a space and is not part of a paragraph.
        open_end = line.text.endswith(" ") and bool(line.text.strip()) and line.text != "-- "
    return joined
