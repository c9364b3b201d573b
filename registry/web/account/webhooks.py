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

from registry.errors import RegistryError
from registry.forms.account import WebhookForm
from registry.journal.event_messages import describe_event
from registry.models import Webhook, WebhookDelivery
from registry.notifications import webhooks
from registry.web.htmx import HtmxRequest, answer_polling
from registry.web.step_view import get_signed_in_user

DELIVERIES_PER_PAGE: Final = 25


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_webhooks(request: HttpRequest) -> HttpResponse:
    """List my webhooks, and add one more."""
    person = get_signed_in_user(request)
    asked = {name: request.GET.get(name, "") for name in ("topic", "subject")}
    form = WebhookForm(request.POST or None, initial=asked)
    if form.is_valid():
        try:
            hook = webhooks.add_webhook(person, **form.asked)
        except RegistryError as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, _("Added. Give its secret to the program, and send a trial."))
            return redirect(hook)
    context = {"form": form, "hooks": webhooks.webhooks_of(person)}
    return render(request, "webhooks/index.html", context)


@never_cache
@login_required
@require_GET
def show_webhook(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show one webhook and what it was told, the newest first."""
    hook = find_own_webhook(request, pk)
    trial = webhooks.pending_trials(hook).first()
    if request.htmx:
        return answer_polling(is_over=trial is None)
    deliveries = hook.deliveries.select_related(
        "event__registration_request", "event__namespace"
    ).prefetch_related("tries")
    page = Paginator(deliveries, DELIVERIES_PER_PAGE).get_page(request.GET.get("page"))
    log = [
        (delivery, describe_event(delivery.event) if delivery.event else "") for delivery in page
    ]
    context = {"hook": hook, "page": page, "log": log, "trial": trial}
    return render(request, "webhooks/detail.html", context)


@login_required
@require_POST
def post_webhook_action(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Do one thing with a webhook, and lead back to it, or to the list once it is gone."""
    if act not in WEBHOOK_ACTIONS:
        raise Http404(act)
    person = get_signed_in_user(request)
    hook = webhooks.webhooks_of(person).filter(pk=pk).first()
    if hook is None and act == "remove":
        return redirect("hooks:index")  # The second of two clicks.
    hook = hook or find_own_webhook(request, pk)
    try:
        messages.success(request, WEBHOOK_ACTIONS[act](request, hook))
    except RegistryError as reason:
        messages.error(request, str(reason))
    return redirect("hooks:index") if act == "remove" else redirect(hook)


@login_required
@require_POST
def post_delivery_again(request: HttpRequest, pk: int, delivery: int) -> HttpResponse:
    """Have an act told once more."""
    hook = find_own_webhook(request, pk)
    told = get_object_or_404(WebhookDelivery.objects.select_related("hook"), hook=hook, pk=delivery)
    try:
        webhooks.retry_delivery(told)
    except RegistryError as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, _("It is sent again, under the same id."))
    return redirect(hook)


def find_own_webhook(request: HttpRequest, pk: int) -> Webhook:
    """Return a webhook of the person who asks; nobody else's is found."""
    return get_object_or_404(webhooks.webhooks_of(get_signed_in_user(request)), pk=pk)


def post_webhook_trial(request: HttpRequest, hook: Webhook) -> str:
    """Have a trial sent."""
    webhooks.send_trial(hook)
    return _("The trial is on its way. What comes of it stands in the log.")


def post_webhook_rotation(request: HttpRequest, hook: Webhook) -> str:
    """Give it a fresh secret in place of the one that was seen."""
    webhooks.rotate_secret(hook, seen=request.POST.get("seen", ""))
    return _("It has a fresh secret. The one before signs as well for a day.")


def post_webhook_stop(request: HttpRequest, hook: Webhook) -> str:
    """Stop it."""
    webhooks.stop_webhook(hook)
    return _("Stopped. It is told of nothing.")


def post_webhook_start(request: HttpRequest, hook: Webhook) -> str:
    """Start it."""
    webhooks.start_webhook(hook)
    return _("Started. It is told of what happens from now on.")


def post_webhook_removal(request: HttpRequest, hook: Webhook) -> str:
    """Remove it."""
    webhooks.remove_webhook(hook)
    return _("Removed.")


WEBHOOK_ACTIONS: Final[Mapping[str, Callable[[HttpRequest, Webhook], str]]] = {
    "trial": post_webhook_trial,
    "rotate": post_webhook_rotation,
    "stop": post_webhook_stop,
    "start": post_webhook_start,
    "remove": post_webhook_removal,
}
