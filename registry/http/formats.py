"""The formats of a thing at its own address: chosen by suffix or `Accept`, and linked to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.urls import get_script_prefix, resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _, gettext_lazy

from registry.forms.filters import NamespaceFilter, RequestFilter
from registry.forms.organizations import OrganizationSearchForm
from registry.http.cors import allow_any_origin
from registry.http.negotiation import HTML, XHTML, negotiate
from registry.http.problems import PROBLEM_KINDS, build_refusal
from registry.http.redirects import keep_query
from registry.licences import Licence, get_data_licence

P = ParamSpec("P")

# An ending replaces the last slash of the page: `/namespaces/isbn/`, `/namespaces/isbn.json`.


@dataclass(frozen=True, slots=True)
class Format:
    """One format: the ending of its addresses, its media type, its name, and how to ask for it.

    `asked_as` holds the media types that programs write into `Accept`; a format without any can
    only be had by its address.
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
        Format("bib", "application/x-bibtex; charset=utf-8", "BibTeX", ("application/x-bibtex",)),
        Format(
            "csl.json",
            "application/vnd.citationstyles.csl+json",
            "CSL-JSON",
            ("application/vnd.citationstyles.csl+json",),
        ),
        Format(
            "linkset.json",
            "application/linkset+json",
            gettext_lazy("Links"),
            ("application/linkset+json",),
        ),
    )
}
"""In the order in which they are offered, and preferred if the client accepts any."""

DATA_FORMATS: Final = ("json", "xml", "csv", "txt", "jsonld", "ttl", "atom")
TEMPLATE_FORMATS: Final = ("abnf", "md", "rfc.xml")
CITATION_FORMATS: Final = ("bib", "csl.json", "linkset.json")
"""How a registration is cited, and what belongs to it."""

FORMATS_BY_THING: Final[Mapping[str, tuple[str, ...]]] = {
    "namespace": (*DATA_FORMATS, *TEMPLATE_FORMATS, *CITATION_FORMATS),
    "version": (*DATA_FORMATS, *TEMPLATE_FORMATS, *CITATION_FORMATS),
    "record": ("json", "xml", "txt"),
    "request": DATA_FORMATS,
    "round": ("json", "xml", "csv", "txt", "md", "rfc.xml"),
    "namespaces": DATA_FORMATS,
    "requests": DATA_FORMATS,
    "organization": ("json", "xml", "csv", "txt", "jsonld", "ttl"),
    "organizations": ("json", "xml", "csv", "txt"),
    "sightings": ("json", "xml", "csv", "txt"),
}
"""Which thing is available in which formats.

A record is somebody else's text, of which only what was understood is data. A round is part of its
request, which has a graph and a feed; its grammar is not yet the rule of any namespace. The names
in the lists of organizations and sightings appear in the graphs of namespaces and requests, whose
feeds also report what happens to them, and to a single organization.
"""

PARAMETERS_BY_THING: Final[Mapping[str, frozenset[str]]] = {
    "namespaces": frozenset(vars(NamespaceFilter)["base_filters"]),
    "requests": frozenset(vars(RequestFilter)["base_filters"]),
    "organizations": frozenset(OrganizationSearchForm.base_fields),
}
"""The parameters that the formats of a list accept: the filters and the order of its page."""


def list_unknown_parameters(thing: str, asked: QueryDict) -> list[str]:
    """Return the parameters that the formats of a thing do not know, in order."""
    return sorted(asked.keys() - PARAMETERS_BY_THING.get(thing, frozenset()))


def refuse_parameters(ending: str, names: Collection[str]) -> HttpResponse:
    """Say that a parameter has no effect here, and where it has one: none is silently ignored."""
    words = _(
        "There is no parameter %(names)s here: leave it out. The API at %(api)s has filters, "
        "fields and pages."
    )
    told = {
        "names": ", ".join(f"“{name[:40]}”" for name in names),
        "api": settings.SITE + reverse("api:root"),
    }
    return build_refusal(
        ending,
        HTTPStatus.BAD_REQUEST,
        words % told,
        kind=PROBLEM_KINDS["invalid-input"],
        errors={name: [_("There is no parameter with this name.")] for name in names},
    )


def refuse_unknown_parameters(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Have a view refuse any query: it would ignore it."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.GET:
            return refuse_parameters(find_ending(request.path), sorted(request.GET))
        return view(request, *args, **kwargs)

    return answered


def find_ending(path: str) -> str:
    """Return the ending by which an address asks for a format, empty if it asks for a page."""
    name = path.rpartition("/")[2]
    return next((each for each in FORMATS if name.endswith(f".{each}")), "")


def list_formats(thing: str) -> list[Format]:
    """Return the formats of a thing, in order of preference."""
    return [FORMATS[ending] for ending in FORMATS_BY_THING[thing]]


def make_format_pattern(thing: str) -> str:
    """Return the regular expression for the endings of a thing, for matching addresses."""
    every = "|".join(each.replace(".", r"\.") for each in FORMATS_BY_THING[thing] if each != "atom")
    return rf"(?P<form>{every})"


PAGING_PARAMETERS = ("page", "show")
MAX_LINK_HEADER: Final = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """One link: its target, its relation, and the target's media type."""

    href: str
    rel: str = "alternate"
    type: str = ""
    title: str | Promise = ""
    ending: str = ""
    hreflang: str = ""

    @property
    def header(self) -> str:
        """The link as the `Link` header writes it."""
        words = f'; type="{self.type}"' if self.type else ""
        if self.title and not self.type:
            # The type is enough to identify it: its title is for the head of the page.
            words = f'; title="{self.title}"'
        if self.hreflang:
            words += f'; hreflang="{self.hreflang}"'
        return f'<{iri_to_uri(self.href)}>; rel="{self.rel}"{words}'


def list_alternates(thing: str, page: str, asked: QueryDict) -> list[Link]:
    """Return the formats of the thing whose page is at `page`, with the filters in `asked`."""
    query = encode_filters(asked, PARAMETERS_BY_THING.get(thing, frozenset()))
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


def encode_filters(asked: QueryDict, known: Collection[str] | None = None) -> str:
    """Return the query that says what is listed, restricted to the names in `known`.

    If `known` is not given, only the position within the list is left out.
    """
    kept = [(name, value) for name, values in asked.lists() for value in values]
    said = urlencode(
        [
            (name, value)
            for name, value in kept
            if (name not in PAGING_PARAMETERS if known is None else name in known)
        ]
    )
    return f"?{said}" if said else ""


def make_canonical_link(page: str, asked: QueryDict) -> Link:
    """Return the one address of a thing, whatever format it is read in (RFC 6596)."""
    return Link(settings.SITE + page + encode_filters(asked), "canonical")


def join_links(links: Iterable[Link]) -> str:
    """Return the header with all of these links."""
    return ", ".join(each.header for each in links)


def add_links(
    response: HttpResponseBase, links: Iterable[Link], longest: int = MAX_LINK_HEADER
) -> None:
    """Add links to the header of a response, as far as they fit.

    Each repeats the filters of a list, and web servers in front refuse headers that are too long:
    nginx, if they exceed 4 KiB in total. The head of the page has what is left out.
    """
    said = response.get("Link", "")
    for each in links:
        longer = f"{said}, {each.header}" if said else each.header
        if len(longer) <= longest:
            said = longer
    if said:
        response["Link"] = said


def get_page_path(request: HttpRequest, ending: str) -> str:
    """Return the address of the page whose format with that ending is requested."""
    return request.path.removesuffix(f".{ending}") + "/"


View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def negotiate_formats(thing: str) -> Callable[[View[P]], View[P]]:
    """Have the page of a `thing` name its other formats, and answer in the preferred one."""

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


def leave_out_formats(request: HttpRequest, endings: Collection[str]) -> None:
    """Have the response not name formats of the thing that redirect, because it has no text."""
    vars(request)["left_out_formats"] = frozenset(endings)
    if links := vars(request).get("links"):
        links[:] = [each for each in links if each.ending not in endings]


def negotiate_addresses(
    addresses: Mapping[str, tuple[str, ...]],
) -> Callable[[View[P]], View[P]]:
    """Have a page that is not a thing answer with what is at other addresses, by media type.

    Each is the name of an address and its arguments. Clients that accept neither these nor the page
    get a list of them.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            offered = [HTML, *addresses, XHTML]
            is_part = bool(request.headers.get("HX-Request"))
            chosen = HTML if is_part else negotiate(request, offered)
            links = [
                Link(reverse(name, args=given), "alternate", kind)
                for kind, (name, *given) in addresses.items()
            ]
            if chosen in (HTML, XHTML):
                response = view(request, *args, **kwargs)
                if response.status_code == HTTPStatus.OK:
                    add_links(response, links)
            elif chosen is None:
                response = refuse_all_forms(links)
            else:
                name, *given = addresses[chosen]
                response = answer_from(request, reverse(name, args=given))
            patch_vary_headers(response, ["Accept"])
            return response

        return answered

    return decorate


def answer_from(request: HttpRequest, address: str) -> HttpResponseBase:
    """Answer with what is at another address, and say so."""
    found = resolve(address.removeprefix(get_script_prefix().rstrip("/")))
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    if response.status_code == HTTPStatus.OK:
        response["Content-Location"] = keep_query(request, address)
    return response


def choose_format(request: HttpRequest, thing: str) -> str | None:
    """Return the ending of the format that `Accept` asks for, empty for the page, or None."""
    if request.headers.get("HX-Request"):
        return ""
    forms = {
        each: ending for ending in FORMATS_BY_THING[thing] for each in FORMATS[ending].asked_as
    }
    types = {HTML: "", **forms, XHTML: ""}
    chosen = negotiate(request, list(types))
    return None if chosen is None else types[chosen]


SCHEMA_TYPES: Final[Mapping[str, str]] = {
    "namespace": "https://schema.org/DefinedTerm",
    "version": "https://schema.org/CreativeWork",
}
"""What a page is about, in the words of schema.org; these things are cited."""


def make_licence_link(licence: Licence) -> Link:
    """Return where the terms of use of the thing are stated (RFC 4946)."""
    return Link(licence.url, "license")


def state_licence(request: HttpRequest, licence: Licence | None) -> None:
    """Have the response name the licence of what it shows; None if nobody agreed to one."""
    vars(request)["licence"] = licence


def list_signposts(thing: str, page: str, licence: Licence | None) -> list[Link]:
    """Return links for programs that read pages: how to cite, its type, its terms.

    These are relations of Signposting: `cite-as` (RFC 8574), `type` (RFC 6903), `license` (RFC
    4946), `describedby` and `linkset` (RFC 9264); empty for what is not cited.
    """
    if thing not in SCHEMA_TYPES:
        return []
    return [
        Link(settings.SITE + page, "cite-as"),
        Link(SCHEMA_TYPES[thing], "type"),
        *([make_licence_link(licence)] if licence else []),
        Link(f"{page[:-1]}.jsonld", "describedby", FORMATS["jsonld"].bare_type),
        Link(f"{page[:-1]}.linkset.json", "linkset", FORMATS["linkset.json"].bare_type),
    ]


def make_linkset(
    thing: str, page: str, left_out: Collection[str] = (), *, licence: Licence | None
) -> dict[str, Any]:
    """Return all links of the thing whose page is at `page` (RFC 9264, section 4.2)."""
    links: dict[str, list[dict[str, str]]] = {}
    others = [
        each for each in list_alternates(thing, page, QueryDict()) if each.ending not in left_out
    ]
    for each in (*list_signposts(thing, page, licence), *others):
        href = each.href if each.href.startswith("http") else settings.SITE + each.href
        typed = {"type": each.type} if each.type else {}
        links.setdefault(each.rel, []).append({"href": href, **typed})
    return {"linkset": [{"anchor": settings.SITE + page, **links}]}


def make_page_response_with_links(
    request: HttpRequest, thing: str, draw: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Render the page; its head and the header of the response name the same links."""
    found = [
        make_canonical_link(request.path, request.GET),
        *list_alternates(thing, request.path, request.GET),
    ]
    vars(request)["links"] = found
    response = draw()
    if response.status_code == 200:
        licence = vars(request).get("licence", get_data_licence())
        add_links(response, [*list_signposts(thing, request.path, licence), *found])
    return response


def answer_in_format(request: HttpRequest, ending: str) -> HttpResponseBase:
    """Answer with what is at the address with that ending, and say so."""
    path = f"{request.path_info[:-1]}.{ending}"
    found = resolve(path)
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    if response.status_code == 200:
        response["Content-Location"] = keep_query(request, request.path[:-1] + f".{ending}")
    return response


def refuse_unacceptable(request: HttpRequest, thing: str) -> HttpResponse:
    """Tell clients that accept none of the formats which there are (RFC 9110, section 15.5.7)."""
    return refuse_all_forms(list_alternates(thing, request.path, request.GET))


def refuse_all_forms(found: Sequence[Link]) -> HttpResponse:
    """Say which formats something has besides its page."""
    forms = "\n".join(f"{settings.SITE}{each.href} {each.type}" for each in found)
    words = _("This is here as a page (text/html), and in these forms:")
    response = build_refusal("", 406, f"{words}\n{forms}")
    add_links(response, found)
    return response


def serve_format(thing: str, ending: str = "") -> Callable[[View[P]], View[P]]:
    """Have a view answer programs: open to all sites, with links, and without pages for refusals.

    The ending of the address is the argument `form`, or always the same.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            form = ending or str(kwargs["form"])
            if unknown := list_unknown_parameters(thing, request.GET):
                return refuse_parameters(form, unknown)
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
    """Return the links of one format: to its page, the other formats, and what describes it.

    Clients that read JSON-LD ask for JSON as well, and PyLD fails if more than one format is named
    (its `parse_link_header` then returns a list): they get only the link to the graph.
    """
    page = request.path if request.path.endswith("/") else get_page_path(request, ending)
    html = Link(page, "alternate", HTML)
    left_out = {ending, *vars(request).get("left_out_formats", ())}
    others = [
        each
        for each in list_alternates(thing, page, request.GET)
        if each.ending not in left_out and (ending != "json" or each.ending == "jsonld")
    ]
    alternates = {"jsonld": [html], "json": others or [html]}.get(ending, [html, *others])
    return [
        make_canonical_link(page, request.GET),
        *alternates,
        *list_description_links(thing, ending),
    ]


def list_description_links(thing: str, ending: str) -> list[Link]:
    """Return the links to descriptions of a format."""
    schema = "urn-namespaces.rng" if thing == "namespaces" else "urn-registry.rng"
    by = {"jsonld": "shapes.ttl", "ttl": "shapes.ttl", "xml": schema}
    described_by = [reverse("exports:file", args=[by[ending]])] if ending in by else []
    found = [Link(each, "describedby") for each in described_by]
    if ending == "json":
        found.append(Link(reverse("api:schema"), "service-desc", "application/json"))
    return found
