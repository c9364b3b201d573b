"""Files, graphs and pages declare the licence of the facts in them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.conf import settings as site_settings
from django.test import Client
from pytest_django import Settings
from rdflib import Graph, URIRef
from rdflib.namespace import DCTERMS, SKOS

from registry.exchange.exports import EXPORT_FILES, find_dated_name, refresh_exports
from registry.licences import LICENCES
from registry.models import BuiltExport
from tests.exchange.exports.conftest import Fetch

pytestmark = pytest.mark.django_db

CC0, BY = LICENCES["CC0-1.0"].url, LICENCES["CC-BY-4.0"].url
TERMS = f"{site_settings.SITE}/about/#licences"


def links_of(client: Client, path: str) -> dict[str, str]:
    """Return the links of a response by their relation."""
    found = re.findall(r'<([^>]*)>; rel="([a-z-]+)"', client.get(path).get("Link", ""))
    return {relation: href for href, relation in found}


@pytest.mark.whole
def test_every_file_names_its_licence_and_dumps_their_terms(
    registered: None, client: Client
) -> None:
    refresh_exports(at_once=True)

    told = {name: links_of(client, f"/exports/{name}") for name in EXPORT_FILES}

    assert {name for name, links in told.items() if links.get("license") != CC0} == set()
    dumps = {name for name, links in told.items() if links.get("terms-of-service") == TERMS}
    assert dumps == {"registry-dump.jsonl"}
    built = BuiltExport.objects.newest_first("registry-dump.jsonl")[0]
    dated = links_of(client, f"/exports/{find_dated_name(built)}/registry-dump.jsonl")
    assert dated["license"] == CC0
    assert links_of(client, "/exports/")["license"] == CC0


def test_scheme_of_the_graph_names_the_licence_and_versions_theirs(
    fetch: Fetch, settings: Settings
) -> None:
    settings.REGISTRY_TEXT_LICENCE = "CC-BY-SA-4.0"
    graph = Graph().parse(data=fetch("registry.ttl"), format="turtle")

    (scheme,) = graph.subjects(predicate=None, object=SKOS.ConceptScheme)
    version = URIRef(f"{settings.SITE}/namespaces/seedbank/versions/1/#version")
    assert list(graph.objects(scheme, DCTERMS.license)) == [URIRef(CC0)]
    assert list(graph.objects(version, DCTERMS.license)) == [URIRef(BY)]


def test_page_of_a_namespace_names_the_licence_of_the_set_for_search_engines(
    registered: None, client: Client
) -> None:
    page = client.get("/namespaces/isbn/").content.decode()

    (said,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
    assert json.loads(unescape(said))["inDefinedTermSet"]["license"] == CC0
