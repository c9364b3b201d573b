"""IANA's list is read as a whole, or refused as a whole."""

from __future__ import annotations

import pytest

from registry.exchange.exports.entries import list_entries
from registry.exchange.exports.xml_documents import write_iana_xml
from registry.exchange.iana import InvalidListing, read_listing
from registry.models import Namespace, Provenance
from tests.exchange.iana.lists import FIRST_INFORMAL, GROWN, KNOWN, TAR, listing, record
from tests.records import make_imported_namespace


def test_each_record_gives_spelling_date_references_and_template() -> None:
    read = read_listing(GROWN)

    assert read.updated_on == "2026-06-02"
    assert sorted(read.entries) == ["oakum", "pitch", "rope", "tar", "urn-1", "urn-2"]
    pitch, oakum = read.entries["pitch"], read.entries["oakum"]
    assert (pitch.kind, pitch.date, pitch.references) == ("formal", "2026-06-02", ("RFC9993",))
    assert pitch.template_address == "https://www.iana.org/assignments/urn-formal/pitch"
    assert (oakum.references, oakum.registrants) == (("Otto Oakum",), ("Otto Oakum",))
    assert read.entries["urn-1"].kind == "informal"


def test_template_is_found_however_it_is_pointed_to() -> None:
    odd = KNOWN.replace(
        b'<file type="template">urn-formal/oakum</file>',
        b'<template><xref type="text" data="urn-formal/oakum"/></template>',
    )

    assert read_listing(odd).entries["oakum"].template == "urn-formal/oakum"


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        (KNOWN[: len(KNOWN) // 2], "is not XML, or is incomplete"),
        (b"", "is not XML, or is incomplete"),
        (b"<html><body>Sorry</body></html>", "not IANA's list"),
        (KNOWN.replace(b'id="urn-namespaces"', b'id="media-types"'), "not IANA's list"),
        (KNOWN.replace(b"urn-namespaces-2", b"urn-namespaces-9"), "no registry “urn-namespaces-2”"),
        (listing([TAR, TAR], []), "has “tar” twice"),
        (listing([record("Tar"), TAR], []), "has “tar” twice"),
        (listing([record("no name")], []), "“no name”, which is not an identifier"),
        (listing([FIRST_INFORMAL], []), "has “urn-1” as formal"),
        (listing([record("tar", date="yesterday")], []), "dates “tar” “yesterday”"),
        (
            KNOWN.replace(b"<?xml-stylesheet", b'<!DOCTYPE r [<!ENTITY a "aa">]><?xml-stylesheet'),
            "has what no list needs",
        ),
        (b" " * 8_000_001, "is longer than 8000000 octets"),
    ],
)
def test_incomplete_listing_is_refused_with_the_reason(octets: bytes, why: str) -> None:
    with pytest.raises(InvalidListing, match=why):
        read_listing(octets)


@pytest.mark.django_db
def test_our_own_list_is_read_as_what_the_registry_says() -> None:
    make_imported_namespace(
        "oakum", "Otto Oakum", template_url="https://www.iana.org/assignments/urn-formal/oakum"
    )
    make_imported_namespace("tar", "RFC9990", "https://tar.example/names", "Tar Board")
    Namespace.objects.filter(nid="tar").update(registered_on="2004-05")

    read = read_listing("".join(write_iana_xml(list_entries())).encode())

    assert {nid: (each.references, each.date) for nid, each in read.entries.items()} == {
        "oakum": (("Otto Oakum",), ""),
        "tar": (("RFC9990", "https://tar.example/names", "Tar Board"), "2004-05"),
    }
    assert (
        read.entries["oakum"].template_address
        == Provenance.objects.get(namespace__nid="oakum").template_url
    )
    assert read.entries["tar"].template == ""
