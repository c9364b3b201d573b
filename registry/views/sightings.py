"""NIDs seen in use without registration: the public list, and what experts do with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from registry import queries, rules, sightings
from registry.forms.sightings import NewSightingForm, SightingForm, WithdrawForm
from registry.models import Sighting
from registry.pages.sightings import rows
from registry.views.acting import signed_in
from registry.views.machine import also_as
from registry.workflow import Refused

PAGE = 50
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def for_those_who_note(view: View[P]) -> View[P]:
    """Have a view answer only those who note sightings."""

    @login_required
    @wraps(view)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not rules.may_note_sightings(request.user):
            raise PermissionDenied(
                _("Sightings are noted by designated experts and the registrar.")
            )
        return view(request, *args, **kwargs)

    return asked


@require_safe
@also_as("sightings")
def index(request: HttpRequest) -> HttpResponse:
    """List what was seen, the newest first."""
    page = Paginator(sightings.listed(), PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": rows(list(page)),
        "may_note": rules.may_note_sightings(request.user),
    }
    return render(request, "sightings/index.html", context)


@for_those_who_note
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Note a sighting; where its NID is asked for already, say so."""
    form = NewSightingForm(request.POST or None, initial={"nid": request.GET.get("nid", "")})
    if form.is_valid():
        said = {name: form.cleaned_data[name] for name in form.fields if name != "seen"}
        try:
            noted = sightings.note(actor=signed_in(request), **said)
        except Refused as refusal:
            form.add_error("nid", str(refusal))
        else:
            messages.success(request, _("Noted. Everybody can read it here."))
            for asking in queries.asking_for(noted.nid):
                messages.info(
                    request,
                    _("The request %(reference)s asks for this identifier.")
                    % {"reference": asking.reference},
                )
            return redirect(noted)
    return render(request, "sightings/new.html", {"form": form})


@for_those_who_note
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a sighting."""
    sighting = get_object_or_404(Sighting, pk=pk)
    said = {name: getattr(sighting, name) for name in ("evidence", "user_of_it", "address")}
    form = SightingForm(request.POST or None, initial={**said, "seen": sightings.edition(sighting)})
    status = 200
    if form.is_valid():
        try:
            sightings.correct(sighting, actor=signed_in(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("The sighting is corrected."))
            return redirect(sighting)
    context = {"form": form, "sighting": sighting}
    return render(request, "sightings/edit.html", context, status=status)


@for_those_who_note
@require_POST
def notify(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the notice to those who use a NID."""
    sighting = get_object_or_404(Sighting, pk=pk)
    return after(request, sighting, lambda: sightings.notify(sighting, actor=signed_in(request)))


def after(request: HttpRequest, sighting: Sighting, act: Callable[[], None]) -> HttpResponse:
    """Act, and lead back to the list with what came of it."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The notice is on its way."))
    return redirect(sighting)


@for_those_who_note
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a sighting off the list, with the reason."""
    sighting = Sighting.objects.filter(pk=pk).first()
    if sighting is None and request.method == "POST":
        return redirect("sightings:index")  # The second of two clicks.
    sighting = sighting or get_object_or_404(Sighting, pk=pk)
    form = WithdrawForm(request.POST or None)
    if form.is_valid():
        try:
            sightings.withdraw(
                sighting, actor=signed_in(request), reason=form.cleaned_data["reason"]
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The sighting is withdrawn."))
            return redirect("sightings:index")
    context: dict[str, Any] = {"form": form, "sighting": sighting}
    return render(request, "sightings/withdraw.html", context)
