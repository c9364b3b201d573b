"""What the clock does for one request: one thing, in one transaction, and only if still due."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from registry import rules, workflow
from registry.models import Answered, Nudge, RegistrationRequest
from registry.queries.deadlines import EXPIRE, Deadline, due, rota_is_due
from registry.queries.standing import Standing, standings
from registry.reviewing import rota
from registry.workflow.recording import record

ANSWERS_KEPT: Final = datetime.timedelta(days=1)


def keep(pk: int, deadline: Deadline, now: datetime.datetime) -> Counter[str]:
    """Do what `deadline` is for, unless somebody acted in between or another tick did it."""
    with transaction.atomic():
        standing = locked(pk)
        if deadline not in due(standing, now):
            return Counter()
        if deadline.verb == EXPIRE:
            expire(standing.registration_request, deadline)
        elif not give(standing.registration_request, deadline, now):
            return Counter()
    return Counter([deadline.verb])


def ask_the_rota(pk: int, now: datetime.datetime) -> Counter[str]:
    """Have the rota put an expert on a request that nobody took; it may have nobody to name."""
    with transaction.atomic():
        standing = locked(pk)
        if not rota_is_due(standing, now) or not rota.assign(standing.registration_request):
            return Counter()
    return Counter(["assign"])


def forget_answers(now: datetime.datetime) -> int:
    """Forget what programs were answered longer ago than they may ask for it; return how much."""
    deleted, _rows = Answered.objects.filter(at__lt=now - ANSWERS_KEPT).delete()
    return deleted


def locked(pk: int) -> Standing:
    """Return where a request stands; it stays so until the transaction ends."""
    return next(standings([RegistrationRequest.objects.select_for_update(no_key=True).get(pk=pk)]))


def expire(registration_request: RegistrationRequest, deadline: Deadline) -> None:
    """Let the request lapse, and say why in public."""
    days = (deadline.at - deadline.since).days
    comment = _(
        "Nobody has touched this request for %(days)d days, so it has lapsed. Its page stays, its "
        "identifier is free, and the registrant can reopen it."
    )
    workflow.perform(
        registration_request, EXPIRE, actor=rules.CLOCK, comment=comment % {"days": days}
    )


def give(
    registration_request: RegistrationRequest, deadline: Deadline, now: datetime.datetime
) -> bool:
    """Nudge, remind, escalate or alarm; return whether that had not been done yet."""
    _nudge, is_new = Nudge.objects.get_or_create(
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
        record(registration_request, actor=rules.CLOCK, verb=deadline.verb, data=told)
    return is_new
