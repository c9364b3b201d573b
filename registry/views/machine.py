"""The same address in another form: chosen by its ending, or by Accept at the page itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from registry.accepting import preferred
from registry.exports.forms import FORMS, OFFERED
from registry.views.links import Link, alternates, canonical, link, page_of
from registry.views.moved import with_query
from registry.views.refusing import refusal

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
"""By which some ask for pages; where any kind of application will do, it is not meant."""


def also_as(thing: str) -> Callable[[View[P]], View[P]]:
    """Have the page of a `thing` name its other forms, and answer in one where Accept asks."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            wanted = ending_wanted(request, thing)
            if wanted is None:
                response: HttpResponseBase = unfit(request, thing)
            elif wanted:
                response = in_its_place(request, wanted)
            else:
                response = as_page(request, thing, lambda: view(request, *args, **kwargs))
            patch_vary_headers(response, ["Accept"])
            return response

        return answered

    return decorate


def ending_wanted(request: HttpRequest, thing: str) -> str | None:
    """Return the ending of the form that Accept asks for, empty for the page, or none."""
    accept = request.headers.get("Accept", "")
    if not accept or request.headers.get("HX-Request"):
        return ""
    forms = {each: ending for ending in OFFERED[thing] for each in FORMS[ending].asked_as}
    types = {HTML: "", **forms, XHTML: ""}
    chosen = preferred(accept, list(types))
    return None if chosen is None else types[chosen]


def as_page(
    request: HttpRequest, thing: str, draw: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Draw the page; its head and the header of the answer name the same links."""
    found = [canonical(request.path, request.GET), *alternates(thing, request.path, request.GET)]
    vars(request)["links"] = found
    response = draw()
    if response.status_code == 200:
        link(response, found)
    return response


def in_its_place(request: HttpRequest, ending: str) -> HttpResponseBase:
    """Answer what stands at the address with that ending, and say so."""
    path = f"{request.path_info[:-1]}.{ending}"
    found = resolve(path)
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    if response.status_code == 200:
        response["Content-Location"] = with_query(request, request.path[:-1] + f".{ending}")
    return response


def unfit(request: HttpRequest, thing: str) -> HttpResponse:
    """Say which forms there are to whoever takes none of them (RFC 9110, section 15.5.7)."""
    found = alternates(thing, request.path, request.GET)
    forms = "\n".join(f"{settings.SITE}{each.href} {each.type}" for each in found)
    words = _("This is here as a page (text/html), and in these forms:")
    response = refusal("", 406, f"{words}\n{forms}")
    link(response, found)
    return response


def in_form(thing: str, ending: str = "") -> Callable[[View[P]], View[P]]:
    """Have a view answer programs: open to all sites, with links, and refusing without a page.

    The ending of the address is `form` among the arguments, or always the same.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            form = ending or str(kwargs["form"])
            try:
                response = view(request, *args, **kwargs)
            except Http404 as missing:
                words = str(missing) or _("There is nothing at this address.")
                return refusal(form, 404, words)
            response["Access-Control-Allow-Origin"] = "*"
            if response.status_code in {200, 304}:
                link(response, around(request, thing, form))
            return response

        return answered

    return decorate


def around(request: HttpRequest, thing: str, ending: str) -> list[Link]:
    """Return the links of one form: to its page, to the others, and to what describes it."""
    page = request.path if request.path.endswith("/") else page_of(request, ending)
    html = Link(page, "alternate", HTML)
    others = [each for each in alternates(thing, page, request.GET) if each.ending != ending]
    return [canonical(page, request.GET), html, *others, *described(thing, ending)]


def described(thing: str, ending: str) -> list[Link]:
    """Return where it is said how a form is to be read."""
    schema = "urn-namespaces.rng" if thing == "namespaces" else "urn-registry.rng"
    by = {"jsonld": "shapes.ttl", "ttl": "shapes.ttl", "xml": schema}
    described_by = [reverse("exports:file", args=[by[ending]])] if ending in by else []
    found = [Link(each, "describedby") for each in described_by]
    if ending == "json":
        found.append(Link(reverse("api:schema"), "service-desc", "application/json"))
    return found
