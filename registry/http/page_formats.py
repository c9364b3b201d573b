"""The format of a page: by its suffix, or by Accept (`registry.content_negotiation`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from registry.http.cors import allow_any_origin
from registry.http.formats import FORMATS, FORMATS_BY_THING
from registry.http.links import (
    Link,
    add_links,
    get_page_path,
    list_alternates,
    make_canonical_link,
)
from registry.http.negotiation import HTML, XHTML, negotiate
from registry.http.problems import build_refusal
from registry.http.redirects import keep_query

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def negotiate_formats(thing: str) -> Callable[[View[P]], View[P]]:
    """Have the page of a `thing` name its other forms, and answer in one where Accept asks."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            wanted = choose_format(request, thing)
            if wanted is None:
                response: HttpResponseBase = refuse_unacceptable(request, thing)
            elif wanted:
                response = answer_in_format(request, wanted)
            else:
                response = make_page_response_with_links(
                    request, thing, lambda: view(request, *args, **kwargs)
                )
            patch_vary_headers(response, ["Accept"])
            return response

        return answered

    return decorate


def choose_format(request: HttpRequest, thing: str) -> str | None:
    """Return the ending of the form that Accept asks for, empty for the page, or none."""
    if request.headers.get("HX-Request"):
        return ""
    forms = {
        each: ending for ending in FORMATS_BY_THING[thing] for each in FORMATS[ending].asked_as
    }
    types = {HTML: "", **forms, XHTML: ""}
    chosen = negotiate(request, list(types))
    return None if chosen is None else types[chosen]


def make_page_response_with_links(
    request: HttpRequest, thing: str, draw: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Draw the page; its head and the header of the answer name the same links."""
    found = [
        make_canonical_link(request.path, request.GET),
        *list_alternates(thing, request.path, request.GET),
    ]
    vars(request)["links"] = found
    response = draw()
    if response.status_code == 200:
        add_links(response, found)
    return response


def answer_in_format(request: HttpRequest, ending: str) -> HttpResponseBase:
    """Answer what stands at the address with that ending, and say so."""
    path = f"{request.path_info[:-1]}.{ending}"
    found = resolve(path)
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    if response.status_code == 200:
        response["Content-Location"] = keep_query(request, request.path[:-1] + f".{ending}")
    return response


def refuse_unacceptable(request: HttpRequest, thing: str) -> HttpResponse:
    """Say which forms there are to whoever takes none of them (RFC 9110, section 15.5.7)."""
    found = list_alternates(thing, request.path, request.GET)
    forms = "\n".join(f"{settings.SITE}{each.href} {each.type}" for each in found)
    words = _("This is here as a page (text/html), and in these forms:")
    response = build_refusal("", 406, f"{words}\n{forms}")
    add_links(response, found)
    return response


def serve_format(thing: str, ending: str = "") -> Callable[[View[P]], View[P]]:
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
                return build_refusal(form, 404, words)
            if response.status_code in {200, 304}:
                add_links(response, list_format_links(request, thing, form))
            return allow_any_origin(response)

        return answered

    return decorate


def list_format_links(request: HttpRequest, thing: str, ending: str) -> list[Link]:
    """Return the links of one form: to its page, to the others, and to what describes it."""
    page = request.path if request.path.endswith("/") else get_page_path(request, ending)
    html = Link(page, "alternate", HTML)
    others = [each for each in list_alternates(thing, page, request.GET) if each.ending != ending]
    return [
        make_canonical_link(page, request.GET),
        html,
        *others,
        *list_description_links(thing, ending),
    ]


def list_description_links(thing: str, ending: str) -> list[Link]:
    """Return where it is said how a form is to be read."""
    schema = "urn-namespaces.rng" if thing == "namespaces" else "urn-registry.rng"
    by = {"jsonld": "shapes.ttl", "ttl": "shapes.ttl", "xml": schema}
    described_by = [reverse("exports:file", args=[by[ending]])] if ending in by else []
    found = [Link(each, "describedby") for each in described_by]
    if ending == "json":
        found.append(Link(reverse("api:schema"), "service-desc", "application/json"))
    return found
