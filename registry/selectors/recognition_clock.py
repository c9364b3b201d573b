"""Who can answer an organization that asks for recognition, and when they are reminded."""

from __future__ import annotations

import datetime

from django.conf import settings

from registry.enums import LetterReason, Role
from registry.models import Recognition, User
from registry.permissions import q_person_holds_role, q_person_is_tied_to
from registry.selectors.deadlines import (
    OVERSIGHT_REASONS,
    WARNING_DIRECTION,
    Deadline,
    Ladder,
    find_end_of_day,
    find_local_day,
    set_deadline_after,
    set_deadline_on,
)


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


def find_promised_answer(asked: Recognition) -> datetime.date:
    """Return by when the standards body is expected to answer."""
    return find_local_day(asked.asked_at + datetime.timedelta(settings.REGISTRY_DIRECTION_DAYS))


def build_recognition_ladder(asked: Recognition) -> Ladder:
    """Return when people who do not answer are reminded; in the end registrar and lead are too."""
    office, _people = list_recognition_actors(asked)
    to = tuple(dict.fromkeys((LetterReason.STANDARDS_BODY, office)))
    since, days = asked.asked_at, settings.REGISTRY_ESCALATION_DAYS["lead"]
    day = find_promised_answer(asked)
    reminder = set_deadline_after("recognition", "nudge", to, since, days, WARNING_DIRECTION)
    alarm = set_deadline_on(
        "recognition-all",
        "alarm",
        tuple(dict.fromkeys((*to, *OVERSIGHT_REASONS))),
        since,
        day,
        WARNING_DIRECTION,
    )
    rungs = (reminder, alarm) if reminder.at < find_end_of_day(day) else (alarm,)
    return Ladder(rungs)


def find_due_recognition_deadline(asked: Recognition, now: datetime.datetime) -> Deadline | None:
    """Return the reminder due by `now` about a pending recognition, if any."""
    return build_recognition_ladder(asked).find_due(now)
