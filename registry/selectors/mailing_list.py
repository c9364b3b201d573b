"""What of a request goes to the discussion list (RFC 8141, section 6.2, step 2), and when."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from registry.enums import LIVE_STATES, State
from registry.models import Letter, RegistrationRequest, Round

ROUND_INTERVAL: Final = datetime.timedelta(days=1)
"""How long the list gets no other text of the same request (local)."""
LISTED_STATES: Final = LIVE_STATES | {State.REGISTERED}
"""States in which the list still gets a text that waits for its day."""


def list_sent_texts(registration_request: RegistrationRequest) -> QuerySet[Letter]:
    """Return the letters with rounds of the request that went to the list or wait to, in order."""
    texts = Letter.objects.filter(round__registration_request=registration_request)
    return texts.filter(dropped_at__isnull=True).order_by("round__number")


def find_unlisted_round(registration_request: RegistrationRequest) -> Round | None:
    """Return the last round if the list is due to get it and has not; else None."""
    if not settings.REGISTRY_LIST_ADDRESS or registration_request.state not in LIVE_STATES:
        return None
    last = registration_request.last_round
    if last is None or list_sent_texts(registration_request).filter(round=last).exists():
        return None
    return last


def explain_unlisted_text(registration_request: RegistrationRequest) -> str:
    """Say that the list has not seen the last round; empty if it has, or there is no list.

    It has once the mail server took the letter with it, or the registrar has recorded where else
    the text was posted.
    """
    last = registration_request.last_round
    if last is None or not settings.REGISTRY_LIST_ADDRESS:
        return ""
    posted = registration_request.events.filter(
        verb="record_evidence", data__about="list", data__sha256=last.sha256
    )
    texts = Letter.objects.filter(round=last)
    if texts.filter(sent_at__isnull=False).exists() or posted.exists():
        return ""
    return _(
        "The discussion list has not got this text yet: the mail server has not taken the letter "
        "with it. It is registered after that, or once the registrar has recorded where else the "
        "text was posted. RFC 8141, section 6.2."
    )


def find_free_time(
    registration_request: RegistrationRequest, now: datetime.datetime
) -> datetime.datetime | None:
    """Return from when the list may get another text of the request; None for at once."""
    texts = list_sent_texts(registration_request)
    times = [each.sent_at or each.not_before or each.written_at for each in texts]
    free = max(times, default=now - ROUND_INTERVAL) + ROUND_INTERVAL
    return free if free > now else None
