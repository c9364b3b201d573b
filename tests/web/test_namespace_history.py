"""Changes of facts on a namespace's page, and a namespace out of use."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.enums import ChangeKind, NamespaceStatus
from registry.models import Namespace, Organization, RegistrationRequest, User
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    let_speak_for,
)
from tests.small_changes import bring_second_officer, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

NOTICE = "Use urn:accession instead."
HTMX = {"HX-Request": "true"}


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="seedbank", registrant=organization, contact="Old desk")


def change(
    namespace: Namespace, kind: ChangeKind, registrant: User, registrar: User
) -> RegistrationRequest:
    """Have a fact of the namespace changed."""
    sent = send(namespace, kind, registrant)
    workflow.perform(sent, "register", actor=registrar)
    return sent


def test_page_tells_what_changed_and_by_which_request(
    client: Client, namespace: Namespace, registrant: User, registrar: User
) -> None:
    assert "Changes of facts" not in text_of(client.get("/namespaces/seedbank/"))
    done = change(namespace, ChangeKind.CONTACT, registrant, registrar)

    page = client.get("/namespaces/seedbank/")

    (changed,) = page.context["history"]
    assert [(pair.label, pair.was, pair.now) for pair in changed.pairs] == [
        ("Contact", "Old desk", "Identifier desk, urn@northlight.example")
    ]
    assert f'href="{done.get_absolute_url()}"' in page.content.decode()


def test_registrant_shown_is_the_one_that_took_over(
    client: Client, namespace: Namespace, registrant: User, registrar: User
) -> None:
    holder = namespace.registrant
    assert holder is not None
    heir = OrganizationFactory.create(name="Southlight Seed Trust")
    let_speak_for(heir, registrant)
    sent = send(namespace, ChangeKind.TRANSFER, registrant, heir)
    bring_second_officer(sent)

    workflow.perform(sent, "register", actor=registrar)

    page = client.get("/namespaces/seedbank/")
    assert page.context["namespace"].registrant == heir
    assert page.context["history"][0].pairs[0].was == holder.name


@pytest.mark.whole
def test_history_of_five_makes_no_more_queries_than_of_one(
    client: Client,
    namespace: Namespace,
    registrant: User,
    registrar: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    change(namespace, ChangeKind.CONTACT, registrant, registrar)
    with CaptureQueriesContext(connection) as of_one:
        client.get("/namespaces/seedbank/")
    for number in range(4):
        sent = send(
            namespace, ChangeKind.CONTACT, registrant, contact=f"Desk {number}, a@b.example"
        )
        workflow.perform(sent, "register", actor=registrar)

    with django_assert_num_queries(len(of_one)):
        page = client.get("/namespaces/seedbank/")

    assert len(page.context["history"]) == 5


@pytest.mark.parametrize(
    ("status", "word"),
    [(NamespaceStatus.DEPRECATED, "Deprecated"), (NamespaceStatus.OBSOLETE, "Obsolete")],
)
def test_page_list_data_and_checks_say_that_a_namespace_is_out_of_use(
    client: Client, status: NamespaceStatus, word: str
) -> None:
    NamespaceFactory.create(nid="old", status=status, notice=NOTICE)

    pages = [
        text_of(client.get("/namespaces/old/")),
        text_of(client.get("/namespaces/")),
        text_of(client.get("/namespaces/old/", {"name": "urn:old:1"}, headers=HTMX)),
    ]
    inspected = text_of(client.get("/inspect/", {"urn": "urn:old:1"}))
    answer = client.get("/api/v1/namespaces/old/").json()
    check = client.get("/api/v1/urn/parse/", {"urn": "urn:old:1"}).json()["namespace"]

    assert [(word in page, NOTICE in page) for page in pages] == [(True, True)] * 3
    assert (f"This namespace is {word.lower()}" in inspected, NOTICE in inspected) == (True, True)
    assert (answer["status"], answer["notice"]) == (status, NOTICE)
    assert (check["status"], check["notice"]) == (status, NOTICE)


def test_names_of_a_namespace_out_of_use_are_still_checked(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", status=NamespaceStatus.OBSOLETE, notice=NOTICE)

    page = client.get("/namespaces/isbn/", {"name": "urn:isbn:0451450523"}, headers=HTMX)

    assert "A valid ISBN" in text_of(page)
    assert page.status_code == 200


def test_identifier_out_of_use_cannot_be_requested(client: Client) -> None:
    NamespaceFactory.create(nid="old", status=NamespaceStatus.OBSOLETE)

    answer = client.get("/requests/new/nid/", {"nid": "OLD"}, headers=HTMX)

    assert [each.check for each in answer.context["verdict"].findings] == ["nid.registered"]
