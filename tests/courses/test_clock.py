"""Days on which the scheduler did not run: a clock that jumps, and an outage of forty days."""

from __future__ import annotations

import datetime

import pytest

from registry import scheduler
from registry.enums import SpeakerState, State
from registry.models import Letter, Organization, User
from tests.courses.story import Story, deliver, letters, state, with_round
from tests.courses.test_silence import TEXT, ask
from tests.courses.window import Window
from tests.factories import NamespaceFactory, OrganizationFactory, let_speak_for

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def go_without_scheduler(story: Story, days: int) -> None:
    """Let days pass on which nothing runs, or let the clock of the machine say so."""
    story.traveller.shift(datetime.timedelta(days))


def run_scheduler() -> None:
    assert scheduler.tick().failures == []


def test_machine_clock_that_jumps_400_days_ends_nothing(
    story: Story, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    reference = ask(story, registrant)
    story.take(expert, reference)
    story.decide(expert, reference, "request_changes", "Say who may ask.")
    deliver()
    run_scheduler()
    before = Letter.objects.count()

    go_without_scheduler(story, 400)
    run_scheduler()
    assert state(reference) == State.CHANGES_REQUESTED
    assert Letter.objects.count() == before

    # The clock is set right again; the applicant is reminded after a week, as ever.
    go_without_scheduler(story, -400)
    story.pass_days(8)
    assert state(reference) == State.CHANGES_REQUESTED
    assert letters()["Runa Registrant"].endswith("reminder-1")
    story.write(registrant, reference, with_round(TEXT, 2))
    story.send(registrant, reference)
    assert state(reference) == State.IN_REVIEW


def test_outage_of_forty_days_ends_no_waiting_period_unheard(
    story: Story, registrant: User, outsider: User
) -> None:
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    NamespaceFactory.create(nid="isbn", registrant=body, contact="Desk, desk@books.example")
    let_speak_for(body, registrant)
    page = Window(registrant).go(f"/organizations/{body.pk}/delegates/")
    page.press("Name a delegate", address=outsider.email)
    deliver()
    run_scheduler()

    go_without_scheduler(story, 40)
    run_scheduler()
    row = body.speakers.get(person=outsider)
    assert row.state == SpeakerState.WAITING
    story.pass_days(5)
    assert outsider not in User.objects.speaking_for(body)

    story.pass_days(4)
    assert outsider in User.objects.speaking_for(body)
