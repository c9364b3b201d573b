"""Co-editors of one request: invited, joined, taken off."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules
from registry.delegation import co_editors
from registry.forms.organizations import InviteForm
from registry.models import Invitation, RegistrationRequest, User
from registry.views.acting import signed_in
from registry.workflow import Refused


@login_required
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, reference: str) -> HttpResponse:
    """Show who writes a request; invite somebody, take an invitation or a co-editor off."""
    person = signed_in(request)
    registration_request = queries.written_by(person).filter(reference=reference.upper()).first()
    if registration_request is None and request.POST.get("remove") == str(person.pk):
        return redirect("account:requests")  # The second click of somebody who left.
    if registration_request is None:
        raise Http404
    form = InviteForm(request.POST if "address" in request.POST else None)
    if request.method == "POST":
        try:
            words = act(request, registration_request, form)
        except Refused as refusal:
            if not form.is_bound:
                raise PermissionDenied(str(refusal)) from None
            form.add_error("address", str(refusal))
        else:
            if words:
                messages.success(request, words)
                return redirect(after(person, registration_request))
    return page(request, registration_request, form)


def act(request: HttpRequest, registration_request: RegistrationRequest, form: InviteForm) -> str:
    """Do what was asked for, and return what to say of it; nothing where the form is wrong."""
    person = signed_in(request)
    if "remove" in request.POST:
        known = co_editors.current_and_former(registration_request)
        found = get_object_or_404(known, pk=number(request.POST["remove"]))
        co_editors.remove(registration_request, found, actor=person)
        return _("%(who)s does not write this request any more.") % {"who": found}
    if "take_back" in request.POST:
        key = number(request.POST["take_back"])
        invitation = get_object_or_404(registration_request.invitations, pk=key)
        co_editors.take_back(invitation, actor=person)
        return _("The invitation is taken back; its link leads nowhere.")
    if form.is_valid():
        address = form.cleaned_data["address"]
        co_editors.invite(registration_request, address, actor=person)
        return _("A letter with the invitation goes to %(address)s.") % {"address": address}
    return ""


def number(posted: str) -> int:
    """Return a key that a button posted; nothing has the key 0."""
    return int(posted) if posted.isdecimal() and len(posted) < 16 else 0


def after(person: User, registration_request: RegistrationRequest) -> str:
    """Return where to go on: whoever has left does not find the request any more."""
    if rules.may_write(person, registration_request):
        return reverse("requests:people", args=[registration_request.slug])
    return reverse("account:requests")


def page(
    request: HttpRequest, registration_request: RegistrationRequest, form: InviteForm
) -> HttpResponse:
    """Draw the people of a request."""
    person, organization = signed_in(request), registration_request.organization
    waiting = registration_request.invitations.filter(closed_at=None)
    context = {
        "registration_request": registration_request,
        "organization": organization,
        "delegates": organization.delegates.exclude(pk=registration_request.author_id)
        if rules.may_see_delegates(person, organization)
        else [],
        "co_editors": registration_request.co_editors.order_by("name"),
        "invitations": [(each, co_editors.open_until(each)) for each in waiting],
        "may_invite": rules.may_invite(person, registration_request),
        "may_remove": rules.is_registrant(person, registration_request),
        "form": form,
    }
    return render(request, "mine/people.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Take the link of an invitation: opening it does nothing, pressing Join joins."""
    person = signed_in(request)
    found = get_object_or_404(
        Invitation.objects.select_related("registration_request__organization", "invited_by"),
        key=key,
    )
    if found.joined_by_id == person.pk:
        return redirect(found.registration_request)
    obstacle = co_editors.why_not(found, person)
    if request.method == "POST" and not obstacle:
        try:
            co_editors.join(found, actor=person)
        except Refused as refusal:
            obstacle = str(refusal)
        else:
            words = _("You are a co-editor of %(reference)s.")
            reference = found.registration_request.reference
            messages.success(request, words % {"reference": reference})
            return redirect(found.registration_request)
    context = {"invitation": found, "obstacle": obstacle, "until": co_editors.open_until(found)}
    return render(request, "mine/invitation.html", context)
