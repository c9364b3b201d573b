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
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import desk, queries, resolution
from registry.accepting import preferred
from registry.pages.resolution import as_data, page_of, ways
from registry.resolution import Choice, Known, Wanted
from registry.urn import URN, URNSyntaxError, nid as nids, parse

HTML: Final = "text/html"
URIS: Final = "text/uri-list"
JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
TEXT: Final = "text/plain"
AREA: Final = {"nav_current": "inspect"}


def accepted(request: HttpRequest) -> str:
    """Return which media types the client takes."""
    return request.headers.get("Accept", "")


def is_for_people(request: HttpRequest) -> bool:
    """Whether the client would rather have a page than a text for programs."""
    return preferred(accepted(request), (PROBLEM, JSON, URIS, HTML)) == HTML


def known_of(request: HttpRequest, urn: URN) -> Known | None:
    """Return what is known of the namespace of a name, none where it is not registered.

    The version of the registry was asked for already where the answer may be kept (`serving`).
    """
    version: int | None = vars(request).get("registry_version")
    return resolution.known(nids.canonical(urn.nid), version)


def about_name(
    request: HttpRequest, text: str, answer: Callable[[URN, Known], HttpResponse]
) -> HttpResponse:
    """Return the answer about a text as a name of a registered namespace, or why there is none.

    Every site may read it.
    """
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return open_to_all(malformed(request, text, error))
    known = known_of(request, urn)
    if known is None:
        return open_to_all(unregistered(request, urn))
    return open_to_all(answer(urn, known), known)


def see_other(address: str) -> HttpResponse:
    """Lead to an address, which is ASCII and begins with a scheme of the web (`choosing.ADDRESS`).

    It is sent as it was made: nothing writes it anew.
    """
    return HttpResponse(
        f"{address}\r\n",
        status=HTTPStatus.SEE_OTHER,
        content_type=URIS,
        headers={"Location": address},
    )


def uri_list(urls: Iterable[str], about: str = "") -> HttpResponse:
    """Return addresses one on each line, after what they are about (RFC 2483, section 5)."""
    lines = [f"# {about}"] if about else []
    return HttpResponse("".join(f"{line}\r\n" for line in [*lines, *urls]), content_type=URIS)


def problem(
    kind: str, status: HTTPStatus, title: str | Promise, detail: str, **members: Any
) -> HttpResponse:
    """Return problem details (RFC 9457); each kind has its words on the page of `/resolve/`."""
    told = {
        "type": f"{settings.SITE}{reverse('resolve:index')}#{kind}",
        "title": title,
        "status": status,
        "detail": detail,
        **members,
    }
    return JsonResponse(told, status=status, content_type=PROBLEM)


def open_to_all(response: HttpResponse, known: Known | None = None) -> HttpResponse:
    """Let any page of any site read the answer, and say what it depends on."""
    response["Access-Control-Allow-Origin"] = "*"
    patch_vary_headers(response, ["Accept", "Accept-Language"])
    if known is not None:
        page = page_of(known.nid)
        about = f'<{page}>; rel="describedby"'
        # RFC 9745, section 3: where one reads why it should not be used any more.
        told = f', <{page}>; rel="deprecation"; title="{known.status}"'
        response["Link"] = about if known.is_in_force else about + told
    return response


def malformed(request: HttpRequest, text: str, error: URNSyntaxError) -> HttpResponse:
    """Say where a text stops being a URN."""
    if is_for_people(request):
        context: dict[str, Any] = {"inspection": desk.inspect(text), "typed": text, **AREA}
        if context["inspection"].is_drawn:
            context["specifications"] = desk.specifications(text)
        return render(request, "resolve/malformed.html", context, status=HTTPStatus.BAD_REQUEST)
    return problem(
        "malformed",
        HTTPStatus.BAD_REQUEST,
        _("Not a URN"),
        str(error),
        urn=text,
        position=error.position,
        component=error.component,
        rule=error.rule,
    )


def unregistered(request: HttpRequest, urn: URN) -> HttpResponse:
    """Say that nobody has registered the NID, and which ones are like it."""
    nid = nids.canonical(urn.nid)
    near = queries.nids_near(nid)
    detail = _("Nobody has registered “%(nid)s”, so its names lead nowhere.") % {"nid": nid}
    if is_for_people(request):
        context = {"urn": urn, "nid": nid, "near": near, "requests": queries.asking_for(nid)}
        context |= AREA
        return render(request, "resolve/unregistered.html", context, status=HTTPStatus.NOT_FOUND)
    return problem(
        "not-registered",
        HTTPStatus.NOT_FOUND,
        _("Not registered"),
        detail,
        urn=urn.text,
        nid=nid,
        near=[{"nid": each.nid, "reason": each.reason} for each in near],
    )


def unresolved(request: HttpRequest, urn: URN, known: Known, wanted: Wanted) -> HttpResponse:
    """Say that the name is one of a registered namespace, and that nothing is known to lead on."""
    if is_for_people(request):
        return choices_page(request, urn, known, wanted, Choice(wanted.service))
    why = (
        _("The services of “%(nid)s” that are known here do not take this name.")
        if known.offers or known.has_table
        else _("No resolution service of “%(nid)s” is known here.")
    )
    return problem(
        "not-resolvable",
        HTTPStatus.NOT_FOUND,
        _("Registered, and not resolvable here"),
        why % {"nid": known.nid},
        urn=urn.text,
        nid=known.nid,
        namespace=page_of(known.nid),
        service=wanted.service or "I2L",
    )


def choices(
    request: HttpRequest, urn: URN, known: Known, wanted: Wanted, choice: Choice
) -> HttpResponse:
    """Return all addresses: a page, a list of URIs or JSON; 300 where one was asked for."""
    kind = preferred(accepted(request), (URIS, JSON, HTML)) or URIS
    if kind == HTML:
        response = choices_page(request, urn, known, wanted, choice)
    elif kind == JSON:
        response = JsonResponse(as_data(urn, known.namespace, choice))
    else:
        response = uri_list((each.address for each in choice.targets), about=urn.text)
    if not choice.is_for_several and choice.best is None:
        response.status_code = HTTPStatus.MULTIPLE_CHOICES
    return response


def choices_page(
    request: HttpRequest, urn: URN, known: Known, wanted: Wanted, choice: Choice
) -> HttpResponse:
    """Draw the page of what a name leads to."""
    namespace = queries.listed().get(pk=known.key)
    (found,) = ways(choice)
    context = {
        "urn": urn,
        "namespace": namespace,
        "ways": found,
        "choice": choice,
        "wanted": wanted,
        "has_services": bool(known.offers or known.has_table),
        **AREA,
    }
    return render(request, "resolve/choices.html", context)
