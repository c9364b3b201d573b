"""The files for data portals and for people who work with tables, read by their own programs."""

from __future__ import annotations

import csv
import json
from typing import Final

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from jsonschema_rs import Draft202012Validator, meta
from pyshacl import validate
from pytest_django import Settings
from rdflib import DCAT, DCTERMS, RDF, SKOS, Graph, Namespace as Words, URIRef
from rdflib.compare import isomorphic

from registry.exchange.exports import EXPORT_FILES
from registry.exchange.exports.catalogue import DescribedFile, describe_catalogue
from registry.exchange.exports.rdf import write_turtle
from registry.licences import LicenceKind
from registry.models import (
    Message,
    Namespace,
    Registration,
    RegistrationRequest,
    SourceDocument,
)
from tests.exchange.exports.conftest import Fetch

SITE: Final = "https://registry.example"
CC0: Final = URIRef("https://creativecommons.org/publicdomain/zero/1.0/")
CC_BY: Final = "https://creativecommons.org/licenses/by/4.0/"
RULES: Final = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
[] a sh:NodeShape ; sh:targetClass dcat:Catalog, dcat:Dataset ; sh:property
    [ sh:path dct:title ; sh:minCount 1 ], [ sh:path dct:description ; sh:minCount 1 ],
    [ sh:path dct:publisher ; sh:minCount 1 ; sh:maxCount 1 ; sh:class foaf:Agent ] .
[] a sh:NodeShape ; sh:targetClass dcat:Dataset ; sh:property
    [ sh:path dcat:contactPoint ; sh:minCount 1 ], [ sh:path dcat:theme ; sh:minCount 1 ] .
[] a sh:NodeShape ; sh:targetClass dcat:Distribution ; sh:property
    [ sh:path dcat:accessURL ; sh:minCount 1 ; sh:nodeKind sh:IRI ],
    [ sh:path dct:license ; sh:maxCount 1 ; sh:class dct:LicenseDocument ],
    [ sh:path dct:rights ; sh:minCount 1 ; sh:class dct:RightsStatement ],
    [ sh:path dcat:mediaType ; sh:maxCount 1 ; sh:class dct:MediaType ],
    [ sh:path dcat:byteSize ; sh:maxCount 1 ; sh:datatype xsd:decimal ] .
[] a sh:NodeShape ; sh:targetClass dcat:DataService ; sh:property
    [ sh:path dct:title ; sh:minCount 1 ], [ sh:path dcat:endpointURL ; sh:minCount 1 ] .
"""
"""What DCAT-AP 3 requires of everyone, in our words; `tests/peers/test_dcat_ap.py` has its own."""


def described(kind: LicenceKind = LicenceKind.DATA) -> Graph:
    """Return the catalogue of one file."""
    file = DescribedFile("a.csv", "A", "text/csv", 1, "a" * 64, None, kind)
    return Graph().parse(data="".join(write_turtle(describe_catalogue([file], 1, SITE), SITE)))


def test_portal_takes_the_catalogue(fetch: Fetch) -> None:
    read = Graph().parse(data=fetch("catalogue.ttl"), format="turtle")

    conforms, _graph, words = validate(read, shacl_graph=Graph().parse(data=RULES))
    assert conforms, words
    (data,) = read.subjects(RDF.type, DCAT.Dataset)
    (service,) = read.objects(None, DCAT.service)
    assert (service, DCAT.servesDataset, data) in read


def test_only_a_file_that_one_licence_has_all_of_is_given_away_under_it(fetch: Fetch) -> None:
    read = Graph().parse(data=fetch("catalogue.ttl"), format="turtle")

    licences = {
        str(each).partition("#")[2]: read.value(each, DCTERMS.license)
        for each in read.subjects(RDF.type, DCAT.Distribution)
    }
    assert {name for name, licence in licences.items() if licence is None} == {
        "registry-dump.jsonl",  # texts and messages of others
    }
    assert {each for each in licences.values() if each} == {CC0}
    assert set(read.objects(None, DCTERMS.rights)) == {URIRef(f"{settings.SITE}/about/#licences")}


@pytest.mark.whole
def test_file_with_texts_of_templates_or_of_others_does_not_pass_for_facts(
    client: Client, fetch: Fetch
) -> None:
    Message.objects.create(
        registration_request=RegistrationRequest.objects.get(),
        number=99,
        author_name="Reader",
        posted_at=timezone.now(),
        message_id="<1@heather.example>",
        text="What of heather?",
    )
    document = SourceDocument.objects.create(
        name="RFC 9999", text="Heather is out of scope.", read_at=timezone.now()
    )
    words = {
        "template": Registration.objects.get().template["purpose"].splitlines()[0],
        "message": "What of heather?",
        "document": document.text,
    }
    fetch("datapackage.json")
    files = {name: client.get(f"/exports/{name}").content.decode() for name in EXPORT_FILES}

    kinds = {
        name: {what for what, said in words.items() if said in text} for name, text in files.items()
    }

    for name, found in kinds.items():
        licence_kind = EXPORT_FILES[name].licence_kind
        assert licence_kind == (LicenceKind.MIXED if found else LicenceKind.DATA), name
    assert kinds["registry-dump.jsonl"] == {"template", "message", "document"}


@pytest.mark.parametrize("missing", [DCAT.accessURL, DCTERMS.publisher, DCAT.contactPoint])
def test_catalogue_that_a_portal_would_refuse_is_found_out(missing: URIRef) -> None:
    read = described()
    read.remove((None, missing, None))

    conforms, _graph, _words = validate(read, shacl_graph=Graph().parse(data=RULES))

    assert not conforms


@pytest.mark.parametrize(
    ("identifier", "address", "kind"),
    [
        ("CC0-1.0", CC0, "PublicDomain"),
        ("CC-BY-4.0", CC_BY, "Attribution"),
        (
            "CC-BY-SA-4.0",
            "https://creativecommons.org/licenses/by-sa/4.0/",
            "ViralEffect-ShareAlike",
        ),
        ("ODC-By-1.0", "https://opendatacommons.org/licenses/by/", "Attribution"),
    ],
)
def test_catalogue_names_the_licence_that_the_settings_choose(
    settings: Settings, identifier: str, address: str, kind: str
) -> None:
    settings.REGISTRY_DATA_LICENCE = identifier

    read = described()

    assert set(read.objects(None, DCTERMS.license)) == {URIRef(address)}
    (found,) = read.objects(URIRef(address), DCTERMS.type)
    assert found == URIRef(f"http://purl.org/adms/licencetype/{kind}")
    assert (found, RDF.type, SKOS.Concept) in read


def test_n_triples_say_what_turtle_says(fetch: Fetch) -> None:
    lines = fetch("registry.nt").decode()

    assert isomorphic(
        Graph().parse(data=lines, format="nt"),
        Graph().parse(data=fetch("registry.ttl"), format="turtle"),
    )
    assert all(line.endswith(" .") for line in lines.splitlines())


def test_graph_tells_of_services(fetch: Fetch) -> None:
    words = Words(f"{settings.SITE}/ns#")
    read = Graph().parse(data=fetch("registry.ttl"), format="turtle")

    of_isbn = [
        service
        for service in read.subjects(RDF.type, words.Service)
        if str(service).startswith(f"{settings.SITE}/namespaces/isbn/#service-")
    ]

    assert {str(read.value(each, words.designator)) for each in of_isbn} == {"I2C"}
    assert all("{" in str(read.value(each, words.uriTemplate)) for each in of_isbn)


def test_table_has_a_line_for_each_namespace_as_its_schema_says(fetch: Fetch) -> None:
    schema = json.loads(fetch("namespaces.schema.json"))
    rows = [json.loads(line) for line in fetch("namespaces.jsonl").splitlines()]

    meta.validate(schema)
    check = Draft202012Validator(schema)
    assert [error.message for row in rows for error in check.iter_errors(row)] == []
    assert sorted(row["nid"] for row in rows) == sorted(
        Namespace.objects.values_list("nid", flat=True)
    )
    (isbn,) = (row for row in rows if row["nid"] == "isbn")
    assert (isbn["kind"], isbn["is_resolved"]) == ("formal", True)
    assert {frozenset(row) for row in rows} == {frozenset(schema["properties"])}


def test_every_line_of_a_dump_is_as_its_schema_says(fetch: Fetch) -> None:
    schema = json.loads(fetch("registry-dump.schema.json"))
    meta.validate(schema)
    check = Draft202012Validator(schema)

    lines = [json.loads(line) for line in fetch("registry-dump.jsonl").splitlines()]
    assert len(lines) > 100
    assert [line for line in lines if not check.is_valid(line)] == []
    assert schema["$id"] == f"{settings.SITE}/exports/registry-dump.schema.json"


@pytest.mark.whole
def test_data_package_names_every_file_and_the_columns_of_the_table(
    client: Client, fetch: Fetch
) -> None:
    package = json.loads(fetch("datapackage.json"))

    resources = {each["name"]: each for each in package["resources"]}
    tables = {
        name: [field["name"] for field in each["schema"]["fields"]]
        for name, each in resources.items()
        if each.get("type") == "table"
    }
    row = json.loads(fetch("namespaces.jsonl").splitlines()[0])
    assert tables.pop("namespaces.jsonl") == list(row)
    headings = {
        name: next(csv.reader([fetch(name).decode().splitlines()[0]]))
        for name in resources
        if name.endswith(".csv")
    }
    assert tables == headings
    # Programs take files with these extensions for tables, or for the columns of one.
    taken = {name for name, each in resources.items() if each["format"] in {"csv", "jsonl"}}
    assert taken == {"namespaces.jsonl", *headings}
    assert resources["namespaces.schema.json"]["format"] != "json"
    for each in resources.values():
        octets = client.get(each["path"].removeprefix(settings.SITE)).content
        assert each["bytes"] == len(octets)
    licences = {
        name: [licence.get("name") for licence in each["licenses"]]
        for name, each in resources.items()
    }
    assert licences.pop("registry-dump.jsonl") == [None]
    assert set(map(tuple, licences.values())) == {("CC0-1.0",)}
    (explained,) = package["licenses"]
    assert explained["path"] == f"{settings.SITE}/about/#licences"
    asked = client.get("/exports/", headers={"Accept": "application/json"})
    assert asked.json() == package


def test_bioregistry_is_told_of_services_that_its_format_can_say(fetch: Fetch) -> None:
    told = json.loads(fetch("bioregistry.json"))

    providers = [each for record in told.values() for each in record.get("providers", [])]
    assert len(providers) > 1
    assert all(each["uri_format"].count("$1") == 1 for each in providers)
    assert all("{" not in each["uri_format"] for each in providers)


@pytest.mark.whole
def test_every_address_of_ours_in_a_graph_answers_with_json_ld(
    client: Client, fetch: Fetch
) -> None:
    read = Graph().parse(data=fetch("registry.ttl"), format="turtle")
    named = {
        str(term).partition("#")[0].removeprefix(settings.SITE)
        for triple in read
        for term in triple
        if isinstance(term, URIRef) and term.startswith(settings.SITE)
    }

    # What jsonld.js and PyLD send.
    accept = {"Accept": "application/ld+json, application/json"}
    answers = {path: client.get(path, headers=accept) for path in sorted(named)}

    assert "/namespaces/isbn/" in named
    assert "/ns" in named
    wrong = {
        path: (answer.status_code, answer["Content-Type"])
        for path, answer in answers.items()
        if (answer.status_code, answer["Content-Type"]) != (200, "application/ld+json")
    }
    assert wrong == {}
    # PyLD makes a list of several alternates, and fails on it.
    assert all(answer.get("Link", "").count('rel="alternate"') < 2 for answer in answers.values())
