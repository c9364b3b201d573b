"""Probing services: politely, never in a private network, and with immediate results."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import selectors
from registry.actions import resolution_services
from registry.enums import ProbeResult
from registry.models import Namespace, ResolutionService, User
from tests.api.clients import JSON, Program
from tests.days import days_later
from tests.factories import NamespaceFactory, ServiceFactory, UserFactory
from tests.notifications.conftest import work
from tests.refusals import expect_refusal
from tests.servers import Answering, NameServer, WebServer, leading, saying, web_server
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
HOST = "names.example"


@pytest.fixture
def names(settings: Settings) -> Iterator[NameServer]:
    """A name server; one of this machine's addresses stands for the Internet."""
    with NameServer() as server:
        settings.REGISTRY_NAMESERVERS = [server.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        server.say(HOST, "A", ["127.0.0.1"])
        server.say("inside.example", "A", ["127.0.0.2"])
        yield server


@pytest.fixture
def nbn(names: NameServer) -> Namespace:
    namespace: Namespace = NamespaceFactory.create(nid="nbn")
    return namespace


def service_at(server: WebServer, namespace: Namespace, **said: str) -> ResolutionService:
    """Return a service at a server of this test."""
    template = f"http://{HOST}:{server.port}/{{+nss}}"
    made: ResolutionService = ServiceFactory.create(namespace=namespace, template=template, **said)
    return made


def heard(service: ResolutionService) -> tuple[str, str]:
    """Return the result of the last probe."""
    service.refresh_from_db()
    return service.probe, service.probe_note


def test_service_is_asked_for_an_example_by_head_alone(nbn: Namespace) -> None:
    methods: list[str] = []

    def answer(to: Answering) -> None:
        methods.append(to.command)
        saying(b"x" * 1000)(to)

    with web_server(answer) as server:
        service = service_at(server, nbn, prefix="de:")

        resolution_services.probe_now(service)

    assert heard(service) == (ProbeResult.ANSWERED, "200 OK")
    assert methods == ["HEAD"]
    assert server.asked == [(f"{HOST}:{server.port}", "/de:101:1-201102033592")]


def test_server_that_does_not_know_head_is_asked_by_get(nbn: Namespace) -> None:
    def answer(to: Answering) -> None:
        saying(b"Hello.", 405 if to.command == "HEAD" else 200)(to)

    with web_server(answer) as server:
        service = service_at(server, nbn)

        resolution_services.probe_now(service)

    assert heard(service) == (ProbeResult.ANSWERED, "200 OK")
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (404, (ProbeResult.ANSWERED, "404 Not Found")),
        (303, (ProbeResult.ANSWERED, "303 See Other")),
        (503, (ProbeResult.SILENT, "503 Service Unavailable")),
        (299, (ProbeResult.ANSWERED, "299")),
    ],
)
def test_name_that_is_not_known_there_is_an_answer_and_an_error_of_theirs_is_none(
    status: int, outcome: tuple[str, str], nbn: Namespace
) -> None:
    with web_server(saying(b"", status)) as server:
        service = service_at(server, nbn)

        resolution_services.probe_now(service)

    assert heard(service) == outcome


def test_redirect_into_a_private_network_is_not_followed(nbn: Namespace) -> None:
    with (
        web_server(saying(b"secret"), "127.0.0.2") as inside,
        web_server(leading(f"http://inside.example:{inside.port}/")) as server,
    ):
        service = service_at(server, nbn)

        resolution_services.probe_now(service)

    outcome, note = heard(service)
    assert (outcome, inside.asked) == (ProbeResult.SILENT, [])
    assert note.startswith("inside.example ")


def test_probe_result_is_shown_at_once(nbn: Namespace) -> None:
    with web_server(saying()) as server:
        service = service_at(server, nbn)
        before = selectors.find_registry_version()

        resolution_services.probe_now(service)

    assert selectors.find_registry_version() > before
    page = text_of(Client().get("/namespaces/nbn/services/"))
    assert "answered, " in page
    assert "(200 OK)" in page


def test_people_may_have_a_service_asked_and_not_again_within_minutes(
    nbn: Namespace, outsider: User, sign_in: SignIn
) -> None:
    with web_server(saying()) as server:
        service = service_at(server, nbn)
        url = f"/namespaces/nbn/services/{service.pk}/check/"
        browser = sign_in(outsider)

        first, _second = (browser.post(url, follow=True) for _click in "12")
        asked_by_the_page = len(server.asked)
        work()
        later = browser.post(url, follow=True)
        work()

    assert "Being asked" in text_of(first)
    assert "(200 OK)" in text_of(later)
    assert [f'action="{url}"' in each.text for each in (first, later)] == [False, False]
    assert (asked_by_the_page, len(server.asked)) == (0, 1)


def test_program_is_told_where_the_answer_will_stand(nbn: Namespace, outsider: User) -> None:
    with web_server(saying()) as server:
        service, client = service_at(server, nbn), Program.of(outsider).client

        asked = client.post(f"/api/v1/services/{service.pk}/probe/", {}, JSON)
        asked_at_once = len(server.asked)
        work()

    told = client.get(asked.headers["Location"]).json()
    assert (asked.status_code, asked.json()["probe"], asked_at_once) == (202, "not_checked", 0)
    assert (told["id"], told["probe"]) == (service.pk, "answered")


def test_strangers_are_not_told_what_is_being_asked(
    nbn: Namespace, outsider: User, client: Client
) -> None:
    service = ServiceFactory.create(namespace=nbn)
    resolution_services.request_probe(outsider, service)

    for headers in ({}, {"hx-request": "true"}):
        page = client.get("/namespaces/nbn/services/", headers=headers)
        assert (page.status_code, "eing asked" in text_of(page)) == (200, False)
        assert "being checked" not in text_of(page)
        assert "HX-Refresh" not in page.headers


def test_only_those_whose_address_is_confirmed_may_have_it_asked(nbn: Namespace) -> None:
    person = UserFactory.create(confirmed=False)
    service = ServiceFactory.create(namespace=nbn)

    with expect_refusal("address_unconfirmed"):
        resolution_services.request_probe(person, service)

    assert Client().post(f"/namespaces/nbn/services/{service.pk}/check/").status_code == 302
    assert heard(service) == (ProbeResult.NOT_CHECKED, "")


def test_another_address_begins_as_not_checked(nbn: Namespace, registrar: User) -> None:
    service = ServiceFactory.create(namespace=nbn, probe=ProbeResult.ANSWERED, probe_note="200 OK")
    said = {name: getattr(service, name) for name in resolution_services.SERVICE_FIELDS} | {
        "service": "I2L"
    }

    resolution_services.change_service(
        service,
        actor=registrar,
        seen=resolution_services.mark_service_edition(service),
        **said | {"template": "https://other.example/{nss}"},
    )
    with days_later(8):
        resolution_services.move_due_services(timezone.now())

    assert heard(service) == (ProbeResult.NOT_CHECKED, "")


# The command


def probed(*nids: str) -> list[str]:
    """Run the command; return its output."""
    said = io.StringIO()
    call_command("probe", *nids, "--pause=0", stdout=said)
    return said.getvalue().splitlines()


def test_command_asks_services_in_use_and_no_aliases(nbn: Namespace, registrar: User) -> None:
    with web_server(saying()) as server:
        service_at(server, nbn)
        gone = service_at(server, nbn, prefix="x")
        resolution_services.withdraw_service(gone, actor=registrar, reason="Closed.")
        ServiceFactory.create(namespace=nbn, service="I2N", template="urn:other:{+nss}")
        ServiceFactory.create(template="http://127.0.0.3/{nss}", prefix="z")

        some, every = probed("NBN"), probed()

    assert (len(some), some[0]) == (2, "nbn, names.example: Answered. 200 OK")
    assert [re.findall(r"\d+", each[-1]) for each in (some, every)] == [
        ["1", "1", "0"],
        ["2", "1", "1"],
    ]
    assert len(server.asked) == 2


def test_command_names_what_is_not_registered() -> None:
    with pytest.raises(CommandError, match="Not registered: nobody"):
        probed("nobody")
