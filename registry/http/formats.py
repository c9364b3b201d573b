"""The formats of a thing at its own address: chosen by suffix or Accept, and linked to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.urls import resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _, gettext_lazy

from registry.http.cors import allow_any_origin
from registry.http.negotiation import HTML, XHTML, negotiate
from registry.http.problems import build_refusal
from registry.http.redirects import keep_query

# An ending replaces the last slash of the page: `/namespaces/isbn/`, `/namespaces/isbn.json`.


@dataclass(frozen=True, slots=True)
class Format:
    """One form: how its addresses end, what it is sent as, its name, and how to ask for it.

    `asked_as` holds the media types that programs write into Accept; a form without any is had
    by its address alone.
    """

    ending: str
    media_type: str
    title: str | Promise
    asked_as: tuple[str, ...] = ()

    @property
    def bare_type(self) -> str:
        """The media type without its parameters."""
        return self.media_type.partition(";")[0]


FORMATS: Final[Mapping[str, Format]] = {
    form.ending: form
    for form in (
        Format("json", "application/json", "JSON", ("application/json",)),
        Format(
            "xml",
            "application/xml; charset=utf-8",
            "XML",
            ("application/xml", "text/xml"),
        ),
        Format("csv", "text/csv; charset=utf-8; header=present", "CSV", ("text/csv",)),
        Format("txt", "text/plain; charset=utf-8", gettext_lazy("Plain text"), ("text/plain",)),
        Format("jsonld", "application/ld+json", "JSON-LD", ("application/ld+json",)),
        Format("ttl", "text/turtle; charset=utf-8", "Turtle", ("text/turtle",)),
        Format(
            "atom",
            "application/atom+xml; charset=utf-8",
            gettext_lazy("Feed"),
            ("application/atom+xml",),
        ),
        Format("abnf", "text/plain; charset=utf-8", gettext_lazy("Grammar")),
        Format(
            "md",
            "text/markdown; charset=utf-8; variant=kramdown-rfc2629",
            "kramdown",
            ("text/markdown",),
        ),
        Format("rfc.xml", "application/xml; charset=utf-8", "RFCXML"),
    )
}
"""In the order in which they are offered, and preferred where somebody takes any."""

DATA_FORMATS: Final = ("json", "xml", "csv", "txt", "jsonld", "ttl", "atom")
TEMPLATE_FORMATS: Final = ("abnf", "md", "rfc.xml")

FORMATS_BY_THING: Final[Mapping[str, tuple[str, ...]]] = {
    "namespace": (*DATA_FORMATS, *TEMPLATE_FORMATS),
    "version": (*DATA_FORMATS, *TEMPLATE_FORMATS),
    "request": DATA_FORMATS,
    "round": ("json", "xml", "csv", "txt", "md", "rfc.xml"),
    "namespaces": DATA_FORMATS,
    "requests": DATA_FORMATS,
    "organizations": ("json", "xml", "csv", "txt"),
    "sightings": ("json", "xml", "csv", "txt"),
}
"""Which thing is read in which forms.

A round is a part of its request, which has its graph and its feed; its grammar is no rule of any
namespace yet. Organizations and sightings
are lists of names that stand in the graphs of namespaces and requests, and what happens to them
is told by those feeds.
"""


def find_ending(path: str) -> str:
    """Return the ending by which an address asks for a format, empty where it asks for a page."""
    name = path.rpartition("/")[2]
    return next((each for each in FORMATS if name.endswith(f".{each}")), "")


def list_formats(thing: str) -> list[Format]:
    """Return the forms of a thing, in the order in which they are preferred."""
    return [FORMATS[ending] for ending in FORMATS_BY_THING[thing]]


def make_format_pattern(thing: str) -> str:
    """Return the expression for the endings of a thing, as addresses are matched by it."""
    every = "|".join(each.replace(".", r"\.") for each in FORMATS_BY_THING[thing] if each != "atom")
    return rf"(?P<form>{every})"


PAGING_PARAMETERS = ("page", "show")
MAX_LINK_HEADER: Final = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """One link: where it leads, what it leads to, and in which form that is."""

    href: str
    rel: str = "alternate"
    type: str = ""
    title: str | Promise = ""
    ending: str = ""

    @property
    def header(self) -> str:
        """The link as the header writes it."""
        words = f'; type="{self.type}"' if self.type else ""
        if self.title and not self.type:
            # What has a type is told by it: its title is for the head of the page.
            words = f'; title="{self.title}"'
        return f'<{iri_to_uri(self.href)}>; rel="{self.rel}"{words}'


def list_alternates(thing: str, page: str, asked: QueryDict) -> list[Link]:
    """Return the forms of the thing whose page is at `page`, with the filters in `asked`."""
    query = encode_filters(asked)
    return [
        Link(
            f"{page[:-1]}.{form.ending}{query}",
            "alternate",
            form.bare_type,
            form.title,
            form.ending,
        )
        for form in list_formats(thing)
    ]


def encode_filters(asked: QueryDict) -> str:
    """Return the query that says what is listed; on which page of it is left out."""
    kept = [(name, value) for name, values in asked.lists() for value in values]
    said = urlencode([(name, value) for name, value in kept if name not in PAGING_PARAMETERS])
    return f"?{said}" if said else ""


def make_canonical_link(page: str, asked: QueryDict) -> Link:
    """Return the one address of a thing, whatever form it is read in (RFC 6596)."""
    return Link(settings.SITE + page + encode_filters(asked), "canonical")


def join_links(links: Iterable[Link]) -> str:
    """Return the header that has all of these links."""
    return ", ".join(each.header for each in links)


def add_links(response: HttpResponseBase, links: Iterable[Link]) -> None:
    """Add links to the header of an answer, as far as there is room for them.

    Each repeats the filters of a list, and a web server in front refuses headers that are longer
    than it expects: nginx, all together, than 4 KiB. What is left out the head of the page has.
    """
    said = response.get("Link", "")
    for each in links:
        longer = f"{said}, {each.header}" if said else each.header
        if len(longer) <= MAX_LINK_HEADER:
            said = longer
    if said:
        response["Link"] = said


def get_page_path(request: HttpRequest, ending: str) -> str:
    """Return the address of the page whose form, with that ending, is asked for."""
    return request.path.removesuffix(f".{ending}") + "/"


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
