"""The data that the registry ships is in good order."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from registry.enums import NamespaceKind, ReservedList
from registry.exchange import seed
from registry.exchange.seed.csv_files import NAMESPACE_COLUMNS, PROVENANCE_COLUMNS, read_csv_table
from registry.exchange.seed.namespaces import DATA_FOLDER
from registry.models import ReservedName
from registry.urn import parse
from registry.urn.nid import informal_number

ENTRIES = seed.read_namespaces()
RESERVED = seed.read_reserved_names()


def test_96_formal_and_8_informal_namespaces_are_shipped() -> None:
    kinds = Counter(entry.facts["kind"] for entry in ENTRIES)

    assert kinds == {NamespaceKind.FORMAL: 96, NamespaceKind.INFORMAL: 8}


def test_informal_numbers_run_from_1_to_8() -> None:
    numbers = [informal_number(entry.nid) for entry in ENTRIES]

    assert sorted(number for number in numbers if number) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.nid)
def test_every_shipped_nid_begins_a_urn(entry: seed.SeedNamespace) -> None:
    assert parse(f"urn:{entry.nid}:x").nid == entry.facts["nid_as_registered"]


def test_no_guess_and_no_unchecked_address_is_a_fact() -> None:
    rows = {
        row["nid"]: row
        for row in read_csv_table(seed.NAMESPACES_FILE, list(NAMESPACE_COLUMNS)).rows
    }
    guessed = {nid for nid, row in rows.items() if "(assumed)" in row["registrant_organization"]}
    patterns = {
        row["nid"]
        for row in read_csv_table(seed.PROVENANCE_FILE, list(PROVENANCE_COLUMNS)).rows
        if row["template_url_source"] == "pattern"
    }
    assert (len(guessed), len(patterns)) == (5, 16)

    loaded = {entry.nid: entry for entry in ENTRIES}

    assert {
        nid for nid in guessed if loaded[nid].registrant or loaded[nid].facts["summary"]
    } == set()
    assert {nid for nid in patterns if loaded[nid].provenance["template_url"]} == set()


def test_dates_keep_the_precision_they_have() -> None:
    lengths = Counter(len(entry.facts["registered_on"]) for entry in ENTRIES)

    assert lengths == {0: 31, 7: 63, 10: 10}


@pytest.mark.parametrize(
    ("nid", "registered", "source"),
    [
        ("cablelabs", "2011-06", "rfc-month-seen"),
        ("eurosystem", "2014-04", "rfc-month-seen"),
        ("lex", "2025-05", "rfc-month-seen"),
        ("oid", "2000-11", "rfc-month-seen"),
        ("pno", "2024-05-14", "template-date"),
        ("pwid", "2022-11-15", "template-date"),
    ],
)
def test_dates_are_those_of_the_documents_of_record(nid: str, registered: str, source: str) -> None:
    (entry,) = (each for each in ENTRIES if each.nid == nid)

    assert entry.facts["registered_on"] == registered
    assert entry.provenance["registered_source"] == source


def test_nbn_has_the_version_of_its_page_at_iana() -> None:
    (entry,) = (each for each in ENTRIES if each.nid == "nbn")

    assert entry.facts["last_known_version"] == "5"
    assert entry.provenance["template_date"] == "2018-04-09"


def test_no_month_of_an_rfc_is_from_memory() -> None:
    sources = {entry.provenance["registered_source"] for entry in ENTRIES}

    assert sources == {"iana-record", "template-date", "rfc-month-seen", "none"}


def test_unverified_references_are_marked() -> None:
    unverified = [entry for entry in ENTRIES if not entry.provenance["is_verified"]]

    assert len(unverified) == 24
    assert "ddi" in {entry.nid for entry in unverified}


def test_texts_for_readers_are_no_working_notes() -> None:
    services = seed.read_services()
    texts = [each.facts["source"] for each in services]
    texts += [entry.facts["background"] for entry in ENTRIES]
    texts += [each for entry in ENTRIES for each in entry.facts["references"]]

    assert [each for each in texts if re.search(r"knowledge|checked|memory|2026|_", each)] == []


def test_background_cites_the_rfc_that_it_is_from() -> None:
    told = {entry.nid: entry.facts["background"] for entry in ENTRIES if entry.facts["background"]}

    assert told["isbn"] == "First registered by RFC 3187, which is Historic since 2017 (RFC 8254)."
    assert {nid for nid, text in told.items() if not re.search(r"RFC \d{4}", text)} == set()


def test_reserved_lists_hold_what_their_sources_hold() -> None:
    counts = Counter(name_list for name_list, _name in RESERVED)

    assert counts == {
        ReservedList.SCHEME: 406,
        ReservedList.DOMAIN: 1294,
        ReservedList.COUNTRY: 498,
        ReservedList.SYSTEM: 68,
    }


@pytest.mark.parametrize(
    ("key", "note"),
    [
        pytest.param((ReservedList.COUNTRY, "nzl"), "New Zealand", id="alpha-3"),
        pytest.param((ReservedList.COUNTRY, "nz"), "New Zealand", id="alpha-2"),
        pytest.param((ReservedList.DOMAIN, "museum"), "", id="top-level-domain"),
        pytest.param((ReservedList.SCHEME, "doi"), "", id="scheme"),
        pytest.param((ReservedList.SYSTEM, "ark"), "Archival Resource Keys", id="system"),
    ],
)
def test_reserved_names_say_what_they_stand_for(key: tuple[str, str], note: str) -> None:
    assert RESERVED[key] == note


def test_reserved_names_fit_into_their_table() -> None:
    longest = ReservedName._meta.get_field("name").max_length or 0

    assert [name for _list, name in RESERVED if name != name.lower() or len(name) > longest] == []


def test_no_identifier_system_on_the_list_is_a_registered_namespace() -> None:
    systems = {name for name_list, name in RESERVED if name_list == ReservedList.SYSTEM}

    assert systems & {entry.nid for entry in ENTRIES} == set()


SIGHTINGS = seed.read_sightings()


def test_identifiers_in_use_without_registration_are_known_to_reviewers() -> None:
    nids = {each.nid for each in SIGHTINGS}

    assert len(nids) == len(SIGHTINGS) == 56
    assert nids >= {
        "nir",
        "ngsi-ld",
        "lsid",
        "hl7",
        "microsoft",
        "schemas-microsoft-com",
        "dial-multiscreen-org",
        "li",
        "x-ogc",
    }


@pytest.mark.parametrize("entry", SIGHTINGS, ids=lambda entry: entry.nid)
def test_every_identifier_in_use_has_a_user_an_example_and_a_public_source(
    entry: seed.SeedSighting,
) -> None:
    example, _, source = entry.evidence.partition("\n\nSource: ")

    assert entry.user_of_it
    assert f"urn:{entry.nid}" in example.lower()
    assert source.startswith(("https://", "http://"))


def test_nothing_registered_is_listed_as_in_use_without_registration() -> None:
    assert {each.nid for each in SIGHTINGS} & {entry.nid for entry in ENTRIES} == set()


def test_every_file_is_described_with_its_source() -> None:
    described = (DATA_FOLDER / "README.md").read_text("utf-8")
    files = {path.name for path in DATA_FOLDER.iterdir() if path.suffix in {".csv", ".txt"}}

    assert len(files) == 10
    assert {name for name in files if f"| `{name}` |" not in described} == set()
