"""Graphs, read by rdflib; pySHACL checks their SHACL shapes."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from pyshacl import validate
from rdflib import RDF, SKOS, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import DCAT, DCTERMS, PROV

from registry import workflow
from registry.exchange.exports import rdf, refresh_exports
from registry.exchange.exports.rdf import (
    make_iri,
    make_node,
    make_text_literal,
)
from registry.models import Namespace, RegistrationRequest, User
from tests.exchange.exports.conftest import Fetch
from tests.factories import NamespaceFactory

# rdflib reads JSON-LD with a class of its own that it has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")

SITE = settings.SITE
WORDS = f"{SITE}/ns#"
GRAPHS = (
    "/namespaces/seedbank",
    "/namespaces/isbn",
    "/namespaces/urn-7",
    "/namespaces/seedbank/versions/1",
    "/requests/{slug}",
    "/namespaces",
    "/requests",
    "/exports/registry",
    "/exports/catalogue",
)


def graph(octets: bytes, form: str) -> Graph:
    """Return what rdflib reads."""
    return Graph().parse(data=octets, format={"ttl": "turtle", "jsonld": "json-ld"}[form])


@pytest.fixture
def shapes(fetch: Fetch) -> Graph:
    return graph(fetch("shapes.ttl"), "ttl")


@pytest.mark.whole
def test_both_notations_say_the_same_and_have_the_shape_that_is_published(
    client: Client, approved: RegistrationRequest, registered: None, shapes: Graph
) -> None:
    for address in GRAPHS:
        path = address.format(slug=approved.slug)

        turtle, jsonld = (
            graph(client.get(f"{path}.{form}").content, form) for form in ("ttl", "jsonld")
        )
        conforms, _graph, _words = validate(turtle, shacl_graph=shapes)

        assert len(turtle) > 10
        assert isomorphic(turtle, jsonld)
        assert conforms


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (b'"isbn"^^reg:NID', b'"ISBN"^^reg:NID'),
        (b"reg:status-active", b"reg:status-lively"),
        (b'"urn:isbn:"^^xsd:anyURI', b'"isbn:"^^xsd:anyURI'),
        (b'"2001-10"^^xsd:gYearMonth', b'"October"'),
        (b"skos:inScheme", b"skos:related"),
    ],
)
def test_graph_that_breaks_the_shape_is_found_out(
    was: bytes, now: bytes, client: Client, db: None
) -> None:
    NamespaceFactory.create(nid="isbn", registered_on="2001-10")
    refresh_exports()
    shapes = graph(client.get("/exports/shapes.ttl").content, "ttl")
    sound = client.get("/namespaces/isbn.ttl").content

    conforms, _graph, _words = validate(graph(sound.replace(was, now), "ttl"), shacl_graph=shapes)

    assert was in sound
    assert not conforms


def test_scheme_has_every_namespace_once_by_its_notation(fetch: Fetch) -> None:
    read = graph(fetch("registry.ttl"), "ttl")

    nids = [str(each) for each in read.objects(None, SKOS.notation)]
    scheme = URIRef(f"{SITE}/namespaces/#scheme")
    assert sorted(nids) == sorted(Namespace.objects.values_list("nid", flat=True))
    assert len(set(read.subjects(SKOS.inScheme, scheme))) == len(nids)


@pytest.mark.whole
def test_versions_say_what_they_revise_and_where_they_come_from(
    client: Client, approved: RegistrationRequest, registered: None
) -> None:
    read = graph(client.get("/namespaces/seedbank.ttl").content, "ttl")

    namespace = URIRef(f"{SITE}/namespaces/seedbank/#namespace")
    version = URIRef(f"{SITE}/namespaces/seedbank/versions/1/#version")
    assert read.value(namespace, DCTERMS.hasVersion) == version
    assert read.value(version, DCTERMS.isVersionOf) == namespace
    assert read.value(version, PROV.wasGeneratedBy) == URIRef(
        f"{SITE}/requests/{approved.slug}/#request"
    )


@pytest.mark.whole
def test_catalogue_describes_every_file_as_it_is(client: Client, fetch: Fetch) -> None:
    read = graph(fetch("catalogue.ttl"), "ttl")

    sizes = {
        str(read.value(file, DCAT.downloadURL)): int(str(read.value(file, DCAT.byteSize)))
        for file in read.subjects(RDF.type, DCAT.Distribution)
    }
    assert f"{SITE}/exports/registry.ttl" in sizes
    assert {path: len(client.get(path.removeprefix(SITE)).content) for path in sizes} == sizes


def test_every_word_of_ours_that_a_graph_uses_is_in_our_vocabulary(
    client: Client, approved: RegistrationRequest, registered: None
) -> None:
    refresh_exports(at_once=True)
    paths = [address.format(slug=approved.slug) for address in GRAPHS]
    known = set(graph(client.get("/ns").content, "ttl").subjects())

    used = {
        term
        for path in paths
        for triple in graph(client.get(f"{path}.ttl").content, "ttl")
        for term in (*triple, *(URIRef(kind) for kind in kinds(triple)))
        if isinstance(term, URIRef) and term.startswith(WORDS)
    }

    assert URIRef(f"{WORDS}Namespace") in used
    assert used - known == set()


def kinds(triple: tuple[object, ...]) -> list[str]:
    """Return the types of the values in a triple."""
    return [str(each.datatype) for each in triple if isinstance(each, Literal) and each.datatype]


def test_text_of_any_kind_is_carried_by_both_notations() -> None:
    words = 'A "quoted" \\ line\nand\ttabs, Ω, \x7f and \u2028; <b>&amp;'
    nodes = [
        make_node(f"{SITE}/#it", "skos:Concept", ("skos:note", make_text_literal(words, "en")))
    ]

    read = [
        graph("".join(rdf.write_jsonld(nodes, SITE)).encode(), "jsonld"),
        graph("".join(rdf.write_turtle(nodes, SITE)).encode(), "ttl"),
    ]

    for each in read:
        assert each.value(URIRef(f"{SITE}/#it"), SKOS.note) == Literal(words, lang="en")
        assert each.value(URIRef(f"{SITE}/#it"), RDF.type) == SKOS.Concept


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("https://standards.example/a?b=c#d", True),
        ("https://standards.example/a b", False),
        ('https://standards.example/"><x', False),
        ("ISO 2108", False),
    ],
)
def test_iris_are_made_of_addresses_only(address: str, *, is_one: bool) -> None:
    assert (make_iri(address) is not None) is is_one


def test_draft_is_in_no_graph(client: Client, draft: RegistrationRequest, registrant: User) -> None:
    client.force_login(registrant)
    before = client.get("/requests.ttl").content.decode()
    private = client.get(f"/requests/{draft.slug}.ttl").status_code

    workflow.perform(draft, "submit", actor=registrant)

    assert draft.reference not in before
    assert private == 404
    assert draft.reference in client.get("/requests.ttl").content.decode()
