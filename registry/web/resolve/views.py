"""A URN resolved: a redirect to the best service, or a page of choices.

The URN stands verbatim behind `/resolve/`, or encoded once in `?urn=`.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from registry import resolution
from registry.content_negotiation import choose_media_type
from registry.http.cors import open_to_all_sites
from registry.http.negotiation import HTML, URI_LIST, get_accept_header
from registry.http.request_target import (
    RawTarget,
    TargetUnknown,
    read_raw_target,
)
from registry.query_string import decode_octets, split_query
from registry.resolution import (
    VARIABLE_DESCRIPTIONS,
    ResolutionQuery,
    ResolvableNamespace,
    parse_resolution_query,
)
from registry.urn import URN
from registry.urn.spec import DIRECTIVE_KEYWORDS
from registry.web.resolve import responses
from registry.web.resolve.query_parameters import answer_query_errors, read_uris

RESOLVE_MOUNT: Final = "/resolve/"
COMPONENT_MARKS: Final = ("+", "=")
"""How a query begins that belongs to the URN: `?+` and `?=` (RFC 8141, section 2.3)."""


@require_safe
def resolve_query(request: HttpRequest) -> HttpResponseBase:
    """Resolve the URN in the query; without a query, ask for one."""
    if request.META.get("QUERY_STRING"):
        return resolve_urn_parameter(request)
    return ask_for_urn(request)


@open_to_all_sites
@vary_on_headers("Accept", "Accept-Language")
@answer_query_errors(is_page=False)
def resolve_urn_parameter(request: HttpRequest) -> HttpResponse:
    """Resolve the URN in `?urn=`, encoded once."""
    text = read_uris(request, "urn", others=tuple(DIRECTIVE_KEYWORDS)).get("urn", "").strip()
    if not text:
        return ask_for_urn(request)
    return answer_resolution(
        request, text, read_directives_beside(request.META.get("QUERY_STRING", ""))
    )


def ask_for_urn(request: HttpRequest) -> HttpResponse:
    """Draw the page of resolution, with its form."""
    context = {"variables": VARIABLE_DESCRIPTIONS, **responses.RESOLVE_CONTEXT}
    return render(request, "resolve/index.html", context)


def read_directives_beside(query: str) -> str:
    """Return the directives of draft -03 that stand beside `urn=`, as they were sent."""
    beside = [each.octets for each in split_query(query) if each.name != "urn"]
    return decode_octets(b"&".join(beside))


@require_safe
@open_to_all_sites
@vary_on_headers("Accept", "Accept-Language")
@answer_query_errors(is_page=False)
def resolve_path(request: HttpRequest) -> HttpResponse:
    """Resolve the URN that stands in the path, as it was sent."""
    try:
        text, directives = join_raw_target(read_raw_target(request, RESOLVE_MOUNT))
    except TargetUnknown:
        return refuse_unknown_target()
    return answer_resolution(request, text, directives)


def join_raw_target(target: RawTarget) -> tuple[str, str]:
    """Return the URN, and the directives of draft -03 behind it.

    A query that begins with `+` or `=` is part of the URN, whatever stands in it.
    """
    if target.query is not None and target.query.startswith(COMPONENT_MARKS):
        return f"{target.rest}?{target.query}{target.tail}", ""
    return f"{target.rest}{target.tail}", target.query or ""


def answer_resolution(request: HttpRequest, text: str, directives: str) -> HttpResponse:
    """Return the answer about a text as a URN."""

    def where(urn: URN, known: ResolvableNamespace) -> HttpResponse:
        wanted = parse_resolution_query(
            directives,
            accept=get_accept_header(request),
            languages=request.headers.get("Accept-Language", ""),
        )
        return redirect_to_service(request, urn, known, wanted)

    return responses.answer_about_name(request, text, where)


def redirect_to_service(
    request: HttpRequest, urn: URN, known: ResolvableNamespace, wanted: ResolutionQuery
) -> HttpResponse:
    """Return where a name of a registered namespace leads."""
    choice = resolution.choose_targets(known, urn, wanted)
    if not choice.targets:
        return responses.show_unresolved_urn(request, urn, known, wanted)
    best = choice.best
    asks_for_list = choose_media_type(wanted.accept, (HTML, URI_LIST)) == URI_LIST
    if best is None or choice.is_for_several or asks_for_list or not best.is_address:
        return responses.respond_with_choices(request, urn, known, wanted, choice)
    return responses.redirect_to_locator(best.address)


def refuse_unknown_target() -> HttpResponse:
    """Say that this server cannot tell names apart that differ in encoding alone."""
    return responses.explain_refusal(
        "not-handed-over",
        HTTPStatus.NOT_IMPLEMENTED,
        _("The address was not handed over as it was sent"),
        _(
            "The web server in between hands on a decoded address, in which “%2C” and “,” are"
            " the same. In a URN they are not. Ask with ?urn= and the URN encoded once."
        ),
    )
