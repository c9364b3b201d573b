"""Names and identifiers of an organization, as officers record them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.forms.organization_evidence import OrganizationEvidenceForm
from registry.selectors.organizations import list_evidence
from registry.web.organizations.views import find_visible_organization
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "POST"])
def edit_evidence(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what is recorded of an organization, and record, confirm or take back something."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    if not permissions.may_record_evidence(person, organization):
        raise PermissionDenied(
            _("Only a registrar or the standards body records that, without a part in it.")
        )
    form = OrganizationEvidenceForm(request.POST or None, organization=organization)
    if form.is_valid():
        try:
            form.perform(person)
        except ActionRefused as refusal:
            form.add_error("source", str(refusal))
        else:
            return redirect("organizations:evidence", pk)
    context = {
        "organization": organization,
        "evidence": list_evidence(organization),
        "form": form,
    }
    return render(request, "organizations/evidence.html", context)
