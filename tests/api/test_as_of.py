"""The registry as it was at another time: `?as_of=`."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import journal, workflow
from registry.demonstration.samples import PastAct, perform_in_the_past
from registry.enums import ChangeKind, RequestPath
from registry.journal.log_worker import build_log
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.selectors.as_of import (
    Moment,
    UnknownMoment,
    list_namespaces_as_of,
    parse_moment,
    requests_as_of,
)
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.notes import Note
from registry.transparency.replay import StateReplay
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import CHECKPOINT_PATH, TILE_WIDTH, TileTree
from registry.workflow import drafts
from tests import small_changes
from tests.factories import NamespaceFactory, OrganizationFactory, start
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

MORE_OF_PURPOSE = "Says more of purpose."

NOW = datetime.datetime(2026, 11, 22, 12, tzinfo=datetime.UTC)


def ago(days: float) -> str:
    """Return the time `days` days ago, in the form that addresses expect."""
    then = timezone.now() - datetime.timedelta(days)
    return then.strftime("%Y-%m-%dT%H:%M:%SZ")


def then(client: Client, path: str, as_of: str, **asked: str) -> Any:
    """Return the state at that time."""
    return client.get(f"/api/v1/{path}", {"as_of": as_of, **asked}).json()


# Moments


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("2004", "2005-01-01T00:00:00+00:00"),
        ("2004-12", "2005-01-01T00:00:00+00:00"),
        ("2004-02-29", "2004-03-01T00:00:00+00:00"),
        ("2004-02-29T10:00:00+02:00", "2004-02-29T08:00:00+00:00"),
        ("2004-02-29 10:00:00Z", "2004-02-29T10:00:00+00:00"),
        ("2026", "2026-11-22T12:00:00+00:00"),
        ("2026-11-22", "2026-11-22T12:00:00+00:00"),
    ],
)
def test_date_means_its_end_and_one_that_is_not_over_now(text: str, until: str) -> None:
    NamespaceFactory.create(registered_on="1999-08")

    assert parse_moment(text, NOW).at.isoformat() == until


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2027", "is in the future"),
        ("2026-11-23", "is in the future"),
        ("2026-11-22T12:00:01Z", "is in the future"),
        ("1999-07-31", "The registry knows of nothing before 1999-08."),
        ("2004-02-30", "is not a date"),
        ("2004-2-3", "is not a date"),
        ("2004-02-29T10:00:00", "is not a date"),
        ("yesterday", "is not a date"),
        ("9998", "is in the future"),
        ("9999", "is not a date"),
        ("0000", "is not a date"),
        ("", "is not a date"),
        ("９９９９", "is not a date"),
        ("0001-01-01T00:00:00+14:00", "is not a date"),
    ],
)
def test_invalid_moment_of_the_registry_is_named(text: str, words: str) -> None:
    NamespaceFactory.create(registered_on="1999-08")

    with pytest.raises(UnknownMoment, match=words):
        parse_moment(text, NOW)


def test_address_that_asks_for_no_such_moment_is_told(client: Client) -> None:
    NamespaceFactory.create(nid="old", registered_on="1999-08")

    for path in ("namespaces/", "namespaces/old/", "requests/"):
        future, before = (then(client, path, year) for year in ("9000", "1990"))
        assert (future["status"], list(future["errors"])) == (400, ["as_of"])
        assert "1999-08" in before["errors"]["as_of"][0]


# Namespaces


@pytest.mark.parametrize(
    ("as_of", "was"),
    [
        ("2003", None),
        ("2003-12-31", None),
        ("2004-01-01", "perhaps"),
        ("2004-12-30", "perhaps"),
        ("2004-12-31", "yes"),
        ("2004", "yes"),
        ("2005", "yes"),
    ],
)
def test_date_known_in_part_is_certain_only_when_it_is_over(
    as_of: str, was: str | None, client: Client
) -> None:
    NamespaceFactory.create(nid="old", registered_on="2004", contact="Desk")
    NamespaceFactory.create(nid="older", registered_on="1999")

    told = then(client, "namespaces/", as_of)["results"]
    one = then(client, "namespaces/old/", as_of)

    assert [each.get("was_registered") for each in told if each["nid"] == "old"] == (
        [was] if was else []
    )
    assert (one.get("was_registered"), one.get("status")) == (was, 404 if was is None else None)


def test_namespace_of_unknown_day_was_registered_perhaps(client: Client) -> None:
    NamespaceFactory.create(nid="old", registered_on="")
    NamespaceFactory.create(nid="older", registered_on="1999")

    told = then(client, "namespaces/", "2001")["results"]

    assert [(each["nid"], each["was_registered"]) for each in told] == [
        ("old", "perhaps"),
        ("older", "yes"),
    ]


def test_unrecorded_facts_are_not_known(client: Client) -> None:
    namespace = NamespaceFactory.create(nid="old", registered_on="1999", contact="Desk")
    journal.append(namespace, actor=None, verb="import", data={"source": "A list"})

    past, present = then(client, "namespaces/old/", "2001"), then(client, "namespaces/old/", "2026")

    assert (past["status"], past["contact"], past["references"]) == (None, None, None)
    assert (present["status"], present["contact"]) == ("active", "Desk")


@pytest.fixture
def lived(
    registrant: User, expert: User, registrar: User, organization: Organization
) -> RegistrationRequest:
    """A namespace requested 30 days ago, registered 20 days ago, and changed since.

    Its contact changed 15 days ago, its status 10 days ago; it was revised 5 days ago.
    """
    organization.delegates.add(registrant)
    made: dict[str, RegistrationRequest] = {}

    def ask() -> None:
        made["new"] = start(registrant, organization, FORMAL, RequestPath.COMMUNITY)
        workflow.perform(made["new"], "submit", actor=registrant)

    def decide(name: str) -> None:
        workflow.perform(made[name], "assign", actor=expert)
        workflow.perform(made[name], "approve", actor=expert, comment="Sound.")

    def register(name: str, **data: Any) -> None:
        workflow.perform(made[name], "register", actor=registrar, **data)

    def amend(change: ChangeKind) -> None:
        made[change] = small_changes.send(Namespace.objects.get(), change, registrant)
        small_changes.bring_second_officer(made[change])
        register(change)

    def revise() -> None:
        namespace = Namespace.objects.get()
        made["revision"] = drafts.start_request(
            author=registrant,
            path=RequestPath.COMMUNITY,
            organization=organization,
            summary="Accessions and more",
            namespace=namespace,
            change=ChangeKind.REVISION,
        )
        draft = made["revision"].draft
        assert draft is not None
        text = FORMAL.replace(revision_information=MORE_OF_PURPOSE)
        drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
        workflow.perform(made["revision"], "submit", actor=registrant)
        decide("revision")
        register("revision", references=["Edition 2"])

    perform_in_the_past(
        [
            PastAct(30, ask),
            PastAct(25, lambda: decide("new")),
            PastAct(20, lambda: register("new", references=["Edition 1"])),
            PastAct(15, lambda: amend(ChangeKind.CONTACT)),
            PastAct(10, lambda: amend(ChangeKind.STATUS)),
            PastAct(5, revise),
        ]
    )
    return made["new"]


@pytest.mark.whole
def test_facts_of_a_namespace_are_those_of_the_day(
    lived: RegistrationRequest, client: Client
) -> None:
    def told(days: float) -> tuple[Any, ...]:
        facts = then(client, "namespaces/seedbank/", ago(days))
        names = ("status", "contact", "references", "version", "summary")
        return tuple(facts.get(name) for name in names)

    first, changed = lived.summary, "Identifier desk, urn@northlight.example"
    assert then(client, "namespaces/seedbank/", ago(21))["status"] == 404
    assert told(19) == ("active", None, ["Edition 1"], 1, first)
    assert told(14) == ("active", changed, ["Edition 1"], 1, first)
    assert told(9) == ("deprecated", changed, ["Edition 1"], 1, first)
    assert told(4) == ("deprecated", changed, ["Edition 2"], 2, "Accessions and more")
    present = client.get("/api/v1/namespaces/seedbank/").json()
    assert told(0) == tuple(
        present[name] for name in ("status", "contact", "references", "version", "summary")
    )


@pytest.mark.whole
def test_text_in_force_is_that_of_the_day(lived: RegistrationRequest, client: Client) -> None:
    before = then(client, "namespaces/seedbank/", ago(9))
    after = then(client, "namespaces/seedbank/", ago(4))

    assert before["current"]["template"]["revision_information"] is None
    assert after["current"]["template"]["revision_information"] == MORE_OF_PURPOSE
    assert [each["version"] for each in before["versions"]] == [1]
    assert [each["version"] for each in after["versions"]] == [2, 1]


@pytest.mark.whole
def test_list_of_a_day_is_narrowed_by_what_was_so(
    lived: RegistrationRequest, client: Client
) -> None:
    for _ in range(3):
        NamespaceFactory.create(registered_on="1999")

    def nids(days: float, **asked: str) -> list[str]:
        found = then(client, "namespaces/", ago(days), **asked)["results"]
        return [each["nid"] for each in found]

    assert nids(14, status="active") == ["seedbank"]
    assert nids(9, status="active") == []
    assert nids(9, status="deprecated") == ["seedbank"]
    assert len(nids(21)) == 3
    assert nids(14, kind="informal") == []


def test_list_of_a_day_goes_on_by_its_cursor(client: Client) -> None:
    for n in range(5):
        NamespaceFactory.create(nid=f"old{n}", registered_on="1999")

    first = then(client, "namespaces/", "2001", page_size="2")
    second = client.get(first["next"]).json()
    back = client.get(second["previous"]).json()

    assert [each["nid"] for each in second["results"]] == ["old2", "old3"]
    assert back["results"] == first["results"]
    assert (first["previous"], back["previous"]) == (None, None)


def test_filters_that_look_at_today_are_refused_for_another_day(client: Client) -> None:
    NamespaceFactory.create(registered_on="1999")

    refused = then(client, "namespaces/", "2001", has="revision", q="seed")

    assert (refused["status"], sorted(refused["errors"])) == (400, ["has", "q"])


# Requests


@pytest.mark.whole
def test_request_was_in_the_state_of_the_day(lived: RegistrationRequest, client: Client) -> None:
    path = f"requests/{lived.slug}/"

    def told(days: float) -> tuple[Any, ...]:
        was = then(client, path, ago(days))
        return was["state"], was["namespace"], [each["verb"] for each in was["events"]]

    assert then(client, path, ago(29.9))["state"] == "in_review"
    assert told(26) == ("in_review", None, ["start", "submit"])
    assert told(22) == ("approved", None, ["start", "submit", "assign", "approve"])
    assert told(1)[:2] == ("registered", "seedbank")


@pytest.mark.whole
def test_request_was_not_public_before_its_first_round(
    lived: RegistrationRequest, client: Client
) -> None:
    NamespaceFactory.create(registered_on="1999")

    one = then(client, f"requests/{lived.slug}/", ago(31))
    every = then(client, "requests/", ago(31))

    assert (one["status"], every["results"]) == (404, [])


@pytest.mark.whole
def test_requests_of_a_day_are_narrowed_by_what_was_so(
    lived: RegistrationRequest, client: Client
) -> None:
    def references(days: float, **asked: str) -> list[str]:
        found = then(client, "requests/", ago(days), **asked)["results"]
        return [each["reference"] for each in found]

    assert references(26, state="in_review") == [lived.reference]
    assert references(22, state="in_review") == []
    assert references(22, state="open") == [lived.reference]
    assert references(22, nid="SEEDBANK") == [lived.reference]
    assert references(22, nid="other") == []


# The log


def read_published_entries(settings: Settings) -> list[dict[str, Any]]:
    """Return the entries of the log as anyone can read them."""
    source = FolderSource(settings.REGISTRY_LOG_DIR)
    size = Checkpoint.of(Note.parse(source.read(CHECKPOINT_PATH))).size
    tree = TileTree(source, size)
    bundles = map(tree.read_entries, range(-(-size // TILE_WIDTH)))
    return [json.loads(entry) for bundle in bundles for entry in bundle]


@dataclass
class ToldByLog:
    """What the entries of a log said last: facts by rows, and states of requests."""

    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)


def replay_until(entries: list[dict[str, Any]], moment: Moment) -> ToldByLog:
    """Return what the entries before a time said, none of which contradicts another."""
    replay, told = StateReplay(), ToldByLog()
    for entry in entries[1:]:
        if "sealed" in entry:
            assert list(replay.read_sealed(entry["n"], entry)) == []
        elif datetime.datetime.fromisoformat(entry["at"]) < moment.at:
            assert list(replay.read_statement(entry["n"], entry)) == []
            told.facts |= entry["facts"]
            if entry["request"] and entry["target"]:
                told.states[entry["request"]] = entry["target"]
    return told


def tell_by_log(log: ToldByLog) -> dict[str, Any]:
    """Return holders, versions and states of requests according to the log alone."""
    names = dict(Organization.objects.values_list("pk", "name"))
    references = dict(RegistrationRequest.objects.values_list("pk", "reference"))
    told: dict[str, Any] = {references[key]: state for key, state in log.states.items()}
    for key, facts in log.facts.items():
        if key.startswith("namespace "):
            told[facts["nid"]] = (facts["status"], names.get(facts["holder"]), {})
    for key, facts in log.facts.items():
        if key.startswith("registration "):
            told[facts["nid"]][2][facts["version"]] = facts["sha256"]
    return told


def tell_by_selectors(moment: Moment) -> dict[str, Any]:
    """Return the same as `?as_of=` computes it."""
    told: dict[str, Any] = {}
    for each in list_namespaces_as_of(moment):
        holder = each.namespace.registrant.name if each.namespace.registrant else None
        versions = {version.number: version.sha256 for version in each.versions}
        told[each.namespace.nid] = (each.namespace.status, holder, versions)
    for request in requests_as_of(moment):
        told[request.reference] = request.state_then
    return told


def tell_by_tables() -> dict[str, Any]:
    """Return the same from the current rows."""
    told: dict[str, Any] = {}
    for namespace in Namespace.objects.select_related("registrant"):
        holder = namespace.registrant.name if namespace.registrant else None
        versions = dict(namespace.registrations.values_list("number", "sha256"))
        told[namespace.nid] = (namespace.status, holder, versions)
    for request in RegistrationRequest.objects.public():
        told[request.reference] = request.state
    return told


@pytest.mark.whole
def test_each_moment_is_what_the_log_says_of_it(
    lived: RegistrationRequest,
    informal_approved: RegistrationRequest,
    registrar: User,
    settings: Settings,
) -> None:
    workflow.perform(informal_approved, "register", actor=registrar)
    successor = OrganizationFactory.create(name="Southlight Seed Trust")
    transfer = small_changes.send(
        Namespace.objects.get(nid="seedbank"), ChangeKind.TRANSFER, lived.author, successor
    )
    small_changes.bring_second_officer(transfer)
    workflow.perform(transfer, "register", actor=registrar, proof="Deed of 3 May.")
    build_log()
    entries = read_published_entries(settings)

    moments = sorted(set(Event.objects.values_list("at", flat=True)))
    instant = datetime.timedelta(microseconds=1)
    seen = []
    for at in [moments[0], *(moment + instant for moment in moments)]:
        told = tell_by_log(replay_until(entries, Moment(at)))
        assert tell_by_selectors(Moment(at)) == told, at
        seen.append(told)

    assert seen[0] == {}
    assert seen[-1] == tell_by_tables()
    lives = [told["seedbank"] for told in seen if "seedbank" in told]
    assert {(status, holder, len(versions)) for status, holder, versions in lives} == {
        ("active", "Northlight Seed Vault Federation", 1),
        ("deprecated", "Northlight Seed Vault Federation", 1),
        ("deprecated", "Northlight Seed Vault Federation", 2),
        ("deprecated", "Southlight Seed Trust", 2),
    }
    assert "urn-1" in seen[-1]
