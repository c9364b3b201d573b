"""NIDs as prefixes, read by the programs that people use for it."""

from __future__ import annotations

import json
from pathlib import Path

import curies

from tests.costs import not_counting
from tests.exchange.exports.conftest import Fetch


def test_curies_expands_and_compresses_by_the_prefix_map(fetch: Fetch) -> None:
    records = json.loads(fetch("prefixes.epm.json"))

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
