"""How long requests take, as everybody may read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_safe

from registry.exports.figures import figures_csv
from registry.pages.figures import groups
from registry.pages.surroundings import Tab
from registry.queries.figures import figures, stays


@require_GET
@cache_control(no_cache=True)
def index(request: HttpRequest) -> HttpResponse:
    """Show the figures of one year, or of all, as charts with their tables."""
    year = year_asked(request)
    rows = figures(year)
    context = {
        "groups": groups(rows),
        "has_ended": any(row.closed.number for row in rows),
        "tabs": years(year),
        "year": year,
    }
    return render(request, "figures/index.html", context)


@require_safe
@cache_control(no_cache=True)
def as_csv(request: HttpRequest) -> HttpResponse:
    """Return the same figures for programs and spreadsheets."""
    year = year_asked(request)
    response = HttpResponse(figures_csv(figures(year)), content_type="text/csv; charset=utf-8")
    name = f"figures-{year}.csv" if year else "figures.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def year_asked(request: HttpRequest) -> int | None:
    """Return the year asked for; none where nothing ended in it, which means all years."""
    asked = request.GET.get("year")
    return next((year for year in stays().years if str(year) == asked), None)


def years(current: int | None) -> list[Tab]:
    """Return a tab for all years and one for each."""
    here = reverse("requests:figures")
    return [
        Tab(_("All years"), here, current is None),
        *(Tab(str(year), f"{here}?year={year}", year == current) for year in stays().years),
    ]
