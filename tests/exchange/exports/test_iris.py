"""Every address of this registry that a graph names exists, in each of its declared formats."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urldefrag, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from rdflib import Graph, URIRef

from registry import workflow
from registry.exchange.exports import refresh_exports
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory, RegistrantFactory, ServiceFactory

pytestmark = [
    pytest.mark.django_db,
    # rdflib reads JSON-LD with a class of its own that it has deprecated.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
]

GRAPH_FORMS = {"text/turtle": "turtle", "application/ld+json": "json-ld"}
STARTS = (
    "/exports/registry.ttl",
    "/exports/catalogue.ttl",
    "/exports/vocabulary.ttl",
    "/namespaces.ttl",
    "/requests.ttl",
)
AS_LIBRARIES_ASK = "application/ld+json, application/json"
"""What jsonld.js and PyLD send."""


@pytest.fixture
def graphs(
    approved: RegistrationRequest,
    informal_approved: RegistrationRequest,
    registrar: User,
    client: Client,
) -> dict[str, Graph]:
    """Every graph reachable from the lists and files, by the path of its page or file."""
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    old = NamespaceFactory.create(
        nid="old", registered_on="2004", registrant=RegistrantFactory.create(name="Body")
    )
    ServiceFactory.create(namespace=old)
    refresh_exports(at_once=True)
    read: dict[str, Graph] = {}
    waiting = list(STARTS)
    while waiting:
        path = waiting.pop()
        if path in read:
            continue
        answer = client.get(path, headers={"Accept": "text/turtle"}, follow=True)
        assert answer.status_code in (200, 406), path
        read[path] = Graph()
        if answer["Content-Type"].startswith("text/turtle"):
            read[path].parse(data=answer.getvalue(), format="turtle")
            waiting += own_paths(read[path])
    return read


def own_paths(graph: Graph) -> Iterator[str]:
    """Yield the paths of every address of this registry in a graph, whatever its role there."""
    for statement in graph:
        for term in statement:
            if isinstance(term, URIRef) and str(term).startswith(f"{settings.SITE}/"):
                yield urlsplit(term).path


def alternates(header: str) -> Iterator[tuple[str, str]]:
    """Yield path and media type of each other format that a `Link` names."""
    for link in header.split(", <"):
        address, _, rest = link.lstrip("<").partition(">")
        if 'rel="alternate"' in rest and 'type="' in rest:
            yield address, rest.partition('type="')[2].partition('"')[0]


@pytest.mark.whole
def test_each_address_is_there_in_each_form_that_it_says_it_has(
    graphs: dict[str, Graph], client: Client
) -> None:
    asked = 0
    for path in graphs:
        page = client.get(path, headers={"Accept": "text/html, */*;q=0.1"}, follow=True)

        assert page.status_code == 200, path
        for address, kind in alternates(page.get("Link", "")):
            answers = [client.get(address, follow=True)]
            if path.endswith("/"):  # An address with an extension has one format.
                answers.append(client.get(path, headers={"Accept": kind}, follow=True))
            for answer in answers:
                assert answer.status_code == 200, (path, kind)
                assert answer["Content-Type"].partition(";")[0] == kind, (path, kind)
            asked += 1
    assert len(graphs) > 30
    assert asked > 60


@pytest.mark.whole
def test_terms_of_a_graph_are_described_at_their_own_addresses(
    graphs: dict[str, Graph], client: Client
) -> None:
    named = {
        URIRef(term)
        for graph in graphs.values()
        for statement in graph
        for term in statement
        if isinstance(term, URIRef) and str(term).startswith(f"{settings.SITE}/")
    }

    untold = set()
    for term in named:
        address, fragment = urldefrag(term)
        graph = graphs[urlsplit(address).path]
        # Pages and files that are not graphs stand for themselves.
        if fragment and len(graph) and (term, None, None) not in graph:
            untold.add(str(term))
    assert len(named) > 60
    assert untold == set()


@pytest.mark.whole
def test_libraries_of_json_ld_read_each_address_as_the_graph_that_it_is(
    graphs: dict[str, Graph], client: Client
) -> None:
    read = 0
    for path, graph in graphs.items():
        answer = client.get(path, headers={"Accept": AS_LIBRARIES_ASK}, follow=True)

        told_elsewhere = list(alternates(answer.get("Link", "")))
        if not len(graph) or path.endswith((".ttl", ".nt")):
            continue
        # PyLD fails if more than one other format is named.
        assert len(told_elsewhere) <= 1, path
        assert answer["Content-Type"].partition(";")[0] == "application/ld+json", path
        if not path.startswith("/exports/"):
            same = Graph().parse(data=answer.getvalue(), format="json-ld")
            assert set(same.subjects()) == set(graph.subjects()), path
        read += 1
    assert read > 5
