"""Enquiries: asked, answered, and read by those they are for."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import permissions
from registry.actions import enquiries
from registry.forms.enquiries import EnquiryAnswerForm, EnquiryForm
from registry.selectors.enquiries import enquiries_visible_to
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused

ENQUIRIES_PER_PAGE: Final = 25


@require_safe
def list_enquiries(request: HttpRequest) -> HttpResponse:
    """List enquiries answered in public, one's own, and first, for officers, those waiting."""
    found = enquiries_visible_to(request.user)
    waiting_first = found.order_by(F("answered_at").desc(nulls_first=True), "-asked_at")
    page = Paginator(waiting_first, ENQUIRIES_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "enquiries/index.html", {"page": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_enquiry(request: HttpRequest) -> HttpResponse:
    form = EnquiryForm(request.POST or None)
    page = FormPage(
        _("Ask before you write"),
        [
            _(
                "Not sure whether you need a namespace, or of which kind? Experts and the "
                "registrar answer. It is not a request and binds nobody."
            )
        ],
        _("Ask"),
        reverse("enquiries:index"),
        [(_("Enquiries"), reverse("enquiries:index"))],
    )

    def act() -> str:
        asked = enquiries.ask_enquiry(actor=get_signed_in_user(request), **form.cleaned_data)
        return asked.get_absolute_url()

    return take_form(request, page, form, act, _("Your question is with the experts."))


@require_http_methods(["GET", "HEAD", "POST"])
def show_enquiry(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a question with its answer, or the answer form to people who may answer."""
    enquiry = get_object_or_404(enquiries_visible_to(request.user), pk=pk)
    may_answer = permissions.may_answer_enquiries(request.user)
    if request.method == "POST" and not may_answer:
        raise PermissionDenied(_("Only designated experts and the registrar can answer enquiries."))
    form, status = EnquiryAnswerForm(request.POST or None), 200
    if form.is_valid():
        try:
            enquiries.answer_enquiry(
                enquiry, actor=get_signed_in_user(request), **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("It is answered."))
            return redirect(enquiry)
    context = {"enquiry": enquiry, "form": form if may_answer else None}
    return render(request, "enquiries/detail.html", context, status=status)
