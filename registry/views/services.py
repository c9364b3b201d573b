"""Where names of a namespace resolve: read by everybody, kept by those who may."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from registry import rules, services
from registry.forms.services import ServiceForm, WithdrawServiceForm
from registry.models import Namespace, ResolutionService
from registry.resolution import EXPLAINED, services_of
from registry.resolution.locators import has_locators
from registry.urn import nid as nids
from registry.views.acting import signed_in
from registry.views.htmx import HtmxRequest, wait
from registry.workflow import Refused, Superseded

AREA: Final = {"nav_current": "namespaces"}
TRY: Final = "try"
"""The button that shows where names would lead, and saves nothing."""


@require_safe
def index(request: HtmxRequest, nid: str) -> HttpResponse:
    """List the services of a namespace, with what was last heard of each."""
    if nid != nids.canonical(nid):
        return redirect("services:index", nids.canonical(nid), permanent=True)
    namespace = get_object_or_404(Namespace, nid=nid)
    found, may_ask = services_of(namespace), rules.has_confirmed_address(request.user)
    # Whoever may not have one asked reads a page that is kept, and so tells nothing of the moment.
    asked = services.services_being_asked() & {each.pk for each in found} if may_ask else set()
    if request.htmx and may_ask:
        return wait(is_over=not asked)
    context = {
        "namespace": namespace,
        "services": [(each, services.is_due(each)) for each in found],
        "asked": asked,
        "has_table": has_locators(namespace),
        "may_keep": rules.may_keep_services(request.user, namespace),
        "may_ask": may_ask,
        **AREA,
    }
    return render(request, "services/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, nid: str) -> HttpResponse:
    """Add a service, or show first where names would lead."""
    namespace = kept_by(request, nid)
    form = ServiceForm(request.POST or None, namespace=namespace)
    if form.is_valid() and TRY not in request.POST:
        try:
            services.add(namespace, actor=signed_in(request), **form.said)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is added."))
            return redirect("services:index", namespace.nid)
    return show(request, "services/add.html", form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Change a service, or show first where names would lead."""
    namespace = kept_by(request, nid)
    service = get_object_or_404(services_of(namespace), pk=pk)
    form = ServiceForm(request.POST or None, namespace=namespace, initial=initial(service))
    status = 200
    if form.is_valid() and TRY not in request.POST:
        seen = form.cleaned_data["seen"]
        try:
            services.change(service, actor=signed_in(request), seen=seen, **form.said)
        except Superseded as refusal:
            form.add_error(None, str(refusal))
            status = 409
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is changed."))
            return redirect("services:index", namespace.nid)
    return show(request, "services/change.html", form, status=status, service=service)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Take a service away, with the reason."""
    namespace = kept_by(request, nid)
    service = get_object_or_404(ResolutionService, namespace=namespace, pk=pk)
    if service.withdrawn_at:
        return redirect("services:index", namespace.nid)  # The second of two clicks.
    form = WithdrawServiceForm(request.POST or None)
    if form.is_valid():
        try:
            services.withdraw(service, actor=signed_in(request), reason=form.cleaned_data["reason"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is taken away."))
            return redirect("services:index", namespace.nid)
    context = {"form": form, "namespace": namespace, "service": service, **AREA}
    return render(request, "services/withdraw.html", context)


@login_required
@require_POST
def check(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Have a service asked whether it answers; the page shows what it said once it has."""
    service = get_object_or_404(services_of(get_object_or_404(Namespace, nid=nid)), pk=pk)
    try:
        services.request_probe(signed_in(request), service)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("services:index", nid)


def kept_by(request: HttpRequest, nid: str) -> Namespace:
    """Return the namespace, of which the person keeps the services."""
    namespace = get_object_or_404(Namespace.objects.select_related("registrant"), nid=nid)
    if not rules.may_keep_services(request.user, namespace):
        raise PermissionDenied(
            _("Services are kept by the registrar, and by delegates of the registrant of %(nid)s.")
            % {"nid": nid}
        )
    return namespace


def initial(service: ResolutionService) -> dict[str, Any]:
    """Return what a service says of itself, as the form begins with it."""
    told = {name: getattr(service, name) for name in services.SAID if name != "prefix"}
    return told | {"begins": service.prefix, "seen": services.edition(service)}


def show(
    request: HttpRequest, template: str, form: ServiceForm, status: int = 200, **more: Any
) -> HttpResponse:
    """Draw the form, with where names lead as far as that can be said."""
    tries = form.tries() if form.is_bound and form.is_valid() else []
    context = {"form": form, "namespace": form.namespace, "tries": tries, "variables": EXPLAINED}
    context |= AREA
    return render(request, template, context | more, status=status)
