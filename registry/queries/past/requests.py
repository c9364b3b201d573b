"""Which requests were public then, and in which state each was."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Max, Min, OuterRef, Q, QuerySet, Subquery

from registry.models import Event, RegistrationRequest, Round
from registry.queries.past.moments import Moment


def requests_then(moment: Moment) -> QuerySet[Any]:
    """Return the requests that were public, each with what it was.

    `state_then` and `since_then` are the state and since when, `nid_then` the NID of the round
    that was the last, `rounds_then` their number.
    """
    sent = Q(rounds__submitted_at__lt=moment.at)
    moved = of_request(moment).exclude(target="").exclude(target=F("source")).order_by("-number")
    round_then = Round.objects.filter(
        registration_request=OuterRef("pk"), submitted_at__lt=moment.at
    ).order_by("-number")
    known = RegistrationRequest.objects.select_related("organization", "namespace", "author")
    return known.filter(pk__in=public(moment)).annotate(
        state_then=Subquery(moved.values("target")[:1]),
        since_then=Subquery(moved.values("at")[:1]),
        nid_then=Subquery(round_then.values("nid")[:1]),
        rounds_then=Max("rounds__number", filter=sent),
    )


def public(moment: Moment) -> QuerySet[Any, Any]:
    """Return the keys of the requests whose first round had been sent."""
    first = Round.objects.sent().values("registration_request").annotate(at=Min("submitted_at"))
    return first.filter(at__lt=moment.at).values("registration_request")


def of_request(moment: Moment) -> QuerySet[Event]:
    """Return the lines on a request until then."""
    return Event.objects.filter(registration_request=OuterRef("pk"), at__lt=moment.at)


def path_then(registration_request: RegistrationRequest, moment: Moment) -> tuple[str, bool]:
    """Return the path of a request as it was, and whether a standard was to come of it."""
    later = registration_request.events.filter(verb="reroute", at__gte=moment.at)
    change = later.order_by("number").first()
    if change is None:
        return registration_request.path, registration_request.standards_action
    return change.data["path_before"], change.data["standards_action_before"]
