"""Webhooks: programs of mine that are told of acts, and the log of what they were told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from registry import hooks
from registry.forms.hooks import HookForm
from registry.hooks.acts import NotNow
from registry.models import Hook, HookDelivery
from registry.telling import what
from registry.views.acting import signed_in
from registry.views.htmx import HtmxRequest, wait

PAGE: Final = 25


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """List my webhooks, and add one more."""
    person = signed_in(request)
    asked = {name: request.GET.get(name, "") for name in ("topic", "subject")}
    form = HookForm(request.POST or None, initial=asked)
    if form.is_valid():
        try:
            hook = hooks.add(person, **form.asked)
        except NotNow as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, _("Added. Give its secret to the program, and send a trial."))
            return redirect(hook)
    context = {"form": form, "hooks": hooks.hooks_of(person)}
    return render(request, "hooks/index.html", context)


@never_cache
@login_required
@require_GET
def detail(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show one webhook and what it was told, the newest first."""
    hook = mine(request, pk)
    trial = hooks.trials_under_way(hook).first()
    if request.htmx:
        return wait(is_over=trial is None)
    deliveries = hook.deliveries.select_related(
        "event__registration_request", "event__namespace"
    ).prefetch_related("tries")
    page = Paginator(deliveries, PAGE).get_page(request.GET.get("page"))
    log = [(delivery, what(delivery.event) if delivery.event else "") for delivery in page]
    context = {"hook": hook, "page": page, "log": log, "trial": trial}
    return render(request, "hooks/detail.html", context)


@login_required
@require_POST
def act(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Do one thing with a webhook, and lead back to it, or to the list once it is gone."""
    if act not in ACTS:
        raise Http404(act)
    person = signed_in(request)
    hook = hooks.hooks_of(person).filter(pk=pk).first()
    if hook is None and act == "remove":
        return redirect("hooks:index")  # The second of two clicks.
    hook = hook or mine(request, pk)
    try:
        messages.success(request, ACTS[act](request, hook))
    except NotNow as reason:
        messages.error(request, str(reason))
    return redirect("hooks:index") if act == "remove" else redirect(hook)


@login_required
@require_POST
def again(request: HttpRequest, pk: int, delivery: int) -> HttpResponse:
    """Have an act told once more."""
    hook = mine(request, pk)
    told = get_object_or_404(HookDelivery.objects.select_related("hook"), hook=hook, pk=delivery)
    try:
        hooks.redeliver(told)
    except NotNow as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, _("It is sent again, under the same id."))
    return redirect(hook)


def mine(request: HttpRequest, pk: int) -> Hook:
    """Return a webhook of the person who asks; nobody else's is found."""
    return get_object_or_404(hooks.hooks_of(signed_in(request)), pk=pk)


def try_out(request: HttpRequest, hook: Hook) -> str:
    """Have a trial sent."""
    hooks.try_out(hook)
    return _("The trial is on its way. What comes of it stands in the log.")


def rotate(request: HttpRequest, hook: Hook) -> str:
    """Give it a fresh secret in place of the one that was seen."""
    hooks.rotate(hook, seen=request.POST.get("seen", ""))
    return _("It has a fresh secret. The one before signs as well for a day.")


def stop(request: HttpRequest, hook: Hook) -> str:
    """Stop it."""
    hooks.stop(hook)
    return _("Stopped. It is told of nothing.")


def start(request: HttpRequest, hook: Hook) -> str:
    """Start it."""
    hooks.start(hook)
    return _("Started. It is told of what happens from now on.")


def remove(request: HttpRequest, hook: Hook) -> str:
    """Remove it."""
    hooks.remove(hook)
    return _("Removed.")


ACTS: Final[Mapping[str, Callable[[HttpRequest, Hook], str]]] = {
    "trial": try_out,
    "rotate": rotate,
    "stop": stop,
    "start": start,
    "remove": remove,
}
