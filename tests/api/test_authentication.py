"""Tokens: created and revoked by people, sent by their programs."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.models import Token, User
from tests.letters import send_account_letters
from tools.sign_in import record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Reset the counts of earlier tests."""
    cache.clear()


def made(client: Client, **said: Any) -> str:
    """Create a token on the page, and return it as shown there."""
    asked = {
        "name": "my laptop",
        "days": "30",
        "key": str(uuid.uuid4()),
        "scopes": ["read", "write"],
        **said,
    }
    page = client.post("/account/tokens/", asked).content.decode()
    shown = re.search(r"<pre[^>]*>([^<]+)</pre>", page)
    assert shown is not None
    return shown[1]


def answer_to(token: str) -> int:
    """Return the status of a response to a request with `token`."""
    headers = {"authorization": f"Token {token}"}
    return Client().get("/api/v1/namespaces/", headers=headers).status_code


def test_token_is_shown_once_and_opens_the_api(sign_in: SignIn, outsider: User) -> None:
    client = sign_in(outsider)

    token = made(client)

    page = client.get("/account/tokens/").content.decode()
    assert (len(token), answer_to(token)) == (64, 200)
    assert "my laptop" in page
    assert token not in page
    assert token not in Token.objects.get().digest


def test_second_click_puts_another_token_in_place_of_the_one_nobody_read(
    sign_in: SignIn, outsider: User
) -> None:
    client, key = sign_in(outsider), str(uuid.uuid4())

    first, second = made(client, key=key), made(client, key=key)

    assert Token.objects.count() == 1
    assert (answer_to(first), answer_to(second)) == (401, 200)


def test_token_without_a_name_is_asked_for_it(sign_in: SignIn, outsider: User) -> None:
    asked = {"name": "", "days": "30", "key": str(uuid.uuid4())}

    page = sign_in(outsider).post("/account/tokens/", asked)

    assert page.context["form"].has_error("name", "required")
    assert not Token.objects.exists()


def test_revoked_token_opens_nothing(sign_in: SignIn, outsider: User) -> None:
    client = sign_in(outsider)
    token = made(client)
    assert answer_to(token) == 200

    client.post(f"/account/tokens/{Token.objects.get().form_key}/revoke/")

    assert answer_to(token) == 401


def test_nobody_revokes_the_token_of_another(
    sign_in: SignIn, outsider: User, registrant: User
) -> None:
    token = made(sign_in(outsider))

    sign_in(registrant).post(f"/account/tokens/{Token.objects.get().form_key}/revoke/")

    assert answer_to(token) == 200


def test_token_opens_nothing_after_its_day(sign_in: SignIn, outsider: User) -> None:
    token = made(sign_in(outsider), days="1")

    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        status = answer_to(token)

    assert status == 401


def test_token_of_an_account_that_is_switched_off_opens_nothing(
    sign_in: SignIn, outsider: User
) -> None:
    token = made(sign_in(outsider))
    outsider.is_active = False
    outsider.save()

    assert answer_to(token) == 401


@pytest.mark.parametrize("token", ["wrong", "\xff" * 15, "a b", ""])
def test_invalid_token_is_refused(db: None, token: str) -> None:
    assert answer_to(token) == 401


def test_tokens_are_for_people_with_an_account(client: Client) -> None:
    response = client.get("/account/tokens/")

    assert (response.status_code, response.headers["Location"]) == (
        302,
        "/accounts/sign-in/?next=/account/tokens/",
    )


@pytest.mark.parametrize("scheme", ["Token", "token", "Bearer", "bearer", "BEARER"])
def test_token_is_shown_with_either_word_before_it(outsider: User, scheme: str) -> None:
    _token, shown = Token.objects.create(user=outsider, name="test", form_key=uuid.uuid4())

    answer = Client().get("/api/v1/account/", headers={"authorization": f"{scheme} {shown}"})

    assert (answer.status_code, answer.json()["name"]) == (200, outsider.name)


@pytest.mark.parametrize("said", ["Bearer", "Bearer a b", "Token ", "Bearer of-nobody"])
def test_invalid_token_is_refused_with_the_words_that_are_heard(said: str) -> None:
    answer = Client().get("/api/v1/namespaces/", headers={"authorization": said})

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer, Token"


# Scopes of tokens.


def write_with(token: str) -> int:
    """Return the status of a response to a program that starts a request."""
    headers = {"authorization": f"Token {token}"}
    return Client().post("/api/v1/requests/", {}, "application/json", headers=headers).status_code


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"), [(["read"], 200, 403), (["write"], 403, 400)], ids=str
)
def test_token_does_what_it_was_made_for_and_nothing_else(
    sign_in: SignIn, outsider: User, scopes: list[str], reads: int, writes: int
) -> None:
    token = made(sign_in(outsider), scopes=scopes)

    assert (answer_to(token), write_with(token)) == (reads, writes)


def test_token_that_may_publish_is_made_with_a_second_factor_for_90_days_at_most(
    sign_in: SignIn, registrar: User, outsider: User
) -> None:
    asked = {"name": "publisher", "key": str(uuid.uuid4()), "scopes": ["read", "publish"]}

    too_long = sign_in(registrar).post("/account/tokens/", {**asked, "days": "365"})
    no_factor = sign_in(outsider).post("/account/tokens/", {**asked, "days": "30"})
    none_made = not Token.objects.exists()
    made(sign_in(registrar), scopes=["read", "publish"], days="90")

    assert "90 days" in str(too_long.context["form"].errors["scopes"])
    assert "second factor" in str(no_factor.context["form"].errors["scopes"])
    assert none_made
    token = Token.objects.get()
    assert token.scopes == ["read", "publish"]
    assert token.expiry is not None
    assert token.expiry - token.created <= datetime.timedelta(days=90, seconds=1)


def test_token_is_made_by_whoever_showed_of_late_who_they_are(
    sign_in: SignIn, registrar: User
) -> None:
    client = sign_in(registrar)
    record_sign_in(client, registrar, ago=3600)
    asked = {"name": "x", "days": "30", "key": str(uuid.uuid4()), "scopes": ["read"]}

    answer = client.post("/account/tokens/", asked)

    assert answer.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert not Token.objects.exists()


def test_letter_and_the_log_tell_of_a_token_and_the_page_of_its_last_use(
    sign_in: SignIn, outsider: User
) -> None:
    client = sign_in(outsider)
    token = made(client)
    unused = client.get("/account/tokens/").content.decode()
    answer_to(token)

    send_account_letters()
    assert mail.outbox[-1].to == [outsider.email]
    assert "my laptop" in str(mail.outbox[-1].body)
    assert [line.detail for line in outsider.account_events.filter(kind="token_made")] == [
        "my laptop"
    ]
    assert "not used yet" in unused
    assert "last used on" in client.get("/account/tokens/").content.decode()


def test_plain_http_is_refused_and_not_redirected(settings: Settings, registrant: User) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^api/v1/"]  # As in production.
    client = Client(headers={"authorization": "Token made-up"})

    for plain in (
        client.get("/api/v1/namespaces/"),
        client.post("/api/v1/requests/", {}, "application/json"),
        client.options("/api/v1/namespaces/"),
    ):
        assert (plain.status_code, plain["Content-Type"]) == (403, "application/problem+json")
        assert "over TLS" in plain.json()["detail"]
    assert Client().get("/api/v1/namespaces/", secure=True).status_code == 200
