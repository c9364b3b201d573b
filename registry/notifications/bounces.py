"""Addresses that our letters cannot reach, according to delivery reports (RFC 3464).

A report is trusted only if it returns a letter that we sent to the address it names: the letter
carries a mark that nobody else can make (`sign_letter`), and only its recipient has it.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage, Message
from typing import Final

from allauth.account.models import EmailAddress
from django.core.signing import BadSignature, Signer
from django.db import transaction

from registry.enums import AccountEventKind
from registry.errors import RegistryError
from registry.models import AccountEvent, Letter

MARK_HEADER: Final = "X-Registry-Letter"
MAX_REPORT_BYTES: Final = 5_000_000
DEAD_ADDRESS: Final = re.compile(r"\s*5\.(?:0\.0|1\.[0-9]+|2\.[01])\b")
"""Enhanced status codes (RFC 3463) for addresses nobody reads: unknown, or disabled.

A full mailbox, or a server that rejects our content, says nothing about the address.
"""
ENHANCED_CODE: Final = re.compile(r"\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b")
signer: Final = Signer(salt="registry.letter")


class UnreadableReport(RegistryError):
    """The text is not a delivery report about one of our letters. The message can be shown."""


@dataclass(frozen=True, slots=True)
class FailedDelivery:
    """An address where delivery failed, and the reason the report gives."""

    address: str
    status: str
    diagnostic: str


def sign_letter(letter: Letter) -> str:
    """Return the mark of a letter, which comes back in a report about it."""
    return signer.sign(str(letter.pk))


def receive_report(raw: bytes) -> list[str]:
    """Mark the addresses that a delivery report says nobody reads; return those marked.

    Raises `UnreadableReport` if the text is not a report, or returns none of our letters.
    """
    if len(raw) > MAX_REPORT_BYTES:
        raise UnreadableReport("The report is too long.")
    report = email.message_from_bytes(raw, policy=email.policy.default)
    is_report = report.get_content_type() == "multipart/report"
    if not is_report or report.get_param("report-type") != "delivery-status":
        raise UnreadableReport("This is no delivery report (RFC 3464).")
    letter = find_returned_letter(report)
    known = {letter.address.lower()}
    if letter.recipient:
        known.add(letter.recipient.email.lower())
    return [
        failed.address
        for failed in read_failures(report)
        if failed.address.lower() in known
        and DEAD_ADDRESS.match(failed.status)
        and mark_dead_address(failed.address, f"{failed.status} {failed.diagnostic}")
    ]


def find_returned_letter(report: EmailMessage) -> Letter:
    """Return the letter whose headers a report returns; raise `UnreadableReport` without one."""
    for part in report.walk():
        kind = part.get_content_type()
        mark = part.get(MARK_HEADER, "") if part is not report else ""
        if kind == "text/rfc822-headers":
            mark = email.message_from_string(str(part.get_payload())).get(MARK_HEADER, "")
        if not mark:
            continue
        try:
            key = signer.unsign("".join(str(mark).split()))
        except BadSignature:
            continue
        found = Letter.objects.select_related("recipient").filter(pk=key).first()
        if found is not None:
            return found
    raise UnreadableReport("The report brings back no letter that was sent from here.")


def read_failures(report: EmailMessage) -> Iterator[FailedDelivery]:
    """Yield what the report says about each address that its server gave up on."""
    for part in report.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        for fields in part.get_payload():
            if not isinstance(fields, Message):
                continue
            named = fields.get("Final-Recipient") or fields.get("Original-Recipient") or ""
            address = str(named).rpartition(";")[2].strip()
            if address and str(fields.get("Action", "")).strip().lower() == "failed":
                diagnostic = " ".join(str(fields.get("Diagnostic-Code", "")).split())
                yield FailedDelivery(address, str(fields.get("Status", "")).strip(), diagnostic)


def is_dead_by_answer(said: str) -> bool:
    """Whether a mail server's immediate refusal means that nobody reads the address.

    A server that gives no enhanced code is believed.
    """
    code = ENHANCED_CODE.search(said)
    return code is None or DEAD_ADDRESS.match(code[0]) is not None


def mark_dead_address(address: str, why: str) -> bool:
    """Send an address no letters about requests until it is confirmed again; return if it changed.

    The account's log records this. Letters about the account itself still go there: one of them
    confirms the address.
    """
    room = AccountEvent._meta.get_field("detail").max_length
    with transaction.atomic():
        held = EmailAddress.objects.select_for_update(no_key=True)
        found = held.filter(email__iexact=address, verified=True).first()
        if found is None:
            return False
        found.verified = False
        found.save(update_fields=["verified"])
        AccountEvent.objects.create(
            user_id=found.user_id,
            kind=AccountEventKind.LETTER_BOUNCED,
            detail=f"{found.email}: {' '.join(why.split())}"[:room],
        )
    return True
