"""The registrar's queue of faults in the entries themselves."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.enums import ProbeResult
from registry.models import EntryLink, Namespace, Organization, Provenance, User
from registry.selectors.entry_faults import FAULT_REMEDIES
from tests.api.clients import Program
from tests.factories import NamespaceFactory, ServiceFactory
from tests.notifications.conftest import work
from tests.servers import NameServer, saying, web_server
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


@pytest.fixture
def entries(organization: Organization) -> None:
    """One entry without faults, and one with each fault."""
    today = timezone.localdate()

    def make(nid: str, **changes: object) -> Namespace:
        said = {"registrant": organization, "contact": "a@b.example", "contact_confirmed_on": today}
        return NamespaceFactory.create(nid=nid, **{**said, **changes})

    make("sound")
    make("unheld", registrant=None)
    make("mute", contact="")
    make("stale", contact_confirmed_on=today - datetime.timedelta(365))
    make("fresh", contact_confirmed_on=today - datetime.timedelta(364))
    ServiceFactory.create(namespace=make("silent"), probe=ProbeResult.SILENT)
    ServiceFactory.create(
        namespace=make("retired"), probe=ProbeResult.SILENT, withdrawn_at=timezone.now()
    )
    Provenance.objects.create(namespace=make("unread"), source="A list", registered_source="rfc")
    Provenance.objects.create(
        namespace=make("read"), source="A list", is_verified=True, registered_source="rfc"
    )


def test_faults_are_counted_by_kind_each_with_what_can_be_done_today(
    entries: None, registrar: User, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="mute-too", contact="")
    client = sign_in(registrar)

    page = client.get("/publish/entries/")

    assert {kind: count for kind, _label, count, _remedy in page.context["groups"]} == {
        "holder_unknown": 2,
        "no_contact": 2,
        "unconfirmed_contact": 1,
        "dead_link": 1,
        "unverified_fact": 1,
    }
    assert all(str(each) in text_of(page) for each in FAULT_REMEDIES.values())
    assert "mute" not in text_of(page)
    assert "/publish/entries/?fault=no_contact" in page.content.decode()


@pytest.mark.parametrize(
    ("fault", "nids"),
    [
        ("holder_unknown", ["unheld"]),
        ("no_contact", ["mute"]),
        ("unconfirmed_contact", ["stale"]),
        ("dead_link", ["silent"]),
        ("unverified_fact", ["unread"]),
    ],
)
def test_faults_of_one_kind_are_shown_alone(
    fault: str, nids: list[str], entries: None, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).get("/publish/entries/", {"fault": fault})

    assert [row.namespace.nid for row in page.context["rows"]] == nids
    assert page.content.decode().count(f"namespace={nids[0]}&amp;change=") == (fault != "dead_link")


def test_programs_of_the_registrar_read_the_same_and_nobody_else_does(
    entries: None, registrar: User, expert: User, sign_in: SignIn, client: Client
) -> None:
    at = "/api/v1/entry-faults/"

    told = Program.of(registrar).client.get(at, {"fault": "no_contact"}).json()["results"]

    assert [(each["nid"], each["faults"]) for each in told] == [("mute", ["no_contact"])]
    assert Program.of(expert).client.get(at).status_code == 403
    assert client.get(at).status_code == 401
    assert sign_in(expert).get("/publish/entries/").status_code == 403


# Links


def test_links_of_an_entry_are_asked_when_the_registrar_wants_it(
    organization: Organization, registrar: User, expert: User, sign_in: SignIn, settings: Settings
) -> None:
    browser, check = sign_in(registrar), "/publish/entries/seedbank/check/"
    with NameServer() as names, web_server(saying(b"Gone.", 404)) as server:
        settings.REGISTRY_NAMESERVERS = [names.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        names.say("vaults.example", "A", ["127.0.0.1"])
        url = f"http://vaults.example:{server.port}/names"
        NamespaceFactory.create(
            nid="seedbank", registrant=organization, references=["RFC 8141", f"Names, {url}."]
        )
        sign_in(expert).post(check)
        browser.post(check)
        before = EntryLink.objects.count()
        work()

    (link,) = EntryLink.objects.all()
    assert (before, link.url, link.result) == (0, url, ProbeResult.SILENT)
    page = text_of(browser.get("/publish/entries/", {"fault": "dead_link"}))
    assert "404 Not Found" in page
    told = Program.of(registrar).client.get("/api/v1/entry-faults/", {"fault": "dead_link"})
    assert told.json()["results"][0]["dead_links"] == [url]


def test_check_is_refused_for_an_entry_without_links_and_to_strangers(
    registrar: User, expert: User, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="bare")
    at = "/api/v1/namespaces/bare/link-check/"

    page = sign_in(registrar).post("/publish/entries/bare/check/", follow=True)

    assert [each.level_tag for each in page.context["messages"]] == ["error"]
    assert Program.of(registrar).client.post(at).status_code == 409
    assert Program.of(expert).client.post(at).status_code == 403
