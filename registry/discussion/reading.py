"""Reading one letter as it comes from the mail server (RFC 5322): trust nothing in it."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage
from typing import Final

from registry.discussion.markup import words_of

MOST_BYTES: Final = 1_000_000
MOST_PARTS: Final = 2_000
MOST_HTML: Final = 200_000
LONGEST_HEADER: Final = 2_000
LONGEST_ID: Final = 250

_ID: Final = re.compile(r"<[^<>\s\x00-\x1f]{3,248}>")
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_CHARSETS: Final = re.compile(
    r"ascii|utf-(8|16|32)|iso8859|cp\d|koi8|gb|big5|euc|shift|iso2022|mac|tis|hz", re.ASCII
)
_HOSTILE: Final = (
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the standard library raises over headers and parts made to break it."""


_headers: Final = HeaderRegistry()


def bounded(name: str, value: str) -> str:
    """Return a header parsed, a long one only as far as it takes no time to make sense of."""
    return _headers(name, value[:LONGEST_HEADER])


BOUNDED: Final = policy.default.clone(header_factory=bounded)


class Unreadable(Exception):
    """No message can be made of the letter; the text says why."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What we take from a letter. Nothing of it is proven, least of all who wrote it."""

    message_id: str
    subject: str
    refers_to: tuple[str, ...]
    name: str
    address: str
    text: str
    is_automatic: bool


def read(raw: bytes) -> Letter:
    """Return what a letter says; raise `Unreadable` where there is nothing to be had."""
    if len(raw) > MOST_BYTES:
        raise Unreadable(f"The letter has more than {MOST_BYTES:,} bytes.")
    if raw.count(b"\n--") > MOST_PARTS:
        raise Unreadable(f"The letter has more than {MOST_PARTS:,} parts.")
    try:
        message = message_from_bytes(raw, policy=BOUNDED)
        text = text_of(message)
    except _HOSTILE as error:
        raise Unreadable("The letter is damaged.") from error
    if not text:
        raise Unreadable("The letter has no text.")
    name, address = sender(message)
    return Letter(
        message_id=own_id(message, raw),
        subject=header(message, "Subject"),
        refers_to=(*ids(message, "In-Reply-To"), *reversed(ids(message, "References"))),
        name=name,
        address=address,
        text=text,
        is_automatic=is_automatic(message),
    )


def raw_header(message: EmailMessage, name: str) -> str:
    """Return the first header of that name as it came; of one without an end, the beginning."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return str(value)[:LONGEST_HEADER]
    return ""


def header(message: EmailMessage, name: str) -> str:
    """Return a header decoded, in one line, without characters that nobody can see."""
    raw = raw_header(message, name)
    try:
        decoded = str(BOUNDED.header_fetch_parse(name, raw))
    except _HOSTILE:
        decoded = raw
    return " ".join(seen(decoded.replace("\t", " ")).split())


def ids(message: EmailMessage, name: str) -> tuple[str, ...]:
    """Return the Message-IDs in a header."""
    return tuple(_ID.findall(raw_header(message, name)))


def own_id(message: EmailMessage, raw: bytes) -> str:
    """Return the Message-ID; of a letter without one, one that its bytes alone decide."""
    found = ids(message, "Message-ID")
    if found and len(found[0]) <= LONGEST_ID:
        return found[0]
    return f"<{hashlib.sha256(raw).hexdigest()}@without-message-id.invalid>"


def sender(message: EmailMessage) -> tuple[str, str]:
    """Return name and address of the first author, as the letter claims."""
    try:
        found = _headers("From", raw_header(message, "From"))
        addresses: tuple[Address, ...] = getattr(found, "addresses", ())
        name, address = addresses[0].display_name, addresses[0].addr_spec
    except _HOSTILE:
        return "", ""
    return " ".join(seen(name).split())[:120], seen(address)[:254]


def is_automatic(message: EmailMessage) -> bool:
    """Whether a machine wrote it: an answer to an answer would go round for ever (RFC 3834)."""
    if header(message, "Auto-Submitted").lower() not in {"", "no"}:
        return True
    if any(raw_header(message, name) for name in ("X-Autoreply", "X-Autorespond", "X-Loop")):
        return True
    if "<>" in raw_header(message, "Return-Path") or message.get_content_type() in {
        "multipart/report",
        "message/delivery-status",
    }:
        return True
    bulk = {"junk", "auto_reply"} | (set() if raw_header(message, "List-Id") else {"bulk"})
    return header(message, "Precedence").lower() in bulk


def text_of(message: EmailMessage) -> str:
    """Return the plain text of a letter, or the words of its HTML where it has no other."""
    found = {part.get_content_type(): part for part in reversed(list(inline(message)))}
    # A part without headers is false in Python's eyes, and a letter all the same.
    if "text/plain" in found:
        return tidy(decoded(found["text/plain"]))
    if "text/html" in found:
        return tidy(words_of(decoded(found["text/html"])[:MOST_HTML]))
    return ""


def inline(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts with text that are no attachments."""
    for part in message.walk():
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
            yield part


def decoded(part: EmailMessage) -> str:
    """Return the text of a part; what its character set does not know is shown as such."""
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    return octets.decode(charset(str(part.get_content_charset("utf-8"))), "replace")


def charset(name: str) -> str:
    """Return a character set for text; for one that is unknown, or no such thing, UTF-8."""
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "utf-8"
    return known if _CHARSETS.match(known) else "utf-8"


def seen(text: str) -> str:
    """Return the text without control characters and marks that turn its direction."""
    return _UNSEEN.sub("", text)


def tidy(text: str) -> str:
    """Return the text with our line ends, and no more than two empty lines in a row."""
    lines = seen(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip("\n")
