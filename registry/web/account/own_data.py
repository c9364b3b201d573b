"""A person's own data: downloaded as a file, and deleted with an unused account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from registry.actions.own_data import (
    DeletionRefused,
    collect_own_data,
    delete_unused_account,
    find_deletion_obstacle,
)
from registry.assurance import require_confirmation
from registry.forms.account import DeleteAccountForm
from registry.web.step_view import get_signed_in_user


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_own_data(request: HttpRequest) -> HttpResponse:
    """Offer my data as a file, and delete my account if it never did anything."""
    person = get_signed_in_user(request)
    form = DeleteAccountForm(request.POST or None, email=person.email)
    if request.method == "POST" and form.is_valid():
        require_confirmation(person)
        try:
            delete_unused_account(person)
        except DeletionRefused as reason:
            messages.error(request, str(reason))
            return redirect("account:own_data")
        logout(request)
        messages.success(
            request, _("Your account was deleted, with everything that belonged to it.")
        )
        return redirect("home:index")
    context = {"form": form, "obstacle": find_deletion_obstacle(person)}
    return render(request, "my_account/own_data.html", context)


@never_cache
@login_required
@require_GET
def serve_own_data(request: HttpRequest) -> HttpResponse:
    """Return my data as a file, once I confirmed who I am."""
    person = get_signed_in_user(request)
    require_confirmation(person)
    found = collect_own_data(person)
    response = JsonResponse(found, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="own-data.json"'
    return response
