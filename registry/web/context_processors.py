"""Context for every page: the theme, the mode, and what is waiting for the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.demonstration import VENDOR_CONTENTS
from registry.demonstration.cast import list_sample_codes
from registry.enums import Theme
from registry.licences import get_data_licence, get_text_licence
from registry.models import User
from registry.presenters import direction
from registry.selectors.accounts import read_standing
from registry.selectors.counts import count_for_badge
from registry.selectors.review_queue import count_waiting_requests
from registry.workflow.step import IANA_LIST_PAGE


@dataclass(frozen=True, slots=True)
class WaitingScreen:
    """A working screen of a person, with the number of things waiting there, shown as a badge."""

    key: str
    url: str
    label: str
    count: int


def add_site_context(request: HttpRequest) -> dict[str, Any]:
    """Return what `base.html` needs in addition to the page's own context."""
    theme = request.COOKIES.get(settings.THEME_COOKIE_NAME, Theme.SYSTEM)
    return {
        "theme": theme if theme in Theme.values else Theme.SYSTEM,
        "demonstration": settings.DEMONSTRATION,
        "is_unstyled": settings.DEMONSTRATION and not VENDOR_CONTENTS.exists(),
        "mirror": IANA_LIST_PAGE if settings.REGISTRY_MIRROR else "",
        "site": settings.SITE,
        "data_licence": get_data_licence(),
        "text_licence": get_text_licence(),
        "canonical": find_canonical_address(request),
        "sample_codes": SimpleLazyObject(list_sample_codes),
        "missing_factor": SimpleLazyObject(lambda: find_missing_factor(request)),
        "waiting": SimpleLazyObject(lambda: list_waiting_screens(request)),
    }


def find_missing_factor(request: HttpRequest) -> str:
    """Return why the reader cannot use their roles yet, or nothing if they can."""
    person = getattr(request, "user", None)
    return permissions.explain_missing_factor(person) if isinstance(person, User) else ""


KEPT_PARAMETERS = frozenset({"page"})
"""Parameters that change what a page shows; filters, names and order only rearrange the same
content.
"""


def find_canonical_address(request: HttpRequest) -> str:
    """Return the canonical address of a page, at the site named in the settings.

    If the page has other formats, it is the address in its `Link` header.
    """
    if request.resolver_match is None:
        return ""
    for link in getattr(request, "links", ()):
        if link.rel == "canonical":
            return str(link.href)
    kept = {name: request.GET[name] for name in KEPT_PARAMETERS if request.GET.get(name)}
    return f"{settings.SITE}{request.path}{f'?{urlencode(kept)}' if kept else ''}"


def list_waiting_screens(request: HttpRequest) -> list[WaitingScreen]:
    """Return the working screens of the person reading the page."""
    person = getattr(request, "user", None)
    if not isinstance(person, User):
        return []
    screens = []
    written = read_standing(person)
    if written.is_any or not person.roles:
        label, turn = _("My requests"), written.unfinished
        screens.append(WaitingScreen("mine", reverse("account:requests"), label, turn))
    if permissions.is_expert(person):
        waits = count_waiting_requests(person)
        screens.append(WaitingScreen("review", reverse("review:index"), _("Review"), waits))
    if permissions.is_registrar(person):
        ready = count_for_badge(selectors.publishable_requests())
        screens.append(WaitingScreen("publish", reverse("publish:index"), _("Publish"), ready))
    if permissions.may_recognise(person):
        waits = direction.count_awaiting_ruling()
        screens.append(
            WaitingScreen("direction", reverse("direction:index"), _("Direction"), waits)
        )
    return screens
