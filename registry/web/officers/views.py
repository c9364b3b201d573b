"""Changes of who may decide: the public list, and how officers stop and decide them."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from registry import assurance, permissions
from registry.actions import officer_changes
from registry.actions.officer_changes import find_effective_time
from registry.forms.officers import DecisionForm, ObjectionForm
from registry.models import OfficerChange
from registry.models.dates import load_calendar
from registry.rate_limits import find_network_prefix
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user

MAX_PAST_CHANGES: Final = 50


@require_safe
def list_officer_changes(request: HttpRequest) -> HttpResponse:
    """List what waits and what was stopped, each with its buttons, and what came before."""
    calendar, person = load_calendar(), request.user
    every = OfficerChange.objects.select_related("person", "asked_by", "stopped_by", "decided_by")
    context = {
        "pending": [
            {
                "change": change,
                "due": find_effective_time(change, calendar),
                "may_stop": not change.is_stopped
                and permissions.may_stop_officer_change(person, change),
                "may_decide": change.is_stopped
                and permissions.may_decide_officer_change(person, change),
            }
            for change in every.pending()
        ],
        "past": every.filter(ended_at__isnull=False)[:MAX_PAST_CHANGES],
    }
    return render(request, "officers/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a change as an officer, or as the person it is about."""
    person, change = get_signed_in_user(request), get_object_or_404(OfficerChange, pk=pk)
    if not permissions.may_stop_officer_change(person, change):
        raise PermissionDenied(_("Only officers and the person it is about can stop it."))
    form = ObjectionForm(request.POST or None)

    def act() -> str:
        officer_changes.stop_change(
            change,
            actor=person,
            reason=form.cleaned_data["reason"],
            network=find_network_prefix(request.META),
        )
        return change.get_absolute_url()

    return take_form(request, build_stop_page(change), form, act, _("It is stopped."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_stop_by_letter(request: HttpRequest, key: str) -> HttpResponse:
    """Stop a change with the link of the letter to the old address; opening it does nothing."""
    change = get_object_or_404(OfficerChange.objects.select_related("person"), key=key)
    form = ObjectionForm(request.POST or None, initial={"reason": _("I did not ask for this.")})

    def act() -> str:
        officer_changes.stop_change(
            change,
            actor=change.person,
            reason=form.cleaned_data["reason"],
            network=find_network_prefix(request.META),
        )
        return change.get_absolute_url()

    return take_form(request, build_stop_page(change), form, act, _("It is stopped."))


def build_stop_page(change: OfficerChange) -> FormPage:
    """Return what is around the form that stops a change."""
    return FormPage(
        _("Stop a change of officers"),
        [
            str(change),
            _("It then waits until the standards body or two administrators have decided."),
        ],
        _("Stop it"),
        reverse("officers:index"),
        build_crumbs(),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_decision(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide about a stopped change as the standards body, or as one of two administrators."""
    person, change = get_signed_in_user(request), get_object_or_404(OfficerChange, pk=pk)
    if not permissions.may_decide_officer_change(person, change):
        raise PermissionDenied(
            _("The standards body or two administrators decide, but not about themselves.")
        )
    form = DecisionForm(request.POST or None)
    page = FormPage(
        _("Decide about a change of officers"),
        [str(change), change.objection],
        _("Decide"),
        reverse("officers:index"),
        build_crumbs(),
    )

    def act() -> str:
        assurance.require_confirmation(person)
        officer_changes.decide_change(
            change,
            actor=person,
            is_right=form.cleaned_data["decision"] == DecisionForm.TAKES_EFFECT,
            reason=form.cleaned_data["reason"],
        )
        return change.get_absolute_url()

    return take_form(request, page, form, act, _("Your decision is recorded."))


def build_crumbs() -> list[tuple[str, str]]:
    return [(_("Changes of officers"), reverse("officers:index"))]
