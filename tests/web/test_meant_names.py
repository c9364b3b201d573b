"""Every door offers the same name for what people put in."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from registry.forms.filters import inspect_url
from tests.factories import NamespaceFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("namespaces")]


@pytest.fixture
def namespaces() -> None:
    for nid in ("isbn", "uuid", "doi", "nbn"):
        NamespaceFactory.create(nid=nid)


def ask_page(address: str, parameter: str) -> Callable[[Client, str], str]:
    """Return a door that answers with a page."""

    def ask(client: Client, text: str) -> str:
        headers = {"accept": "text/html"}
        return client.get(address, {parameter: text}, headers=headers).content.decode()

    return ask


def ask_list(client: Client, text: str) -> str:
    return client.post("/inspect/list/", {"names": text}).content.decode()


def ask_comparison(client: Client, text: str) -> str:
    return client.get("/inspect/compare/", {"a": text, "b": "urn:isbn:1"}).content.decode()


def ask_parse(client: Client, text: str) -> str:
    answer = client.get("/api/v1/urn/parse/", {"urn": text}).json()
    assert answer["repairs"] == answer["result"]["repairs"]
    return json.dumps(answer["repairs"])


def ask_compare(client: Client, text: str) -> str:
    answer = client.get("/api/v1/urn/compare/", {"a": text, "b": "urn:isbn:1"}).json()
    return json.dumps(answer["a"]["repairs"])


def ask_check(client: Client, text: str) -> str:
    response = client.post("/api/v1/urn/check/", text, content_type="text/plain")
    return str(json.loads(response.getvalue())["repaired"])


DOORS = {
    "home": ask_page("/", "q"),
    "search": ask_page("/find/", "q"),
    "suggestions": ask_page("/find/suggestions/", "q"),
    "reading": ask_page("/find/reading/", "q"),
    "inspect": ask_page("/inspect/", "urn"),
    "resolve": ask_page("/resolve/", "urn"),
    "list": ask_list,
    "compare": ask_comparison,
    "parse-api": ask_parse,
    "compare-api": ask_compare,
    "check-api": ask_check,
}
MEANT = {
    "<urn:isbn:0-395-36341-1>.": "urn:isbn:0-395-36341-1",
    "nbn:de:101:1-201102033592": "urn:nbn:de:101:1-201102033592",
    "urn%3Anbn%3Ade%3A101%3A1-2011": "urn:nbn:de:101:1-2011",
    "https://resolver.example/urn:nbn:de:101:1-2011": "urn:nbn:de:101:1-2011",
    "https://doi.org/10.1093/nar/gkt1063": "urn:doi:10.1093:nar%2Fgkt1063",
    "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}": "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_name_is_offered_at_every_door(door: Callable[[Client, str], str], client: Client) -> None:
    for text, name in MEANT.items():
        answer = door(client, text)

        assert name in answer or f'href="{inspect_url(name)}"' in answer


def test_searched_text_says_which_name_an_address_carries(client: Client) -> None:
    text = "Full text: https://resolver.example/urn:nbn:de:101:1-2011 and https://www.example/"

    page = client.post("/inspect/find/", {"text": text})
    answer = client.get("/api/v1/urn/find/", {"text": text}).json()

    carrying, bare = page.context["found"]
    assert (carrying.name.text, bare.name) == ("urn:nbn:de:101:1-2011", None)
    assert "urn%3Anbn%3Ade%3A101%3A1-2011" in page.content.decode()
    assert [found["carried"] for found in answer["found"]] == ["urn:nbn:de:101:1-2011", None]
    assert answer["found"][0]["text"] == "https://resolver.example/urn:nbn:de:101:1-2011"


def test_name_that_its_rule_refuses_is_not_offered(client: Client) -> None:
    for text in ("urn:isbn:9 7", "<urn:isbn:97>", "https://resolver.example/urn:isbn:97"):
        page = client.get("/inspect/", {"urn": text})

        assert page.context["inspection"].result.repairs == ()


def test_word_before_a_colon_is_no_nid_at_any_door(client: Client) -> None:
    for door in DOORS.values():
        assert "urn:Title" not in door(client, "Title: The book")


def test_name_of_a_namespace_page_is_offered_by_its_rule(client: Client) -> None:
    page = client.get("/namespaces/isbn/", {"name": "ISBN 0-395-36341-1"}).content.decode()

    assert "urn%3Aisbn%3A978-0-395-36341-6" in page
