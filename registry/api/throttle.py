"""How often a person's programs may write: counted in the database, for all processes together."""

from __future__ import annotations

import datetime

from django.db.models import F
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from registry.models import Allowance, User


class WritingThrottle(UserRateThrottle):
    """Lets a person write so often in a span of time; reading is free."""

    scope = "writing"
    left = 0.0
    duration: float
    num_requests: int

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for what is asked."""
        if request.method in SAFE_METHODS or not isinstance(request.user, User):
            return True
        return self.spend(request.user)

    def spend(self, person: User) -> bool:
        """Take one from what `person` has in this span; each line is atomic by itself."""
        now = timezone.now()
        begun = now - datetime.timedelta(seconds=self.duration)
        own = Allowance.objects.filter(person=person)
        allowance, _made = Allowance.objects.get_or_create(
            person=person, defaults={"since": now, "spent": 0}
        )
        own.filter(since__lte=begun).update(since=now, spent=0)
        self.left = (allowance.since - begun).total_seconds()
        room = own.filter(spent__lt=self.num_requests)
        return bool(room.update(spent=F("spent") + 1))

    def wait(self) -> float:
        """Return after how many seconds there is room again."""
        return min(max(self.left, 1.0), self.duration)
