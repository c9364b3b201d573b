"""What all addresses of the API have in common: who asks, what they saw, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from registry import queries, workflow
from registry.api import once
from registry.api.across import readable_elsewhere
from registry.api.problems import InTheWay, NotAsSeen, problem
from registry.api.seen import unless_known
from registry.api.throttle import WritingThrottle
from registry.api.urn.media import BoundedJSONParser, PlainJSONRenderer, TooMuch
from registry.models import RegistrationRequest, User


class TextParser(BoundedJSONParser):
    """JSON that is not too long; a text that is can be written field by field."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the body says."""
        try:
            return super().parse(*args, **kwargs)
        except TooMuch:
            raise TooMuch(_("The body has more than 2 MiB. Write it in parts.")) from None


class Door(APIView):
    """An address of the API. What is public is read without account, from every site.

    `answers_once` says whether an `Idempotency-Key` is heard where something is written.
    """

    parser_classes = [TextParser]
    renderer_classes = [PlainJSONRenderer]
    throttle_classes = [WritingThrottle]
    answers_once = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Have an act that a program asks for twice done once.

        A browser asks before a script writes without saying for whom, and is told the same
        wherever it asks: who that is matters when the script reads or writes.
        """
        if request.method == "OPTIONS":
            return
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        if request.method not in SAFE_METHODS and self.answers_once and hasattr(self, name):
            setattr(self, name, partial(once.answered, getattr(self, name)))

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Say what can be done here, which is what browsers ask before scripts write."""
        return Response(status=204)

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Return what makes problem details of exceptions."""
        return problem

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, or that nothing has changed; scripts of every site read it."""
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        return readable_elsewhere(
            request,
            unless_known(request, final),
            self.allowed_methods,
            hears=bool(self.authentication_classes),
        )


class OwnDoor(Door):
    """An address of the account of whoever asks: there is nothing to read without one."""

    permission_classes = [IsAuthenticated]


def person(request: Request) -> User:
    """Return who asks; only people with an account write."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def site_of(request: Request) -> str:
    """Return where the registry is read, without a slash at the end."""
    return request.build_absolute_uri("/").rstrip("/")


def find(request: Request, reference: str) -> RegistrationRequest:
    """Return the request of that reference, in any case, if whoever asks may know of it."""
    visible = queries.visible_to(request.user).select_related("organization", "namespace", "author")
    found = visible.filter(reference=reference.upper()).first()
    if found is None:
        raise Http404(_("There is no request with that reference, or you may not see it."))
    return found


def heard(of: type[Any], request: Request) -> dict[str, Any]:
    """Return what the program says; raise `ValidationError` where it makes no sense."""
    said = of(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


@contextmanager
def refusals_told() -> Iterator[None]:
    """Have refusals of the workflow answered by their status, in their own words."""
    try:
        yield
    except workflow.Superseded as refusal:
        raise NotAsSeen(str(refusal)) from refusal
    except workflow.Refused as refusal:
        raise InTheWay(str(refusal)) from refusal
