"""What the registry does by itself when a time is up: reminders, escalations, expiry, sweeping."""

from __future__ import annotations

import datetime
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import notifications, permissions, rate_limits, workflow
from registry.actions import expert_assignment
from registry.database import is_database_unavailable
from registry.exchange import locator_tables
from registry.models import IdempotencyRecord, RegistrationRequest, Reminder
from registry.notifications import webhooks
from registry.selectors.appeals import iterate_lapsed_appeals
from registry.selectors.deadlines import (
    RequestClock,
    RequestDeadline,
    is_rota_due,
    list_due_deadlines,
    read_request_clock,
    read_request_clocks,
)
from registry.selectors.withdrawals import iterate_due_withdrawals
from registry.workflow.events import record_event

IDEMPOTENCY_RECORD_LIFETIME: Final = datetime.timedelta(days=1)


def meet_deadline(pk: int, deadline: RequestDeadline, now: datetime.datetime) -> Counter[str]:
    """Do what `deadline` is for, unless somebody acted in between or another tick did it."""
    with transaction.atomic():
        standing = lock_request_clock(pk)
        if deadline not in list_due_deadlines(standing, now):
            return Counter()
        if deadline.is_expiry:
            expire_request(standing.registration_request, deadline)
        elif not send_reminder(standing.registration_request, deadline, now):
            return Counter()
    return Counter([deadline.verb])


def assign_untaken_request(pk: int, now: datetime.datetime) -> Counter[str]:
    """Have the rota put an expert on a request that nobody took; it may have nobody to name."""
    with transaction.atomic():
        standing = lock_request_clock(pk)
        if not is_rota_due(standing, now):
            return Counter()
        event = expert_assignment.assign_next_expert(standing.registration_request)
    return Counter([event.verb] if event else [])


def let_appeal_lapse(registration_request: RegistrationRequest) -> Counter[str]:
    """Give back to the registrar what was appealed and not taken up in time."""
    workflow.perform(registration_request, "lapse_appeal", actor=permissions.CLOCK)
    return Counter(["lapse_appeal"])


def withdraw_as_announced(registration_request: RegistrationRequest) -> Counter[str]:
    """End a request that a delegate announced to withdraw, and that nobody kept."""
    workflow.perform(registration_request, "withdraw", actor=permissions.CLOCK)
    return Counter(["withdraw"])


def delete_idempotency_records(now: datetime.datetime) -> int:
    """Forget what programs were answered longer ago than they may ask for it; return how much."""
    deleted, _rows = IdempotencyRecord.objects.filter(
        at__lt=now - IDEMPOTENCY_RECORD_LIFETIME
    ).delete()
    return deleted


def lock_request_clock(pk: int) -> RequestClock:
    """Return where a request stands; it stays so until the transaction ends."""
    return read_request_clock(RegistrationRequest.objects.select_for_update(no_key=True).get(pk=pk))


def expire_request(registration_request: RegistrationRequest, deadline: RequestDeadline) -> None:
    """Let the request lapse, and say why in public."""
    days = (deadline.at - deadline.since).days
    comment = _(
        "Nobody has touched this request for %(days)d days, so it has lapsed. Its page stays, its "
        "identifier is free, and the registrant can reopen it."
    )
    workflow.perform(
        registration_request,
        deadline.verb,
        actor=permissions.CLOCK,
        comment=comment % {"days": days},
    )


def send_reminder(
    registration_request: RegistrationRequest, deadline: RequestDeadline, now: datetime.datetime
) -> bool:
    """Nudge, remind, escalate or alarm; return whether that had not been done yet."""
    _nudge, is_new = Reminder.objects.get_or_create(
        registration_request=registration_request,
        kind=deadline.kind,
        since=deadline.since,
        defaults={"at": now},
    )
    if is_new:
        told = {
            "to": [str(each) for each in deadline.to],
            "kind": deadline.kind,
            "since": deadline.since.isoformat(),
            "days": (now - deadline.since).days,
        }
        record_event(registration_request, actor=permissions.CLOCK, verb=deadline.verb, data=told)
    return is_new


TICK_BATCH_SIZE: Final = 500
logger = logging.getLogger(__name__)


@dataclass
class TickReport:
    """What one tick has done: how often by the verb of the journal, and what failed."""

    done: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def attempt(self, name: str, act: Callable[[], Counter[str]]) -> None:
        """Add what `act` did; where it fails, tell so and let the others go on.

        Without a database the others would fail as well.
        """
        try:
            self.done += act()
        except Exception as error:
            if is_database_unavailable(error):
                raise
            logger.exception("The clock could not see to %s.", name)
            self.failures.append(name)


def tick(now: datetime.datetime | None = None) -> TickReport:
    """Do all that is due by `now` and not done yet."""
    moment = now or timezone.now()
    tally = TickReport()
    for standing, deadlines in iterate_due_requests(moment):
        registration_request = standing.registration_request
        for deadline in deadlines:
            act = partial(meet_deadline, registration_request.pk, deadline, moment)
            tally.attempt(registration_request.reference, act)
        if is_rota_due(standing, moment):
            act = partial(assign_untaken_request, registration_request.pk, moment)
            tally.attempt(registration_request.reference, act)
    for appealed in iterate_lapsed_appeals(moment):
        tally.attempt(appealed.reference, partial(let_appeal_lapse, appealed))
    for announced in iterate_due_withdrawals(moment):
        tally.attempt(announced.reference, partial(withdraw_as_announced, announced))
    tally.attempt("digests", lambda: Counter(digest=notifications.send_digests(moment)))
    tally.attempt("letters", lambda: Counter(letter=notifications.requeue_letters()))
    tally.attempt("answers", lambda: Counter(forget=delete_idempotency_records(moment)))
    tally.attempt("limits", lambda: Counter(limit=rate_limits.delete_expired_limits(moment)))
    tally.attempt("webhooks", lambda: Counter(delivery=webhooks.requeue_deliveries(moment)))
    tally.attempt("locators", lambda: Counter(locators=locator_tables.sweep_uploads(moment)))
    return tally


def iterate_due_requests(
    now: datetime.datetime,
) -> Iterator[tuple[RequestClock, list[RequestDeadline]]]:
    """Yield the requests for which something is due, with what was not done yet."""
    live = list(RegistrationRequest.objects.live().order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(live), TICK_BATCH_SIZE):
        requests = list(
            RegistrationRequest.objects.filter(pk__in=live[start : start + TICK_BATCH_SIZE])
        )
        given = set(
            Reminder.objects.filter(registration_request__in=requests).values_list(
                "registration_request", "kind", "since"
            )
        )
        for standing in read_request_clocks(requests):
            pk = standing.registration_request.pk
            left = [
                each
                for each in list_due_deadlines(standing, now)
                if (pk, each.kind, each.since) not in given
            ]
            if left or is_rota_due(standing, now):
                yield standing, left
