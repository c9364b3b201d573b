"""Whom an act concerns, and that letters stand or fall with it."""

from __future__ import annotations

import pytest
from django_tasks_db.models import DBTaskResult

from registry import workflow
from registry.choices import Reason
from registry.models import Letter, RegistrationRequest, User

pytestmark = pytest.mark.django_db


def told(verb: str) -> dict[str, str]:
    """Return who was written to about the last event of that verb, and why."""
    letters = Letter.objects.filter(event__verb=verb).order_by("-event__number")
    last = letters[0].event_id if letters else None
    return {letter.address: letter.reason for letter in letters if letter.event_id == last}


def test_sending_a_request_is_told_to_those_whose_turn_it_is(
    draft: RegistrationRequest, registrant: User, lead: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    assert told("submit") == {
        "lead@people.example": Reason.LEAD,
        "urn-list@lists.example": Reason.LIST,
    }
    assert DBTaskResult.objects.count() == 2
