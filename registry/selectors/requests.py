"""Which requests people may see, write, review and publish."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import DateTimeField, Exists, ExpressionWrapper, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from registry import permissions
from registry.enums import (
    REVIEW_STATES,
    UNSUCCESSFUL_STATES,
    State,
)
from registry.models import (
    Assignment,
    Namespace,
    Organization,
    RegistrationRequest,
    Sighting,
    User,
)
from registry.models.request import RequestQuerySet
from registry.selectors.prepared_queries import PreparedQuery

OPEN_REQUESTS_QUERY: Final = PreparedQuery(
    lambda key: (
        RegistrationRequest.objects.live().public().filter(namespace_id=key).order_by("created_at")
    )
)


def requests_visible_to(person: User | AnonymousUser) -> RequestQuerySet:
    """Return the requests `person` may know of: the public ones, and those they write."""
    public = RegistrationRequest.objects.public()
    if not isinstance(person, User):
        return public
    return RegistrationRequest.objects.filter(Q(pk__in=public) | permissions.q_may_write(person))


def requests_written_by(person: User) -> RequestQuerySet:
    """Return the requests that `person` started, or writes as delegate or co-editor."""
    return RegistrationRequest.objects.filter(permissions.q_may_write(person))


def requests_assigned_to(person: User) -> RequestQuerySet:
    """Return the requests on which `person` is an expert and has not stepped back."""
    return RegistrationRequest.objects.filter(permissions.q_has_taken(person))


def unassigned_requests() -> RequestQuerySet:
    """Return the requests open to experts that nobody has taken."""
    taken = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    return RegistrationRequest.objects.filter(~Exists(taken), state__in=REVIEW_STATES)


def publishable_requests() -> RequestQuerySet:
    """Return the requests that wait for the registrar, the longest waiting first."""
    return RegistrationRequest.objects.filter(state=State.APPROVED).order_by("state_since")


def requests_holding_nids(registration_request: RegistrationRequest | None) -> RequestQuerySet:
    """Return the live, public requests that hold a NID, but for `registration_request`."""
    held = RegistrationRequest.objects.live().public().exclude(nid="").filter(namespace=None)
    return held.exclude(pk=registration_request.pk) if registration_request else held


def requests_asking_for(nid: str) -> RequestQuerySet:
    """Return the live, public requests for a new namespace of that NID."""
    return requests_holding_nids(None).filter(nid=nid).select_related("organization")


def list_open_requests(namespace: Namespace) -> list[RegistrationRequest]:
    """Return the public requests that would change `namespace`, the oldest first."""
    return OPEN_REQUESTS_QUERY(namespace.pk)


def requests_open_for_comment() -> RequestQuerySet:
    """Return the requests whose last round is open for comment today, the first to close first.

    `comments_close_at` is when that is.
    """
    invited = datetime.timedelta(settings.REGISTRY_COMMENT_DAYS)
    closing = ExpressionWrapper(Max("rounds__submitted_at") + invited, output_field=DateTimeField())
    return (
        RegistrationRequest.objects.for_lists()
        .annotate(comments_close_at=closing)
        .filter(
            state__in=REVIEW_STATES,
            comments_close_at__date__gte=timezone.localdate(),
        )
        .order_by("comments_close_at", "pk")
    )


def list_rival_requests(registration_request: RegistrationRequest) -> list[RegistrationRequest]:
    """Return the other live requests for the same new NID, whatever its case."""
    if not registration_request.nid or registration_request.namespace_id:
        return []
    return list(requests_asking_for(registration_request.nid).exclude(pk=registration_request.pk))


def was_recognition_refused(organization: Organization) -> bool:
    """Whether the answer to asking for recognition was no, and nobody has asked again."""
    last = organization.recognitions.order_by("asked_at").last()
    return last is not None and last.is_granted is False and not organization.is_recognised


def sightings_of_nid(nid: str) -> QuerySet[Sighting]:
    """Return the sightings of a NID in use without registration, whatever its case."""
    return Sighting.objects.filter(nid=nid.lower()) if nid else Sighting.objects.none()


def claimable_sightings(nid: str) -> QuerySet[Sighting]:
    """Return the sightings of a NID that no request claims, or only one that came to nothing."""
    lapsed = Q(claimed_by__state__in=UNSUCCESSFUL_STATES)
    return sightings_of_nid(nid).filter(Q(claimed_by=None) | lapsed)
