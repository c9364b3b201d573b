"""`/resolve/` as clients see it: where it leads, and the response if it leads nowhere."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.conf import settings as site_settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings as hypothesis_settings
from pytest_django import Settings
from requests.utils import parse_header_links

from registry import selectors
from registry.enums import NamespaceStatus
from registry.models import Namespace
from registry.urn import parse
from registry.urn.equivalence import fold_percent_octets
from tests.factories import NamespaceFactory, ServiceFactory
from tests.urn.strategies import urns
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture
def sample() -> Namespace:
    """A namespace with one service."""
    namespace: Namespace = NamespaceFactory.create(nid="sample", summary="sample things")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{+nss}{?r}")
    return namespace


def resolve(target: str, accept: str = "*/*", **headers: str) -> Any:
    """Request `target` as gunicorn passes it on: the decoded path, and the raw one."""
    client = Client(raise_request_exception=True)
    path = target.partition("#")[0]
    return client.get(path, RAW_URI=target, headers={"accept": accept, **headers})


def problem_of(response: Any) -> dict[str, Any]:
    """Return problem details, with the kind as the end of its type."""
    assert response["Content-Type"] == "application/problem+json"
    told: dict[str, Any] = json.loads(response.content)
    return told | {"type": told["type"].partition("#")[2]}


# Where it leads


@pytest.mark.parametrize(
    ("target", "location"),
    [
        pytest.param("urn:sample:a%2Cb", "a%2Cb", id="an encoded comma stays"),
        pytest.param("urn:sample:a,b", "a,b", id="a comma stays"),
        pytest.param("urn:sample:a%2fb/c", "a%2Fb/c", id="an encoded slash stays"),
        pytest.param("urn:sample:a//b/", "a//b/", id="slashes stay, the last one too"),
        pytest.param("urn:sample:a%20", "a%20", id="a blank at the end stays"),
        pytest.param("URN:Sample:a", "a", id="case of scheme and NID"),
        pytest.param("urn:sample:a?=b=c?d", "a?b=c?d", id="2.3.2 q-component"),
        pytest.param("urn:sample:a?+r1", "a?r=r1", id="2.3.1 r-component"),
        pytest.param("urn:sample:a?+r1?=q1", "a?r=r1&q1", id="both"),
        pytest.param("urn:sample:a#f?s=I2C", "a#f?s=I2C", id="an f-component that was sent"),
        pytest.param("urn:sample:a?=q#f", "a?q#f", id="the same behind a q-component"),
        pytest.param("urn:sample:a?", "a", id="an empty query is none"),
        pytest.param("urn:sample:a?s=I2L&c=x", "a", id="draft -03 directives"),
        pytest.param("urn:sample:a?lang=fi", "a", id="an unknown directive"),
    ],
)
def test_urn_is_read_as_it_was_sent(target: str, location: str, sample: Namespace) -> None:
    response = resolve(f"/resolve/{target}")

    assert response.status_code == HTTPStatus.SEE_OTHER
    assert response["Location"] == f"https://names.example/{location}"


def test_redirect_depends_on_what_is_wanted_and_is_open_to_every_site(sample: Namespace) -> None:
    response = resolve("/resolve/urn:sample:1")

    assert response["Vary"] == "Accept, Accept-Language"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Link"].endswith('/namespaces/sample/>; rel="describedby"')
    assert not response.cookies


def test_redirect_looks_up_no_session_and_no_user(sample: Namespace) -> None:
    with CaptureQueriesContext(connection) as asked:
        Client(HTTP_COOKIE="sessionid=abc").get("/resolve/urn:sample:1")

    assert [
        each["sql"] for each in asked if "session" in each["sql"] or "user" in each["sql"]
    ] == []
    # For the first name of its namespace: later ones only ask for the version of the registry.
    assert len(asked) == 3


def test_head_is_answered_as_get_is(sample: Namespace) -> None:
    response = Client().head("/resolve/urn:sample:1")

    assert (response.status_code, response.content) == (HTTPStatus.SEE_OTHER, b"")
    assert response["Location"] == "https://names.example/1"


def test_form_sends_any_urn_encoded_once(sample: Namespace) -> None:
    name = "urn:sample:a%2Cb,c?+r1?=q1#f1"

    responses = [
        Client().get(f"/resolve/?urn={quote(name, safe='')}"),
        Client().get("/resolve/", {"urn": f" {name} ", "s": "I2L"}),
    ]

    assert [each["Location"] for each in responses] == [
        "https://names.example/a%2Cb,c?r=r1&q1#f1"
    ] * 2


def test_two_names_at_once_are_refused(sample: Namespace) -> None:
    response = Client().get("/resolve/?urn=urn:sample:1&urn=urn:sample:2")

    assert (response.status_code, problem_of(response)["type"]) == (400, "malformed")


@pytest.mark.whole
@given(text=urns)
@hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_name_leads_elsewhere_or_into_the_headers(text: str, sample: Namespace) -> None:
    urn = parse(text).replace(nid="sample", f_component=None)

    response = resolve(f"/resolve/{urn}")

    if response.status_code == HTTPStatus.SEE_OTHER:
        parts = urlsplit(response["Location"])
        assert (parts.scheme, parts.netloc) == ("https", "names.example")
        assert parts.path.endswith(f"/{fold_percent_octets(urn.nss)}")
    else:
        # The client would resolve a dot segment within the path.
        assert {".", ".."} & set(urn.nss.lower().replace("%2e", ".").split("/"))


# A page of choices


def test_equally_good_targets_are_multiple_choices(sample: Namespace) -> None:
    ServiceFactory.create(namespace=sample, template="https://other.example/x?y={nss}")

    page, uris, data = (
        resolve("/resolve/urn:sample:1?=q", accept)
        for accept in (BROWSER, "*/*", "application/json")
    )

    assert [each.status_code for each in (page, uris, data)] == [HTTPStatus.MULTIPLE_CHOICES] * 3
    assert "https://other.example/x?y=1&q" in text_of(page)
    assert uris["Content-Type"] == "text/uri-list"
    assert uris.content.decode() == (
        "# urn:sample:1?=q\r\nhttps://names.example/1?q\r\nhttps://other.example/x?y=1&q\r\n"
    )
    assert [each["address"] for each in data.json()["targets"]] == [
        "https://names.example/1?q",
        "https://other.example/x?y=1&q",
    ]


@pytest.mark.parametrize(
    ("target", "accept"),
    [("urn:sample:1?s=I2Ls", "*/*"), ("urn:sample:1", "text/uri-list, */*;q=0.5")],
)
def test_list_is_given_where_one_is_asked_for(target: str, accept: str, sample: Namespace) -> None:
    response = resolve(f"/resolve/{target}", accept)

    assert response.status_code == HTTPStatus.OK
    assert response.content.decode() == "# urn:sample:1\r\nhttps://names.example/1\r\n"


def test_page_says_which_directives_are_left_out_of_account(sample: Namespace) -> None:
    page = text_of(resolve("/resolve/urn:sample:1?s=I2Ls&x=1&c=a&c=b", BROWSER))

    assert "x=1 No such keyword" in page
    assert "c=a It is" in page


def test_alias_is_another_name_and_no_redirect(sample: Namespace) -> None:
    ServiceFactory.create(namespace=sample, service="I2N", template="urn:other:{+nss}")

    response = resolve("/resolve/urn:sample:1?s=I2N")

    assert response.status_code == HTTPStatus.OK
    assert response.content.decode() == "# urn:sample:1\r\nurn:other:1\r\n"


# What leads nowhere


def test_malformed_urn_is_refused_with_the_position(sample: Namespace) -> None:
    page, told = (resolve("/resolve/urn:sample:a%zz", each) for each in (BROWSER, "*/*"))

    assert (page.status_code, told.status_code) == (400, 400)
    assert "Not a URN" in text_of(page)
    problem = problem_of(told)
    assert (problem["type"], problem["position"], problem["component"]) == ("malformed", 12, "nss")
    assert problem["urn"] == "urn:sample:a%zz"


@pytest.mark.parametrize("sent", ["urn:sample:ä".encode(), b"urn:sample:\xff"])
def test_octets_beyond_ascii_are_told_where_they_stand(sent: bytes, sample: Namespace) -> None:
    response = resolve("/resolve/" + sent.decode("latin-1"))

    assert response.status_code == 400
    assert problem_of(response)["position"] == 11


def test_namespace_that_nobody_registered_is_not_found(sample: Namespace) -> None:
    page, told = (resolve("/resolve/urn:sampel:1", each) for each in (BROWSER, "*/*"))

    assert (page.status_code, told.status_code) == (404, 404)
    assert "sampel" in text_of(page)
    problem = problem_of(told)
    assert problem["type"] == "not-registered"
    assert [each["nid"] for each in problem["near"]] == ["sample"]


def test_registered_name_without_a_service_is_another_thing_than_an_unknown_one() -> None:
    NamespaceFactory.create(nid="silent")

    page, told = (resolve("/resolve/urn:silent:1", each) for each in (BROWSER, "*/*"))

    assert (page.status_code, told.status_code) == (404, 404)
    assert "silent" in text_of(page)
    problem = problem_of(told)
    assert problem["type"] == "not-resolvable"
    assert problem["namespace"].endswith("/namespaces/silent/")


def test_names_of_an_obsolete_namespace_resolve_and_it_is_said(sample: Namespace) -> None:
    sample.status, sample.notice = NamespaceStatus.OBSOLETE, "Use urn:other instead."
    sample.save()
    selectors.raise_registry_version()

    redirect = resolve("/resolve/urn:sample:1")
    page = resolve("/resolve/urn:sample:1?s=I2Ls", BROWSER)

    assert redirect["Location"] == "https://names.example/1"
    assert 'rel="deprecation"; title="obsolete"' in redirect["Link"]
    assert "Use urn:other instead." in text_of(page)


# The address as it was sent


@pytest.mark.parametrize(
    "meta",
    [
        pytest.param({"RAW_URI": "/resolve/urn:sample:a%2Cb,c"}, id="gunicorn"),
        pytest.param({"REQUEST_URI": "/resolve/urn:sample:a%2Cb,c"}, id="uWSGI, mod_wsgi"),
        pytest.param({"RAW_URI": "http://x.example/resolve/urn:sample:a%2Cb,c"}, id="absolute"),
        pytest.param({"RAW_URI": "/%72esolve/urn:sample:a%2Cb,c"}, id="our part encoded"),
        pytest.param(
            {"RAW_URI": "/under/resolve/urn:sample:a%2Cb,c", "SCRIPT_NAME": "/under"},
            id="mounted below a path",
        ),
        pytest.param(
            {"RAW_URI": "/resolve/urn:sample:a%2Cb,c", "SCRIPT_NAME": "/under"},
            id="mounted, and the proxy cut that off",
        ),
    ],
)
def test_every_way_of_handing_over_the_address_is_read(
    meta: dict[str, Any], sample: Namespace
) -> None:
    response = Client().get("/resolve/urn:sample:a,b,c", **meta)

    assert response["Location"] == "https://names.example/a%2Cb,c"


@pytest.mark.parametrize("name", ["RAW_URI", "REQUEST_URI"])
def test_answers_in_memory_are_told_apart_by_the_address_as_sent(
    name: str, sample: Namespace, settings: Settings
) -> None:
    settings.REGISTRY_CACHE_BYTES = 1_000_000
    client, decoded = Client(), "/resolve/urn:sample:a,b"
    names = ["a%2Cb", "a,b"] * 2
    sent: list[dict[str, Any]] = [{name: f"/resolve/urn:sample:{nss}"} for nss in names]

    answers = [client.get(decoded, **meta) for meta in sent]

    assert [answer["Location"].rpartition("/")[2] for answer in answers] == names


def test_unambiguous_urns_alone_resolve_without_the_raw_address(
    sample: Namespace,
) -> None:
    plain, comma = (Client().get(f"/resolve/urn:sample:{nss}") for nss in ("a-b:c", "a%2Cb"))

    assert plain["Location"] == "https://names.example/a-b:c"
    assert (comma.status_code, problem_of(comma)["type"]) == (501, "not-handed-over")


def test_page_of_the_resolver_asks_for_a_name() -> None:
    response = Client().get("/resolve/")

    assert response.status_code == HTTPStatus.OK
    assert "Resolve a URN" in text_of(response)


# Names that break their namespace's rule, and names that lead nowhere


def test_name_against_its_rule_is_shown_and_not_followed() -> None:
    isbn = NamespaceFactory.create(nid="isbn")
    ServiceFactory.create(namespace=isbn, template="https://books.example/{+nss}")
    wrong, right = "urn:isbn:9780395363417", "urn:isbn:9780395363416"

    followed = resolve(f"/resolve/{right}")
    stopped = resolve(f"/resolve/{wrong}", "application/json")
    listed = resolve(f"/resolve/{wrong}", "text/uri-list")
    page = text_of(resolve(f"/resolve/{wrong}", BROWSER))
    by_service = resolve(f"/uri-res/N2L?{wrong}")
    in_text = resolve(f"/uri-res/N2L?{wrong}", "text/uri-list")

    assert followed.status_code == HTTPStatus.SEE_OTHER
    assert stopped.status_code == listed.status_code == HTTPStatus.MULTIPLE_CHOICES
    assert by_service.status_code == HTTPStatus.MULTIPLE_CHOICES
    assert "would be “6”" in in_text.content.decode().splitlines()[0]
    told = json.loads(stopped.content)
    assert [each["address"] for each in told["targets"]] == ["https://books.example/9780395363417"]
    assert "would be “6”" in told["finding"]
    assert told["rule"].startswith("Registration of isbn")
    assert "would be “6”" in listed.content.decode().splitlines()[0]
    assert "https://books.example/9780395363417" in page


def test_tolerated_spelling_is_led_to_where_the_documented_one_is() -> None:
    doi = NamespaceFactory.create(nid="doi")
    ServiceFactory.create(namespace=doi, template="https://doi.example/{part1}/{+tail}")

    written = [
        resolve(f"/resolve/urn:doi:10.1000{mark}182?=a#b")["Location"] for mark in (":", "/", "%2F")
    ]

    assert set(written) == {"https://doi.example/10.1000/182?a#b"}


def test_name_that_leads_nowhere_is_led_to_what_explains_it(settings: Settings) -> None:
    nato = NamespaceFactory.create(nid="nato", references=["RFC7467", "https://nato.example/urn"])

    told = problem_of(resolve("/resolve/urn:nato:mtf"))
    page = text_of(resolve("/resolve/urn:nato:mtf", BROWSER))

    assert told["explained_at"] == [
        f"{settings.SITE}/namespaces/{nato.nid}/",
        "https://www.rfc-editor.org/info/rfc7467",
        "https://nato.example/urn",
    ]
    assert "https://www.rfc-editor.org/info/rfc7467" in page


def test_name_against_its_rule_that_leads_nowhere_is_told_both() -> None:
    NamespaceFactory.create(nid="nato")

    told = problem_of(resolve("/resolve/urn:nato:a&b"))

    assert told["type"] == "not-resolvable"
    assert told["finding"].startswith("“urn:nato:a&b” ")


@pytest.mark.parametrize(
    "target",
    [
        "/resolve/urn%3Asample%3A1",
        "/resolve/urn%3asample%3a1",
        "/resolve/web+urn:sample:1",
        "/resolve/web%2Burn%3Asample%3A1",
        "/resolve/WEB+URN:sample:1",
        "/resolve/?urn=web%2Burn%3Asample%3A1",
        "/resolve/?urn=web+urn:sample:1",
    ],
)
def test_name_encoded_as_a_whole_or_for_a_browser_s_handler_is_that_name(
    target: str, sample: Namespace
) -> None:
    response = resolve(target)

    assert (response.status_code, response["Location"]) == (303, "https://names.example/1")


def test_encoded_urn_is_decoded_once(sample: Namespace) -> None:
    name = "urn:sample:a%2Cb,c?=q#f"

    assert (
        resolve(f"/resolve/{quote(name, safe='')}")["Location"]
        == resolve(f"/resolve/{name}")["Location"]
    )


def test_encoded_name_that_is_no_text_is_refused(sample: Namespace) -> None:
    response = resolve("/resolve/urn%3Asample%3A%FF")

    assert response.status_code == 400


def test_unknown_language_of_a_target_is_null(sample: Namespace) -> None:
    ServiceFactory.create(namespace=sample, template="https://mirror.example/{+nss}")

    told = json.loads(resolve("/resolve/urn:sample:1?s=I2Ls", "application/json").content)

    assert len(told["targets"]) == 2
    assert {target["language"] for target in told["targets"]} == {None}


def test_linkset_lists_all_targets_with_their_attributes(sample: Namespace) -> None:
    ServiceFactory.create(
        namespace=sample, template="https://mirror.example/{+nss}", language="fi", priority=20
    )

    response = resolve("/resolve/urn:sample:1", "application/linkset+json")

    (told,) = json.loads(response.content)["linkset"]
    assert response["Content-Type"] == "application/linkset+json"
    assert told["anchor"] == "urn:sample:1"
    assert [each["href"] for each in told["alternate"]] == [
        "https://names.example/1",
        "https://mirror.example/1",
    ]
    assert told["alternate"][1]["hreflang"] == ["fi"]


def test_redirect_to_a_description_says_that_it_is_one(sample: Namespace) -> None:
    described = NamespaceFactory.create(nid="described")
    ServiceFactory.create(
        namespace=described, service="I2C", template="https://about.example/{+nss}"
    )

    to_thing, to_words = (resolve(f"/resolve/urn:{nid}:1") for nid in ("sample", "described"))

    assert '<https://about.example/1>; rel="describedby"' in to_words["Link"]
    assert to_words.status_code == 303
    assert "names.example" not in to_thing["Link"]


@pytest.fixture
def crowded(sample: Namespace) -> Namespace:
    """The same with a second address, in Finnish, and a description."""
    ServiceFactory.create(
        namespace=sample,
        template="https://mirror.example/{+nss}",
        priority=20,
        media_type="text/html",
        language="fi",
    )
    ServiceFactory.create(namespace=sample, service="I2C", template="https://about.example/{+nss}")
    return sample


def links_of(response: Any) -> dict[str, dict[str, str]]:
    """Return the links of a response by their targets."""
    links = parse_header_links(response["Link"])
    return {each.pop("url"): each for each in links}


@pytest.mark.parametrize(
    ("address", "service"),
    [
        ("/resolve/urn:sample:1", ""),
        ("/resolve/?urn=urn%3Asample%3A1", ""),
        ("/uri-res/N2L?urn:sample:1", "&s=I2L"),
        ("/uri-res/N2R?urn:sample:1", "&s=I2R"),
    ],
)
def test_redirect_names_the_other_addresses_and_where_to_have_them_all(
    address: str, service: str, crowded: Namespace
) -> None:
    response = resolve(address)

    linkset = f"{site_settings.SITE}/resolve/?urn=urn%3Asample%3A1{service}"
    namespace = f"{site_settings.SITE}/namespaces/sample/"
    assert (response.status_code, response["Location"]) == (303, "https://names.example/1")
    assert links_of(response) == {
        linkset: {"rel": "linkset", "type": "application/linkset+json"},
        "https://about.example/1": {"rel": "describedby"},
        "https://mirror.example/1": {"rel": "alternate", "type": "text/html", "hreflang": "fi"},
        namespace: {"rel": "describedby"},
    }


@pytest.mark.parametrize("door", ["/resolve/", "/uri-res/N2L?"])
def test_linkset_that_a_redirect_names_has_all_addresses(door: str, crowded: Namespace) -> None:
    links = links_of(resolve(f"{door}urn:sample:a%2Fb?+r1"))
    (address,) = (url for url, link in links.items() if link["rel"] == "linkset")

    response = resolve(address.removeprefix(site_settings.SITE), "application/linkset+json")

    (told,) = json.loads(response.content)["linkset"]
    assert (response.status_code, told["anchor"]) == (200, "urn:sample:a%2Fb?+r1")
    assert [each["href"] for each in told["alternate"]] == [
        "https://names.example/a%2Fb?r=r1",
        "https://mirror.example/a%2Fb",
    ]


@pytest.mark.parametrize("door", ["/resolve/", "/uri-res/N2L?"])
def test_redirect_names_only_as_many_addresses_as_a_header_has_room_for(
    door: str, crowded: Namespace
) -> None:
    for number in range(30):
        ServiceFactory.create(
            namespace=crowded,
            template=f"https://mirror-{number}.example/{'long/' * (number % 7) * 20}{{+nss}}",
            priority=30 + number,
        )

    response = resolve(f"{door}urn:sample:1")

    links = links_of(response)
    assert response.status_code == 303
    assert len(response["Link"]) <= 2_000
    assert 5 <= len(links) <= 11
    assert f"{site_settings.SITE}/namespaces/sample/" in links
    assert {"linkset", "alternate", "describedby"} == {each["rel"] for each in links.values()}


def test_redirect_to_the_only_address_names_no_others(sample: Namespace) -> None:
    response = resolve("/resolve/urn:sample:1")

    assert links_of(response) == {
        f"{site_settings.SITE}/namespaces/sample/": {"rel": "describedby"}
    }
