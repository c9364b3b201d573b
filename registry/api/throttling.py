"""How often a person's programs may write: counted in the database, for all processes together."""

from __future__ import annotations

import datetime

from django.conf import settings
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, UserRateThrottle
from rest_framework.views import APIView

from registry import rate_limits
from registry.models import User
from registry.rate_limits import find_client_network


def describe_limit(name: str, key: str, limit: int, span: datetime.timedelta) -> dict[str, str]:
    """Return the header fields that say how much is left (draft-ietf-httpapi-ratelimit-headers)."""
    state = rate_limits.read_limit(key, limit, span)
    return {
        "RateLimit-Policy": f'"{name}";q={limit};w={int(span.total_seconds())}',
        "RateLimit": f'"{name}";r={state.left};t={state.seconds}',
    }


class WritingThrottle(UserRateThrottle):
    """Lets a person write so often in a span of time; reading is free."""

    scope = "writing"
    duration: float
    num_requests: int
    key: str = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for what is asked."""
        if request.method in SAFE_METHODS or not isinstance(request.user, User):
            return True
        self.key = f"{self.scope}:{request.user.pk}"
        return rate_limits.consume(self.key, self.num_requests, self.span) is not None

    @property
    def span(self) -> datetime.timedelta:
        """In which time so many are counted."""
        return datetime.timedelta(seconds=self.duration)

    def describe(self) -> dict[str, str]:
        """Return the header fields about what is left, none where nothing was counted."""
        if not self.key:
            return {}
        return describe_limit(self.scope, self.key, self.num_requests, self.span)

    def get_ident(self, request: Request) -> str:
        """Return what somebody without an account is counted by."""
        return find_client_network(request.META)

    def wait(self) -> float:
        """Return after how many seconds there is room again."""
        ends = rate_limits.find_limit_expiry(self.key)
        left = (ends - timezone.now()).total_seconds() if ends else 0.0
        return min(max(left, 1.0), self.duration)


class CheckThrottle(BaseThrottle):
    """Lets an address have so many lists of names checked in a span of time."""

    left: int | None = None
    key: str = ""

    def describe(self) -> dict[str, str]:
        """Return the header fields about what is left, none where nothing was counted."""
        if not self.key:
            return {}
        limit = settings.REGISTRY_CHECKS_PER_MINUTE
        return describe_limit("lists", self.key, limit, rate_limits.CHECK_SPAN)

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for one more."""
        self.key = rate_limits.make_check_key(request.META)
        self.left = rate_limits.count_checked_list(request.META)
        return self.left is None

    def wait(self) -> float | None:
        """Return after how many seconds there is room again."""
        return self.left
