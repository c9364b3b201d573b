"""PyLD and jsonld.js read every address that our graphs name, and agree with rdflib."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urldefrag
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from rdflib import Graph, URIRef

from registry.exchange.exports.files import DESCRIPTION_FILES, EXPORT_FILES
from registry.models import RegistrationRequest, User
from tests.peers.node import install_peers, run_node
from tests.peers.python import run_python_peer
from tests.peers.sites import serve_small_registry

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # rdflib reads JSON-LD with a class of its own that it has deprecated.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
]

PYLD = """
import json, sys
from pyld import jsonld
jsonld.set_document_loader(jsonld.requests_document_loader(secure=False))
told = {}
for address in sys.argv[1:]:
    graphs = jsonld.to_rdf(address)
    told[address] = sum(map(len, graphs.values()))
print(json.dumps(told))
"""
JSON_LD = "application/ld+json"
LIBRARY = f"{JSON_LD}, application/json"
NOT_GRAPHS: Final = {
    "/about/": "a page for people",
    "/contact/": "a page for people",
    "/api/": "what the API is, as its own formats have it",
    "/api/v1/": "what the API has, in its own JSON",
    "/api/versions/": "a page for people",
    "/api/schema/": "a description in OpenAPI",
    "/exports/context-all.jsonld": "the same of all namespaces",
    "/exports/context.jsonld": "a context, which names terms and tells of nothing",
    **{
        f"/exports/{file.name}": "a file, in the format that its name says"
        for file in EXPORT_FILES.values()
        if file.media_type != JSON_LD and file.name not in DESCRIPTION_FILES
    },
}
"""What our graphs name without being JSON-LD, and what it is instead."""


@pytest.fixture
def site(tmp_path: Path, approved: RegistrationRequest, registrar: User) -> Iterator[str]:
    with serve_small_registry(tmp_path, approved, registrar) as url:
        yield url


@pytest.fixture
def graphs(site: str) -> dict[str, Graph]:
    """Every graph that the graph of all namespaces and the catalogue name, by its address.

    Named addresses that are no graphs are in `NOT_GRAPHS`, and each of those is named.
    """
    opener = build_opener(ProxyHandler({}))
    found: dict[str, Graph] = {}
    passed_over = set()
    waiting = [f"{site}/exports/registry.jsonld", f"{site}/exports/catalogue.jsonld"]
    while waiting:
        address = waiting.pop()
        if address in found or address in passed_over:
            continue
        with opener.open(Request(address, headers={"Accept": LIBRARY + ", */*;q=0.1"})) as answer:
            kind, octets = answer.headers["Content-Type"], answer.read()
        if address.removeprefix(site) in NOT_GRAPHS:
            passed_over.add(address)
            continue
        assert kind.startswith(JSON_LD), f"{address} is {kind}"
        found[address] = Graph().parse(data=octets, format="json-ld")
        named = {str(term) for each in found[address] for term in each if isinstance(term, URIRef)}
        waiting += {urldefrag(each)[0] for each in named if each.startswith(f"{site}/")}
    assert {address.removeprefix(site) for address in passed_over} == set(NOT_GRAPHS)
    return found


def test_pyld_reads_each_of_them(graphs: dict[str, Graph]) -> None:
    said = run_python_peer(PYLD, *graphs)

    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == {address: len(graph) for address, graph in graphs.items()}
    assert len(graphs) > 8


def test_jsonld_js_reads_each_of_them(graphs: dict[str, Graph]) -> None:
    program = Path(__file__).with_name("json_ld.mjs")

    said = run_node(program, install_peers(), *graphs)

    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == {address: len(graph) for address, graph in graphs.items()}
