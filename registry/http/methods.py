"""Methods of addresses that programs and scripts of any site use, most of them for reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, Final, ParamSpec, TypeAlias

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from registry.http.cors import add_preflight_headers, allow_any_origin
from registry.http.problems import respond_with_problem

P = ParamSpec("P")
READING_METHODS: Final = ("GET", "HEAD")


OpenView: TypeAlias = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def require_reading(view: OpenView[P]) -> OpenView[P]:
    """Restrict a view to reading, as `require_safe` does, and answer preflights."""
    words = gettext_lazy("This address is for reading: ask with GET. Nothing can be sent here.")
    return require_open_methods(READING_METHODS, words)(view)


def require_open_methods(
    methods: Sequence[str], words: str | Promise
) -> Callable[[OpenView[P]], OpenView[P]]:
    """Restrict a view to `methods`, and answer preflights of any site.

    Other methods get problem details with these words and the allowed methods (RFC 9110, section
    15.5.6). Nothing is written here, so no form needs its token either: its refusal would be a
    page.
    """
    allowed = (*methods, "OPTIONS")

    def decorate(view: OpenView[P]) -> OpenView[P]:
        @csrf_exempt
        @wraps(view)
        def answered(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            if request.method in methods:
                return view(request, *args, **kwargs)
            if request.method == "OPTIONS":
                response = HttpResponse(status=HTTPStatus.NO_CONTENT)
                del response.headers["Content-Type"]
                add_preflight_headers(response, allowed)
            else:
                response = respond_with_problem(HTTPStatus.METHOD_NOT_ALLOWED, str(words))
            response.headers["Allow"] = ", ".join(allowed)
            return allow_any_origin(response)

        return answered

    return decorate
