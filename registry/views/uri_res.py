"""Resolution over HTTP as RFC 2169 has it: `/uri-res/<service>?<uri>`.

The services are those of RFC 2483, with the names of RFC 2169 for the same. What is asked about
stands raw behind the question mark, its own question marks too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry import resolution
from registry.accepting import preferred
from registry.resolution import Choice, Known, Wanted
from registry.urn import URN
from registry.views import resolving
from registry.views.describing import described, equality
from registry.views.query_parameters import answer_query_errors
from registry.views.raw_target import raw_query

Service = Callable[[HttpRequest, str], HttpResponse]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Lead to where the services are explained."""
    return redirect("/resolve/#uri-res")


@require_safe
@answer_query_errors(is_page=False)
def service(request: HttpRequest, name: str) -> HttpResponse:
    """Answer by one of the services; those that there are not are not implemented."""
    if name not in SERVICES:
        return resolving.open_to_all(
            resolving.problem(
                "no-such-service",
                HTTPStatus.NOT_IMPLEMENTED,
                _("No such service"),
                _("There is no service “%(name)s”. There are %(services)s.")
                % {"name": name[:40], "services": ", ".join(SERVICES)},
            )
        )
    return SERVICES[name](request, raw_query(request))


def about_name(answer: Callable[[HttpRequest, URN, Known], HttpResponse]) -> Service:
    """Return the service that answers about a name of a registered namespace."""

    def asked(request: HttpRequest, text: str) -> HttpResponse:
        return resolving.about_name(request, text, partial(answer, request))

    return asked


def chosen(
    request: HttpRequest, urn: URN, known: Known, service: str, accept: str | None = None
) -> tuple[Wanted, Choice]:
    """Return what is wanted, and where it is; `accept` stands for what the client said."""
    wanted = Wanted(
        service,
        accept=resolving.accepted(request) if accept is None else accept,
        languages=request.headers.get("Accept-Language", ""),
    )
    return wanted, resolution.choose(known, urn, wanted)


def one(service: str, *, in_text: tuple[str, ...]) -> Service:
    """Return the service that leads to the best address, of equals to the first (RFC 2169, 3.1).

    It says the address where that is asked for by one of the media types `in_text`: clients that
    follow no redirect do so, as the caching proxy Squid does.
    """

    def answer(request: HttpRequest, urn: URN, known: Known) -> HttpResponse:
        says_it = preferred(resolving.accepted(request), (resolving.HTML, *in_text)) in in_text
        # What is accepted is then the list; what the client takes of the resource is not known.
        wanted, choice = chosen(request, urn, known, service, "" if says_it else None)
        if not choice.targets:
            return resolving.unresolved(request, urn, known, wanted)
        best = choice.targets[0]
        if says_it or not best.is_address:
            return resolving.uri_list([best.address])
        return resolving.see_other(best.address)

    return about_name(answer)


def several(service: str) -> Service:
    """Return the service that lists all addresses, none where there are none."""

    def answer(request: HttpRequest, urn: URN, known: Known) -> HttpResponse:
        wanted, choice = chosen(request, urn, known, service)
        return resolving.choices(request, urn, known, wanted, choice)

    return about_name(answer)


def from_locator(answer: Callable[[HttpRequest, str, list[URN]], HttpResponse]) -> Service:
    """Return the service that answers about the names that lead to an address."""

    def asked(request: HttpRequest, text: str) -> HttpResponse:
        if not resolution.is_address(text):
            return resolving.open_to_all(
                resolving.problem(
                    "malformed",
                    HTTPStatus.BAD_REQUEST,
                    _("Not an address in the web"),
                    _("“%(text)s” is no address that begins with http:// or https://.")
                    % {"text": text[:200]},
                )
            )
        return resolving.open_to_all(answer(request, text, resolution.names_of(text)))

    return asked


def names(request: HttpRequest, locator: str, found: list[URN]) -> HttpResponse:
    """List the names (L2Ns)."""
    return resolving.uri_list(map(str, found), about=locator)


def addresses(request: HttpRequest, locator: str, found: list[URN]) -> HttpResponse:
    """List the other addresses of what has these names (L2Ls)."""
    listed: dict[str, None] = {}
    for urn in found:
        if known := resolving.known_of(request, urn):
            _wanted, choice = chosen(request, urn, known, "I2Ls")
            listed |= dict.fromkeys(each.address for each in choice.targets)
    return resolving.uri_list(listed, about=locator)


def description(request: HttpRequest, locator: str, found: list[URN]) -> HttpResponse:
    """Describe what is there by its name (L2C)."""
    known = resolving.known_of(request, found[0]) if found else None
    if known is None:
        return resolving.problem(
            "no-name",
            HTTPStatus.NOT_FOUND,
            _("No name is known"),
            _("No service is known here that leads a name to this address."),
        )
    return described(request, found[0], known)


FAMILY: Final[Mapping[str, Service]] = {
    "L": one("I2L", in_text=(resolving.URIS, resolving.TEXT)),
    "Ls": several("I2Ls"),
    "R": one("I2R", in_text=(resolving.URIS,)),
    "Rs": several("I2Rs"),
    "C": about_name(described),
    "Cs": several("I2Cs"),
    "N": one("I2N", in_text=(resolving.URIS, resolving.TEXT)),
    "Ns": several("I2Ns"),
}
SERVICES: Final[Mapping[str, Service]] = {
    **{f"I2{kind}": service for kind, service in FAMILY.items()},
    "I=I": equality,
    **{f"N2{kind}": service for kind, service in FAMILY.items()},
    "L2Ns": from_locator(names),
    "L2Ls": from_locator(addresses),
    "L2C": from_locator(description),
}
