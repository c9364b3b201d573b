"""How often a person's programs may write: counted in the database, for all processes together."""

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


class WritingThrottle(UserRateThrottle):
    """Lets a person write so often in a span of time; reading is free."""

    scope = "writing"
    duration: float
    num_requests: int
    key: str

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for what is asked."""
        if request.method in SAFE_METHODS or not isinstance(request.user, User):
            return True
        self.key = f"{self.scope}:{request.user.pk}"
        span = datetime.timedelta(seconds=self.duration)
        return rate_limits.consume(self.key, self.num_requests, span) is not None

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

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for one more."""
        self.left = rate_limits.count_checked_list(request.META)
        return self.left is None

    def wait(self) -> float | None:
        """Return after how many seconds there is room again."""
        return self.left
