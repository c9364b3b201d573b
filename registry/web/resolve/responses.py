"""What `/resolve/` and `/uri-res/` answer alike: a redirect, a list, or why there is none.

An answer is for a person where the client would rather have HTML than what programs read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import (
    inspection,
    resolution,
    selectors,
)
from registry.http.links import Link, add_links
from registry.http.negotiation import HTML, JSON, URI_LIST, negotiate
from registry.http.problems import PROBLEM_MEDIA_TYPE, respond_with_problem
from registry.presenters.resolution import (
    build_namespace_url,
    pair_targets_with_services,
    serialize_choice,
)
from registry.resolution import (
    ResolutionQuery,
    ResolvableNamespace,
    TargetChoice,
)
from registry.urn import URN, URNSyntaxError, nid as nids, parse

RESOLVE_CONTEXT: Final = {"nav_current": "inspect"}


def prefers_page(request: HttpRequest) -> bool:
    """Whether the client would rather have a page than a text for programs."""
    return negotiate(request, (PROBLEM_MEDIA_TYPE, JSON, URI_LIST, HTML)) == HTML


def find_known_namespace(request: HttpRequest, urn: URN) -> ResolvableNamespace | None:
    """Return what is known of the namespace of a name, none where it is not registered.

    The version of the registry was asked for already where the answer may be kept
    (`registry.http`).
    """
    version: int | None = vars(request).get("registry_version")
    return resolution.find_resolvable_namespace(nids.canonical(urn.nid), version)


def answer_about_name(
    request: HttpRequest, text: str, answer: Callable[[URN, ResolvableNamespace], HttpResponse]
) -> HttpResponse:
    """Return the answer about a text as a name of a registered namespace, or why there is none."""
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


def link_namespace(known: ResolvableNamespace) -> list[Link]:
    """Return the link to what is known of the namespace of a name."""
    page = build_namespace_url(known.nid)
    links = [Link(page, "describedby")]
    if not known.is_in_force:
        # RFC 9745, section 3: where one reads why it should not be used any more.
        links.append(Link(page, "deprecation", title=known.status))
    return links


def redirect_to_locator(address: str) -> HttpResponse:
    """Lead to an address of the web, in ASCII (`WEB_ADDRESS_PATTERN`).

    It is sent as it was made: nothing writes it anew.
    """
    return HttpResponse(
        f"{address}\r\n",
        status=HTTPStatus.SEE_OTHER,
        content_type=URI_LIST,
        headers={"Location": address},
    )


def respond_with_uri_list(urls: Iterable[str], about: str = "") -> HttpResponse:
    """Return addresses one on each line, after what they are about (RFC 2483, section 5)."""
    lines = [f"# {about}"] if about else []
    return HttpResponse("".join(f"{line}\r\n" for line in [*lines, *urls]), content_type=URI_LIST)


def explain_refusal(
    kind: str, status: HTTPStatus, title: str | Promise, detail: str, **members: Any
) -> HttpResponse:
    """Return problem details; each kind has its words on the page of `/resolve/`."""
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
            context["specifications"] = inspection.read_by_specifications(text)
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
    """Say that nobody has registered the NID, and which ones are like it."""
    nid = nids.canonical(urn.nid)
    near = selectors.find_similar_nids(nid)
    detail = _("Nobody has registered “%(nid)s”, so its names lead nowhere.") % {"nid": nid}
    if prefers_page(request):
        context = {
            "urn": urn,
            "nid": nid,
            "near": near,
            "requests": selectors.requests_asking_for(nid),
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
    )


def show_unresolved_urn(
    request: HttpRequest, urn: URN, known: ResolvableNamespace, wanted: ResolutionQuery
) -> HttpResponse:
    """Say that the name is one of a registered namespace, and that nothing is known to lead on."""
    if prefers_page(request):
        return render_choices(request, urn, known, wanted, TargetChoice(wanted.service))
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
    )


def respond_with_choices(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    wanted: ResolutionQuery,
    choice: TargetChoice,
) -> HttpResponse:
    """Return all addresses: a page, a list of URIs or JSON; 300 where one was asked for."""
    kind = negotiate(request, (URI_LIST, JSON, HTML)) or URI_LIST
    if kind == HTML:
        response = render_choices(request, urn, known, wanted, choice)
    elif kind == JSON:
        response = JsonResponse(serialize_choice(urn, known.namespace, choice))
    else:
        response = respond_with_uri_list((each.address for each in choice.targets), about=urn.text)
    if not choice.is_for_several and choice.best is None:
        response.status_code = HTTPStatus.MULTIPLE_CHOICES
    return response


def render_choices(
    request: HttpRequest,
    urn: URN,
    known: ResolvableNamespace,
    wanted: ResolutionQuery,
    choice: TargetChoice,
) -> HttpResponse:
    """Draw the page of what a name leads to."""
    namespace = selectors.namespaces_for_lists().get(pk=known.key)
    (found,) = pair_targets_with_services(choice)
    context = {
        "urn": urn,
        "namespace": namespace,
        "ways": found,
        "choice": choice,
        "wanted": wanted,
        "has_services": bool(known.offers or known.has_table),
        **RESOLVE_CONTEXT,
    }
    return render(request, "resolve/choices.html", context)
