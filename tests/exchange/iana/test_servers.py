"""IANA's list is fetched from one address, over TLS, and a refusal changes nothing."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from registry.env import read_https_address
from registry.exchange.iana import IANAUnavailable, InvalidListing, synchronize
from registry.exchange.iana.sync import LISTING_NAME
from registry.models import DocumentSource, Event, IANASnapshot, Namespace
from registry.safe_http import FetchLimits
from tests.exchange.iana.lists import GROWN, KNOWN
from tests.exchange.records.test_servers import cut_off, drip
from tests.servers import CERTIFICATE, Answering, NameServer, WebServer, leading, saying, web_server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("known")]

HOST = "secure.northlight.example"
TRUST = ssl.create_default_context(cafile=str(CERTIFICATE))


class IANA:
    """A server like IANA's: it sends `body`, unless the client has it already."""

    def __init__(self) -> None:
        self.answer: Callable[[Answering], object] = self.tell
        self.body = KNOWN
        self.not_modified = 0

    def tell(self, to: Answering) -> None:
        """Respond with the list, or that it is unchanged."""
        etag = f'"{len(self.body)}"'
        if to.headers["If-None-Match"] == etag:
            self.not_modified += 1
            saying(b"", 304)(to)
            return
        saying(self.body, Content_Type="application/xml", ETag=etag)(to)


@pytest.fixture
def iana(settings: Settings) -> Iterator[tuple[IANA, WebServer]]:
    """A server over TLS, and its content."""
    with NameServer() as names:
        settings.REGISTRY_NAMESERVERS = [names.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        names.say(HOST, "A", ["127.0.0.1"])
        says = IANA()
        with web_server(lambda to: says.answer(to), encrypted=True) as server:
            settings.REGISTRY_IANA_LIST = f"https://{HOST}:{server.port}/urn-namespaces.xml"
            yield says, server


def sync() -> Any:
    """Read the list as the scheduler does."""
    return synchronize(apply=True, trust=TRUST)


def test_list_is_read_and_not_sent_again_while_it_is_the_same(
    iana: tuple[IANA, WebServer],
) -> None:
    says, _server = iana

    first, second = sync(), sync()
    says.body = GROWN
    third = sync()

    assert (first.is_new, second.is_new, third.is_new) == (True, False, True)
    assert says.not_modified == 1
    assert sorted(third.entered) == ["pitch", "tar", "urn-2"]
    assert [bytes(each.content) for each in IANASnapshot.objects.order_by("pk")] == [KNOWN, GROWN]


@pytest.mark.parametrize(
    ("answer", "error", "why"),
    [
        (leading("https://elsewhere.example/list.xml"), IANAUnavailable, "redirects more than 0"),
        (saying(b"Gone.", 410), IANAUnavailable, "answered 410"),
        (saying(b"Sorry.", 500), IANAUnavailable, "answered 500"),
        (cut_off(GROWN), IANAUnavailable, "cut off after"),
        (saying(GROWN[:-40]), InvalidListing, "is not XML, or is incomplete"),
        (saying(b"<html><p>Sorry</html>"), InvalidListing, "is not XML, or is incomplete"),
        (saying(b"<html/>"), InvalidListing, "not IANA's list"),
        (saying(b"x" * 8_000_001), IANAUnavailable, "longer than 8000000 octets"),
    ],
    ids="moved gone broken cut half html other long".split(),
)
def test_invalid_answer_changes_nothing_and_is_noted_as_a_problem(
    answer: Callable[[Answering], object],
    error: type[Exception],
    why: str,
    iana: tuple[IANA, WebServer],
) -> None:
    sync()
    before = list(Namespace.objects.values())
    says, _server = iana
    says.answer = answer

    with pytest.raises(error, match=why):
        sync()

    assert list(Namespace.objects.values()) == before
    assert IANASnapshot.objects.count() == 1
    assert why in DocumentSource.objects.get(pk=LISTING_NAME).problem
    assert not Event.objects.exists()


def test_server_that_drips_is_given_up(
    iana: tuple[IANA, WebServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    short = FetchLimits(octets=1_000, seconds=0.5, redirects=0)
    monkeypatch.setattr("registry.exchange.iana.sync.SYNC_LIMITS", short)
    iana[0].answer = drip

    with pytest.raises(IANAUnavailable, match="in full"):
        sync()


def test_certificate_of_somebody_else_is_refused(iana: tuple[IANA, WebServer]) -> None:
    with pytest.raises(IANAUnavailable, match="certificate of"):
        synchronize(apply=True)


def test_list_is_asked_for_over_tls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGISTRY_IANA_LIST", "http://www.iana.org/list.xml")
    with pytest.raises(ImproperlyConfigured, match="https://"):
        read_https_address("REGISTRY_IANA_LIST", "https://www.iana.org/list.xml")
