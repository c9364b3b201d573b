"""A URN in the query of any address: read unchanged, queried, or refused."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace
from tests.factories import NamespaceFactory, ServiceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PAGES = {
    "inspect": "/inspect/?urn=",
    "compare, first": "/inspect/compare/?b=urn:sample:1&a=",
    "compare, second": "/inspect/compare/?a=urn:sample:1&b=",
    "convert": "/inspect/build/?urn=",
    "locate": "/inspect/build/?uri=",
    "a name of a namespace": "/namespaces/sample/?name=",
    "home": "/?q=",
    "search box": "/find/?q=",
    "search box, while typing": "/find/reading/?q=",
}
ALONE = {name: address for name, address in PAGES.items() if name != "a name of a namespace"}
"""Pages whose address has no other format for programs to be redirected to."""
RESOLVERS = {
    "resolve": "/resolve/?urn=",
    "I=I": "/uri-res/I=I?a=urn:sample:1&b=",
}
API = {
    "parse": "/api/v1/urn/parse/?urn=",
    "compare": "/api/v1/urn/compare/?a=urn:sample:1&b=",
    "base": "/api/v1/urn/resolve-reference/?reference=a&base=",
    "reference": "/api/v1/urn/resolve-reference/?base=http://a.example/&reference=",
}
LINK = re.compile(r'<a class="name-link" href="([^"]*)">')


@pytest.fixture(autouse=True)
def sample() -> Namespace:
    """A namespace with one service."""
    namespace: Namespace = NamespaceFactory.create(nid="sample")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{+nss}{?r,q}")
    return namespace


def readings(response: Any) -> list[str]:
    """Return the links with which a page asks what was meant."""
    return [unescape(link) for link in LINK.findall(response.content.decode())]


def ask(address: str, accept: str = BROWSER) -> Any:
    """Request an address exactly as it is written."""
    return Client().get(address, headers={"accept": accept})


def test_raw_plus_is_a_plus_wherever_a_urn_is_asked_about() -> None:
    name = "urn:sample:x?+a+b"

    inspected, found = ask(f"/inspect/?urn={name}"), ask(f"/find/?q={name}")
    resolved, parsed = ask(f"/resolve/?urn={name}"), ask(f"/api/v1/urn/parse/?urn={name}").json()
    compared = ask(f"/api/v1/urn/compare/?a={name}&b=urn:sample:x").json()
    same = ask(f"/uri-res/I=I?a={name}&b=urn:sample:x?%2Ba%2Bb", "application/json").json()

    assert "r-component a+b" in text_of(inspected)
    assert found["Location"] == "/inspect/?urn=urn%3Asample%3Ax%3F%2Ba%2Bb"
    assert resolved["Location"] == "https://names.example/x?r=a%2Bb"
    assert (parsed["text"], parsed["r_component"]) == (name, "a+b")
    assert compared["equivalent"] is True
    assert (same["a"], same["b"]) == (name, name)
    assert "urn:sample:x+y" in text_of(ask("/namespaces/sample/?name=urn:sample:x+y"))


@pytest.mark.parametrize("address", ["/inspect/", "/resolve/"])
def test_space_typed_into_a_form_stays_a_space(address: str) -> None:
    sent_by_a_form = f"{address}?urn=urn%3Asample%3Aa+b"

    assert "(character 13)" in text_of(ask(sent_by_a_form))


def test_words_typed_into_the_search_box_keep_their_spaces() -> None:
    assert 'value="book numbers"' in ask("/find/?q=book+numbers").content.decode()


@pytest.mark.parametrize("address", [*PAGES.values(), *RESOLVERS.values()])
def test_ambiguous_query_asks_people_and_leads_to_either_name(address: str) -> None:
    response = ask(f"{address}urn:sample:x?=a=b&extra=d")
    whole, cut = readings(response)

    assert response.status_code == 400
    assert response.context["error"].parameter == "extra"
    assert "“&extra=d”" in text_of(response)
    assert whole.endswith("urn%3Asample%3Ax%3F%3Da%3Db%26extra%3Dd")
    assert cut.endswith("urn%3Asample%3Ax%3F%3Da%3Db")
    assert all(ask(each).status_code in (200, 302, 303) for each in (whole, cut))


def test_likeliest_reading_is_the_whole_name() -> None:
    whole, cut = readings(ask("/resolve/?urn=urn:sample:x?=a=b&extra=d&s=I2L"))

    assert ask(whole)["Location"] == "https://names.example/x?q=a%3Db%26extra%3Dd"
    assert ask(cut)["Location"] == "https://names.example/x?q=a%3Db"
    assert whole.endswith("&s=I2L")


@pytest.mark.parametrize("address", [*ALONE.values(), *RESOLVERS.values()])
def test_ambiguous_query_tells_programs_the_parameter_and_its_encoding(address: str) -> None:
    response = ask(f"{address}urn:sample:x?=a=b&extra=d", "application/json")

    problem = response.json()
    assert (response.status_code, problem["status"]) == (400, 400)
    assert response["Content-Type"] == "application/problem+json"
    assert problem["parameter"] == "extra"
    assert problem["readings"] == ["urn:sample:x?=a=b&extra=d", "urn:sample:x?=a=b"]
    assert "urn%3Asample%3Ax%3F%3Da%3Db%26extra%3Dd" in problem["detail"]


@pytest.mark.parametrize("address", API.values(), ids=API)
@pytest.mark.parametrize("name", ["urn:sample:x?=a=b", "urn:sample:x"])
def test_api_refuses_a_parameter_that_may_be_the_rest_of_a_name(address: str, name: str) -> None:
    response = ask(f"{address}{name}&extra=d")

    problem = response.json()
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert list(problem["errors"]) == ["extra"]
    assert "%26extra%3Dd" in problem["errors"]["extra"][0]
    assert ask(f"{address}{name}").status_code == 200


@pytest.mark.parametrize("address", [*ALONE.values(), *RESOLVERS.values()])
def test_repeated_parameter_is_never_ignored(address: str) -> None:
    name = re.split("[?&=]", address)[-2]

    page = ask(f"{address}urn:sample:1&{name}=urn:sample:2")
    problem = ask(f"{address}urn:sample:1&{name}=urn:sample:2", "application/json").json()

    assert page.status_code == 400
    assert [each.partition("sample%3A")[2][:1] for each in readings(page)] == ["1", "2"]
    assert (problem["parameter"], problem["readings"]) == (name, ["urn:sample:1", "urn:sample:2"])


@pytest.mark.parametrize("address", API.values(), ids=API)
def test_api_takes_no_parameter_twice(address: str) -> None:
    name = re.split("[?&=]", address)[-2]

    problem = ask(f"{address}urn:sample:1&{name}=urn:sample:2").json()

    assert (problem["status"], list(problem["errors"])) == (400, [name])


@pytest.mark.parametrize("address", [*ALONE.values(), *RESOLVERS.values()])
def test_octets_that_are_not_utf_8_are_refused_with_their_place(address: str) -> None:
    page = ask(f"{address}urn:sample:%ff")
    problem = ask(f"{address}urn:sample:%ff", "application/json").json()

    assert page.status_code == 400
    assert "%FF at character 12" in text_of(page)
    assert "\ufffd" not in page.content.decode()
    assert (problem["status"], problem["position"]) == (400, 11)


@pytest.mark.parametrize("address", API.values(), ids=API)
def test_api_refuses_octets_that_are_not_utf_8(address: str) -> None:
    response = ask(f"{address}urn:sample:%ff")

    (words,) = [each for told in response.json()["errors"].values() for each in told]
    assert response.status_code == 400
    assert "%FF at character 12" in words


def test_running_text_and_rules_are_read_as_forms_send_them() -> None:
    found = ask("/api/v1/urn/find/?text=see+urn%3Asample%3Aa%2Bb+there").json()["found"]
    doubled = Client().post(
        "/api/v1/urn/check/?rules=yes&rules=no", "urn:sample:1", content_type="text/plain"
    )

    assert [each["text"] for each in found] == ["urn:sample:a+b"]
    assert (doubled.status_code, list(doubled.json()["errors"])) == (400, ["rules"])


def test_octets_of_a_raw_address_are_refused_with_their_place() -> None:
    raw = "/uri-res/N2L?urn:sample:\xff"

    response = Client().get("/uri-res/N2L", RAW_URI=raw, headers={"accept": "*/*"})

    problem = response.json()
    assert (response.status_code, problem["position"]) == (400, 11)
    assert "%FF at character 12" in problem["detail"]
