"""A public dump has what everyone can read, and nothing else."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from registry.exchange.backup import BackupExtent
from registry.exchange.backup.format import TABLES, list_table_columns
from registry.exchange.backup.public_rows import PRIVATE_TABLES, PUBLIC_TABLES
from registry.exchange.exports import refresh_exports
from registry.models import Event, User
from registry.selectors.events import public_journal_lines
from tests.exchange.backup.conftest import octets, rows
from tests.populated_registry import SECRET, Cast

pytestmark = pytest.mark.django_db


def test_every_table_is_public_or_kept_back_for_a_reason() -> None:
    assert {*PUBLIC_TABLES, *PRIVATE_TABLES} == set(TABLES)
    assert not PUBLIC_TABLES.keys() & PRIVATE_TABLES.keys()


def test_columns_that_are_said_otherwise_or_kept_back_are_there() -> None:
    unknown = {
        label: special - {column.attname for column in list_table_columns(label)}
        for label, part in PUBLIC_TABLES.items()
        if (special := {*part.instead, *part.kept_back})
    }

    assert set().union(*unknown.values()) == set()


def test_nothing_private_is_in_a_public_dump(populated: Cast) -> None:
    complete, public = octets(BackupExtent.COMPLETE).decode(), octets(BackupExtent.PUBLIC).decode()
    told = {label for label, found in rows(complete.encode()).items() if SECRET in str(found)}
    assert len(told) >= 20

    private = [SECRET, "@people.example", "md5$", "whsec_"]
    assert {word for word in private if word not in complete} == set()

    assert {word for word in private if word in public} == set()


def test_public_dump_holds_what_was_said_in_public(populated: Cast) -> None:
    found = rows(octets(BackupExtent.PUBLIC))

    assert found.keys() == PUBLIC_TABLES.keys()
    assert [row["text"] for row in found["registry.message"]] == [
        "Which mills?",
        "Those that turn.",
        "",
        "Mine is one of them.",
    ]
    assert [row["hidden_reason"] for row in found["registry.message"]][2] == "Off topic."
    assert [row["nid"] for row in found["registry.round"]] == ["seedbank", "watermill"]
    assert [row["nid"] for row in found["registry.sighting"]] == ["millstone"]


def test_lines_that_are_not_for_everybody_say_nothing_but_their_entries(populated: Cast) -> None:
    withheld = Event.objects.exclude(pk__in=public_journal_lines().values("pk"))
    assert any(line.comment for line in withheld)
    assert any(line.registration_request_id for line in withheld)
    numbers = set(withheld.values_list("number", flat=True))

    lines = rows(octets(BackupExtent.PUBLIC))["registry.event"]

    told = [line for line in lines if line["number"] in numbers]
    assert len(told) == len(numbers)
    chained = {"id", "number", "entry", "digest"}
    said = {
        (name, json.dumps(value))
        for line in told
        for name, value in line.items()
        if name not in chained
    }
    assert said == {
        ("at", '"1970-01-01T00:00:00+00:00"'),
        ("actor_id", "null"),
        ("actor_name", '""'),
        ("verb", '"withheld"'),
        ("subject", '""'),
        ("registration_request_id", "null"),
        ("namespace_id", "null"),
        ("source", '""'),
        ("target", '""'),
        ("comment", '""'),
        ("data", "{}"),
        ("rows", "{}"),
        ("statement", '""'),
        ("actor_salt", '""'),
        ("details_salt", '""'),
        ("seal_salt", '""'),
    }


def test_people_go_by_the_name_that_they_acted_under(populated: Cast) -> None:
    named = [row["name"] for row in rows(octets(BackupExtent.PUBLIC))["registry.user"]]

    assert sorted(named) == [
        "Ede Expert",
        "Lova Lead",
        "Olaf Outsider",
        "Rafe Registrar",
        "Runa Registrant",
    ]
    assert User.objects.count() > len(named)


def test_everybody_fetches_the_public_dump_from_the_page_of_exports(populated: Cast) -> None:
    refresh_exports()

    response = Client().get("/exports/registry-dump.jsonl")

    assert response.content == octets(BackupExtent.PUBLIC)
    assert response["Content-Type"] == "application/x-ndjson"
    assert json.loads(response.content.splitlines()[0])["extent"] == "public"
    assert "registry-dump.jsonl" in Client().get("/exports/").content.decode()
