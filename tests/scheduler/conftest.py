"""June 2026, whose first is a Monday, and requests that wait in it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from datetime import UTC

import pytest
import time_machine

from registry import workflow
from registry.models import RegistrationRequest, User

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)

Travel = Callable[[float], None]


@pytest.fixture(autouse=True)
def travel() -> Iterator[Travel]:
    """Return a function that goes to so many days after Monday; time goes on from there."""
    with time_machine.travel(MONDAY) as traveller:
        yield lambda days: traveller.move_to(MONDAY + datetime.timedelta(days))


@pytest.fixture
def sent(draft: RegistrationRequest, registrant: User) -> RegistrationRequest:
    """A request sent on Monday, the first of June, that nobody has taken."""
    workflow.perform(draft, "submit", actor=registrant)
    return draft
