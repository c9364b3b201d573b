"""Letters from the mailing list (RFC 5322), read without trust, become messages, or templates that
await their sender's confirmation.
"""

from __future__ import annotations

import codecs
import datetime
import hashlib
import html
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage
from email.utils import parseaddr
from http import HTTPStatus
from itertools import islice
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.actions.discussion import (
    find_message_host,
    find_thread_start,
    lock_discussion,
    save_message,
)
from registry.actions.mailed_templates import find_template_expiry
from registry.enums import (
    LIVE_STATES,
    MessageAudience,
    MessageChannel,
)
from registry.errors import RegistryError
from registry.models import MailedTemplate, Message, RegistrationRequest, User
from registry.models.discussion import MessageQuerySet
from registry.notifications.outbox import write_direct_letter
from registry.permissions import CLOCK
from registry.rate_limits import ONE_HOUR, consume
from registry.secret_box import digest_address
from registry.template import FIELDS
from registry.template.reading import MAX_READ_LENGTH, read
from registry.validators import strip_invisible
from registry.workflow.events import record_event

# The standard library's parser takes minutes over malicious markup; this one looks at each
# character once, and gives up at anything that is never closed.

_NAME: Final = re.compile(r"/?[a-z][a-z0-9]{0,20}")
_UNREAD: Final = frozenset({"script", "style", "head", "title", "template", "noscript"})
_BREAKS: Final = frozenset(
    {"p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "br"}
)
_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""ASCII only: other letters may change length with their case, which would shift positions."""
MAX_QUOTE_DEPTH: Final = 5


def extract_words(markup: str) -> str:
    """Return the words of `markup`, one line per block, with mail's mark before quoted ones."""
    lines = [""]
    quotes = 0
    for name, text in tokenize_html(markup):
        if name == "blockquote":
            quotes += 1
        elif name == "/blockquote":
            quotes = max(quotes - 1, 0)
        if name and name.removeprefix("/") in _BREAKS | {"blockquote"}:
            lines.append("> " * min(quotes, MAX_QUOTE_DEPTH))
        elif text:
            lines[-1] += text
    return "\n".join(" ".join(line.split()) for line in lines if line.strip("> \t\n"))


def tokenize_html(markup: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of tag name and text, one of the two empty."""
    lower, at = markup.translate(_LOWER), 0
    while at < len(markup):
        opening = lower.find("<", at)
        end = len(markup) if opening < 0 else opening
        yield "", html.unescape(markup[at:end]).replace("\n", " ")
        if opening < 0:
            return
        found = _NAME.match(lower, opening + 1)
        name = found.group() if found else ""
        yield name, ""
        at = skip_markup(lower, opening, name)


def skip_markup(lower: str, opening: int, name: str) -> int:
    """Return where the text continues after the tag, comment or skipped element at `opening`."""
    if lower.startswith("<!--", opening):
        return skip_closing(lower, "-->", opening)
    if name in _UNREAD:
        return skip_closing(lower, ">", skip_closing(lower, f"</{name}", opening))
    return skip_closing(lower, ">", opening)


def skip_closing(lower: str, closing: str, at: int) -> int:
    """Return the position after the next `closing`, or the end if there is none."""
    end = lower.find(closing, at)
    return len(lower) if end < 0 else end + len(closing)


MAX_LETTER_BYTES: Final = 1_000_000
MAX_LETTER_PARTS: Final = 2_000
MAX_LETTER_HTML: Final = 200_000
MAX_HEADER_LENGTH: Final = 2_000
MAX_ATTACHED_TEXTS: Final = 5
ATTACHED_TYPES: Final = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
MAX_MESSAGE_ID_LENGTH: Final = 250

_ID: Final = re.compile(r"<[^<>\s\x00-\x1f]{3,248}>")
_INVISIBLE: Final = re.compile(
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
"""What the standard library raises for malicious headers and parts."""


_headers: Final = HeaderRegistry()


def parse_bounded_header(name: str, value: str) -> str:
    """Return a header parsed, truncated first if parsing it could take long."""
    return _headers(name, value[:MAX_HEADER_LENGTH])


BOUNDED_POLICY: Final = policy.default.clone(header_factory=parse_bounded_header)


class UnreadableLetter(RegistryError):
    """The letter cannot become a message; the text says why."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


@dataclass(frozen=True, slots=True)
class IncomingLetter:
    """What we take from a letter. None of it is proven, least of all the author."""

    message_id: str
    subject: str
    refers_to: tuple[str, ...]
    name: str
    address: str
    text: str
    is_automatic: bool
    attached: tuple[str, ...] = ()
    reply_to: str = ""
    list_id: str = ""
    is_from_a_list: bool = False


def read_letter(raw: bytes) -> IncomingLetter:
    """Return the content of a letter; raise `UnreadableLetter` if it has none."""
    if len(raw) > MAX_LETTER_BYTES:
        raise UnreadableLetter(f"The letter has more than {MAX_LETTER_BYTES:,} bytes.")
    if raw.count(b"\n--") > MAX_LETTER_PARTS:
        raise UnreadableLetter(f"The letter has more than {MAX_LETTER_PARTS:,} parts.")
    try:
        message = message_from_bytes(raw, policy=BOUNDED_POLICY)
        text = extract_letter_text(message)
        attached = extract_attached_texts(message)
    except _HOSTILE as error:
        raise UnreadableLetter("The letter is damaged.") from error
    if not text and not attached:
        raise UnreadableLetter("The letter has no text.")
    name, address = read_address(message, "From")
    return IncomingLetter(
        message_id=find_letter_id(message, raw),
        subject=read_header(message, "Subject"),
        refers_to=(
            *read_message_ids(message, "In-Reply-To"),
            *reversed(read_message_ids(message, "References")),
        ),
        name=name,
        address=address,
        text=text,
        is_automatic=is_automatic_letter(message),
        attached=attached,
        reply_to=read_address(message, "Reply-To")[1],
        list_id=read_list_id(message),
        is_from_a_list=is_letter_of_a_list(message),
    )


def read_raw_header(message: EmailMessage, name: str) -> str:
    """Return the first header of that name as received; of an endless one, the beginning."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return str(value)[:MAX_HEADER_LENGTH]
    return ""


def read_header(message: EmailMessage, name: str) -> str:
    """Return a header decoded, on one line, without invisible characters."""
    raw = read_raw_header(message, name)
    try:
        decoded = str(BOUNDED_POLICY.header_fetch_parse(name, raw))
    except _HOSTILE:
        decoded = raw
    return " ".join(strip_control_characters(decoded.replace("\t", " ")).split())


def read_message_ids(message: EmailMessage, name: str) -> tuple[str, ...]:
    return tuple(_ID.findall(read_raw_header(message, name)))


def find_letter_id(message: EmailMessage, raw: bytes) -> str:
    """Return the Message-ID; for a letter without one, an ID derived from its bytes."""
    found = read_message_ids(message, "Message-ID")
    if found and len(found[0]) <= MAX_MESSAGE_ID_LENGTH:
        return found[0]
    return f"<{hashlib.sha256(raw).hexdigest()}@without-message-id.invalid>"


def read_address(message: EmailMessage, header: str) -> tuple[str, str]:
    """Return the first name and address in a header such as From, as the letter claims."""
    try:
        found = _headers(header, read_raw_header(message, header))
        addresses: tuple[Address, ...] = getattr(found, "addresses", ())
        name, address = addresses[0].display_name, addresses[0].addr_spec
    except _HOSTILE:
        return "", ""
    return " ".join(strip_control_characters(name).split())[:120], strip_control_characters(
        address
    )[:254]


def is_automatic_letter(message: EmailMessage) -> bool:
    """Whether a machine wrote it: replying to auto-replies would never end (RFC 3834)."""
    if read_header(message, "Auto-Submitted").lower() not in {"", "no"}:
        return True
    if any(read_raw_header(message, name) for name in ("X-Autoreply", "X-Autorespond", "X-Loop")):
        return True
    if "<>" in read_raw_header(message, "Return-Path") or message.get_content_type() in {
        "multipart/report",
        "message/delivery-status",
    }:
        return True
    bulk = {"junk", "auto_reply"} | (set() if read_raw_header(message, "List-Id") else {"bulk"})
    return read_header(message, "Precedence").lower() in bulk


def read_list_id(message: EmailMessage) -> str:
    """Return the mailing list's identifier in the letter (RFC 2919), empty for none."""
    found = re.search(r"<([^<>\s]{1,250})>", read_raw_header(message, "List-Id"))
    return found[1].lower() if found else read_raw_header(message, "List-Id").strip().lower()


def is_letter_of_a_list(message: EmailMessage) -> bool:
    """Whether a mailing list distributed the letter (RFC 2369 and 2919, and older conventions)."""
    names = ("List-Id", "List-Post", "List-Unsubscribe", "Mailing-List")
    is_signed = any(read_raw_header(message, name) for name in names)
    return is_signed or read_header(message, "Precedence").lower() in {"list", "bulk"}


def extract_attached_texts(message: EmailMessage) -> tuple[str, ...]:
    """Return the first few attached plain texts."""
    parts = (part for part in message.walk() if part.get_content_disposition() == "attachment")
    texts = (part for part in parts if part.get_content_type() in ATTACHED_TYPES)
    return tuple(tidy_lines(decode_part(part)) for part in islice(texts, MAX_ATTACHED_TEXTS))


def extract_letter_text(message: EmailMessage) -> str:
    """Return the plain text of a letter, or the words of its HTML if it has no other."""
    found = {
        part.get_content_type(): part for part in reversed(list(iterate_inline_parts(message)))
    }
    # A part without headers is falsy in Python, but is still a letter.
    if "text/plain" in found:
        return tidy_lines(decode_part(found["text/plain"]))
    if "text/html" in found:
        return tidy_lines(extract_words(decode_part(found["text/html"])[:MAX_LETTER_HTML]))
    return ""


def iterate_inline_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the text parts that are not attachments."""
    for part in message.walk():
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
            yield part


def decode_part(part: EmailMessage) -> str:
    """Return the text of a part, marking bytes that its character set does not have."""
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    text = octets.decode(choose_charset(str(part.get_content_charset("utf-8"))), "replace")
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return join_flowed_lines(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")


_QUOTE_MARKS: Final = re.compile(r"(>*)( ?)(.*)", re.S)


def join_flowed_lines(text: str, *, deletes_space: bool) -> str:
    """Return a text with the lines joined that its sender's program folded (RFC 3676)."""
    paragraphs: list[list[str]] = []
    open_depth = -1
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        found = _QUOTE_MARKS.fullmatch(line)
        assert found, "every part of the pattern may be missing"
        marks, _stuffed, words = found.groups()
        # The mark above a signature ends in a space and is part of no paragraph.
        is_flowed = words.endswith(" ") and words != "-- "
        if open_depth != len(marks) or words == "-- ":
            paragraphs.append([f"{marks} " if marks else ""])
        paragraphs[-1].append(words[:-1] if is_flowed and deletes_space else words)
        open_depth = len(marks) if is_flowed else -1
    return "\n".join(map("".join, paragraphs))


def choose_charset(name: str) -> str:
    """Return a known character set for text, or UTF-8."""
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "utf-8"
    return known if _CHARSETS.match(known) else "utf-8"


def strip_control_characters(text: str) -> str:
    """Return the text without control characters and marks that change its direction."""
    return _INVISIBLE.sub("", text)


def tidy_lines(text: str) -> str:
    """Return the text with our line ends, and no more than two empty lines in a row."""
    lines = strip_control_characters(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip("\n")


MAX_MAILED_MESSAGE: Final = 50_000
MAX_LETTERS_PER_HOUR: Final = 10
"""From one address; further ones wait for a moderator."""
_REFERENCE_PATTERN: Final = re.compile(r"\bR-\d{4}-\d{4,6}\b", re.ASCII | re.IGNORECASE)
_OWN_ID_PATTERN: Final = re.compile(r"<(R-\d{4}-\d{4,6})\.[^@]*@([^@>]+)>", re.ASCII)


class UnwantedLetter(RegistryError):
    """A letter that is rightly ignored: from a machine, or already known. Nobody is notified."""


class NoDiscussionFound(RegistryError):
    """A letter for which there is no discussion."""

    status = HTTPStatus.NOT_FOUND


class LetterTooLong(RegistryError):
    """A letter that nobody would read to the end."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def receive_letter(raw: bytes) -> Message | MailedTemplate:
    """Return the message made from a letter, with its event in the journal; or the template that it
    contained, which waits for its sender to confirm it.

    Raises `UnwantedLetter`, `NoDiscussionFound`, `LetterTooLong`, or `UnreadableLetter`; nothing is
    stored then.
    """
    letter = read_letter(raw)
    if letter.is_automatic or is_own_letter(letter):
        raise UnwantedLetter("A machine wrote this letter.")
    try:
        answered, registration_request = find_discussion(letter)
    except NoDiscussionFound:
        text = "" if is_answer(letter) else find_template_text(letter)
        if not text:
            raise
        return hold_mailed_template(letter, text)
    return add_letter_to_discussion(letter, answered, registration_request)


def add_letter_to_discussion(
    letter: IncomingLetter, answered: Message | None, registration_request: RegistrationRequest
) -> Message:
    """Return the message of the discussion made from a letter."""
    if len(letter.text) > MAX_MAILED_MESSAGE:
        raise LetterTooLong(f"The text has more than {MAX_MAILED_MESSAGE:,} characters.")
    if not letter.text:
        raise UnreadableLetter("The letter has no text.")
    with transaction.atomic():
        held = lock_discussion(registration_request)
        if Message.objects.filter(message_id=letter.message_id).exists():
            raise UnwantedLetter("The discussion has this letter already.")
        if held.state not in LIVE_STATES:
            raise NoDiscussionFound(f"{held.reference} is closed, and so is its discussion.")
        author = find_sender_account(letter.address)
        digest = digest_address(letter.address) if letter.address else ""
        sender_digest = "" if author else digest
        by_mail = held.messages.filter(channel=MessageChannel.LIST, text=letter.text)
        if by_mail.filter(author=author, sender_digest=sender_digest).exists():
            raise UnwantedLetter("The discussion has this text from this address already.")
        waits = not consume(f"letters:{digest}", MAX_LETTERS_PER_HOUR, ONE_HOUR)
        reason = _("More letters an hour from one address than are shown unseen.") if waits else ""
        message = save_message(
            held,
            author=author,
            author_name=str(author) if author else find_sender_name(letter),
            text=letter.text,
            channel=MessageChannel.LIST,
            sender_digest=sender_digest,
            message_id=letter.message_id,
            answers=find_thread_start(answered),
            hidden_at=timezone.now() if waits else None,
            hidden_reason=reason,
        )
        # The actor is not the claimed sender, who has not acted here: the registry took the letter
        # in.
        data = {"message": message.number, "channel": MessageChannel.LIST.value}
        verb = "hide_message" if waits else "comment"
        record_event(held, actor=CLOCK, verb=verb, comment=reason, data=data)
    return message


def find_sender_name(letter: IncomingLetter) -> str:
    """Return the name of the claimed sender, without anything a name may not contain."""
    return strip_invisible(letter.name) or _("Somebody without a name")


def is_own_letter(letter: IncomingLetter) -> bool:
    """Whether the registry sent it, and the list returned it."""
    ours = _OWN_ID_PATTERN.fullmatch(letter.message_id)
    sent_by_us = bool(ours and ours[2] == find_message_host())
    return sent_by_us or letter.address.lower() == parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def find_discussion(letter: IncomingLetter) -> tuple[Message | None, RegistrationRequest]:
    """Return the message being answered, if known, and the request being discussed."""
    known = Message.objects.in_bulk(letter.refers_to, field_name="message_id")
    if any(each.audience == MessageAudience.EXPERTS for each in known.values()):
        raise NoDiscussionFound(
            "The letter answers a note among experts, which is not for the list."
        )
    for message_id in letter.refers_to:
        if answered := known.get(message_id):
            return answered, answered.registration_request
    for reference in find_request_references(letter):
        found = RegistrationRequest.objects.public().filter(reference=reference).first()
        if found:
            return None, found
    raise NoDiscussionFound(
        "The letter names no request: write its reference, such as R-2026-0012."
    )


def find_request_references(letter: IncomingLetter) -> list[str]:
    """Return the request references in a letter: from our own letters, then from the subject."""
    ours = [found for each in letter.refers_to if (found := _OWN_ID_PATTERN.fullmatch(each))]
    named = [found[1] for found in ours if found[2] == find_message_host()]
    return named + [each.upper() for each in _REFERENCE_PATTERN.findall(letter.subject)]


def find_sender_account(address: str) -> User | None:
    """Return the account that confirmed this address, to show its name; it proves nothing."""
    found = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    confirmed = found.select_related("user").first() if address else None
    return confirmed.user if confirmed else None


class UnknownSender(RegistryError):
    """No letter in a discussion came from the address."""

    status = HTTPStatus.NOT_FOUND


def find_letters_from(address: str) -> MessageQuerySet:
    """Return the messages that were mailed from an address without an account.

    Raises `UnknownSender` if there are none.
    """
    letters = Message.objects.sent_from([address])
    if not letters.exists():
        raise UnknownSender(
            f"There is no account with the address {address}, and no letter in a discussion came "
            "from it."
        )
    return letters


# Templates mailed to the list. The sender's address proves nothing, so we ask that address, and
# nothing is public before it has answered.

MIN_TEMPLATE_FIELDS: Final = 5
"""How many of the thirteen fields, among them the NID or the registrant, make a text a template."""
MAX_TEMPLATES_PER_ADDRESS: Final = 3
MAX_TEMPLATES_PER_DAY: Final = 60
"""From everyone together: each makes us write to an address that somebody else may have named."""
TEMPLATE_SPAN: Final = datetime.timedelta(days=1)
_ANSWER_SUBJECT: Final = re.compile(r"\s*(?:re|aw|antw|sv|vs|rv|ref|odp)\s*(?:\[\d+\])?:", re.I)
_MACHINES: Final = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo|mailman"
    r"|owner-.*|.*-(?:bounces?|request|owner|admin))(?:\+.*)?@.*",
    re.I,
)
_QUOTED_SHARE: Final = 0.5


def is_answer(letter: IncomingLetter) -> bool:
    """Whether a letter is a reply: by its headers, its subject, or being mostly quoted."""
    if letter.refers_to or _ANSWER_SUBJECT.match(letter.subject):
        return True
    lines = [line for line in letter.text.split("\n") if line.strip()]
    quoted = sum(1 for line in lines if line.lstrip().startswith((">", "|")))
    return quoted > _QUOTED_SHARE * len(lines)


def find_template_text(letter: IncomingLetter) -> str:
    """Return the text of a letter or its attachment that is a template, or nothing.

    It uses the reader of the upload page.
    """
    return next(filter(is_template_text, (letter.text, *letter.attached)), "")


def is_template_text(text: str) -> bool:
    """Whether a text has enough fields of the template, and is short enough to read."""
    if len(text) > MAX_READ_LENGTH:
        return False
    found = {each.name for each in read(text).fields if each.value.strip()}
    fields = found & {each.name for each in FIELDS}
    return len(fields) >= MIN_TEMPLATE_FIELDS and bool(fields & {"nid", "registrant"})


def hold_mailed_template(letter: IncomingLetter, text: str) -> MailedTemplate:
    """Hold a template until its sender answers our letter; return it."""
    if letter.is_from_a_list and not is_from_our_list(letter):
        raise UnwantedLetter("The template came through another mailing list.")
    address = find_asked_address(letter)
    with transaction.atomic():
        if MailedTemplate.objects.filter(message_id=letter.message_id).exists():
            raise UnwantedLetter("This template is held already.")
        digest = hashlib.sha256(address.encode()).hexdigest()
        own = consume(f"templates:{digest}", MAX_TEMPLATES_PER_ADDRESS, TEMPLATE_SPAN)
        if not own or not consume("templates", MAX_TEMPLATES_PER_DAY, TEMPLATE_SPAN):
            raise UnwantedLetter("As many templates came by mail today as are taken in a day.")
        mailed = MailedTemplate.objects.create(
            message_id=letter.message_id,
            is_from_list=is_from_our_list(letter),
            address=address,
            subject=letter.subject[:250],
            text=text,
            received_at=timezone.now(),
        )
        write_direct_letter(
            "mailed_template",
            {
                "mailed": mailed,
                "nid": read(text).template.nid,
                "until": find_template_expiry(mailed),
                "list_address": settings.REGISTRY_LIST_ADDRESS if mailed.is_from_list else "",
            },
            why=_("A letter with a template said that it came from this address."),
            key=f"template:{mailed.pk}:{mailed.key}",
            address=address,
        )
    return mailed


def is_from_our_list(letter: IncomingLetter) -> bool:
    """Whether the discussion list distributed the letter."""
    return bool(settings.REGISTRY_LIST_ID) and letter.list_id == settings.REGISTRY_LIST_ID.lower()


def find_asked_address(letter: IncomingLetter) -> str:
    """Return the address to ask about a template, in lower case.

    A list that puts its own address into From names the sender in Reply-To. Raises `UnwantedLetter`
    for addresses that machines and lists use, and for invalid ones.
    """
    lists = {settings.REGISTRY_LIST_ADDRESS.lower(), parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}
    named = (letter.address.lower(), letter.reply_to.lower())
    address = next((each for each in named if each and each not in lists), "")
    try:
        validate_email(address)
    except ValidationError:
        raise UnwantedLetter("The template came without an address that could be asked.") from None
    if _MACHINES.fullmatch(address):
        raise UnwantedLetter("The template came from an address that no person reads.")
    return address
