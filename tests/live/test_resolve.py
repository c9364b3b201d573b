"""Names resolved by the real server, also behind a real proxy: nothing in them is changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.conftest import without_triggers
from tests.factories import NamespaceFactory, ServiceFactory
from tests.live.proxies import PROXY, Answer, ask, caddy, nginx
from tests.live.servers import gunicorn
from tests.programs import free_port

# The tests only ask: what they ask about exists before them.
pytestmark = pytest.mark.django_db

LONG = "x" * 8_000


@pytest.fixture(scope="module")
def sites(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[dict[str, str]]:
    """The registry on its own server, behind nginx and behind Caddy; it can resolve `sample`."""
    home = tmp_path_factory.mktemp("sites")
    with django_db_blocker.unblock():
        service = ServiceFactory.create(
            namespace=NamespaceFactory.create(nid="sample"),
            template="https://names.example/?n={+nss}{&r}",
        )
        with (
            gunicorn(home) as site,
            nginx(home, PROXY, site=site, tls=free_port()) as by_nginx,
            caddy(home, site, tls=free_port()) as by_caddy,
        ):
            yield {"gunicorn": site, "nginx": by_nginx, "caddy": by_caddy}
        with without_triggers():
            for row in (service, service.namespace, service.service):
                row.delete()


CASES = {
    # RFC 8141, section 3.1: these two are not equivalent.
    b"/resolve/urn:sample:a%2Cb": "a%2Cb",
    b"/resolve/urn:sample:a,b": "a,b",
    b"/resolve/urn:sample:a%2Fb/c": "a%2Fb/c",
    b"/resolve/urn:sample:a//b//": "a//b//",
    b"/resolve/urn:sample:a/../b/./c": "a/../b/./c",
    b"/resolve/urn:sample:a%2E%2E/b": "a%2E%2E/b",
    b"/resolve/urn:sample:a%20": "a%20",
    b"/resolve/urn:sample:a?+r1": "a&r=r1",
    b"/resolve/urn:sample:a?=q=1&s=I2C": "a&q=1&s=I2C",
    b"/resolve/urn:sample:a?+r/1?=q?1": "a&r=r%2F1&q?1",
    b"/resolve/urn:sample:a?s=I2L": "a",
    b"/resolve/URN:SAMPLE:a;b=c&d!$'()*+@~._-": "a;b=c&d!$'()*+@~._-",
    b"/resolve/urn:sample:%01%ff": "%01%FF",
    b"/resolve/urn:sample:" + LONG.encode(): LONG,
    b"/resolve/?urn=urn%3Asample%3Aa%252Cb%2Cc%3F%3Dq%23f": "a%2Cb,c&q#f",
    b"/uri-res/N2L?urn:sample:a%2Cb,c?+r1?=q1": "a%2Cb,c&r=r1&q1",
    b"/uri-res/I2R?URN:Sample:a/../b": "a/../b",
}


def test_name_arrives_as_it_was_sent(sites: dict[str, str]) -> None:
    expected = {target: (303, f"https://names.example/?n={name}") for target, name in CASES.items()}

    for site in sites.values():
        found = {target: ask(site, target) for target in CASES}

        assert {
            target: (answer.status, answer.location) for target, answer in found.items()
        } == expected


def test_head_of_an_answer_the_older_protocol_and_the_whole_address_do_as_well(
    sites: dict[str, str],
) -> None:
    target = b"/resolve/urn:sample:a%2Cb,c?=q"
    for site in sites.values():
        for path in (target, b"/uri-res/N2L?urn:sample:a%2Cb,c?=q"):
            head = ask(site, path, "HEAD")
            older = ask(site, path, version="1.0")
            whole = ask(site, site.encode() + path)

            expected = "https://names.example/?n=a%2Cb,c&q"
            assert [each.location for each in (head, older, whole)] == [expected] * 3
            assert head == Answer(303, expected, b"")


def test_f_component_that_a_client_sends_all_the_same_is_kept(sites: dict[str, str]) -> None:
    # Nginx refuses such a request target, as it may: it is invalid by RFC 9112, section 3.2.
    found = [
        ask(sites["gunicorn"], target).location
        for target in (b"/resolve/urn:sample:a?=q#f", b"/uri-res/N2L?urn:sample:a#f")
    ]

    assert found == ["https://names.example/?n=a&q#f", "https://names.example/?n=a#f"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("aé".encode(), 400, id="octets beyond ASCII"),
        pytest.param(b"a\xff", 400, id="octets of no encoding"),
        pytest.param(b"x" * 9_000, 414, id="longer than the server takes"),
    ],
)
def test_unacceptable_request_line_is_refused_and_leads_nowhere(
    name: bytes, status: int, sites: dict[str, str]
) -> None:
    answer = ask(sites["gunicorn"], b"/resolve/urn:sample:" + name)

    assert (answer.status, answer.location) == (status, "")
