"""Wrong passwords lock out only the clients that enter them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core import mail
from django.test import Client
from pytest_django import Settings

from registry.enums import LetterReason
from registry.models import Letter, RateLimit, SignInSource, User
from registry.rate_limits import (
    MAX_FAILURES_PER_ACCOUNT,
    MAX_FAILURES_PER_MINUTE,
    SOURCE_LIFETIME,
)
from tests.factories import PASSWORD
from tests.letters import send_account_letters
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

HOME, ELSEWHERE, ATTACKER = "192.0.2.1", "192.0.2.200", "198.51.100.7"
WRONG = "This email address and password do not match."
TOO_OFTEN = "Too many failed attempts."
CODE_PAGE = "/accounts/login/code/confirm/"


def enter(client: Client, person: User | str, password: str = PASSWORD, *, at: str = HOME) -> Any:
    """Send the sign-in form from an address."""
    email = person if isinstance(person, str) else person.email
    sent = {"login": email, "password": password}
    return client.post("/accounts/sign-in/", sent, REMOTE_ADDR=at)


def is_signed_in(client: Client) -> bool:
    return client.get("/account/requests/").status_code == 200


def fail(person: User | str, *, at: str, times: int = 1) -> list[str]:
    """Enter wrong passwords from an address, each in a new browser; return the last message."""
    return [text_of(enter(Client(), person, f"wrong {n}", at=at)) for n in range(times)]


def fail_from_everywhere(person: User) -> None:
    """Use up an account's limit without that of any address."""
    for n in range(MAX_FAILURES_PER_ACCOUNT):
        fail(person, at=f"203.0.113.{n}")


def forget_the_last_minute() -> None:
    """Restart the minute in which failures from one address are counted."""
    RateLimit.objects.filter(pk__startswith="failures:address:").delete()


def text_of_last_letter() -> str:
    send_account_letters()
    return " ".join(str(mail.outbox[-1].body).split())


def code_in_letter() -> str:
    found = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", text_of_last_letter())
    assert found
    return found.group()


def test_address_that_fails_too_often_is_refused_for_any_account(
    registrant: User, outsider: User
) -> None:
    said = fail(registrant, at=ATTACKER, times=MAX_FAILURES_PER_MINUTE)
    client = Client()

    refused = enter(client, outsider, at=ATTACKER)

    assert all(WRONG in each for each in said)
    assert TOO_OFTEN in text_of(refused)
    assert not is_signed_in(client)


def test_sign_in_of_others_works_while_one_address_fails(registrant: User, outsider: User) -> None:
    fail(registrant, at=ATTACKER, times=MAX_FAILURES_PER_MINUTE + 1)
    client = Client()

    enter(client, outsider, at=HOME)

    assert is_signed_in(client)


@pytest.mark.parametrize(
    ("proxies", "has_room"), [(0, False), (1, True)], ids=["behind none", "behind one"]
)
def test_people_behind_a_trusted_proxy_are_told_apart(
    settings: Settings, registrant: User, outsider: User, proxies: int, has_room: bool
) -> None:
    settings.REGISTRY_TRUSTED_PROXIES = proxies
    sent = {"login": registrant.email, "password": "wrong"}
    for _time in range(MAX_FAILURES_PER_MINUTE):
        Client(headers={"x-forwarded-for": ATTACKER}).post("/accounts/sign-in/", sent)
    client = Client(headers={"x-forwarded-for": f"{ATTACKER}, {HOME}"})

    client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})

    assert is_signed_in(client) == has_room


def test_addresses_of_one_ipv6_subscriber_count_as_one(registrant: User, outsider: User) -> None:
    for n in range(MAX_FAILURES_PER_MINUTE):
        fail(registrant, at=f"2001:db8:0:1::{n + 1:x}")

    assert TOO_OFTEN in text_of(enter(Client(), outsider, at="2001:db8:0:1:f::"))
    assert enter(Client(), outsider, at="2001:db8:0:2::").status_code == 302


def test_right_passwords_are_no_failures(registrant: User) -> None:
    for _time in range(MAX_FAILURES_PER_MINUTE + 1):
        client = Client()
        enter(client, registrant)
        assert is_signed_in(client)


def test_ten_failures_ask_a_stranger_with_the_password_for_a_code(
    registrant: User,
) -> None:
    fail_from_everywhere(registrant)
    client = Client()

    response = enter(client, registrant, at=ELSEWHERE)
    page = client.get(CODE_PAGE)

    assert response.headers["Location"] == CODE_PAGE
    assert "Wrong passwords" in text_of(page)
    assert "knows your password" in text_of_last_letter()
    assert not is_signed_in(client)


def test_sign_in_page_does_not_say_that_text_is_kept_if_nothing_was_written() -> None:
    page = text_of(Client().get("/accounts/sign-in/", {"next": "/account/requests/"}))

    assert "Sign in to continue." in page
    assert "kept" not in page


def test_code_signs_in_and_the_place_is_known_from_then_on(registrant: User) -> None:
    fail_from_everywhere(registrant)
    client = Client()
    enter(client, registrant, at=ELSEWHERE)
    assert not is_signed_in(client)

    client.post(CODE_PAGE, {"code": code_in_letter()}, REMOTE_ADDR=ELSEWHERE)
    again = Client()
    enter(again, registrant, at=ELSEWHERE)

    assert is_signed_in(client)
    assert is_signed_in(again)
    codes = Letter.objects.filter(reason=LetterReason.ACCOUNT, subject__contains="Your code")
    assert codes.count() == 1


def test_browser_that_was_used_before_is_asked_for_no_code_anywhere(registrant: User) -> None:
    client = Client()
    enter(client, registrant)
    client.post("/accounts/sign-out/")
    fail_from_everywhere(registrant)

    enter(client, registrant, at=ELSEWHERE)

    assert is_signed_in(client)


def test_address_that_was_used_before_is_asked_for_no_code_in_any_browser(
    registrant: User,
) -> None:
    enter(Client(), registrant)
    fail_from_everywhere(registrant)
    client = Client()

    enter(client, registrant)

    assert is_signed_in(client)


def test_browser_that_was_used_before_gets_in_beside_an_attacker(
    registrant: User,
) -> None:
    client = Client()
    enter(client, registrant)
    client.post("/accounts/sign-out/")
    said = fail(registrant, at=HOME, times=MAX_FAILURES_PER_MINUTE + 1)
    assert TOO_OFTEN in said[-1]

    enter(client, registrant)

    assert is_signed_in(client)


def test_address_of_the_failures_vouches_for_no_new_browser(
    registrant: User,
) -> None:
    enter(Client(), registrant)
    fail(registrant, at=HOME, times=MAX_FAILURES_PER_ACCOUNT - 1)
    fail(registrant, at=ATTACKER)
    client = Client()
    enter(client, registrant)
    assert is_signed_in(client)

    fail(registrant, at=HOME)
    forget_the_last_minute()

    assert enter(Client(), registrant).headers["Location"] == CODE_PAGE


def test_place_known_to_one_account_is_unknown_to_another(registrant: User, outsider: User) -> None:
    client = Client()
    enter(client, registrant)
    client.post("/accounts/sign-out/")
    fail_from_everywhere(outsider)

    assert enter(client, outsider).headers["Location"] == CODE_PAGE


def test_place_is_forgotten_in_time(registrant: User) -> None:
    enter(Client(), registrant)
    for source in SignInSource.objects.all():
        source.used_at -= SOURCE_LIFETIME
        source.save()
    fail_from_everywhere(registrant)

    assert enter(Client(), registrant).headers["Location"] == CODE_PAGE


def test_address_without_an_account_is_refused_in_the_same_words() -> None:
    said = fail("nobody@people.example", at=ATTACKER, times=MAX_FAILURES_PER_MINUTE + 1)

    assert [WRONG in each for each in said] == [True] * MAX_FAILURES_PER_MINUTE + [False]
    assert TOO_OFTEN in said[-1]


def test_cookie_of_a_known_browser_is_sent_to_sign_in_pages_alone(registrant: User) -> None:
    cookie = enter(Client(), registrant).cookies[site_settings.BROWSER_COOKIE_NAME]

    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/accounts/", True, "Lax")
    assert registrant.email not in cookie.value
