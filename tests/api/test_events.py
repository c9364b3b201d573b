"""The journal, as outsiders read and verify it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from registry import sightings, workflow
from registry.actions import speakers
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.transparency.entries import commit_to
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

READ = "/api/v1/events/"


def lines(client: Client, **asked: Any) -> list[dict[str, Any]]:
    """Return the requested events of the journal, from all pages."""
    answer = client.get(READ, {**asked, "page_size": 3}).json()
    found: list[dict[str, Any]] = answer["results"]
    while answer["next"]:
        answer = client.get(answer["next"]).json()
        found += answer["results"]
    return found


def actor_of(number: int) -> int | None:
    """Return the key of an event's actor."""
    return Event.objects.get(number=number).actor_id


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User) -> Namespace:
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    return Namespace.objects.get()


def test_outsider_holds_each_line_against_its_entry(
    registered: Namespace, informal_draft: RegistrationRequest, expert: User, client: Client
) -> None:
    sightings.note_sighting(nid="seen-1", actor=expert, evidence="In a letter.")

    found = lines(client)

    assert [each["number"] for each in found] == list(range(1, Event.objects.count() + 1))
    for each in found:
        leaf = hashlib.sha256(b"\0" + each["entry"].encode()).hexdigest()
        assert leaf == each["digest"]
        said = json.loads(each["statement"] or each["entry"])
        assert said["n"] == each["number"]
        if each["verb"] is not None:
            assert (said["verb"], said["source"] or None) == (each["verb"], each["source"])
            actor = {"id": actor_of(each["number"]), "name": each["actor"]}
            assert said["actor"] == commit_to(each["actor_salt"], actor)
    hidden = [each["number"] for each in found if each["verb"] is None]
    assert hidden == list(informal_draft.events.values_list("number", flat=True))


def test_line_that_was_changed_is_found_out(registered: Namespace, client: Client) -> None:
    (line,) = lines(client, verb="register")

    forged = line["entry"].replace("seedbank", "seedbang")

    assert forged != line["entry"]
    assert hashlib.sha256(b"\0" + forged.encode()).hexdigest() != line["digest"]


def test_events_of_drafts_and_delegates_tell_nothing_but_a_place(
    informal_draft: RegistrationRequest,
    organization: Organization,
    registrar: User,
    client: Client,
) -> None:
    person = UserFactory.create()
    speakers.record_speaker(organization, person.email, "A letter.", actor=registrar)

    told = lines(client)

    assert [{name for name, value in each.items() if value is not None} for each in told] == [
        {"number", "digest", "entry"}
    ] * 2
    assert [set(json.loads(each["entry"])) for each in told] == [{"v", "n", "sealed", "about"}] * 2
    assert lines(client, request=informal_draft.slug) == []
    assert lines(client, verb="start") == []
    assert lines(client, nid="urn-n") == []


@pytest.mark.parametrize(
    ("asked", "verbs"),
    [
        ({"verb": "assign"}, ["assign"]),
        ({"nid": "SEEDBANK"}, ["start", "submit", "assign", "approve", "register"]),
        ({"nid": "seedbank", "since": 3}, ["approve", "register"]),
        ({"request": "r-2026-0001", "verb": "approve"}, ["approve"]),
        ({"nid": "nothing"}, []),
        ({"request": "R-2026-9999"}, []),
        ({"since": 4, "sort": "-number"}, ["register"]),
    ],
)
def test_journal_is_narrowed(
    asked: dict[str, Any], verbs: list[str], registered: Namespace, client: Client
) -> None:
    reference = RegistrationRequest.objects.get().slug
    if "request" in asked and asked["request"].startswith("r"):
        asked = {**asked, "request": reference}

    assert [each["verb"] for each in lines(client, **asked)] == verbs


def test_history_of_a_namespace_has_its_requests_too(registered: Namespace, client: Client) -> None:
    told = client.get("/api/v1/namespaces/SeedBank/events/").json()["results"]

    assert [each["verb"] for each in told] == ["start", "submit", "assign", "approve", "register"]
    assert told[-1]["nid"] == "seedbank"
