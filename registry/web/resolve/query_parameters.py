"""URIs in the query of an address, and what is answered where it does not say a single one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, Final, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from registry.http.negotiation import HTML, JSON, negotiate
from registry.http.problems import PROBLEM_MEDIA_TYPE
from registry.query_string import NotUTF8, QueryStringError, read_query
from registry.web.resolve import responses

P = ParamSpec("P")
URIQueryView = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
MEDIA_TYPES_PAGE_FIRST: Final = (HTML, PROBLEM_MEDIA_TYPE, JSON)


def read_uris(request: HttpRequest, *names: str, others: tuple[str, ...] = ()) -> dict[str, str]:
    """Return what the query says under the names of URIs; raise `QueryStringError`."""
    query = request.META.get("QUERY_STRING", "")
    return read_query(query, frozenset(names), frozenset(others))


def answer_query_errors(*, is_page: bool) -> Callable[[URIQueryView[P]], URIQueryView[P]]:
    """Have `QueryStringError` answered: people are asked what they mean, programs are refused.

    Who does not say what they accept is shown a page where there is one (`is_page`), and is a
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
        wants_page = responses.prefers_page(request)
    if wants_page:
        context = {"error": error, "path": request.path, **responses.RESOLVE_CONTEXT}
        response = render(
            request, "inspect/unclear_query.html", context, status=HTTPStatus.BAD_REQUEST
        )
    else:
        members = {"position": error.position} if isinstance(error, NotUTF8) else {}
        response = responses.explain_refusal(
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
