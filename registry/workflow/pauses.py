"""Days that stand still while only the holder's word, the recognition or a held NID is missing."""

from __future__ import annotations

import datetime
from collections import Counter

from django.db.models import Q
from django.utils import timezone

from registry.enums import PAUSABLE_STATES, ChangeKind
from registry.models import RegistrationRequest, RequestCheck
from registry.selectors.held_nids import q_nid_is_held
from registry.selectors.publication import find_pausing_turn, q_recognition_may_be_pending
from registry.selectors.requests import requests_asking_for


def note_pause(registration_request: RegistrationRequest, now: datetime.datetime) -> bool:
    """Note since when the days stand still, or that they run again; return whether that is new."""
    is_paused = find_pausing_turn(registration_request) is not None
    if is_paused == (registration_request.paused_since is not None):
        return False
    if is_paused:
        registration_request.paused_since = now
    else:
        registration_request.paused_since, registration_request.paused_until = None, now
    registration_request.save(update_fields=["paused_since", "paused_until"])
    RequestCheck.objects.schedule({registration_request.pk: now})
    return True


def note_pauses_of_nid(nid: str) -> None:
    """Note what begins or ends for the requests for `nid` that is held back, or no longer.

    To be called in the transaction of that, before its line of the journal: who has a request
    waits for the journal, and who has the journal for nobody.
    """
    asking = requests_asking_for(nid).select_for_update(no_key=True, of=("self",))
    for each in asking.order_by("pk"):
        note_pause(each, timezone.now())


def tick_pauses(now: datetime.datetime) -> Counter[str]:
    """Note what began or ended without a step on the request itself: a proof, a recognition."""
    done: Counter[str] = Counter()
    needs_consent = Q(namespace__isnull=False) & ~Q(change=ChangeKind.NEW)
    may_pause = Q(state__in=PAUSABLE_STATES) & (
        needs_consent | q_recognition_may_be_pending() | q_nid_is_held()
    )
    found = RegistrationRequest.objects.filter(may_pause | Q(paused_since__isnull=False))
    for each in found.select_related("namespace__registrant", "organization").order_by("pk"):
        done["pause"] += note_pause(each, now)
    return +done
