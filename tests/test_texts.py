"""Text that no column can hold is refused, the same on every database."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client

from registry.database import UnfitText
from registry.models import RegistrationRequest, User
from tests.api.clients import JSON, Program
from tests.http.test_cache_policy import PART, routes
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
NUL: Final = "a\0b"
UNREADABLE: Final = "400"


@pytest.mark.parametrize("text", [NUL, "\0", "a\ud800b"], ids=ascii)
def test_statement_with_a_text_that_fits_no_column_is_not_executed(text: str) -> None:
    with pytest.raises(UnfitText):
        RegistrationRequest.objects.filter(reference=text).exists()
    with pytest.raises(UnfitText), connection.cursor() as cursor:
        cursor.executemany("SELECT %s", [["a"], [text]])


def test_every_other_text_is_looked_for() -> None:
    for text in ("", "\x01\x7f", "\u202e\ufffe", "\U0001f331", "\ufffd"):
        assert not RegistrationRequest.objects.filter(reference=text).exists()


@pytest.mark.parametrize(
    ("method", "address", "given"),
    [
        ("post", "/account/follows/new/", {"request": NUL}),
        ("get", "/account/follows/new/", {"request": NUL}),
        ("get", "/requests/new/nid/", {"reference": NUL}),
    ],
)
def test_lookup_by_an_unreadable_text_is_a_bad_request(
    sign_in: SignIn,
    outsider: User,
    sent: RegistrationRequest,
    method: str,
    address: str,
    given: dict[str, str],
) -> None:
    browser = sign_in(outsider)
    ask = getattr(browser, method)

    response = ask(address.format(body=sent.organization_id), given, headers={"hx-request": "true"})

    assert response.status_code == 400
    assert UNREADABLE in text_of(response)


@pytest.mark.whole
def test_no_part_of_any_address_breaks_the_site(outsider: User, administrator: User) -> None:
    strangers = [Client(), Client()]
    strangers[1].force_login(outsider)
    program = Program.of(administrator).client
    asked, answered = 0, set[int]()

    for route in routes():
        plain = re.sub(r"[\^$]|\\Z", "", PART.sub("{}", route)).replace("\\", "")
        parts = [part["kind"] for part in PART.finditer(route)]
        for filled in range(len(parts)):
            values = ["1" if kind == "int" else "x" for kind in parts]
            values[filled] = "a%00b"
            for client in (*strangers, program):
                asked += 1
                answered.add(client.get(f"/{plain.format(*values)}").status_code)

    assert asked > 200
    assert {status for status in answered if status >= 500} <= {501}


@pytest.mark.parametrize("text", [NUL, "a\ud800b"], ids=ascii)
def test_programs_are_told_so_in_their_own_way(registrant: User, text: str) -> None:
    program = Program.of(registrant)
    said: dict[str, Any] = {"person": text, "organization": text, "nid": text}

    written = program.client.post("/api/v1/requests/", said, JSON)
    followed = program.client.post("/api/v1/account/follows/", {"request": text}, JSON)

    problem = (400, "application/problem+json")
    assert (written.status_code, written.headers["Content-Type"]) == problem
    assert (followed.status_code, followed.headers["Content-Type"]) == problem


def test_session_by_such_a_name_is_nobodys() -> None:
    client = Client(headers={"cookie": r'sessionid="abcdefgh\000"'})

    for address in ("/", "/account/follows/"):
        assert client.get(address).status_code in {200, 302}
