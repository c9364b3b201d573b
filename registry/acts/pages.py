"""The pages of acts: one view for all, at the address that an act's name gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_http_methods

from registry.acts import Act, Resource
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user


def list_act_patterns(resource: Resource[Any]) -> list[URLPattern]:
    """Return the addresses of all acts of a resource, named by their verbs."""
    return [
        path(
            f"{act.name}/" if act.creates else f"<int:pk>/{act.name}/",
            make_act_view(act),
            name=act.verb,
        )
        for act in resource.acts
    ]


def make_act_view(act: Act[Any]) -> Callable[..., HttpResponse]:
    """Return the view of an act: its form, shown, refused with what was typed, or done."""
    resource = act.resource

    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    def show_act(request: HttpRequest, pk: int | None = None, **parts: str) -> HttpResponse:
        actor = get_signed_in_user(request)
        subject: tuple[Any, ...] = ()
        is_post = request.method == "POST"
        if pk is not None:
            rows = resource.find_rows(actor, **parts)
            if act.deletes and is_post and not rows.filter(pk=pk).exists():
                return redirect(resource.crumbs()[-1][1])  # The second of two clicks.
            subject = (get_object_or_404(rows, pk=pk),)
        elif resource.find_parent:
            subject = (resource.find_parent(**parts),)
        if not act.by(actor):
            raise PermissionDenied(str(act.refusal))
        seen = ""
        if act.needs_mark:
            seen = request.POST.get("seen") or resource.mark(*subject)
        initial = act.list_values(*subject) if act.corrects else None
        form = act.form(request.POST if is_post else None, initial=initial)
        crumbs = resource.crumbs(*subject)
        page = FormPage(
            str(act.title) % vars(subject[0]) if subject else str(act.title),
            [str(line(*subject)) if callable(line) else str(line) for line in act.lead],
            str(act.button),
            subject[0].get_absolute_url() if subject else crumbs[-1][1],
            crumbs,
            seen,
        )

        def do() -> str:
            row = act(*subject, actor=actor, seen=seen, **form.cleaned_data)
            messages.success(request, str(act.done(row) if callable(act.done) else act.done))
            return crumbs[-1][1] if act.deletes else str(row.get_absolute_url())

        return take_form(request, page, form, do)

    return show_act
