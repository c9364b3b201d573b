"""What the scheduler does when nobody acts, and whom it notifies."""

from __future__ import annotations

import datetime
import io
import re
from types import ModuleType
from typing import Any, Never

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import (
    background,
    journal,
    notifications,
    permissions,
    rate_limits,
    scheduler,
    workflow,
)
from registry.actions import (
    contact_confirmations,
    entry_links,
    expert_assignment,
    speakers,
)
from registry.due_requests import list_keys_to_look_at
from registry.enums import RequestPath, State
from registry.exchange import exports, iana, locator_tables
from registry.models import (
    Dates,
    Event,
    Letter,
    Organization,
    RegistrationRequest,
    Reminder,
    SchedulerDay,
    User,
)
from registry.notifications import webhooks
from registry.selectors.request_clock import read_request_clock
from registry.workflow import drafts, pauses
from registry.workflow.events import record_event
from tests.days import record_days
from tests.factories import UserFactory, create_sent_requests, start
from tests.scheduler.conftest import MONDAY, Travel
from tests.template.samples import FORMAL, INFORMAL

pytestmark = pytest.mark.django_db


def list_reminder_kinds(registration_request: RegistrationRequest) -> list[str]:
    """Return the kinds of the scheduler's events about the request, in order."""
    every = registration_request.events.order_by("number").values_list("data__kind", flat=True)
    return [kind for kind in every if kind]


def readers(registration_request: RegistrationRequest, kind: str) -> set[str]:
    """Return the recipients of letters about what the scheduler did."""
    letters = Letter.objects.filter(
        registration_request=registration_request, event__data__kind=kind
    )
    return set(letters.values_list("recipient__name", flat=True))


def tick_daily(travel: Travel, *days: int) -> None:
    for day in days:
        travel(day + 0.5)
        scheduler.tick()


def tick_often(travel: Travel, first: int, end: int) -> None:
    """Run every fourth day, and on the last one before `end`."""
    tick_daily(travel, *range(first, end - 1, 4), end - 1)


@pytest.mark.whole
def test_ladder_climbs_from_the_expert_and_the_author_to_those_above(
    sent: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    travel: Travel,
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, *range(5, 62))

    asked = {"Ede Expert", "Runa Registrant"}
    assert list_reminder_kinds(sent) == [
        "reminder-1",
        "reminder-2",
        "reminder-3",
        "reminder-3-again-1",
    ]
    assert readers(sent, "reminder-1") == asked
    assert readers(sent, "reminder-2") == asked | {"Lova Lead"}
    everybody = asked | {"Lova Lead", "Rafe Registrar", "Stine Standards"}
    assert readers(sent, "reminder-3") == readers(sent, "reminder-3-again-1") == everybody


def test_act_of_the_expert_begins_the_silence_anew(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=UserFactory.create(roles=["designated expert"]))
    tick_daily(travel, 7)

    travel(9)
    workflow.perform(sent, "assign", actor=expert)
    tick_daily(travel, 10, 14, 15)
    travel(16.6)
    scheduler.tick()

    since = sent.reminders.values_list("kind", "since__day")
    assert list(since) == [("reminder-1", 1), ("reminder-1", 10)]


def test_reminder_touches_nothing(sent: RegistrationRequest, expert: User, travel: Travel) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "decline", actor=expert, comment="Nobody needs it.")
    before = read_request_clock(sent).idle_since, sent.revision

    tick_daily(travel, 8, 15)
    sent.refresh_from_db()

    assert list_reminder_kinds(sent) == ["reminder-1", "reminder-2"]
    assert (read_request_clock(sent).idle_since, sent.revision) == before


def test_one_letter_says_it_all_after_a_long_silence_of_the_clock(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, 100)

    assert list_reminder_kinds(sent) == ["reminder-3-again-2"]


def test_untaken_request_goes_by_the_rota_with_the_first_reminder(
    sent: RegistrationRequest, expert: User, lead: User, travel: Travel
) -> None:
    travel(6.5)
    scheduler.tick()
    in_time = sent.assignments.count(), list_reminder_kinds(sent)
    travel(7.5)
    tally = scheduler.tick()

    assert in_time == (0, [])
    assert list_reminder_kinds(sent) == ["reminder-1"]
    assert [each.expert for each in sent.assignments.all()] == [expert]
    assert (tally.done["remind"], tally.done["assign"]) == (1, 1)


@pytest.mark.whole
def test_registrant_is_reminded_and_then_the_request_lapses(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "request_changes", actor=expert, comment="Say who may join.")

    tick_often(travel, 6, 185)
    sent.refresh_from_db()

    lapse = sent.events.latest("number")
    assert list_reminder_kinds(sent) == [
        "reminder-1",
        "reminder-2",
        "reminder-3",
        *(f"reminder-3-again-{number}" for number in range(1, 5)),
    ]
    assert (sent.state, lapse.verb, lapse.actor) == (State.EXPIRED, "expire", None)
    assert " 180 days" in lapse.comment


def test_writing_on_puts_off_the_lapse(draft: RegistrationRequest, travel: Travel) -> None:
    tick_daily(travel, 179)
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"assignment": "By a desk."}, seen=text.edition)

    tick_daily(travel, 181, 358)
    draft.refresh_from_db()
    kept = draft.state
    tick_daily(travel, 360)
    draft.refresh_from_db()

    assert (kept, draft.state) == (State.DRAFT, State.EXPIRED)


@pytest.fixture
def fast(registrant: User, expert: User, organization: Organization) -> RegistrationRequest:
    """A request on the fast track, sent on Monday, with an expert on it."""
    begun = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(begun, "submit", actor=registrant)
    workflow.perform(begun, "assign", actor=expert)
    return begun


@pytest.mark.whole
def test_body_that_answers_none_of_three_letters_loses_its_hold(
    fast: RegistrationRequest, travel: Travel
) -> None:
    tick_often(travel, 6, 180)
    fast.refresh_from_db()
    kept = fast.state
    tick_daily(travel, 180)
    fast.refresh_from_db()

    assert (kept, fast.state) == (State.ADVISORY, State.EXPIRED)


def test_days_are_those_of_the_administration(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    Dates(first_reminder_days=3, second_reminder_days=60, third_reminder_days=90).save()
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, 2, 3, 4, 20, 50)

    assert list_reminder_kinds(sent) == ["reminder-1"]
    assert sent.reminders.get().at.day == 4


# Days on which the scheduler did not run


def test_clock_that_jumps_expires_nothing(
    draft: RegistrationRequest, sent: RegistrationRequest
) -> None:
    scheduler.tick()

    with time_machine.travel(timezone.now() + datetime.timedelta(400)):
        scheduler.tick()
        ahead = list(RegistrationRequest.objects.values_list("state", flat=True))

    assert State.EXPIRED not in ahead
    assert list_reminder_kinds(sent) == []
    assert SchedulerDay.objects.filter(lost_before=399).exists()


def test_outage_of_forty_days_counts_for_no_reminder(
    sent: RegistrationRequest, expert: User
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    scheduler.tick()

    back = MONDAY + datetime.timedelta(40)
    for days, kinds in ((0, []), (5.9, []), (6.1, ["reminder-1"])):
        with time_machine.travel(back + datetime.timedelta(days)):
            if days:
                record_days(back, timezone.now())
            scheduler.tick()
        assert list_reminder_kinds(sent) == kinds


def test_one_request_that_fails_stops_no_other_and_is_told(
    sent: RegistrationRequest,
    registrant: User,
    expert: User,
    organization: Organization,
    travel: Travel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    whole = expert_assignment.assign_next_expert

    def broken(registration_request: RegistrationRequest) -> object:
        if registration_request.pk == sent.pk:
            raise RuntimeError("broken")
        return whole(registration_request)

    monkeypatch.setattr(expert_assignment, "assign_next_expert", broken)
    travel(8)
    out = io.StringIO()

    with pytest.raises(CommandError, match=sent.reference):
        call_command("tick", stdout=out)

    assert out.getvalue().startswith("assign: 1\n")
    assert (sent.assignments.count(), other.assignments.count()) == (0, 1)
    assert list_reminder_kinds(sent) == ["reminder-1"]


@pytest.mark.parametrize(
    ("name", "job"),
    [
        ("pauses", (pauses, "tick_pauses")),
        ("weekly", (notifications, "send_weekly_letters")),
        ("speakers", (speakers, "tick_speakers")),
        ("digests", (notifications, "send_digests")),
        ("letters", (notifications, "requeue_letters")),
        ("contacts", (contact_confirmations, "ask_for_confirmations")),
        ("answers", (scheduler, "delete_idempotency_records")),
        ("templates", (scheduler, "delete_expired_templates")),
        ("limits", (rate_limits, "delete_expired_limits")),
        ("officers", (scheduler, "tick_officer_changes")),
        ("accounts", (scheduler, "delete_old_account_events")),
        ("old letters", (scheduler, "delete_old_letters")),
        ("old invitations", (scheduler, "delete_old_invitations")),
        ("comments", (scheduler, "publish_due_comments")),
        ("webhooks", (webhooks, "requeue_deliveries")),
        ("IANA's list", (iana, "request_daily_sync")),
        ("links", (entry_links, "request_due_link_checks")),
        ("exports", (exports, "request_due_refresh")),
        ("locators", (locator_tables, "sweep_uploads")),
    ],
)
def test_each_tick_has_every_job_done_and_names_the_one_that_fails(
    name: str,
    job: tuple[ModuleType, str],
    sent: RegistrationRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*given: object) -> Never:
        raise RuntimeError("broken")

    monkeypatch.setattr(*job, fail)

    assert scheduler.tick().failures == [name]


def test_job_is_counted_under_its_name(
    sent: RegistrationRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, job in (
        (notifications, "send_digests"),
        (notifications, "requeue_letters"),
        (scheduler, "delete_expired_templates"),
        (webhooks, "requeue_deliveries"),
    ):
        monkeypatch.setattr(module, job, lambda *given: 3)

    assert scheduler.tick().done == {"digest": 3, "letter": 3, "template": 3, "delivery": 3}


def test_command_says_when_nothing_was_due(sent: RegistrationRequest) -> None:
    out = io.StringIO()

    call_command("tick", stdout=out)

    assert re.findall(r"\d+", out.getvalue()) == ["0"]


def test_second_clock_says_that_another_is_at_it_and_does_nothing(
    sent: RegistrationRequest, travel: Travel
) -> None:
    travel(8)
    elsewhere, out = background.Lease(background.CLOCK), io.StringIO()

    assert elsewhere.take()
    call_command("tick", stdout=out)
    meanwhile = (list_reminder_kinds(sent), background.find_last_tick())
    elsewhere.give_back()
    call_command("tick", stdout=out)

    assert meanwhile == ([], None)
    assert out.getvalue().startswith("Another clock")
    assert list_reminder_kinds(sent) == ["reminder-1"]
    assert background.Lease(background.CLOCK).take()


def test_clock_that_was_killed_keeps_others_out_for_minutes_and_no_longer(
    sent: RegistrationRequest, travel: Travel
) -> None:
    killed, out = background.Lease(background.CLOCK), io.StringIO()
    killed.take()

    travel(8)
    call_command("tick", stdout=out)

    assert "Another clock" not in out.getvalue()
    assert list_reminder_kinds(sent) == ["reminder-1"]


def test_long_tick_keeps_its_lease_with_each_step(travel: Travel) -> None:
    minutes = background.LEASE_SECONDS / 60
    lease = background.Lease(background.CLOCK)
    lease.take()

    for step in range(1, 4):
        travel(step * (minutes - 1) / (24 * 60))
        # The monotonic clock stays where it is when the tests travel.
        lease.renewed_at -= background.LEASE_SECONDS - 60
        lease.renew()
    with CaptureQueriesContext(connection) as asked:
        lease.renew()

    assert not background.Lease(background.CLOCK).take()
    assert len(asked) == 0
    travel(1)
    assert background.Lease(background.CLOCK).take()


REMINDING_VERBS = ("remind",)


@pytest.fixture
def overdue(db: None) -> None:
    """Requests that the scheduler must remind of."""
    create_sent_requests(16)
    long_ago = timezone.now() - datetime.timedelta(days=60)
    RegistrationRequest.objects.update(state_since=long_ago)


def test_each_of_many_overdue_requests_takes_few_questions_and_no_indexing(overdue: None) -> None:
    with CaptureQueriesContext(connection) as asked:
        done = scheduler.tick().done

    reminded = sum(done[verb] for verb in REMINDING_VERBS)
    assert reminded > 5
    assert len(asked) < 80 + 22 * reminded
    assert [each for each in asked.captured_queries if "searchdocument" in each["sql"]] == []


def test_tick_looks_at_requests_that_are_due_or_were_acted_on_and_at_no_others(
    overdue: None,
) -> None:
    def list_keys() -> list[int]:
        return list_keys_to_look_at(timezone.now(), journal.find_last_number())

    live = list(RegistrationRequest.objects.live().order_by("pk").values_list("pk", flat=True))
    at_first = list_keys()
    scheduler.tick()
    reminded = list_keys()
    scheduler.tick()
    quiet = list_keys()
    acted_on = RegistrationRequest.objects.live()[7]
    record_event(acted_on, actor=permissions.CLOCK, verb="comment")
    with_act = list_keys()
    Dates(repeat_days=31).save()
    by_other_days = list_keys()

    assert at_first == by_other_days == live
    assert len(reminded) > 5
    assert quiet == []
    assert with_act == [acted_on.pk]


def test_request_that_cannot_be_reminded_of_does_not_hold_up_the_others(
    overdue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compose = journal.compose_line
    broken: list[str] = []

    def refuse_first(registration_request: RegistrationRequest, **event_data: Any) -> Event:
        if event_data["verb"] in REMINDING_VERBS:
            broken[:] = broken or [registration_request.reference]
            if registration_request.reference in broken:
                raise ValueError("Nobody knows why.")
        return compose(registration_request, **event_data)

    monkeypatch.setattr(journal, "compose_line", refuse_first)
    report = scheduler.tick()
    monkeypatch.undo()

    reminded = set(Reminder.objects.values_list("registration_request__reference", flat=True))
    assert report.failures == broken
    assert len(reminded) > 5
    assert broken[0] not in reminded
    scheduler.tick()
    assert Reminder.objects.filter(registration_request__reference=broken[0]).exists()
