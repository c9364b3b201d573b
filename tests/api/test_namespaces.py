"""Namespaces as programs read them."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.models import Erratum, Provenance, RegistrationRequest, User
from tests.factories import NamespaceFactory, OrganizationFactory

pytestmark = pytest.mark.django_db

UNKNOWN: dict[str, object] = {
    "nid": "old",
    "nid_as_registered": "OLD",
    "kind": "formal",
    "informal_number": None,
    "status": "active",
    "notice": None,
    "replaced_by": None,
    "summary": None,
    "background": None,
    "registrant": None,
    "contact": None,
    "references": [],
    "is_reference_verified": True,
    "registered_on": None,
    "is_date_verified": False,
    "version": None,
    "last_known_version": None,
    "iana_reference": None,
    "imported": None,
    "url": "http://testserver/api/v1/namespaces/old/",
    "page": "http://testserver/namespaces/old/",
}


def test_fact_that_is_not_known_is_null(client: Client) -> None:
    NamespaceFactory.create(nid="old", nid_as_registered="OLD", summary="")

    answer = client.get("/api/v1/namespaces/old/").json()

    assert answer == {**UNKNOWN, "current": None, "versions": [], "services": []}


def test_unverified_reference_is_marked(client: Client) -> None:
    body = OrganizationFactory.create(name="Some Body")
    namespace = NamespaceFactory.create(nid="old", registered_on="2001-10", registrant=body)
    Provenance.objects.create(
        namespace=namespace, source="A list", registered_source="rfc-month-memory"
    )

    answer = client.get("/api/v1/namespaces/old/").json()

    told = {name: answer[name] for name in ("registrant", "registered_on", "is_date_verified")}
    assert told == {
        "registrant": "Some Body",
        "registered_on": "2001-10",
        "is_date_verified": False,
    }
    assert answer["is_reference_verified"] is False


def test_published_text_is_given_field_by_field(
    client: Client, approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    answer = client.get("/api/v1/namespaces/SEEDBANK/").json()

    assert answer["version"] == answer["current"]["version"] == 1
    assert answer["current"]["template"]["nid"] == "seedbank"
    assert answer["current"]["template"]["examples"][0] == "urn:seedbank:NVF/42"
    assert answer["current"]["template"]["revision_information"] is None
    assert answer["versions"] == [
        {
            "version": 1,
            "registered_on": answer["registered_on"],
            "sha256": answer["current"]["sha256"],
            "text_licence": "CC-BY-4.0",
            "url": "http://testserver/api/v1/namespaces/seedbank/versions/1/",
            "page": "http://testserver/namespaces/seedbank/versions/1/",
        }
    ]


def test_list_is_divided_and_asks_the_database_as_often_for_many(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        Provenance.objects.create(namespace=NamespaceFactory.create(), source="A list")

    with django_assert_num_queries(1):
        whole = client.get("/api/v1/namespaces/").json()
    with django_assert_num_queries(1):
        part = client.get("/api/v1/namespaces/", {"page_size": 10}).json()

    assert (len(whole["results"]), whole["next"], whole["previous"]) == (30, None, None)
    assert part["results"] == whole["results"][:10]


@pytest.mark.parametrize("nid", ["nothing", "a", "<b>", "caf%C3%A9"])
def test_unregistered_namespace_is_not_found_in_json(client: Client, nid: str) -> None:
    response = client.get(f"/api/v1/namespaces/{nid}/")

    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert list(problem) == ["type", "title", "status", "detail"]
    assert problem["type"] == f"{settings.SITE}/api/problems/#not-found"
    assert problem["status"] == 404
    assert "namespace" in problem["detail"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(client: Client, registrar: User, method: str) -> None:
    NamespaceFactory.create(nid="old")
    client.force_login(registrar)

    response = getattr(client, method)("/api/v1/namespaces/old/")

    assert response.status_code == 405


def test_there_is_no_browsable_page(client: Client) -> None:
    NamespaceFactory.create(nid="old")

    response = client.get("/api/v1/namespaces/old/", headers={"accept": "text/html"})

    assert response.status_code == 406
    assert response.headers["Content-Type"] == "application/problem+json"


def test_errata_are_listed_once_the_registrar_shows_them(client: Client) -> None:
    namespace, now = NamespaceFactory.create(nid="old"), timezone.now()
    Erratum.objects.create(namespace=namespace, text="It is RFC 9.", sent_at=now)
    Erratum.objects.create(
        namespace=namespace,
        text="Its site is gone.",
        sent_at=now,
        answer="It moved.",
        answered_at=now,
        is_shown=True,
    )

    (listed,) = client.get("/api/v1/namespaces/old/errata/").json()["results"]

    assert (listed["text"], listed["answer"]) == ("Its site is gone.", "It moved.")
    assert listed["page"] == "http://testserver/namespaces/old/errata/"
