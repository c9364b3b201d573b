"""Unknown values are the same in every format: null, no cell, no element, no statement."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from lxml import etree
from rdflib import Graph, Literal

from registry import sightings, workflow
from registry.actions import remarks
from registry.enums import RemarkWeight, State
from registry.exchange.exports import refresh_exports
from registry.exchange.exports.absence import is_absent
from registry.exchange.exports.xml_documents import remove_barred_characters
from registry.http.formats import FORMATS_BY_THING
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory
from tests.records import copy_documents, import_from, make_imported_namespace

pytestmark = [
    pytest.mark.django_db,
    # rdflib reads JSON-LD with a class of its own that it has deprecated.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
]
ROOTS = ("namespaces", "requests", "organizations", "sightings")


@pytest.fixture
def pages(
    approved: RegistrationRequest, expert: User, registrar: User, tmp_path: Path
) -> list[tuple[str, str]]:
    """Things with much and with little known about them, and their pages."""
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    NamespaceFactory.create(nid="bare", summary="", registered_on="", registrant=None)
    make_imported_namespace("wickpat", "RFC9999")
    import_from(copy_documents(tmp_path), "wickpat")
    sightings.note_sighting(nid="playbill", actor=expert, evidence="In a letter.")
    return [
        *(("namespace", f"/namespaces/{nid}") for nid in ("bare", "seedbank", "wickpat")),
        ("version", "/namespaces/seedbank/versions/1"),
        ("record", "/namespaces/wickpat/records/1"),
        ("request", f"/requests/{approved.slug}"),
        ("round", f"/requests/{approved.slug}/rounds/1"),
        ("organization", f"/organizations/{approved.organization_id}"),
        *((name, f"/{name}") for name in ROOTS),
    ]


def leaves(value: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every leaf value of JSON, with the names that lead to it."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from leaves(each, *path, name)
    elif isinstance(value, list) and value:
        for each in value:
            yield from leaves(each, *path)
    else:
        yield path, value


def written(value: Any) -> str:
    """Return a value as XML writes it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return remove_barred_characters(text)


def test_no_text_of_the_json_is_empty(pages: list[tuple[str, str]], client: Client) -> None:
    told = {page: client.get(f"{page}.json").json() for _thing, page in pages}

    found = [(page, *path) for page in told for path, value in leaves(told[page]) if value == ""]
    nulls = [path for page in told for path, value in leaves(told[page]) if value is None]
    assert found == []
    assert len(nulls) > 30


def test_element_stands_for_each_value_and_for_nothing_else(
    pages: list[tuple[str, str]], client: Client
) -> None:
    for thing, page in pages:
        if thing == "namespaces":  # In IANA's layout.
            continue
        told = client.get(f"{page}.json").json()
        told = told["results"] if thing in ROOTS else told
        known = [written(value) for _path, value in leaves(told) if not is_absent(value)]
        if thing == "version":  # It says of what, as its address does.
            known.insert(0, "seedbank")

        root = etree.fromstring(client.get(f"{page}.xml").content)
        texts = [each.text for each in root.iter() if len(each) == 0]

        assert texts == known, page


def test_cell_is_empty_where_the_value_is_absent_and_nowhere_else(
    pages: list[tuple[str, str]], client: Client
) -> None:
    empty = 0
    for thing, page in pages:
        if "csv" not in FORMATS_BY_THING[thing]:
            continue
        told = client.get(f"{page}.json").json()
        rows = told["results"] if thing in ROOTS else [told]

        read = list(csv.DictReader(io.StringIO(client.get(f"{page}.csv").content.decode())))

        assert len(read) == len(rows)
        for row, facts in zip(read, rows, strict=True):
            for column, cell in row.items():
                value: Any = facts
                for name in column.split("."):
                    value = value.get(name) if isinstance(value, dict) else None
                if column.partition(".")[0] in facts:
                    assert (cell == "") is is_absent(value), (page, column)
                empty += cell == ""
    assert empty > 20


def test_no_statement_of_a_graph_is_empty(pages: list[tuple[str, str]], client: Client) -> None:
    for thing, page in pages:
        if "ttl" not in FORMATS_BY_THING[thing]:
            continue

        graph = Graph().parse(data=client.get(f"{page}.ttl").content, format="turtle")

        texts = {str(each) for each in graph.objects() if isinstance(each, Literal)}
        assert not texts & {"", "None", "null", "[]"}, page


def test_lines_of_the_table_have_no_empty_text(
    pages: list[tuple[str, str]], client: Client
) -> None:
    refresh_exports(at_once=True)

    lines = client.get("/exports/namespaces.jsonl").content.decode().splitlines()

    rows = [json.loads(line) for line in lines]
    assert [row for row in rows if "" in row.values()] == []
    assert any(row["pattern"] is None for row in rows)


def test_missing_values_of_remarks_and_waiting_are_null(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    remarks.add_remark(
        in_review,
        actor=expert,
        round_number=1,
        section="purpose",
        weight=RemarkWeight.QUESTION,
        text="Why?",
    )

    told = client.get(f"/api/v1/requests/{in_review.slug}/").json()

    assert told["state"] == State.IN_REVIEW
    assert (told["remarks"][0]["quote"], told["remarks"][0]["answer"]) == (None, None)
    assert (told["waiting"]["late"], told["waiting"]["alarm"]) == (None, None)


@pytest.mark.parametrize(
    ("value", "absent"),
    [(None, True), ("", True), ([], True), ({}, True), (0, False), (False, False), ("0", False)],
)
def test_number_and_a_no_are_values(value: object, absent: bool) -> None:
    assert is_absent(value) is absent
