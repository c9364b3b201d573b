"""A URN resolved: a redirect to the best service, or a page of choices.

The URN stands verbatim behind `/resolve/`, or encoded once in `?urn=`.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry import resolution
from registry.accepting import preferred
from registry.query_string import decode_octets, split_query
from registry.resolution import EXPLAINED, Known, Wanted, read_wanted
from registry.urn import URN
from registry.urn.spec.directives import KEYWORDS
from registry.views import resolving
from registry.views.query_parameters import answer_query_errors, read_uris
from registry.views.raw_target import RawTarget, TargetUnknown, raw_target

MOUNT: Final = "/resolve/"
COMPONENTS: Final = ("+", "=")
"""How a query begins that belongs to the URN: `?+` and `?=` (RFC 8141, section 2.3)."""


@require_safe
@answer_query_errors(is_page=False)
def index(request: HttpRequest) -> HttpResponse:
    """Resolve the URN in `?urn=`, encoded once; without one, ask for it."""
    text = read_uris(request, "urn", others=tuple(KEYWORDS)).get("urn", "").strip()
    if not text:
        return render(
            request, "resolve/index.html", {"variables": EXPLAINED, "nav_current": "inspect"}
        )
    return answer(request, text, directives_beside(request.META.get("QUERY_STRING", "")))


def directives_beside(query: str) -> str:
    """Return the directives of draft -03 that stand beside `urn=`, as they were sent."""
    beside = [each.octets for each in split_query(query) if each.name != "urn"]
    return decode_octets(b"&".join(beside))


@require_safe
@answer_query_errors(is_page=False)
def named(request: HttpRequest) -> HttpResponse:
    """Resolve the URN that stands in the path, as it was sent."""
    try:
        text, directives = joined(raw_target(request, MOUNT))
    except TargetUnknown:
        return not_handed_over()
    return answer(request, text, directives)


def joined(target: RawTarget) -> tuple[str, str]:
    """Return the URN, and the directives of draft -03 behind it.

    A query that begins with `+` or `=` is part of the URN, whatever stands in it.
    """
    if target.query is not None and target.query.startswith(COMPONENTS):
        return f"{target.rest}?{target.query}{target.tail}", ""
    return f"{target.rest}{target.tail}", target.query or ""


def answer(request: HttpRequest, text: str, directives: str) -> HttpResponse:
    """Return the answer about a text as a URN, which every site may read."""

    def where(urn: URN, known: Known) -> HttpResponse:
        wanted = read_wanted(
            directives,
            accept=resolving.accepted(request),
            languages=request.headers.get("Accept-Language", ""),
        )
        return resolved(request, urn, known, wanted)

    return resolving.about_name(request, text, where)


def resolved(request: HttpRequest, urn: URN, known: Known, wanted: Wanted) -> HttpResponse:
    """Return where a name of a registered namespace leads."""
    choice = resolution.choose(known, urn, wanted)
    if not choice.targets:
        return resolving.unresolved(request, urn, known, wanted)
    best = choice.best
    offered = (resolving.HTML, resolving.URIS)
    asks_for_list = preferred(wanted.accept, offered) == resolving.URIS
    if best is None or choice.is_for_several or asks_for_list or not best.is_address:
        return resolving.choices(request, urn, known, wanted, choice)
    return resolving.see_other(best.address)


def not_handed_over() -> HttpResponse:
    """Say that this server cannot tell names apart that differ in encoding alone."""
    return resolving.open_to_all(
        resolving.problem(
            "not-handed-over",
            HTTPStatus.NOT_IMPLEMENTED,
            _("The address was not handed over as it was sent"),
            _(
                "The web server in between hands on a decoded address, in which “%2C” and “,” are"
                " the same. In a URN they are not. Ask with ?urn= and the URN encoded once."
            ),
        )
    )
