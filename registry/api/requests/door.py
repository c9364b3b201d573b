"""What all addresses of the process have in common: who asks, what they saw, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.conf import settings
from django.http import Http404, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from registry import queries, workflow
from registry.api.requests.problems import InTheWay, NotAsSeen, SaysNotWhatItSaw, problem
from registry.api.urn.media import BoundedJSONParser, PlainJSONRenderer, TooMuch
from registry.models import RegistrationRequest, User


class WritingThrottle(UserRateThrottle):
    """Lets a person write so often a minute; reading is free."""

    scope = "writing"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for what is asked."""
        return request.method in SAFE_METHODS or super().allow_request(request, view)


class TextParser(BoundedJSONParser):
    """JSON that is not too long; a text that is can be written field by field."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the body says."""
        try:
            return super().parse(*args, **kwargs)
        except TooMuch:
            raise TooMuch(_("The body has more than 2 MiB. Write it in parts.")) from None


class Door(APIView):
    """An address of the process. What is public is read without account, from every site."""

    parser_classes = [TextParser]
    renderer_classes = [PlainJSONRenderer]
    throttle_classes = [WritingThrottle]

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Return what makes problem details of exceptions."""
        return problem

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response; scripts of other sites read it where nobody is signed in."""
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        patch_vary_headers(final, ["Authorization", "Cookie"])
        if request.method in SAFE_METHODS and not shows_who_asks(request):
            final["Access-Control-Allow-Origin"] = "*"
            final["Access-Control-Expose-Headers"] = "ETag"
        return final


def shows_who_asks(request: Request) -> bool:
    """Whether a token or a session came along, a good one or not."""
    return "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES


def person(request: Request) -> User:
    """Return who asks; only people with an account write."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def find(request: Request, reference: str) -> RegistrationRequest:
    """Return the request of that reference, in any case, if whoever asks may know of it."""
    visible = queries.visible_to(request.user).select_related("organization", "namespace", "author")
    found = visible.filter(reference=reference.upper()).first()
    if found is None:
        raise Http404(_("There is no request with that reference, or you may not see it."))
    return found


def refuse_unseen(request: Request, current: int) -> None:
    """Refuse whoever does not say that they saw `current`, a revision or an edition.

    `If-Match: *` would match whatever there is, which is to have seen nothing.
    """
    said = parse_etags(request.headers.get("If-Match", ""))
    if said in ([], ["*"]):
        raise SaysNotWhatItSaw
    if etag(current) not in said:
        raise NotAsSeen(_("Somebody has acted since you looked. Look again, then decide."))


def etag(number: int) -> str:
    """Return the entity tag of a revision or an edition."""
    return f'"{number}"'


@contextmanager
def refusals_told() -> Iterator[None]:
    """Have refusals of the workflow answered by their status, in their own words."""
    try:
        yield
    except workflow.Superseded as refusal:
        raise NotAsSeen(str(refusal)) from refusal
    except workflow.Refused as refusal:
        raise InTheWay(str(refusal)) from refusal
