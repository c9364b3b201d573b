"""An organization with a domain, and name servers that know it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from registry.enums import ChangeKind
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    let_speak_for,
    record_website,
)
from tests.servers import NameServer
from tests.small_changes import send

DOMAIN = "northlight.example"


@pytest.fixture
def body(organization: Organization) -> Organization:
    """An organization with a website of its own, recorded with its source."""
    record_website(organization, f"https://www.{DOMAIN}/about/")
    return organization


@pytest.fixture
def names(settings: Settings) -> Iterator[NameServer]:
    """The name servers that are queried, which point to this machine."""
    with NameServer() as server:
        settings.REGISTRY_NAMESERVERS = [server.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        server.say(DOMAIN, "A", ["127.0.0.1"])
        server.say(f"www.{DOMAIN}", "A", ["127.0.0.1"])
        yield server


@pytest.fixture
def held(body: Organization) -> Namespace:
    """A namespace that the organization holds."""
    return NamespaceFactory.create(nid="accession", registrant=body)


@pytest.fixture
def transfer(held: Namespace, registrant: User) -> RegistrationRequest:
    """A transfer of it to another organization, sent by that organization's delegate."""
    heir = OrganizationFactory.create(name="Southlight Archive")
    let_speak_for(heir, registrant)
    return send(held, ChangeKind.TRANSFER, registrant, heir)


def last_letter() -> Letter:
    """Return the latest letter."""
    return Letter.objects.latest("pk")


def link_in(letter: Letter) -> str:
    """Return the path of the first link in a letter."""
    line = next(line for line in letter.text.splitlines() if line.startswith("http"))
    return "/" + line.split("/", 3)[3]
