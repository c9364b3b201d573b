"""The pages on trust, the experts, the scheme and the discussion list."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from registry.actions.roles import change_role
from registry.enums import Role
from registry.models import RegistrationRequest, User
from registry.selectors.experts import list_expert_terms
from tests.factories import NamespaceFactory, UserFactory
from tests.web.pages import rows_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]

GIVEN = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


def create_candidate(name: str) -> User:
    """Return a person without a role, but with the second factor that one needs."""
    person: User = UserFactory.create(name=name, roles=[Role.EXPERT])
    person.groups.clear()
    return person


@pytest.fixture
def give_roles(administrator: User) -> Callable[[User, datetime.datetime, list[Role]], None]:
    """Return a function with which the administrator gives a person exactly some roles."""

    def given(person: User, at: datetime.datetime, roles: list[Role]) -> None:
        held = User.objects.roles_of([person.pk]).get(person.pk, ())
        with time_machine.travel(at, tick=False):
            for role in {*roles}.difference(held):
                change_role(person, role, is_given=True, actor=administrator)
            for role in {*held}.difference(roles):
                change_role(person, role, is_given=False, actor=administrator)

    return given


def test_trust_page_says_in_words_what_a_registration_does_not_show(client: Client) -> None:
    words = text_of(client.get("/about/trust/"))

    assert "Whether a resolver can be trusted." in words
    assert "Whether a name is what it seems." in words
    assert "(section 8)" in words


@pytest.mark.parametrize(
    "address",
    ["/namespaces/seeds/", "/resolve/", "/guide/urns/", "/guide/how-it-works/", "/about/"],
)
def test_pages_with_names_lead_to_the_page_on_trust(client: Client, address: str) -> None:
    NamespaceFactory.create(nid="seeds")

    assert 'href="/about/trust/"' in client.get(address).content.decode()


def test_experts_are_named_with_the_day_since_when_they_are(
    client: Client, give_roles: Callable[..., None], registrar: User
) -> None:
    lead, outsider = create_candidate("Lova Lead"), create_candidate("Olaf Outsider")
    give_roles(outsider, GIVEN, [Role.EXPERT])
    give_roles(lead, GIVEN + datetime.timedelta(days=1), [Role.EXPERT])
    give_roles(lead, GIVEN + datetime.timedelta(days=9), [Role.LEAD, Role.REGISTRAR])

    page = client.get("/about/experts/")
    listed = client.get("/api/v1/experts/").json()

    assert rows_of(page) == [
        ["Lova Lead", "Lead expert", "3 March 2026"],
        ["Olaf Outsider", "Designated expert", "2 March 2026"],
    ]
    assert str(registrar) not in text_of(page)
    assert listed == [
        {"name": "Lova Lead", "is_lead": True, "since": "2026-03-03"},
        {"name": "Olaf Outsider", "is_lead": False, "since": "2026-03-02"},
    ]
    assert "@" not in text_of(page)


def test_expert_who_came_back_is_one_since_then(
    give_roles: Callable[..., None],
) -> None:
    outsider = create_candidate("Olaf Outsider")
    give_roles(outsider, GIVEN, [Role.EXPERT])
    give_roles(outsider, GIVEN + datetime.timedelta(days=10), [])
    left = list_expert_terms()
    give_roles(outsider, GIVEN + datetime.timedelta(days=20), [Role.EXPERT])

    assert left == []
    assert [each.since for each in list_expert_terms()] == [datetime.date(2026, 3, 22)]


def test_expert_without_a_recorded_day_is_listed_as_such(client: Client, expert: User) -> None:
    page = client.get("/about/experts/")

    assert rows_of(page) == [["Ede Expert", "Designated expert", "not recorded"]]


def test_inactive_account_is_no_expert(client: Client, expert: User) -> None:
    listed = client.get("/about/experts/")
    User.objects.filter(pk=expert.pk).update(is_active=False)

    page = client.get("/about/experts/")

    assert [name for name, _role, _since in rows_of(listed)] == ["Ede Expert"]
    assert rows_of(page) == []
    assert "Ede Expert" not in text_of(page)


def test_registration_of_the_scheme_is_told_with_its_sections(client: Client) -> None:
    words = text_of(client.get("/about/scheme/"))

    assert "(section 7.1)" in words
    assert "Status Permanent" in words
    assert 'href="/about/scheme/"' in client.get("/guide/urns/").content.decode()


def test_archive_of_the_list_is_where_the_setting_says(
    client: Client, settings: Settings, in_review: RegistrationRequest
) -> None:
    settings.REGISTRY_LIST_ARCHIVE = "https://lists.example/urn/"

    about = client.get("/about/list/").content.decode()
    asked = client.get(in_review.get_absolute_url()).content.decode()

    assert 'href="https://lists.example/urn/"' in about
    assert 'href="mailto:urn-list@lists.example"' in about
    assert 'href="https://lists.example/urn/"' in asked


def test_page_of_the_list_says_in_words_that_an_archive_or_a_list_is_missing(
    client: Client, settings: Settings, in_review: RegistrationRequest
) -> None:
    settings.REGISTRY_LIST_ARCHIVE = ""
    without_archive = text_of(client.get("/about/list/"))
    request_page = client.get(in_review.get_absolute_url()).content.decode()
    settings.REGISTRY_LIST_ADDRESS = ""

    assert "Not known to this registry." in without_archive
    assert 'href="/about/list/"' in request_page
    assert "no mailing list of its own" in text_of(client.get("/about/list/"))


@pytest.mark.parametrize("page", ["trust", "experts", "scheme", "list"])
def test_about_pages_are_in_the_sitemap_and_linked_from_about_and_guide(
    client: Client, page: str
) -> None:
    place = f"/about/{page}/"

    assert f"{place}</loc>" in client.get("/sitemap.xml").content.decode()
    assert f'href="{place}"' in client.get("/about/").content.decode()
    assert f'href="{place}"' in client.get("/guide/").content.decode()
