"""Lists: filtered, sorted, in pages that new rows do not shift, and with fewer members."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace, RegistrationRequest
from tests.factories import NamespaceFactory, OrganizationFactory, ServiceFactory

pytestmark = pytest.mark.django_db

READ = "/api/v1/namespaces/"


@pytest.fixture
def five(db: None) -> list[Namespace]:
    """Namespaces with known and unknown registrants and dates."""
    body = OrganizationFactory.create(name="Body")
    abbey = OrganizationFactory.create(name="Abbey")
    return [
        NamespaceFactory.create(nid="aa1", registrant=body, registered_on="2004"),
        NamespaceFactory.create(nid="bb2", registered_on="2004-05-01", status="obsolete"),
        NamespaceFactory.create(nid="cc3", registrant=abbey),
        NamespaceFactory.create(nid="dd4", registrant=body, registered_on="1999-12"),
        NamespaceFactory.create(nid="ee5"),
    ]


def nids(answer: Any) -> list[str]:
    return [each["nid"] for each in answer["results"]]


def walk(client: Client, path: str, way: str) -> list[list[str]]:
    """Return the NIDs of each page, following `next` or `previous`."""
    parts, url = [], path
    while url:
        answer = client.get(url).json()
        parts.append(nids(answer))
        url = answer[way]
    return parts


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("nid", ["aa1", "bb2", "cc3", "dd4", "ee5"]),
        ("-nid", ["ee5", "dd4", "cc3", "bb2", "aa1"]),
        ("registrant", ["cc3", "aa1", "dd4", "bb2", "ee5"]),
        ("-registrant", ["aa1", "dd4", "cc3", "bb2", "ee5"]),
        ("registered", ["dd4", "aa1", "bb2", "cc3", "ee5"]),
        ("-registered", ["bb2", "aa1", "dd4", "cc3", "ee5"]),
    ],
)
def test_list_is_walked_forth_and_back_in_every_order(
    sort: str, order: list[str], five: list[Namespace], client: Client
) -> None:
    forth = walk(client, f"{READ}?sort={sort}&page_size=2", "next")
    last = client.get(f"{READ}?sort={sort}&page_size=2")
    while last.json()["next"]:
        last = client.get(last.json()["next"])
    back = walk(client, last.json()["previous"], "previous")

    assert forth == [order[:2], order[2:4], order[4:]]
    assert back == [order[2:4], order[:2]]


def test_equal_rows_and_columns_of_other_rows_are_walked_in_directions_that_differ(
    client: Client,
) -> None:
    for nid in ("aa1", "bb2"):
        namespace = NamespaceFactory.create(nid=nid)
        for number, priority in enumerate((2, 1, 2)):
            template = f"https://{number}.example/{{+nss}}"
            ServiceFactory.create(namespace=namespace, priority=priority, template=template)
    url, forth = "/api/v1/services/?sort=-nid&page_size=1", []

    while url:
        answer = client.get(url).json()
        forth += [(row["nid"], row["priority"], row["id"]) for row in answer["results"]]
        url = answer["next"]

    firsts = [place[:2] for place in forth]
    assert firsts == [("bb2", 1), ("bb2", 2), ("bb2", 2), ("aa1", 1), ("aa1", 2), ("aa1", 2)]
    assert len({key for _nid, _priority, key in forth}) == 6


def test_rows_that_are_added_meanwhile_shift_nothing(five: list[Namespace], client: Client) -> None:
    first = client.get(f"{READ}?page_size=2").json()
    NamespaceFactory.create(nid="aaa")
    NamespaceFactory.create(nid="cca")

    second = client.get(first["next"]).json()

    assert nids(second) == ["cc3", "cca"]


def test_header_leads_on_like_the_answer(five: list[Namespace], client: Client) -> None:
    first = client.get(f"{READ}?page_size=2")
    second = client.get(first.json()["next"])

    assert first.headers["Link"] == f'<{first.json()["next"]}>; rel="next"'
    told = second.json()
    assert second.headers["Link"] == (
        f'<{told["next"]}>; rel="next", <{told["previous"]}>; rel="prev"'
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"cursor": "x"},
        {"sort": "-nid", "cursor": "of another order"},
        {"page_size": "0"},
        {"page_size": "1001"},
        {"sort": "size"},
        {"fields": "nid,size"},
        {"statu": "active"},
        {"status": "lost"},
        {"since": "two"},
    ],
)
def test_invalid_input_is_pointed_at(
    asked: dict[str, str], five: list[Namespace], client: Client
) -> None:
    if asked.get("cursor", "").startswith("of"):
        url = client.get(READ, {"page_size": 2}).json()["next"]
        asked = {**asked, "cursor": url.partition("cursor=")[2].partition("&")[0]}

    refused = client.get(READ, asked)

    assert refused.status_code == 400
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert list(refused.json()["errors"]) == [list(asked)[-1]]


def test_members_that_nobody_asked_for_are_left_out(five: list[Namespace], client: Client) -> None:
    every = client.get(READ, {"fields": "nid,status", "status": "obsolete"}).json()
    one = client.get(f"{READ}bb2/", {"fields": "status"}).json()
    wrong = client.get(READ, {"fields": "nid,size"}).json()

    assert every["results"] == [{"nid": "bb2", "status": "obsolete"}]
    assert one == {"status": "obsolete"}
    assert {"“size”", "nid,"} <= set(wrong["errors"]["fields"][0].replace(".", "").split())


def test_fewer_members_of_a_request(sent: RegistrationRequest, client: Client) -> None:
    told = client.get(f"/api/v1/requests/{sent.slug}/", {"fields": "reference,state"}).json()

    assert told == {"reference": sent.reference, "state": "in_review"}
