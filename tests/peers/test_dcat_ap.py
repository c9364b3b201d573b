"""A data portal accepts the catalogue: pySHACL checks it against the shapes of DCAT-AP 3
themselves.

The shapes are not ours to copy. `REGISTRY_TEST_DCAT_AP` names the folder that has them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.request import ProxyHandler, build_opener

import pytest
from pyshacl import validate
from rdflib import DCAT, DCTERMS, RDF, SH, Graph, Literal
from rdflib.term import Node

from registry.exchange.exports.catalogue import DescribedFile, describe_catalogue
from registry.exchange.exports.rdf import write_turtle
from registry.models import RegistrationRequest, User
from tests.peers.sites import serve_small_registry

FOLDER: Final = os.environ.get("REGISTRY_TEST_DCAT_AP", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="REGISTRY_TEST_DCAT_AP names no folder")

SITE: Final = "https://registry.example"
DEMANDED: Final = ("dcat-ap-3.0.0-shapes.ttl", "dcat-ap-3.0.0-range.ttl")
RECOMMENDED: Final = "dcat-ap-3.0.0-shapes_recommended.ttl"
NOT_SAID: Final = {
    ("catalogue", DCTERMS.issued): "Nobody knows when there was a first file.",
    ("catalogue", DCTERMS.spatial): "Namespaces are of no place.",
    ("registry", DCTERMS.spatial): "Namespaces are of no place.",
    ("registry", DCTERMS.temporal): "They are those of now, and of all times.",
    ("api", DCTERMS.conformsTo): "It follows no standard for interfaces of its kind.",
    ("registry-dump.jsonl", DCTERMS.license): "It has texts and messages of others.",
}
"""What portals recommend, and why we do not provide it."""


@pytest.fixture
def catalogue(tmp_path: Path, approved: RegistrationRequest, registrar: User) -> Iterator[Graph]:
    opener = build_opener(ProxyHandler({}))
    with serve_small_registry(tmp_path, approved, registrar) as site:
        with opener.open(f"{site}/exports/catalogue.ttl") as answer:
            read = Graph().parse(data=answer.read(), format="turtle")
        yield read


def read_shapes(*names: str) -> Graph:
    shapes = Graph()
    for name in names:
        shapes.parse(Path(FOLDER) / name)
    return shapes


def find_faults(read: Graph, *names: str) -> set[tuple[str, Node | None]]:
    """Return what is at fault, by the end of its address, and in which of its properties."""
    _conforms, report, words = validate(read, shacl_graph=read_shapes(*names))
    assert isinstance(report, Graph), words
    return {
        (
            str(report.value(result, SH.focusNode)).partition("#")[2],
            report.value(result, SH.resultPath),
        )
        for result in report.subjects(RDF.type, SH.ValidationResult)
    }


@pytest.mark.django_db(transaction=True)
def test_served_catalogue_says_what_portals_demand_and_recommend(catalogue: Graph) -> None:
    assert len(set(catalogue.subjects(RDF.type, DCAT.Distribution))) > 20

    assert find_faults(catalogue, *DEMANDED) == set()
    assert find_faults(catalogue, RECOMMENDED) == set(NOT_SAID)


def test_catalogue_that_lacks_something_or_says_it_otherwise_is_found_out() -> None:
    described = DescribedFile("a.csv", "A", "text/csv", 1, "a" * 64, None)
    lines = write_turtle(describe_catalogue([described], 1, SITE), SITE)
    catalogue = Graph().parse(data="".join(lines), format="turtle")
    assert find_faults(catalogue, *DEMANDED) == set()

    (data,) = catalogue.subjects(RDF.type, DCAT.Dataset)
    (file,) = catalogue.subjects(RDF.type, DCAT.Distribution)
    catalogue.remove((data, DCTERMS.title, None))
    catalogue.remove((file, DCAT.accessURL, None))
    catalogue.remove((None, RDF.type, DCTERMS.LicenseDocument))
    catalogue.set((file, DCAT.byteSize, Literal("long")))

    faults = find_faults(catalogue, *DEMANDED)

    assert {
        ("registry", DCTERMS.title),
        ("a.csv", DCAT.accessURL),
        ("a.csv", DCTERMS.license),
        ("a.csv", DCAT.byteSize),
        ("catalogue", DCTERMS.license),
    } <= faults
