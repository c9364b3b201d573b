"""What there is to say of one name: not a URN, registered nowhere, or registered."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from registry.urn.command.lines import LONGEST
from registry.urn.command.names import Registered
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.urn import URN, parse

_TOO_LONG: Final = Cause(
    "nss",
    "local rule",
    f"a line of more than {LONGEST:,} characters is not read to its end",
    "Put each name on a line of its own.",
)


class Answer(StrEnum):
    """The three answers about a name; *valid* where it was not asked what is registered."""

    MALFORMED = "not valid"
    UNREGISTERED = "unregistered"
    REGISTERED = "registered"
    VALID = "valid"


class Verdict(NamedTuple):
    """The answer for one line, with the URN or the error it comes from."""

    file: str
    line: int
    text: str
    answer: Answer
    urn: URN | None = None
    error: URNSyntaxError | None = None
    near: tuple[str, ...] = ()


def judge(file: str, line: int, text: str, registered: Registered | None = None) -> Verdict:
    """Read `text` by RFC 8141, and look its NID up among those `registered`, if these are given."""
    if len(text) >= LONGEST:
        error = URNSyntaxError(text, LONGEST, _TOO_LONG)
        return Verdict(file, line, text, Answer.MALFORMED, error=error)
    try:
        urn = parse(text)
    except URNSyntaxError as problem:
        return Verdict(file, line, text, Answer.MALFORMED, error=problem)
    if registered is None:
        return Verdict(file, line, text, Answer.VALID, urn)
    if urn.nid in registered:
        return Verdict(file, line, text, Answer.REGISTERED, urn)
    return Verdict(file, line, text, Answer.UNREGISTERED, urn, near=registered.near(urn.nid))
