"""Mail of the demonstration: stored instead of sent, and shown on a page."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

LETTER_FILE_NAME = re.compile(r"([0-9]{8}T[0-9]{12})-[0-9a-f]{8}\.eml", re.ASCII)


@dataclass(frozen=True, slots=True)
class MailboxLetter:
    """One letter as it would have been sent; `name` is that of its file."""

    name: str
    at: datetime
    subject: str
    to: str
    text: str


def list_letter_names() -> list[str]:
    """Return the names of the stored letters, newest first."""
    folder = Path(settings.EMAIL_FILE_PATH)
    found = (path.name for path in folder.iterdir()) if folder.is_dir() else iter(())
    return sorted(filter(parse_letter_time, found), reverse=True)


def list_letter_names_to(address: str) -> list[str]:
    """Return the names of the letters to one address, newest first."""
    found = ((name, find_letter(name)) for name in list_letter_names())
    return [name for name, letter in found if letter and address in letter.to.split(", ")]


def find_letter(name: str) -> MailboxLetter | None:
    """Return the letter of that name, or None, whatever the name contains."""
    at = parse_letter_time(name)
    path = Path(settings.EMAIL_FILE_PATH) / name
    if at is None or not path.is_file():
        return None
    message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
    return MailboxLetter(
        name,
        at,
        read_letter_header(message, "subject"),
        read_letter_header(message, "to"),
        read_letter_text(message),
    )


def parse_letter_time(name: str) -> datetime | None:
    """Return when a letter of that name was stored; None for an invalid name."""
    match = LETTER_FILE_NAME.fullmatch(name)
    try:
        return datetime.strptime(match[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def read_letter_header(message: Message, name: str) -> str:
    """Return a decoded header, or the raw one if it is malformed."""
    raw = str(message.get(name, ""))
    try:
        return " ".join(str(make_header(decode_header(raw))).split())
    except (LookupError, MessageError, ValueError):
        return raw


def read_letter_text(message: Message) -> str:
    """Return the plain text, empty if there is none; invalid bytes become U+FFFD."""
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                return decode_letter_payload(payload, part.get_content_charset() or "utf-8")
    return ""


def decode_letter_payload(payload: bytes, charset: str) -> str:
    """Return `payload` decoded, as UTF-8 if its charset is unknown."""
    try:
        return payload.decode(charset, "replace")
    except LookupError:
        return payload.decode("utf-8", "replace")


class DemonstrationMailBackend(BaseEmailBackend):
    """Store each letter as one `.eml` file under `EMAIL_FILE_PATH`.

    Letters that somebody waits for, such as with a code to sign in, are mentioned on the console.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store `email_messages`; return how many."""
        for message in email_messages:
            save_mail(message)
            if "Auto-Submitted" not in message.extra_headers:
                print(f"Mail to {', '.join(message.to)}: {message.subject}", file=sys.stderr)
        return len(email_messages)


def save_mail(message: EmailMessage) -> Path:
    """Write `message` to a file whose name sorts by time; return its path."""
    folder = Path(settings.EMAIL_FILE_PATH)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = timezone.now().strftime("%Y%m%dT%H%M%S%f")
    path = folder / f"{stamp}-{secrets.token_hex(4)}.eml"
    path.write_bytes(message.message().as_bytes())
    return path
