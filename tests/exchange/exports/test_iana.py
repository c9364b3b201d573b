"""IANA's layout, read by programs that read IANA's."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from lxml import etree

from registry.exchange.exports import refresh_exports
from registry.models import Namespace, Provenance
from registry.selectors import raise_registry_version
from tests.exchange.exports.conftest import Fetch
from tests.records import import_from

SCHEMA = Path(__file__).parents[3] / "registry/exchange/exports/urn-namespaces.rng"
IN = "{http://www.iana.org/assignments}"


def test_xml_has_the_layout_of_iana(fetch: Fetch) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))

    document = etree.fromstring(fetch("urn-namespaces.xml"))

    schema.assertValid(document)
    registries = {each.get("id"): each for each in document.findall(f"{IN}registry")}
    names = {key: each.findall(f"{IN}record/{IN}name") for key, each in registries.items()}
    assert list(registries) == ["urn-namespaces-1", "urn-namespaces-2"]
    assert [each.text for each in names["urn-namespaces-2"]] == [f"urn-{n}" for n in range(1, 9)]
    assert len(names["urn-namespaces-1"]) == 97


def test_document_that_breaks_the_layout_is_found_out(fetch: Fetch) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))
    document = etree.fromstring(fetch("urn-namespaces.xml").replace(b"<name>isbn</name>", b""))

    assert not schema.validate(document)


def test_csv_files_hold_every_namespace_with_its_references(fetch: Fetch) -> None:
    formal = list(csv.reader(io.StringIO(fetch("urn-namespaces-1.csv").decode())))
    informal = fetch("urn-namespaces-2.csv").decode().splitlines()

    by_name = {row[0]: row for row in formal}
    assert formal[0] == ["URN Namespace", "Template", "Reference"]
    assert by_name["dvb"] == ["dvb", "", "[RFC5328][RFC7354]"]
    assert by_name["seedbank"] == ["seedbank", "urn-formal/seedbank", "[RFC5328][RFC7354]"]
    assert "urn-7,,[RFC6050]" in informal
    assert "urn-1,urn-informal/urn-1,[Michael_Mealling]" in informal
    assert by_name["nbn"] == ["nbn", "urn-formal/nbn", "[RFC8458]"]


def test_every_template_whose_address_is_known_is_named(fetch: Fetch) -> None:
    known = Provenance.objects.exclude(template_url="").values_list("namespace__nid", flat=True)

    document = etree.fromstring(fetch("urn-namespaces.xml"))

    named = {
        each.findtext(f"{IN}name"): each.findtext(f"{IN}file[@type='template']")
        for each in document.iter(f"{IN}record")
    }
    assert len(known) > 20
    assert {str(nid).lower() for nid, path in named.items() if path} == {*known, "seedbank"}
    assert named["3gpp2"] == "urn-formal/3gpp2"


def test_references_are_of_the_types_that_iana_uses(fetch: Fetch) -> None:
    namespace = Namespace.objects.get(nid="isbn")
    agency = str(namespace.registrant)
    namespace.references = ["RFC8254", "https://isbn.example/", agency, "Book Agency"]
    namespace.save()

    document = etree.fromstring(fetch("urn-namespaces.xml"))

    [record] = [each for each in document.iter(f"{IN}record") if each[0].text == "isbn"]
    assert [(dict(each.attrib), each.text) for each in record.findall(f"{IN}xref")] == [
        ({"type": "rfc", "data": "rfc8254"}, None),
        ({"type": "uri", "data": "https://isbn.example/"}, None),
        ({"type": "person", "data": "International_ISBN_Agency"}, None),
        ({"type": "text"}, "Book Agency"),
    ]
    etree.RelaxNG(etree.parse(SCHEMA)).assertValid(document)


def test_text_names_both_kinds(fetch: Fetch) -> None:
    lines = fetch("urn-namespaces.txt").decode().splitlines()

    assert max(map(len, lines)) <= 100
    assert lines.index("Formal URN Namespaces") < lines.index("Informal URN Namespaces")


def test_template_stands_where_iana_has_it(client: Client, registered: None) -> None:
    current = Namespace.objects.get(nid="seedbank").current
    assert current is not None

    answer = client.get("/exports/urn-formal/seedbank")
    elsewhere = client.get("/exports/urn-formal/SeedBank")
    unheld = client.get("/exports/urn-formal/ietf")
    at_iana = client.get("/exports/urn-formal/nbn")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().startswith("Namespace Identifier: seedbank")
    assert elsewhere.headers["Location"] == "/exports/urn-formal/seedbank"
    assert unheld.status_code == 404
    assert at_iana.headers["Location"] == "https://www.iana.org/assignments/urn-formal/nbn"


def test_template_that_was_imported_is_given_as_it_was_found(
    client: Client, registered: None, tmp_path: Path
) -> None:
    (tmp_path / "urn-formal").mkdir()
    text = "Namespace Identifier: NBN\n\nVersion: 5\n\nPurpose:\n   To name what is published.\n"
    (tmp_path / "urn-formal/nbn").write_text(text)
    import_from(tmp_path, "nbn")

    answer = client.get("/exports/urn-formal/nbn")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == text


def test_template_that_was_found_at_iana_is_named_although_the_facts_do_not_know_it(
    fetch: Fetch, tmp_path: Path
) -> None:
    Provenance.objects.filter(namespace__nid="nbn").update(template_url="")
    Namespace.objects.filter(nid="nbn").update(references=["Some Library"])
    (tmp_path / "urn-formal").mkdir()
    (tmp_path / "urn-formal/nbn").write_text("Namespace Identifier: NBN\n\nPurpose:\n   Books.\n")

    before = fetch("urn-namespaces-1.csv").decode()
    import_from(tmp_path, "nbn")
    after = fetch("urn-namespaces-1.csv").decode()

    assert "nbn,,[Some Library]" in before
    assert "nbn,urn-formal/nbn,[Some Library]" in after


@pytest.mark.parametrize("name", ["urn-namespaces.xml", "bioregistry.json"])
def test_file_is_sent_again_only_when_the_registry_changed(
    name: str, client: Client, fetch: Fetch
) -> None:
    fetch(name)
    etag = client.get(f"/exports/{name}").headers["ETag"]

    same = client.get(f"/exports/{name}", headers={"If-None-Match": etag})
    Namespace.objects.get(nid="isbn").save()
    Namespace.objects.filter(nid="isbn").update(summary="Numbers of books", references=["ISO 2108"])
    Namespace.objects.get(nid="isbn").save()
    raise_registry_version()
    refresh_exports(at_once=True)
    changed = client.get(f"/exports/{name}", headers={"If-None-Match": etag})

    assert same.status_code == 304
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag
