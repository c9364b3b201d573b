"""Who can answer an organization that asks for recognition, and when they are reminded."""

from __future__ import annotations

import datetime

from registry.enums import LetterReason, Role
from registry.models import Recognition, User
from registry.models.dates import Calendar
from registry.permissions import q_person_holds_role, q_person_is_tied_to
from registry.selectors.deadlines import Deadline, build_ladder, find_local_day


def list_recognition_actors(asked: Recognition) -> tuple[LetterReason, list[User]]:
    """Return who can answer today: members of the standards body without a stake in it.

    If all have one, it is the administrators, who give the role to somebody else.
    """
    neutral = (
        User.objects.filter(q_person_holds_role(Role.STANDARDS_BODY))
        .exclude(pk=asked.asked_by_id)
        .exclude(q_person_is_tied_to(asked.organization))
    )
    if people := list(neutral.order_by("name", "pk")):
        return LetterReason.STANDARDS_BODY, people
    held = User.objects.filter(q_person_holds_role(Role.ADMINISTRATOR), is_staff=True)
    return LetterReason.ADMINISTRATOR, list(held.order_by("name", "pk"))


def find_promised_answer(asked: Recognition, calendar: Calendar) -> datetime.date:
    """Return by when the standards body is expected to answer."""
    return find_local_day(calendar.add_days(asked.asked_at, calendar.dates.decision_days))


def find_due_recognition_deadline(
    asked: Recognition, calendar: Calendar, now: datetime.datetime
) -> Deadline | None:
    """Return the reminder due by `now` about a pending recognition, if any."""
    office, _people = list_recognition_actors(asked)
    last = asked.reminders.order_by("at").last()
    ladder = build_ladder(
        asked.asked_at,
        calendar,
        to=tuple(dict.fromkeys((LetterReason.STANDARDS_BODY, office))),
        kind="recognition",
        reminded_at=last.at if last else None,
    )
    return ladder.find_due(now)
