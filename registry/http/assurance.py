"""How surely a session knows its person, and the way to show it once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import suspend_request
from django.http import HttpRequest, HttpResponseBase

from registry.assurance import NOBODY, Assurance, ConfirmationNeeded, acting_with
from registry.models import User

FACTOR_METHOD: Final = "mfa"


class AssuranceMiddleware:
    """Lets acts ask how surely it is known who acts; stands after `AccountMiddleware`.

    Where they ask for more, the person confirms who they are, and what was sent goes on from there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request; its session is looked at when an act asks, and not before."""
        with acting_with(lambda: read_session_assurance(request)):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Lead whoever has to confirm who they are to where they can."""
        if not isinstance(error, ConfirmationNeeded):
            return None
        methods = get_adapter(request).get_reauthentication_methods(request.user)
        return suspend_request(request, methods[0]["url"])


def read_session_assurance(request: HttpRequest) -> Assurance:
    """Return when the person of a session showed what."""
    person = getattr(request, "user", None)
    if not isinstance(person, User):
        return NOBODY
    records = get_authentication_records(request, person)
    shown = [(record.get("method") == FACTOR_METHOD, float(record["at"])) for record in records]
    return Assurance(
        word_at=max((at for is_factor, at in shown if not is_factor), default=0.0),
        factor_at=max((at for is_factor, at in shown if is_factor), default=0.0),
    )
