"""The experts' queue, and finding one request of it."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules
from registry.forms.queue import QueueForm
from registry.models import RegistrationRequest, User
from registry.pages import workload
from registry.pages.queue import rows
from registry.views.acting import signed_in
from registry.workflow import VERBS

PAGE: Final = 50
BESIDE: Final = 5


@login_required
@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """The queue, one tab of it, filtered and in order."""
    person = signed_in(request)
    ask_for_an_expert(person)
    form = QueueForm(request.GET)
    form.is_valid()
    wanted, tab = form.cleaned_data, workload.tab(form.cleaned_data.get("tab"))
    found = workload.narrowed(workload.for_queue(person, tab.holds(person)), wanted)
    found = workload.in_order(found, wanted.get("sort") or tab.sort)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    contended = workload.contended()
    untaken = queries.unassigned() if tab.key == "mine" else RegistrationRequest.objects.none()
    beside = workload.in_order(workload.for_queue(person, untaken), "oldest")[:BESIDE]
    context = {
        "tab": tab,
        "tabs": tabs(person, tab),
        "form": form,
        "page": page,
        "rows": rows(page, person, contended),
        "untaken": rows(beside, person, contended),
        "contended": contended,
        "assign": VERBS["assign"],
        "is_filtered": bool(wanted.get("words") or wanted.get("path")),
    }
    return render(request, "review/index.html", context)


def tabs(person: User, current: workload.Tab) -> list[dict[str, object]]:
    """Return the tabs for their component; what is decided is not counted."""
    return [
        {
            "title": tab.title,
            "url": f"?tab={tab.key}",
            "current": tab is current,
            "count": 0 if tab.key == "decided" else tab.holds(person).count(),
        }
        for tab in workload.TABS
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
