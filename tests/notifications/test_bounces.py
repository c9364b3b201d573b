"""A returned letter marks its address, and an invented report marks none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from registry.enums import AccountEventKind, LetterReason
from registry.models import AccountEvent, Letter, User
from registry.notifications.bounces import (
    UnreadableReport,
    is_dead_by_answer,
    receive_report,
    sign_letter,
)
from registry.notifications.outbox import build_mail, is_letter_still_due
from registry.notifications.recipients import reachable_people
from registry.selectors.accounts import list_dead_addresses
from registry.selectors.service_status import read_service_status

pytestmark = pytest.mark.django_db

REPORT = """\
From: MAILER-DAEMON@mail.example
To: registry@urn.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I could not deliver your letter.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example
Arrival-Date: Mon, 1 Jun 2026 12:00:00 +0000

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 <{address}>: Recipient address rejected:
    User unknown

--b
Content-Type: {kind}

{returned}
--b--
"""


@pytest.fixture
def letter(expert: User) -> Letter:
    """A letter that was sent to an expert."""
    return Letter.objects.create(
        key="one",
        recipient=expert,
        address=expert.email,
        reason=LetterReason.NAMED,
        subject="A request",
        text="Look at it.",
        written_at=timezone.now(),
    )


def write_report(letter: Letter, **otherwise: str) -> bytes:
    """Return a mail server's report about a letter, with some of it changed."""
    said = {
        "address": letter.address,
        "action": "failed",
        "status": "5.1.1",
        "kind": "text/rfc822-headers",
        "returned": f"Subject: A request\nX-Registry-Letter: {sign_letter(letter)}\n",
    }
    return REPORT.format(**said | otherwise).encode()


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/rfc822"])
def test_address_from_which_a_letter_came_back_gets_none_before_it_is_confirmed(
    letter: Letter, expert: User, kind: str
) -> None:
    sent = str(build_mail(letter).message())

    marked = receive_report(write_report(letter, kind=kind, returned=sent))

    assert marked == [expert.email]
    assert not reachable_people().filter(pk=expert.pk).exists()
    assert not is_letter_still_due(letter)
    [logged] = AccountEvent.objects.filter(user=expert)
    assert logged.kind == AccountEventKind.LETTER_BOUNCED
    assert "5.1.1" in logged.detail
    assert "User unknown" in logged.detail
    EmailAddress.objects.filter(user=expert).update(verified=True)
    assert is_letter_still_due(letter)
    assert list_dead_addresses() == []


@pytest.mark.pages
def test_status_and_the_page_of_addresses_say_so(letter: Letter, expert: User) -> None:
    before = {each.name: each.is_wrong for each in read_service_status()}
    client = Client()
    client.force_login(expert)

    receive_report(write_report(letter))

    [after] = [each for each in read_service_status() if each.name == "addresses"]
    assert (before["addresses"], "1" in after.text) == (False, True)
    assert "Letters came back" in client.get("/accounts/email/").text


@pytest.mark.parametrize(
    "otherwise",
    [
        {"address": "lead@people.example"},
        {"action": "delayed"},
        {"status": "4.4.1"},
        {"status": "5.2.2"},
        {"status": "5.7.1"},
    ],
    ids=["of somebody else", "late", "for a while", "full", "our letters refused"],
)
def test_report_that_says_nothing_of_the_address_marks_none(
    letter: Letter, lead: User, otherwise: dict[str, str]
) -> None:
    assert receive_report(write_report(letter, **otherwise)) == []
    assert not EmailAddress.objects.filter(verified=False).exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Subject: Hello\n\nHow are you?",
        REPORT.format(
            address="expert@people.example",
            action="failed",
            status="5.1.1",
            kind="text/rfc822-headers",
            returned="X-Registry-Letter: 1:made-up\n",
        ).encode(),
    ],
)
def test_report_that_anybody_could_have_written_is_refused(letter: Letter, raw: bytes) -> None:
    with pytest.raises(UnreadableReport):
        receive_report(raw)

    assert not EmailAddress.objects.filter(verified=False).exists()


def test_reports_are_taken_from_files_and_refused_by_name(letter: Letter, tmp_path: Path) -> None:
    (tmp_path / "report").write_bytes(write_report(letter))
    (tmp_path / "other").write_bytes(b"Subject: Hello\n\n")
    out = io.StringIO()

    call_command("receive_bounce", str(tmp_path / "report"), stdout=out)
    with pytest.raises(CommandError, match="no delivery report") as refused:
        call_command("receive_bounce", str(tmp_path / "other"))

    assert out.getvalue().startswith(f"{letter.address} ")
    assert refused.value.returncode == 65


@pytest.mark.parametrize(
    ("said", "is_dead"),
    [
        ("550 5.1.1 User unknown", True),
        ("550 No such user", True),
        ("550 5.7.1 Blocked as spam", False),
        ("552 5.2.2 Mailbox full", False),
    ],
)
def test_refusal_at_once_is_read_by_its_code(said: str, is_dead: bool) -> None:
    assert is_dead_by_answer(said) is is_dead
