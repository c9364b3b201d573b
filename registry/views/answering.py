"""Answers of the registrant to remarks, prepared beside the draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.forms.remarks import AnswerForm
from registry.models import Remark, User
from registry.pages.remarks import edit_url
from registry.pages.to_answer import ToAnswer
from registry.reviewing import remarks
from registry.views.acting import typed_before
from registry.views.editing import written_by
from registry.views.htmx import HtmxRequest
from registry.views.kept import keep_and_sign_in
from registry.views.remarks import remark_or_404
from registry.workflow import Refused, Superseded


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HtmxRequest, reference: str, number: int) -> HttpResponse:
    """Prepare the answer to one remark: on the page of its section, or here without script."""
    if not isinstance(request.user, User):
        return sign_in(request)
    registration_request = get_object_or_404(written_by(request.user), reference=reference.upper())
    remark = remark_or_404(registration_request, number)
    remark.registration_request = registration_request
    initial = typed_before(request) if request.method == "GET" else {}
    form = AnswerForm(request.POST or None, remark=remark, initial=initial)
    if form.is_valid():
        try:
            remark = remarks.answer(remark, actor=request.user, **form.cleaned_data)
        except Superseded as refusal:
            remark.refresh_from_db()
            form = overtaken(request, remark, str(refusal))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return kept(request, remark)
    return show(request, remark, form)


def sign_in(request: HtmxRequest) -> HttpResponse:
    """Lead to the sign-in page, the whole window where only a part of the page was asked for."""
    response = keep_and_sign_in(request, ("settlement", "text"))
    if not request.htmx:
        return response
    return HttpResponse(headers={"HX-Redirect": response.headers["Location"]})


def overtaken(request: HtmxRequest, remark: Remark, refusal: str) -> AnswerForm:
    """Return the form with what was typed, beside what somebody else has put there."""
    typed = request.POST.copy()
    typed["seen"] = remarks.as_answered(remark)
    form = AnswerForm(typed, remark=remark)
    theirs = {"settlement": remark.get_draft_settlement_display(), "text": remark.draft_answer}
    beside = _("It now says: %(settlement)s. %(text)s") % theirs if remark.draft_settlement else ""
    form.add_error(None, f"{refusal} {beside}".strip())
    return form


def kept(request: HtmxRequest, remark: Remark) -> HttpResponse:
    """Say that the answer is kept, where it was written."""
    if request.htmx:
        return show(request, remark, AnswerForm(remark=remark), is_kept=True)
    messages.success(
        request, _("Your answer to remark %(number)d is kept.") % {"number": remark.number}
    )
    return redirect(edit_url(remark))


def show(
    request: HtmxRequest, remark: Remark, form: AnswerForm, *, is_kept: bool = False
) -> HttpResponse:
    """Draw the remark with its form: a part of the editor, or a page of its own."""
    context = {"registration_request": remark.registration_request, "is_kept": is_kept}
    context["each"] = ToAnswer.of(remark, form)
    if request.htmx:
        return render(request, "requests/to_answer.html", context)
    status = 409 if "seen" in form.data and form.non_field_errors() else 200
    return render(request, "requests/answer.html", context, status=status)
