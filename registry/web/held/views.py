"""NIDs held back: the public list, and what officers and people affected do with it."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import permissions
from registry.actions import held_nids
from registry.forms.office import (
    EndingForm,
    HoldAppealAnswerForm,
    HoldAppealForm,
    HoldForm,
    RenewHoldForm,
)
from registry.models import User
from registry.selectors.held_nids import explain_hold, list_holds
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user

MAX_PAST_HOLDS: Final = 50


@require_safe
def list_held_nids(request: HttpRequest) -> HttpResponse:
    """List the NIDs held back now, each with its public sentence, and those released since."""
    holds = list(list_holds())
    context = {
        "holds": [(each, explain_hold(each)) for each in holds if each.is_in_force],
        "past": [each for each in holds if not each.is_in_force][:MAX_PAST_HOLDS],
        "may_hold": permissions.may_hold_nids(request.user),
        "may_answer": permissions.may_answer_hold_appeals(request.user),
    }
    return render(request, "held/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_hold(request: HttpRequest) -> HttpResponse:
    person = require_hold_officer(request)
    form = HoldForm(request.POST or None)
    page = FormPage(
        _("Hold back an identifier"),
        [
            _(
                "Nobody can register the identifier until that day. The reason is public, "
                "people who ask for it are told, and anybody can appeal to the standards body."
            )
        ],
        _("Hold it back"),
        reverse("held:index"),
        build_crumbs(),
    )

    def act() -> str:
        return held_nids.hold_nid(actor=person, **form.cleaned_data).get_absolute_url()

    return take_form(request, page, form, act, _("The identifier is held back."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold_renewal(request: HttpRequest, pk: int) -> HttpResponse:
    """Extend the time for which a NID is held back."""
    person, hold = require_hold_officer(request), get_object_or_404(list_holds(), pk=pk)
    form = RenewHoldForm(request.POST or None, initial={"seen": hold.until})
    page = FormPage(
        _("Go on holding back %(nid)s") % {"nid": hold.nid},
        [explain_hold(hold), _("A renewal needs a document of its own and can be appealed.")],
        _("Hold it back until that day"),
        hold.get_absolute_url(),
        build_crumbs(),
    )

    def act() -> str:
        held_nids.renew_hold(hold, actor=person, **form.cleaned_data)
        return hold.get_absolute_url()

    return take_form(request, page, form, act, _("The identifier is held back for longer."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Release a NID so that anyone can ask for it again."""
    person, hold = require_hold_officer(request), get_object_or_404(list_holds(), pk=pk)
    form = EndingForm(request.POST or None)
    page = FormPage(
        _("Stop holding back %(nid)s") % {"nid": hold.nid},
        [_("From now on anybody can register it. The list keeps the reason for the hold.")],
        _("Stop holding it back"),
        hold.get_absolute_url(),
        build_crumbs(),
    )

    def act() -> str:
        held_nids.end_hold(hold, actor=person, **form.cleaned_data)
        return reverse("held:index")

    return take_form(request, page, form, act, _("The identifier is no longer held back."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold_appeal(request: HttpRequest, pk: int) -> HttpResponse:
    """Appeal against holding back a NID."""
    person, hold = get_signed_in_user(request), get_object_or_404(list_holds(), pk=pk)
    if not permissions.may_appeal_holds(person):
        raise PermissionDenied(
            _("Anyone with a confirmed email address can appeal, except the standards body.")
        )
    form = HoldAppealForm(request.POST or None)
    page = FormPage(
        _("Appeal that %(nid)s is held back") % {"nid": hold.nid},
        [explain_hold(hold), _("The standards body answers. Until then it stays held back.")],
        _("Appeal"),
        hold.get_absolute_url(),
        build_crumbs(),
    )

    def act() -> str:
        held_nids.appeal_hold(hold, actor=person, **form.cleaned_data)
        return hold.get_absolute_url()

    return take_form(request, page, form, act, _("Your appeal is with the standards body."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold_appeal_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer an appeal as the standards body."""
    person, hold = get_signed_in_user(request), get_object_or_404(list_holds(), pk=pk)
    if not permissions.may_answer_hold_appeals(person):
        raise PermissionDenied(_("Only the standards body can answer appeals."))
    form = HoldAppealAnswerForm(request.POST or None)
    page = FormPage(
        _("Answer the appeal about %(nid)s") % {"nid": hold.nid},
        [explain_hold(hold), hold.appeal],
        _("Record the answer"),
        hold.get_absolute_url(),
        build_crumbs(),
    )

    def act() -> str:
        held_nids.answer_hold_appeal(hold, actor=person, **form.cleaned_data)
        return reverse("held:index")

    return take_form(request, page, form, act, _("The appeal is answered."))


def require_hold_officer(request: HttpRequest) -> User:
    """Return the person, if they may hold back NIDs."""
    person = get_signed_in_user(request)
    if not permissions.may_hold_nids(person):
        raise PermissionDenied(_("Only the registrar or the standards body can hold back NIDs."))
    return person


def build_crumbs() -> list[tuple[str, str]]:
    return [(_("Held back"), reverse("held:index"))]
