"""IANA's layout, read by programs that read IANA's."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from lxml import etree

from registry.models import Namespace
from tests.exchange.exports.conftest import Fetch

SCHEMA = Path(__file__).parents[3] / "registry/exchange/exports/urn-namespaces.rng"
IN = "{http://www.iana.org/assignments}"


def test_the_xml_has_the_layout_of_iana(fetch: Fetch) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))

    document = etree.fromstring(fetch("urn-namespaces.xml"))

    schema.assertValid(document)
    registries = {each.get("id"): each for each in document.findall(f"{IN}registry")}
    names = {key: each.findall(f"{IN}record/{IN}name") for key, each in registries.items()}
    assert list(registries) == ["urn-namespaces-1", "urn-namespaces-2"]
    assert [each.text for each in names["urn-namespaces-2"]] == [f"urn-{n}" for n in range(1, 9)]
    assert len(names["urn-namespaces-1"]) == 97


def test_a_document_that_breaks_the_layout_is_found_out(fetch: Fetch) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))
    document = etree.fromstring(fetch("urn-namespaces.xml").replace(b"<name>isbn</name>", b""))

    assert not schema.validate(document)


def test_the_csv_files_hold_every_namespace_with_its_references(fetch: Fetch) -> None:
    formal = list(csv.reader(io.StringIO(fetch("urn-namespaces-1.csv").decode())))
    informal = fetch("urn-namespaces-2.csv").decode().splitlines()

    by_name = {row[0]: row for row in formal}
    assert formal[0] == ["URN Namespace", "Template", "Reference"]
    assert by_name["dvb"] == ["dvb", "", "[RFC5328][RFC7354]"]
    assert by_name["seedbank"] == ["seedbank", "urn-formal/seedbank", "[RFC5328][RFC7354]"]
    assert "urn-7,,[RFC6050]" in informal


def test_the_text_names_both_kinds(fetch: Fetch) -> None:
    lines = fetch("urn-namespaces.txt").decode().splitlines()

    assert max(map(len, lines)) <= 100
    assert lines.index("Formal URN Namespaces") < lines.index("Informal URN Namespaces")


def test_a_template_stands_where_iana_has_it(client: Client, registered: None) -> None:
    current = Namespace.objects.get(nid="seedbank").current
    assert current is not None

    answer = client.get("/exports/urn-formal/seedbank")
    elsewhere = client.get("/exports/urn-formal/SeedBank")
    unheld = client.get("/exports/urn-formal/isbn")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().startswith("Namespace Identifier: seedbank")
    assert elsewhere.headers["Location"] == "/exports/urn-formal/seedbank"
    assert unheld.status_code == 404


@pytest.mark.parametrize("name", ["urn-namespaces.xml", "bioregistry.json"])
def test_a_file_is_sent_again_only_when_the_registry_changed(
    name: str, client: Client, fetch: Fetch
) -> None:
    fetch(name)
    etag = client.get(f"/exports/{name}").headers["ETag"]

    same = client.get(f"/exports/{name}", headers={"If-None-Match": etag})
    Namespace.objects.get(nid="isbn").save()
    Namespace.objects.filter(nid="isbn").update(summary="Numbers of books", references=["ISO 2108"])
    Namespace.objects.get(nid="isbn").save()
    changed = client.get(f"/exports/{name}", headers={"If-None-Match": etag})

    assert same.status_code == 304
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag
