"""What a letter says: what happened, who did it, what it changed, and why somebody gets it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from registry.models import Event, Message, Namespace, Watch
from registry.notices.concerned import Concern, carried
from registry.notices.layout import shortened
from registry.queries.holder import missing_holder_word
from registry.telling import what
from registry.template import field


def said(event: Event) -> dict[str, Any]:
    """Return what all letters about `event` say alike."""
    registration_request, message = event.registration_request, carried(event)
    return {
        "event": event,
        "sentence": sentence(event, message),
        "registration_request": registration_request,
        "message": message,
        "remarks": remarks(event),
        "rivals": event.data.get("contended_with", ()),
        "facts": facts(event),
        "missing_word": missing_holder_word(registration_request) if registration_request else "",
        "link": settings.SITE + path(event) + (f"#{message.anchor}" if message else ""),
    }


def sentence(event: Event, message: Message | None) -> str:
    """Say who did what, without a full stop."""
    if message:
        return _("%(who)s wrote") % {"who": message.author_name}
    return _("%(who)s %(what)s") % {"who": event.actor_name, "what": what(event)}


def facts(event: Event) -> list[tuple[str, str, str]]:
    """Return the facts of a namespace that were changed: what, before and after."""
    before, after = event.data.get("before"), event.data.get("after")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    labels = {field.name: str(field.verbose_name) for field in Namespace._meta.fields}
    return [(labels[name], spelled(before.get(name)), spelled(now)) for name, now in after.items()]


def spelled(fact: object) -> str:
    """Return a fact as one line."""
    parts = fact if isinstance(fact, list) else str(fact or "").split("\n")
    return ", ".join(str(part).strip() for part in parts) or _("(nothing)")


def remarks(event: Event) -> list[tuple[str, str, str]]:
    """Return what a decision points at: section, passage and text of each open remark."""
    registration_request, numbers = event.registration_request, event.data.get("remarks")
    if registration_request is None or not numbers:
        return []
    found = registration_request.remarks.filter(number__in=numbers)
    return [(field(each.section).label, each.quote, each.text) for each in found]


def path(event: Event) -> str:
    """Return the address on this site that a letter leads to."""
    if event.registration_request:
        return event.registration_request.get_absolute_url()
    if "organization_id" in event.data:
        return reverse("organizations:detail", args=[event.data["organization_id"]])
    return event.namespace.get_absolute_url() if event.namespace else reverse("home:index")


def subject(event: Event, sentence: str) -> str:
    """Return the subject: the reference first, by which people sort and search."""
    asked = event.registration_request
    reference = f"[{asked.reference}] " if asked else ""
    nid = f"{asked.nid}: " if asked and asked.nid else ""
    return shortened(reference + nid + sentence)


def why(concern: Concern) -> str:
    """Say why this reader gets the letter."""
    if concern.watch:
        return followed(concern.watch)
    if concern.registration_request:
        return _("You write or review %(reference)s, which asks for the same identifier.") % {
            "reference": concern.registration_request.reference
        }
    return str(concern.reason.label)


def followed(watch: Watch) -> str:
    """Say what a person follows."""
    if watch.registration_request:
        reference = watch.registration_request.reference
        return _("You follow the request %(reference)s.") % {"reference": reference}
    if watch.nid:
        return _("You follow urn:%(nid)s.") % {"nid": watch.nid}
    return _("You follow everything in the registry.")
