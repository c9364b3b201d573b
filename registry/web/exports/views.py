"""The registry as files, and lists in all their other formats."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from registry import selectors
from registry.exchange.exports import (
    EXPORT_FILES,
    ExportFile,
    ExportNotBuilt,
    find_current_builds,
    find_dated_build,
    find_dated_name,
    find_last_event,
    find_outdated,
    has_hidden_since,
    is_outdated,
    list_dated_builds,
    request_refresh,
    says_too_much,
)
from registry.exchange.exports.files import (
    DESCRIPTION_FILES,
    JSONLD_MEDIA_TYPE,
    NTRIPLES_MEDIA_TYPE,
    PLAIN_TEXT_MEDIA_TYPE,
    TURTLE_MEDIA_TYPE,
)
from registry.forms.filters import NamespaceFilter
from registry.http.cache import IMMUTABLE, NO_STORE, OUTDATED
from registry.http.conditional_requests import make_content_etag
from registry.http.cors import open_to_all_sites
from registry.http.file_responses import (
    make_conditional,
    respond_with_stream,
    respond_with_text,
    serve_built_file,
    serve_template,
)
from registry.http.formats import (
    Link,
    add_links,
    make_licence_link,
    negotiate_addresses,
    refuse_unknown_parameters,
    serve_format,
)
from registry.http.methods import require_reading
from registry.http.negotiation import negotiate
from registry.http.problems import build_refusal
from registry.licences import get_data_licence
from registry.models import BuiltExport, Namespace, Sighting
from registry.models.export import DUMP_NAME
from registry.presenters.linked_data import describe_dataset, write_linked_data
from registry.selectors.imported_records import find_imported_template
from registry.serializers.representations import (
    NAMESPACE_LIST_WRITERS,
    ORGANIZATION_LIST_WRITERS,
    ORGANIZATION_WRITERS,
    REQUEST_LIST_WRITERS,
    SIGHTING_LIST_WRITERS,
    ListWriter,
)
from registry.transparency.file_notes import NOTE_SUFFIX
from registry.urn import nid as nids
from registry.web.organizations.views import filter_organizations
from registry.web.requests.views import filter_requests

EXPORTS_BY_MEDIA_TYPE: Final = {
    "application/json": ("exports:file", "datapackage.json"),
    "application/ld+json": ("exports:file", "catalogue.jsonld"),
    "text/turtle": ("exports:file", "catalogue.ttl"),
    "text/plain": ("exports:file", "SHA256SUMS"),
}
"""What points programs to the files, by media type."""


class ExportGroup(TextChoices):
    """What somebody wants the files for."""

    LIST = "list", gettext_lazy("Just the list")
    GRAPHS = "graphs", gettext_lazy("Graphs")
    MIRRORS = "mirrors", gettext_lazy("For mirrors and checks")


GRAPH_MEDIA_TYPES: Final = frozenset({JSONLD_MEDIA_TYPE, TURTLE_MEDIA_TYPE, NTRIPLES_MEDIA_TYPE})


def find_group(file: ExportFile) -> ExportGroup:
    """Return the group of a file; what describes other files is for mirrors."""
    if file.name in DESCRIPTION_FILES or file.name.startswith("registry-dump"):
        return ExportGroup.MIRRORS
    is_graph = file.media_type in GRAPH_MEDIA_TYPES or file.name.startswith("prefixes")
    return ExportGroup.GRAPHS if is_graph else ExportGroup.LIST


@require_safe
@negotiate_addresses(EXPORTS_BY_MEDIA_TYPE)
def list_exports(request: HttpRequest) -> HttpResponse:
    """List the files, with their sizes and digests."""
    built, now = find_current_builds(), timezone.now()
    files = [(file, built.get(name)) for name, file in EXPORT_FILES.items()]
    dated = [
        (each, reverse("exports:dated", args=[find_dated_name(each), each.name]))
        for each in list_dated_builds(now)
    ]
    context = {
        "groups": [
            (group, [pair for pair in files if find_group(pair[0]) == group])
            for group in ExportGroup
        ],
        "dated": dated,
        "structured": write_linked_data(describe_dataset(files, settings.SITE)),
    }
    response = render(request, "exports/index.html", context)
    add_links(response, [make_licence_link(get_data_licence())])
    if None in (each for _file, each in files) or find_outdated(built, now):
        request_refresh(now)
        response["Cache-Control"] = NO_STORE
    return response


@require_reading
@open_to_all_sites
@refuse_unknown_parameters
def serve_export(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return one of the files; a query string is refused."""
    return serve_export_file(request, name)


@open_to_all_sites
def serve_export_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return the last build of a file, with its date, to scripts of any site.

    If the registry has changed since, the worker is asked to rebuild, and the response is not
    cached.
    """
    file_name = name.removesuffix(NOTE_SUFFIX)
    if file_name not in EXPORT_FILES:
        raise Http404(name)
    file, now = EXPORT_FILES[file_name], timezone.now()
    built = BuiltExport.objects.newest_first(file_name).first()
    if built is None or says_too_much(built):
        return refuse_export(now)
    if name != file_name:
        return serve_note(request, built)
    try:
        response = serve_built_file(request, built, file.media_type)
    except FileNotFoundError:
        return refuse_export(now)
    add_links(response, link_terms(name))
    if dated := find_dated_name(built):
        response["Content-Location"] = reverse("exports:dated", args=[dated, name])
    if is_outdated(file, built, now):
        request_refresh(now)
        response["Cache-Control"] = OUTDATED
    return response


@require_reading
@open_to_all_sites
@refuse_unknown_parameters
def serve_dated_export(request: HttpRequest, dated: str, name: str) -> HttpResponseBase:
    """Return an earlier day's dump: the same octets always, or nothing any more.

    A dump that contains something hidden since then is gone (410).
    """
    built = find_dated_build(dated)
    if built is None or built.name != name.removesuffix(NOTE_SUFFIX):
        raise Http404(_("No such dump is kept here, or no longer."))
    if has_hidden_since(built):
        words = _("Something in this dump was hidden from readers since. Take a newer one.")
        return build_refusal("", HTTPStatus.GONE, words)
    if name != built.name:
        return serve_note(request, built)
    try:
        response = serve_built_file(request, built, EXPORT_FILES[name].media_type)
    except FileNotFoundError:
        raise Http404(_("No such dump is kept here, or no longer.")) from None
    add_links(response, link_terms(name))
    response["Cache-Control"] = IMMUTABLE
    return response


def serve_note(request: HttpRequest, built: BuiltExport) -> HttpResponseBase:
    """Return the note by which the log's key signed a dump, or 404 before it did."""
    if not built.note:
        raise Http404(_("This file is not signed, or not yet."))
    octets = built.note.encode()
    response = HttpResponse(octets, content_type=PLAIN_TEXT_MEDIA_TYPE)
    if dated := find_dated_name(built):
        name = f"{built.name}{NOTE_SUFFIX}"
        response["Content-Location"] = reverse("exports:dated", args=[dated, name])
    return make_conditional(request, response, make_content_etag(octets), built.changed_at)


def link_terms(name: str) -> list[Link]:
    """Return the licence of a file, and for dumps, which contain texts, a link to the terms."""
    links = [make_licence_link(get_data_licence())]
    if name == DUMP_NAME:
        page = f"{settings.SITE}{reverse('guide:about')}#licences"
        links.append(Link(page, "terms-of-service"))
    return links


def refuse_export(now: datetime.datetime) -> HttpResponseBase:
    """Say that there is no file yet, and have the worker build it."""
    request_refresh(now)
    missing = ExportNotBuilt()
    response = build_refusal("", missing.status, str(missing))
    response["Retry-After"] = str(missing.retry_after)
    return response


VOCABULARIES_BY_MEDIA_TYPE: Final = {
    "text/turtle": "vocabulary.ttl",
    "application/ld+json": "vocabulary.jsonld",
}


@require_reading
def serve_graph_terms(request: HttpRequest) -> HttpResponseBase:
    """Return our own RDF terms; each term's address is this one with its name after `#`."""
    wanted = negotiate(request, list(VOCABULARIES_BY_MEDIA_TYPE)) or "text/turtle"
    response = serve_export(request, VOCABULARIES_BY_MEDIA_TYPE[wanted])
    patch_vary_headers(response, ["Accept"])
    return response


@require_reading
@open_to_all_sites
@refuse_unknown_parameters
def serve_iana_template(request: HttpRequest, kind: str, nid: str) -> HttpResponseBase:
    """Return the template of a namespace where IANA's layout puts it.

    If none was published here, it is the text as found, as on IANA's page; if that has not been
    read yet, the response points to that page.
    """
    namespaces = Namespace.objects.select_related("provenance")
    namespace = get_object_or_404(namespaces, nid=nids.canonical(nid), kind=kind)
    if nid != namespace.nid:
        return redirect("exports:template", kind, namespace.nid, permanent=True)
    if current := namespace.current:
        return serve_template(request, current.template, "txt", namespace.nid)
    if imported := find_imported_template(namespace):
        record = imported.base
        return respond_with_text(
            request, "txt", f"{record.text}\n", name=namespace.nid, changed_at=record.read_at
        )
    provenance = getattr(namespace, "provenance", None)
    if provenance is None or not provenance.template_url:
        raise Http404(nid)
    return redirect(provenance.template_url)


MAX_ROWS_AT_ONCE: Final = 2_000
"""A list with more rows is streamed, and its ETag is the state of the registry."""


@serve_format("namespaces")
@require_reading
def serve_namespace_list(request: HttpRequest, form: str) -> HttpResponseBase:
    return respond_with_list(
        request, form, NAMESPACE_LIST_WRITERS, NamespaceFilter(request.GET).qs, "namespaces"
    )


@serve_format("requests")
@require_reading
def serve_request_list(request: HttpRequest, form: str) -> HttpResponseBase:
    return respond_with_list(
        request, form, REQUEST_LIST_WRITERS, filter_requests(request.GET).qs, "requests"
    )


@serve_format("organizations")
@require_reading
def serve_organization_list(request: HttpRequest, form: str) -> HttpResponseBase:
    _asked, found = filter_organizations(request.GET)
    return respond_with_list(request, form, ORGANIZATION_LIST_WRITERS, found, "organizations")


@serve_format("organization")
@require_reading
def serve_organization(request: HttpRequest, pk: str, form: str) -> HttpResponseBase:
    """Return an organization in one of its formats, with what everyone may know."""
    found = selectors.public_organizations().filter(pk=int(pk)).first()
    if found is None:
        raise Http404(_("No organization of that number holds or asks for a namespace here."))
    text = ORGANIZATION_WRITERS[form](found, settings.SITE)
    name = f"organization-{found.pk}"
    return respond_with_text(request, form, text, name=name, changed_at=find_last_event())


@serve_format("sightings")
@require_reading
def serve_sighting_list(request: HttpRequest, form: str) -> HttpResponseBase:
    return respond_with_list(
        request, form, SIGHTING_LIST_WRITERS, Sighting.objects.for_lists(), "sightings"
    )


def respond_with_list(
    request: HttpRequest,
    form: str,
    forms: Mapping[str, ListWriter],
    found: QuerySet[Any],
    name: str,
) -> HttpResponseBase:
    """Return all rows of a list in one format."""
    chunks, changed = forms[form](found, settings.SITE), find_last_event()
    if found.count() > MAX_ROWS_AT_ONCE:
        return respond_with_stream(request, form, chunks, name=name, changed_at=changed)
    return respond_with_text(request, form, "".join(chunks), name=name, changed_at=changed)
