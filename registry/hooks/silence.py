"""Hooks whose receivers are silent, or say that they want nothing more."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from registry.models import Hook, HookDelivery
from registry.notices.own import write


def silent(delivery: HookDelivery) -> None:
    """Stop the hook of a delivery that was given up, if it took nothing all that time."""
    taken = delivery.hook.deliveries.filter(delivered_at__gte=delivery.written_at)
    if not taken.exists():
        stop(delivery.hook, _("It took nothing for all the time in which we tried again."))


def gone(delivery: HookDelivery) -> None:
    """Stop a hook whose receiver answered 410: it wants nothing more (Standard Webhooks)."""
    stop(delivery.hook, _("It answered with the status 410: Gone."))


def stop(hook: Hook, reason: str) -> None:
    """Tell the hook of nothing more, and its owner why; stopped twice, once."""
    now = timezone.now()
    if not Hook.objects.filter(pk=hook.pk, stopped_at__isnull=True).update(stopped_at=now):
        return
    write(
        "hook",
        {"hook": hook, "reason": reason},
        why=_("You have a webhook at the registry."),
        key=f"hook:{hook.pk}:{now.isoformat()}",
        address=hook.owner.email,
        person=hook.owner,
    )
