"""What the specifications advise against in a valid URN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .finding import Finding, Severity
from .syntax import HEXDIGS
from .urn import URN, require_urn

_TRIPLETS: Final = re.compile(f"(?:%{HEXDIGS})++")
_TRIPLETS_BEYOND_ASCII: Final = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])++")
# Letters, digits, "-", ".", "_" and "~", which never need encoding (RFC 3986, section 2.3).
_NEEDLESS: Final = re.compile("%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|2[DdEe]|5[Ff]|7[Ee])")


def advise_on_urn(urn: URN) -> tuple[Finding, ...]:
    """Findings on the percent-encoding in `urn`; `()` if there are none.

    `urn.not-utf-8` is a MUST of RFC 8141, section 2.2; the others are advice. A finding says at
    which character of the text it begins, counted from 1. The text is a URN all the same.
    """
    require_urn(urn)
    return tuple(_find_advice(urn.text))


def _find_advice(text: str) -> Iterator[Finding]:
    yield from _find_undecodable(text)
    needless = _NEEDLESS.search(text)
    if needless is not None:
        meant = bytes.fromhex(needless.group()[1:]).decode()
        yield Finding(
            "urn.needless-encoding",
            Severity.NOTE,
            f"{needless.group()} stands for “{meant}”, which needs no encoding (character "
            f"{needless.start() + 1}); with “{meant}” itself it is another name.",
            "RFC 3986, section 2.3; RFC 8141, section 3.1",
            "Write the character itself, unless the name has been given so already.",
        )
    beyond = _TRIPLETS_BEYOND_ASCII.search(text)
    if beyond is not None:
        yield Finding(
            "urn.not-ascii",
            Severity.NOTE,
            f"{beyond.group()} stands for what is not ASCII (character {beyond.start() + 1}).",
            "RFC 8141, section 2.2",
            "Keep to ASCII letters and digits where the names of the namespace allow it.",
        )


def _find_undecodable(text: str) -> Iterator[Finding]:
    for run in _TRIPLETS.finditer(text):
        octets = bytes.fromhex(run.group().replace("%", ""))
        try:
            octets.decode()
        except UnicodeDecodeError as error:
            start = run.start() + 3 * error.start
            yield Finding(
                "urn.not-utf-8",
                Severity.WARN,
                f"{text[start : start + 3]} is not UTF-8 (character {start + 1}).",
                "RFC 8141, section 2.2",
                "Encode each character as UTF-8, and then each octet as a triplet.",
            )
            return
