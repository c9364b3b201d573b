"""One look at all clocks."""

from __future__ import annotations

import datetime
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from django.utils import timezone

from registry import gateway, hooks, notices, rate_limits
from registry.clock.acts import ask_the_rota, forget_answers, keep
from registry.database import is_unavailable
from registry.models import Nudge, RegistrationRequest
from registry.queries.deadlines import Deadline, due, rota_is_due
from registry.queries.standing import Standing, standings

BATCH: Final = 500
logger = logging.getLogger(__name__)


@dataclass
class Tally:
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
            if is_unavailable(error):
                raise
            logger.exception("The clock could not see to %s.", name)
            self.failures.append(name)


def tick(now: datetime.datetime | None = None) -> Tally:
    """Do all that is due by `now` and not done yet."""
    moment = now or timezone.now()
    tally = Tally()
    for standing, deadlines in wanting(moment):
        registration_request = standing.registration_request
        for deadline in deadlines:
            act = partial(keep, registration_request.pk, deadline, moment)
            tally.attempt(registration_request.reference, act)
        if rota_is_due(standing, moment):
            act = partial(ask_the_rota, registration_request.pk, moment)
            tally.attempt(registration_request.reference, act)
    tally.attempt("digests", lambda: Counter(digest=notices.send_digests(moment)))
    tally.attempt("letters", lambda: Counter(letter=notices.sweep()))
    tally.attempt("answers", lambda: Counter(forget=forget_answers(moment)))
    tally.attempt("limits", lambda: Counter(limit=rate_limits.delete_expired(moment)))
    tally.attempt("webhooks", lambda: Counter(delivery=hooks.sweep(moment)))
    tally.attempt("locators", lambda: Counter(locators=gateway.sweep(moment)))
    return tally


def wanting(now: datetime.datetime) -> Iterator[tuple[Standing, list[Deadline]]]:
    """Yield the requests for which something is due, with what was not done yet."""
    live = list(RegistrationRequest.objects.live().order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(live), BATCH):
        requests = list(RegistrationRequest.objects.filter(pk__in=live[start : start + BATCH]))
        given = set(
            Nudge.objects.filter(registration_request__in=requests).values_list(
                "registration_request", "kind", "since"
            )
        )
        for standing in standings(requests):
            pk = standing.registration_request.pk
            left = [each for each in due(standing, now) if (pk, each.kind, each.since) not in given]
            if left or rota_is_due(standing, now):
                yield standing, left
