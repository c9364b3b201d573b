"""The content security policy, which is one for all answers."""

from __future__ import annotations

from collections.abc import Callable

from csp.utils import build_policy
from django.http import HttpRequest, HttpResponseBase


class SecurityPolicy:
    """Says the policy of the settings.

    The middleware of django-csp writes it anew for each answer, its directives in any order.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(sorted(build_policy().split("; ")))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered, and say the policy beside the answer."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        return response
