"""Each address, asked by each of the cast: nobody gets where they should not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from registry.enums import Role
from registry.exchange.exports import refresh_exports
from registry.models import User
from tests.doors import take_factor
from tests.factories import NamespaceFactory, UserFactory

pytestmark = pytest.mark.django_db

OFFICES: Final = {
    "/review/": {Role.EXPERT, Role.LEAD},
    "/publish/": {Role.REGISTRAR},
    "/direction/": {Role.STANDARDS_BODY},
    "/admin/": {Role.ADMINISTRATOR},
}
"""Where officers work, and which."""
FAULTS: Final = {500, 502, 503, 504}
"""Of our own; 501 is how `/uri-res/` says that it does not do what was asked (RFC 2169)."""
OPEN_WITHIN: Final = {"/admin/login/", "/admin/logout/", "/admin/jsi18n/"}
VALUES: Final[dict[str, Any]] = {
    "int": 1,
    "slug": "r-2026-0001",
    "str": "seedbank",
    "uuid": "00000000-0000-0000-0000-000000000001",
    "path": "urn:seedbank:1",
}


def walk(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    """Yield an address for every pattern below, with likely values for its parts."""
    for each in resolver.url_patterns:
        route = str(each.pattern)
        for name, converter in each.pattern.converters.items():
            kind = (
                type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")
            )
            for spelling in (f"<{kind}:{name}>", f"<{name}>"):
                route = route.replace(spelling, str(VALUES.get(kind, "x")))
        if isinstance(each, URLResolver):
            yield from walk(each, prefix + route)
        elif not set(route) & set("^$(?\\<"):
            yield prefix + route


ADDRESSES: Final = sorted({*walk(get_resolver())})


def office_of(address: str) -> set[Role] | None:
    """Return who works at an address, nothing where it is no office."""
    if address in OPEN_WITHIN:
        return None
    return next((roles for prefix, roles in OFFICES.items() if address.startswith(prefix)), None)


def test_there_are_addresses_of_every_office() -> None:
    assert len(ADDRESSES) > 150
    for prefix in OFFICES:
        assert sum(address.startswith(prefix) for address in ADDRESSES) > 1


@pytest.mark.parametrize("rests", [False, True], ids=["with a factor", "without one"])
@pytest.mark.parametrize("role", [None, *Role], ids=str)
def test_offices_are_closed_to_whoever_does_not_hold_them(
    role: Role | None, rests: bool, request: pytest.FixtureRequest
) -> None:
    person = UserFactory.create(roles=[role] if role else [], is_staff=role == Role.ADMINISTRATOR)
    if rests:
        take_factor(person)
    client = Client()
    client.force_login(person)
    opened = []

    for address in ADDRESSES:
        roles = office_of(address)
        if roles is None:
            continue
        for answer in (client.get(address), client.post(address, {"verb": "register"})):
            assert answer.status_code < 500, address
            if answer.status_code < 300 and (rests or role not in roles):
                opened.append(address)

    assert opened == []
    own = [prefix for prefix, roles in OFFICES.items() if role in roles]
    for prefix in own:
        assert client.get(prefix).status_code == (403 if rests else 200)


@pytest.mark.parametrize("name", ["", "outsider", "registrar"])
def test_every_address_answers_everybody_and_with_the_headers_that_protect(
    name: str, request: pytest.FixtureRequest
) -> None:
    NamespaceFactory.create(nid="seedbank")
    refresh_exports(at_once=True)
    client = Client()
    if name:
        person: User = request.getfixturevalue(name)
        client.force_login(person)
    faults = []

    for address in ADDRESSES:
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


@pytest.mark.parametrize("address", ["/", "/namespaces/", "/account/", "/accounts/sign-in/"])
def test_trace_is_answered_by_nothing_that_was_sent(address: str) -> None:
    answer = Client().trace(address, headers={"cookie": "sessionid=very-secret"})

    assert answer.status_code in {302, 405}
    assert b"very-secret" not in answer.content
