"""The registry as files, and lists in all their other formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from registry.actions import sightings as seen
from registry.exchange.exports import (
    EXPORT_FILES,
    BuildInProgress,
    BuiltFile,
    ExportFile,
    ensure_built,
    find_last_event,
)
from registry.forms.filters import NamespaceFilter
from registry.http.cache_policy import NO_STORE
from registry.http.cors import open_to_all_sites
from registry.http.file_responses import (
    respond_with_stream,
    respond_with_text,
    serve_built_file,
    serve_template,
)
from registry.http.formats import serve_format
from registry.http.problems import build_refusal
from registry.models import Namespace
from registry.serializers.representations import (
    NAMESPACE_LIST_WRITERS,
    ORGANIZATION_LIST_WRITERS,
    REQUEST_LIST_WRITERS,
    SIGHTING_LIST_WRITERS,
    ListWriter,
)
from registry.urn import nid as nids
from registry.web.organizations.views import filter_organizations
from registry.web.requests.views import filter_requests


@require_safe
def list_exports(request: HttpRequest) -> HttpResponse:
    """Say which files there are, how long they are, and by which digest they are known."""
    files = [(file, find_current_build(file)) for file in EXPORT_FILES.values()]
    response = render(request, "exports/index.html", {"files": files})
    if any(built is None for _file, built in files):
        response["Cache-Control"] = NO_STORE
    return response


def find_current_build(file: ExportFile) -> BuiltFile | None:
    """Return a file as it is now, none while another builds it."""
    try:
        return ensure_built(file)
    except BuildInProgress:
        return None


@require_safe
@open_to_all_sites
def serve_export(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return one of the files, with its date; any page of any site may read it."""
    if name not in EXPORT_FILES:
        raise Http404(name)
    try:
        built = ensure_built(EXPORT_FILES[name])
    except BuildInProgress as busy:
        response: HttpResponseBase = build_refusal("", busy.status, str(busy))
        response["Retry-After"] = str(busy.retry_after)
        return response
    return serve_built_file(request, built, EXPORT_FILES[name].media_type)


@require_safe
def serve_graph_terms(request: HttpRequest) -> HttpResponseBase:
    """Return our own words in graphs; each is this address with its name behind `#`."""
    return serve_export(request, "vocabulary.ttl")


@require_safe
@open_to_all_sites
def serve_iana_template(request: HttpRequest, kind: str, nid: str) -> HttpResponseBase:
    """Return the template of a namespace at the place that IANA's layout gives it."""
    namespace = get_object_or_404(Namespace, nid=nids.canonical(nid), kind=kind)
    if nid != namespace.nid:
        return redirect("exports:template", kind, namespace.nid, permanent=True)
    current = namespace.current
    if current is None:
        raise Http404(nid)
    return serve_template(request, current.template, "txt", namespace.nid)


MAX_ROWS_AT_ONCE: Final = 2_000
"""A list of more rows is sent as it is written, and tagged by the state of the registry."""


@serve_format("namespaces")
@require_safe
def serve_namespace_list(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of namespaces."""
    return respond_with_list(
        request, form, NAMESPACE_LIST_WRITERS, NamespaceFilter(request.GET).qs, "namespaces"
    )


@serve_format("requests")
@require_safe
def serve_request_list(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of public requests."""
    return respond_with_list(
        request, form, REQUEST_LIST_WRITERS, filter_requests(request.GET).qs, "requests"
    )


@serve_format("organizations")
@require_safe
def serve_organization_list(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of organizations."""
    _asked, found = filter_organizations(request.GET)
    return respond_with_list(request, form, ORGANIZATION_LIST_WRITERS, found, "organizations")


@serve_format("sightings")
@require_safe
def serve_sighting_list(request: HttpRequest, form: str) -> HttpResponseBase:
    """Return the list of NIDs seen in use without registration."""
    return respond_with_list(
        request, form, SIGHTING_LIST_WRITERS, seen.sightings_for_lists(), "sightings"
    )


def respond_with_list(
    request: HttpRequest,
    form: str,
    forms: Mapping[str, ListWriter],
    found: QuerySet[Any],
    name: str,
) -> HttpResponseBase:
    """Return all rows of a list in one form."""
    chunks, changed = forms[form](found, settings.SITE), find_last_event()
    if found.count() > MAX_ROWS_AT_ONCE:
        return respond_with_stream(request, form, chunks, name=name, changed_at=changed)
    return respond_with_text(request, form, "".join(chunks), name=name, changed_at=changed)
