"""Pauses of deadlines while only the holder's consent, recognition or a hold's end is missing."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Final

from django.db.models import Q
from django.utils import timezone

from registry.batches import batched
from registry.enums import PAUSABLE_STATES
from registry.models import RegistrationRequest, RequestCheck
from registry.selectors.case import RequestCase, open_case, open_cases
from registry.selectors.publication import find_pausing_turn
from registry.selectors.requests import requests_asking_for
from registry.workflow.events import show_composed_events

BATCH_SIZE: Final = 100
"""How many requests are read together."""


def note_pause(registration_request: RegistrationRequest, now: datetime.datetime) -> bool:
    """Start or end the pause of a request's deadlines if due; return whether it changed."""
    with show_composed_events():
        is_noted = is_pause_noted(open_case(registration_request))
    if is_noted:
        return False
    if registration_request.paused_since is None:
        registration_request.paused_since = now
    else:
        registration_request.paused_since, registration_request.paused_until = None, now
    registration_request.save(update_fields=["paused_since", "paused_until"])
    RequestCheck.objects.schedule({registration_request.pk: now})
    return True


def note_pauses_of_nid(nid: str) -> None:
    """Start or end pauses for the requests for `nid`, which was held back or released.

    Call it in the same transaction, before the event: a transaction may wait for the journal with a
    request locked, but never the other way round.
    """
    asking = requests_asking_for(nid).select_for_update(no_key=True, of=("self",))
    for each in asking.order_by("pk"):
        note_pause(each, timezone.now())


def tick_pauses(now: datetime.datetime) -> Counter[str]:
    """Start or end pauses caused by something other than a step: a proof, a recognition.

    Facts are read for many requests at once. If a pause seems to start or end, the request is
    checked again individually.
    """
    done: Counter[str] = Counter()
    may_pause = Q(state__in=PAUSABLE_STATES) | Q(paused_since__isnull=False)
    found = RegistrationRequest.objects.filter(may_pause)
    found = found.select_related("namespace__registrant", "organization").order_by("pk")
    keys = list(found.values_list("pk", flat=True))
    for some in batched(keys, BATCH_SIZE):
        cases = open_cases(found.filter(pk__in=some))
        for each in [one.request for one in cases if not is_pause_noted(one)]:
            done["pause"] += note_pause(each, now)
    return +done


def is_pause_noted(case: RequestCase) -> bool:
    """Whether the request correctly says whether its deadlines are paused."""
    return (find_pausing_turn(case) is None) == (case.request.paused_since is None)
