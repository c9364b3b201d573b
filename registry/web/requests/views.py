"""Requests as everybody reads them: the list, each request in all its formats, and the figures."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_safe

from registry import permissions, selectors
from registry.enums import State
from registry.exchange.exports.csv_tables import write_figures_csv
from registry.forms.filters import RequestFilter
from registry.forms.remarks import CommentForm
from registry.http.file_responses import respond_with_text, serve_plain_text
from registry.http.formats import negotiate_formats, serve_format
from registry.http.methods import require_reading
from registry.http.redirects import redirect_to_canonical
from registry.models import RegistrationRequest, Round
from registry.presenters.available_steps import list_available_steps
from registry.presenters.charts import chart_open_requests, chart_registrations
from registry.presenters.discussion import Discussion, find_expert_notes
from registry.presenters.editor import PageTab
from registry.presenters.facts import RequestedFacts
from registry.presenters.figures import build_figures_groups
from registry.presenters.remarks import carry_remarks
from registry.presenters.requests import (
    build_request_head,
    build_request_rows,
    count_unchanged_fields,
    diff_rounds,
)
from registry.presenters.review import ReviewContext
from registry.presenters.side_by_side import compare_requests
from registry.presenters.transparency_log import describe_logged_acts
from registry.selectors.durations import compute_durations, load_stay_summary
from registry.selectors.events import find_last_event_number, list_round_events
from registry.selectors.transparency_log import list_logged_entries
from registry.serializers.representations import REQUEST_WRITERS, ROUND_WRITERS
from registry.template import write
from registry.web.log_proofs import render_with_proofs

REQUESTS_PER_PAGE = 25


@require_safe
@negotiate_formats("requests")
def list_requests(request: HttpRequest) -> HttpResponse:
    """List the public requests, those changed last first."""
    found = filter_requests(request.GET)
    page = Paginator(found.qs, REQUESTS_PER_PAGE).get_page(request.GET.get("page"))
    is_narrowed = any(found.form.cleaned_data.values())
    context = {"filter": found, "page": page, "is_narrowed": is_narrowed}
    return render(
        request, "requests/index.html", context | {"rows": build_request_rows(list(page))}
    )


def filter_requests(asked: QueryDict) -> RequestFilter:
    """Return the public requests that match the filters."""
    public = RegistrationRequest.objects.public()
    people = public.select_related("organization", "namespace", "author")
    return RequestFilter(asked, people.order_by("-state_since", "-pk"))


@require_safe
@negotiate_formats("request")
@permissions.ask_each_fact_once()
def show_request(request: HttpRequest, reference: str) -> HttpResponseBase:
    """Show the state of a request, what changed last, and the reasons given."""
    registration_request = find_visible_request(request, reference)
    if reference != registration_request.slug:
        return redirect_to_canonical(request, "requests:detail", registration_request.slug)
    rounds = list(registration_request.rounds.sent())
    newest_first = request.GET.get("order") == "newest"
    reader = request.user
    number = find_last_event_number(registration_request) if rounds else None
    logged = list_logged_entries([] if number is None else [number])
    context = {
        **build_request_head(registration_request, rounds, "discussion", reader),
        "steps": list_available_steps(reader, registration_request)
        if reader.is_authenticated
        else [],
        "discussion": Discussion(registration_request, reader, newest_first=newest_first),
        "notes": find_expert_notes(reader, registration_request),
        "form": CommentForm(registration_request=registration_request, author=reader),
        "remarks": carry_remarks(registration_request, rounds),
        "may_answer": permissions.may_edit(reader, registration_request),
        "newest_first": rounds[::-1],
        "experts": registration_request.assignments.active().count(),
        "stepped_back": registration_request.assignments.stepped_back().count(),
        "comments_until": get_comment_deadline(registration_request, rounds),
        "logged": next(iter(logged), None),
    }
    return render_with_proofs(
        request, "requests/detail.html", context | build_last_changes(context), logged
    )


def build_last_changes(context: dict[str, Any]) -> dict[str, Any]:
    """Return what the last round changed: of the facts, or compared with the previous round."""
    registration_request, rounds = context["registration_request"], context["rounds"]
    if rounds and registration_request.changes_facts:
        return {"asked": RequestedFacts(registration_request, rounds[-1].facts)}
    if len(rounds) > 1:
        return {"differences": diff_rounds(registration_request, rounds[-2], rounds[-1])}
    return {}


@require_GET
@never_cache
def show_freshness(request: HttpRequest, reference: str) -> HttpResponse:
    """Say whether the request changed after its page was opened at the revision `seen`.

    An empty response leaves the page as it is; the other ends the polling (htmx reads 286 so).
    """
    registration_request = find_visible_request(request, reference)
    if request.GET.get("seen") == str(registration_request.revision):
        return HttpResponse(status=204)
    last, shown = registration_request.last_round, request.GET.get("round")
    context = {
        "registration_request": registration_request,
        "arrived": last if last and str(last.number) != shown else None,
    }
    return render(request, "requests/fresh.html", context, status=286)


@require_GET
@permissions.ask_each_fact_once()
def show_request_template(request: HttpRequest, reference: str) -> HttpResponse:
    """Show the text of the last round, or of `round`; as a file with `format=txt`."""
    registration_request = find_visible_request(request, reference)
    rounds = list(registration_request.rounds.sent())
    shown = select_round(rounds, request.GET.get("round"))
    if request.GET.get("format") == "txt":
        name = f"{registration_request.slug}-round-{shown.number}.txt"
        return serve_plain_text(shown.template, name)
    acts = describe_logged_acts(list_round_events(shown))
    context = {
        **build_request_head(registration_request, rounds, "template", request.user),
        "round": shown,
        "dossier": ReviewContext(registration_request, shown, None, ""),
        "text": write(shown.template),
        "acts": acts,
    }
    entries = [act.entry for act in acts]
    return render_with_proofs(request, "requests/template.html", context, entries)


@require_safe
@negotiate_formats("round")
def redirect_to_round(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Redirect to where people read a round."""
    registration_request = find_visible_request(request, reference)
    shown = select_round(list(registration_request.rounds.sent()), str(number))
    page = reverse("requests:template", args=[registration_request.slug])
    return redirect(f"{page}?round={shown.number}")


@require_GET
@permissions.ask_each_fact_once()
def show_round_comparison(request: HttpRequest, reference: str, a: int, b: int) -> HttpResponse:
    """Show what changed from round `a` to round `b`, the older first."""
    registration_request = find_visible_request(request, reference)
    if a > b:
        return redirect("requests:changes", registration_request.slug, b, a)
    rounds = list(registration_request.rounds.sent())
    old, new = select_round(rounds, str(a)), select_round(rounds, str(b))
    context = {
        **build_request_head(registration_request, rounds, "changes", request.user),
        "old": old,
        "new": new,
        "differences": diff_rounds(registration_request, old, new),
        "unchanged": 0 if registration_request.changes_facts else count_unchanged_fields(old, new),
    }
    return render(request, "requests/changes.html", context)


@require_GET
def show_side_by_side(request: HttpRequest, reference: str, other: str) -> HttpResponse:
    """Show two conflicting requests side by side."""
    left = find_visible_request(request, reference)
    beside = compare_requests(left, find_visible_request(request, other))
    if beside is None:
        raise Http404
    return render(request, "requests/beside.html", {"beside": beside})


@require_GET
@permissions.ask_each_fact_once()
def show_request_history(request: HttpRequest, reference: str) -> HttpResponse:
    """Show every event of the request, as recorded in the journal."""
    registration_request = find_visible_request(request, reference)
    rounds = list(registration_request.rounds.sent())
    acts = describe_logged_acts(registration_request.events.order_by("number"))
    context = {
        **build_request_head(registration_request, rounds, "history", request.user),
        "acts": acts,
        "logged": acts[-1].entry if acts else None,
    }
    entries = [act.entry for act in acts]
    return render_with_proofs(request, "requests/history.html", context, entries)


def find_visible_request(request: HttpRequest, reference: str) -> RegistrationRequest:
    """Return the request with that reference if the reader may know of it, or raise `Http404`."""
    visible = selectors.requests_visible_to(request.user)
    return get_object_or_404(
        visible.select_related("organization", "namespace", "author"), reference=reference.upper()
    )


def select_round(rounds: Sequence[Round], number: str | None) -> Round:
    """Return the round with that number, or the last one; raise `Http404` if there is none."""
    for each in reversed(rounds):
        if number is None or str(each.number) == number:
            return each
    raise Http404


def get_comment_deadline(registration_request: RegistrationRequest, rounds: Sequence[Round]) -> Any:
    """Return until when comments are invited; None if the last round is not open."""
    is_open = registration_request.state in {State.IN_REVIEW, State.ADVISORY}
    return rounds[-1].comments_until if rounds and is_open else None


# No session is read: from the first round on everybody gets what is public.


@serve_format("request")
@require_reading
def serve_request(request: HttpRequest, reference: str, form: str) -> HttpResponseBase:
    """Return a request in one of its formats."""
    asked = find_public_request_for_file(reference)
    if reference != asked.slug:
        return redirect_to_canonical(request, "requests:file", asked.slug, form)
    text = REQUEST_WRITERS[form](asked, settings.SITE)
    return respond_with_text(
        request, form, text, name=asked.slug, changed_at=get_request_change_moment(asked)
    )


@serve_format("round")
@require_reading
def serve_round(request: HttpRequest, reference: str, number: str, form: str) -> HttpResponseBase:
    """Return one round in one of its formats, at a permanent address."""
    asked = find_public_request_for_file(reference)
    if reference != asked.slug:
        return redirect_to_canonical(request, "requests:round_file", asked.slug, number, form)
    sent = asked.rounds.sent().filter(number=number).first()
    if sent is None:
        raise Http404(_("There is no round %(number)s.") % {"number": number})
    text, name = ROUND_WRITERS[form](sent, settings.SITE), f"{asked.slug}-round-{sent.number}"
    return respond_with_text(request, form, text, name=name, changed_at=sent.submitted_at)


def find_public_request_for_file(reference: str) -> RegistrationRequest:
    """Return the public request with that reference, or raise `Http404`."""
    public = RegistrationRequest.objects.public().select_related(
        "organization", "namespace", "author"
    )
    asked = public.filter(reference=reference.upper()).first()
    if asked is None:
        raise Http404(_("There is no request %(name)s.") % {"name": reference.upper()})
    return asked


def get_request_change_moment(asked: RegistrationRequest) -> datetime.datetime:
    """Return when anybody last acted on a request."""
    last = asked.events.aggregate(at=Max("at"))["at"]
    return max(last or asked.created_at, asked.state_since)


@require_GET
@cache_control(no_cache=True)
def show_figures(request: HttpRequest) -> HttpResponse:
    """Show the figures of one year, or of all, as charts with their tables."""
    year = read_year(request)
    rows = compute_durations(year)
    context = {
        "groups": build_figures_groups(rows),
        "has_ended": any(row.closed.number for row in rows),
        "tabs": list_year_tabs(year),
        "registrations": chart_registrations(),
        "ages": chart_open_requests(),
        "year": year,
    }
    return render(request, "figures/index.html", context)


@require_safe
@cache_control(no_cache=True)
def serve_figures_csv(request: HttpRequest) -> HttpResponse:
    """Return the same figures for programs and spreadsheets."""
    year = read_year(request)
    response = HttpResponse(
        write_figures_csv(compute_durations(year)), content_type="text/csv; charset=utf-8"
    )
    name = f"figures-{year}.csv" if year else "figures.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def read_year(request: HttpRequest) -> int | None:
    """Return the requested year; None, which means all years, if nothing ended in it."""
    asked = request.GET.get("year")
    return next((year for year in load_stay_summary().years if str(year) == asked), None)


def list_year_tabs(current: int | None) -> list[PageTab]:
    """Return a tab for all years and one for each."""
    here = reverse("requests:figures")
    return [
        PageTab(_("All years"), here, current is None),
        *(
            PageTab(str(year), f"{here}?year={year}", year == current)
            for year in load_stay_summary().years
        ),
    ]
