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
    """JSON that is not too long; a text that is can be written field by field."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the body says."""
        try:
            return super().parse(*args, **kwargs)
        except BodyTooLarge:
            raise BodyTooLarge(_("The body has more than 2 MiB. Write it in parts.")) from None


class RegistryAPIView(APIView):
    """An address of the API. What is public is read without account, from every site.

    `answers_once` says whether an `Idempotency-Key` is heard where something is written, and
    `path_parameters` describe what is in the address.
    """

    parser_classes = [RegistryJSONParser]
    renderer_classes = [PlainJSONRenderer]
    throttle_classes = [WritingThrottle]
    answers_once = True
    path_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    throttles: Sequence[BaseThrottle] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Have an act that a program asks for twice done once.

        A browser asks before a script writes without saying for whom, and is told the same
        wherever it asks: who that is matters when the script reads or writes.
        """
        refuse_plain_http(request)
        if request.method == "OPTIONS":
            return
        if request.method not in self.allowed_methods:
            # No token helps with what the address does not take.
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        if request.method not in SAFE_METHODS and self.answers_once and hasattr(self, name):
            setattr(self, name, partial(idempotency.handle_idempotently, getattr(self, name)))

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Say what can be done here, which is what browsers ask before scripts write."""
        return Response(status=204)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what counts how often somebody asks, kept to say in the answer what is left."""
        self.throttles = super().get_throttles()
        return self.throttles

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Return what makes problem details of exceptions."""
        return make_problem_response

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, or that nothing has changed; scripts of every site read it."""
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
    """Raise `PermissionDenied` for whoever asks without TLS where it is there (ASVS 5.0, 4.1.2).

    A redirect would have their next request sent in the clear again, and nobody would notice.
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
    """Return who asks; only people with an account write."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def get_site_url(request: Request) -> str:
    """Return where the registry is read, without a slash at the end."""
    return request.build_absolute_uri("/").rstrip("/")


def get_serializer_context(request: Request) -> dict[str, Any]:
    """Return what serializers know: where the registry is read, and by whom."""
    return {"site": get_site_url(request), "reader": request.user}


def get_request_or_404(request: Request, reference: str) -> RegistrationRequest:
    """Return the request with that reference, in any case, if the caller may see it."""
    visible = selectors.requests_visible_to(request.user).select_related(
        "organization", "namespace", "author"
    )
    found = visible.filter(reference=reference.upper()).first()
    if found is None:
        raise Http404(_("There is no request with that reference, or you may not see it."))
    return found


def validate_input(of: type[Any], request: Request) -> dict[str, Any]:
    """Return what the program says; raise `ValidationError` where it makes no sense."""
    said = of(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


@extend_schema(exclude=True)
class NothingView(RegistryAPIView):
    """Every address below that of the API at which there is nothing, whoever asks."""

    authentication_classes: list[type[BaseAuthentication]] = []
    permission_classes = [AllowAny]

    def get(self, request: Request) -> HttpResponseBase:
        """Redirect if only the last slash is missing; otherwise answer 404."""
        path = request.path_info
        if path.endswith("/") or resolve(f"{path}/").url_name == "nothing":
            raise make_nothing_here_error()
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))

    def post(self, request: Request) -> Response:
        """Say that there is nothing."""
        raise make_nothing_here_error()

    put = patch = delete = post


def make_nothing_here_error() -> Http404:
    """Return what is said of every other address."""
    return Http404(_("There is nothing at this address. /api/schema/ describes what there is."))


class SchemaView(SpectacularJSONAPIView):
    """What there is to ask; scripts of every site read it, as they read the API."""

    authentication_classes: list[type[BaseAuthentication]] = []

    def _get_version_parameter(self, request: Request) -> None:
        """Hear no `version` in the query: there is one, and the library writes it into a header."""

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Say what can be done here, which is what browsers ask before scripts read."""
        return Response(status=204)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, open to scripts of every site."""
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        return allow_cross_origin(request, final, self.allowed_methods, hears=False)
