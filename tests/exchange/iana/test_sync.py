"""The registry stays in sync with IANA: automatically if harmless, else by the registrar."""

from __future__ import annotations

import datetime
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django import Settings

from registry import permissions, scheduler, workflow
from registry.enums import State
from registry.exchange.iana import (
    DifferenceKind,
    SyncReport,
    enter_difference,
    find_newest_snapshot,
    list_differences,
    set_difference_aside,
    synchronize,
)
from registry.exchange.iana.sync import LISTING_NAME, require_difference, synchronize_in_worker
from registry.journal import verify
from registry.models import (
    Counter,
    DocumentSource,
    Event,
    IANASnapshot,
    Namespace,
    RegistrationRequest,
    User,
)
from registry.workflow.step import ActionRefused, ConcurrentChange
from tests.exchange.iana.lists import CONFLICTING, GROWN, KNOWN, UPSET
from tests.factories import OrganizationFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("known")]


def sync(octets: bytes, *, apply: bool = True) -> SyncReport:
    """Read a state of the list."""
    return synchronize(apply=apply, octets=octets, read_from="urn-namespaces.xml")


def summarize(report: SyncReport) -> dict[str, tuple[str, str]]:
    """Return the differences by NID, and why each waits."""
    return {each.nid: (each.kind, each.waits_for) for each in report.differences}


def state_of_registry() -> list[tuple[object, ...]]:
    """Return everything that the registry says about namespaces."""
    columns = (
        "nid", "status", "contact", "registrant", "references", "registered_on",
        "provenance__template_url",
    )  # fmt: skip
    return list(Namespace.objects.order_by("nid").values_list(*columns))


def test_list_that_says_the_same_changes_nothing() -> None:
    before = state_of_registry()

    report = sync(KNOWN)

    assert (report.differences, report.entered) == ([], [])
    assert state_of_registry() == before
    assert not Event.objects.exists()


def test_new_entries_dates_references_and_templates_are_taken_over_in_iana_s_name() -> None:
    holder = OrganizationFactory.create()
    Namespace.objects.filter(nid="tar").update(registrant=holder, contact="Tar Office")

    report = sync(GROWN)

    assert sorted(report.entered) == ["pitch", "tar", "urn-2"]
    pitch, tar = Namespace.objects.get(nid="pitch"), Namespace.objects.get(nid="tar")
    assert (pitch.references, pitch.registered_on) == (["RFC9993"], "2026-06-02")
    assert pitch.provenance.template_url == "https://www.iana.org/assignments/urn-formal/pitch"
    assert pitch.provenance.source.endswith(" 2026-06-02")
    assert (tar.references, tar.registered_on) == (["RFC9990", "RFC9994"], "2004-05-17")
    assert (tar.registrant, tar.contact, tar.status) == (holder, "Tar Office", "active")
    assert Namespace.objects.get(nid="urn-2").informal_number == 2
    assert Counter.objects.expected(Counter.INFORMAL) == 3
    events = Event.objects.filter(verb="sync_iana")
    assert {(each.actor, each.actor_name) for each in events} == {(None, "IANA")}
    told = events.get(namespace=tar).data
    assert told["before"] == {"registered_on": "2004-05", "references": ["RFC9990"]}
    assert told["snapshot"] == report.snapshot.sha256
    assert [*verify()] == []


def test_twice_is_once() -> None:
    sync(GROWN)
    before, lines = state_of_registry(), Event.objects.count()

    again = sync(GROWN)

    assert (again.is_new, again.differences, again.entered) == (False, [], [])
    assert (state_of_registry(), Event.objects.count()) == (before, lines)
    assert IANASnapshot.objects.count() == 1


def test_synchronization_without_apply_changes_nothing() -> None:
    before = state_of_registry()

    report = sync(GROWN, apply=False)

    assert summarize(report) == {
        "pitch": ("new", ""),
        "tar": ("changed", ""),
        "urn-2": ("new", ""),
    }
    assert state_of_registry() == before


def test_octets_are_kept_with_their_digest_and_nobody_changes_them() -> None:
    report = sync(GROWN)

    kept = IANASnapshot.objects.get()
    assert bytes(kept.content) == GROWN
    assert (kept.sha256, kept.updated_on) == (report.snapshot.sha256, "2026-06-02")
    with pytest.raises(DatabaseError), transaction.atomic():
        IANASnapshot.objects.update(content=KNOWN)


def test_difference_at_somebodys_expense_waits_for_the_registrar(sent: RegistrationRequest) -> None:
    sync(GROWN)
    before = state_of_registry()

    report = sync(CONFLICTING)

    summary = summarize(report)
    assert {nid: kind for nid, (kind, _reason) in summary.items()} == {
        "oakum": "changed",
        "rope": "gone",
        "seedbank": "new",
    }
    assert sent.reference in summary["seedbank"][1]
    assert report.entered == []
    assert state_of_registry() == before
    assert [each.nid for each in report.waiting] == ["oakum", "rope", "seedbank"]


def test_draft_that_nobody_has_seen_is_not_told_of(draft: RegistrationRequest) -> None:
    report = sync(CONFLICTING)

    assert draft.nid == "seedbank"
    assert draft.reference not in str(summarize(report))


def test_list_that_changes_everything_waits_as_a_whole() -> None:
    before = state_of_registry()

    report = sync(UPSET)

    assert len(report.differences) == 16
    assert all(each.waits_for for each in report.differences)
    assert summarize(report)["new3"][0] == "new"
    assert " 10 " in summarize(report)["new3"][1]
    assert (report.entered, state_of_registry()) == ([], before)


def test_too_many_changes_wait_until_the_registrar_has_looked_at_all(registrar: User) -> None:
    snapshot = sync(UPSET).snapshot
    for nid in ("new0", "new1", "new2", "new3", "new4", "new5", "new6"):
        [difference] = [each for each in list_differences(snapshot) if each.nid == nid]
        enter_difference(snapshot, difference, actor=registrar)

    report = sync(UPSET)

    assert len(report.differences) == 9
    assert report.entered == []


def test_registrar_enters_what_waits_and_the_overtaken_are_told(
    in_review: RegistrationRequest, registrar: User
) -> None:
    snapshot = sync(CONFLICTING).snapshot
    [difference] = [each for each in list_differences(snapshot) if each.nid == "seedbank"]

    enter_difference(snapshot, difference, actor=registrar)

    in_review.refresh_from_db()
    overtaken = Event.objects.get(verb="overtake")
    entered = Event.objects.get(verb="sync_iana", namespace__nid="seedbank")
    assert in_review.state == State.CHANGES_REQUESTED
    assert overtaken.registration_request == in_review
    assert not in_review.assignments.exists()
    assert (entered.actor, entered.comment) == (registrar, f"{in_review.reference} names it.")


def test_namespace_registered_by_a_request_is_never_overwritten(
    approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    before = Namespace.objects.get(nid="seedbank").registered_on

    differences = {each.nid: each for each in sync(CONFLICTING).differences}
    [absent] = [each for each in sync(KNOWN).differences if each.nid == "seedbank"]

    assert differences["seedbank"].is_final
    assert absent.kind == DifferenceKind.HERE_ONLY
    with pytest.raises(ActionRefused, match="differs"):
        enter_difference(
            IANASnapshot.objects.get(updated_on="2026-06-03"),
            differences["seedbank"],
            actor=registrar,
        )
    assert Namespace.objects.get(nid="seedbank").registered_on == before


def test_nobody_but_the_registrar_enters_what_waits(expert: User) -> None:
    snapshot = sync(CONFLICTING).snapshot
    [oakum] = [each for each in list_differences(snapshot) if each.nid == "oakum"]

    for actor in (expert, permissions.CLOCK):
        with pytest.raises(ActionRefused):
            enter_difference(snapshot, oakum, actor=actor)

    assert Namespace.objects.get(nid="oakum").references == ["Otto Oakum"]


def test_difference_that_was_set_aside_is_shown_again_once_it_changes(registrar: User) -> None:
    sync(GROWN)
    snapshot = sync(CONFLICTING).snapshot
    [rope] = [each for each in list_differences(snapshot) if each.nid == "rope"]
    [oakum] = [each for each in list_differences(snapshot) if each.nid == "oakum"]

    set_difference_aside(snapshot, rope, actor=registrar, reason="A slip of the pen there.")
    set_difference_aside(snapshot, oakum, actor=registrar, reason="Asked them.")
    again = sync(CONFLICTING.replace(b"Hilda_Hemp", b"Jute_Jones"))

    assert "rope" not in summarize(again)
    assert summarize(again)["oakum"][0] == "changed"


def test_difference_that_is_no_longer_as_seen_is_not_entered() -> None:
    snapshot = sync(CONFLICTING).snapshot
    [oakum] = [each for each in list_differences(snapshot) if each.nid == "oakum"]
    Namespace.objects.filter(nid="oakum").update(references=["Hilda Hemp"])

    with pytest.raises(ConcurrentChange):
        require_difference(snapshot, "oakum", oakum.digest)


def test_command_says_what_differs_and_what_became_of_it(tmp_path: Path) -> None:
    copy = tmp_path / "urn-namespaces.xml"
    copy.write_bytes(GROWN)
    out = StringIO()

    call_command("sync_iana", "--from", str(copy), "--apply", stdout=out)

    said = out.getvalue()
    assert "Read: urn-namespaces.xml, " in said
    assert "tar: changed: registered_on “2004-05” is “2004-05-17” there; references" in said
    assert "pitch: new: registered_on “2026-06-02”" in said
    assert re.findall(r"\d+", said.splitlines()[-1]) == ["2", "1", "0", "0", "3", "0"]
    copy.write_bytes(GROWN[:300])
    with pytest.raises(CommandError, match="not XML"):
        call_command("sync_iana", "--from", str(copy), "--apply")


def test_clock_has_the_list_read_once_a_day_where_a_setting_says_so(
    settings: Settings,
) -> None:
    now = timezone.now()

    settings.REGISTRY_IANA_SYNC = False
    silent = scheduler.tick(now).done["sync"]
    settings.REGISTRY_IANA_SYNC = True
    first = scheduler.tick(now).done["sync"]
    second = scheduler.tick(now).done["sync"]
    DocumentSource.objects.create(name=LISTING_NAME, asked_at=now, asked_from="here")
    later = now + datetime.timedelta(hours=23)
    third = scheduler.tick(later).done["sync"]
    fourth = scheduler.tick(now + datetime.timedelta(hours=25)).done["sync"]

    assert (silent, first, second, third, fourth) == (0, 1, 0, 0, 1)


def test_unreadable_list_is_kept_as_a_problem_for_the_registrar(settings: Settings) -> None:
    settings.REGISTRY_IANA_LIST = "https://127.0.0.1/urn-namespaces.xml"

    said = synchronize_in_worker.func()

    assert "127.0.0.1" in said
    assert DocumentSource.objects.get(pk=LISTING_NAME).problem == said
    assert find_newest_snapshot() is None
