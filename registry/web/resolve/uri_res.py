"""Resolution over HTTP as RFC 2169 has it: `/uri-res/<service>?<uri>`, with I2C and I=I."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.vary import vary_on_headers

from registry import inspection, resolution
from registry.forms.filters import inspect_url
from registry.http.cors import open_to_all_sites
from registry.http.methods import require_reading
from registry.http.negotiation import HTML, JSON, PLAIN_TEXT, URI_LIST, get_accept_header, negotiate
from registry.http.request_target import read_raw_query
from registry.presenters.resolution import NameDescription, describe_name
from registry.resolution import ResolutionQuery, ResolvableNamespace, TargetChoice
from registry.urn import URN, URNSyntaxError, parse, uri
from registry.web.resolve import views
from registry.web.resolve.views import answer_query_errors, read_uris


def respond_with_description(
    request: HttpRequest, urn: URN, known: ResolvableNamespace
) -> HttpResponse:
    """Describe a name with what the registry knows (a URC), in the preferred format."""
    kind = negotiate(request, [*DESCRIPTION_WRITERS, HTML]) or JSON
    if kind == HTML:
        return redirect(inspect_url(urn.text))
    write, media_type = DESCRIPTION_WRITERS[kind]
    return HttpResponse(write(describe_name(urn, known)), content_type=media_type)


def write_description_text(description: NameDescription) -> str:
    lines = [f"{label}: {value}" for label, value in description.pairs()]
    return "\n".join(lines) + "\n"


def write_description_json(description: NameDescription) -> str:
    """Write a description in JSON, which is also JSON-LD."""
    return json.dumps(description.graph(), indent=2) + "\n"


def write_description_turtle(description: NameDescription) -> str:
    """Write a description in Turtle; none of its values contain characters that need escaping."""
    statements = (f"    <{prefix}> {value}" for prefix, value in description.statements())
    return f"<{description.urn.text}>\n" + " ;\n".join(statements) + " .\n"


DESCRIPTION_WRITERS: Final[Mapping[str, tuple[Callable[[NameDescription], str], str]]] = {
    JSON: (write_description_json, "application/json"),
    "application/ld+json": (write_description_json, "application/ld+json"),
    "text/turtle": (write_description_turtle, "text/turtle; charset=utf-8"),
    PLAIN_TEXT: (write_description_text, "text/plain; charset=utf-8"),
}


def answer_equality(request: HttpRequest, text: str) -> HttpResponse:
    """Say whether two URIs are the same (I=I): `a=` and `b=`, each encoded once.

    Two raw URIs could not be told apart, since a URN can contain any separator.
    """
    asked = read_uris(request, "a", "b")
    first, second = asked.get("a", ""), asked.get("b", "")
    if not (first and second):
        return views.explain_refusal(
            "malformed",
            HTTPStatus.BAD_REQUEST,
            _("Two URIs are needed"),
            _("Ask as /uri-res/I=I?a=…&b=…, with each URI encoded once."),
        )
    try:
        told = judge_equality(first, second)
    except (URNSyntaxError, uri.URISyntaxError) as error:
        return views.explain_refusal(
            "malformed", HTTPStatus.BAD_REQUEST, _("Not a URI"), str(error)
        )
    if negotiate(request, (PLAIN_TEXT, JSON)) == JSON:
        return JsonResponse(told)
    words = "true\r\n" if told["equal"] else "false\r\n"
    return HttpResponse(words, content_type=PLAIN_TEXT)


def judge_equality(first: str, second: str) -> dict[str, Any]:
    """Return whether two URIs are the same, and by which rule; raise the error of an invalid one.

    URNs are compared by RFC 8141, section 3.1 and then by what their namespace declares, all other
    URIs by RFC 3986, section 6.
    """
    for text in (first, second):
        if text[:4].lower() == "urn:":
            parse(text)
    pair = inspection.compare_texts(first, second)
    if pair.comparison is None:
        return {
            "a": first,
            "b": second,
            "equal": uri.compare_uris(first, second).is_equal,
            "rule": "RFC 3986, section 6",
        }
    declared = pair.by_namespace
    by_rule = declared if declared and pair.is_merged else None
    return {
        "a": first,
        "b": second,
        "equal": pair.comparison.is_equivalent or by_rule is not None,
        "rule": by_rule.source if by_rule else pair.comparison.rule,
    }


# The services are those of RFC 2483, with RFC 2169's names for the same. The URI is raw after the
# question mark, including question marks of its own.

URIResService = Callable[[HttpRequest, str], HttpResponse]


@require_reading
def redirect_to_service_guide(request: HttpRequest) -> HttpResponse:
    return redirect("/resolve/#uri-res")


@require_reading
@open_to_all_sites
@vary_on_headers("Accept", "Accept-Language")
@answer_query_errors(is_page=False)
def serve_uri_res(request: HttpRequest, name: str) -> HttpResponse:
    """Answer with one of the services; others are not implemented (501)."""
    if name not in URI_RES_SERVICES:
        return views.explain_refusal(
            "no-such-service",
            HTTPStatus.NOT_IMPLEMENTED,
            _("No such service"),
            _("There is no service “%(name)s”. There are %(services)s.")
            % {"name": name[:40], "services": ", ".join(URI_RES_SERVICES)},
        )
    return URI_RES_SERVICES[name](request, read_raw_query(request))


def build_name_service(
    answer: Callable[[HttpRequest, URN, ResolvableNamespace], HttpResponse],
) -> URIResService:
    """Return the service that answers about a name of a registered namespace."""

    def asked(request: HttpRequest, text: str) -> HttpResponse:
        return views.answer_about_name(request, text, partial(answer, request))

    return asked


SERVICES_THAT_FALL_BACK: Final = frozenset({"I2L", "I2Ls", "I2R", "I2Rs"})
"""These are redirected as at `/resolve/`; a description, or another name, is either there or not.
"""


def choose_target(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    service: str,
    accept: str | None = None,
) -> tuple[ResolutionQuery, TargetChoice]:
    """Return what is wanted and where it is; `accept` replaces the client's Accept header.

    If nothing leads to the thing named, its description will do: `/resolve/` redirects there too.
    """
    wanted = ResolutionQuery(
        service,
        accept=get_accept_header(request) if accept is None else accept,
        languages=request.headers.get("Accept-Language", ""),
        falls_back=service in SERVICES_THAT_FALL_BACK,
    )
    return wanted, resolution.choose_targets(known, urn, wanted)


def build_redirect_service(service: str, *, in_text: tuple[str, ...]) -> URIResService:
    """Return the service that redirects to the best address, the first of equals (RFC 2169, 3.1).

    If the client asks for one of the media types `in_text`, the address is in the body: clients
    that follow no redirects, such as the caching proxy Squid, do so.
    """

    def answer(request: HttpRequest, urn: URN, known: ResolvableNamespace) -> HttpResponse:
        says_it = negotiate(request, (HTML, *in_text)) in in_text
        # Accept then applies to the list; what the client accepts of the resource is unknown.
        wanted, choice = choose_target(request, urn, known, service, "" if says_it else None)
        if not choice.targets:
            return views.show_unresolved_urn(request, urn, known, wanted)
        best, objection = choice.targets[0], resolution.find_rule_objection(known, urn)
        if says_it or not best.is_address:
            about = f"{urn.text}: {objection.message}" if objection else ""
            return views.respond_with_uri_list([best.address], about)
        if objection:
            return views.show_choices_only(request, urn, known, wanted, choice)
        return views.redirect_to_best(urn, known, wanted, choice)

    return build_name_service(answer)


def build_list_service(service: str) -> URIResService:
    """Return the service that lists all addresses; having none is an error.

    RFC 2483 counts it among the errors of each service (section 4).
    """

    def answer(request: HttpRequest, urn: URN, known: ResolvableNamespace) -> HttpResponse:
        wanted, choice = choose_target(request, urn, known, service)
        if not choice.targets:
            return views.show_unresolved_urn(request, urn, known, wanted)
        return views.respond_with_choices(request, urn, known, wanted, choice)

    return build_name_service(answer)


def build_locator_service(
    answer: Callable[[HttpRequest, str, list[URN]], HttpResponse],
) -> URIResService:
    """Return the service that answers about the names that lead to an address."""

    def asked(request: HttpRequest, text: str) -> HttpResponse:
        if not resolution.is_web_address(text):
            return views.explain_refusal(
                "malformed",
                HTTPStatus.BAD_REQUEST,
                _("Not an address in the web"),
                _("“%(text)s” is not an address that begins with http:// or https://.")
                % {"text": text[:200]},
            )
        return answer(request, text, resolution.find_names_of_locator(text))

    return asked


def respond_with_names(request: HttpRequest, locator: str, found: list[URN]) -> HttpResponse:
    """List the names (L2Ns)."""
    return views.respond_with_uri_list(map(str, found), about=locator)


def respond_with_addresses(request: HttpRequest, locator: str, found: list[URN]) -> HttpResponse:
    """List the other addresses of what has these names (L2Ls)."""
    listed: dict[str, None] = {}
    for urn in found:
        if known := views.find_known_namespace(request, urn):
            _wanted, choice = choose_target(request, urn, known, "I2Ls")
            listed |= dict.fromkeys(each.address for each in choice.targets)
    return views.respond_with_uri_list(listed, about=locator)


def respond_with_locator_description(
    request: HttpRequest, locator: str, found: list[URN]
) -> HttpResponse:
    """Describe what is at the address by its name (L2C)."""
    known = views.find_known_namespace(request, found[0]) if found else None
    if known is None:
        return views.explain_refusal(
            "no-name",
            HTTPStatus.NOT_FOUND,
            _("No name is known"),
            _("No service is known here that leads a name to this address."),
        )
    return respond_with_description(request, found[0], known)


NAME_SERVICES: Final[Mapping[str, URIResService]] = {
    "L": build_redirect_service("I2L", in_text=(URI_LIST, PLAIN_TEXT)),
    "Ls": build_list_service("I2Ls"),
    "R": build_redirect_service("I2R", in_text=(URI_LIST,)),
    "Rs": build_list_service("I2Rs"),
    "C": build_name_service(respond_with_description),
    "Cs": build_list_service("I2Cs"),
    "N": build_redirect_service("I2N", in_text=(URI_LIST, PLAIN_TEXT)),
    "Ns": build_list_service("I2Ns"),
}
URI_RES_SERVICES: Final[Mapping[str, URIResService]] = {
    **{f"I2{kind}": service for kind, service in NAME_SERVICES.items()},
    "I=I": answer_equality,
    **{f"N2{kind}": service for kind, service in NAME_SERVICES.items()},
    "L2Ns": build_locator_service(respond_with_names),
    "L2Ls": build_locator_service(respond_with_addresses),
    "L2C": build_locator_service(respond_with_locator_description),
}
