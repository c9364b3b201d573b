"""`/uri-res/` by RFC 2169: each service, its responses, and its refusals."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from rdflib import Graph

from registry.models import Namespace
from tests.factories import NamespaceFactory, ServiceFactory

pytestmark = pytest.mark.django_db

N2 = ("N2L", "N2Ls", "N2R", "N2Rs", "N2C", "N2Cs", "N2N", "N2Ns")


@pytest.fixture
def sample() -> Namespace:
    """A namespace with an address, a description and an alias for each of its names."""
    namespace: Namespace = NamespaceFactory.create(nid="sample")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{+nss}")
    ServiceFactory.create(
        namespace=namespace, template="https://mirror.example/{+nss}", priority=20
    )
    ServiceFactory.create(
        namespace=namespace, service="I2C", template="https://about.example/{+nss}"
    )
    ServiceFactory.create(namespace=namespace, service="I2N", template="urn:other:{+nss}")
    return namespace


def ask(service: str, query: str, accept: str = "") -> Any:
    """Call a service, as gunicorn passes the request on."""
    target = f"/uri-res/{service}?{query}"
    headers = {"accept": accept} if accept else {}
    return Client().get(target.partition("#")[0], RAW_URI=target, headers=headers)


def answered(response: Any) -> tuple[int, str, str]:
    """Return status, and the location or the lines of a list."""
    return response.status_code, response.get("Location", ""), response.content.decode()


@pytest.mark.parametrize("family", ["I2", "N2"])
@pytest.mark.parametrize("kind", ["L", "R"])
def test_one_address_is_a_redirect(family: str, kind: str, sample: Namespace) -> None:
    # RFC 2169, section 3.1: the URL MUST be returned in Location; 303 for HTTP/1.1.
    response = ask(f"{family}{kind}", "urn:sample:a%2Cb,c?=q#f")

    assert response.status_code == HTTPStatus.SEE_OTHER
    assert response["Location"] == "https://names.example/a%2Cb,c?q#f"


@pytest.mark.parametrize("accept", ["text/plain", "text/uri-list", "text/uri-list, */*;q=0.1"])
def test_text_request_is_answered_with_a_uri_list(accept: str, sample: Namespace) -> None:
    response = ask("N2L", "urn:sample:1", accept)

    assert answered(response) == (200, "", "https://names.example/1\r\n")
    assert response["Content-Type"] == "text/uri-list"


def test_text_of_a_resource_is_not_a_text_about_it(sample: Namespace) -> None:
    ServiceFactory.create(
        namespace=sample,
        service="I2R",
        template="https://text.example/{+nss}",
        media_type="text/plain",
    )

    resource, listed = (ask(service, "urn:sample:1", "text/plain") for service in ("I2R", "I2L"))

    assert resource["Location"] == "https://text.example/1"
    assert listed.content == b"https://names.example/1\r\n"


def test_first_of_equally_good_targets_is_in_the_location() -> None:
    pair = NamespaceFactory.create(nid="pair")
    for host in "ab":
        ServiceFactory.create(namespace=pair, template=f"https://{host}.example/{{nss}}")

    assert ask("N2L", "urn:pair:1")["Location"] == "https://a.example/1"


@pytest.mark.parametrize(
    ("service", "lines"),
    [
        ("I2Ls", ["# urn:sample:1", "https://names.example/1", "https://mirror.example/1"]),
        ("N2Rs", ["# urn:sample:1", "https://names.example/1", "https://mirror.example/1"]),
        ("I2Cs", ["# urn:sample:1", "https://about.example/1"]),
        ("I2Ns", ["# urn:sample:1", "urn:other:1"]),
        ("I2N", ["urn:other:1"]),
    ],
)
def test_lists_have_one_uri_on_each_line(service: str, lines: list[str], sample: Namespace) -> None:
    # RFC 2483, section 5: lines end in CRLF, and the first says what the list is about.
    response = ask(service, "urn:sample:1")

    assert answered(response) == (200, "", "".join(f"{line}\r\n" for line in lines))
    assert response["Content-Type"] == "text/uri-list"


@pytest.mark.parametrize("accept", ["", "text/uri-list", "application/json", "text/html"])
@pytest.mark.parametrize("service", [each for each in N2 if not each.startswith("N2C")])
def test_name_that_leads_nowhere_has_one_status_in_every_form(service: str, accept: str) -> None:
    NamespaceFactory.create(nid="silent")

    response = ask(service, "urn:silent:1", accept)

    assert response.status_code == HTTPStatus.NOT_FOUND
    if accept != "text/html":
        assert json.loads(response.content)["type"].endswith("#not-resolvable")


def test_name_of_which_only_descriptions_are_known_leads_where_it_leads_at_resolve() -> None:
    namespace = NamespaceFactory.create(nid="described")
    ServiceFactory.create(
        namespace=namespace, service="I2C", template="https://about.example/{+nss}"
    )

    addresses = [ask(service, "urn:described:1")["Location"] for service in ("I2L", "N2L", "N2R")]
    several = ask("I2Ls", "urn:described:1")
    resolved = Client().get("/resolve/urn:described:1", RAW_URI="/resolve/urn:described:1")

    assert set(addresses) == {resolved["Location"]} == {"https://about.example/1"}
    assert "https://about.example/1\r\n" in several.content.decode()


def test_i2n_never_leads_to_an_address() -> None:
    ServiceFactory.create(
        namespace=NamespaceFactory.create(nid="described"), template="https://names.example/{+nss}"
    )

    assert ask("I2N", "urn:described:1").status_code == HTTPStatus.NOT_FOUND


def test_equivalent_names_have_the_same_answers(sample: Namespace) -> None:
    # RFC 2169, section 2.
    first, second = (
        [ask(service, name)["Location"] for service in ("I2L", "N2R")]
        for name in ("urn:sample:a%2Fb", "URN:Sample:a%2fb")
    )

    assert first == second


# Descriptions


def test_name_is_described_by_accept(sample: Namespace) -> None:
    answers = {
        accept: ask("I2C", "URN:sample:1", accept)
        for accept in ("application/json", "application/ld+json", "text/turtle", "text/plain")
    }

    assert [answer["Content-Type"].partition(";")[0] for answer in answers.values()] == [*answers]
    told = json.loads(answers["application/json"].content)
    assert told["@id"] == "URN:sample:1"
    assert told["identifier"] == "urn:sample:1"
    assert told["addresses"] == ["https://names.example/1", "https://mirror.example/1"]
    assert told["descriptions"] == ["https://about.example/1"]
    assert told["aliases"] == ["urn:other:1"]
    assert b"Resolves to: https://names.example/1\n" in answers["text/plain"].content


# rdflib reads JSON-LD with a class of its own that it has deprecated.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_json_ld_and_turtle_say_the_same(sample: Namespace) -> None:
    graphs = [
        Graph().parse(data=ask("I2C", "urn:sample:1", accept).content, format=form)
        for accept, form in (("application/ld+json", "json-ld"), ("text/turtle", "turtle"))
    ]

    assert len(graphs[0]) == 6
    assert set(graphs[0]) == set(graphs[1])


def test_people_are_led_to_the_page_about_the_name(sample: Namespace) -> None:
    response = ask("I2C", "urn:sample:1", "text/html")

    assert response["Location"] == "/inspect/?urn=urn%3Asample%3A1"


# Whether two are the same


@pytest.mark.parametrize(
    ("first", "second", "equal", "rule"),
    [
        ("URN:Sample:a%2fb", "urn:sample:a%2Fb?=q", True, "RFC 8141, section 3.1"),
        ("urn:sample:a", "urn:sample:A", False, "RFC 8141, section 3.1"),
        ("urn:isbn:0395363411", "urn:isbn:978-0-395-36341-6", True, "Registration of isbn"),
        ("HTTPS://names.example:443/%7ea", "https://names.example/~a", True, "RFC 3986"),
        ("urn:sample:a", "https://names.example/a", False, "RFC 3986"),
    ],
)
def test_two_uris_are_compared(first: str, second: str, equal: bool, rule: str) -> None:
    for nid in ("sample", "isbn"):
        NamespaceFactory.create(nid=nid)
    asked = {"a": first, "b": second}

    text = Client().get("/uri-res/I=I", asked)
    data = Client().get("/uri-res/I=I", asked, headers={"accept": "application/json"})

    assert text.content == (b"true\r\n" if equal else b"false\r\n")
    assert data.json()["equal"] is equal
    assert data.json()["rule"].startswith(rule)


@pytest.mark.parametrize("query", ["", "a=urn:x1:y", "a=urn:x&b=urn:x1:y", "a=urn:x&b=https://x/"])
def test_incomparable_names_are_refused(query: str) -> None:
    response = Client().get(f"/uri-res/I=I?{query}")

    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert json.loads(response.content)["type"].endswith("#malformed")


# From an address


def test_address_leads_back_to_its_names_and_their_other_addresses(sample: Namespace) -> None:
    locator = "https://mirror.example/a%2Cb"

    names, addresses, description = (ask(name, locator) for name in ("L2Ns", "L2Ls", "L2C"))

    assert names.content.decode() == f"# {locator}\r\nurn:sample:a%2Cb\r\n"
    assert addresses.content.decode() == (
        f"# {locator}\r\nhttps://names.example/a%2Cb\r\nhttps://mirror.example/a%2Cb\r\n"
    )
    assert json.loads(description.content)["@id"] == "urn:sample:a%2Cb"


def test_unknown_locator_has_no_names(sample: Namespace) -> None:
    locator = "https://elsewhere.example/1"

    names, addresses, description = (ask(name, locator) for name in ("L2Ns", "L2Ls", "L2C"))

    assert answered(names) == answered(addresses) == (200, "", f"# {locator}\r\n")
    assert description.status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("text", ["", "urn:sample:1", "ftp://names.example/", "https://x/ y"])
def test_invalid_locator_is_refused(text: str) -> None:
    assert ask("L2Ns", text).status_code == HTTPStatus.BAD_REQUEST


# Refusals


@pytest.mark.parametrize("service", ["I2X", "i2l", "N2L/", "L2R"])
def test_services_that_there_are_not_are_not_implemented(service: str) -> None:
    response = ask(service, "urn:sample:1")

    assert response.status_code in {HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.NOT_FOUND}
    assert (response.status_code == HTTPStatus.NOT_FOUND) == ("/" in service)


@pytest.mark.parametrize("service", [*N2, "I2L", "I2C", "I2Ns"])
def test_malformed_and_unregistered_names_are_told_apart(service: str) -> None:
    malformed, unregistered = (ask(service, name) for name in ("urn:a", "urn:nobody:1"))

    assert (malformed.status_code, unregistered.status_code) == (400, 404)
    assert json.loads(malformed.content)["position"] == 5
    assert json.loads(unregistered.content)["type"].endswith("#not-registered")


def test_page_of_the_services_is_that_of_the_resolver() -> None:
    assert Client().get("/uri-res/")["Location"] == "/resolve/#uri-res"
