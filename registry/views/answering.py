"""Answers of the registrant to remarks, prepared beside the draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.forms.remarks import AnswerForm, numbers_answered, prefix_of
from registry.models import Remark, User
from registry.pages.remarks import edit_url
from registry.pages.to_answer import ToAnswer
from registry.views.acting import typed_before
from registry.views.editing import written_by
from registry.views.htmx import HtmxRequest
from registry.views.kept import keep_and_sign_in
from registry.views.remarks import remark_or_404
from registry.views.typed_answers import save_answer


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HtmxRequest, reference: str, number: int) -> HttpResponse:
    """Prepare the answer to one remark: on the page of its section, or here without script."""
    if not isinstance(request.user, User):
        return sign_in(request, number)
    registration_request = get_object_or_404(written_by(request.user), reference=reference.upper())
    remark = remark_or_404(registration_request, number)
    remark.registration_request = registration_request
    initial = answer_typed_before(request, number) if request.method == "GET" else {}
    in_editor = number in numbers_answered(request.POST)
    typed = request.POST or None
    form = AnswerForm(typed, remark=remark, initial=initial, in_editor=in_editor)
    if form.is_bound:
        refused = save_answer(form, request.user)
        if refused is None:
            remark.refresh_from_db(fields=["draft_settlement", "draft_answer"])
            return kept(request, remark)
        form = refused
    return show(request, remark, form)


def answer_typed_before(request: HtmxRequest, number: int) -> dict[str, str]:
    """Return the answer that was typed before the person had to sign in, here or in the editor."""
    beginning = f"{prefix_of(number)}-"
    return {name.removeprefix(beginning): text for name, text in typed_before(request).items()}


def sign_in(request: HtmxRequest, number: int) -> HttpResponse:
    """Lead to the sign-in page, the whole window where only a part of the page was asked for."""
    names = ("settlement", "text")
    names_in_editor = tuple(f"{prefix_of(number)}-{name}" for name in names)
    response = keep_and_sign_in(request, names + names_in_editor)
    if not request.htmx:
        return response
    return HttpResponse(headers={"HX-Redirect": response.headers["Location"]})


def kept(request: HtmxRequest, remark: Remark) -> HttpResponse:
    """Say that the answer is kept, where it was written."""
    if request.htmx:
        return show(request, remark, AnswerForm(remark=remark, in_editor=True), is_kept=True)
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
    status = 409 if form.is_bound and form.non_field_errors() else 200
    return render(request, "requests/answer.html", context, status=status)
