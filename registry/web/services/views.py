"""Where names resolve: the services of a namespace, and the two vocabularies about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from registry import permissions
from registry.actions import resolution_services
from registry.actions.resolution_services import Entry, ServiceVocabulary
from registry.errors import RegistryError
from registry.exchange.exports.vocabularies import VOCABULARIES, VOCABULARY_FORMATS
from registry.forms.resolution import (
    DesignatorForm,
    KeywordForm,
    KeywordSupportForm,
    ServiceForm,
    WithdrawServiceForm,
)
from registry.http.conditional_requests import make_content_etag, respond_conditionally
from registry.http.cors import open_to_all_sites
from registry.http.methods import require_reading
from registry.models import Namespace, ResolutionService
from registry.models.dates import load_dates
from registry.resolution import VARIABLE_DESCRIPTIONS, services_in_use
from registry.resolution.sources import has_locators
from registry.urn import nid as nids
from registry.web.form_page import FormPage, take_form
from registry.web.htmx import answer_polling, is_htmx_request
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, ConcurrentChange

SERVICES_CONTEXT: Final = {"nav_current": "namespaces"}
TRY_BUTTON: Final = "try"
"""The button that shows where names would lead, and saves nothing."""


@require_safe
def list_namespace_services(request: HttpRequest, nid: str) -> HttpResponse:
    """List the services of a namespace, with the last result of probing each."""
    if nid != nids.canonical(nid):
        return redirect("services:index", nids.canonical(nid), permanent=True)
    namespace = get_object_or_404(Namespace, nid=nid)
    found, may_ask = services_in_use(namespace), permissions.has_confirmed_address(request.user)
    # People who may not start a probe see a cached page, which does not depend on the moment.
    asked = (
        resolution_services.find_pending_probes() & {each.pk for each in found}
        if may_ask
        else set()
    )
    if is_htmx_request(request) and may_ask:
        return answer_polling(is_over=not asked)
    context = {
        "namespace": namespace,
        "sub_namespaces": group_by_operator(found),
        # Who can do nothing with those for names with a prefix has them all in the first table.
        "services": [
            (each, resolution_services.is_probe_due(each))
            for each in found
            if may_ask or not each.prefix
        ],
        "asked": asked,
        "waiting_days": load_dates().waiting_days,
        "has_table": has_locators(namespace),
        "may_keep": permissions.may_manage_services(request.user, namespace),
        "may_ask": may_ask,
        **SERVICES_CONTEXT,
    }
    return render(request, "services/index.html", context)


def group_by_operator(
    services: Iterable[ResolutionService],
) -> list[tuple[list[str], ResolutionService]]:
    """Return the prefixes that lead to one address of one operator, with one of their services."""
    groups: dict[tuple[str, ...], list[ResolutionService]] = {}
    for service in sorted(services, key=lambda service: service.prefix):
        key = (service.operator, service.assigner, service.service_id, service.template)
        if service.prefix:
            groups.setdefault(key, []).append(service)
    return [([each.prefix for each in group], group[0]) for group in groups.values()]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_service(request: HttpRequest, nid: str) -> HttpResponse:
    """Add a service, or first preview where names would lead."""
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
    """Change a service, or first preview where names would lead."""
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
    """Withdraw a service, with a reason."""
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
    """Have a service probed; the page shows the result once there is one."""
    service = get_object_or_404(services_in_use(get_object_or_404(Namespace, nid=nid)), pk=pk)
    try:
        resolution_services.request_probe(get_signed_in_user(request), service)
    except RegistryError as refusal:
        messages.error(request, str(refusal))
    return redirect("services:index", nid)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_keyword_support_enquiry(request: HttpRequest, nid: str) -> HttpResponse:
    """Ask that the namespace be listed under a query keyword."""
    namespace = find_namespace_to_serve(request, nid)
    form = KeywordSupportForm(request.POST or None)
    page = FormPage(
        _("Ask to be listed under a query keyword"),
        [
            _(
                "A namespace is listed under “Supported by” once its resolvers understand the "
                "keyword. Experts may advise, and the registrar lists it or says why not. Question "
                "and answer are public once it is answered."
            )
        ],
        _("Ask"),
        reverse("services:index", args=[namespace.nid]),
        [
            (namespace.nid, namespace.get_absolute_url()),
            (_("Resolution services"), reverse("services:index", args=[namespace.nid])),
        ],
    )

    def act() -> str:
        enquiry = resolution_services.ask_keyword_support(
            namespace, actor=get_signed_in_user(request), **form.cleaned_data
        )
        return enquiry.get_absolute_url()

    return take_form(request, page, form, act, _("Your question is with the registrar."))


def find_namespace_to_serve(request: HttpRequest, nid: str) -> Namespace:
    """Return the namespace, if the person keeps its services."""
    namespace = get_object_or_404(Namespace.objects.select_related("registrant"), nid=nid)
    if not permissions.may_manage_services(request.user, namespace):
        raise PermissionDenied(
            _("Only the registrar and delegates of the registrant of %(nid)s can change services.")
            % {"nid": nid}
        )
    return namespace


def get_service_initial(service: ResolutionService) -> dict[str, Any]:
    """Return a service's current values for the form."""
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
    """Draw the form, with a preview of where names lead as far as it can be made."""
    tries = form.tries() if form.is_bound and form.is_valid() else []
    context = {
        "form": form,
        "namespace": form.namespace,
        "tries": tries,
        "variables": VARIABLE_DESCRIPTIONS,
    }
    context |= SERVICES_CONTEXT
    return render(request, template, context | more, status=status)


VOCABULARY_FORMS: Final[Mapping[str, type[KeywordForm] | type[DesignatorForm]]] = {
    "query-keywords": KeywordForm,
    "resolution-services": DesignatorForm,
}


@require_safe
def list_vocabularies(request: HttpRequest) -> HttpResponse:
    """Show the two vocabularies."""
    return render(request, "vocabularies/index.html", {"vocabularies": VOCABULARIES.values()})


@require_safe
def show_vocabulary(request: HttpRequest, name: str) -> HttpResponse:
    """Show one vocabulary with its policy."""
    if name not in VOCABULARIES:
        raise Http404(name)
    vocabulary = VOCABULARIES[name]
    context = {
        "vocabulary": vocabulary,
        "rows": list(vocabulary.rows()),
        "forms": list(VOCABULARY_FORMATS),
        "may_keep": permissions.may_manage_vocabularies(request.user),
    }
    return render(request, "vocabularies/detail.html", context)


@require_reading
@open_to_all_sites
def serve_vocabulary(request: HttpRequest, name: str, form: str) -> HttpResponseBase:
    """Return one vocabulary as a file, readable by pages of any site."""
    if name not in VOCABULARIES:
        raise Http404(name)
    media_type, write = VOCABULARY_FORMATS[form]
    octets = write(VOCABULARIES[name]).encode()
    headers = {"Content-Type": media_type, "ETag": make_content_etag(octets)}
    return respond_conditionally(request, HttpResponse(octets, headers=headers))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_entry(request: HttpRequest, name: str) -> HttpResponse:
    form = find_vocabulary_form(request, name)(request.POST or None)
    if form.is_valid():
        try:
            resolution_services.add_entry(
                form.vocabulary, actor=get_signed_in_user(request), key=form.word, **form.said
            )
        except ActionRefused as refusal:
            form.add_error(form.vocabulary.key, str(refusal))
        else:
            messages.success(request, _("“%(word)s” is entered.") % {"word": form.word})
            return redirect("vocabularies:detail", name)
    return render_entry_form(request, name, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_vocabulary_entry(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """Change an entry; the word itself stays."""
    made = find_vocabulary_form(request, name)
    entry: Any = get_object_or_404(made.vocabulary.model, pk=key)
    form = made(request.POST or None, key=key, initial=get_entry_initial(made.vocabulary, entry))
    status = 200
    if form.is_valid():
        seen, ground = form.cleaned_data["seen"], form.cleaned_data["ground"]
        try:
            resolution_services.change_entry(
                form.vocabulary,
                entry,
                actor=get_signed_in_user(request),
                seen=seen,
                ground=ground,
                **form.said,
            )
        except ConcurrentChange as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("“%(word)s” is changed.") % {"word": key})
            return redirect("vocabularies:detail", name)
    return render_entry_form(request, name, form, entry, status)


def find_vocabulary_form(
    request: HttpRequest, name: str
) -> type[KeywordForm] | type[DesignatorForm]:
    """Return the form of a vocabulary, if the person keeps it."""
    if name not in VOCABULARY_FORMS:
        raise Http404(name)
    if not permissions.may_manage_vocabularies(request.user):
        raise PermissionDenied(_("Only the registrar can change these registries."))
    return VOCABULARY_FORMS[name]


def get_entry_initial(vocabulary: ServiceVocabulary, entry: Entry) -> dict[str, Any]:
    """Return an entry's current values for the form."""
    told = resolution_services.read_entry(vocabulary, entry)
    if "supported_by" in told:
        told["supported_by"] = "\n".join(" ".join(pair) for pair in told["supported_by"])
    return told | {"seen": resolution_services.mark_entry_edition(vocabulary, entry)}


def render_entry_form(
    request: HttpRequest,
    name: str,
    form: KeywordForm | DesignatorForm,
    entry: Entry | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"form": form, "vocabulary": VOCABULARIES[name], "entry": entry}
    return render(request, "vocabularies/edit.html", context, status=status)
