"""NIDs as prefixes, read by the programs that people use for it."""

from __future__ import annotations

import json
from pathlib import Path

import curies
import pytest

from tests.costs import not_counting
from tests.exchange.exports.conftest import Fetch


def test_curies_expands_and_compresses_by_the_prefix_map(fetch: Fetch) -> None:
    records = json.loads(fetch("prefixes-all.epm.json"))

    converter = curies.Converter.from_extended_prefix_map(records)

    assert len(records) == 105
    assert converter.expand("isbn:0451450523") == "urn:isbn:0451450523"
    assert converter.expand("ISBN:0451450523") == "urn:isbn:0451450523"
    assert converter.compress("URN:ISBN:0451450523") == "isbn:0451450523"


def test_curies_reads_the_context(fetch: Fetch, tmp_path: Path) -> None:
    path = tmp_path / "context.jsonld"
    path.write_bytes(fetch("context.jsonld"))

    converter = curies.Converter.from_jsonld(path)

    assert converter.expand("urn-7:a") == "urn:urn-7:a"


@pytest.mark.parametrize("nid", ["xmpp", "dvb", "service", "oid", "doi", "pwid", "example"])
def test_nid_that_is_a_uri_scheme_is_a_prefix_only_in_the_files_of_all(
    nid: str, fetch: Fetch
) -> None:
    uri = f"{nid}:alice@org.example"
    for name, is_expanded in (("", False), ("-all", True)):
        records = json.loads(fetch(f"prefixes{name}.epm.json"))
        terms = json.loads(fetch(f"context{name}.jsonld"))["@context"]

        converter = curies.Converter.from_extended_prefix_map(records)

        assert converter.expand(uri) == (f"urn:{uri}" if is_expanded else None)
        assert (nid in terms) is is_expanded
        assert "isbn" in terms


def test_bioregistry_knows_every_namespace_from_our_file(fetch: Fetch) -> None:
    # Importing it takes seconds and starts a process, and only this test needs it.
    with not_counting():
        from bioregistry import Manager, Resource

    resources = {
        prefix: Resource(**facts) for prefix, facts in json.loads(fetch("bioregistry.json")).items()
    }

    manager = Manager(registry=resources, metaregistry={}, collections={}, contexts={})

    assert manager.normalize_prefix("ISBN") == "isbn"
    assert manager.get_iri("isbn", "0451450523") == "urn:isbn:0451450523"
    assert len(manager.registry) == 105
