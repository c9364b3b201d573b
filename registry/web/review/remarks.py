"""Remarks: an expert makes, drops and reopens them, and the registrant prepares answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.actions import remarks
from registry.forms.remarks import (
    AnswerForm,
    RemarkForm,
    SettlementReasonForm,
    find_answered_numbers,
    get_answer_prefix,
)
from registry.models import RegistrationRequest, Remark, User
from registry.presenters.remarks import RemarkToAnswer, get_answer_url
from registry.presenters.review import ReviewContext
from registry.presenters.reviewers import explain_no_decision
from registry.web.form_stash import stash_and_sign_in
from registry.web.htmx import is_htmx_request
from registry.web.requests.editor import list_requests_to_edit, save_typed_answer
from registry.web.review.queue import find_request_as_expert
from registry.web.step_view import pop_stashed_form, require_sign_in
from registry.workflow import ActionRefused, ConcurrentChange


@dataclass(frozen=True, slots=True)
class SettlementScreen:
    """A way to settle a remark: the words of its page, and the action."""

    label: str | Promise
    consequence: str | Promise
    done: str | Promise
    act: Callable[..., Remark]


DROP_SCREEN: Final = SettlementScreen(
    gettext_lazy("Drop"),
    gettext_lazy("The remark is taken back. It stays on the page, with your reason."),
    gettext_lazy("Remark %(number)d is dropped."),
    remarks.drop_remark,
)
REOPEN_SCREEN: Final = SettlementScreen(
    gettext_lazy("Open again"),
    gettext_lazy("The remark is open again, and waits for an answer with the next round."),
    gettext_lazy("Remark %(number)d is open again."),
    remarks.reopen_remark,
)


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("section", "quote", "weight", "text")
def post_remark(request: HttpRequest, reference: str) -> HttpResponse:
    """Make a remark on a passage or a section, with the text below the form."""
    person, registration_request = find_request_as_expert(request, reference)
    if not permissions.may_remark(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    dossier = ReviewContext.of(registration_request)
    form, is_stale = build_remark_form(request, dossier)
    status = 409 if is_stale else 200
    if form.is_valid() and not is_stale:
        try:
            made = remarks.add_remark(registration_request, actor=person, **form.cleaned_data)
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("Remark %(number)d is public.") % {"number": made.number})
            return redirect(get_remark_url(made))
    context = {"registration_request": registration_request, "dossier": dossier, "form": form}
    return render(request, "review/remark_form.html", context, status=status)


def build_remark_form(request: HttpRequest, dossier: ReviewContext) -> tuple[RemarkForm, bool]:
    """Return the form, and whether it was written on an earlier round than the last."""
    if request.method != "POST":
        initial = {"section": request.GET.get("section", "")} | pop_stashed_form(request)
        return build_blank_remark_form(dossier, initial), False
    typed = request.POST.copy()
    number = str(dossier.round.number)
    is_stale = typed.get("round_number", number) != number
    typed["round_number"] = number
    form = RemarkForm(typed, shown=dossier.round)
    if is_stale:
        form.add_error(
            None,
            _(
                "Round %(number)s has arrived since you opened the page. Your remark is not "
                "published yet: check whether it still applies."
            )
            % {"number": number},
        )
    return form, is_stale


def build_blank_remark_form(
    dossier: ReviewContext, initial: dict[str, Any] | None = None
) -> RemarkForm:
    """Return a form for a new remark on the round shown."""
    return RemarkForm(shown=dossier.round, initial=initial)


def get_remark_url(remark: Remark) -> str:
    """Return the address where experts read a remark."""
    page = reverse("review:detail", args=[remark.registration_request.slug])
    return f"{page}#{remark.anchor}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_remark_drop(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Withdraw a remark, with a reason."""
    return show_settlement(request, reference, number, DROP_SCREEN)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_remark_reopening(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Reopen a settled remark, with a reason."""
    return show_settlement(request, reference, number, REOPEN_SCREEN)


def show_settlement(
    request: HttpRequest, reference: str, number: int, settling: SettlementScreen
) -> HttpResponse:
    """Ask for the reason, and settle the remark."""
    person, registration_request = find_request_as_expert(request, reference)
    remark = find_remark(registration_request, number)
    if not permissions.may_remark(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    form = SettlementReasonForm(request.POST or None)
    status = 200
    if form.is_valid():
        status = try_settlement(settling, remark, person, form)
        if status == 302:
            messages.success(request, settling.done % {"number": remark.number})
            return redirect(get_remark_url(remark))
    context = {
        "registration_request": registration_request,
        "remark": remark,
        "settling": settling,
        "form": form,
        "back": get_remark_url(remark),
    }
    return render(request, "review/settle_remark.html", context, status=status)


def try_settlement(
    settling: SettlementScreen, remark: Remark, person: User, form: SettlementReasonForm
) -> int:
    """Settle the remark, or show on the form why it is refused; return the status."""
    try:
        settling.act(remark, actor=person, reason=form.cleaned_data["comment"])
    except ConcurrentChange as refusal:
        form.add_error(None, str(refusal))
        return 409
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return 200
    return 302


def find_remark(registration_request: RegistrationRequest, number: int) -> Remark:
    """Return the remark of that number, with its author."""
    found = registration_request.remarks.select_related("author")
    return get_object_or_404(found, number=number)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_remark_answer(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Prepare the answer to one remark: on its section's page, or without script on its own."""
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


def pop_stashed_answer(request: HttpRequest, number: int) -> dict[str, str]:
    """Return the answer typed before the person had to sign in, here or in the editor."""
    beginning = f"{get_answer_prefix(number)}-"
    return {name.removeprefix(beginning): text for name, text in pop_stashed_form(request).items()}


def redirect_answer_to_sign_in(request: HttpRequest, number: int) -> HttpResponse:
    """Redirect to the sign-in page: the whole window, even if htmx asked for only part of it."""
    names = ("settlement", "text")
    names_in_editor = tuple(f"{get_answer_prefix(number)}-{name}" for name in names)
    response = stash_and_sign_in(request, names + names_in_editor)
    if not is_htmx_request(request):
        return response
    return HttpResponse(headers={"HX-Redirect": response.headers["Location"]})


def show_saved_answer(request: HttpRequest, remark: Remark) -> HttpResponse:
    """Say next to the answer that it is saved."""
    if is_htmx_request(request):
        return render_answer_form(
            request, remark, AnswerForm(remark=remark, in_editor=True), is_kept=True
        )
    messages.success(
        request, _("Your answer to remark %(number)d is kept.") % {"number": remark.number}
    )
    return redirect(get_answer_url(remark))


def render_answer_form(
    request: HttpRequest, remark: Remark, form: AnswerForm, *, is_kept: bool = False
) -> HttpResponse:
    """Draw the remark with its form: a part of the editor, or a page of its own."""
    context = {"registration_request": remark.registration_request, "is_kept": is_kept}
    context["each"] = RemarkToAnswer.of(remark, form)
    if is_htmx_request(request):
        return render(request, "requests/to_answer.html", context)
    status = 409 if form.is_bound and form.non_field_errors() else 200
    return render(request, "requests/answer.html", context, status=status)
