"""Tokens: made and revoked by people, shown by their programs."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from registry.models import Token, User

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Forget how much was written in earlier tests."""
    cache.clear()


def made(client: Client, **said: str) -> str:
    """Make a token on the page, and return it as it is shown there."""
    asked = {"name": "my laptop", "days": "30", "key": str(uuid.uuid4()), **said}
    page = client.post("/account/tokens/", asked).content.decode()
    shown = re.search(r"<pre[^>]*>([^<]+)</pre>", page)
    assert shown is not None
    return shown[1]


def answer_to(token: str) -> int:
    """Return the status with which a program that shows `token` is answered."""
    headers = {"authorization": f"Token {token}"}
    return Client().get("/api/v1/namespaces/", headers=headers).status_code


def test_a_token_is_shown_once_and_opens_the_api(sign_in: SignIn, outsider: User) -> None:
    client = sign_in(outsider)

    token = made(client)

    page = client.get("/account/tokens/").content.decode()
    assert (len(token), answer_to(token)) == (64, 200)
    assert "my laptop" in page
    assert token not in page
    assert token not in Token.objects.get().digest


def test_a_second_click_puts_another_token_in_place_of_the_one_nobody_read(
    sign_in: SignIn, outsider: User
) -> None:
    client, key = sign_in(outsider), str(uuid.uuid4())

    first, second = made(client, key=key), made(client, key=key)

    assert Token.objects.count() == 1
    assert (answer_to(first), answer_to(second)) == (401, 200)


def test_a_token_without_a_name_is_asked_for_it(sign_in: SignIn, outsider: User) -> None:
    asked = {"name": "", "days": "30", "key": str(uuid.uuid4())}

    page = sign_in(outsider).post("/account/tokens/", asked).content.decode()

    assert "Say what the token is for." in page
    assert not Token.objects.exists()


def test_a_revoked_token_opens_nothing(sign_in: SignIn, outsider: User) -> None:
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


def test_a_token_opens_nothing_after_its_day(sign_in: SignIn, outsider: User) -> None:
    token = made(sign_in(outsider), days="1")

    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        status = answer_to(token)

    assert status == 401


def test_a_token_of_an_account_that_is_switched_off_opens_nothing(
    sign_in: SignIn, outsider: User
) -> None:
    token = made(sign_in(outsider))
    outsider.is_active = False
    outsider.save()

    assert answer_to(token) == 401


@pytest.mark.parametrize("token", ["wrong", "\xff" * 15, "a b", ""])
def test_what_is_no_token_is_refused(db: None, token: str) -> None:
    assert answer_to(token) == 401


def test_tokens_are_for_people_with_an_account(client: Client) -> None:
    response = client.get("/account/tokens/")

    assert (response.status_code, response.headers["Location"]) == (
        302,
        "/accounts/sign-in/?next=/account/tokens/",
    )
