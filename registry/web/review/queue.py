"""The experts' queue, and when an expert does not judge: absences and conflicts of interest."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions, workflow
from registry.actions import conflicts_of_interest as declared, expert_assignment, read_markers
from registry.forms.review import AbsenceForm, ConflictOfInterestForm, QueueForm
from registry.models import RegistrationRequest, User
from registry.presenters.review_queue import (
    QueueRow,
    QueueTab,
    build_queue_rows,
    find_queue_tab,
    find_unread_activity,
    list_late_elsewhere,
    list_queue_tabs,
)
from registry.selectors.experts import coming_absences, map_absent_experts
from registry.selectors.review_queue import (
    MAX_QUEUED,
    count_queued,
    filter_queue,
    find_contended_requests,
    find_similar_requests,
    list_queue_keys,
    list_queued_requests,
    list_untaken_keys,
)
from registry.web.step_view import find_public_request, get_signed_in_user
from registry.workflow import VERBS

QUEUE_ROWS_PER_PAGE: Final = 50
MAX_UNTAKEN_BESIDE: Final = 5
LAST_VISIT_SESSION_KEY: Final = "queue_last_here"


@login_required
@require_http_methods(["GET", "HEAD"])
def show_queue(request: HttpRequest) -> HttpResponse:
    """Show one tab of the queue, filtered and sorted."""
    person = get_signed_in_user(request)
    require_expert(person)
    with permissions.ask_each_fact_once():
        return render(request, "review/index.html", build_queue_context(request, person))


def build_queue_context(request: HttpRequest, person: User) -> dict[str, Any]:
    tab = find_queue_tab(request.GET.get("tab"), person)
    form = build_queue_form(request, tab)
    wanted = form.cleaned_data
    narrowed = filter_queue(RegistrationRequest.objects.all(), wanted)
    sort = wanted.get("sort") or tab.sort
    keys = list_queue_keys(person, tab.holds(person, narrowed), sort)
    page = Paginator(keys, QUEUE_ROWS_PER_PAGE).get_page(request.GET.get("page"))
    # They are counted for one tab and shown next to another.
    untaken_keys = list_untaken_keys()
    beside_keys = untaken_keys[:MAX_UNTAKEN_BESIDE] if tab.key == "mine" else []
    asked = list_queued_requests(person, list(page))
    beside = list_queued_requests(person, beside_keys) if beside_keys else []
    rivals = find_contended_requests([*asked, *beside])
    lines, untaken = (build_queue_rows(each, person, rivals) for each in (asked, beside))
    last_here = read_last_visit(request, person)
    return {
        "tab": tab,
        "tabs": build_queue_tabs(person, tab, len(untaken_keys)),
        "form": form,
        "page": page,
        "bound": MAX_QUEUED if len(keys) == MAX_QUEUED else 0,
        "is_latest": sort == "latest",
        "rows": lines,
        "untaken": untaken,
        "late_elsewhere": list_late_elsewhere() if tab.key == "lead" else [],
        "contended": rivals,
        "alike": find_similar_rows([*lines, *untaken]),
        "assign": VERBS["assign"],
        "is_filtered": bool(wanted.get("words") or wanted.get("path")),
        "since": find_unread_activity(person, last_here) if last_here else None,
        "away": map_absent_experts().get(person.pk),
    }


def build_queue_form(request: HttpRequest, tab: QueueTab) -> QueueForm:
    """Return the queue's filters from the address; the default order is the tab's own."""
    asked = request.GET.copy()
    asked.setdefault("sort", tab.sort)
    form = QueueForm(asked)
    form.is_valid()
    return form


def find_similar_rows(lines: list[QueueRow]) -> list[list[RegistrationRequest]]:
    """Return pairs of requests with similar NIDs, at least one of them on this page."""
    return find_similar_requests(each.registration_request for each in lines if each.likeness)


def read_last_visit(request: HttpRequest, person: User) -> datetime.datetime | None:
    """Return when the person last looked at the queue, before the current visit."""
    if request.method == "HEAD":
        return None
    before = read_markers.mark_queue_read(person)
    if LAST_VISIT_SESSION_KEY not in request.session or read_markers.is_new_session(before):
        request.session[LAST_VISIT_SESSION_KEY] = before.isoformat() if before else ""
    return parse_datetime(request.session[LAST_VISIT_SESSION_KEY])


def build_queue_tabs(person: User, current: QueueTab, untaken: int) -> list[dict[str, Any]]:
    """Return the tabs for their component; decided requests are not counted."""
    every = RegistrationRequest.objects.all()
    known = {"unassigned": untaken, "decided": 0}
    return [
        {
            "title": tab.title,
            "url": f"?tab={tab.key}",
            "current": tab is current,
            "count": known[tab.key] if tab.key in known else count_queued(tab.holds(person, every)),
        }
        for tab in list_queue_tabs(person)
    ]


def require_expert(person: User) -> None:
    """Refuse people who are not experts, and tell them who may."""
    if not permissions.is_expert(person):
        raise PermissionDenied(
            _("Only designated experts can review requests. Your account does not have that role.")
        )


def find_request_as_expert(
    request: HttpRequest, reference: str
) -> tuple[User, RegistrationRequest]:
    """Return the expert and the public request; 404 without one, 403 for others.

    People who were put on a request for this once reach no other.
    """
    person, registration_request = find_public_request(request, reference, lambda _person: None)
    if not permissions.is_temporarily_assigned(person, registration_request):
        require_expert(person)
    return person, registration_request


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_absences(request: HttpRequest) -> HttpResponse:
    """List the days on which the officer is away, with a form for more."""
    person = get_officer(request)
    form = AbsenceForm(request.POST or None)
    if form.is_valid():
        expert_assignment.add_absence(person, **form.cleaned_data)
        messages.success(request, _("Noted. Nobody waits for you alone on these days."))
        return redirect("review:away")
    context = {"form": form, "absences": coming_absences(person)}
    return render(request, "review/away.html", context)


@login_required
@require_POST
def post_absence_removal(request: HttpRequest, key: int) -> HttpResponse:
    """Remove days away; a second click has nothing left to do."""
    get_officer(request).absences.filter(pk=key).delete()
    messages.success(request, _("Taken out. The registry counts on you on these days."))
    return redirect("review:away")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_conflicts_of_interest(request: HttpRequest) -> HttpResponse:
    """List the expert's declared conflicts of interest, with a form for more."""
    person = get_expert(request)
    form = ConflictOfInterestForm(request.POST or None, expert=person)
    if form.is_valid():
        try:
            declared.declare_conflict(person, **form.cleaned_data)
        except workflow.ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            said = {"organization": form.cleaned_data["organization"]}
            messages.success(
                request, _("Declared. You no longer judge requests of %(organization)s.") % said
            )
            return redirect("review:conflicts")
    context = {"form": form, "conflicts": person.conflicts.select_related("organization")}
    return render(request, "review/conflicts.html", context)


@login_required
@require_POST
def post_conflict_end(request: HttpRequest, key: int) -> HttpResponse:
    """End a declared conflict; a second click has nothing left to do."""
    for conflict in get_expert(request).conflicts.filter(pk=key):
        declared.end_conflict(conflict)
    messages.success(request, _("Ended. The journal keeps that there was a conflict."))
    return redirect("review:conflicts")


def get_officer(request: HttpRequest) -> User:
    """Return the officer signed in; refuse everyone else."""
    person = get_signed_in_user(request)
    if not permissions.is_officer(person):
        raise PermissionDenied(_("Days away are for officers of the registry."))
    return person


def get_expert(request: HttpRequest) -> User:
    """Return the expert signed in; refuse everyone else."""
    person = get_signed_in_user(request)
    require_expert(person)
    return person
