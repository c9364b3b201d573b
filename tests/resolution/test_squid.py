"""The caching proxy Squid accepts URNs, and asks us where they lead (RFC 2169, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.factories import NamespaceFactory, ServiceFactory
from tests.live.servers import gunicorn
from tests.live.squid import squid
from tests.programs import PATIENCE
from tests.servers import Answering, WebServer, saying, web_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pages() -> Iterator[WebServer]:
    """A web server whose pages say their own address."""

    def answer(to: Answering) -> None:
        saying(to.path.encode())(to)

    with web_server(answer) as server:
        yield server


@pytest.fixture
def proxy(tmp_path: Path, pages: WebServer) -> Iterator[HTTPConnection]:
    """A connection to Squid, whose registry knows where names of `sample` are."""
    sample = NamespaceFactory.create(nid="sample")
    template = f"http://127.0.0.1:{pages.port}/names/{{+nss}}"
    ServiceFactory.create(namespace=sample, template=template)
    with (
        gunicorn(tmp_path) as site,
        squid(tmp_path, site) as (host, port),
        closing(HTTPConnection(host, port, timeout=PATIENCE)) as connection,
    ):
        yield connection


def end_of(address: str, proxy: HTTPConnection) -> str:
    """Return the page at which a client of the proxy ends, or the error that it gets."""
    proxy.request("GET", address)
    answer = proxy.getresponse()
    body = answer.read().decode()
    if answer.status == HTTPStatus.FOUND:
        return end_of(answer.headers["Location"], proxy)
    return answer.headers.get("X-Squid-Error", body)


@pytest.mark.whole
def test_urns_end_at_the_pages_of_their_locators_and_unknown_ones_at_an_error(
    proxy: HTTPConnection,
) -> None:
    NamespaceFactory.create(nid="unserved")

    ends = {
        urn: end_of(urn, proxy)
        for urn in (
            "urn:sample:a,b",
            "urn:sample:a%2Cb",
            "URN:Sample:1/2?+r?=q=1",
            "urn:unserved:1",
            "urn:unregistered:1",
        )
    }

    assert ends == {
        # RFC 8141, section 3.1: these two are not equivalent.
        "urn:sample:a,b": "/names/a,b",
        "urn:sample:a%2Cb": "/names/a%2Cb",
        "URN:Sample:1/2?+r?=q=1": "/names/1/2?q=1",
        "urn:unserved:1": "ERR_URN_RESOLVE 0",
        "urn:unregistered:1": "ERR_URN_RESOLVE 0",
    }
