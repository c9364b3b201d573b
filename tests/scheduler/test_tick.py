"""What the clock does when nobody acts, and whom it tells."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from registry import scheduler, workflow
from registry.actions import expert_assignment
from registry.enums import RequestPath, State
from registry.models import Letter, Organization, RegistrationRequest, User
from registry.selectors.deadlines import read_request_clock
from registry.workflow import drafts
from tests.conftest import start
from tests.factories import UserFactory
from tests.scheduler.conftest import Travel
from tests.template.samples import FORMAL, INFORMAL

pytestmark = pytest.mark.django_db


def told(registration_request: RegistrationRequest) -> list[str]:
    """Return the kinds of what the clock told of the request, in their order."""
    every = registration_request.events.order_by("number").values_list("data__kind", flat=True)
    return [kind for kind in every if kind]


def readers(registration_request: RegistrationRequest, kind: str) -> set[str]:
    """Return to whom letters went about what the clock did."""
    letters = Letter.objects.filter(
        registration_request=registration_request, event__data__kind=kind
    )
    return set(letters.values_list("recipient__name", flat=True))


def tick_daily(travel: Travel, *days: int) -> None:
    for day in days:
        travel(day + 0.5)
        scheduler.tick()


def test_a_silent_review_climbs_from_the_expert_to_those_above(
    sent: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    travel: Travel,
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, *range(5, 40))

    assert told(sent) == ["review", "review-lead", "decision", "review-all"]
    assert readers(sent, "review") == {"Ede Expert"}
    assert readers(sent, "review-lead") == {"Ede Expert", "Lova Lead"}
    assert readers(sent, "decision") == {"Ede Expert", "Lova Lead"}
    assert readers(sent, "review-all") == {
        "Ede Expert",
        "Lova Lead",
        "Rafe Registrar",
        "Stine Standards",
    }


def test_an_act_of_the_expert_begins_the_silence_anew(
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


def test_what_the_clock_does_touches_nothing(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "decline", actor=expert, comment="Nobody needs it.")
    before = read_request_clock(sent).idle_since, sent.revision

    tick_daily(travel, 31, 61)
    sent.refresh_from_db()

    assert told(sent) == ["reminder-1", "reminder-2"]
    assert (read_request_clock(sent).idle_since, sent.revision) == before


def test_after_a_long_silence_of_the_clock_one_letter_says_it_all(
    sent: RegistrationRequest, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, 100)

    assert told(sent) == ["review-all", "decision"]


def test_what_was_approved_and_lies_there_raises_the_alarm_on_day_7(
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
    quiet = told(sent)
    travel(7.1)
    scheduler.tick()
    scheduler.tick()

    assert (quiet, told(sent)) == ([], ["publication"])
    assert sent.events.get(data__kind="publication").verb == "alarm"
    assert readers(sent, "publication") == {"Rafe Registrar", "Lova Lead"}


def test_what_nobody_takes_in_two_working_days_alarms_the_lead_and_goes_by_the_rota(
    sent: RegistrationRequest, expert: User, lead: User, travel: Travel
) -> None:
    travel(2.5)
    scheduler.tick()
    in_time = sent.assignments.count(), told(sent)
    travel(3)
    tally = scheduler.tick()

    assert in_time == (0, [])
    assert told(sent) == ["first-answer"]
    assert readers(sent, "first-answer") == {"Lova Lead"}
    assert [each.expert for each in sent.assignments.all()] == [expert]
    assert (tally.done["alarm"], tally.done["assign"]) == (1, 1)


def test_over_a_weekend_nobody_is_alarmed(
    draft: RegistrationRequest, registrant: User, lead: User, travel: Travel
) -> None:
    travel(4)
    workflow.perform(draft, "submit", actor=registrant)

    travel(8.5)
    scheduler.tick()
    by_tuesday = told(draft)
    travel(9)
    scheduler.tick()

    assert (by_tuesday, told(draft)) == ([], ["first-answer"])


def test_without_anybody_to_name_those_above_are_told_in_the_end(
    sent: RegistrationRequest, registrar: User, travel: Travel
) -> None:
    tick_daily(travel, *range(32))

    assert told(sent) == ["first-answer", "decision", "untaken"]
    assert readers(sent, "untaken") == {"Rafe Registrar"}
    assert sent.assignments.count() == 0


def test_a_report_and_an_appeal_that_lie_there_alarm_the_standards_body_and_the_registrar(
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
    reported = told(sent)

    workflow.perform(sent, "refuse", actor=standards_body, comment="No.")
    workflow.perform(sent, "appeal", actor=outsider, comment="It is needed.")
    tick_daily(travel, *range(30, 61))

    assert (reported, told(sent)) == (["direction"], ["direction", "direction"])
    assert readers(sent, "direction") == {"Rafe Registrar", "Stine Standards"}


def test_a_registrant_is_reminded_three_times_and_then_the_request_lapses(
    sent: RegistrationRequest, registrant: User, expert: User, travel: Travel
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "request_changes", actor=expert, comment="Say who may join.")

    tick_daily(travel, *range(25, 185))
    sent.refresh_from_db()

    lapse = sent.events.latest("number")
    assert told(sent) == ["reminder-1", "reminder-2", "reminder-3"]
    assert readers(sent, "reminder-3") == {"Runa Registrant"}
    assert (sent.state, lapse.verb, lapse.actor) == (State.EXPIRED, "expire", None)
    assert lapse.comment.startswith("Nobody has touched this request for 180 days")


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
    assert told(draft) == ["reminder-3", "reminder-3"]


def test_after_a_long_silence_a_request_lapses_without_a_reminder_on_the_same_day(
    draft: RegistrationRequest, travel: Travel
) -> None:
    tick_daily(travel, 200)
    draft.refresh_from_db()

    assert (draft.state, told(draft)) == (State.EXPIRED, [])


def test_the_fast_track_reminds_the_body_and_never_lapses(
    registrant: User, expert: User, organization: Organization, travel: Travel
) -> None:
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    workflow.perform(fast, "assign", actor=expert)

    tick_daily(travel, *range(20, 200, 3))
    fast.refresh_from_db()

    assert (fast.state, told(fast)) == (
        State.ADVISORY,
        ["reminder-1", "reminder-2", "reminder-3"],
    )


def test_the_days_are_settings(
    sent: RegistrationRequest, expert: User, travel: Travel, settings: Settings
) -> None:
    settings.REGISTRY_ESCALATION_DAYS = {"expert": 3, "lead": 60, "all": 90}
    settings.REGISTRY_DECISION_DAYS = 90
    workflow.perform(sent, "assign", actor=expert)

    tick_daily(travel, *range(50))

    assert told(sent) == ["review"]
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

    with pytest.raises(CommandError, match=f"could not see to {sent.reference}"):
        call_command("tick", stdout=out)

    assert out.getvalue() == "alarm: 2\nassign: 1\nDone by the clock: 3.\n"
    assert (sent.assignments.count(), other.assignments.count()) == (0, 1)
    assert told(sent) == ["first-answer"]


def test_the_command_says_when_nothing_was_due(sent: RegistrationRequest) -> None:
    out = io.StringIO()

    call_command("tick", stdout=out)

    assert out.getvalue() == "Done by the clock: 0.\n"
