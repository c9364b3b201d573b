"""How a registration is cited, and how programs find that from its page."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from registry.exchange.exports.citations import escape_bibtex
from tests.exchange.exports.conftest import Fetch
from tests.factories import NamespaceFactory, OrganizationFactory

pytestmark = pytest.mark.django_db

VERSION = "/namespaces/seedbank/versions/1"


def test_version_is_cited_with_its_number_date_and_digest(fetch: Fetch, client: Client) -> None:
    bibtex = client.get(f"{VERSION}.bib").content.decode()
    (item,) = client.get(f"{VERSION}.csl.json").json()
    version = client.get(f"{VERSION}.json").json()

    fields = dict(re.findall(r"^  (\w+) = (.*?),?$", bibtex, re.M))
    assert bibtex.startswith("@misc{urn-seedbank-v1,\n")
    assert fields["url"] == f"{{{settings.SITE}{VERSION}/}}"
    assert fields["year"] == f"{{{version['registered_on'][:4]}}}"
    assert version["sha256"] in fields["note"]
    assert item["URL"] == f"{settings.SITE}{VERSION}/"
    assert (
        "-".join(f"{part:02d}" for part in item["issued"]["date-parts"][0])
        == (version["registered_on"])
    )
    assert item["version"] == "1"


def test_imported_namespace_is_cited_by_what_is_known(client: Client) -> None:
    holder = OrganizationFactory.create(name="Seeds & Sons_100%")
    NamespaceFactory.create(nid="seeds", registered_on="2001-10", registrant=holder)

    bibtex = client.get("/namespaces/seeds.bib").content.decode()
    (item,) = client.get("/namespaces/seeds.csl.json").json()

    assert r"author = {{Seeds \& Sons\_100\%}}" in bibtex
    assert "month = oct" in bibtex
    assert item["issued"] == {"date-parts": [[2001, 10]]}
    assert item["author"] == [{"literal": "Seeds & Sons_100%"}]
    assert "version" not in item


def test_bibtex_escapes_characters_that_tex_takes_for_commands() -> None:
    assert escape_bibtex("a\\b {c}\n $d^e~") == (
        r"a\textbackslash{}b \{c\} \$d\textasciicircum{}e\textasciitilde{}"
    )


@pytest.mark.parametrize("path", ["/namespaces/seedbank", VERSION])
def test_page_leads_to_how_to_cite_it_its_terms_and_all_its_links(
    path: str, fetch: Fetch, client: Client
) -> None:
    page = client.get(f"{path}/")
    linkset = client.get(f"{path}/", headers={"Accept": "application/linkset+json"})

    found = re.findall(r'<([^>]*)>; rel="([a-z-]+)"', page["Link"])
    header = {rel: href for href, rel in found}
    (told,) = linkset.json()["linkset"]
    assert linkset["Content-Location"] == f"{path}.linkset.json" == header["linkset"]
    assert told["anchor"] == header["cite-as"] == f"{settings.SITE}{path}/"
    assert told["license"][0]["href"] == header["license"]
    assert ("by/4.0" in header["license"]) is (path == VERSION)
    for relation in ("describedby", "linkset", "alternate"):
        for each in told[relation]:
            answer = client.get(each["href"].removeprefix(settings.SITE))
            assert answer.status_code == 200
            assert answer["Content-Type"].partition(";")[0] == each["type"]
    assert json.loads(client.get(f"{path}.csl.json").content)
