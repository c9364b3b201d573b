"""The state of requests: who can act on each, since when it waits, and what was done last."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from registry import enums
from registry.enums import (
    LIVE_STATES,
    REGISTRANT_STATES,
    REVIEW_STATES,
    Role,
    State,
    Turn,
    VerbKind,
)
from registry.models import (
    Assignment,
    Event,
    Message,
    RegistrationRequest,
    Reminder,
    Round,
    Speaker,
    User,
)
from registry.models.dates import Calendar, load_calendar
from registry.models.event import EventQuerySet
from registry.models.request import RequestQuerySet
from registry.permissions import (
    provide_fact,
    q_person_has_factor,
    remember_fact,
)
from registry.selectors.actors import (
    Actors,
    Panel,
    Team,
    find_actors,
    load_assignments,
    load_registrants,
    load_signers,
    load_team,
    map_void_decisions,
    q_is_tied_to,
)
from registry.selectors.appeals import select_pending_appeals
from registry.selectors.case import RequestCase, open_cases
from registry.selectors.challenges import list_open_challenges
from registry.selectors.counts import has_none
from registry.selectors.experts import list_absences_today
from registry.selectors.held_nids import q_nid_is_held
from registry.selectors.publication import find_pausing_turn

KEEP_VERB: Final = "keep"
"""Somebody pressed the button in a letter to the contact of a silent body."""
REMINDER_KIND: Final = "reminder"
"""The prefix of the kinds of reminders about requests."""


@dataclass(frozen=True, slots=True)
class RequestClock:
    """The state of one request.

    `actors` are the people who can act on it today, `assignments` all experts who ever joined its
    review, and `experts` those of them whose turn it is. `since` is when it became this turn,
    `manned_since` when experts last joined the request or had all left it, `quiet_since` when its
    reviewers last did something, `idle_since` when its writers did; `reminded_at` is when
    somebody was reminded since, `last_reminded_at` when of anything. `paused_for` says whose
    consent all others wait for while their deadlines pause, `is_nid_held` that the NID it wants is
    held. `void_decision` is the one that it stands on, if it does not count any more. `challenges`
    of its experts wait for an answer.
    """

    case: RequestCase
    calendar: Calendar
    actors: Actors
    assignments: tuple[Assignment, ...]
    experts: tuple[Assignment, ...]
    since: datetime.datetime
    manned_since: datetime.datetime
    quiet_since: datetime.datetime
    idle_since: datetime.datetime
    reminded_at: tuple[datetime.datetime, ...] = ()
    last_reminded_at: datetime.datetime | None = None
    paused_for: Turn | None = None
    is_nid_held: bool = False
    void_decision: Event | None = None
    challenges: tuple[Message, ...] = ()

    @property
    def registration_request(self) -> RegistrationRequest:
        """The request."""
        return self.case.request

    @property
    def turn(self) -> Turn:
        """Who must act next."""
        return self.actors.turn

    @property
    def is_paused(self) -> bool:
        """Whether everybody else waits for those whose turn it is, and their deadlines pause."""
        return self.paused_for is not None

    @property
    def is_untaken(self) -> bool:
        """Whether experts should review it, but none does."""
        in_review = self.registration_request.state in REVIEW_STATES
        return in_review and not self.experts and not self.is_paused

    @property
    def lacks_judge(self) -> bool:
        """Whether no designated expert is on it and able to judge, or free to be assigned."""
        return not self.actors.has_candidates


@dataclass(frozen=True, slots=True)
class LastActs:
    """When something was last done about one request: saved, reviewed, or by the registrant.

    `is_nid_held` says whether the NID it wants is held now.
    """

    saved_at: datetime.datetime | None = None
    reviewed_at: datetime.datetime | None = None
    registrant_at: datetime.datetime | None = None
    is_nid_held: bool = False


def read_request_clocks(requests: Sequence[RegistrationRequest]) -> Iterator[RequestClock]:
    """Yield the state of each of `requests`; many cost as many queries as one."""
    calendar = load_calendar()
    live = [each for each in requests if each.state in LIVE_STATES]
    reviewed = [each.pk for each in live if each.state in REVIEW_STATES]
    written = [each.pk for each in live if each.state in REGISTRANT_STATES]
    came = load_assignments(reviewed) if reviewed else {}
    approved = [each for each in live if each.state == State.APPROVED]
    signers = load_signers(approved) if approved else {}
    experts = {each.expert_id for together in came.values() for each in together}
    experts.update(*signers.values())
    team = load_team(live, experts, calendar) if live else Team(calendar, {}, {}, {})
    registrants = load_registrants(written) if written else {}
    acts = load_last_acts([each.pk for each in live])
    panels = build_panels(live, came, team)
    decided_by = load_appealed_deciders(live)
    reminded = load_reminders([each.pk for each in live])
    for case in open_cases(requests):
        each, void = case.request, case.batch.read(map_void_decisions)
        paused_for = find_pausing_turn(case)
        actors = find_actors(
            case,
            panels.get(each.pk, Panel()),
            team,
            registrants,
            paused_for,
            signers.get(each.pk, set()),
            decided_by.get(each.pk),
            void.get(each.pk),
            is_overdue=each.has_waited_for_registrar(calendar),
        )
        yield build_request_clock(
            case,
            calendar,
            actors,
            panels.get(each.pk, Panel()),
            acts.get(each.pk, LastActs()),
            paused_for=paused_for,
            reminded_at=reminded.get(each.pk, ()),
            void_decision=void.get(each.pk),
        )


def read_request_clock(registration_request: RegistrationRequest) -> RequestClock:
    """Return the state of one request; within `permissions.ask_each_fact_once` it is read once."""
    key = (read_request_clock, registration_request.pk, registration_request.revision)
    return remember_fact(key, lambda: next(read_request_clocks([registration_request])))


def provide_request_clock(standing: RequestClock) -> None:
    """Give `read_request_clock` the state of a request; within `ask_each_fact_once`."""
    asked = standing.registration_request
    provide_fact((read_request_clock, asked.pk, asked.revision), standing)


def add_reminder(standing: RequestClock, at: datetime.datetime) -> RequestClock:
    """Return the state of a request after a reminder: that changes nothing else."""
    reminded_at = (*standing.reminded_at, at) if at > standing.idle_since else standing.reminded_at
    return replace(standing, reminded_at=reminded_at, last_reminded_at=at)


def build_panels(
    requests: Iterable[RegistrationRequest],
    came: Mapping[int, Sequence[Assignment]],
    team: Team,
) -> dict[int, Panel]:
    """Return the experts of each request, and who challenged them."""
    listed, found = list(requests), {}
    challenges: dict[int, list[Message]] = {}
    if came:
        for challenge in list_open_challenges(listed):
            challenges.setdefault(challenge.registration_request_id, []).append(challenge)
    for each in listed:
        assignments = came.get(each.pk, ())
        judges = [one for one in assignments if is_judge(one, each, team)]
        found[each.pk] = Panel(assignments, judges, challenges.get(each.pk, ()))
    return found


def list_requests_of_turn(requests: RequestQuerySet, turn: Turn) -> list[int]:
    """Return the keys of those of the live `requests` whose turn today is `turn`."""
    live = requests.live().select_related("namespace__registrant", "organization")
    clocks = read_request_clocks(list(live))
    return [each.registration_request.pk for each in clocks if each.turn == turn]


def list_present_team() -> list[int]:
    """Return the keys of the experts who are not away: they can judge what they are not tied to."""
    experts = User.objects.filter(
        q_person_has_factor(), groups__name__in=(Role.EXPERT, Role.LEAD), is_active=True
    )
    present = experts.exclude(pk__in=list_absences_today().values("expert"))
    return sorted(present.order_by().values_list("pk", flat=True).distinct())


def list_doubtful_reviews() -> RequestQuerySet:
    """Return the requests in review of which an expert may no longer judge, or again.

    None is missed; for most it turns out that the record is still right (`list_changed_judges`).
    """
    team = list_present_team()
    doubtful = Assignment.objects.active().filter(
        Q(unable_since__isnull=False) | ~Q(expert__in=team),
        registration_request=OuterRef("pk"),
    )
    reviewed = RegistrationRequest.objects.filter(state=State.IN_REVIEW)
    return reviewed.filter(Exists(doubtful) | q_is_tied_to(team))


def list_unjudged_reviews(requests: RequestQuerySet) -> list[int]:
    """Return the keys of those of `requests` in review that no expert on them can decide today.

    One can be decided if an expert on it is not away, and is tied to no request: two queries find
    those. Only the others are checked one by one.
    """
    team = list_present_team()
    able = Assignment.objects.active().filter(registration_request=OuterRef("pk"), expert__in=team)
    reviewed = requests.filter(state=State.IN_REVIEW).order_by()
    unsure = list(
        reviewed.filter(Q(has_none(able)) | q_is_tied_to(team)).values_list("pk", flat=True)
    )
    found = RegistrationRequest.objects.filter(pk__in=unsure)
    return sorted(set(unsure) - set(list_requests_of_turn(found, Turn.EXPERTS))) if unsure else []


def is_judge(assignment: Assignment, registration_request: RegistrationRequest, team: Team) -> bool:
    """Whether a review waits for the expert of an assignment: still on it, and able to."""
    return assignment.recused_at is None and team.can_judge(assignment, registration_request)


def list_changed_judges(standing: RequestClock) -> list[Assignment]:
    """Return who can no longer judge a request, or can again, since the scheduler recorded it."""
    return [
        each
        for each in standing.assignments
        if each.recused_at is None and (each in standing.experts) == (each.unable_since is not None)
    ]


def build_request_clock(
    case: RequestCase,
    calendar: Calendar,
    actors: Actors,
    panel: Panel,
    acts: LastActs,
    *,
    reminded_at: Sequence[datetime.datetime],
    paused_for: Turn | None = None,
    void_decision: Event | None = None,
) -> RequestClock:
    """Return the state of one request, given its experts and what was done last."""
    registration_request = case.request
    state, state_since = State(registration_request.state), registration_request.state_since
    stays = [(each.assigned_at, find_end_of_stay(each, panel.judges)) for each in panel.assignments]
    running_since = find_later(state_since, registration_request.resumed_at)
    manned_since = find_later(running_since, find_change_of_hands(stays))
    since = manned_since if state == State.IN_REVIEW else running_since
    if paused_for:
        since = running_since = registration_request.paused_since or state_since
    idle_since = find_later(running_since, acts.saved_at)
    if state in REGISTRANT_STATES or paused_for:
        idle_since = find_later(idle_since, acts.registrant_at)
    return RequestClock(
        case=case,
        calendar=calendar,
        actors=actors,
        assignments=tuple(panel.assignments),
        experts=tuple(panel.judges),
        since=since,
        manned_since=manned_since,
        quiet_since=find_later(manned_since, acts.reviewed_at),
        idle_since=idle_since,
        reminded_at=tuple(at for at in reminded_at if at > idle_since),
        last_reminded_at=max(reminded_at, default=None),
        paused_for=paused_for,
        is_nid_held=acts.is_nid_held,
        void_decision=void_decision,
        challenges=tuple(panel.challenges),
    )


def load_reminders(ids: Sequence[int]) -> dict[int, list[datetime.datetime]]:
    """Return when somebody was reminded of each request, the first time first."""
    if not ids:
        return {}
    given: dict[int, list[datetime.datetime]] = {}
    found = Reminder.objects.filter(registration_request__in=ids)
    for key, at in found.order_by("at").values_list("registration_request", "at"):
        given.setdefault(key or 0, []).append(at)
    return given


def load_appealed_deciders(requests: Sequence[RegistrationRequest]) -> dict[int, int | None]:
    """Return who took the decisions that are under appeal, by the key of the request."""
    appealed = [
        each.pk
        for each in requests
        if each.state == State.APPEALED or (each.state == State.APPROVED and each.paused_since)
    ]
    if not appealed:
        return {}
    found = select_pending_appeals().filter(registration_request__in=appealed).order_by("number")
    return dict(found.values_list("registration_request", "data__decided_by"))


def load_last_acts(ids: Sequence[int]) -> dict[int, LastActs]:
    """Return when something was last done about each request; one query.

    The scheduler reviews nothing, and actions while nobody reviews a request do not count either:
    `manned_since` is later.
    """
    if not ids:
        return {}
    own = {"registration_request": OuterRef("pk")}
    found = RegistrationRequest.objects.filter(pk__in=ids).order_by()
    rows = found.values_list(
        "pk",
        select_last(Round.objects.filter(**own), "saved_at"),
        select_last(list_review_acts().filter(**own), "at"),
        select_last(list_registrant_acts().filter(**own), "at"),
        Case(When(q_nid_is_held(), then=True), default=False),
    )
    return {key: LastActs(*last) for key, *last in rows}


def select_last(found: QuerySet[Any], field: str) -> Subquery:
    """Return the last of the moments in `field`; None if there are no rows."""
    return Subquery(found.order_by(f"-{field}").values(field)[:1])


def list_registrant_acts() -> EventQuerySet:
    """Return whatever the registrant's side did, messages and the button in a letter too."""
    own = RegistrationRequest.objects.filter(pk=OuterRef("registration_request"))
    side = Q(author=OuterRef("actor")) | Q(co_editors=OuterRef("actor"))
    delegated = Speaker.objects.in_effect().filter(
        organization__requests=OuterRef("registration_request"), person=OuterRef("actor")
    )
    return Event.objects.filter(
        Q(verb=KEEP_VERB) | Q(Exists(own.filter(side))) | Q(Exists(delegated))
    )


def list_review_acts() -> EventQuerySet:
    """Return the actions of a request's reviewers, or those that began its review anew."""
    on_it = Assignment.objects.active().filter(
        registration_request=OuterRef("registration_request"), expert=OuterRef("actor")
    )
    return Event.objects.filter(
        Q(Exists(on_it)) | Q(verb__in=enums.list_verbs_of_kind(VerbKind.BEGINS_REVIEW))
    )


def find_end_of_stay(
    assignment: Assignment, judges: Collection[Assignment]
) -> datetime.datetime | None:
    """Return when the request could no longer count on this expert, None while it can.

    An expert who cannot judge it counts as unassigned: from when the scheduler recorded that, or
    from now.
    """
    if assignment in judges:
        return None
    ends = [assignment.recused_at, assignment.unable_since]
    return min((at for at in ends if at is not None), default=None) or timezone.now()


def find_change_of_hands(
    stays: Iterable[tuple[datetime.datetime, datetime.datetime | None]],
) -> datetime.datetime | None:
    """Return when the request last got experts after having none, or lost the last of them.

    Each stay is when an expert joined and when they left, None if they are still there.
    """
    stays = [(came, left) for came, left in stays if came != left]
    steps = sorted(
        [(came, 1) for came, _left in stays]
        + [(left, -1) for _came, left in stays if left is not None],
        key=lambda step: (step[0], -step[1]),
    )
    on_it, changed = 0, None
    for at, step in steps:
        if on_it == 0 or on_it + step == 0:
            changed = at
        on_it += step
    return changed


def find_later(moment: datetime.datetime, other: datetime.datetime | None) -> datetime.datetime:
    """Return the later of two moments, or the first if there is no second."""
    return moment if other is None else max(moment, other)
