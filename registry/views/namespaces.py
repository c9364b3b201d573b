"""Registered namespaces."""

from __future__ import annotations

import re
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from registry import desk, queries
from registry.exports.abnf import is_held
from registry.forms.filters import NamespaceFilter
from registry.models import Namespace, Registration
from registry.pages.facts import history
from registry.pages.ledger import Ledger
from registry.template import diff, unchanged
from registry.urn import Severity, nid as nids
from registry.urn.syntax import NID
from registry.views.htmx import HtmxRequest
from registry.views.links import link
from registry.views.machine import also_as
from registry.views.moved import moved
from registry.views.query_parameters import answer_query_errors, read_uris
from registry.views.versions import of_namespace, of_version

REGISTRYS_OWN = ("version", "date")


@require_safe
@also_as("namespaces")
def index(request: HttpRequest) -> HttpResponse:
    """List the namespaces that the filters in the address let through."""
    found = NamespaceFilter(request.GET)
    ledger = Ledger(found, request.GET)
    found.form.say_counts(found.counts())
    return render(request, "namespaces/index.html", {"filter": found, "ledger": ledger})


@require_safe
@answer_query_errors(is_page=True)
@also_as("namespace")
def detail(request: HttpRequest, nid: str) -> HttpResponseBase:
    """Show a namespace as it is now; of a NID nobody registered, say what there is to say."""
    if nid != canonical(nid):
        return moved(request, "namespaces:detail", canonical(nid))
    namespace = queries.namespace_shown(nid)
    if namespace is None:
        return unknown(request, nid)
    is_part = bool(cast("HtmxRequest", request).htmx) and "name" in request.GET
    response = (
        render(
            request,
            "namespaces/checked.html",
            name_check(request, namespace, namespace.current),
        )
        if is_part
        else page(request, "namespaces/detail.html", namespace)
    )
    patch_vary_headers(response, ["HX-Request"])
    return response


def name_check(
    request: HttpRequest, namespace: Namespace, current: Registration | None
) -> dict[str, object]:
    """Return the rule for names of `namespace`, and the answer about the name in the address.

    `current` is the version in force, none while its text is not held here.
    """
    rule = desk.held(namespace.nid, current)
    typed = read_uris(request, "name").get("name", "").strip()
    return {
        "namespace": namespace,
        "rule": rule,
        "merged": desk.merged_in_words(rule) if rule else "",
        "typed": typed,
        "checked": desk.check_name(typed, namespace.nid, rule) if typed else None,
    }


def canonical(nid: str) -> str:
    """Return `nid` as addresses write it; what cannot be a NID is simply not found."""
    if not re.fullmatch(NID, nid):
        raise Http404
    return nids.canonical(nid)


def unknown(request: HttpRequest, nid: str) -> HttpResponse:
    """Say of an unregistered NID what resembles it, who asks for it, and whether one could."""
    findings = queries.nid_findings(nid)
    context = {
        "nid": nid,
        "near": queries.nids_near(nid),
        "requests": queries.asking_for(nid),
        "sightings": queries.sightings_of(nid),
        "findings": findings,
        "is_barred": any(finding.severity is Severity.BLOCK for finding in findings),
    }
    return render(request, "namespaces/unknown.html", context, status=404)


@require_safe
@answer_query_errors(is_page=True)
@also_as("version")
def version(request: HttpRequest, nid: str, number: int) -> HttpResponseBase:
    """Show one version at its permanent address, current or not."""
    if nid != canonical(nid):
        return moved(request, "namespaces:version", canonical(nid), number)
    namespace = queries.namespace_shown(nid)
    if namespace is None:
        raise Http404
    return page(request, "namespaces/version.html", namespace, number)


def page(
    request: HttpRequest, template: str, namespace: Namespace, number: int | None = None
) -> HttpResponse:
    """Draw a namespace with the version of that number, or the one in force if any."""
    versions = queries.published(namespace)
    shown = next((each for each in versions if number in (None, each.number)), None)
    if number is not None and shown is None:
        raise Http404
    current = versions[0] if versions else None
    context = name_check(request, namespace, current) | {
        "registration": shown,
        "current": current,
        "versions": versions,
        "requests": queries.open_requests_on(namespace),
        "history": history(namespace),
        "left_out": left_out(namespace, shown),
    }
    response = render(request, template, context)
    link(response, of_version(versions, shown) if number and shown else of_namespace(versions))
    return response


def left_out(namespace: Namespace, shown: Registration | None) -> list[str]:
    """Return the endings that the page does not show: of a text or a grammar that is not held."""
    without_text = [] if shown else ["md", "rfc.xml"]
    return without_text if is_held(namespace.nid, shown) else [*without_text, "abnf"]


@require_safe
def compare(request: HttpRequest, nid: str, a: int, b: int) -> HttpResponse:
    """Show what changed between two versions, the older first."""
    if nid != canonical(nid) or a > b:
        return moved(request, "namespaces:compare", canonical(nid), min(a, b), max(a, b))
    namespace = get_object_or_404(Namespace, nid=nid)
    old, new = (get_object_or_404(namespace.registrations, number=number) for number in (a, b))
    if a == b:
        return redirect(new)
    context = {"namespace": namespace, "old": old, "new": new} | changes(old, new)
    return render(request, "namespaces/compare.html", context)


def changes(old: Registration, new: Registration) -> dict[str, object]:
    """Return the parts that differ and how many do not, the registry's own left out."""
    was, now = (each.template.replace(**dict.fromkeys(REGISTRYS_OWN, "")) for each in (old, new))
    same = [name for name in unchanged(was, now) if was[name]]
    return {"sections": diff(was, now), "unchanged": len(same)}
