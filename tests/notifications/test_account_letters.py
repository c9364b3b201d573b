"""Letters about accounts: written with the action, sent by the worker, revealing no accounts."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry.enums import LetterReason
from registry.models import Letter, User
from registry.notifications.outbox import (
    ACCOUNT_LETTER_PRIORITY,
    MIN_LETTER_DELAY,
    requeue_letters,
)
from registry.web.account import adapter
from tests.factories import PASSWORD
from tests.letters import go_on_from_reset_link, link_in_last_letter, send_account_letters
from tests.notifications.conftest import work
from tests.notifications.smtp import MailServer

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "outsider@people.example", "stranger@people.example"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://urn.example"
    settings.ALLOWED_HOSTS = ["testserver", "stranger.example"]
    settings.ACCOUNT_RATE_LIMITS = False


def sign_up(client: Client, address: str) -> Any:
    """Ask for an account."""
    said = {"name": "Nell New", "email": address, "password1": PASSWORD}
    return client.post("/accounts/sign-up/", said)


def forget_password(client: Client, address: str) -> Any:
    """Ask for a link to choose a new password."""
    return client.post("/accounts/password/reset/", {"email": address})


def ask_for_code(client: Client, address: str) -> Any:
    """Ask for a code to sign in with."""
    return client.post("/accounts/login/code/", {"email": address})


Ask = Callable[[Client, str], HttpResponse]
each_door = pytest.mark.parametrize("ask", [sign_up, forget_password, ask_for_code])


@pytest.mark.pages
@each_door
@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
def test_page_does_not_notice_that_the_mail_server_is_away(
    ask: Ask, address: str, client: Client, outsider: User, no_mail_server: int
) -> None:
    answer = ask(client, address)

    assert answer.status_code == 302
    [letter] = Letter.objects.all()
    assert (letter.address, letter.reason, letter.sent_at) == (address, LetterReason.ACCOUNT, None)


@pytest.mark.pages
@each_door
def test_page_does_not_wait_for_a_mail_server_that_hangs_and_the_worker_not_for_long(
    ask: Ask, client: Client, outsider: User, mail_server: MailServer, settings: Settings
) -> None:
    settings.EMAIL_TIMEOUT = 0.3
    mail_server.may_answer.clear()

    ask(client, KNOWN)
    asked_by_the_page = mail_server.reading.is_set()
    work()
    [letter] = Letter.objects.all()
    mail_server.may_answer.set()
    with time_machine.travel(timezone.now() + MIN_LETTER_DELAY, tick=False):
        work()

    assert not asked_by_the_page
    assert mail_server.reading.is_set()
    assert (letter.attempts, letter.sent_at) == (1, None)
    assert letter.last_error.endswith("timed out")
    assert Letter.objects.get().sent_at is not None
    assert set(mail_server.addresses) == {KNOWN}


@pytest.mark.pages
def test_letter_stands_or_falls_with_its_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("The database is away.")

    monkeypatch.setattr(adapter, "write_account_letter", fail)

    with pytest.raises(RuntimeError, match="away"):
        sign_up(client, UNKNOWN)

    assert not User.objects.filter(email=UNKNOWN).exists()


@pytest.mark.pages
def test_letters_that_somebody_waits_for_go_before_others(client: Client, outsider: User) -> None:
    forget_password(client, KNOWN)
    at_once = [each.priority for each in DBTaskResult.objects.all()]
    DBTaskResult.objects.all().delete()
    requeue_letters()

    assert (
        at_once
        == [each.priority for each in DBTaskResult.objects.all()]
        == [ACCOUNT_LETTER_PRIORITY]
    )


@pytest.mark.pages
@pytest.mark.parametrize("ask", [sign_up, forget_password])
@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
def test_links_lead_to_the_site_whatever_host_was_asked(
    ask: Ask, address: str, outsider: User
) -> None:
    ask(Client(headers={"host": "stranger.example"}), address)

    link = link_in_last_letter(address)
    assert link.startswith("https://urn.example/accounts/")
    assert "stranger" not in str(mail.outbox[-1].message()).replace(UNKNOWN, "")


@pytest.mark.pages
def test_link_of_a_letter_does_what_it_says(client: Client, outsider: User) -> None:
    forget_password(client, KNOWN)

    form_address = go_on_from_reset_link(client, link_in_last_letter(KNOWN))
    password = "gravel tuba ninety fern"
    client.post(form_address, dict.fromkeys(("password1", "password2"), password))

    outsider.refresh_from_db()
    assert outsider.check_password(password)


@pytest.mark.pages
def test_text_is_forgotten_once_the_letter_is_sent(client: Client, outsider: User) -> None:
    forget_password(client, KNOWN)
    written = Letter.objects.get().text
    send_account_letters()

    sent = Letter.objects.get()
    assert "/accounts/password/reset/key/" in written
    assert (sent.text, sent.html, sent.sent_at is None) == ("", "", False)


@pytest.mark.pages
def test_letter_whose_link_is_too_old_is_not_sent(client: Client, outsider: User) -> None:
    forget_password(client, KNOWN)

    with time_machine.travel(timezone.now() + datetime.timedelta(days=4), tick=False):
        send_account_letters()

    letter = Letter.objects.get()
    assert (letter.text, letter.sent_at, letter.dropped_at is None) == ("", None, False)


@pytest.mark.pages
def test_administrators_read_no_letters(client: Client, administrator: User) -> None:
    forget_password(client, administrator.email)
    letter = Letter.objects.get()
    client.force_login(administrator)

    page = client.get(f"/admin/registry/letter/{letter.pk}/change/").content.decode()

    assert administrator.email in page
    assert "/accounts/password/reset/key/" in letter.text
    assert "/accounts/password/reset/key/" not in page


@pytest.mark.pages
@each_door
def test_neither_hashing_nor_letters_nor_questions_tell_who_has_an_account(
    ask: Ask, outsider: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode, hashed = MD5PasswordHasher.encode, []

    def count(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    def work_for(address: str) -> tuple[int, int, int]:
        hashed.clear()
        letters = Letter.objects.count()
        with CaptureQueriesContext(connection) as questions:
            ask(Client(), address)
        return len(hashed), Letter.objects.count() - letters, len(questions)

    monkeypatch.setattr(MD5PasswordHasher, "encode", count)
    known, unknown = work_for(KNOWN), work_for(UNKNOWN)

    assert known[:2] == unknown[:2] == (1 if ask is sign_up else 0, 1)
    assert abs(known[2] - unknown[2]) <= 2


@pytest.mark.pages
def test_second_of_two_who_sign_up_with_one_address_is_answered_alike(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "allauth.account.internal.flows.manage_email.assess_unique_email",
        lambda email, user=None: True,
    )

    first, second = (sign_up(Client(), UNKNOWN) for _click in "12")

    assert (first.status_code, first.headers["Location"]) == (302, second.headers["Location"])
    assert User.objects.filter(email=UNKNOWN).count() == 1
    subjects = [each.subject for each in Letter.objects.all()]
    assert len(set(subjects)) == len(subjects) == 2
