"""Editing services on pages: who may, what is refused, and the preview before saving."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.actions import resolution_services
from registry.models import Event, Letter, Namespace, Organization, ResolutionService, User
from tests.days import days_later
from tests.factories import (
    NamespaceFactory,
    ServiceFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
TYPED = {
    "service": "I2L",
    "begins": "",
    "assigner": "",
    "template": "https://names.example/{+nss}",
    "media_type": "",
    "language": "",
    "priority": "10",
    "operator": "Names Office",
    "source": "We run it",
    "name": "",
    "seen": "",
}
ADD = "/namespaces/sample/services/add/"


@pytest.fixture
def sample(organization: Organization) -> Namespace:
    """A namespace of the organization, and the designators of services."""
    ServiceFactory.create()
    namespace: Namespace = NamespaceFactory.create(nid="sample", registrant=organization)
    return namespace


def verbs(namespace: Namespace) -> list[str]:
    """Return the verbs of the namespace's events."""
    return list(Event.objects.filter(namespace=namespace).values_list("verb", flat=True))


# Who may


@pytest.mark.parametrize("who", ["registrar", "registrant"])
def test_those_who_may_add_a_service_once(
    who: str, sample: Namespace, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)
    assert sample.registrant is not None
    let_speak_for(sample.registrant, request.getfixturevalue("registrant"))
    browser = sign_in(person)

    pages = [browser.post(ADD, TYPED, follow=True) for _click in "12"]

    assert [page.redirect_chain[-1][0] for page in pages] == ["/namespaces/sample/services/"] * 2
    (service,) = ResolutionService.objects.filter(namespace=sample)
    assert (service.template, service.operator) == (TYPED["template"], "Names Office")
    assert verbs(sample) == ["add_service"]
    told = text_of(browser.get("/namespaces/sample/services/"))
    assert "Names Office I2L" in told
    assert "not checked yet" in told


@pytest.mark.parametrize("who", ["outsider", "expert", "registrant"])
def test_nobody_else_may(
    who: str, sample: Namespace, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)

    page = sign_in(person).post(ADD, TYPED)

    assert page.status_code == HTTPStatus.FORBIDDEN
    assert "can change services" in text_of(page)
    with expect_refusal("not_allowed"):
        resolution_services.add_service(sample, actor=person, **said())
    assert not ResolutionService.objects.filter(namespace=sample).exists()


def test_delegates_and_followers_are_told(
    sample: Namespace, registrar: User, registrant: User
) -> None:
    assert sample.registrant is not None
    let_speak_for(sample.registrant, registrant)

    resolution_services.add_service(sample, actor=registrar, **said())

    (letter,) = Letter.objects.all()
    assert letter.address == registrant.email
    assert letter.event == Event.objects.get(verb="add_service")


def said(**other: Any) -> dict[str, Any]:
    """Return the fields of a service."""
    told = {name: TYPED[name] for name in resolution_services.SERVICE_FIELDS if name != "prefix"}
    return {**told, "prefix": "", "priority": 10, **other}


# What is typed


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("template", "https://{nss}/", "with nothing of the URN in it"),
        ("template", "https://names.example/{id}", "It begins at character 23."),
        ("template", "https://names.example/", "All names would lead to one address."),
        ("template", "", "Write the address"),
        ("begins", "?x", "No name begins with “?x”"),
        ("media_type", "html", "“html” is not a media type."),
        ("language", "suomi!", "“suomi!” is not a language tag."),
        ("priority", "-1", "greater than or equal to 0"),
        ("operator", "", "Name the organization that runs it."),
        ("source", "", "Give a source"),
        ("name", "urn:other:1", "It is a name of another namespace."),
        ("name", "a b", "A space"),
    ],
)
def test_invalid_service_is_told_and_nothing_is_lost(
    field: str, typed: str, words: str, sample: Namespace, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).post(ADD, TYPED | {field: typed})

    assert words in text_of(page)
    assert 'value="Names Office"' in page.content.decode() or field == "operator"
    assert not ResolutionService.objects.filter(namespace=sample).exists()


def test_preview_shows_where_names_lead_before_anything_is_saved(
    sample: Namespace, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).post(ADD, TYPED | {"name": "a%2Cb", "try": "1"})

    assert "urn:sample:a%2Cb https://names.example/a%2Cb" in text_of(page)
    assert page.status_code == HTTPStatus.OK
    assert not ResolutionService.objects.filter(namespace=sample).exists()


def test_preview_tries_examples_of_the_namespace_without_a_name(
    registrar: User, sign_in: SignIn
) -> None:
    ServiceFactory.create()
    NamespaceFactory.create(nid="nbn")
    typed = TYPED | {"begins": "de:", "try": "1"}

    page = text_of(sign_in(registrar).post("/namespaces/nbn/services/add/", typed))

    assert "https://names.example/de:101:1-201102033592" in page


# Changing and withdrawing


def test_change_takes_the_place_of_what_was_there(
    sample: Namespace, registrar: User, sign_in: SignIn
) -> None:
    service = resolution_services.add_service(sample, actor=registrar, **said())
    url = f"/namespaces/sample/services/{service.pk}/change/"
    browser = sign_in(registrar)
    typed = TYPED | {"priority": "3", "seen": resolution_services.mark_service_edition(service)}

    pages = [browser.post(url, typed, follow=True) for _click in "12"]

    assert [page.redirect_chain[-1][0] for page in pages] == ["/namespaces/sample/services/"] * 2
    service.refresh_from_db()
    assert service.priority == 3
    assert verbs(sample) == ["add_service", "change_service"]


def test_another_address_is_told_to_both_sides_and_takes_effect_after_seven_days(
    sample: Namespace, registrar: User, registrant: User, organization: Organization
) -> None:
    Namespace.objects.filter(pk=sample.pk).update(contact="Desk, desk@names.example")
    sample.refresh_from_db()
    let_speak_for(organization, registrant)
    old = said(operator="Old Office, hostmaster@old.example")
    service = resolution_services.add_service(sample, actor=registrar, **old)
    seen = resolution_services.mark_service_edition(service)
    moved = {**old, "template": "https://new.example/{+nss}"}
    Letter.objects.all().delete()

    for _click in "12":
        resolution_services.change_service(service, actor=registrar, seen=seen, **moved)
    with days_later(6):
        early = resolution_services.move_due_services(timezone.now())
    service.refresh_from_db()
    unmoved = service.template
    with days_later(8):
        late = resolution_services.move_due_services(timezone.now())

    service.refresh_from_db()
    assert {letter.address for letter in Letter.objects.filter(event__verb="change_service")} == {
        registrant.email,
        "desk@names.example",
        "hostmaster@old.example",
    }
    assert (early, late, unmoved) == (0, 1, old["template"])
    assert (service.template, service.next_template) == (moved["template"], "")
    assert verbs(sample) == ["add_service", "change_service", "move_service"]


def test_change_from_a_stale_page_is_told(
    sample: Namespace, registrar: User, sign_in: SignIn
) -> None:
    service = resolution_services.add_service(sample, actor=registrar, **said())
    seen = resolution_services.mark_service_edition(service)
    resolution_services.change_service(service, actor=registrar, seen=seen, **said(priority=7))
    url = f"/namespaces/sample/services/{service.pk}/change/"

    page = sign_in(registrar).post(url, TYPED | {"priority": "9", "seen": seen})

    assert page.status_code == HTTPStatus.CONFLICT
    service.refresh_from_db()
    assert service.priority == 7


def test_two_services_that_lead_the_same_names_to_one_address_are_refused(
    sample: Namespace, registrar: User
) -> None:
    resolution_services.add_service(sample, actor=registrar, **said())
    other = resolution_services.add_service(sample, actor=registrar, **said(prefix="a:"))

    with expect_refusal("twin_service"):
        resolution_services.add_service(sample, actor=registrar, **said(priority=9))
    with expect_refusal("twin_service"):
        resolution_services.change_service(
            other, actor=registrar, seen=resolution_services.mark_service_edition(other), **said()
        )


def test_service_is_taken_away_with_a_reason_and_once(
    sample: Namespace, registrar: User, sign_in: SignIn
) -> None:
    service = resolution_services.add_service(sample, actor=registrar, **said())
    url = f"/namespaces/sample/services/{service.pk}/withdraw/"
    browser = sign_in(registrar)

    without = browser.post(url, {"reason": " "})
    pages = [browser.post(url, {"reason": "It is closed."}, follow=True) for _click in "12"]

    assert without.context["form"].has_error("reason", "required")
    assert pages[0].redirect_chain[-1][0] == "/namespaces/sample/services/"
    assert [page.status_code for page in pages] == [HTTPStatus.OK] * 2
    assert verbs(sample) == ["add_service", "withdraw_service"]
    assert not ResolutionService.objects.in_use().filter(namespace=sample).exists()


# What pages show


def test_page_of_a_namespace_shows_where_its_names_resolve(sample: Namespace) -> None:
    before = text_of(Client().get("/namespaces/sample/"))
    for place in range(8):
        ServiceFactory.create(namespace=sample, template=f"https://{place}.example/{{nss}}")

    after = text_of(Client().get("/namespaces/sample/"))

    assert "Names Office" not in before
    assert after.count("Names Office I2L") == 6
    assert "All services, 2 more" in after


def test_more_services_cost_no_more_queries(sample: Namespace) -> None:
    counted = []
    for place in range(3):
        ServiceFactory.create(namespace=sample, template=f"https://{place}.example/{{nss}}")
        with CaptureQueriesContext(connection) as asked:
            for address in ("namespaces/sample/", "namespaces/sample/services/"):
                Client().get(f"/{address}")
            Client().get("/inspect/", {"urn": "urn:sample:1"})
        counted.append(len(asked))

    assert counted[1] == counted[2]


def test_page_of_a_name_shows_where_it_resolves_and_asks_nobody(sample: Namespace) -> None:
    ServiceFactory.create(namespace=sample, template="https://names.example/{+nss}")
    ServiceFactory.create(namespace=sample, service="I2C", template="https://about.example/{nss}")
    ServiceFactory.create(namespace=sample, service="I2N", template="urn:other:{+nss}")

    page = text_of(Client().get("/inspect/", {"urn": "urn:sample:1?=q"}))

    assert "https://names.example/1?q" in page
    assert "Described at https://about.example/1?q" in page
    assert "Also named urn:other:1" in page


def test_nid_in_capitals_leads_to_its_services(sample: Namespace) -> None:
    response = Client().get("/namespaces/Sample/services/")

    assert (response.status_code, response["Location"]) == (301, "/namespaces/sample/services/")
