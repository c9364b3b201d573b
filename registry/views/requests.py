"""Requests as everybody reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_GET, require_safe

from registry import queries
from registry.choices import State
from registry.forms.requests import RequestFilter
from registry.models import RegistrationRequest, Round
from registry.pages.comparing import changed, unchanged_count
from registry.pages.course import stages, with_waiting
from registry.pages.dossier import Dossier
from registry.pages.offered import steps
from registry.pages.surroundings import Tab
from registry.telling import decisions, told
from registry.template import write
from registry.views.plain import document, plain_text

PAGE = 25


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the public requests, those that moved last first."""
    public = RegistrationRequest.objects.public().select_related("organization", "namespace")
    filtered = RequestFilter(request.GET, public.order_by("-state_since", "-pk"))
    page = Paginator(filtered.qs, PAGE).get_page(request.GET.get("page"))
    is_narrowed = any(filtered.form.cleaned_data.values())
    context = {"filter": filtered, "page": page, "is_narrowed": is_narrowed}
    return render(request, "requests/index.html", context | {"rows": with_waiting(list(page))})


@require_GET
def detail(request: HttpRequest, reference: str) -> HttpResponse:
    """Show where a request stands, what changed last, and which reasons were given."""
    registration_request = find(request, reference)
    if reference != registration_request.slug:
        return redirect(registration_request, permanent=True)
    rounds = list(registration_request.rounds.sent())
    context = {
        **head(registration_request, rounds, "overview"),
        "steps": steps(request.user, registration_request),
        "decisions": told(decisions(registration_request.events.all())),
        "newest_first": rounds[::-1],
        "experts": registration_request.assignments.active().count(),
        "stepped_back": registration_request.assignments.filter(recused_at__isnull=False).count(),
        "comments_until": comments_until(registration_request, rounds),
    }
    if len(rounds) > 1:
        context["differences"] = changed(rounds[-2], rounds[-1])
    return render(request, "requests/detail.html", context)


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
        **head(registration_request, rounds, "template"),
        "round": shown,
        "dossier": Dossier(registration_request, shown, None, ""),
        "text": write(shown.template),
    }
    return render(request, "requests/template.html", context)


@require_safe
def round_file(request: HttpRequest, reference: str, number: str, form: str) -> HttpResponse:
    """Return one round as a file, at an address that stays."""
    registration_request = find(request, reference)
    if reference != registration_request.slug:
        return redirect(
            "requests:round_file", registration_request.slug, number, form, permanent=True
        )
    shown = round_asked(list(registration_request.rounds.sent()), number)
    name = f"{registration_request.slug}-round-{shown.number}"
    return document(request, shown.template, form, name)


@require_GET
def changes(request: HttpRequest, reference: str, a: int, b: int) -> HttpResponse:
    """Show what changed from round `a` to round `b`, the older first."""
    registration_request = find(request, reference)
    if a > b:
        return redirect("requests:changes", registration_request.slug, b, a)
    rounds = list(registration_request.rounds.sent())
    old, new = round_asked(rounds, str(a)), round_asked(rounds, str(b))
    context = {
        **head(registration_request, rounds, "changes"),
        "old": old,
        "new": new,
        "differences": changed(old, new),
        "unchanged": unchanged_count(old, new),
    }
    return render(request, "requests/changes.html", context)


@require_GET
def history(request: HttpRequest, reference: str) -> HttpResponse:
    """Show every event of the request, as the journal tells it."""
    registration_request = find(request, reference)
    rounds = list(registration_request.rounds.sent())
    lines = told(registration_request.events.order_by("number"))
    context = {**head(registration_request, rounds, "history"), "lines": lines}
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


def head(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> dict[str, Any]:
    """Return what the head of every public page of a request shows."""
    waiting = queries.waiting_for(registration_request)
    return {
        "registration_request": registration_request,
        "rounds": rounds,
        "last_round": rounds[-1] if rounds else None,
        "stages": stages(registration_request, rounds, waiting),
        "tabs": parts(registration_request, rounds, current) if rounds else [],
        "turn": waiting,
    }


def parts(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> list[Tab]:
    """Return the parts of a public request, each with its own address."""
    slug, last = registration_request.slug, rounds[-1]
    title = _("Template, round %(number)d") % {"number": last.number}
    tabs = [
        Tab(_("Overview"), registration_request.get_absolute_url(), current == "overview"),
        Tab(title, reverse("requests:template", args=[slug]), current == "template"),
    ]
    if len(rounds) > 1:
        before = rounds[-2]
        count = len(changed(before, last))
        tabs.append(
            Tab(
                _("Changes from round %(number)d") % {"number": before.number},
                reverse("requests:changes", args=[slug, before.number, last.number]),
                current == "changes",
                ngettext("%(count)d section", "%(count)d sections", count) % {"count": count},
            )
        )
    tabs.append(Tab(_("History"), reverse("requests:history", args=[slug]), current == "history"))
    return tabs
