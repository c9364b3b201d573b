"""Telling hooks of an act, in the transaction of the act."""

from __future__ import annotations

from registry.hooks.sending import deliver
from registry.hooks.topics import acts_of, may_be_for
from registry.models import Event, Hook, HookDelivery


def tell(event: Event) -> None:
    """Write a delivery for each hook that `event` is for, and a task for each.

    To be called in the transaction of the act: deliveries and tasks stand or fall with it.
    """
    told: dict[tuple[str, str], bool] = {}
    written = []
    for hook in Hook.objects.in_use().filter(may_be_for(event)):
        about = (hook.topic, hook.subject)
        if about not in told:
            told[about] = acts_of(hook).filter(pk=event.pk).exists()
        if told[about]:
            written.append(HookDelivery(hook=hook, event=event, written_at=event.at))
    for delivery in HookDelivery.objects.bulk_create(written):
        deliver.enqueue(delivery.pk)
