"""Each address, requested by each of the cast: nobody gets where they should not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import Final

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from registry.enums import Role
from registry.exchange.exports import refresh_exports
from registry.models import Event, IANASnapshot, User
from tests.addresses import build_address, list_addresses, list_routes
from tests.conftest import without_triggers
from tests.factories import UserFactory
from tests.payloads import PAYLOADS
from tests.populated_registry import Cast
from tests.sign_in import remove_factors

pytestmark = pytest.mark.django_db

OFFICES: Final = {
    "/review/away/": {*Role},
    "/review/": {Role.EXPERT, Role.LEAD},
    "/publish/": {Role.REGISTRAR},
    "/direction/": {Role.STANDARDS_BODY},
    "/admin/": {Role.ADMINISTRATOR},
}
"""Where officers work, and which office it is."""
FAULTS: Final = {500, 502, 503, 504}
"""Our own refusals; 501 is how `/uri-res/` says that it does not support something (RFC 2169)."""
OPEN_WITHIN: Final = {"/admin/login/", "/admin/logout/", "/admin/jsi18n/"}
PERSONAL: Final = re.compile(r"/account/(?!follows/leave/)|/api/v1/account/")
"""Personal pages; two addresses are in letters, with keys of their own."""
OPEN_VERBS: Final = ("comment", "appeal_hold")
"""What anyone with an account may do: write to a discussion, and appeal against a hold."""
HOSTILE: Final = "\n".join(PAYLOADS[:40])
BODIES: Final = cycle(
    [
        {
            **dict.fromkeys(("verb", "action", "state", "role"), "register"),
            **dict.fromkeys(("text", "name", "comment", "reasons", "statement"), HOSTILE),
            **dict.fromkeys(("nid", "person", "organization", "address", "template"), PAYLOADS[0]),
            **dict.fromkeys(("seen", "revision", "number", "pk", "id", "is_staff"), "1"),
        },
        [[[[HOSTILE]]]],
        HOSTILE,
        None,
    ]
)
"""What an attacker without further knowledge sends to a program."""


@cache
def addresses() -> list[str]:
    """Return an address for every pattern."""
    return list_addresses()


def office_of(address: str) -> set[Role] | None:
    """Return the office that works at an address, or nothing."""
    if address in OPEN_WITHIN:
        return None
    return next((roles for prefix, roles in OFFICES.items() if address.startswith(prefix)), None)


@pytest.fixture
def populated(populated: Cast) -> Cast:
    """Rows in every table, so that the addresses exist."""
    with without_triggers():
        IANASnapshot.objects.all().delete()  # It is not XML, as every IANA list is.
    return populated


def client_of(person: User | None) -> Client:
    """Return a client, signed in or not."""
    client = Client()
    if person:
        client.force_login(person)
    return client


def make_officer(role: Role | None) -> User:
    """Return somebody with a role."""
    return UserFactory.create(roles=[role] if role else [], is_staff=role == Role.ADMINISTRATOR)


def test_patterns_without_an_address_fail() -> None:
    assert len(addresses()) > 700
    assert {
        "/namespaces/seedbank.pdf",
        "/requests/r-2026-0002/rounds/1.json",
        "/api/reference/seedbank:1",
        "/log/tile/0/000",
        "/resolve/urn:seedbank:1",
    } <= set(addresses())
    for prefix in OFFICES:
        assert sum(address.startswith(prefix) for address in addresses()) > 1
    for route in ("namespaces/<str:unheard>/", r"namespaces/(?P<nid>[0-9]{9})$", "nowhere/"):
        with pytest.raises(LookupError, match=r"tests/addresses\.py"):
            build_address(route)
    assert len({*list_routes()}) > 700


@pytest.mark.whole
@pytest.mark.parametrize(
    "role", [pytest.param(None, marks=pytest.mark.whole(sample=True)), *Role], ids=str
)
def test_offices_are_closed_to_whoever_does_not_hold_them(
    role: Role | None, populated: Cast, bare_refusals: None
) -> None:
    client = client_of(make_officer(role))
    opened, own = [], [prefix for prefix, roles in OFFICES.items() if role in roles]

    for address in addresses():
        roles = office_of(address)
        if roles is None or role in roles:
            continue
        for answer in (client.get(address), client.post(address, {"verb": "register"})):
            assert answer.status_code < 500, address
            if answer.status_code < 300:
                opened.append(address)

    assert opened == []
    assert SESSION_KEY in client.session, "somebody who was signed out proves nothing"
    assert [client.get(prefix).status_code for prefix in own] == [200] * len(own)


@pytest.mark.whole
@pytest.mark.parametrize("role", Role, ids=str)
def test_offices_are_closed_to_officers_without_a_second_factor(
    role: Role, populated: Cast, bare_refusals: None
) -> None:
    person = make_officer(role)
    remove_factors(person)
    client = client_of(person)
    opened = []

    for address in addresses():
        if role not in (office_of(address) or ()):
            continue
        for answer in (client.get(address), client.post(address, {"verb": "register"})):
            assert answer.status_code < 500, address
            if answer.status_code < 300:
                opened.append(address)

    assert opened == []
    assert SESSION_KEY in client.session, "somebody who was signed out proves nothing"
    for prefix in (prefix for prefix, roles in OFFICES.items() if role in roles):
        assert client.get(prefix).status_code == 403


@pytest.mark.whole
@pytest.mark.parametrize("name", ["", "outsider"])
def test_every_address_answers_everybody_and_with_the_headers_that_protect(
    name: str, populated: Cast, request: pytest.FixtureRequest
) -> None:
    """Those with roles ask for every address in tests/web/test_payloads.py."""
    if name:
        request.getfixturevalue("bare_refusals")
    refresh_exports(at_once=True)
    client = client_of(getattr(populated, name) if name else None)
    faults = []

    for address in addresses():
        answer = client.get(address)
        policy = answer.headers.get("Content-Security-Policy", "")
        if (
            answer.status_code in FAULTS
            or answer.headers.get("X-Content-Type-Options") != "nosniff"
            or (
                "text/html" in answer.headers.get("Content-Type", "")
                and "frame-ancestors 'none'" not in policy
            )
        ):
            faults.append((address, answer.status_code, policy[:40]))

    assert faults == []
    assert (SESSION_KEY in client.session) == bool(name)


def send_hostile_forms(person: User | None) -> Iterator[tuple[str, int]]:
    """Send something to every address with every method that writes; yield the responses."""
    client = client_of(person)
    for address in addresses():
        body = next(BODIES)
        if not address.startswith("/api/"):
            form = body if isinstance(body, dict) else {"text": HOSTILE}
            yield address, client.post(address, form).status_code
            if person and address.startswith("/account"):
                client.force_login(person)  # It may have signed them out.
            continue
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            sent = client.generic(method, address, json.dumps(body), "application/json")
            yield f"{method} {address}", sent.status_code


@pytest.mark.whole
@pytest.mark.parametrize("name", ["", "outsider"])
def test_hostile_forms_to_every_address_do_no_more_than_speak(
    name: str, populated: Cast, bare_refusals: None
) -> None:
    person = getattr(populated, name) if name else None
    before = Event.objects.count()

    answered = dict(send_hostile_forms(person))

    assert [address for address, status in answered.items() if status in FAULTS] == []
    acts = Event.objects.filter(number__gt=before).values_list("actor", "verb")
    assert set(acts) <= {(person.pk, verb) for verb in OPEN_VERBS} if person else not acts
    if person is None:
        taken = [address for address, status in answered.items() if status < 300]
        assert [each for each in taken if PERSONAL.search(each)] == []


@pytest.mark.parametrize("address", ["/", "/namespaces/", "/account/", "/accounts/sign-in/"])
def test_trace_is_answered_by_nothing_that_was_sent(address: str) -> None:
    answer = Client().trace(address, headers={"cookie": "sessionid=very-secret"})

    assert answer.status_code in {302, 405}
    assert b"very-secret" not in answer.content
