"""How often a person's programs may write: counted in the database, shared by all processes."""

from __future__ import annotations

import datetime

from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, UserRateThrottle
from rest_framework.views import APIView

from registry import rate_limits
from registry.models import User
from registry.rate_limits import find_client_network


def describe_limit(name: str, key: str, limit: int, span: datetime.timedelta) -> dict[str, str]:
    """Return the headers for what is left of a limit (draft-ietf-httpapi-ratelimit-headers)."""
    state = rate_limits.read_limit(key, limit, span)
    return {
        "RateLimit-Policy": f'"{name}";q={limit};w={int(span.total_seconds())}',
        "RateLimit": f'"{name}";r={state.left};t={state.seconds}',
    }


class WritingThrottle(UserRateThrottle):
    """Limits a person's writes per period; reading is free."""

    scope = "writing"
    duration: float
    num_requests: int
    key: str = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether the request is within the limit."""
        if request.method in SAFE_METHODS or not isinstance(request.user, User):
            return True
        self.key = f"{self.scope}:{request.user.pk}"
        return rate_limits.consume(self.key, self.num_requests, self.span) is not None

    @property
    def span(self) -> datetime.timedelta:
        """The period the limit applies to."""
        return datetime.timedelta(seconds=self.duration)

    def describe(self) -> dict[str, str]:
        """Return the header fields for what is left, or none if nothing was counted."""
        if not self.key:
            return {}
        return describe_limit(self.scope, self.key, self.num_requests, self.span)

    def get_ident(self, request: Request) -> str:
        """Return what anonymous clients are counted by."""
        return find_client_network(request.META)

    def wait(self) -> float:
        """Return in how many seconds the next request is allowed."""
        ends = rate_limits.find_limit_expiry(self.key)
        left = (ends - timezone.now()).total_seconds() if ends else 0.0
        return min(max(left, 1.0), self.duration)


class CheckThrottle(BaseThrottle):
    """Limits the processor time that an address may have lists of names checked for per period."""

    left: int | None = None
    key: str = ""

    def describe(self) -> dict[str, str]:
        """Return the header fields for what is left, or none if nothing was counted."""
        if not self.key:
            return {}
        limit = rate_limits.compute_check_limit()
        return describe_limit("processor-ms", self.key, limit, rate_limits.CHECK_SPAN)

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.key = rate_limits.make_check_key(request.META)
        self.left = rate_limits.begin_check(request.META)
        return self.left is None

    def wait(self) -> float | None:
        """Return in how many seconds the next list is allowed."""
        return self.left
