"""A past for the samples: what the cast did is done in the order of its days, on a moved clock."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unittest import mock

from django.utils import timezone


@dataclass(frozen=True, slots=True)
class Act:
    """Something done so many days ago."""

    days_ago: float
    do: Callable[[], object]


def live_through(acts: Iterable[Act]) -> None:
    """Do all of `acts`, the longest ago first, each as if it were its day.

    The journal is written in this order, so its numbers follow its days. The clock is moved for
    this process alone: the demonstration is made before anybody is served.
    """
    now = timezone.now()
    for act in sorted(acts, key=lambda act: act.days_ago, reverse=True):
        then = now - datetime.timedelta(act.days_ago)
        with mock.patch("django.utils.timezone.now", lambda then=then: then):
            act.do()
