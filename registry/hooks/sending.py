"""Posting what hooks are told: by a worker, until the receiver takes it or for a day and a half.

What is guaranteed is what is for letters (`registry.notices.sending`): a worker takes a delivery
in hand by one update that only one can win, has it to itself for `IN_HAND`, and one whose worker
was killed is swept up. It may arrive twice where a worker dies between the receiver's answer and
our noting so; it then has the same `webhook-id`.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry.background import PRIORITY
from registry.fetching import FetchError, Limits, post
from registry.hooks.payload import body, id_of
from registry.hooks.signing import headers
from registry.hooks.silence import gone, silent
from registry.hooks.topics import acts_of
from registry.models import HookAttempt, HookDelivery

IN_HAND: Final = datetime.timedelta(minutes=5)
"""Longer than posting takes at worst: `LIMITS` ends every wait."""
LIMITS: Final = Limits(octets=1_200, seconds=10)
MINUTE: Final = datetime.timedelta(minutes=1)
RESTS: Final = tuple(count * MINUTE for count in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60))
"""Before the second attempt, the third and so on; after the last nothing is tried again."""
KEPT: Final = datetime.timedelta(days=90)
"""For so long the log tells of a delivery."""


@task(priority=PRIORITY)
def deliver(delivery_id: int) -> str:
    """Post one delivery; return what became of it. Run by two workers, it is posted once."""
    delivery = take_in_hand(delivery_id)
    if delivery is None:
        return "left alone"
    if not still_goes(delivery):
        finish(delivery, given_up_at=timezone.now())
        return "dropped"
    status = attempt(delivery)
    if status is not None and HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        finish(delivery, delivered_at=timezone.now())
        return "delivered"
    return failed(delivery, status)


@task(priority=PRIORITY)
def deliver_trial(delivery_id: int, *, person_id: int) -> str:
    """Post the trial that a person waits for."""
    return deliver.call(delivery_id)


def take_in_hand(delivery_id: int) -> HookDelivery | None:
    """Return the delivery, for this worker alone; none where it is not to be posted now."""
    now = timezone.now()
    if not HookDelivery.objects.take(delivery_id, now, now + IN_HAND):
        return None
    return HookDelivery.objects.select_related(
        "hook__owner", "event__namespace", "event__registration_request"
    ).get(pk=delivery_id)


def still_goes(delivery: HookDelivery) -> bool:
    """Whether the hook is in use and the act still public; a trial is what its owner wants now."""
    hook, event = delivery.hook, delivery.event
    if not hook.owner.is_active:
        return False
    if event is None:
        return True
    return hook.stopped_at is None and acts_of(hook).filter(pk=event.pk).exists()


def attempt(delivery: HookDelivery) -> int | None:
    """Post it, and write into the log what came of it; return the status, none without answer."""
    now, start, sent = timezone.now(), time.monotonic(), body(delivery)
    signed = headers(delivery.hook, id_of(delivery), sent, now)
    status: int | None = None
    try:
        answer = post(delivery.hook.url, sent, signed, limits=LIMITS)
    except FetchError as error:
        note = str(error)
    else:
        status, note = answer.status, said(answer.status, answer.headers, answer.body)
    HookAttempt.objects.create(
        delivery=delivery,
        at=now,
        status=status,
        milliseconds=int(1_000 * (time.monotonic() - start)),
        note=note[:300],
    )
    return status


def said(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Return what the receiver said, fit to show; of a redirect that it was not followed."""
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        words = _("It leads to %(location)s, where nothing is sent. Enter the address itself.")
        return words % {"location": headers.get("location", "")[:200]}
    text = body.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text).strip()


def finish(delivery: HookDelivery, **facts: object) -> None:
    """Note what became of the delivery."""
    HookDelivery.objects.filter(pk=delivery.pk).update(not_before=None, **facts)


def failed(delivery: HookDelivery, status: int | None) -> str:
    """Try again after a rest, or give up; a trial is tried once."""
    if delivery.event is None or delivery.attempts > len(RESTS) or status == HTTPStatus.GONE:
        with transaction.atomic():
            finish(delivery, given_up_at=timezone.now())
            if status == HTTPStatus.GONE:
                gone(delivery)
            elif delivery.event is not None:
                silent(delivery)
        return "given up"
    again_at = timezone.now() + RESTS[delivery.attempts - 1]
    with transaction.atomic():
        HookDelivery.objects.filter(pk=delivery.pk).update(not_before=again_at)
        deliver.using(run_after=again_at).enqueue(delivery.pk)
    return "put off"


def sweep(now: datetime.datetime | None = None) -> int:
    """Make a task for each delivery that waits and has none; return how many that were.

    Forgets besides what was settled long ago.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        HookDelivery.objects.settled().filter(written_at__lt=moment - KEPT).delete()
        tasks = DBTaskResult.objects.filter(
            task_path__in=[deliver.module_path, deliver_trial.module_path],
            status=TaskResultStatus.READY,
        )
        expected = {given["args"][0] for given in tasks.values_list("args_kwargs", flat=True)}
        ripe = HookDelivery.objects.ripe(moment).values_list("pk", flat=True)
        forgotten = [pk for pk in ripe if pk not in expected]
        for pk in forgotten:
            deliver.enqueue(pk)
    return len(forgotten)
