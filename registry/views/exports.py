"""The registry as files: what there is, and each of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry.exports import FILES, BeingBuilt, BuiltFile, File, ensure_built
from registry.models import Namespace
from registry.urn import nid as nids
from registry.views.delivery import serve_built
from registry.views.plain import document
from registry.views.refusing import refusal


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Say which files there are, how long they are, and by which digest they are known."""
    files = [(file, built_now(file)) for file in FILES.values()]
    response = render(request, "exports/index.html", {"files": files})
    if any(built is None for _file, built in files):
        response["Cache-Control"] = "no-store"
    return response


def built_now(file: File) -> BuiltFile | None:
    """Return a file as it is now, none while another builds it."""
    try:
        return ensure_built(file)
    except BeingBuilt:
        return None


@require_safe
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return one of the files, with its date; any page of any site may read it."""
    if name not in FILES:
        raise Http404(name)
    try:
        built = ensure_built(FILES[name])
    except BeingBuilt as busy:
        words = _("The file is being built at this moment. Ask again in %(seconds)d seconds.")
        response: HttpResponseBase = refusal("", 503, words % {"seconds": busy.retry_after})
        response["Retry-After"] = str(busy.retry_after)
        return response
    response = serve_built(request, built, FILES[name].media_type)
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def words(request: HttpRequest) -> HttpResponseBase:
    """Return our own words in graphs; each is this address with its name behind `#`."""
    return file(request, "vocabulary.ttl")


@require_safe
def template(request: HttpRequest, kind: str, nid: str) -> HttpResponse:
    """Return the template of a namespace at the place that IANA's layout gives it."""
    namespace = get_object_or_404(Namespace, nid=nids.canonical(nid), kind=kind)
    if nid != namespace.nid:
        return redirect("exports:template", kind, namespace.nid, permanent=True)
    current = namespace.current
    if current is None:
        raise Http404(nid)
    return document(request, current.template, "txt", namespace.nid)
