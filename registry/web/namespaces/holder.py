"""Who holds a namespace and speaks for it, and what can be done about that."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from registry.models import Namespace
from registry.presenters import speakers as pages
from registry.web.form_page import find_posted_form, perform_form
from registry.web.namespaces.views import canonicalize_nid
from registry.web.step_view import get_signed_in_user


@require_http_methods(["GET", "HEAD", "POST"])
def show_holder(request: HttpRequest, nid: str) -> HttpResponse:
    """Show who holds a namespace and what is about to change, and do what a button asks for."""
    namespace = get_object_or_404(
        Namespace.objects.select_related("registrant"), nid=canonicalize_nid(nid)
    )
    forms = pages.build_subject_forms(request.user, namespace, request.POST or None)
    if request.method == "POST":
        person = get_signed_in_user(request)
        form = find_posted_form(forms, request)
        if form is None:
            raise BadRequest("A button of this page says what is to be done.")
        if perform_form(form, person):
            messages.success(request, str(form.label))
            return redirect("namespaces:holder", namespace.nid)
    context = pages.build_holder_context(namespace) | {"forms": forms}
    return render(request, "namespaces/holder.html", context)
