"""Which requests wait for an expert or the lead, in which order, and what each requires."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.cache import caches
from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Greatest
from django.utils import timezone

from registry import permissions
from registry.enums import (
    END_STATES,
    REVIEW_STATES,
    ChangeKind,
    State,
    Turn,
)
from registry.lookalikes import find_lookalikes
from registry.models import (
    Assignment,
    DismissedFinding,
    Event,
    ReadMarker,
    RegistrationRequest,
    Round,
    User,
)
from registry.models.dates import load_calendar, load_dates
from registry.models.request import RequestQuerySet, RoundQuerySet
from registry.models.review import AssignmentQuerySet
from registry.selectors.counts import MAX_COUNTED, has_none
from registry.selectors.experts import select_end_of_absence
from registry.selectors.registry_version import find_registry_version
from registry.selectors.request_clock import (
    list_review_acts,
    list_unjudged_reviews,
    read_request_clock,
)
from registry.selectors.requests import (
    group_contenders,
    requests_holding_nids,
    unassigned_requests,
)

MAX_QUEUED: Final = MAX_COUNTED
"""How many requests a list of the queue has at most: it is limited before it is sorted."""

TURN_CONDITIONS: Final = (
    Q(state=State.IN_REVIEW),
    Q(state=State.ADVISORY),
    Q(state=State.APPROVED),
    Q(state__in=[State.REPORTED, State.APPEALED]),
    Q(state__in=[State.CHANGES_REQUESTED, State.DECLINED, State.DRAFT]),
)
"""Whose turn comes first: the experts', the body's, and so on down the course."""


def bound_queue(requests: RequestQuerySet, sort: str | None = None) -> RequestQuerySet:
    """Return the `MAX_QUEUED` that have been in their state longest, or for "latest" shortest.

    An index has them in this order. The queue's sort key is computed for each, so without this
    limit it would be computed for all.
    """
    order = ("-state_since", "-pk") if sort == "latest" else ("state_since", "pk")
    first = requests.order_by(*order).values("pk")[:MAX_QUEUED]
    return RegistrationRequest.objects.filter(pk__in=first)


def order_queue(requests: RequestQuerySet, sort: str | None) -> RequestQuerySet:
    """Return them sorted by whose turn it is and age, or as `sort` says.

    Sorting by turn requires requests from `annotate_for_order`.
    """
    sent = requests.annotate(first_sent_at=select_first_sent_at())
    if sort == "oldest":
        return sent.order_by(F("first_sent_at"), "pk")
    if sort == "latest":
        return sent.order_by("-state_since", "-pk")
    if sort == "due":
        return sent.order_by(build_due_moment().asc(nulls_last=True), F("first_sent_at"), "pk")
    return sent.order_by(build_turn_rank(), F("first_sent_at"), "pk")


def build_turn_rank() -> Case:
    """Return the rank of a request by whose turn it is; last if the reader has a stake."""
    mine_to_leave = When(~Q(stake=""), then=len(TURN_CONDITIONS) + 1)
    turns = [When(each, then=place) for place, each in enumerate(TURN_CONDITIONS)]
    return Case(mine_to_leave, *turns, default=len(TURN_CONDITIONS), output_field=IntegerField())


def build_due_moment() -> Case:
    """Return the moment by which the registry promised to act, as far as SQL can say.

    Lost days are not counted: it is only for sorting, and nobody reads it.
    """
    dates = load_dates()
    return Case(
        When(paused_since__isnull=False, then=None),
        When(extended_to__isnull=False, then=Cast("extended_to", DateTimeField())),
        When(state=State.APPROVED, then=build_moment_after(dates.first_reminder_days)),
        When(
            state__in=[State.IN_REVIEW, State.REPORTED, State.APPEALED],
            then=build_moment_after(dates.decision_days),
        ),
        default=None,
    )


def build_moment_after(days: int) -> Combinable:
    """Return the moment `days` after a request entered its state, or its deadlines resumed."""
    since = Greatest(F("state_since"), Coalesce(F("paused_until"), F("state_since")))
    later = since + datetime.timedelta(days)
    return ExpressionWrapper(later, output_field=DateTimeField())


def annotate_lead_calls(
    requests: RequestQuerySet, unjudged: Collection[int] | None = None
) -> RequestQuerySet:
    """Annotate `calls_the_lead`: why each waits ("untaken", "stuck", "late", "quiet"), or empty.

    `unjudged` are the keys of those in review that no expert can judge today, read if not given.
    """
    if unjudged is None:
        unjudged = list_unjudged_reviews(requests)
    active = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    return requests.annotate(
        calls_the_lead=Case(
            When(~Q(state__in=REVIEW_STATES) | Q(paused_since__isnull=False), then=Value("")),
            When(has_none(active), then=Value("untaken")),
            When(Q(pk__in=unjudged, state=State.IN_REVIEW), then=Value("stuck")),
            When(build_late_condition(), then=Value("late")),
            When(build_quiet_condition(), then=Value("quiet")),
            default=Value(""),
        )
    )


def build_late_condition() -> Q:
    """Whether the day by which a decision was promised is over."""
    today = timezone.localdate()
    calendar = load_calendar()
    last = calendar.subtract_days(timezone.now(), calendar.dates.decision_days)
    first = timezone.localdate(last)
    has_run = Q(paused_until__isnull=True) | Q(paused_until__date__lt=first)
    by_default = Q(extended_to__isnull=True, state_since__date__lt=first) & has_run
    return Q(state=State.IN_REVIEW) & (Q(extended_to__lt=today) | by_default)


def build_quiet_condition() -> Q:
    """Whether the experts on it have done nothing for so long that the lead is notified."""
    calendar = load_calendar()
    since = calendar.subtract_days(timezone.now(), calendar.dates.second_reminder_days)
    heard = list_review_acts().filter(registration_request=OuterRef("pk"), at__gt=since)
    has_run = Q(paused_until__isnull=True) | Q(paused_until__lte=since)
    waits = has_run & Q(state=State.IN_REVIEW, state_since__lte=since)
    return waits & Q(has_none(heard))


DECIDED_STATES: Final = (
    *END_STATES,
    State.APPROVED,
    State.REPORTED,
    State.DECLINED,
    State.APPEALED,
)


def list_taken_requests(person: User | Value, among: RequestQuerySet) -> RequestQuerySet:
    """Return what `person` has taken and has to work on."""
    return among.filter(permissions.q_has_taken(person), state__in=REVIEW_STATES)


def list_untaken_requests(person: User, among: RequestQuerySet) -> RequestQuerySet:
    """Return what nobody has taken."""
    return unassigned_requests(among)


def list_live_requests(person: User, among: RequestQuerySet) -> RequestQuerySet:
    """Return everything in progress."""
    return among.live().public()


def list_requests_with_registrants(person: User, among: RequestQuerySet) -> RequestQuerySet:
    """Return what was sent back for changes."""
    return among.public().filter(state=State.CHANGES_REQUESTED)


def list_decided_requests(person: User, among: RequestQuerySet) -> RequestQuerySet:
    """Return what experts are done with."""
    return among.public().filter(state__in=DECIDED_STATES)


def list_requests_for_lead(person: User, among: RequestQuerySet) -> RequestQuerySet:
    """Return what waits for the people who lead the experts.

    Whether somebody can judge a request is checked only for those that have been in their state as
    long as the first `MAX_QUEUED` that wait for the lead anyway: a queue lists no others.
    """
    # No others call for the lead: with this condition the database looks only at these.
    reviewed = among.public().filter(state__in=REVIEW_STATES, paused_since=None)
    unjudged = permissions.remember_fact(
        (list_old_unjudged_reviews, str(reviewed.query)),
        lambda: list_old_unjudged_reviews(reviewed),
    )
    return annotate_lead_calls(reviewed, unjudged).exclude(Q(calls_the_lead=""))


def list_old_unjudged_reviews(reviewed: RequestQuerySet) -> list[int]:
    """Return the keys of those in review that nobody can judge, old enough for the queue."""
    sure = annotate_lead_calls(reviewed, []).exclude(Q(calls_the_lead=""))
    last = sure.order_by("state_since", "pk").values_list("state_since", flat=True)
    edge = last[MAX_QUEUED - 1 : MAX_QUEUED].first()
    return list_unjudged_reviews(reviewed.filter(state_since__lte=edge) if edge else reviewed)


def list_requests_at_offices() -> RequestQuerySet:
    """Return what the registrar or the standards body has to act on, the first due first."""
    at_offices = [State.APPROVED, State.REPORTED, State.APPEALED]
    found = bound_queue(RegistrationRequest.objects.public().filter(state__in=at_offices))
    return found.select_related("organization", "namespace").order_by(build_due_moment(), "pk")


LEAD_KEYS_CACHE_KEY: Final = "requests-for-lead"
"""A cache entry: a version of the registry, and the keys of what waits for the lead."""
LEAD_KEYS_SECONDS: Final = 60


def count_waiting_requests(person: User) -> int:
    """Return for a badge how many requests wait for `person` as an expert, and as the lead."""
    taken = list_taken_requests(person, RegistrationRequest.objects.all())
    count = taken.order_by()[:MAX_COUNTED].count()
    if count == MAX_COUNTED or not permissions.is_lead(person):
        return count
    keys = load_keys_for_lead(person)
    counted_twice = (
        list_taken_requests(person, RegistrationRequest.objects.filter(pk__in=keys)).count()
        if count
        else 0
    )
    others = min(len(keys) - counted_twice, MAX_QUEUED)
    return min(count + others, MAX_COUNTED)


def load_keys_for_lead(lead: User) -> list[int]:
    """Return the keys of what waits for any lead, for the badge on each page that a lead opens.

    Read once a minute, or when the registry has changed: some requests are late by time alone. As
    many as a queue lists, besides as many as a lead can have taken.
    """
    cache, version = caches["figures"], find_registry_version()
    kept: tuple[int, list[int]] | None = cache.get(LEAD_KEYS_CACHE_KEY)
    if kept is not None and kept[0] == version:
        return kept[1]
    waiting = list_requests_for_lead(lead, RegistrationRequest.objects.all())
    first = waiting.order_by("state_since", "pk").values_list("pk", flat=True)
    keys = list(first[: MAX_QUEUED + MAX_COUNTED])
    cache.set(LEAD_KEYS_CACHE_KEY, (version, keys), timeout=LEAD_KEYS_SECONDS)
    return keys


def count_queued(requests: RequestQuerySet) -> int:
    """Return how many of them a queue lists, which reads no others."""
    return requests.order_by("state_since", "pk")[:MAX_QUEUED].count()


def annotate_stake(person: User, requests: RequestQuerySet) -> RequestQuerySet:
    """Annotate `stake`: the name of what makes `person` party to each, empty if nothing does."""
    stakes = [When(stake.q(person), then=Value(stake.name)) for stake in permissions.STAKES]
    return requests.annotate(stake=Case(*stakes, default=Value("")))


def annotate_for_queue(
    person: User, requests: RequestQuerySet, unjudged: Collection[int] | None = None
) -> RequestQuerySet:
    """Return them with everything a line of the queue says.

    Three queries, besides those that find which nobody can judge, if `unjudged` does not say.
    """
    last = select_sent_rounds().order_by("-number")
    seen = ReadMarker.objects.filter(person=person, registration_request=OuterRef("pk"))
    news = Event.objects.filter(
        registration_request=OuterRef("pk"), number__gt=OuterRef("last_event_seen")
    ).exclude(actor=person)
    return (
        annotate_lead_calls(annotate_stake(person, requests), unjudged)
        .select_related("organization", "namespace", "author")
        .annotate(
            first_sent_at=select_first_sent_at(),
            rounds_sent=Subquery(last.values("number")[:1]),
            last_findings=Subquery(last.values("findings")[:1], output_field=JSONField()),
            has_conflict=permissions.q_has_declared_conflict(person),
            has_dismissed=Exists(
                DismissedFinding.objects.filter(registration_request=OuterRef("pk"))
            ),
            last_event_seen=Subquery(seen.values("last_event")[:1]),
        )
        .annotate(news=build_event_count(news))
        .prefetch_related(
            Prefetch("assignments", list_assignments_with_absences()),
        )
    )


def list_assignments_with_absences() -> AssignmentQuerySet:
    """Return assignments with their experts, and until when they are away today."""
    away_until = select_end_of_absence("expert")
    return Assignment.objects.annotate(away_until=away_until).select_related("expert")


def list_queued_requests(person: User, keys: Sequence[int]) -> list[RegistrationRequest]:
    """Return the requests of a page of the queue, in its order, with everything their lines say.

    Who can judge them is checked only for these: for the whole queue it would take far longer.
    """
    asked = RegistrationRequest.objects.filter(pk__in=keys)
    found = {each.pk: each for each in annotate_for_queue(person, asked)}
    return [found[key] for key in keys if key in found]


def find_queued_request(
    person: User, registration_request: RegistrationRequest
) -> RegistrationRequest:
    """Return one request, read again, with everything its line of the queue says."""
    asked = RegistrationRequest.objects.filter(pk=registration_request.pk)
    is_judged = read_request_clock(registration_request).turn == Turn.EXPERTS
    return annotate_for_queue(person, asked, [] if is_judged else [registration_request.pk]).get()


def build_event_count(events: Any) -> Coalesce:
    """Return the number of `events` of the request of the outer query."""
    counted = events.order_by().values("registration_request").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


def select_first_sent_at() -> Subquery:
    """Return when the request of the outer query was first sent."""
    return Subquery(select_sent_rounds().order_by("number").values("submitted_at")[:1])


def select_sent_rounds() -> RoundQuerySet:
    """Return the rounds sent of the request of the outer query."""
    return Round.objects.filter(registration_request=OuterRef("pk")).sent()


def list_queue_keys(person: User, requests: RequestQuerySet, sort: str) -> list[int]:
    """Return the keys of the requests of a queue in its order, at most `MAX_QUEUED`."""
    bounded = annotate_stake(person, bound_queue(requests, sort))
    return list(order_queue(bounded, sort).values_list("pk", flat=True))


def list_untaken_keys() -> list[int]:
    """Return the keys of what nobody has taken, the oldest first, at most `MAX_QUEUED`."""
    untaken = order_queue(bound_queue(unassigned_requests()), "oldest")
    return list(untaken.values_list("pk", flat=True))


def filter_queue(requests: RequestQuerySet, wanted: Mapping[str, Any]) -> RequestQuerySet:
    """Return those that contain every one of `words`, and are of the kind `path`."""
    for word in wanted.get("words", "").split():
        requests = requests.filter(
            Q(nid__icontains=word)
            | Q(reference__icontains=word)
            | Q(summary__icontains=word)
            | Q(organization__name__icontains=word)
        )
    path = wanted.get("path")
    if path == ChangeKind.REVISION:
        return requests.filter(change=ChangeKind.REVISION)
    return requests.filter(path=path) if path else requests


def find_queue_neighbours(
    person: User, registration_request: RegistrationRequest
) -> tuple[str | None, str | None]:
    """Return the references before and after the request in the queue of `person`."""
    taken = bound_queue(list_taken_requests(person, RegistrationRequest.objects.all()))
    queue = order_queue(annotate_stake(person, taken), "turn")
    references = [None, *queue.values_list("reference", flat=True), None]
    if registration_request.reference not in references:
        return None, references[1]
    place = references.index(registration_request.reference)
    return references[place - 1], references[place + 1]


def find_contended_requests(
    requests: Iterable[RegistrationRequest],
) -> list[list[RegistrationRequest]]:
    """Return the live requests that contend with one among `requests`, including it.

    Those for one NID, or of one namespace, are adjacent, the oldest first.
    """
    texts = (
        [each for each in group if not each.changes_facts]
        for group in group_contenders(requests).values()
    )
    return [group for group in texts if len(group) > 1]


def find_similar_requests(
    requests: Iterable[RegistrationRequest],
) -> list[list[RegistrationRequest]]:
    """Return pairs of live requests with similar NIDs, one of them among `requests`.

    Pass only those for which the checks said so.
    """
    held = requests_holding_nids(None)
    nids = set(held.values_list("nid", flat=True))
    asked = nids.intersection(each.nid for each in requests)
    close = {frozenset((nid, other.nid)) for nid in asked for other in find_lookalikes(nid, nids)}
    names = {nid for pair in close for nid in pair}
    oldest_last = held.filter(nid__in=names).order_by("-created_at")
    live = dict(oldest_last.values_list("nid", "pk"))
    found = held.in_bulk([live[nid] for nid in names])
    return [[found[live[nid]] for nid in sorted(pair)] for pair in sorted(close, key=sorted)]
