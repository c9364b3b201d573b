"""Home, the search box and the theme."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from registry import queries
from registry.choices import Theme
from registry.desk import inspect
from registry.forms.find import FindForm, begins_as_urn, read
from registry.models import Namespace
from registry.views.origin import sent_from_here
from registry.views.query_parameters import answer_query_errors, read_uris
from registry.views.redirects import is_own_path

EXAMPLE = "urn:nbn:fi-fe201003181510"
LATEST = 5
COMMENTS = 5
YEAR = datetime.timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Change:
    """One line of what is new in the registry; `version` is none of an imported namespace."""

    namespace: Namespace
    date: str
    version: int | None = None

    @property
    def year(self) -> str:
        """The year alone: some dates are known no better."""
        return self.date[:4]


@require_safe
@answer_query_errors(is_page=True)
def index(request: HttpRequest) -> HttpResponse:
    """Show the search box, what is open for comment and what is new."""
    return home(request, FindForm(typed_in(request) or None))


def typed_in(request: HttpRequest) -> dict[str, str]:
    """Return what was typed into the search box; a URN in it is read as one.

    Words are read as forms send them, where a `+` is the blank between two of them.
    """
    typed = request.GET.getlist("q")
    if any(begins_as_urn(each) for each in typed):
        return read_uris(request, "q")
    return {"q": typed[-1]} if typed else {}


def home(request: HttpRequest, form: FindForm) -> HttpResponse:
    """Draw the page around the search box with what was typed."""
    typed = form["q"].value() or ""
    context = {
        "form": form,
        "open_for_comment": queries.open_for_comment()[:COMMENTS],
        "latest": latest(),
    }
    if not typed or form.is_valid():
        context |= read_as(typed)
    return render(request, "home/index.html", context)


def latest() -> list[Change]:
    """Return what was published or registered last, as far as that is known for certain."""
    published = [
        Change(version.namespace, version.registered_on.isoformat(), version.number)
        for version in queries.latest_versions()[:LATEST]
    ]
    imported = [
        Change(namespace, namespace.registered_on)
        for namespace in queries.latest_imported()[:LATEST]
    ]
    return sorted(published + imported, key=lambda change: change.date, reverse=True)[:LATEST]


@require_safe
@answer_query_errors(is_page=True)
def find(request: HttpRequest) -> HttpResponse:
    """Lead what was typed to where it belongs; what cannot be looked up is shown again."""
    form = FindForm(typed_in(request))
    if not form.is_valid():
        return home(request, form)
    reading = read(form.cleaned_data["q"])
    if reading.kind == "nothing":
        messages.info(request, _("Type an identifier, a URN or words to look up."))
    return redirect(reading.url)


@require_safe
@answer_query_errors(is_page=True)
def reading(request: HttpRequest) -> HttpResponse:
    """Say how the text in the box is read, as part of the page while somebody types."""
    form = FindForm(typed_in(request))
    context = read_as(form.cleaned_data["q"]) if form.is_valid() else {"form": form}
    return render(request, "home/reading.html", context)


def read_as(typed: str) -> dict[str, object]:
    """Return how `typed` is read; for nothing, how an example is."""
    taken = read(typed)
    name = EXAMPLE if taken.kind == "nothing" else taken.text
    context: dict[str, object] = {"reading": taken}
    if taken.kind in ("urn", "nothing"):
        context["inspection"] = inspect(name)
    elif taken.kind == "nid":
        context["namespace"] = Namespace.objects.filter(nid=taken.text).first()
    else:
        context["count"] = Namespace.objects.search(taken.text).count()
    return context


@sent_from_here
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the colours a person chose in a cookie, and go back to the page they came from."""
    back = request.POST.get("next", "")
    response = HttpResponseRedirect(back if is_own_path(back) else reverse("home:index"))
    if request.POST.get("theme") in Theme.values:
        response.set_cookie(
            "theme",
            request.POST["theme"],
            max_age=YEAR,
            secure=not settings.DEMONSTRATION,
            httponly=True,
            samesite="Lax",
        )
    return response
