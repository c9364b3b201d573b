"""The experts' queue, and finding one request of it."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules
from registry.forms.queue import QueueForm
from registry.models import RegistrationRequest, User
from registry.pages import workload
from registry.pages.alike import contended, nearly
from registry.pages.order import in_order
from registry.pages.queue import Row, rows
from registry.pages.since import since
from registry.reviewing import absences, visits
from registry.views.acting import signed_in
from registry.workflow import VERBS

PAGE: Final = 50
BESIDE: Final = 5
LAST_HERE: Final = "queue_last_here"


@login_required
@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """The queue, one tab of it, filtered and in order."""
    person = signed_in(request)
    ask_for_an_expert(person)
    tab = workload.tab(request.GET.get("tab"), person)
    form = filters(request, tab)
    wanted = form.cleaned_data
    found = workload.narrowed(workload.for_queue(person, tab.holds(person)), wanted)
    found = in_order(found, wanted.get("sort") or tab.sort)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    rivals = contended()
    lines, untaken = rows(page, person, rivals), untaken_beside(person, tab, rivals)
    last_here = come(request, person)
    context = {
        "tab": tab,
        "tabs": tabs(person, tab),
        "form": form,
        "page": page,
        "rows": lines,
        "untaken": untaken,
        "contended": rivals,
        "alike": alike([*lines, *untaken]),
        "assign": VERBS["assign"],
        "is_filtered": bool(wanted.get("words") or wanted.get("path")),
        "since": since(person, last_here) if last_here else None,
        "away": absences.away_today().get(person.pk),
    }
    return render(request, "review/index.html", context)


def filters(request: HttpRequest, tab: workload.Tab) -> QueueForm:
    """Return what was asked of the queue; without an order the tab's own."""
    asked = request.GET.copy()
    asked.setdefault("sort", tab.sort)
    form = QueueForm(asked)
    form.is_valid()
    return form


def untaken_beside(
    person: User, tab: workload.Tab, rivals: list[list[RegistrationRequest]]
) -> list[Row]:
    """Return the oldest that nobody has taken, beside what is the person's own."""
    none = RegistrationRequest.objects.none()
    untaken = queries.unassigned() if tab.key == "mine" else none
    beside = in_order(workload.for_queue(person, untaken), "oldest")[:BESIDE]
    return rows(beside, person, rivals)


def alike(lines: list[Row]) -> list[list[RegistrationRequest]]:
    """Return pairs of requests with similar NIDs, one of them on this page."""
    return nearly(each.registration_request for each in lines if each.likeness)


def come(request: HttpRequest, person: User) -> datetime.datetime | None:
    """Return when the person looked at the queue last, before they sat down to it this time."""
    if request.method == "HEAD":
        return None
    before = visits.come_to_the_queue(person)
    if LAST_HERE not in request.session or visits.is_a_new_sitting(before):
        request.session[LAST_HERE] = before.isoformat() if before else ""
    return parse_datetime(request.session[LAST_HERE])


def tabs(person: User, current: workload.Tab) -> list[dict[str, Any]]:
    """Return the tabs for their component; what is decided is not counted."""
    return [
        {
            "title": tab.title,
            "url": f"?tab={tab.key}",
            "current": tab is current,
            "count": 0 if tab.key == "decided" else tab.holds(person).count(),
        }
        for tab in workload.tabs_of(person)
    ]


def ask_for_an_expert(person: User) -> None:
    """Refuse whoever is not an expert, and say who may."""
    if not rules.is_expert(person):
        raise PermissionDenied(
            _("Reviewing requests is for designated experts. Your account does not have that role.")
        )


def find(request: HttpRequest, reference: str) -> tuple[User, RegistrationRequest]:
    """Return the expert who asks and the public request; 404 without one, 403 for others."""
    person = signed_in(request)
    requests = workload.for_queue(person, RegistrationRequest.objects.public())
    registration_request = get_object_or_404(requests, reference=reference.upper())
    ask_for_an_expert(person)
    return person, registration_request
