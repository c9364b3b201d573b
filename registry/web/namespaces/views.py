"""Registered namespaces and their versions, as pages and in all other formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry import inspection, selectors
from registry.exchange.exports.entries import NamespaceEntry, find_entry
from registry.exchange.exports.plain_text import has_own_grammar
from registry.forms.filters import NamespaceFilter
from registry.http.file_responses import respond_with_text
from registry.http.formats import (
    FORMATS,
    Link,
    add_links,
    leave_out_formats,
    negotiate_formats,
    serve_format,
    state_licence,
)
from registry.http.methods import require_reading
from registry.http.problems import build_refusal
from registry.http.redirects import redirect_to_canonical
from registry.models import Namespace, Registration
from registry.presenters.facts import list_fact_history
from registry.presenters.imported_records import ImportedPage
from registry.presenters.linked_data import describe_term_set, write_linked_data
from registry.presenters.namespace_explanation import describe_as_linked_data, explain_namespace
from registry.presenters.namespace_table import NamespaceTable
from registry.presenters.speakers import list_speaker_notices
from registry.selectors.events import find_log_number
from registry.selectors.imported_records import (
    ImportedTemplate,
)
from registry.selectors.organizations import find_authority_statement
from registry.selectors.transparency_log import list_logged_entries
from registry.serializers.representations import NAMESPACE_WRITERS, VERSION_WRITERS, EntryVersion
from registry.urn import Severity, nid as nids
from registry.urn.syntax import NID
from registry.web.htmx import is_htmx_request
from registry.web.log_proofs import render_with_proofs
from registry.web.resolve.views import answer_query_errors, read_uris


def link_namespace_versions(versions: Sequence[Registration]) -> list[Link]:
    """Return the links of a namespace; `versions` begins with the one in force."""
    if not versions:
        return []
    latest = versions[0]
    return [
        Link(latest.namespace.get_absolute_url(), "version-history"),
        Link(latest.get_absolute_url(), "latest-version"),
    ]


def link_version(versions: Sequence[Registration], shown: Registration) -> list[Link]:
    """Return the links of one version among all of them."""
    place = list(versions).index(shown)
    older, newer = versions[place + 1 : place + 2], versions[:place][-1:]
    return [
        *link_namespace_versions(versions),
        *(Link(each.get_absolute_url(), "predecessor-version") for each in older),
        *(Link(each.get_absolute_url(), "successor-version") for each in newer),
    ]


@require_safe
@negotiate_formats("namespaces")
def list_namespaces(request: HttpRequest) -> HttpResponse:
    """List the namespaces that match the filters in the address."""
    found = NamespaceFilter(request.GET)
    ledger = NamespaceTable(found, request.GET)
    found.form.say_counts(found.facets.count_choices())
    context = {
        "filter": found,
        "ledger": ledger,
        "structured": write_linked_data(describe_term_set(settings.SITE)),
    }
    return render(request, "namespaces/index.html", context)


@require_safe
@answer_query_errors(is_page=True)
@negotiate_formats("namespace")
def show_namespace(request: HttpRequest, nid: str) -> HttpResponseBase:
    """Show a namespace as it is now, or what is known about an unregistered NID."""
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(request, "namespaces:detail", canonicalize_nid(nid))
    entry = find_entry(nid, vars(request).get("registry_version"))
    if entry is None:
        return show_unregistered_nid(request, nid)
    is_part = is_htmx_request(request) and "name" in request.GET
    response = (
        render(
            request,
            "namespaces/check_result.html",
            check_name_in_address(request, entry.namespace, entry.current, entry.imported),
        )
        if is_part
        else render_namespace(request, "namespaces/detail.html", entry)
    )
    patch_vary_headers(response, ["HX-Request"])
    return response


def check_name_in_address(
    request: HttpRequest,
    namespace: Namespace,
    current: Registration | None,
    imported: ImportedTemplate | None,
) -> dict[str, object]:
    """Return the name rule of `namespace`, and the result for the name in the address.

    `current` is the version in force, None if we do not hold its text; `imported` is what the
    namespace's documents of record say.
    """
    rule = inspection.find_name_rule(namespace.nid, current, imported)
    typed = read_uris(request, "name").get("name", "").strip()
    return {
        "namespace": namespace,
        "rule": rule,
        "equivalence": inspection.find_equivalence(namespace.nid, current),
        "typed": typed,
        "checked": inspection.check_name_of_namespace(typed, namespace.nid, rule)
        if typed
        else None,
    }


def canonicalize_nid(nid: str) -> str:
    """Return `nid` as addresses write it; raise `Http404` for what cannot be a NID."""
    if not re.fullmatch(NID, nid):
        raise Http404
    return nids.canonical(nid)


def show_unregistered_nid(request: HttpRequest, nid: str) -> HttpResponse:
    """Show what resembles an unregistered NID, who requests it, and whether it is available."""
    findings = selectors.list_nid_findings(nid)
    context = {
        "nid": nid,
        "held": next((each.message for each in findings if each.check == "nid.held"), ""),
        "near": selectors.find_similar_nids(nid),
        "requests": selectors.requests_asking_for(nid),
        "sightings": selectors.sightings_of_nid(nid),
        "findings": findings,
        "is_barred": any(finding.severity is Severity.BLOCK for finding in findings),
    }
    return render(request, "namespaces/unknown.html", context, status=404)


@require_safe
@answer_query_errors(is_page=True)
@negotiate_formats("version")
def show_namespace_version(request: HttpRequest, nid: str, number: int) -> HttpResponseBase:
    """Show one version at its permanent address, current or not."""
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(request, "namespaces:version", canonicalize_nid(nid), number)
    entry = find_entry(nid, vars(request).get("registry_version"))
    if entry is None:
        raise Http404
    return render_namespace(request, "namespaces/version.html", entry, number)


def render_namespace(
    request: HttpRequest, template: str, entry: NamespaceEntry, number: int | None = None
) -> HttpResponse:
    """Draw a namespace with the version of that number, or else the one in force, if any."""
    namespace, versions, records = entry.namespace, list(entry.versions), list(entry.records)
    shown = next((each for each in versions if number in (None, each.number)), None)
    if number is not None and shown is None:
        raise Http404
    imported = ImportedPage.of(namespace, records) if shown is None else None
    read = imported.imported if imported else None
    rule = inspection.find_name_rule(namespace.nid, shown, read)
    explanation = explain_namespace(namespace, shown, rule, read)
    number_in_log = find_log_number(namespace, shown)
    logged = list_logged_entries([] if number_in_log is None else [number_in_log])
    context = check_name_in_address(request, namespace, entry.current, read) | {
        "structured": write_linked_data(
            describe_as_linked_data(namespace, explanation, settings.SITE)
        ),
        "registration": shown,
        "current": entry.current,
        "versions": versions,
        "requests": selectors.list_open_requests(namespace),
        "history": list_fact_history(namespace),
        "records": records,
        "imported": imported,
        "left_out": list_missing_formats(namespace, shown, imported),
        "explanation": explanation,
        "disputes": list(namespace.disputes.all()),
        "logged": next(iter(logged), None),
        "notices": list_speaker_notices(namespace),
        "authority": find_authority_statement(namespace) if shown else None,
    }
    if shown is None and read is None:
        leave_out_formats(request, ENDINGS_THAT_NEED_TEXT)
    if number and shown:
        state_licence(request, shown.licence)
    response = render_with_proofs(request, template, context, logged)
    add_links(
        response,
        link_version(versions, shown) if number and shown else link_namespace_versions(versions),
    )
    return response


def list_missing_formats(
    namespace: Namespace, shown: Registration | None, imported: ImportedPage | None
) -> list[str]:
    """Return the formats that the page cannot offer, because we hold no text or grammar."""
    without_text = [] if shown or imported else ["md", "rfc.xml"]
    read = imported.imported if imported else None
    has_grammar = has_own_grammar(namespace.nid, shown, read)
    return without_text if has_grammar else [*without_text, "abnf"]


# The session is ignored: everyone gets the same response.

ENDINGS_THAT_NEED_TEXT: Final = frozenset({"md", "rfc.xml"})


@serve_format("namespace")
@require_reading
def serve_namespace(request: HttpRequest, nid: str, form: str) -> HttpResponseBase:
    """Return a namespace in one of its formats, with the text of the version in force.

    If we hold no text, a section of a draft has nothing to show, and `.txt` says what is known.
    """
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(request, "namespaces:file", canonicalize_nid(nid), form)
    shown = get_entry_or_404(request, nid)
    if shown.template is None:
        leave_out_formats(request, ENDINGS_THAT_NEED_TEXT)
        if form in ENDINGS_THAT_NEED_TEXT:
            return redirect_see_other("namespaces:file", nid, "txt")
    text = NAMESPACE_WRITERS[form](shown, settings.SITE)
    response = respond_with_text(request, form, text, name=nid, changed_at=shown.changed_at)
    add_links(response, link_namespace_versions(list(shown.versions)))
    return response


@serve_format("version")
@require_reading
def serve_namespace_version(
    request: HttpRequest, nid: str, number: str, form: str
) -> HttpResponseBase:
    """Return one version in one of its formats, at a permanent address."""
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(
            request, "namespaces:version_file", canonicalize_nid(nid), number, form
        )
    shown = find_namespace_version(get_entry_or_404(request, nid), int(number))
    text = VERSION_WRITERS[form](shown, settings.SITE)
    name, changed = (
        f"{nid}-version-{shown.registration.number}",
        shown.entry.changed_at,
    )
    response = respond_with_text(request, form, text, name=name, changed_at=changed)
    add_links(response, link_version(list(shown.entry.versions), shown.registration))
    return response


@require_safe
def refuse_unknown_ending(request: HttpRequest, nid: str, form: str) -> HttpResponseBase:
    """Refuse an unknown format, and say which ones exist."""
    every = ", ".join(f".{ending}" for ending in FORMATS)
    return build_refusal(
        "",
        404,
        _("There is no .%(form)s here. There are: %(every)s.") % {"form": form, "every": every},
    )


def get_entry_or_404(request: HttpRequest, nid: str) -> NamespaceEntry:
    """Return the namespace of that NID, or say what resembles it."""
    entry = find_entry(nid, vars(request).get("registry_version"))
    if entry is None:
        raise Http404(describe_unregistered_nid(nid))
    return entry


def describe_unregistered_nid(nid: str) -> str:
    """Return what is known about a NID that is not registered."""
    near = ", ".join(each.nid for each in selectors.find_similar_nids(nid)[:5])
    said = _("No namespace “%(nid)s” is registered.") % {"nid": nid}
    return f"{said} {_('Close to it: %(near)s.') % {'near': near}}" if near else said


def find_namespace_version(shown: NamespaceEntry, number: int) -> EntryVersion:
    for each in shown.versions:
        if each.number == number:
            return EntryVersion(shown, each)
    raise Http404(
        _("No version %(number)d of “%(nid)s” is held here.") % {"number": number, "nid": shown.nid}
    )


def redirect_see_other(view: str, *args: object) -> HttpResponseRedirect:
    """Redirect to what exists instead (RFC 9110, section 15.4.4)."""
    response = HttpResponseRedirect(reverse(view, args=args))
    response.status_code = 303
    return response
