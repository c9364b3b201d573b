"""Which requests people may see, write, review and publish."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    Count,
    Exists,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry import permissions
from registry.enums import (
    LIVE_STATES,
    REVIEW_STATES,
    UNSUCCESSFUL_STATES,
    ChangeKind,
    State,
)
from registry.lookalikes import MAX_LOOKALIKES, find_lookalikes
from registry.models import (
    Assignment,
    Message,
    Namespace,
    Organization,
    RegistrationRequest,
    Remark,
    Round,
    Sighting,
    User,
)
from registry.models.dates import load_calendar
from registry.models.request import RequestQuerySet
from registry.permissions import Person
from registry.urn import nid as nids


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


def unassigned_requests(among: RequestQuerySet | None = None) -> RequestQuerySet:
    """Return the requests open to experts that nobody has taken, of all or `among` some."""
    taken = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    found = RegistrationRequest.objects.all() if among is None else among
    return found.filter(~Exists(taken), state__in=REVIEW_STATES)


def publishable_requests() -> RequestQuerySet:
    """Return the requests that wait for the registrar, the longest waiting first."""
    return RegistrationRequest.objects.filter(state=State.APPROVED).order_by("state_since")


def requests_holding_nids(registration_request: RegistrationRequest | None) -> RequestQuerySet:
    """Return the live, public requests that hold a NID, except `registration_request`."""
    held = RegistrationRequest.objects.live().public().exclude(nid="").filter(namespace=None)
    return held.exclude(pk=registration_request.pk) if registration_request else held


def requests_asking_for(nid: str) -> RequestQuerySet:
    """Return the live, public requests for a new namespace with that NID."""
    return requests_holding_nids(None).filter(nid=nid).select_related("organization")


def requests_competing_with(registration_request: RegistrationRequest) -> RequestQuerySet:
    """Return the live requests of which registering one makes the others impossible, itself too.

    Those for a new namespace compete for its NID. Revisions of one namespace were all written from
    the version that the first of them to be registered replaces.
    """
    live = RegistrationRequest.objects.live().order_by("pk")
    if registration_request.change == ChangeKind.NEW and registration_request.nid:
        return live.filter(nid=registration_request.nid, change=ChangeKind.NEW)
    if registration_request.change == ChangeKind.REVISION:
        return live.filter(namespace=registration_request.namespace_id, change=ChangeKind.REVISION)
    return live.none()


def requests_contending(nid: str, namespace_id: int | None) -> RequestQuerySet:
    """Return the live, public requests for a new NID, or that change a registered namespace."""
    found = RegistrationRequest.objects.live().public().filter(nid=nid, namespace=namespace_id)
    return found.select_related("organization")


def list_rival_texts(registration_request: RegistrationRequest) -> list[RegistrationRequest]:
    """Return the rivals of a request that would register a text as well."""
    return [each for each in list_rival_requests(registration_request) if not each.changes_facts]


def list_open_requests(namespace: Namespace) -> list[RegistrationRequest]:
    """Return the public requests that would change `namespace`, the oldest first."""
    return list(namespace.requests.live().public().order_by("created_at"))


def list_requests_open_for_comment(most: int) -> list[RegistrationRequest]:
    """Return the requests whose last round is open for comment today, the first to close first.

    Only a limited number, found by when rounds were sent: however many requests there are, no
    others are read. `comments_close_at` is when comments close.
    """
    calendar = load_calendar()
    today = datetime.datetime.combine(timezone.localdate(), datetime.time.min)
    sent = Round.objects.sent()
    later = sent.filter(
        registration_request=OuterRef("registration_request"),
        submitted_at__gt=OuterRef("submitted_at"),
    )
    last = sent.filter(
        ~Exists(later),
        comments_since__gte=calendar.subtract_days(
            timezone.make_aware(today), calendar.dates.comment_days
        ),
        registration_request__state__in=REVIEW_STATES,
    ).order_by("comments_since", "registration_request")
    first = last.values("registration_request")[:most]
    found = RegistrationRequest.objects.for_lists().filter(pk__in=first)
    since = found.annotate(invited_since=Max("rounds__comments_since"))
    invited_since = dict(since.values_list("pk", "invited_since"))
    requests = sorted(found, key=lambda each: (invited_since[each.pk], each.pk))
    for each in requests:
        vars(each)["comments_close_at"] = calendar.add_days(
            invited_since[each.pk], calendar.dates.comment_days
        )
    return requests


def list_rival_requests(registration_request: RegistrationRequest) -> list[RegistrationRequest]:
    """Return the other live requests for the same new NID, or that change the same namespace."""
    if not registration_request.nid:
        return []
    others = requests_contending(registration_request.nid, registration_request.namespace_id)
    others = others.exclude(pk=registration_request.pk)
    return permissions.remember_fact(
        (list_rival_requests, registration_request.pk, registration_request.nid),
        lambda: list(others),
    )


def count_talk(requests: Iterable[RegistrationRequest]) -> dict[int, tuple[int, int]]:
    """Return how many public messages and open questions each request has, by key."""
    messages = Message.objects.public().filter(registration_request=OuterRef("pk"), hidden_at=None)
    questions = Remark.objects.open().questions().filter(registration_request=OuterRef("pk"))
    counted = (
        Subquery(each.order_by().values("registration_request").annotate(n=Count("pk")).values("n"))
        for each in (messages, questions)
    )
    said, asked = (Coalesce(each, 0) for each in counted)
    found = RegistrationRequest.objects.filter(pk__in=[each.pk for each in requests])
    rows = found.annotate(said=said, asked=asked).values_list("pk", "said", "asked")
    return {pk: (comments, open_questions) for pk, comments, open_questions in rows}


MAX_SIMILAR_SHOWN: Final = 10
"""How many requests for a similar NID a page points out: the nearest."""


def list_similar_requests(
    registration_request: RegistrationRequest, most: int = MAX_LOOKALIKES
) -> list[RegistrationRequest]:
    """Return the live requests for a new NID that is easily mistaken for this one.

    Those of the `most` nearest NIDs.
    """
    if not registration_request.nid or registration_request.namespace_id:
        return []
    held = requests_holding_nids(registration_request).exclude(nid=registration_request.nid)
    alike = find_lookalikes(registration_request.nid, set(held.values_list("nid", flat=True)))
    nearest = [each.nid for each in alike[:most]]
    return list(held.filter(nid__in=nearest).select_related("organization").order_by("pk"))


def is_similar_request(left: RegistrationRequest, right: RegistrationRequest) -> bool:
    """Whether both are live requests for new NIDs that are easily mistaken for each other.

    `right` is live and public.
    """
    if not left.nid or left.namespace_id:
        return False
    is_held = requests_holding_nids(left).filter(pk=right.pk).exists()
    return is_held and bool(find_lookalikes(left.nid, [right.nid]))


def was_recognition_refused(organization: Organization) -> bool:
    """Whether recognition was refused, and nobody has asked again."""
    last = organization.recognitions.order_by("asked_at").last()
    return last is not None and last.is_granted is False and not organization.is_recognised


def sightings_of_nid(nid: str) -> QuerySet[Sighting]:
    """Return the sightings of a NID in use without registration, whatever its case."""
    return Sighting.objects.filter(nid=nid.lower()) if nid else Sighting.objects.none()


def claimable_sightings(nid: str) -> QuerySet[Sighting]:
    """Return the sightings of a NID that no request claims, or only one that led to nothing."""
    lapsed = Q(claimed_by__state__in=UNSUCCESSFUL_STATES)
    return sightings_of_nid(nid).filter(Q(claimed_by=None) | lapsed)


def find_reopened_request(
    registration_request: RegistrationRequest, reader: Person
) -> RegistrationRequest | None:
    """Return the request that this one continues, if the reader may know of it."""
    if registration_request.reopens_id is None:
        return None
    return requests_visible_to(reader).filter(pk=registration_request.reopens_id).first()


def find_reopening_request(
    registration_request: RegistrationRequest, reader: Person
) -> RegistrationRequest | None:
    """Return the request that continues this one, if the reader may know of it."""
    if registration_request.state in LIVE_STATES:
        return None
    return requests_visible_to(reader).filter(reopens=registration_request).first()


def group_requests_by_nid(nids: Collection[str]) -> dict[str, list[RegistrationRequest]]:
    """Return the live, public requests that hold each of `nids`, the oldest first."""
    held: dict[str, list[RegistrationRequest]] = {}
    for each in requests_holding_nids(None).filter(nid__in=nids).order_by("created_at"):
        held.setdefault(each.nid, []).append(each)
    return held


def group_contenders(
    requests: Iterable[RegistrationRequest],
) -> dict[tuple[str, int | None], list[RegistrationRequest]]:
    """Return the live, public requests by what they contend for: their NID and namespace."""
    asked = {(each.nid, each.namespace_id) for each in requests if each.nid}
    live = RegistrationRequest.objects.live().public()
    groups: dict[tuple[str, int | None], list[RegistrationRequest]] = {}
    for each in live.filter(nid__in={nid for nid, _ in asked}).order_by("created_at"):
        if (key := (each.nid, each.namespace_id)) in asked:
            groups.setdefault(key, []).append(each)
    return groups


def requests_in_state(*states: State) -> RequestQuerySet:
    """Return the requests in one of these states, the longest waiting first."""
    found = RegistrationRequest.objects.filter(state__in=states).order_by("state_since", "pk")
    return found.select_related("organization", "namespace")


def find_writer_ids(registration_request: RegistrationRequest) -> set[int]:
    """Return the keys of its author, and of the delegates of the requesting organization."""
    writers = User.objects.filter(
        permissions.q_person_is_author(registration_request)
        | permissions.q_person_is_delegate(registration_request)
    )
    return set(writers.values_list("pk", flat=True))


def list_nid_contenders(
    nid: str, registration_request: RegistrationRequest | None
) -> RequestQuerySet:
    """Return the public requests for the same NID, except `registration_request`."""
    return requests_holding_nids(registration_request).filter(nid=nids.canonical(nid))
