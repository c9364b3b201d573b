"""Webhooks: owned by people, sent public events, signed and repeated until accepted."""

from __future__ import annotations

import base64
import datetime
import hmac
import json
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry import permissions
from registry.background import (
    PERSONAL_TASK_PRIORITY,
    enqueue_for_each,
    enqueue_for_person,
    find_pending_subjects,
)
from registry.enums import WebhookTopic
from registry.errors import RegistryError
from registry.journal.event_messages import describe_event, label_event_state
from registry.models import Event, Namespace, User, Webhook, WebhookAttempt, WebhookDelivery
from registry.models.notification import make_webhook_secret
from registry.notifications.outbox import REPLAY_PAUSE, write_direct_letter
from registry.safe_http import FetchError, FetchLimits, post
from registry.selectors import is_replayed
from registry.selectors.events import (
    build_event_path,
    build_event_tag,
    build_message_key,
    map_event_messages,
    public_events_about,
    public_namespace_events,
    public_request_events,
)


def events_for_webhook(hook: Webhook) -> QuerySet[Event]:
    """Return the public events that `hook` is for."""
    if hook.topic == WebhookTopic.REQUESTS:
        return public_request_events()
    if hook.topic == WebhookTopic.REQUEST:
        return public_request_events().filter(registration_request__reference=hook.subject)
    if hook.topic == WebhookTopic.NAMESPACES:
        return public_namespace_events()
    namespace = Namespace.objects.filter(nid=hook.subject).first()
    return public_events_about(namespace) if namespace else Event.objects.none()


def build_topic_filter(events: Iterable[Event]) -> Q:
    """Return the condition for hooks that any of `events` may be for, if it is public."""
    references = {
        each.registration_request.reference for each in events if each.registration_request
    }
    nids = {each.namespace.nid for each in events if each.namespace}
    return (
        Q(topic__in=(WebhookTopic.REQUESTS, WebhookTopic.NAMESPACES))
        | Q(topic=WebhookTopic.REQUEST, subject__in=references)
        | Q(topic=WebhookTopic.NAMESPACE, subject__in=nids)
    )


def build_webhook_id(delivery: WebhookDelivery) -> str:
    """Return the id by which receivers recognise a message; the standard allows no full stop.

    An event has the same id however often and to however many hooks it is sent.
    """
    return f"event-{delivery.event.number}" if delivery.event else f"trial-{delivery.pk}"


def render_payload(delivery: WebhookDelivery) -> bytes:
    """Return the message as it is posted, in the language of the site."""
    with translation.override(settings.LANGUAGE_CODE):
        told = (
            build_event_payload(delivery.event) if delivery.event else build_trial_payload(delivery)
        )
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")


def build_event_payload(event: Event) -> dict[str, Any]:
    """Return an event's payload; of a hidden message it only says that there is one."""
    message = map_event_messages([event]).get(build_message_key(event))
    asked, namespace = event.registration_request, event.namespace
    return {
        "type": event.verb,
        "timestamp": event.at.isoformat(),
        "data": {
            "id": build_event_tag(event),
            "number": event.number,
            "actor": event.actor_name,
            "words": describe_event(event),
            "comment": event.comment or None,
            "message": message.text if message else None,
            "is_sender_verified": message.is_sender_verified if message else None,
            "state": event.target or None,
            "state_word": label_event_state(event, event.target) or None,
            "request": asked and build_link(asked.reference, asked.get_absolute_url()),
            "namespace": namespace and build_link(namespace.nid, namespace.get_absolute_url()),
            "link": settings.SITE + build_event_path(event, message),
        },
    }


def build_trial_payload(delivery: WebhookDelivery) -> dict[str, Any]:
    return {
        "type": "trial",
        "timestamp": timezone.now().isoformat(),
        "data": {
            "hook": delivery.hook.name,
            "link": settings.SITE + delivery.hook.get_absolute_url(),
        },
    }


def build_link(name: str, path: str) -> dict[str, str]:
    """Return the name of something, and its page."""
    return {"name": name, "url": settings.SITE + path}


SECRET_PREFIX: Final = "whsec_"


def build_signature_headers(
    hook: Webhook, message_id: str, body: bytes, now: datetime.datetime
) -> dict[str, str]:
    """Return headers with which a receiver verifies that a body is ours, recent and unchanged."""
    at = str(int(now.timestamp()))
    signed = b".".join((message_id.encode("ascii"), at.encode("ascii"), body))
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": at,
        "webhook-signature": " ".join(
            f"v1,{sign_payload(secret, signed)}" for secret in iterate_valid_secrets(hook, now)
        ),
    }


def iterate_valid_secrets(hook: Webhook, now: datetime.datetime) -> Iterator[str]:
    """Yield the secret, and for a while after a change the old one; skip undecryptable ones."""
    if hook.secret:
        yield hook.secret
    if hook.previous_secret and hook.previous_until and now < hook.previous_until:
        yield hook.previous_secret


def sign_payload(secret: str, octets: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return base64.b64encode(hmac.digest(key, octets, "sha256")).decode("ascii")


def disable_silent_webhook(delivery: WebhookDelivery) -> None:
    """Stop the hook of a failed delivery, if it accepted nothing in all that time."""
    taken = delivery.hook.deliveries.filter(delivered_at__gte=delivery.written_at)
    if not taken.exists():
        disable_webhook(delivery.hook, _("It accepted nothing during all our retries."))


def disable_gone_webhook(delivery: WebhookDelivery) -> None:
    """Stop a hook whose receiver answered 410: it wants no more messages (Standard Webhooks)."""
    disable_webhook(delivery.hook, _("It answered with the status 410: Gone."))


def disable_webhook(hook: Webhook, reason: str) -> None:
    """Stop the hook, and tell its owner why; doing so twice is no error."""
    now = timezone.now()
    if not Webhook.objects.filter(pk=hook.pk, stopped_at__isnull=True).update(stopped_at=now):
        return
    write_direct_letter(
        "hook",
        {"hook": hook, "reason": reason},
        why=_("You have a webhook at the registry."),
        key=f"hook:{hook.pk}:{now.isoformat()}",
        address=hook.owner.email,
        person=hook.owner,
    )


# The guarantees are those for letters (`registry.notifications.outbox`): a worker claims a delivery
# by an update that only one can win, and has it alone for `DELIVERY_LEASE`; if the worker is
# killed, the delivery is swept up. It can arrive twice if a worker dies after the receiver's answer
# but before we record it; it then has the same `webhook-id`.

DELIVERY_LEASE: Final = datetime.timedelta(minutes=5)
"""Longer than posting can take: `DELIVERY_LIMITS` ends every wait."""
DELIVERY_LIMITS: Final = FetchLimits(octets=1_200, seconds=10)
ONE_MINUTE: Final = datetime.timedelta(minutes=1)
RETRY_DELAYS: Final = tuple(count * ONE_MINUTE for count in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60))
"""The pause before the second attempt, the third and so on; after the last we give up."""
DELIVERY_LOG_LIFETIME: Final = datetime.timedelta(days=90)
"""How long deliveries stay in the log."""


@task(priority=PERSONAL_TASK_PRIORITY)
def deliver_webhook(delivery_id: int) -> str:
    """Post one delivery; return the result. If two workers run it, it is posted once."""
    if is_delivery_early(delivery_id):
        return "waits for replicas"
    delivery = claim_delivery(delivery_id)
    if delivery is None:
        return "left alone"
    if not is_delivery_still_due(delivery):
        finish_delivery(delivery, given_up_at=timezone.now())
        return "dropped"
    status = attempt_delivery(delivery)
    if status is not None and HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        finish_delivery(delivery, delivered_at=timezone.now())
        return "delivered"
    return handle_failed_attempt(delivery, status)


@task(priority=PERSONAL_TASK_PRIORITY)
def deliver_trial(delivery_id: int, *, person_id: int) -> str:
    """Post the test message that a person waits for."""
    return deliver_webhook.call(delivery_id)


def is_delivery_early(delivery_id: int) -> bool:
    """Whether a page in the message may still be outdated; a later task is made then."""
    if not settings.REGISTRY_REPLICAS:
        return False
    delivery = WebhookDelivery.objects.select_related("event").filter(pk=delivery_id).first()
    if delivery is None or delivery.event is None or is_replayed(delivery.event):
        return False
    deliver_webhook.using(run_after=timezone.now() + REPLAY_PAUSE).enqueue(delivery_id)
    return True


def claim_delivery(delivery_id: int) -> WebhookDelivery | None:
    """Claim the delivery for this worker; return None if it is not to be posted now."""
    now = timezone.now()
    if not WebhookDelivery.objects.take(delivery_id, now, now + DELIVERY_LEASE):
        return None
    return WebhookDelivery.objects.select_related(
        "hook__owner", "event__namespace", "event__registration_request"
    ).get(pk=delivery_id)


def is_delivery_still_due(delivery: WebhookDelivery) -> bool:
    """Whether the hook is in use and the event still public; a test is always due."""
    hook, event = delivery.hook, delivery.event
    if not hook.owner.is_active:
        return False
    if event is None:
        return True
    return hook.stopped_at is None and events_for_webhook(hook).filter(pk=event.pk).exists()


def attempt_delivery(delivery: WebhookDelivery) -> int | None:
    """Post it, and log the result; return the status, or None without an answer."""
    now, start, sent = timezone.now(), time.monotonic(), render_payload(delivery)
    signed = build_signature_headers(delivery.hook, build_webhook_id(delivery), sent, now)
    status: int | None = None
    try:
        answer = post(delivery.hook.url, sent, signed, limits=DELIVERY_LIMITS)
    except FetchError as error:
        note = str(error)
    else:
        status, note = answer.status, describe_response(answer.status, answer.headers, answer.body)
    WebhookAttempt.objects.create(
        delivery=delivery,
        at=now,
        status=status,
        milliseconds=int(1_000 * (time.monotonic() - start)),
        note=note[:300],
    )
    return status


def describe_response(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Return the receiver's answer in a form that can be shown; redirects are not followed."""
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        words = _(
            "It redirects to %(location)s, and we do not follow redirects. Enter the final address."
        )
        return words % {"location": headers.get("location", "")[:200]}
    text = body.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text).strip()


def finish_delivery(delivery: WebhookDelivery, **facts: object) -> None:
    """Record the result of the delivery."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(not_before=None, **facts)


def handle_failed_attempt(delivery: WebhookDelivery, status: int | None) -> str:
    """Schedule another attempt, or give up; a test is tried once."""
    if delivery.event is None or delivery.attempts > len(RETRY_DELAYS) or status == HTTPStatus.GONE:
        with transaction.atomic():
            finish_delivery(delivery, given_up_at=timezone.now())
            if status == HTTPStatus.GONE:
                disable_gone_webhook(delivery)
            elif delivery.event is not None:
                disable_silent_webhook(delivery)
        return "given up"
    again_at = timezone.now() + RETRY_DELAYS[delivery.attempts - 1]
    with transaction.atomic():
        WebhookDelivery.objects.filter(pk=delivery.pk).update(not_before=again_at)
        deliver_webhook.using(run_after=again_at).enqueue(delivery.pk)
    return "put off"


def requeue_deliveries(now: datetime.datetime | None = None) -> int:
    """Make a task for each waiting delivery that has none; return how many.

    Also deletes what was settled long ago.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        WebhookDelivery.objects.settled().filter(
            written_at__lt=moment - DELIVERY_LOG_LIFETIME
        ).delete()
        tasks = DBTaskResult.objects.filter(
            task_path__in=[deliver_webhook.module_path, deliver_trial.module_path],
            status=TaskResultStatus.READY,
        )
        expected = {given["args"][0] for given in tasks.values_list("args_kwargs", flat=True)}
        ripe = WebhookDelivery.objects.ripe(moment).values_list("pk", flat=True)
        forgotten = [pk for pk in ripe if pk not in expected]
        for pk in forgotten:
            deliver_webhook.enqueue(pk)
    return len(forgotten)


def find_concerned_webhooks(events: Sequence[Event]) -> list[list[Webhook]]:
    """Return the hooks that should get each of `events`, which are in the journal.

    Hooks for the same topic get the same events, so each topic is looked up once.
    """
    keys = [each.pk for each in events]
    told: dict[tuple[str, str], set[int]] = {}
    hooks = list(Webhook.objects.in_use().filter(build_topic_filter(events)))
    for hook in hooks:
        about = (hook.topic, hook.subject)
        if about not in told:
            found = events_for_webhook(hook).filter(pk__in=keys)
            told[about] = set(found.values_list("pk", flat=True))
    return [[hook for hook in hooks if key in told[hook.topic, hook.subject]] for key in keys]


def write_deliveries(events: Sequence[Event], hooks: Sequence[Iterable[Webhook]]) -> None:
    """Write a delivery of each event for each of its `hooks`, with a task for each.

    Call it in the transaction of the action, so that they are rolled back with it.
    """
    written = [
        WebhookDelivery(hook=hook, event=event, written_at=event.at)
        for event, concerned in zip(events, hooks, strict=True)
        for hook in concerned
    ]
    if not written:
        return
    deliveries = WebhookDelivery.objects.bulk_create(written)
    enqueue_for_each(deliver_webhook, [each.pk for each in deliveries])


# Hooks are their owners' private business and change nothing in the registry, so they have no
# events in the journal.

MAX_WEBHOOKS_PER_PERSON: Final = 20
"""The number of hooks a person can have."""
MAX_TRIALS_PER_HOUR: Final = 20
ONE_HOUR: Final = datetime.timedelta(hours=1)
SECRET_OVERLAP: Final = datetime.timedelta(days=1)
"""How long after a change the previous secret also signs."""


class WebhookError(RegistryError):
    """This cannot be done now. The message can be shown."""


class TooManyTrials(WebhookError):
    """The owner of a hook had many tests sent within an hour."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    wait = 3600


def webhooks_of(person: User) -> QuerySet[Webhook]:
    """Return the hooks of `person`, newest first."""
    return Webhook.objects.filter(owner=person)


def add_webhook(
    person: User, *, name: str, url: str, topic: WebhookTopic, subject: str, form_key: uuid.UUID
) -> Webhook:
    """Return a new hook; a second click on the same form gets the first one's.

    Raises `WebhookError` without a confirmed mail address, and if the person has too many hooks.
    """
    if not permissions.has_confirmed_address(person):
        raise WebhookError(
            _("Confirm your email address first: we write to it if a webhook stops answering.")
        )
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if made := webhooks_of(person).filter(form_key=form_key).first():
            return made
        if webhooks_of(person).count() >= MAX_WEBHOOKS_PER_PERSON:
            words = _("You have %(most)d webhooks, which is the limit. Remove one first.")
            raise WebhookError(words % {"most": MAX_WEBHOOKS_PER_PERSON})
        return Webhook.objects.create(
            owner=person, name=name, url=url, topic=topic, subject=subject, form_key=form_key
        )


def stop_webhook(hook: Webhook) -> None:
    """Send the hook no more events, including those waiting."""
    Webhook.objects.filter(pk=hook.pk, stopped_at__isnull=True).update(stopped_at=timezone.now())


def start_webhook(hook: Webhook) -> None:
    """Send the hook events from now on."""
    Webhook.objects.filter(pk=hook.pk).update(stopped_at=None)


def rotate_secret(hook: Webhook, *, seen: str) -> None:
    """Give the hook a new secret in place of `seen`, which also signs for one more day.

    A second click changes nothing: the secret it saw has been replaced already.
    """
    with transaction.atomic():
        row = Webhook.objects.select_for_update(no_key=True).filter(pk=hook.pk).first()
        if row is None or not hmac.compare_digest(row.secret.encode(), seen.encode()):
            return
        row.secret, row.previous_secret = make_webhook_secret(), seen
        row.previous_until = timezone.now() + SECRET_OVERLAP
        row.save(update_fields=["secret", "previous_secret", "previous_until"])


def remove_webhook(hook: Webhook) -> None:
    """Delete the hook and its log."""
    Webhook.objects.filter(pk=hook.pk).delete()


def send_trial(hook: Webhook) -> WebhookDelivery:
    """Send a test message, which is tried once, and return it; this works for stopped hooks too.

    Raises `TooManyTrials` after too many in an hour, `TaskPending` while an earlier one is under
    way.
    """
    refuse_many_trials(hook)
    with transaction.atomic():
        delivery = WebhookDelivery.objects.create(hook=hook, written_at=timezone.now())
        enqueue_for_person(hook.owner, deliver_trial, delivery.pk)
    return delivery


def refuse_many_trials(hook: Webhook) -> None:
    """Raise `TooManyTrials` if the hook's owner had many tests sent within an hour.

    Each attempt counts, so sending one again is another.
    """
    recent = WebhookAttempt.objects.filter(
        delivery__hook__owner=hook.owner_id,
        delivery__event=None,
        at__gt=timezone.now() - ONE_HOUR,
    ).count()
    waiting = WebhookDelivery.objects.waiting().filter(hook__owner=hook.owner_id, event=None)
    if recent + waiting.count() >= MAX_TRIALS_PER_HOUR:
        raise TooManyTrials(_("You sent too many tests. Wait an hour."))


def pending_trials(hook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return a hook's tests whose result is still unknown."""
    return hook.deliveries.waiting().filter(pk__in=find_pending_subjects(deliver_trial))


def retry_delivery(delivery: WebhookDelivery) -> None:
    """Deliver an event to its hook again, starting from the first attempt, or send a test again.

    Raises `WebhookError` if the hook is stopped and this is not a test; for a test, whatever
    `send_trial` raises. What is waiting to be sent is sent once.
    """
    is_trial = delivery.event_id is None
    if not is_trial and delivery.hook.stopped_at is not None:
        raise WebhookError(_("The webhook is stopped. Start it first."))
    settled = WebhookDelivery.objects.settled().filter(pk=delivery.pk)
    if is_trial and settled.exists():
        refuse_many_trials(delivery.hook)
    with transaction.atomic():
        if not settled.update(attempts=0, not_before=None, delivered_at=None, given_up_at=None):
            return
        if is_trial:
            enqueue_for_person(delivery.hook.owner, deliver_trial, delivery.pk)
        else:
            deliver_webhook.enqueue(delivery.pk)
