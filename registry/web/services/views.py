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

from registry import permissions
from registry.actions import resolution_services
from registry.errors import RegistryError
from registry.forms.resolution import ServiceForm, WithdrawServiceForm
from registry.models import Namespace, ResolutionService
from registry.resolution import VARIABLE_DESCRIPTIONS, services_in_use
from registry.resolution.sources import has_locators
from registry.urn import nid as nids
from registry.web.htmx import HtmxRequest, answer_polling
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, ConcurrentChange

SERVICES_CONTEXT: Final = {"nav_current": "namespaces"}
TRY_BUTTON: Final = "try"
"""The button that shows where names would lead, and saves nothing."""


@require_safe
def list_namespace_services(request: HtmxRequest, nid: str) -> HttpResponse:
    """List the services of a namespace, with what was last heard of each."""
    if nid != nids.canonical(nid):
        return redirect("services:index", nids.canonical(nid), permanent=True)
    namespace = get_object_or_404(Namespace, nid=nid)
    found, may_ask = services_in_use(namespace), permissions.has_confirmed_address(request.user)
    # Whoever may not have one asked reads a page that is kept, and so tells nothing of the moment.
    asked = (
        resolution_services.find_pending_probes() & {each.pk for each in found}
        if may_ask
        else set()
    )
    if request.htmx and may_ask:
        return answer_polling(is_over=not asked)
    context = {
        "namespace": namespace,
        "services": [(each, resolution_services.is_probe_due(each)) for each in found],
        "asked": asked,
        "has_table": has_locators(namespace),
        "may_keep": permissions.may_manage_services(request.user, namespace),
        "may_ask": may_ask,
        **SERVICES_CONTEXT,
    }
    return render(request, "services/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_service(request: HttpRequest, nid: str) -> HttpResponse:
    """Add a service, or show first where names would lead."""
    namespace = find_namespace_to_serve(request, nid)
    form = ServiceForm(request.POST or None, namespace=namespace)
    if form.is_valid() and TRY_BUTTON not in request.POST:
        try:
            resolution_services.add_service(
                namespace, actor=get_signed_in_user(request), **form.said
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is added."))
            return redirect("services:index", namespace.nid)
    return render_service_form(request, "services/add.html", form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_service(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Change a service, or show first where names would lead."""
    namespace = find_namespace_to_serve(request, nid)
    service = get_object_or_404(services_in_use(namespace), pk=pk)
    form = ServiceForm(
        request.POST or None, namespace=namespace, initial=get_service_initial(service)
    )
    status = 200
    if form.is_valid() and TRY_BUTTON not in request.POST:
        seen = form.cleaned_data["seen"]
        try:
            resolution_services.change_service(
                service, actor=get_signed_in_user(request), seen=seen, **form.said
            )
        except ConcurrentChange as refusal:
            form.add_error(None, str(refusal))
            status = 409
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is changed."))
            return redirect("services:index", namespace.nid)
    return render_service_form(
        request, "services/change.html", form, status=status, service=service
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_service_withdrawal(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Take a service away, with the reason."""
    namespace = find_namespace_to_serve(request, nid)
    service = get_object_or_404(ResolutionService, namespace=namespace, pk=pk)
    if service.withdrawn_at:
        return redirect("services:index", namespace.nid)  # The second of two clicks.
    form = WithdrawServiceForm(request.POST or None)
    if form.is_valid():
        try:
            resolution_services.withdraw_service(
                service, actor=get_signed_in_user(request), reason=form.cleaned_data["reason"]
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The service is taken away."))
            return redirect("services:index", namespace.nid)
    context = {"form": form, "namespace": namespace, "service": service, **SERVICES_CONTEXT}
    return render(request, "services/withdraw.html", context)


@login_required
@require_POST
def post_service_probe(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Have a service asked whether it answers; the page shows what it said once it has."""
    service = get_object_or_404(services_in_use(get_object_or_404(Namespace, nid=nid)), pk=pk)
    try:
        resolution_services.request_probe(get_signed_in_user(request), service)
    except RegistryError as refusal:
        messages.error(request, str(refusal))
    return redirect("services:index", nid)


def find_namespace_to_serve(request: HttpRequest, nid: str) -> Namespace:
    """Return the namespace, of which the person keeps the services."""
    namespace = get_object_or_404(Namespace.objects.select_related("registrant"), nid=nid)
    if not permissions.may_manage_services(request.user, namespace):
        raise PermissionDenied(
            _("Services are kept by the registrar, and by delegates of the registrant of %(nid)s.")
            % {"nid": nid}
        )
    return namespace


def get_service_initial(service: ResolutionService) -> dict[str, Any]:
    """Return what a service says of itself, as the form begins with it."""
    told = {
        name: getattr(service, name)
        for name in resolution_services.SERVICE_FIELDS
        if name != "prefix"
    }
    return told | {
        "begins": service.prefix,
        "seen": resolution_services.mark_service_edition(service),
    }


def render_service_form(
    request: HttpRequest, template: str, form: ServiceForm, status: int = 200, **more: Any
) -> HttpResponse:
    """Draw the form, with where names lead as far as that can be said."""
    tries = form.tries() if form.is_bound and form.is_valid() else []
    context = {
        "form": form,
        "namespace": form.namespace,
        "tries": tries,
        "variables": VARIABLE_DESCRIPTIONS,
    }
    context |= SERVICES_CONTEXT
    return render(request, template, context | more, status=status)
