"""Resolving a URN: a redirect to the best service, a page of choices, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec
from urllib.parse import quote, unquote_to_bytes, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.vary import vary_on_headers

from registry import inspection, resolution, selectors
from registry.content_negotiation import choose_media_type
from registry.http.cache import EPOCH_KEY, CacheEpoch
from registry.http.cors import open_to_all_sites
from registry.http.formats import Link, add_links
from registry.http.methods import require_reading
from registry.http.negotiation import (
    HTML,
    JSON,
    LINKSET,
    URI_LIST,
    get_accept_header,
    negotiate,
)
from registry.http.problems import PROBLEM_MEDIA_TYPE, respond_with_problem
from registry.http.query_string import (
    NotUTF8,
    QueryStringError,
    decode_octets,
    read_query,
    split_query,
)
from registry.http.request_target import RawTarget, TargetUnknown, read_raw_target
from registry.presenters.resolution import (
    build_namespace_url,
    list_explanations,
    make_choice_linkset,
    pair_targets_with_services,
    serialize_choice,
)
from registry.resolution import (
    VARIABLE_DESCRIPTIONS,
    ResolutionQuery,
    ResolutionTarget,
    ResolvableNamespace,
    TargetChoice,
    parse_resolution_query,
)
from registry.urn import URN, URNSyntaxError, nid as nids, parse
from registry.urn.spec import DIRECTIVE_KEYWORDS

# The response is for a person if the client prefers HTML to the formats for programs.

RESOLVE_CONTEXT: Final = {"nav_current": "inspect"}


def prefers_page(request: HttpRequest) -> bool:
    """Whether the client prefers a page to a text for programs."""
    return negotiate(request, (PROBLEM_MEDIA_TYPE, JSON, URI_LIST, HTML)) == HTML


def find_known_namespace(request: HttpRequest, urn: URN) -> ResolvableNamespace | None:
    """Return what is known of a name's namespace, or None if it is not registered.

    The version of the registry was read before, in case the response is cached (`registry.http`).
    """
    epoch: CacheEpoch | None = request.META.get(EPOCH_KEY)
    version = epoch[0] if epoch else None
    return resolution.find_resolvable_namespace(nids.canonical(urn.nid), version)


def answer_about_name(
    request: HttpRequest, text: str, answer: Callable[[URN, ResolvableNamespace], HttpResponse]
) -> HttpResponse:
    """Return the result for a text as a name of a registered namespace, or why there is none."""
    text = strip_handler_scheme(text)
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return show_malformed_urn(request, text, error)
    known = find_known_namespace(request, urn)
    if known is None:
        return show_unregistered_urn(request, urn)
    response = answer(urn, known)
    add_links(response, link_namespace(known))
    return response


HANDLER_SCHEME_PATTERN: Final = re.compile(r"web\+(?=urn:)", re.IGNORECASE)


def strip_handler_scheme(text: str) -> str:
    """Return the URN in a link that begins with `web+urn:`, unchanged; any other text stays.

    Sites may only register schemes of their own that begin with `web+` (HTML Standard, custom
    handlers), so pages link to `web+urn:isbn:…` to open a name here.
    """
    return HANDLER_SCHEME_PATTERN.sub("", text, count=1) if text[:4].lower() == "web+" else text


def link_namespace(known: ResolvableNamespace) -> list[Link]:
    """Return the link to what is known of a name's namespace."""
    page = build_namespace_url(known.nid)
    links = [Link(page, "describedby")]
    if not known.is_in_force:
        # RFC 9745, section 3: where to read why it should no longer be used.
        links.append(Link(page, "deprecation", title=known.status))
    return links


def redirect_to_locator(address: str) -> HttpResponse:
    """Redirect to a web address, in ASCII (`WEB_ADDRESS_PATTERN`).

    It is sent exactly as it was made.
    """
    return HttpResponse(
        f"{address}\r\n",
        status=HTTPStatus.SEE_OTHER,
        content_type=URI_LIST,
        headers={"Location": address},
    )


MAX_CHOICE_LINKS: Final = 10
MAX_CHOICE_HEADER: Final = 1_500
"""Links to other addresses leave room for the link to the namespace."""


def redirect_to_best(
    urn: URN, known: ResolvableNamespace, wanted: ResolutionQuery, choice: TargetChoice
) -> HttpResponse:
    """Redirect to the first address, with links to the others and to descriptions (RFC 8288).

    If there are others, a link leads to all of them as a linkset (RFC 9264).
    """
    best, *others = choice.targets
    response = redirect_to_locator(best.address)
    links = list_choice_links(best, others, resolution.find_descriptions(known, urn))
    if others:
        links.insert(0, Link(build_linkset_url(urn, wanted), "linkset", LINKSET))
    add_links(response, links[:MAX_CHOICE_LINKS], MAX_CHOICE_HEADER)
    return response


def list_choice_links(
    best: ResolutionTarget,
    others: Iterable[ResolutionTarget],
    descriptions: Iterable[ResolutionTarget],
) -> list[Link]:
    """Return links to descriptions of a name, then to other addresses, each address once."""
    links = [make_target_link(best)] if best.is_description else []
    seen = {best.address}
    for each in (*descriptions, *others):
        if each.is_address and each.address not in seen:
            seen.add(each.address)
            links.append(make_target_link(each))
    return links


def make_target_link(target: ResolutionTarget) -> Link:
    """Return the link to an address, with its media type and language if known."""
    return Link(
        target.address,
        "describedby" if target.is_description else "alternate",
        target.offer.media_type if target.offer else "",
        hreflang=target.offer.language if target.offer else "",
    )


def build_linkset_url(urn: URN, wanted: ResolutionQuery) -> str:
    """Return the address with all addresses of a name as links, for clients that accept these."""
    asked = {"urn": urn.text} | ({"s": wanted.service} if wanted.service else {})
    return f"{settings.SITE}{reverse('resolve:index')}?{urlencode(asked, quote_via=quote)}"


def respond_with_uri_list(urls: Iterable[str], about: str = "") -> HttpResponse:
    """Return addresses one per line, after the URI they belong to (RFC 2483, section 5)."""
    lines = [f"# {about}"] if about else []
    return HttpResponse("".join(f"{line}\r\n" for line in [*lines, *urls]), content_type=URI_LIST)


def explain_refusal(
    kind: str, status: HTTPStatus, title: str | Promise, detail: str, **members: Any
) -> HttpResponse:
    """Return problem details; the page `/resolve/` explains each kind."""
    type_uri = f"{settings.SITE}{reverse('resolve:index')}#{kind}"
    return respond_with_problem(status, detail, type_uri=type_uri, title=title, **members)


def show_malformed_urn(request: HttpRequest, text: str, error: URNSyntaxError) -> HttpResponse:
    """Say where a text stops being a URN."""
    if prefers_page(request):
        context: dict[str, Any] = {
            "inspection": inspection.inspect_text(text),
            "typed": text,
            **RESOLVE_CONTEXT,
        }
        if context["inspection"].is_drawn:
            context["specifications"] = inspection.draw(inspection.read_by_specifications, text)
        return render(request, "resolve/malformed.html", context, status=HTTPStatus.BAD_REQUEST)
    return explain_refusal(
        "malformed",
        HTTPStatus.BAD_REQUEST,
        _("Not a URN"),
        str(error),
        urn=text,
        position=error.position,
        component=error.component,
        rule=error.rule,
    )


def show_unregistered_urn(request: HttpRequest, urn: URN) -> HttpResponse:
    """Say that the NID is not registered, and which ones are similar."""
    nid = nids.canonical(urn.nid)
    near = selectors.find_similar_nids(nid)
    sightings = list(selectors.sightings_of_nid(nid))
    detail = _("Nobody has registered “%(nid)s”, so its names lead nowhere.") % {"nid": nid}
    if prefers_page(request):
        context = {
            "urn": urn,
            "nid": nid,
            "near": near,
            "requests": selectors.requests_asking_for(nid),
            "sightings": sightings,
        }
        context |= RESOLVE_CONTEXT
        return render(request, "resolve/unregistered.html", context, status=HTTPStatus.NOT_FOUND)
    return explain_refusal(
        "not-registered",
        HTTPStatus.NOT_FOUND,
        _("Not registered"),
        detail,
        urn=urn.text,
        nid=nid,
        near=[{"nid": each.nid, "reason": each.reason} for each in near],
        sightings=[f"{settings.SITE}{each.get_absolute_url()}" for each in sightings],
    )


def show_unresolved_urn(
    request: HttpRequest, urn: URN, known: ResolvableNamespace, wanted: ResolutionQuery
) -> HttpResponse:
    """Say that the name is in a registered namespace, but that nothing is known to lead to it."""
    if prefers_page(request):
        page = render_choices(request, urn, known, wanted, TargetChoice(wanted.service))
        page.status_code = HTTPStatus.NOT_FOUND
        return page
    objection = resolution.find_rule_objection(known, urn)
    why = (
        _("The services of “%(nid)s” that are known here do not take this name.")
        if known.offers or known.has_table
        else _("No resolution service of “%(nid)s” is known here.")
    )
    return explain_refusal(
        "not-resolvable",
        HTTPStatus.NOT_FOUND,
        _("Registered, and not resolvable here"),
        why % {"nid": known.nid},
        urn=urn.text,
        nid=known.nid,
        namespace=build_namespace_url(known.nid),
        service=wanted.service or "I2L",
        explained_at=list(list_explanations(known)),
        **({"finding": objection.message} if objection else {}),
    )


def respond_with_choices(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    wanted: ResolutionQuery,
    choice: TargetChoice,
) -> HttpResponse:
    """Return all addresses: a page, a list of URIs, JSON or links; 300 if only one was wanted."""
    kind = negotiate(request, (URI_LIST, JSON, LINKSET, HTML)) or URI_LIST
    if kind == HTML:
        response = render_choices(request, urn, known, wanted, choice)
    elif kind == LINKSET:
        response = JsonResponse(make_choice_linkset(urn, choice), content_type=LINKSET)
    elif kind == JSON:
        objection = resolution.find_rule_objection(known, urn)
        response = JsonResponse(serialize_choice(urn, known.namespace, choice, objection))
    else:
        objection = resolution.find_rule_objection(known, urn)
        about = f"{urn.text}: {objection.message}" if objection else urn.text
        response = respond_with_uri_list((each.address for each in choice.targets), about=about)
    if not choice.is_for_several and choice.best is None:
        response.status_code = HTTPStatus.MULTIPLE_CHOICES
    return response


def show_choices_only(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    wanted: ResolutionQuery,
    choice: TargetChoice,
) -> HttpResponse:
    """Show where a name that breaks its rule would lead, without redirecting."""
    response = respond_with_choices(request, urn, known, wanted, choice)
    response.status_code = HTTPStatus.MULTIPLE_CHOICES
    return response


def render_choices(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    wanted: ResolutionQuery,
    choice: TargetChoice,
) -> HttpResponse:
    namespace = selectors.namespaces_for_lists().get(pk=known.key)
    (found,) = pair_targets_with_services(choice)
    context = {
        "urn": urn,
        "namespace": namespace,
        "ways": found,
        "choice": choice,
        "wanted": wanted,
        "has_services": bool(known.offers or known.has_table),
        "objection": resolution.find_rule_objection(known, urn),
        "explained_at": list_explanations(known) if not found else (),
        **RESOLVE_CONTEXT,
    }
    return render(request, "resolve/choices.html", context)


P = ParamSpec("P")
URIQueryView = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
MEDIA_TYPES_PAGE_FIRST: Final = (HTML, PROBLEM_MEDIA_TYPE, JSON)


def read_uris(request: HttpRequest, *names: str, others: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the URIs in the query, by parameter; raise `QueryStringError`."""
    query = request.META.get("QUERY_STRING", "")
    return read_query(query, frozenset(names), frozenset(others))


def answer_query_errors(*, is_page: bool) -> Callable[[URIQueryView[P]], URIQueryView[P]]:
    """Handle `QueryStringError`: people are asked what they mean, programs are refused.

    A client without an Accept header gets a page if there is one (`is_page`), and counts as a
    program where names are resolved.
    """

    def decorate(view: URIQueryView[P]) -> URIQueryView[P]:
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            try:
                return view(request, *args, **kwargs)
            except QueryStringError as error:
                return refuse_query(request, error, is_page=is_page)

        return answered

    return decorate


def refuse_query(request: HttpRequest, error: QueryStringError, *, is_page: bool) -> HttpResponse:
    """Return the question about a query, as a page or as problem details."""
    if is_page:
        wants_page = negotiate(request, MEDIA_TYPES_PAGE_FIRST) == HTML
    else:
        wants_page = prefers_page(request)
    if wants_page:
        context = {"error": error, "path": request.path, **RESOLVE_CONTEXT}
        response = render(
            request, "inspect/unclear_query.html", context, status=HTTPStatus.BAD_REQUEST
        )
    else:
        members = {"position": error.position} if isinstance(error, NotUTF8) else {}
        response = explain_refusal(
            "malformed",
            HTTPStatus.BAD_REQUEST,
            _("The address does not say one name"),
            str(error),
            parameter=error.parameter,
            readings=[reading.text for reading in error.readings],
            **members,
        )
    patch_vary_headers(response, ["Accept"])
    return response


# The URN follows `/resolve/` verbatim, or is encoded once in `?urn=`.

RESOLVE_MOUNT: Final = "/resolve/"
ENCODED_URN_PATTERN: Final = re.compile(r"(?:web(?:\+|%2B))?urn%3A", re.IGNORECASE)
COMPONENT_MARKS: Final = ("+", "=")
"""How a query that belongs to the URN begins: `?+` and `?=` (RFC 8141, section 2.3)."""


@require_reading
def resolve_query(request: HttpRequest) -> HttpResponseBase:
    """Resolve the URN in the query; without a query, ask for one."""
    if request.META.get("QUERY_STRING"):
        return resolve_urn_parameter(request)
    return ask_for_urn(request)


@open_to_all_sites
@vary_on_headers("Accept", "Accept-Language")
@answer_query_errors(is_page=False)
def resolve_urn_parameter(request: HttpRequest) -> HttpResponse:
    text = read_uris(request, "urn", others=tuple(DIRECTIVE_KEYWORDS)).get("urn", "").strip()
    if not text:
        return ask_for_urn(request)
    return answer_resolution(
        request, text, read_directives_beside(request.META.get("QUERY_STRING", ""))
    )


def ask_for_urn(request: HttpRequest) -> HttpResponse:
    context = {"variables": VARIABLE_DESCRIPTIONS, **RESOLVE_CONTEXT}
    return render(request, "resolve/index.html", context)


def read_directives_beside(query: str) -> str:
    """Return the directives of draft -03 next to `urn=`, as they were sent."""
    beside = [each.octets for each in split_query(query) if each.name != "urn"]
    return decode_octets(b"&".join(beside))


@require_reading
@open_to_all_sites
@vary_on_headers("Accept", "Accept-Language")
@answer_query_errors(is_page=False)
def resolve_path(request: HttpRequest) -> HttpResponse:
    """Resolve the URN in the path, as it was sent."""
    try:
        text, directives = join_raw_target(read_raw_target(request, RESOLVE_MOUNT))
    except TargetUnknown:
        return refuse_unknown_target()
    return answer_resolution(request, text, directives)


def join_raw_target(target: RawTarget) -> tuple[str, str]:
    """Return the URN, and the directives of draft -03 after it.

    A query that begins with `+` or `=` is part of the URN, whatever it contains. A text that begins
    with `urn%3A` is not a URN but one encoded as a whole, as scripts encode parts of an address,
    and is decoded once. Raises `NotUTF8` if that gives no text.
    """
    if ENCODED_URN_PATTERN.match(target.rest):
        whole = decode_octets(unquote_to_bytes(f"{target.rest}{target.tail}"))
        return whole, target.query or ""
    if target.query is not None and target.query.startswith(COMPONENT_MARKS):
        return f"{target.rest}?{target.query}{target.tail}", ""
    return f"{target.rest}{target.tail}", target.query or ""


def answer_resolution(request: HttpRequest, text: str, directives: str) -> HttpResponse:
    def where(urn: URN, known: ResolvableNamespace) -> HttpResponse:
        wanted = parse_resolution_query(
            directives,
            accept=get_accept_header(request),
            languages=request.headers.get("Accept-Language", ""),
        )
        return redirect_to_service(request, urn, known, wanted)

    return answer_about_name(request, text, where)


LISTS_OF_CHOICES: Final = frozenset({URI_LIST, LINKSET})
"""Clients that prefer one of these get all addresses instead of a redirect."""


def redirect_to_service(
    request: HttpRequest, urn: URN, known: ResolvableNamespace, wanted: ResolutionQuery
) -> HttpResponse:
    """Return a redirect to where a name of a registered namespace leads."""
    choice = resolution.choose_targets(known, urn, wanted)
    if not choice.targets:
        return show_unresolved_urn(request, urn, known, wanted)
    best = choice.best
    asks_for_list = choose_media_type(wanted.accept, (HTML, URI_LIST, LINKSET)) in LISTS_OF_CHOICES
    if resolution.find_rule_objection(known, urn):
        return show_choices_only(request, urn, known, wanted, choice)
    if best is None or choice.is_for_several or asks_for_list or not best.is_address:
        return respond_with_choices(request, urn, known, wanted, choice)
    return redirect_to_best(urn, known, wanted, choice)


def refuse_unknown_target() -> HttpResponse:
    """Say that this server cannot distinguish names that differ only in encoding."""
    return explain_refusal(
        "not-handed-over",
        HTTPStatus.NOT_IMPLEMENTED,
        _("The address was not handed over as it was sent"),
        _(
            "The web server in between hands on a decoded address, in which “%2C” and “,” are"
            " the same. In a URN they are not. Ask with ?urn= and the URN encoded once."
        ),
    )
