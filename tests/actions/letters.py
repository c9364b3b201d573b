"""Letters as a mail server delivers them."""

from __future__ import annotations

from email.message import EmailMessage

TEXT = "Will the codes stay?"


def letter(
    text: str = f"{TEXT}\n",
    subject: str = "Re: R-2026-0001 urn:seedbank",
    sender: str = "Maja Müller <maja@elsewhere.example>",
    message_id: str = "<one@elsewhere.example>",
    **headers: str,
) -> EmailMessage:
    """Return a letter; further headers are named with underscores for hyphens."""
    written = EmailMessage()
    written["From"], written["Subject"], written["Message-ID"] = sender, subject, message_id
    for name, value in headers.items():
        written[name.replace("_", "-")] = value
    written.set_content(text)
    return written


HEAD = b"From: A <a@elsewhere.example>\r\nSubject: R-2026-0001\r\n"


def raw(headers: bytes = b"", body: bytes = b"Hello.\r\n") -> bytes:
    """Return a letter as bytes."""
    return HEAD + headers + b"\r\n" + body
