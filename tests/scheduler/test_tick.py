"""What the scheduler does when nobody acts, and whom it notifies."""

from __future__ import annotations

import datetime
import io
import re
import uuid
from types import ModuleType
from typing import Any, Never

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

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
from registry.actions.discussion import add_comment
from registry.due_requests import list_keys_to_look_at
from registry.enums import RequestPath, State
from registry.exchange import exports, iana, locator_tables
from registry.models import (
    Event,
    Letter,
    Organization,
    RegistrationRequest,
    Reminder,
    User,
)
from registry.notifications import webhooks
from registry.selectors.request_clock import read_request_clock
from registry.workflow import drafts, pauses
from registry.workflow.events import record_event
from tests.factories import UserFactory, create_sent_requests, start
from tests.scheduler.conftest import Travel
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
def test_silent_review_climbs_from_the_expert_to_those_above(
    sent: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    travel: Travel,
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, *range(5, 40))

    assert list_reminder_kinds(sent) == ["review", "review-lead", "decision", "review-all"]
    assert readers(sent, "review") == {"Ede Expert"}
    assert readers(sent, "review-lead") == {"Ede Expert", "Lova Lead"}
    assert readers(sent, "decision") == {"Ede Expert", "Lova Lead"}
    assert readers(sent, "review-all") == {
        "Ede Expert",
        "Lova Lead",
        "Rafe Registrar",
        "Stine Standards",
    }


def test_act_of_the_expert_begins_the_silence_anew(
    sent: RegistrationRequest, expert: User, registrant: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=UserFactory.create(roles=["designated expert"]))
    tick_daily(travel, 7)

    travel(9)
    workflow.perform(sent, "assign", actor=expert)
    tick_daily(travel, 10, 14, 15)
    travel(16.6)
    scheduler.tick()

    since = sent.reminders.values_list("kind", "since__day")
    assert list(since) == [("review", 1), ("review", 10)]


def test_steps_of_the_clock_touch_nothing(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "decline", actor=expert, comment="Nobody needs it.")
    before = read_request_clock(sent).idle_since, sent.revision

    tick_daily(travel, 31, 61)
    sent.refresh_from_db()

    assert list_reminder_kinds(sent) == ["reminder-1", "reminder-2"]
    assert (read_request_clock(sent).idle_since, sent.revision) == before


def test_one_letter_says_it_all_after_a_long_silence_of_the_clock(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, 100)

    assert list_reminder_kinds(sent) == ["review-all", "decision-again-2"]


def test_approved_request_raises_the_alarm_on_day_7(
    sent: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    travel: Travel,
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "approve", actor=expert, comment="Sound.")

    travel(6.9)
    scheduler.tick()
    quiet = list_reminder_kinds(sent)
    travel(7.1)
    scheduler.tick()
    scheduler.tick()

    assert (quiet, list_reminder_kinds(sent)) == ([], ["publication"])
    assert sent.events.get(data__kind="publication").verb == "alarm"
    assert readers(sent, "publication") == {"Rafe Registrar", "Lova Lead"}


def test_untaken_request_alarms_the_lead_after_two_working_days_and_goes_by_the_rota(
    sent: RegistrationRequest, expert: User, lead: User, travel: Travel
) -> None:
    travel(2.5)
    scheduler.tick()
    in_time = sent.assignments.count(), list_reminder_kinds(sent)
    travel(3)
    tally = scheduler.tick()

    assert in_time == (0, [])
    assert list_reminder_kinds(sent) == ["first-answer"]
    assert readers(sent, "first-answer") == {"Lova Lead"}
    assert [each.expert for each in sent.assignments.all()] == [expert]
    assert (tally.done["alarm"], tally.done["assign"]) == (1, 1)


def test_weekend_alarms_nobody(
    draft: RegistrationRequest, registrant: User, lead: User, travel: Travel
) -> None:
    travel(4)
    workflow.perform(draft, "submit", actor=registrant)

    travel(8.5)
    scheduler.tick()
    by_tuesday = list_reminder_kinds(draft)
    travel(9)
    scheduler.tick()

    assert (by_tuesday, list_reminder_kinds(draft)) == ([], ["first-answer"])


@pytest.mark.whole
def test_those_above_are_told_in_the_end_without_anybody_to_name(
    sent: RegistrationRequest, registrar: User, travel: Travel
) -> None:
    tick_daily(travel, *range(32))

    assert list_reminder_kinds(sent) == ["first-answer", "decision", "untaken"]
    assert readers(sent, "untaken") == {"Rafe Registrar"}
    assert sent.assignments.count() == 0


@pytest.mark.whole
def test_report_and_an_appeal_that_lie_there_alarm_the_standards_body_and_the_registrar(
    sent: RegistrationRequest,
    expert: User,
    outsider: User,
    registrar: User,
    standards_body: User,
    travel: Travel,
) -> None:
    sent.standards_action = True
    sent.save()
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "report", actor=expert, comment="Sound.")
    tick_daily(travel, *range(30))
    reported = list_reminder_kinds(sent)

    workflow.perform(sent, "decline", actor=standards_body, comment="No.")
    workflow.perform(sent, "appeal", actor=outsider, comment="It is.", ground="rule")
    tick_daily(travel, *range(30, 61))

    assert (reported, list_reminder_kinds(sent)) == (["direction"], ["direction", "direction"])
    assert readers(sent, "direction") == {"Rafe Registrar", "Stine Standards"}


@pytest.mark.whole
def test_registrant_is_reminded_every_month_and_then_the_request_lapses(
    sent: RegistrationRequest,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    travel: Travel,
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "request_changes", actor=expert, comment="Say who may join.")

    tick_often(travel, 25, 185)
    sent.refresh_from_db()

    lapse = sent.events.latest("number")
    assert list_reminder_kinds(sent) == [f"reminder-{number}" for number in range(1, 6)]
    assert readers(sent, "reminder-2") == {"Runa Registrant"}
    assert readers(sent, "reminder-3") == {"Runa Registrant", "Lova Lead", "Rafe Registrar"}
    assert readers(sent, "reminder-5") == {"Runa Registrant", "Lova Lead", "Rafe Registrar"}
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
    assert list_reminder_kinds(draft) == ["reminder-5", "reminder-5"]


def test_request_lapses_after_a_long_silence_without_a_reminder_on_the_same_day(
    draft: RegistrationRequest, travel: Travel
) -> None:
    tick_daily(travel, 200)
    draft.refresh_from_db()

    assert (draft.state, list_reminder_kinds(draft)) == (State.EXPIRED, [])


@pytest.fixture
def fast(registrant: User, expert: User, organization: Organization) -> RegistrationRequest:
    """A request on the fast track, sent on Monday, with an expert on it."""
    begun = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(begun, "submit", actor=registrant)
    workflow.perform(begun, "assign", actor=expert)
    return begun


@pytest.mark.whole
def test_body_that_answers_none_of_three_letters_loses_its_hold(
    fast: RegistrationRequest, lead: User, registrar: User, travel: Travel
) -> None:
    tick_often(travel, 20, 180)
    fast.refresh_from_db()
    kept = fast.state
    tick_daily(travel, 180)
    fast.refresh_from_db()

    assert (kept, fast.state) == (State.ADVISORY, State.EXPIRED)
    assert list_reminder_kinds(fast) == [
        *(f"reminder-{number}" for number in range(1, 4)),
        *(f"reminder-3-again-{number}" for number in range(1, 3)),
    ]
    assert readers(fast, "reminder-3-again-2") == {
        "Runa Registrant",
        "Lova Lead",
        "Rafe Registrar",
    }


@pytest.mark.whole
def test_body_that_was_not_asked_three_times_keeps_its_request(
    fast: RegistrationRequest, travel: Travel
) -> None:
    tick_daily(travel, 200, 215)
    fast.refresh_from_db()
    asked_twice = fast.state
    tick_daily(travel, *range(240, 272))
    fast.refresh_from_db()

    assert asked_twice == State.ADVISORY
    assert fast.events.filter(verb="remind").count() == 3
    assert (fast.state, fast.state_since.date().isoformat()) == (State.EXPIRED, "2027-02-26")


@pytest.mark.whole
def test_message_of_the_body_keeps_a_request_on_the_fast_track(
    fast: RegistrationRequest, registrant: User, travel: Travel
) -> None:
    tick_often(travel, 20, 170)
    add_comment(fast, author=registrant, text="We shall come back to it.", key=uuid.uuid4())

    tick_often(travel, 170, 340)
    fast.refresh_from_db()
    later = fast.state
    tick_daily(travel, *range(340, 355))
    fast.refresh_from_db()

    assert (later, fast.state) == (State.ADVISORY, State.EXPIRED)


@pytest.mark.whole
def test_days_are_settings(
    sent: RegistrationRequest, expert: User, travel: Travel, settings: Settings
) -> None:
    settings.REGISTRY_ESCALATION_DAYS = {"expert": 3, "lead": 60, "all": 90}
    settings.REGISTRY_DECISION_DAYS = 90
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, *range(50))

    assert list_reminder_kinds(sent) == ["review"]
    assert sent.reminders.get().at.day == 4


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
    travel(5)
    out = io.StringIO()

    with pytest.raises(CommandError, match=sent.reference):
        call_command("tick", stdout=out)

    assert out.getvalue().startswith("alarm: 2\nassign: 1\n")
    assert (sent.assignments.count(), other.assignments.count()) == (0, 1)
    assert list_reminder_kinds(sent) == ["first-answer"]


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
    travel(5)
    elsewhere, out = background.Lease(background.CLOCK), io.StringIO()

    assert elsewhere.take()
    call_command("tick", stdout=out)
    meanwhile = (list_reminder_kinds(sent), background.find_last_tick())
    elsewhere.give_back()
    call_command("tick", stdout=out)

    assert meanwhile == ([], None)
    assert out.getvalue().startswith("Another clock")
    assert list_reminder_kinds(sent) == ["first-answer"]
    assert background.Lease(background.CLOCK).take()


def test_clock_that_was_killed_keeps_others_out_for_minutes_and_no_longer(
    sent: RegistrationRequest, travel: Travel
) -> None:
    killed, out = background.Lease(background.CLOCK), io.StringIO()
    killed.take()

    travel(5)
    call_command("tick", stdout=out)

    assert "Another clock" not in out.getvalue()
    assert list_reminder_kinds(sent) == ["first-answer"]


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


REMINDING_VERBS = ("nudge", "remind", "escalate", "alarm")


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
    overdue: None, settings: Settings
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
    settings.REGISTRY_REPEAT_DAYS += 1
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
