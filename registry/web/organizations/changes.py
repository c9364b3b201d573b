"""Changes to who acts for a holder of a namespace: confirming and stopping them, and its domain."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry.actions import delegate_changes
from registry.forms.holder import ObjectionForm
from registry.models import DelegateChange
from registry.notifications.holder_links import DELEGATE_PURPOSE, read_holder_address
from registry.permissions import PublishedContact
from registry.presenters.holder import build_change_forms
from registry.selectors.holder_clock import find_claim_wait
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "POST"])
def show_change(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a change to those concerned, and do what a button asks for."""
    person = get_signed_in_user(request)
    change = get_object_or_404(
        delegate_changes.changes_visible_to(person), pk=number, organization=pk
    )
    forms = build_change_forms(person, change, request.POST or None)
    if request.method == "POST":
        form = next((each for each in forms if each.act == request.POST.get("act")), None)
        if form is None:
            raise BadRequest("A button of this page says what is to be done.")
        if form.is_valid():
            try:
                form.perform(person)
            except ActionRefused as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("It is recorded."))
                return redirect(change)
    context = {
        "change": change,
        "wait": find_claim_wait(change),
        "organization": change.organization,
        "forms": forms,
    }
    return render(request, "organizations/change.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def show_change_stop(request: HttpRequest, pk: int, number: int, word: str) -> HttpResponse:
    """Follow the link of a letter: opening it changes nothing, the button stops the change."""
    change = get_object_or_404(
        DelegateChange.objects.select_related("organization", "person", "asked_by", "proof"),
        pk=number,
        organization=pk,
    )
    address = read_holder_address(DELEGATE_PURPOSE, change.pk, word)
    if not address:
        raise Http404
    form, refusal = ObjectionForm(request.POST if request.method == "POST" else None), ""
    form.fields["comment"].label, form.fields["comment"].required = _("Why"), False
    if form.is_valid():
        try:
            delegate_changes.stop_delegate_change(
                change,
                actor=PublishedContact(),
                by=address,
                reason=form.cleaned_data["comment"],
            )
        except ActionRefused as refused:
            refusal = str(refused)
        change.refresh_from_db()
    context = {
        "change": change,
        "organization": change.organization,
        "form": form,
        "refusal": refusal,
    }
    return render(request, "organizations/stop.html", context)
