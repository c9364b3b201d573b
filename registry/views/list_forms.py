"""Lists at the other addresses of their pages: all that the filters there let through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from registry import sightings as seen
from registry.exports import anything_changed_at
from registry.forms.filters import NamespaceFilter
from registry.pages.endings import NAMESPACES, ORGANIZATIONS, REQUESTS, SIGHTINGS
from registry.pages.endings.lists import List
from registry.views.delivery import answer, answer_at_length
from registry.views.machine import in_form
from registry.views.organizations import named
from registry.views.requests import filtered

LONG: Final = 2_000
"""A list of more rows is sent as it is written, and tagged by the state of the registry."""


@in_form("namespaces")
@require_safe
def namespaces(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of namespaces."""
    return listed(request, form, NAMESPACES, NamespaceFilter(request.GET).qs, "namespaces")


@in_form("requests")
@require_safe
def requests(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of public requests."""
    return listed(request, form, REQUESTS, filtered(request.GET).qs, "requests")


@in_form("organizations")
@require_safe
def organizations(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of organizations."""
    _asked, found = named(request.GET)
    return listed(request, form, ORGANIZATIONS, found, "organizations")


@in_form("sightings")
@require_safe
def sightings(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of NIDs seen in use without registration."""
    return listed(request, form, SIGHTINGS, seen.listed(), "sightings")


def listed(
    request: HttpRequest, form: str, forms: Mapping[str, List], found: QuerySet[Any], name: str
) -> HttpResponseBase:
    """Return all rows of a list in one form."""
    chunks, changed = forms[form](found, settings.SITE), anything_changed_at()
    if found.count() > LONG:
        return answer_at_length(request, form, chunks, name=name, changed_at=changed)
    return answer(request, form, "".join(chunks), name=name, changed_at=changed)
