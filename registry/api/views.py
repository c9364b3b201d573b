"""The base of all API views: authentication, preconditions, idempotency, refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import resolve
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from registry import selectors
from registry.api import idempotency
from registry.api.deprecations import add_deprecation_headers, find_deprecation
from registry.api.etags import apply_if_none_match
from registry.api.parsers_and_renderers import (
    BodyTooLarge,
    BoundedJSONParser,
    PlainJSONRenderer,
)
from registry.api.problems import make_problem_response
from registry.api.throttling import CheckThrottle, WritingThrottle
from registry.http.cors import allow_cross_origin
from registry.models import RegistrationRequest, User


class RegistryJSONParser(BoundedJSONParser):
    """JSON up to a size limit; a longer text can be written field by field."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except BodyTooLarge:
            raise BodyTooLarge(_("The body has more than 2 MiB. Write it in parts.")) from None


class RegistryAPIView(APIView):
    """An address of the API. What is public needs no account and can be read from any site.

    `answers_once` says whether writing supports `Idempotency-Key`, and `path_parameters` describe
    the parts of the address.
    """

    parser_classes = [RegistryJSONParser]
    renderer_classes = [PlainJSONRenderer]
    throttle_classes = [WritingThrottle]
    answers_once = True
    path_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    throttles: Sequence[BaseThrottle] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Wrap the handler so that a request sent twice is done once.

        A browser's preflight request names no user and gets the same answer everywhere: permissions
        are checked when the script reads or writes.
        """
        refuse_plain_http(request)
        if request.method == "OPTIONS":
            return
        if request.method not in self.allowed_methods:
            # No token helps with a method that the address does not support.
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        if request.method not in SAFE_METHODS and self.answers_once and hasattr(self, name):
            setattr(self, name, partial(idempotency.handle_idempotently, getattr(self, name)))

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Return the methods supported here, as browsers ask before scripts write."""
        return Response(status=204)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the throttles, kept so that the response can say what is left."""
        self.throttles = super().get_throttles()
        return self.throttles

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Return the handler that turns exceptions into problem details."""
        return make_problem_response

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, or 304 if nothing has changed; readable by scripts of any site."""
        for throttle in self.throttles:
            for name, value in cast("WritingThrottle | CheckThrottle", throttle).describe().items():
                response.headers[name] = value
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        if deprecated := find_deprecation(self, str(request.method)):
            add_deprecation_headers(final, deprecated)
        return allow_cross_origin(
            request,
            apply_if_none_match(request, final),
            self.allowed_methods,
            hears=bool(self.authentication_classes),
        )


def refuse_plain_http(request: Request) -> None:
    """Raise `PermissionDenied` for a request without TLS where TLS is on (ASVS 5.0, 4.1.2).

    After a redirect the client would send its next request in the clear again, and nobody would
    notice.
    """
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise PermissionDenied(
            _(
                "Ask at %(site)s/, over TLS. Others could read what you sent: if it contained a "
                "token, revoke it."
            )
            % {"site": settings.SITE}
        )


def require_person(request: Request) -> User:
    """Return the caller; only people with an account can write."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def get_site_url(request: Request) -> str:
    """Return the registry's address, without a trailing slash."""
    return request.build_absolute_uri("/").rstrip("/")


def get_serializer_context(request: Request) -> dict[str, Any]:
    """Return the serializer context: the registry's address, and the reader."""
    return {"site": get_site_url(request), "reader": request.user}


def get_request_or_404(request: Request, reference: str) -> RegistrationRequest:
    """Return the request with that reference, whatever its case, if the caller may see it."""
    visible = selectors.requests_visible_to(request.user).select_related(
        "organization", "namespace", "author"
    )
    found = visible.filter(reference=reference.upper()).first()
    if found is None:
        raise Http404(_("There is no request with that reference, or you may not see it."))
    return found


def validate_input(of: type[Any], request: Request) -> dict[str, Any]:
    """Return the program's input; raise `ValidationError` if it is invalid."""
    said = of(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


@extend_schema(exclude=True)
class NothingView(RegistryAPIView):
    """Every address below the API's where there is nothing, for everyone."""

    authentication_classes: list[type[BaseAuthentication]] = []
    permission_classes = [AllowAny]

    def get(self, request: Request) -> HttpResponseBase:
        """Redirect if only the trailing slash is missing; otherwise answer 404."""
        path = request.path_info
        if path.endswith("/") or resolve(f"{path}/").url_name == "nothing":
            raise make_nothing_here_error()
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))

    def post(self, request: Request) -> Response:
        """Answer 404."""
        raise make_nothing_here_error()

    put = patch = delete = post


def make_nothing_here_error() -> Http404:
    """Return the error for all other addresses."""
    return Http404(_("There is nothing at this address. /api/schema/ describes what there is."))


class SchemaView(SpectacularJSONAPIView):
    """The OpenAPI description, readable like the API by scripts of any site."""

    authentication_classes: list[type[BaseAuthentication]] = []

    def _get_version_parameter(self, request: Request) -> None:
        """Ignore `version` in the query: there is only one, and the library would add a header."""

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Return the methods supported here, as browsers ask before scripts read."""
        return Response(status=204)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, readable by scripts of any site."""
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        return allow_cross_origin(request, final, self.allowed_methods, hears=False)
