"""What search engines, browsers and link previews read from the pages."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from lxml import etree, html
from pytest_django import Settings

from registry.exchange.exports import EXPORT_FILES, refresh_exports
from registry.models import RegistrationRequest
from registry.namespace_descriptions import read_descriptions
from tests.factories import NamespaceFactory, RequestFactory

pytestmark = pytest.mark.django_db


SHORTEST_DESCRIPTION = 50
"""Search engines ignore a data set that says less about itself."""


def read_linked_data(head: html.HtmlElement) -> dict[str, Any]:
    (text,) = head.xpath('script[@type="application/ld+json"]/text()')
    said: dict[str, Any] = json.loads(text)
    return said


def read_head(client: Client, address: str) -> html.HtmlElement:
    head = html.fromstring(client.get(address).content.decode()).find("head")
    assert head is not None
    return head


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("/", "/"),
        ("/namespaces/?kind=formal", "/namespaces/?kind=formal"),
        ("/namespaces/isbn/", "/namespaces/isbn/"),
        ("/guide/urns/?from=mail", "/guide/urns/"),
    ],
)
def test_pages_name_their_one_address(client: Client, address: str, canonical: str) -> None:
    NamespaceFactory.create(nid="isbn")

    head = read_head(client, address)

    (link,) = head.xpath('link[@rel="canonical"]/@href')
    assert link == f"http://127.0.0.1:8000{canonical}"
    assert head.xpath('meta[@property="og:url"]/@content') == [link]


def test_link_to_a_namespace_describes_it(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")

    head = read_head(client, "/namespaces/isbn/")

    (description,) = head.xpath('meta[@name="description"]/@content')
    assert description.split(".")[0] in read_descriptions()["isbn"].paragraph
    assert head.xpath('meta[@property="og:title"]/@content') == ["urn:isbn, book numbers"]
    (picture,) = head.xpath('meta[@property="og:image"]/@content')
    assert picture.startswith("http://127.0.0.1:8000/static/img/card")


@pytest.mark.parametrize(
    ("address", "title", "begins"),
    [
        ("/guide/urns/", "What a URN is", "The parts of a name, what each is for"),
        ("/namespaces/", "Namespaces", "Every identifier that may follow urn:"),
        ("/requests/", "Requests", "Requests to register or change a URN namespace"),
        ("/inspect/", "Inspect a URN", "Paste a URN"),
        ("/about/trust/", "What a registration tells you", "What the registration of a URN"),
    ],
)
def test_link_shows_the_title_and_description_of_its_own_page(
    client: Client, address: str, title: str, begins: str
) -> None:
    head = read_head(client, address)

    (description,) = head.xpath('meta[@name="description"]/@content')
    assert head.findtext("title") == f"{title} · URN Namespace Registry"
    assert head.xpath('meta[@property="og:title"]/@content') == [title]
    assert head.xpath('meta[@property="og:description"]/@content') == [description]
    assert description.startswith(begins)


def test_link_to_a_request_describes_what_it_asks_for_and_its_state(
    client: Client, in_review: RegistrationRequest
) -> None:
    RegistrationRequest.objects.filter(pk=in_review.pk).update(summary='<seeds> & "roots"')

    head = read_head(client, in_review.get_absolute_url())

    (description,) = head.xpath('meta[@name="description"]/@content')
    assert description.startswith('urn:seedbank: <seeds> & "roots".')
    for fact in (in_review.reference, in_review.organization.name, "In review"):
        assert fact in description


@pytest.mark.whole
def test_sitemap_has_every_public_page_and_no_other(
    client: Client, in_review: RegistrationRequest
) -> None:
    NamespaceFactory.create(nid="isbn")
    draft = RequestFactory.create()
    sitemap = etree.fromstring(client.get("/sitemap.xml").content)

    pages = sitemap.xpath("//*[local-name()='loc']/text()")

    site = "http://127.0.0.1:8000"
    organization = in_review.organization.get_absolute_url()
    asked = in_review.get_absolute_url()
    expected = {"/guide/urns/", "/namespaces/isbn/", asked, organization}
    assert {f"{site}{page}" for page in expected} <= set(pages)
    assert f"{site}{draft.get_absolute_url()}" not in pages
    answers = {page: client.get(page.removeprefix(site)).status_code for page in pages}
    assert answers == dict.fromkeys(answers, 200)


def test_part_of_the_sitemap_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/sitemap-99.xml").status_code == 404


def test_icon_exists_in_every_size_that_is_named(client: Client) -> None:
    head = read_head(client, "/")
    manifest = client.get("/site.webmanifest").json()

    named = [
        *head.xpath('link[@rel="icon" or @rel="apple-touch-icon"]/@href'),
        *(icon["src"] for icon in manifest["icons"]),
        client.get("/favicon.ico").headers["Location"],
    ]

    assert len(named) == 7
    assert [path for path in named if not finders.find(path.removeprefix("/static/"))] == []


def test_picture_of_a_link_exists_in_the_size_that_is_named(client: Client) -> None:
    head = read_head(client, "/")

    said = {
        name: head.xpath(f'meta[@property="og:image{name}"]/@content')
        for name in ("", ":width", ":height", ":alt")
    }

    (picture,) = said[""]
    file = finders.find(picture.removeprefix("http://127.0.0.1:8000/static/"))
    assert file, picture
    # A PNG begins with its signature, and its size follows the name of its first chunk.
    begin = Path(file).read_bytes()[:24]
    assert begin.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", begin[16:])
    assert (said[":width"], said[":height"]) == ([str(width)], [str(height)])
    assert said[":alt"][0].strip()


EVERYWHERE = {"sans-latin-400", "sans-latin-600", "mono-latin-600"}
"""The font of the masthead."""


@pytest.mark.parametrize(
    ("address", "fonts"),
    [
        ("/", EVERYWHERE | {"serif-latin-500"}),
        ("/namespaces/", EVERYWHERE | {"serif-latin-500"}),
        ("/namespaces/isbn/", EVERYWHERE | {"mono-latin-400", "serif-latin-400"}),
    ],
)
def test_fonts_of_the_first_screen_are_preloaded(
    client: Client, address: str, fonts: set[str]
) -> None:
    NamespaceFactory.create(nid="isbn")

    links = read_head(client, address).xpath('link[@rel="preload"][@as="font"]')

    named = [link.get("href").rpartition("/")[2] for link in links]
    assert sorted(named) == sorted(f"ibm-plex-{font}-normal.woff2" for font in fonts)
    assert [name for name in named if not finders.find(f"vendor/fonts/{name}")] == []
    # Without it a browser makes a second request.
    assert all("crossorigin" in link.attrib for link in links)


def test_namespace_is_a_defined_term_of_schema_org(client: Client) -> None:
    NamespaceFactory.create(nid="sly", summary="</script><b>&")

    head = read_head(client, "/namespaces/sly/")

    said = read_linked_data(head)
    assert (said["@type"], said["termCode"]) == ("DefinedTerm", "sly")
    assert said["description"] == "</script><b>&"
    assert "<" not in head.xpath('string(script[@type="application/ld+json"])')


def test_list_of_namespaces_is_the_set_of_their_defined_terms(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_DATA_LICENCE = "ODC-By-1.0"
    NamespaceFactory.create(nid="isbn")

    described, term = (
        read_linked_data(read_head(client, page)) for page in ("/namespaces/", "/namespaces/isbn/")
    )

    assert (described["@type"], described["name"]) == ("DefinedTermSet", "URN namespaces")
    assert described["url"] == "http://127.0.0.1:8000/namespaces/"
    assert described["license"] == "https://opendatacommons.org/licenses/by/"
    stub = term["inDefinedTermSet"]
    assert stub == {name: described[name] for name in stub}
    assert set(stub) == {"@type", "@id", "name", "url", "license"}


@pytest.mark.whole
def test_exports_are_a_data_set_with_their_files_and_licence(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_DATA_LICENCE = "ODC-By-1.0"
    NamespaceFactory.create(nid="isbn")
    refresh_exports()

    described = read_linked_data(read_head(client, "/exports/"))

    assert (described["@type"], described["name"]) == ("Dataset", "URN namespaces")
    assert described["license"] == "https://opendatacommons.org/licenses/by/"
    assert len(described["description"]) >= SHORTEST_DESCRIPTION
    downloads = {each["contentUrl"]: each for each in described["distribution"]}
    assert set(downloads) == {
        f"http://127.0.0.1:8000/exports/{name}"
        for name in EXPORT_FILES
        if name not in {"catalogue.ttl", "catalogue.jsonld", "datapackage.json", "SHA256SUMS"}
    }
    for address, each in downloads.items():
        answer = client.get(address.removeprefix("http://127.0.0.1:8000"))
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(each["encodingFormat"])


def test_data_set_without_built_files_names_none(client: Client) -> None:
    described = read_linked_data(read_head(client, "/exports/"))

    assert described["@type"] == "Dataset"
    assert "distribution" not in described


def test_browsers_are_told_how_to_search_and_what_the_site_is_called(client: Client) -> None:
    described = etree.fromstring(client.get("/opensearch.xml").content)
    manifest = client.get("/site.webmanifest").json()

    (template,) = described.xpath("//*[local-name()='Url']/@template")
    assert template == "http://127.0.0.1:8000/find/?q={searchTerms}"
    assert (manifest["name"], manifest["start_url"]) == ("URN Namespace Registry", "/")
