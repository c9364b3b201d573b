"""Every door answers about names that its rule may stumble over."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from registry.namespace_rules import NAMESPACE_RULES
from tests.factories import NamespaceFactory, ServiceFactory
from tests.namespace_rules.hostile_names import make_hostile_names

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("ruled_namespaces")]

NAMES = {nid: make_hostile_names(rule, 500) for nid, rule in NAMESPACE_RULES.items()}
NAMES_IN_A_LIST = 19_000
WHOLE = pytest.mark.whole()
PAGE_OR_JSON = {"accept": "text/html, application/json;q=0.5"}


@pytest.fixture
def ruled_namespaces(caplog: pytest.LogCaptureFixture, settings: Settings) -> Any:
    """All namespaces with a rule, each with a service; nothing may fail unseen."""
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 100_000
    for nid in NAMES:
        namespace = NamespaceFactory.create(nid=nid)
        ServiceFactory.create(namespace=namespace, template="https://names.example/{preferred}")
    yield
    assert not [record for record in caplog.records if record.exc_info]


def fetch_body(response: Any) -> str:
    assert response.status_code == 200
    body: bytes = response.getvalue() if response.streaming else response.content
    return body.decode()


@WHOLE
@pytest.mark.parametrize("operation", ["check", "resolve"])
def test_every_line_of_a_batch_has_an_answer(operation: str, client: Client) -> None:
    names = list(chain.from_iterable(NAMES.values()))
    for start in range(0, len(names), NAMES_IN_A_LIST):
        sent = names[start : start + NAMES_IN_A_LIST]

        response = client.post(
            f"/api/v1/urn/{operation}/", "\n".join(sent), content_type="text/plain"
        )

        lines = [json.loads(line) for line in fetch_body(response).splitlines()]
        assert len(lines) == len(sent)


@WHOLE
@pytest.mark.parametrize("result", ["", "csv", "json"])
def test_list_has_every_name(result: str, client: Client) -> None:
    names = [name for each in NAMES.values() for name in each[:250]]

    response = client.post("/inspect/list/", {"names": "\n".join(names), "result": result})

    body = fetch_body(response)
    assert f"{len(names):,} names:" in body if not result else body.count("urn:") >= len(names)


ONE_NAME = {
    "inspect": ("/inspect/", "urn"),
    "compare": ("/inspect/compare/", "a b"),
    "build": ("/inspect/build/", "urn uri name nid"),
    "home": ("/", "q"),
    "reading": ("/find/reading/", "q"),
    "resolve": ("/resolve/", "urn"),
    "parse": ("/api/v1/urn/parse/", "urn"),
    "compare-api": ("/api/v1/urn/compare/", "a b"),
    "find-api": ("/api/v1/urn/find/", "text"),
    "normalize-api": ("/api/v1/urn/normalize/", "uri"),
    "namespace": ("/namespaces/{nid}/", "name"),
}


@WHOLE
@pytest.mark.parametrize(("address", "parameters"), ONE_NAME.values(), ids=ONE_NAME)
def test_door_answers_about_one_name(address: str, parameters: str, client: Client) -> None:
    expected = {200, 300, 303, 404} if address == "/resolve/" else {200}
    for number, (nid, names) in enumerate(NAMES.items()):
        for name in names[number :: 500 // 2]:
            asked = dict.fromkeys(parameters.split(), name)

            response = client.get(address.format(nid=nid), asked, headers=PAGE_OR_JSON)

            assert response.status_code in expected


@WHOLE
def test_text_with_names_is_searched(client: Client) -> None:
    names = list(chain.from_iterable(each[:6] for each in NAMES.values()))

    page = client.post("/inspect/find/", {"text": "\n".join(names)})

    assert len(page.context["found"]) == len(names)


def test_name_that_cannot_be_repaired_is_answered(client: Client) -> None:
    for nss in ("-/leadin", "urn:isbn:/1", "urn:isbn:"):
        assert client.get("/inspect/", {"urn": f"urn:isbn:{nss}"}).status_code == 200
