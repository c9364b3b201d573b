"""Co-editors of one request: invited, joined, removed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions, selectors
from registry.actions import co_editors
from registry.forms.organizations import InviteCoEditorForm
from registry.models import Invitation, RegistrationRequest, User
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "POST"])
def edit_co_editors(request: HttpRequest, reference: str) -> HttpResponse:
    """Show who writes a request; invite somebody, or remove an invitation or a co-editor."""
    person = get_signed_in_user(request)
    registration_request = (
        selectors.requests_written_by(person).filter(reference=reference.upper()).first()
    )
    if registration_request is None and request.POST.get("remove") == str(person.pk):
        return redirect("account:requests")  # The second click of somebody who left.
    if registration_request is None:
        raise Http404
    form = InviteCoEditorForm(request.POST if "address" in request.POST else None)
    if request.method == "POST":
        try:
            words = perform_co_editor_action(request, registration_request, form)
        except ActionRefused as refusal:
            if not form.is_bound:
                raise PermissionDenied(str(refusal)) from None
            form.add_error("address", ValidationError(str(refusal), code="refused"))
        else:
            if words:
                messages.success(request, words)
                return redirect(get_url_after_leaving_request(person, registration_request))
    return render_co_editors(request, registration_request, form)


def perform_co_editor_action(
    request: HttpRequest, registration_request: RegistrationRequest, form: InviteCoEditorForm
) -> str:
    """Perform the action and return the message about it; empty if the form is invalid."""
    person = get_signed_in_user(request)
    if "remove" in request.POST:
        known = co_editors.current_and_former_co_editors(registration_request)
        found = get_object_or_404(known, pk=parse_posted_key(request.POST["remove"]))
        co_editors.remove_co_editor(registration_request, found, actor=person)
        return _("%(who)s no longer writes this request.") % {"who": found}
    if "take_back" in request.POST:
        key = parse_posted_key(request.POST["take_back"])
        invitation = get_object_or_404(registration_request.invitations, pk=key)
        co_editors.revoke_invitation(invitation, actor=person)
        return _("The invitation is withdrawn; its link no longer works.")
    if form.is_valid():
        address = form.cleaned_data["address"]
        co_editors.invite_co_editor(registration_request, address, actor=person)
        return _("A letter with the invitation goes to %(address)s.") % {"address": address}
    return ""


def parse_posted_key(posted: str) -> int:
    """Return a key that a button posted; nothing has the key 0."""
    return int(posted) if posted.isdecimal() and len(posted) < 16 else 0


def get_url_after_leaving_request(person: User, registration_request: RegistrationRequest) -> str:
    """Return where to continue: people who left no longer find the request."""
    if permissions.may_write(person, registration_request):
        return reverse("requests:people", args=[registration_request.slug])
    return reverse("account:requests")


def render_co_editors(
    request: HttpRequest, registration_request: RegistrationRequest, form: InviteCoEditorForm
) -> HttpResponse:
    """Render the people of a request."""
    person, organization = get_signed_in_user(request), registration_request.organization
    waiting = registration_request.invitations.filter(closed_at=None)
    context = {
        "registration_request": registration_request,
        "organization": organization,
        "delegates": User.objects.speaking_for(organization).exclude(
            pk=registration_request.author_id
        )
        if permissions.may_see_speakers(person, organization)
        else [],
        "co_editors": registration_request.co_editors.order_by("name"),
        "invitations": [(each, co_editors.find_invitation_expiry(each)) for each in waiting],
        "may_invite": permissions.may_invite(person, registration_request),
        "may_remove": permissions.is_registrant(person, registration_request),
        "form": form,
    }
    return render(request, "my_account/co_editors.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Handle the link of an invitation: opening it does nothing, the Join button joins."""
    person = get_signed_in_user(request)
    found = get_object_or_404(
        Invitation.objects.select_related("registration_request__organization", "invited_by"),
        key=key,
    )
    if found.joined_by_id == person.pk:
        return redirect(found.registration_request)
    obstacle = co_editors.explain_closed_invitation(found, person)
    if request.method == "POST" and not obstacle:
        try:
            co_editors.accept_invitation(found, actor=person)
        except ActionRefused as refusal:
            obstacle = str(refusal)
        else:
            words = _("You are a co-editor of %(reference)s.")
            reference = found.registration_request.reference
            messages.success(request, words % {"reference": reference})
            return redirect(found.registration_request)
    context = {
        "invitation": found,
        "obstacle": obstacle,
        "until": co_editors.find_invitation_expiry(found),
    }
    return render(request, "my_account/invitation.html", context)
