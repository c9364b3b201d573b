"""Requests as everybody reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from registry import queries
from registry.choices import State
from registry.forms.discussion import CommentForm
from registry.forms.requests import RequestFilter
from registry.models import RegistrationRequest, Round
from registry.pages.comparing import unchanged_count
from registry.pages.discussion import Discussion
from registry.pages.dossier import Dossier
from registry.pages.facts import Asked
from registry.pages.offered import steps
from registry.pages.public import differences, head
from registry.pages.remarks import carried
from registry.pages.requests import rows
from registry.telling import told
from registry.template import write
from registry.views.machine import also_as
from registry.views.moved import moved
from registry.views.plain import plain_text

PAGE = 25


@require_safe
@also_as("requests")
def index(request: HttpRequest) -> HttpResponse:
    """List the public requests, those that moved last first."""
    found = filtered(request.GET)
    page = Paginator(found.qs, PAGE).get_page(request.GET.get("page"))
    is_narrowed = any(found.form.cleaned_data.values())
    context = {"filter": found, "page": page, "is_narrowed": is_narrowed}
    return render(request, "requests/index.html", context | {"rows": rows(list(page))})


def filtered(asked: QueryDict) -> RequestFilter:
    """Return the public requests that the filters let through."""
    public = RegistrationRequest.objects.public()
    people = public.select_related("organization", "namespace", "author")
    return RequestFilter(asked, people.order_by("-state_since", "-pk"))


@require_safe
@also_as("request")
def detail(request: HttpRequest, reference: str) -> HttpResponseBase:
    """Show where a request stands, what changed last, and which reasons were given."""
    registration_request = find(request, reference)
    if reference != registration_request.slug:
        return moved(request, "requests:detail", registration_request.slug)
    rounds = list(registration_request.rounds.sent())
    newest_first = request.GET.get("order") == "newest"
    context = {
        **head(registration_request, rounds, "discussion", request.user),
        "steps": steps(request.user, registration_request),
        "discussion": Discussion(registration_request, request.user, newest_first=newest_first),
        "form": CommentForm(registration_request=registration_request).drawn_for(request.user),
        "remarks": carried(registration_request, rounds),
        "newest_first": rounds[::-1],
        "experts": registration_request.assignments.active().count(),
        "stepped_back": registration_request.assignments.filter(recused_at__isnull=False).count(),
        "comments_until": comments_until(registration_request, rounds),
    }
    return render(request, "requests/detail.html", context | what_changed(context))


def what_changed(context: dict[str, Any]) -> dict[str, Any]:
    """Return what the last round changed: of the facts, or against the round before."""
    registration_request, rounds = context["registration_request"], context["rounds"]
    if rounds and registration_request.changes_facts:
        return {"asked": Asked(registration_request, rounds[-1].facts)}
    if len(rounds) > 1:
        return {"differences": differences(registration_request, rounds[-2], rounds[-1])}
    return {}


@require_GET
@never_cache
def fresh(request: HttpRequest, reference: str) -> HttpResponse:
    """Say whether the request changed after somebody opened its page at the revision `seen`.

    An empty answer leaves the page as it is; the other ends the asking (htmx reads 286 so).
    """
    registration_request = find(request, reference)
    if request.GET.get("seen") == str(registration_request.revision):
        return HttpResponse(status=204)
    last, shown = registration_request.last_round, request.GET.get("round")
    context = {
        "registration_request": registration_request,
        "arrived": last if last and str(last.number) != shown else None,
    }
    return render(request, "requests/fresh.html", context, status=286)


@require_GET
def template(request: HttpRequest, reference: str) -> HttpResponse:
    """Show the text of the last round, or of `round`; as a file with `format=txt`."""
    registration_request = find(request, reference)
    rounds = list(registration_request.rounds.sent())
    shown = round_asked(rounds, request.GET.get("round"))
    if request.GET.get("format") == "txt":
        name = f"{registration_request.slug}-round-{shown.number}.txt"
        return plain_text(shown.template, name)
    context = {
        **head(registration_request, rounds, "template", request.user),
        "round": shown,
        "dossier": Dossier(registration_request, shown, None, ""),
        "text": write(shown.template),
    }
    return render(request, "requests/template.html", context)


@require_safe
@also_as("round")
def round_page(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Lead to where people read a round."""
    registration_request = find(request, reference)
    shown = round_asked(list(registration_request.rounds.sent()), str(number))
    page = reverse("requests:template", args=[registration_request.slug])
    return redirect(f"{page}?round={shown.number}")


@require_GET
def changes(request: HttpRequest, reference: str, a: int, b: int) -> HttpResponse:
    """Show what changed from round `a` to round `b`, the older first."""
    registration_request = find(request, reference)
    if a > b:
        return redirect("requests:changes", registration_request.slug, b, a)
    rounds = list(registration_request.rounds.sent())
    old, new = round_asked(rounds, str(a)), round_asked(rounds, str(b))
    context = {
        **head(registration_request, rounds, "changes", request.user),
        "old": old,
        "new": new,
        "differences": differences(registration_request, old, new),
        "unchanged": 0 if registration_request.changes_facts else unchanged_count(old, new),
    }
    return render(request, "requests/changes.html", context)


@require_GET
def history(request: HttpRequest, reference: str) -> HttpResponse:
    """Show every event of the request, as the journal tells it."""
    registration_request = find(request, reference)
    rounds = list(registration_request.rounds.sent())
    lines = told(registration_request.events.order_by("number"))
    context = {**head(registration_request, rounds, "history", request.user), "lines": lines}
    return render(request, "requests/history.html", context)


def find(request: HttpRequest, reference: str) -> RegistrationRequest:
    """Return the request of that reference that the reader may know of, or raise `Http404`."""
    visible = queries.visible_to(request.user).select_related("organization", "namespace", "author")
    return get_object_or_404(visible, reference=reference.upper())


def round_asked(rounds: Sequence[Round], number: str | None) -> Round:
    """Return the round of that number, or the last one; raise `Http404` where there is none."""
    for each in reversed(rounds):
        if number is None or str(each.number) == number:
            return each
    raise Http404


def comments_until(registration_request: RegistrationRequest, rounds: Sequence[Round]) -> Any:
    """Return until when comments are invited, None where the last round is not open."""
    is_open = registration_request.state in {State.IN_REVIEW, State.ADVISORY}
    return rounds[-1].comments_until if rounds and is_open else None
