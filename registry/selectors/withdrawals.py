"""Withdrawals announced by a delegate, which anybody else on the registrant's side can stop."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from django.conf import settings
from django.db.models import Exists, OuterRef

from registry import enums
from registry.enums import LIVE_STATES, VerbKind
from registry.models import Event, RegistrationRequest


def find_announced_withdrawal(registration_request: RegistrationRequest) -> Event | None:
    """Return the current announcement: made by a delegate, and stopped by nobody."""
    kinds = (VerbKind.ANNOUNCES_WITHDRAWAL, VerbKind.STOPS_WITHDRAWAL)
    said = registration_request.events.of_kind(*kinds)
    last = said.order_by("number").last()
    if last is None or enums.is_verb_of_kind(last.verb, VerbKind.STOPS_WITHDRAWAL):
        return None
    return last


def find_withdrawal_time(announced: Event) -> datetime.datetime:
    """Return when an announced withdrawal takes effect."""
    return announced.at + datetime.timedelta(settings.REGISTRY_WITHDRAWAL_DAYS)


def is_withdrawal_due(registration_request: RegistrationRequest, now: datetime.datetime) -> bool:
    """Whether the days in which others can stop the withdrawal are over."""
    announced = find_announced_withdrawal(registration_request)
    return announced is not None and now >= find_withdrawal_time(announced)


def has_announced_withdrawal(registration_request: RegistrationRequest) -> bool:
    """Whether a withdrawal is announced, and can still be stopped."""
    return find_announced_withdrawal(registration_request) is not None


def has_no_announced_withdrawal(registration_request: RegistrationRequest) -> bool:
    """Whether nobody has announced its withdrawal."""
    return not has_announced_withdrawal(registration_request)


def iterate_due_withdrawals(now: datetime.datetime) -> Iterator[RegistrationRequest]:
    """Yield the live requests whose announced withdrawal takes effect by `now`."""
    announced = Event.objects.filter(
        registration_request=OuterRef("pk"),
        verb__in=enums.list_verbs_of_kind(VerbKind.ANNOUNCES_WITHDRAWAL),
        at__lte=now - datetime.timedelta(settings.REGISTRY_WITHDRAWAL_DAYS),
    )
    live = RegistrationRequest.objects.filter(Exists(announced), state__in=LIVE_STATES)
    return (each for each in live.order_by("pk") if is_withdrawal_due(each, now))
