"""What a person does with their webhooks: add, stop, start, rotate the secret, try out.

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

from registry import permissions
from registry.background import (
    enqueue_for_person,
    find_pending_subjects,
)
from registry.enums import WebhookTopic
from registry.errors import RegistryError
from registry.models import (
    User,
    Webhook,
    WebhookDelivery,
)
from registry.models.notification import make_webhook_secret
from registry.notifications.webhook_delivery import deliver_trial, deliver_webhook

MAX_WEBHOOKS_PER_PERSON: Final = 20
"""So many hooks a person has at most."""
MAX_TRIALS_PER_HOUR: Final = 20
ONE_HOUR: Final = datetime.timedelta(hours=1)
SECRET_OVERLAP: Final = datetime.timedelta(days=1)
"""For so long after a change the secret before signs as well."""


class WebhookError(RegistryError):
    """It cannot be done now. The text is fit to show."""


def webhooks_of(person: User) -> QuerySet[Webhook]:
    """Return the hooks of `person`, the newest first."""
    return Webhook.objects.filter(owner=person)


def add_webhook(
    person: User, *, name: str, url: str, topic: WebhookTopic, subject: str, form_key: uuid.UUID
) -> Webhook:
    """Return a new hook; of two clicks on one form the second finds the hook of the first.

    Raises `WebhookError` without a confirmed mail address, and for more hooks than anybody needs.
    """
    if not permissions.has_confirmed_address(person):
        raise WebhookError(
            _("Confirm your mail address first: we write to it where a hook is silent.")
        )
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if made := webhooks_of(person).filter(form_key=form_key).first():
            return made
        if webhooks_of(person).count() >= MAX_WEBHOOKS_PER_PERSON:
            words = _("You have %(most)d webhooks, which is the most. Remove one first.")
            raise WebhookError(words % {"most": MAX_WEBHOOKS_PER_PERSON})
        return Webhook.objects.create(
            owner=person, name=name, url=url, topic=topic, subject=subject, form_key=form_key
        )


def stop_webhook(hook: Webhook) -> None:
    """Tell the hook of nothing from now on; what waits is not sent either."""
    Webhook.objects.filter(pk=hook.pk, stopped_at__isnull=True).update(stopped_at=timezone.now())


def start_webhook(hook: Webhook) -> None:
    """Tell the hook of what happens from now on."""
    Webhook.objects.filter(pk=hook.pk).update(stopped_at=None)


def rotate_secret(hook: Webhook, *, seen: str) -> None:
    """Give the hook a fresh secret in place of `seen`, which signs as well for a day.

    A second click changes nothing: the secret that was seen has gone already.
    """
    Webhook.objects.filter(pk=hook.pk, secret=seen).update(
        secret=make_webhook_secret(),
        previous_secret=seen,
        previous_until=timezone.now() + SECRET_OVERLAP,
    )


def remove_webhook(hook: Webhook) -> None:
    """Forget the hook and its log."""
    Webhook.objects.filter(pk=hook.pk).delete()


def send_trial(hook: Webhook) -> WebhookDelivery:
    """Have a trial posted, which is tried once, and return it; stopped hooks are tried too.

    Raises `WebhookError` for many in an hour, `TaskPending` while the person waits for an earlier
    one.
    """
    recent = WebhookDelivery.objects.filter(
        hook__owner=hook.owner_id, event=None, written_at__gt=timezone.now() - ONE_HOUR
    )
    if recent.count() >= MAX_TRIALS_PER_HOUR:
        raise WebhookError(_("You sent many trials. Wait for an hour."))
    with transaction.atomic():
        delivery = WebhookDelivery.objects.create(hook=hook, written_at=timezone.now())
        enqueue_for_person(hook.owner, deliver_trial, delivery.pk)
    return delivery


def pending_trials(hook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return the trials of a hook of which nobody knows yet what will come of them."""
    return hook.deliveries.waiting().filter(event=None, pk__in=find_pending_subjects(deliver_trial))


def retry_delivery(delivery: WebhookDelivery) -> None:
    """Have an act told to its hook once more, from the first attempt on.

    Raises `WebhookError` where the hook is stopped. What waits to be sent is sent once.
    """
    if delivery.hook.stopped_at is not None:
        raise WebhookError(_("The webhook is stopped. Start it first."))
    settled = WebhookDelivery.objects.settled().filter(pk=delivery.pk, event__isnull=False)
    with transaction.atomic():
        if settled.update(attempts=0, not_before=None, delivered_at=None, given_up_at=None):
            deliver_webhook.enqueue(delivery.pk)
