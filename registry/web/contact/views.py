"""The contact page, which needs no account, and `security.txt` (RFC 9116)."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from registry import rate_limits
from registry.actions import reports
from registry.enums import Role
from registry.forms.contact import ContactForm
from registry.http.redirects import is_own_path
from registry.models import User
from registry.selectors.experts import list_experts
from registry.workflow import ActionRefused

SECURITY_TXT_LIFETIME: Final = datetime.timedelta(days=180)
OFFICES: Final = (Role.LEAD, Role.EXPERT, Role.REGISTRAR)


@never_cache
@require_http_methods(["GET", "POST"])
def show_contact(request: HttpRequest) -> HttpResponse:
    """Show who is responsible for what, and accept a report to the registrar."""
    if request.method == "POST":
        form = ContactForm(request.POST)
        if form.is_valid() and send_report(request, form):
            return redirect("contact:sent")
    else:
        form = ContactForm(initial=read_initial(request))
    context = {"form": form, "offices": list_officers(), "list": settings.REGISTRY_LIST_ADDRESS}
    return render(request, "contact/index.html", context, status=find_status(form))


def read_initial(request: HttpRequest) -> dict[str, str]:
    """Return initial values of the form: the page it is about, and the sender."""
    about = request.GET.get("about", "")
    initial = {"page": about if is_own_path(about) else ""}
    if isinstance(request.user, User):
        initial |= {"name": str(request.user), "address": request.user.email}
    return initial


def send_report(request: HttpRequest, form: ContactForm) -> bool:
    """Save the report; if it is refused, say so in the form."""
    said = {name: form.cleaned_data[name] for name in ("text", "page", "name", "address")}
    author = request.user if isinstance(request.user, User) else None
    network = rate_limits.find_client_network(request.META)
    try:
        reports.add_report(**said, author=author, network=network)
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        form.is_refused = True
        return False
    return True


def find_status(form: ContactForm) -> int:
    return HTTPStatus.TOO_MANY_REQUESTS if form.is_refused else HTTPStatus.OK


def list_officers() -> list[tuple[str, list[str]]]:
    """Return who holds which office, in the order people look for them."""
    return [(str(role.label), [str(each) for each in list_experts(role)]) for role in OFFICES]


@require_safe
def show_sent(request: HttpRequest) -> HttpResponse:
    """Say that the report has arrived, and what happens next."""
    return render(request, "contact/sent.html")


@require_safe
def serve_security_txt(request: HttpRequest) -> HttpResponse:
    """Say where to report a vulnerability (RFC 9116)."""
    # To the day, so that the response stays the same all day.
    expires = (timezone.now() + SECURITY_TXT_LIFETIME).date()
    lines = (
        f"Contact: {settings.SITE}{reverse('contact:index')}",
        f"Expires: {expires.isoformat()}T00:00:00Z",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE}{reverse('contact:security')}",
    )
    text = "".join(f"{line}\n" for line in lines)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
