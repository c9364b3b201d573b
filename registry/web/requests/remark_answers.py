"""Answers of the registrant to remarks, prepared beside the draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.forms.remarks import (
    AnswerForm,
    find_answered_numbers,
    get_answer_prefix,
)
from registry.models import Remark, User
from registry.presenters.remarks import RemarkToAnswer, get_answer_url
from registry.web.form_stash import stash_and_sign_in
from registry.web.htmx import HtmxRequest
from registry.web.requests.editor import list_requests_to_edit, save_typed_answer
from registry.web.review.remarks import find_remark
from registry.web.step_view import pop_stashed_form


@require_http_methods(["GET", "HEAD", "POST"])
def edit_remark_answer(request: HtmxRequest, reference: str, number: int) -> HttpResponse:
    """Prepare the answer to one remark: on the page of its section, or here without script."""
    if not isinstance(request.user, User):
        return redirect_answer_to_sign_in(request, number)
    registration_request = get_object_or_404(
        list_requests_to_edit(request.user), reference=reference.upper()
    )
    remark = find_remark(registration_request, number)
    remark.registration_request = registration_request
    initial = pop_stashed_answer(request, number) if request.method == "GET" else {}
    in_editor = number in find_answered_numbers(request.POST)
    typed = request.POST or None
    form = AnswerForm(typed, remark=remark, initial=initial, in_editor=in_editor)
    if form.is_bound:
        refused = save_typed_answer(form, request.user)
        if refused is None:
            remark.refresh_from_db(fields=["draft_settlement", "draft_answer"])
            return show_saved_answer(request, remark)
        form = refused
    return render_answer_form(request, remark, form)


def pop_stashed_answer(request: HtmxRequest, number: int) -> dict[str, str]:
    """Return the answer that was typed before the person had to sign in, here or in the editor."""
    beginning = f"{get_answer_prefix(number)}-"
    return {name.removeprefix(beginning): text for name, text in pop_stashed_form(request).items()}


def redirect_answer_to_sign_in(request: HtmxRequest, number: int) -> HttpResponse:
    """Lead to the sign-in page, the whole window where only a part of the page was asked for."""
    names = ("settlement", "text")
    names_in_editor = tuple(f"{get_answer_prefix(number)}-{name}" for name in names)
    response = stash_and_sign_in(request, names + names_in_editor)
    if not request.htmx:
        return response
    return HttpResponse(headers={"HX-Redirect": response.headers["Location"]})


def show_saved_answer(request: HtmxRequest, remark: Remark) -> HttpResponse:
    """Say that the answer is kept, where it was written."""
    if request.htmx:
        return render_answer_form(
            request, remark, AnswerForm(remark=remark, in_editor=True), is_kept=True
        )
    messages.success(
        request, _("Your answer to remark %(number)d is kept.") % {"number": remark.number}
    )
    return redirect(get_answer_url(remark))


def render_answer_form(
    request: HtmxRequest, remark: Remark, form: AnswerForm, *, is_kept: bool = False
) -> HttpResponse:
    """Draw the remark with its form: a part of the editor, or a page of its own."""
    context = {"registration_request": remark.registration_request, "is_kept": is_kept}
    context["each"] = RemarkToAnswer.of(remark, form)
    if request.htmx:
        return render(request, "requests/to_answer.html", context)
    status = 409 if form.is_bound and form.non_field_errors() else 200
    return render(request, "requests/answer.html", context, status=status)
