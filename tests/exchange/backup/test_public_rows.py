"""A public dump has what everyone can read, and nothing else."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.apps import apps
from django.test import Client
from pytest_django import Settings

from registry.exchange.backup import BackupExtent
from registry.exchange.backup.format import TABLES, TERMS_OF_OTHERS
from registry.exchange.backup.public_rows import PUBLIC_ROWS, REPLACED_COLUMNS
from registry.exchange.exports import refresh_exports
from registry.models import Event, Round, User
from registry.selectors.events import public_journal_lines
from tests.conftest import without_triggers
from tests.exchange.backup.conftest import octets, rows
from tests.populated_registry import SECRET, Cast

pytestmark = pytest.mark.django_db


PRIVATE: Final = {
    "account.emailaddress",
    "account.emailconfirmation",
    "admin.logentry",
    "auth.group",
    "auth.group_permissions",
    "mfa.authenticator",
    "registry.absence",
    "registry.checklistanswer",
    "registry.conflictofinterest",
    "registry.contactconfirmation",
    "registry.dates",
    "registry.dismissedfinding",
    "registry.documentsource",
    "registry.entrylink",
    "registry.follow",
    "registry.idempotencyrecord",
    "registry.invitation",
    "registry.letter",
    "registry.locator",
    "registry.locatortable",
    "registry.mailedtemplate",
    "registry.officerchange",
    "registry.pendingcomment",
    "registry.readmarker",
    "registry.recordcontact",
    "registry.registrationrequest_co_editors",
    "registry.reminder",
    "registry.report",
    "registry.schedulerday",
    "registry.speaker",
    "registry.token",
    "registry.user_groups",
    "registry.user_user_permissions",
    "registry.webhook",
    "registry.webhookattempt",
    "registry.webhookdelivery",
    "socialaccount.socialaccount",
    "socialaccount.socialapp",
}
"""The tables of which nothing is public."""


def test_each_model_of_a_dump_lists_its_public_fields_or_is_private() -> None:
    listed = {label for label in TABLES if hasattr(apps.get_model(label), "public_fields")}

    assert listed.isdisjoint(PRIVATE)
    assert listed | PRIVATE == set(TABLES)
    assert {model._meta.label_lower for model in PUBLIC_ROWS} == listed


def test_public_fields_and_replaced_columns_are_of_their_model() -> None:
    models: Any = PUBLIC_ROWS
    missing = [
        (model.__name__, name)
        for model in models
        for name in model.public_fields
        if name not in {each.name for each in model._meta.concrete_fields}
    ]
    replaced = [
        (model.__name__, name)
        for model, columns in REPLACED_COLUMNS.items()
        for name in columns
        if name not in {each.attname for each in model._meta.concrete_fields}
    ]

    assert missing == replaced == []


def test_nothing_private_is_in_a_public_dump(populated: Cast) -> None:
    complete, public = octets(BackupExtent.COMPLETE).decode(), octets(BackupExtent.PUBLIC).decode()
    told = {label for label, found in rows(complete.encode()).items() if SECRET in str(found)}
    assert len(told) >= 20

    private = [SECRET, "@people.example", "md5$", "whsec_"]
    assert {word for word in private if word not in complete} == set()

    assert {word for word in private if word in public} == set()


def test_public_dump_holds_what_was_said_in_public(populated: Cast) -> None:
    found = rows(octets(BackupExtent.PUBLIC))

    assert found.keys() == {model._meta.label_lower for model in PUBLIC_ROWS}
    assert [row["text"] for row in found["registry.message"]] == [
        "Which mills?",
        "Those that turn.",
        "",
        "Mine is one of them.",
    ]
    assert [row["hidden_reason"] for row in found["registry.message"]][2] == "Off topic."
    assert [row["nid"] for row in found["registry.round"]] == ["seedbank", "watermill"]
    assert [row["nid"] for row in found["registry.sighting"]] == ["millstone"]


def test_public_dump_names_licences_and_what_is_on_the_terms_of_others(
    populated: Cast, settings: Settings
) -> None:
    settings.REGISTRY_TEXT_LICENCE = "CC-BY-SA-4.0"

    licences = json.loads(octets(BackupExtent.PUBLIC).splitlines()[0])["licences"]

    assert licences == {"data": "CC0-1.0", "templates": "CC-BY-4.0"} | TERMS_OF_OTHERS


def test_public_dump_says_of_unlicensed_templates_that_they_are_of_others(populated: Cast) -> None:
    with without_triggers():
        Round.objects.filter(nid="seedbank").update(text_licence="")

    licences = json.loads(octets(BackupExtent.PUBLIC).splitlines()[0])["licences"]

    assert licences["templates"] == "CC-BY-4.0"
    assert "text_licence" in licences["registry.round"]


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
