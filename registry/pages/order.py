"""The orders in which the experts' queue can be read."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from registry.choices import State
from registry.models import Assignment, Round
from registry.models.request import RequestQuerySet

TURNS: Final = (
    Q(state=State.IN_REVIEW, has_approved=False),
    Q(state=State.IN_REVIEW),
    Q(state=State.ADVISORY),
    Q(state=State.APPROVED),
    Q(state__in=[State.REPORTED, State.APPEALED]),
    Q(state__in=[State.CHANGES_REQUESTED, State.DECLINED, State.DRAFT]),
)
"""Whose turn comes first: the reader's, other experts', the body's, and so on down the course."""


def in_order(requests: RequestQuerySet, sort: str | None) -> RequestQuerySet:
    """Return them by whose turn it is and age, or by what `sort` says.

    By turn wants requests from `workload.for_queue`.
    """
    first = Round.objects.filter(registration_request=OuterRef("pk")).sent().order_by("number")
    sent = requests.annotate(first_sent_at=Subquery(first.values("submitted_at")[:1]))
    if sort == "oldest":
        return sent.order_by(F("first_sent_at"), "pk")
    if sort == "latest":
        return sent.order_by("-state_since", "-pk")
    if sort == "due":
        return sent.order_by(due().asc(nulls_last=True), F("first_sent_at"), "pk")
    return sent.order_by(turn(), F("first_sent_at"), "pk")


def turn() -> Case:
    """Return the place of a request by whose turn it is; where the reader has a stake, last."""
    mine_to_leave = When(~Q(stake=""), then=len(TURNS) + 1)
    turns = [When(each, then=place) for place, each in enumerate(TURNS)]
    return Case(mine_to_leave, *turns, default=len(TURNS), output_field=IntegerField())


def due() -> Case:
    """Return the moment by which the registry promised to act, as SQL can tell it.

    Working days are counted as days: for the order alone, nobody reads it.
    """
    taken = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    return Case(
        When(extended_to__isnull=False, then=Cast("extended_to", DateTimeField())),
        When(
            Q(~Exists(taken), state=State.IN_REVIEW),
            then=after(settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS),
        ),
        When(state=State.IN_REVIEW, then=after(settings.REGISTRY_DECISION_DAYS)),
        When(state=State.APPROVED, then=after(settings.REGISTRY_PUBLISH_DAYS)),
        When(
            state__in=[State.REPORTED, State.APPEALED],
            then=after(settings.REGISTRY_DIRECTION_DAYS),
        ),
        default=None,
    )


def after(days: int) -> Combinable:
    """Return the moment so many days after a request came into its state."""
    later = F("state_since") + datetime.timedelta(days)
    return ExpressionWrapper(later, output_field=DateTimeField())
