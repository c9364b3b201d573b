"""June 2026, which begins on a Monday, and requests that wait in it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from datetime import UTC
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from registry import scheduler, workflow
from registry.models import RegistrationRequest, User
from registry.selectors.deadlines import list_due_deadlines
from registry.selectors.request_clock import read_request_clocks
from tests.days import record_days

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)

Travel = Callable[[float], None]


@pytest.fixture(autouse=True)
def travel() -> Iterator[Travel]:
    """Return a function that goes to a number of days after Monday; time continues from there.

    The scheduler ran on each day until then.
    """

    def go(days: float) -> None:
        until = MONDAY + datetime.timedelta(days)
        record_days(MONDAY, until)
        traveller.move_to(until)

    with time_machine.travel(MONDAY) as traveller:
        yield go


@pytest.fixture
def sent(draft: RegistrationRequest, registrant: User) -> RegistrationRequest:
    """A request sent on Monday, the first of June, that nobody has taken."""
    workflow.perform(draft, "submit", actor=registrant)
    return draft


@pytest.fixture(autouse=True)
def look_at_all_requests_after_each_tick() -> Iterator[None]:
    """One run looks at few requests; check that each leaves nothing due of all that are live."""
    tick = scheduler.tick

    def tick_and_look(now: datetime.datetime | None = None, **named: Any) -> scheduler.TickReport:
        # What falls due during the run is the next one's.
        moment = now or timezone.now()
        report = tick(moment, **named)
        assert report.failures or list_left_undone(moment) == []
        return report

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scheduler, "tick", tick_and_look)
        yield


def list_left_undone(now: datetime.datetime) -> list[tuple[str, str]]:
    """Return the references of live requests with something due and not done, and its kind."""
    live = list(RegistrationRequest.objects.live())
    return [
        (request_clock.registration_request.reference, deadline.kind)
        for request_clock in read_request_clocks(live)
        for deadline in list_due_deadlines(request_clock, now)
    ]
