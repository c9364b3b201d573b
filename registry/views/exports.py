"""The registry as files: what there is, and each of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from registry.exports import FILES, make
from registry.models import Namespace
from registry.urn import nid as nids
from registry.views.delivery import conditional
from registry.views.plain import document


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Say which files there are, how long they are, and by which digest they are known."""
    files = [(file, make(file)) for file in FILES.values()]
    return render(request, "exports/index.html", {"files": files})


@require_safe
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return one of the files, with its date; any page of any site may read it."""
    if name not in FILES:
        raise Http404(name)
    made = make(FILES[name])
    whole = HttpResponse(made.octets, content_type=FILES[name].media_type)
    response = conditional(request, whole, quote_etag(made.sha256), made.changed_at)
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
