"""What every page knows: the theme, the mode, and what waits for the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from registry import queries, rules
from registry.choices import State, Theme
from registry.models import User
from registry.pages import direction, workload


@dataclass(frozen=True, slots=True)
class Waiting:
    """A working screen of a person, and how many things wait for them there."""

    key: str
    url: str
    label: str
    count: int


def site(request: HttpRequest) -> dict[str, Any]:
    """Return what `base.html` needs beside the page's own context."""
    theme = request.COOKIES.get("theme", Theme.SYSTEM)
    return {
        "theme": theme if theme in Theme.values else Theme.SYSTEM,
        "demonstration": settings.DEMONSTRATION,
        "site": settings.SITE,
        "waiting": SimpleLazyObject(lambda: waiting_for(request)),
    }


def waiting_for(request: HttpRequest) -> list[Waiting]:
    """Return the working screens of the person who reads the page."""
    person = getattr(request, "user", None)
    if not isinstance(person, User):
        return []
    screens = []
    written = queries.written_by(person)
    if written.exists() or not person.roles:
        turn = written.filter(state__in=[State.DRAFT, State.CHANGES_REQUESTED]).count()
        screens.append(Waiting("mine", reverse("account:requests"), _("My requests"), turn))
    if rules.is_expert(person):
        waits = workload.waiting_for(person)
        screens.append(Waiting("review", reverse("review:index"), _("Review"), waits))
    if rules.is_registrar(person):
        ready = queries.publishable().count()
        screens.append(Waiting("publish", reverse("publish:index"), _("Publish"), ready))
    if rules.may_recognise(person):
        waits = direction.waiting()
        screens.append(Waiting("direction", reverse("direction:index"), _("Direction"), waits))
    return screens
