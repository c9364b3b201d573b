"""Where programs start: the index of the API, its catalogue, its limits, and batches."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from registry.exchange.exports import refresh_exports
from registry.journal.log_worker import build_log
from registry.models import User
from tests.api.clients import JSON, Program
from tests.factories import NamespaceFactory, OrganizationFactory, ServiceFactory

pytestmark = pytest.mark.django_db

RESOLVE = "/api/v1/urn/resolve/"


@pytest.mark.whole
@pytest.mark.usefixtures("draft")
def test_index_leads_to_all_that_can_be_asked_as_it_stands(client: Client) -> None:
    build_log()

    response = client.get("/api/v1/")

    told = response.json()
    assert told["resources"]["namespaces"].endswith("/api/v1/namespaces/")
    assert told["resources"]["urn/parse"].endswith("/api/v1/urn/parse/")
    for address in [*told["resources"].values(), told["documentation"], told["problems"]]:
        assert client.get(urlsplit(address).path).status_code != 404
    for relation in ("service-desc", "service-doc", "service-meta", "api-catalog"):
        assert f'rel="{relation}"' in response["Link"]


def test_catalogue_of_interfaces_leads_to_each_and_to_what_describes_it(
    client: Client,
) -> None:
    refresh_exports(at_once=True)

    response, head = (
        getattr(client, method)("/.well-known/api-catalog") for method in ("get", "head")
    )

    # RFC 9727, sections 2 and 4.2.
    assert response["Content-Type"] == (
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    )
    assert 'rel="api-catalog"' in head["Link"]
    catalogue, *described = response.json()["linkset"]
    items = [each["href"] for each in catalogue["item"]]
    assert items == [each["anchor"] for each in described]
    assert items[0] == f"{settings.SITE}/api/v1/"
    assert {*described[0]} == {"anchor", "service-desc", "service-doc", "service-meta"}
    hrefs = [
        link["href"]
        for each in described
        for name in each
        if name != "anchor"
        for link in each[name]
    ]
    for href in [*items, *hrefs]:
        assert client.get(urlsplit(href).path).status_code == 200


def test_rate_limit_headers_tell_writers_how_much_is_left(
    registrant: User, settings: Settings
) -> None:
    program = Program.of(registrant)

    first, second = (
        program.client.post("/api/v1/account/follows/", {"everything": True}, JSON)
        for _time in range(2)
    )

    assert first["RateLimit-Policy"] == '"writing";q=60;w=60'
    assert first["RateLimit"].startswith('"writing";r=59;t=')
    assert second["RateLimit"].startswith('"writing";r=58;t=')
    assert "RateLimit" in first["Access-Control-Expose-Headers"]
    assert "RateLimit" not in program.client.get("/api/v1/namespaces/")


def lines_of(response: Any) -> list[dict[str, Any]]:
    """Return the rows of a list."""
    return [json.loads(line) for line in response.getvalue().splitlines()]


def test_many_names_are_resolved_as_each_is_by_itself(client: Client) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    ServiceFactory.create(
        namespace=namespace, template="https://names.example/{+nss}", media_type="text/html"
    )
    NamespaceFactory.create(nid="silent")
    names = ["urn:sample:1", "urn:silent:1", "urn:nowhere:1", "urn:", "urn:sample:a,b?=q"]

    response = client.post(RESOLVE, "\n".join(names), content_type="text/plain")

    found = lines_of(response)
    alone = [client.get(f"/resolve/{name}", RAW_URI=f"/resolve/{name}") for name in names]
    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert [each["urn"] for each in found] == names
    assert [each["status"] for each in found] == [each.status_code for each in alone]
    for line, single in zip(found, alone, strict=True):
        if single.status_code == 303:
            assert (line["targets"][0]["address"], line["type"]) == (single["Location"], None)
        else:
            assert (line["targets"], line["type"]) == ([], single.json()["type"])
    assert found[0]["targets"][0]["language"] is None


def test_many_names_are_resolved_by_the_service_that_is_wanted(client: Client) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{+nss}")
    ServiceFactory.create(
        namespace=namespace, service="I2C", template="https://about.example/{+nss}"
    )

    described = client.post(
        f"{RESOLVE}?service=I2C",
        '"urn:sample:1"\n{"urn": "urn:sample:2"}\n[]',
        content_type="application/x-ndjson",
    )
    text = client.post(
        RESOLVE, "urn:sample:1\nx y", content_type="text/plain", headers={"accept": "text/plain"}
    )
    refused = client.post(f"{RESOLVE}?service=I2X", "urn:sample:1", content_type="text/plain")

    found = lines_of(described)
    assert [each["status"] for each in found] == [303, 303, 400]
    assert [each["targets"][0]["address"] for each in found[:2]] == [
        "https://about.example/1",
        "https://about.example/2",
    ]
    assert text.getvalue().decode() == ("1\t303\thttps://names.example/1\n2\t400\tmalformed\n")
    assert refused.status_code == 400


def test_names_to_resolve_are_counted_with_other_lists(client: Client, settings: Settings) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001

    first, second = (
        client.post(RESOLVE, "urn:sample:1", content_type="text/plain") for _time in range(2)
    )

    assert (first.status_code, second.status_code) == (200, 429)
    assert first["RateLimit"].startswith('"processor-ms";r=0;t=')


def test_thousand_names_of_one_namespace_ask_the_database_little(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{+nss}")
    names = "\n".join(f"urn:sample:{number}" for number in range(1_000))

    with django_assert_max_num_queries(20):
        found = lines_of(client.post(RESOLVE, names, content_type="text/plain"))

    assert len(found) == 1_000


def test_namespaces_are_read_by_registrant_and_several_at_once(client: Client) -> None:
    holder = OrganizationFactory.create(name="Northlight")
    for nid in ("seedbank", "seedlist"):
        NamespaceFactory.create(nid=nid, registrant=holder)
    NamespaceFactory.create(nid="isbn")

    def nids(query: str) -> list[str]:
        results = client.get(f"/api/v1/namespaces/?{query}").json()["results"]
        return [each["nid"] for each in results]

    assert nids(f"registrant={holder.pk}") == ["seedbank", "seedlist"]
    assert nids("nid=ISBN,seedlist,nothing") == ["isbn", "seedlist"]
    assert client.get("/api/v1/namespaces/?registrant=987654").status_code == 400
    assert client.get(f"/namespaces.json?registrant={holder.pk}").json()["count"] == 2


def test_requests_are_read_by_who_asks(client: Client, in_review: Any) -> None:
    own, none = (
        client.get(f"/api/v1/requests/?organization={key}").json()["results"]
        for key in (in_review.organization_id, in_review.organization_id + 1)
    )

    assert ([each["reference"] for each in own], none) == ([in_review.reference], [])
