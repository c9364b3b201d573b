"""What a person does with their hooks.

What a program is told is its owner's own business: it changes nothing in the registry, so it has
no line in the journal.
"""

from __future__ import annotations

import datetime
import uuid
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.background import StillPending, enqueue_for, pending_subjects
from registry.choices import Topic
from registry.hooks.sending import deliver, deliver_trial
from registry.models import Hook, HookDelivery, User
from registry.models.hook import secret

MOST: Final = 20
"""So many hooks a person has at most."""
TRIALS: Final = 20
HOUR: Final = datetime.timedelta(hours=1)
CHANGING_OVER: Final = datetime.timedelta(days=1)
"""For so long after a change the secret before signs as well."""


class NotNow(Exception):
    """It cannot be done now. The text is fit to show."""


def hooks_of(person: User) -> QuerySet[Hook]:
    """Return the hooks of `person`, the newest first."""
    return Hook.objects.filter(owner=person)


def add(
    person: User, *, name: str, url: str, topic: Topic, subject: str, form_key: uuid.UUID
) -> Hook:
    """Return a new hook; of two clicks on one form the second finds the hook of the first.

    Raises `NotNow` without a confirmed mail address, and for more hooks than anybody needs.
    """
    if not rules.has_confirmed_address(person):
        raise NotNow(_("Confirm your mail address first: we write to it where a hook is silent."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if made := hooks_of(person).filter(form_key=form_key).first():
            return made
        if hooks_of(person).count() >= MOST:
            words = _("You have %(most)d webhooks, which is the most. Remove one first.")
            raise NotNow(words % {"most": MOST})
        return Hook.objects.create(
            owner=person, name=name, url=url, topic=topic, subject=subject, form_key=form_key
        )


def stop(hook: Hook) -> None:
    """Tell the hook of nothing from now on; what waits is not sent either."""
    Hook.objects.filter(pk=hook.pk, stopped_at__isnull=True).update(stopped_at=timezone.now())


def start(hook: Hook) -> None:
    """Tell the hook of what happens from now on."""
    Hook.objects.filter(pk=hook.pk).update(stopped_at=None)


def rotate(hook: Hook, *, seen: str) -> None:
    """Give the hook a fresh secret in place of `seen`, which signs as well for a day.

    A second click changes nothing: the secret that was seen has gone already.
    """
    Hook.objects.filter(pk=hook.pk, secret=seen).update(
        secret=secret(), previous_secret=seen, previous_until=timezone.now() + CHANGING_OVER
    )


def remove(hook: Hook) -> None:
    """Forget the hook and its log."""
    Hook.objects.filter(pk=hook.pk).delete()


def try_out(hook: Hook) -> HookDelivery:
    """Have a trial posted, which is tried once, and return it; stopped hooks are tried too.

    Raises `NotNow` for many in an hour, and while the person waits for an earlier one.
    """
    recent = HookDelivery.objects.filter(
        hook__owner=hook.owner_id, event=None, written_at__gt=timezone.now() - HOUR
    )
    if recent.count() >= TRIALS:
        raise NotNow(_("You sent many trials. Wait for an hour."))
    try:
        with transaction.atomic():
            delivery = HookDelivery.objects.create(hook=hook, written_at=timezone.now())
            enqueue_for(hook.owner, deliver_trial, delivery.pk)
    except StillPending as reason:
        raise NotNow(str(reason)) from None
    return delivery


def trials_under_way(hook: Hook) -> QuerySet[HookDelivery]:
    """Return the trials of a hook of which nobody knows yet what will come of them."""
    return hook.deliveries.waiting().filter(event=None, pk__in=pending_subjects(deliver_trial))


def redeliver(delivery: HookDelivery) -> None:
    """Have an act told to its hook once more, from the first attempt on.

    Raises `NotNow` where the hook is stopped. What waits to be sent is sent once.
    """
    if delivery.hook.stopped_at is not None:
        raise NotNow(_("The webhook is stopped. Start it first."))
    settled = HookDelivery.objects.settled().filter(pk=delivery.pk, event__isnull=False)
    with transaction.atomic():
        if settled.update(attempts=0, not_before=None, delivered_at=None, given_up_at=None):
            deliver.enqueue(delivery.pk)
