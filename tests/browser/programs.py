"""Webhooks with a log, and locator tables."""

from __future__ import annotations

import io
import uuid
from collections.abc import Mapping

from django.utils import timezone

from registry.enums import TableState, WebhookTopic
from registry.exchange import locator_tables
from registry.models import (
    Event,
    LocatorTable,
    Namespace,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.notifications import webhooks

ISBN = "https://books.northlight.example/9780395363416"


def keep_programs(people: Mapping[str, User]) -> dict[str, str]:
    """Create webhooks and tables; return the keys of the webhooks."""
    registrar, owner = people["registrar"], people["outsider"]
    load("isbn", f"978-0-395-36341-6,{ISBN}\n", registrar)
    load("issn", f"0028-0836,{ISBN}\n0028-0837,{ISBN}\nwrong\n00280836,{ISBN}\n", registrar)
    under_way("nbn", registrar)
    told, stopped = hook(owner, "Mirror of the library"), hook(owner, "An old program")
    log(told)
    webhooks.stop_webhook(stopped)
    return {"hook": str(told.pk), "stopped-hook": str(stopped.pk)}


def load(nid: str, text: str, person: User) -> None:
    """Load a table, valid or not."""
    namespace = Namespace.objects.get(nid=nid)
    table = locator_tables.begin_table(namespace, actor=person, file_name="books.csv", over=None)
    locator_tables.load_table(table, io.BytesIO(text.encode()))


def under_way(nid: str, person: User) -> None:
    """Leave a table half loaded."""
    now = timezone.now()
    LocatorTable.objects.create(
        namespace=Namespace.objects.get(nid=nid),
        loaded_by=person,
        file_name="theses.jsonl",
        state=TableState.LOADING,
        bytes_given=700_000_000,
        bytes_read=280_000_000,
        rows_read=4_000_000,
        refused=2,
        started_at=now,
        moved_at=now,
    )


def hook(owner: User, name: str) -> Webhook:
    """Add a webhook for all requests."""
    return webhooks.add_webhook(
        owner,
        name=name,
        url="https://mirror.northlight.example/urn-registry",
        topic=WebhookTopic.REQUESTS,
        subject="",
        form_key=uuid.uuid4(),
    )


def log(told: Webhook) -> None:
    """Let one delivery succeed at once, one after retries, one never, and leave one pending."""
    now = timezone.now()
    events = Event.objects.filter(verb__in=("submit", "approve")).order_by("number")[:3]
    answers: tuple[list[int | None], ...] = ([204], [500, None, 200], [503] * 7)
    for event, statuses in zip(events, answers, strict=True):
        arrived = statuses[-1] in (200, 204)
        delivery = WebhookDelivery.objects.create(
            hook=told,
            event=event,
            written_at=now,
            delivered_at=now if arrived else None,
            given_up_at=None if arrived else now,
        )
        for status in statuses:
            note = "Out of order." if status else "mirror.northlight.example cannot be reached."
            WebhookAttempt.objects.create(
                delivery=delivery,
                at=now,
                status=status,
                milliseconds=87,
                note="" if status in (200, 204) else note,
            )
    WebhookDelivery.objects.create(hook=told, written_at=now)
