"""The registrar's page of differences between IANA's list and this registry."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.exchange.iana import (
    Difference,
    enter_difference,
    find_newest_snapshot,
    list_differences,
    set_difference_aside,
)
from registry.exchange.iana.sync import LISTING_NAME, require_difference
from registry.forms.iana import EnterDifferencesForm, SetAsideForm
from registry.models import DocumentSource, IANASnapshot, User
from registry.web.publish.views import require_registrar
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_iana_differences(request: HttpRequest) -> HttpResponse:
    """Show the differences, and adopt or dismiss those the registrar chose."""
    person = get_signed_in_user(request)
    require_registrar(person)
    snapshot = find_newest_snapshot()
    if request.method == "POST" and snapshot:
        return post_iana_choice(request, person, snapshot)
    found = list_differences(snapshot) if snapshot else []
    context = {
        "snapshot": snapshot,
        "source": DocumentSource.objects.filter(pk=LISTING_NAME).first(),
        "undecided": [each for each in found if each.waits_for and not each.is_final],
        "coming": [each for each in found if not each.waits_for],
        "final": [each for each in found if each.is_final],
    }
    return render(request, "publish/iana.html", context)


def make_choice_key(difference: Difference) -> str:
    """Return the key by which a form names a difference as it was shown."""
    return f"{difference.nid}:{difference.digest}"


def post_iana_choice(request: HttpRequest, person: User, snapshot: IANASnapshot) -> HttpResponse:
    """Adopt what was chosen, or dismiss one difference, and report the result."""
    if request.POST.get("act") == "set-aside":
        form = SetAsideForm(request.POST)
        if not form.is_valid():
            return refuse_choice(request, str(next(iter(form.errors.values()))[0]))
        said = form.cleaned_data
        try:
            difference = require_difference(snapshot, said["nid"], said["digest"])
            set_difference_aside(snapshot, difference, actor=person, reason=said["reason"])
        except ActionRefused as refusal:
            return refuse_choice(request, str(refusal))
        messages.success(request, _("Set aside. It is shown again once it changes."))
        return redirect("publish:iana")
    offered = {make_choice_key(each): each for each in list_differences(snapshot)}
    chosen = EnterDifferencesForm(request.POST, keys=list(offered))
    if not chosen.is_valid():
        return refuse_choice(request, str(chosen.errors["chosen"][0]))
    for key in chosen.cleaned_data["chosen"]:
        try:
            enter_difference(snapshot, offered[key], actor=person)
        except ActionRefused as refusal:
            messages.error(request, f"{offered[key].nid}: {refusal}")
        else:
            messages.success(request, _("Taken over: %(nid)s.") % {"nid": offered[key].nid})
    return redirect("publish:iana")


def refuse_choice(request: HttpRequest, why: str) -> HttpResponse:
    """Say why nothing was done, on an up-to-date page."""
    messages.error(request, why)
    return redirect("publish:iana")
