"""Which decision on a request was appealed, by whom, and whether it still can be."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from registry import enums
from registry.enums import State, VerbKind
from registry.models import Event, RegistrationRequest, User

APPEALABLE_STATES: Final = frozenset({State.DECLINED, State.REFUSED, State.APPROVED})
"""The states in which a decision can be appealed."""


def find_appeal(registration_request: RegistrationRequest) -> Event | None:
    """Return the last appeal: the one being heard while the request is under appeal."""
    appeals = registration_request.events.of_kind(VerbKind.APPEAL)
    return appeals.exclude(source=State.APPEALED).order_by("number").last()


def list_appellants(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return who made the last appeal, and who joined it."""
    appeal = find_appeal(registration_request)
    if appeal is None:
        return User.objects.none()
    said = registration_request.events.filter(
        verb__in=enums.list_verbs_of_kind(VerbKind.APPEAL), number__gte=appeal.number
    )
    return User.objects.filter(pk__in=said.values("actor"))


def find_standing_decision(registration_request: RegistrationRequest) -> Event | None:
    """Return the event that brought the request to its appealable state; None in other states.

    If the decision was upheld, that is the event that upheld it.
    """
    state = State(registration_request.state)
    if state not in APPEALABLE_STATES:
        return None
    came = registration_request.events.filter(target=state).exclude(source=state)
    return came.order_by("number").last()


def may_be_appealed(registration_request: RegistrationRequest) -> bool:
    """Whether there is a decision that nobody has appealed: each is heard once.

    A change of facts comes to the registrar without a decision by experts.
    """
    if registration_request.state not in APPEALABLE_STATES:
        return False
    if registration_request.changes_facts and registration_request.state == State.APPROVED:
        return False
    decision = find_standing_decision(registration_request)
    return decision is None or decision.source != State.APPEALED


def may_be_taken_up(registration_request: RegistrationRequest) -> bool:
    """Whether an appeal waits for the standards body to say that it hears it."""
    if registration_request.state != State.APPEALED:
        return False
    appeal = find_appeal(registration_request)
    return appeal is not None and not is_taken_up(appeal)


def is_taken_up(appeal: Event) -> bool:
    """Whether the standards body said that it hears `appeal` beyond the first days."""
    later = Event.objects.filter(
        registration_request=appeal.registration_request_id, number__gt=appeal.number
    )
    return later.of_kind(VerbKind.TAKES_UP_APPEAL).exists()


def may_be_written_on(registration_request: RegistrationRequest) -> bool:
    """Whether the next round can be sent; under appeal, only if the request was declined."""
    if registration_request.state != State.APPEALED:
        return True
    appeal = find_appeal(registration_request)
    return appeal is not None and appeal.source == State.DECLINED


def find_lapse(appeal: Event) -> datetime.datetime:
    """Return until when an appeal of an approval holds up publication without being taken up."""
    return appeal.at + datetime.timedelta(settings.REGISTRY_APPEAL_DAYS)


def has_lapsed(appeal: Event, now: datetime.datetime) -> bool:
    """Whether an appeal of an approval was not taken up in time."""
    return appeal.source == State.APPROVED and now >= find_lapse(appeal) and not is_taken_up(appeal)


def iterate_lapsed_appeals(now: datetime.datetime) -> Iterator[RegistrationRequest]:
    """Yield the requests under an appeal of their approval that was not taken up in time."""
    for each in RegistrationRequest.objects.filter(state=State.APPEALED).order_by("pk"):
        appeal = find_appeal(each)
        if appeal and has_lapsed(appeal, now):
            yield each


def find_appealed_decision(registration_request: RegistrationRequest) -> Event | None:
    """Return the decision that the last appeal is against."""
    appeal = find_appeal(registration_request)
    if appeal is None:
        return None
    came = registration_request.events.filter(target=appeal.source, number__lt=appeal.number)
    return came.exclude(source__in=(appeal.source, State.APPEALED)).order_by("number").last()
