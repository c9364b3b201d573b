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

from registry import permissions, selectors
from registry.actions import sightings
from registry.forms.sightings import NewSightingForm, SightingForm, WithdrawSightingForm
from registry.http.formats import negotiate_formats
from registry.models import Sighting
from registry.presenters.sightings import build_sighting_rows
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused

SIGHTINGS_PER_PAGE = 50
P = ParamSpec("P")
SightingEditorView = Callable[Concatenate[HttpRequest, P], HttpResponse]


def require_sighting_editor(view: SightingEditorView[P]) -> SightingEditorView[P]:
    """Let only people who may edit sightings reach a view."""

    @login_required
    @wraps(view)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not permissions.may_note_sightings(request.user):
            raise PermissionDenied(
                _("Only designated experts and the registrar can note sightings.")
            )
        return view(request, *args, **kwargs)

    return asked


@require_safe
@negotiate_formats("sightings")
def list_sightings(request: HttpRequest) -> HttpResponse:
    """List the sightings, newest first."""
    page = Paginator(sightings.sightings_for_lists(), SIGHTINGS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "page": page,
        "rows": build_sighting_rows(list(page)),
        "may_note": permissions.may_note_sightings(request.user),
    }
    return render(request, "sightings/index.html", context)


@require_sighting_editor
@require_http_methods(["GET", "POST"])
def show_new_sighting(request: HttpRequest) -> HttpResponse:
    """Add a sighting; say so if its NID has been requested."""
    form = NewSightingForm(request.POST or None, initial={"nid": request.GET.get("nid", "")})
    if form.is_valid():
        said = {name: form.cleaned_data[name] for name in form.fields if name != "seen"}
        try:
            noted = sightings.note_sighting(actor=get_signed_in_user(request), **said)
        except ActionRefused as refusal:
            form.add_error("nid", str(refusal))
        else:
            messages.success(request, _("Noted. Everybody can read it here."))
            for asking in selectors.requests_asking_for(noted.nid):
                messages.info(
                    request,
                    _("The request %(reference)s asks for this identifier.")
                    % {"reference": asking.reference},
                )
            return redirect(noted)
    return render(request, "sightings/new.html", {"form": form})


@require_sighting_editor
@require_http_methods(["GET", "POST"])
def edit_sighting(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a sighting."""
    sighting = get_object_or_404(Sighting, pk=pk)
    said = {name: getattr(sighting, name) for name in ("evidence", "user_of_it", "address")}
    form = SightingForm(
        request.POST or None, initial={**said, "seen": sightings.mark_sighting_edition(sighting)}
    )
    status = 200
    if form.is_valid():
        try:
            sightings.correct_sighting(
                sighting, actor=get_signed_in_user(request), **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("The sighting is corrected."))
            return redirect(sighting)
    context = {"form": form, "sighting": sighting}
    return render(request, "sightings/edit.html", context, status=status)


@require_sighting_editor
@require_POST
def post_sighting_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the notice to the users of a NID."""
    sighting = get_object_or_404(Sighting, pk=pk)
    return act_on_sighting(
        request,
        sighting,
        lambda: sightings.notify_nid_users(sighting, actor=get_signed_in_user(request)),
    )


def act_on_sighting(
    request: HttpRequest, sighting: Sighting, act: Callable[[], None]
) -> HttpResponse:
    """Act, and return to the list with the result."""
    try:
        act()
    except ActionRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The notice is on its way."))
    return redirect(sighting)


@require_sighting_editor
@require_http_methods(["GET", "POST"])
def show_sighting_withdrawal(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a sighting, with a reason."""
    sighting = Sighting.objects.filter(pk=pk).first()
    if sighting is None and request.method == "POST":
        return redirect("sightings:index")  # The second of two clicks.
    sighting = sighting or get_object_or_404(Sighting, pk=pk)
    form = WithdrawSightingForm(request.POST or None)
    if form.is_valid():
        try:
            sightings.withdraw_sighting(
                sighting, actor=get_signed_in_user(request), reason=form.cleaned_data["reason"]
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The sighting is withdrawn."))
            return redirect("sightings:index")
    context: dict[str, Any] = {"form": form, "sighting": sighting}
    return render(request, "sightings/withdraw.html", context)
