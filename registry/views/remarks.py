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

from registry import rules
from registry.forms.remarks import ReasonForm, RemarkForm
from registry.models import RegistrationRequest, Remark, User
from registry.pages.dossier import Dossier
from registry.pages.next_step import why_not
from registry.reviewing import remarks
from registry.views.acting import sign_in_first, typed_before
from registry.views.assigning import declaration
from registry.views.queue import find
from registry.workflow import Refused, Superseded


@dataclass(frozen=True, slots=True)
class Settling:
    """A way to settle a remark: what its page says, and what is done."""

    label: str | Promise
    consequence: str | Promise
    done: str | Promise
    act: Callable[..., Remark]


DROP: Final = Settling(
    gettext_lazy("Drop"),
    gettext_lazy("The remark is taken back. It stays on the page, with your reason."),
    gettext_lazy("Remark %(number)d is dropped."),
    remarks.drop,
)
REOPEN: Final = Settling(
    gettext_lazy("Open again"),
    gettext_lazy("The remark is open again, and waits for an answer with the next round."),
    gettext_lazy("Remark %(number)d is open again."),
    remarks.reopen,
)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first("section", "quote", "weight", "text")
def make(request: HttpRequest, reference: str) -> HttpResponse:
    """Write a remark on a passage or a section, with the text below the form."""
    person, registration_request = find(request, reference)
    if page := declaration(request, person, registration_request):
        return page
    if not rules.may_remark(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    dossier = Dossier.of(registration_request)
    form, is_stale = remark_form(request, dossier)
    status = 409 if is_stale else 200
    if form.is_valid() and not is_stale:
        try:
            made = remarks.make(registration_request, actor=person, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("Remark %(number)d is public.") % {"number": made.number})
            return redirect(place_of(made))
    context = {"registration_request": registration_request, "dossier": dossier, "form": form}
    return render(request, "review/remark_form.html", context, status=status)


def remark_form(request: HttpRequest, dossier: Dossier) -> tuple[RemarkForm, bool]:
    """Return the form, and whether it was written on an earlier round than the last."""
    if request.method != "POST":
        initial = {"section": request.GET.get("section", "")} | typed_before(request)
        return blank_form(dossier, initial), False
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
                "published yet: see whether it still holds."
            )
            % {"number": number},
        )
    return form, is_stale


def blank_form(dossier: Dossier, initial: dict[str, Any] | None = None) -> RemarkForm:
    """Return a form for a new remark on the round that is read."""
    return RemarkForm(shown=dossier.round, initial=initial)


def place_of(remark: Remark) -> str:
    """Return where experts read a remark."""
    page = reverse("review:detail", args=[remark.registration_request.slug])
    return f"{page}#{remark.anchor}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drop(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Take a remark back, with a reason."""
    return settle(request, reference, number, DROP)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Open a settled remark again, with a reason."""
    return settle(request, reference, number, REOPEN)


def settle(request: HttpRequest, reference: str, number: int, settling: Settling) -> HttpResponse:
    """Ask for the reason, and settle the remark."""
    person, registration_request = find(request, reference)
    remark = remark_or_404(registration_request, number)
    if not rules.may_remark(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    form = ReasonForm(request.POST or None)
    status = 200
    if form.is_valid():
        status = try_to(settling, remark, person, form)
        if status == 302:
            messages.success(request, settling.done % {"number": remark.number})
            return redirect(place_of(remark))
    context = {
        "registration_request": registration_request,
        "remark": remark,
        "settling": settling,
        "form": form,
        "back": place_of(remark),
    }
    return render(request, "review/settle_remark.html", context, status=status)


def try_to(settling: Settling, remark: Remark, person: User, form: ReasonForm) -> int:
    """Settle the remark, or say on the form what stands in the way; return the status."""
    try:
        settling.act(remark, actor=person, reason=form.cleaned_data["comment"])
    except Superseded as refusal:
        form.add_error(None, str(refusal))
        return 409
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return 200
    return 302


def remark_or_404(registration_request: RegistrationRequest, number: int) -> Remark:
    """Return the remark of that number, with who wrote it."""
    found = registration_request.remarks.select_related("author")
    return get_object_or_404(found, number=number)
