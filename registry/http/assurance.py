"""How recently and how strongly the person of a session proved who they are."""

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
    """Lets actions ask how well the person is known; goes after `AccountMiddleware`.

    If they require more, the person confirms who they are, and the submitted form continues from
    there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request; the session is read only when an action asks."""
        with acting_with(lambda: read_session_assurance(request)):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Redirect people who have to confirm who they are to the page for it."""
        if not isinstance(error, ConfirmationNeeded):
            return None
        methods = get_adapter(request).get_reauthentication_methods(request.user)
        return suspend_request(request, methods[0]["url"])


def read_session_assurance(request: HttpRequest) -> Assurance:
    """Return when the person of a session proved what."""
    person = getattr(request, "user", None)
    if not isinstance(person, User):
        return NOBODY
    records = get_authentication_records(request, person)
    shown = [(record.get("method") == FACTOR_METHOD, float(record["at"])) for record in records]
    return Assurance(
        word_at=max((at for is_factor, at in shown if not is_factor), default=0.0),
        factor_at=max((at for is_factor, at in shown if is_factor), default=0.0),
    )
