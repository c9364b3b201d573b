"""The queue of an expert, and what happened since they last looked."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry import enums, permissions, selectors
from registry.actions import conflicts_of_interest
from registry.enums import (
    RECUSAL_STATES,
    REVIEW_STATES,
    ChangeKind,
    ObstacleKind,
    RequestPath,
    VerbKind,
)
from registry.journal.event_messages import describe_event
from registry.models import Event, RegistrationRequest, User
from registry.models.dates import load_calendar
from registry.models.request import RequestQuerySet
from registry.presenters.reviewers import (
    Reviewer,
    Reviewers,
    describe_expert_step,
    describe_reviewers,
    find_own_assignment,
    find_stake,
)
from registry.selectors import CurrentTurn
from registry.selectors.case import open_cases
from registry.selectors.consent import PublicationObstacle, find_missing_consent
from registry.selectors.events import list_events_of_others
from registry.selectors.publication import list_publication_obstacles, summarize_obstacles
from registry.selectors.review_queue import (
    list_decided_requests,
    list_live_requests,
    list_requests_at_offices,
    list_requests_for_lead,
    list_requests_with_registrants,
    list_taken_requests,
    list_untaken_requests,
)
from registry.selectors.turns import count_days_late
from registry.urn import Severity


@dataclass(frozen=True, slots=True)
class QueueTab:
    """One tab of the queue: its key in the address, its title, its content and order.

    `holds` selects the requests that belong in a person's tab.
    """

    key: str
    title: str | Promise
    holds: Callable[[User, RequestQuerySet], RequestQuerySet]
    sort: str = "turn"


QUEUE_TABS: Final = (
    QueueTab("mine", gettext_lazy("Mine"), list_taken_requests),
    QueueTab("unassigned", gettext_lazy("Unassigned"), list_untaken_requests),
    QueueTab(
        "waiting",
        gettext_lazy("Waiting for registrants"),
        list_requests_with_registrants,
        sort="oldest",
    ),
    QueueTab("open", gettext_lazy("All open"), list_live_requests),
    QueueTab("decided", gettext_lazy("Decided"), list_decided_requests, sort="latest"),
)
LEAD_TAB: Final = QueueTab("lead", gettext_lazy("For the lead"), list_requests_for_lead, sort="due")


def list_queue_tabs(person: User) -> tuple[QueueTab, ...]:
    """Return the tabs that `person` sees."""
    return (QUEUE_TABS[0], LEAD_TAB, *QUEUE_TABS[1:]) if permissions.is_lead(person) else QUEUE_TABS


def find_queue_tab(key: str | None, person: User) -> QueueTab:
    """Return the tab of that key; without one, that of the lead if only there something waits."""
    if key is None and permissions.is_lead(person):
        every = RegistrationRequest.objects.all()
        if (
            not QUEUE_TABS[0].holds(person, every).exists()
            and LEAD_TAB.holds(person, every).exists()
        ):
            return LEAD_TAB
    return next((each for each in list_queue_tabs(person) if each.key == key), QUEUE_TABS[0])


LEAD_CALL_REASONS: Final[Mapping[str, str | Promise]] = {
    "untaken": gettext_lazy("Nobody has taken it"),
    "stuck": gettext_lazy("None of its experts can decide now"),
    "late": gettext_lazy("The promised date is past"),
    "quiet": gettext_lazy("Its experts have not acted for a long time"),
}


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """A short summary of the automatic checks of a round."""

    severity: str
    words: str

    @classmethod
    def of_now(cls, found: Iterable[str], obstacles: Iterable[PublicationObstacle]) -> CheckSummary:
        """Summarize what breaks a rule now, else the findings of a round as they were.

        A text that broke no rule when it was sent can do so now: others were registered meanwhile.
        """
        broken = [each for each in obstacles if each.kind == ObstacleKind.TEXT]
        return cls.of([Severity.BLOCK for _each in broken] or found)

    @classmethod
    def of(cls, severities: Iterable[str]) -> CheckSummary:
        """Summarize findings of these severities; only the most severe kind is counted."""
        listed = list(severities)
        if blocks := listed.count(Severity.BLOCK):
            words = ngettext("%(count)d to fix", "%(count)d to fix", blocks)
            return cls("block", words % {"count": blocks})
        if warnings := listed.count(Severity.WARN):
            words = ngettext("%(count)d to consider", "%(count)d to consider", warnings)
            return cls("warn", words % {"count": warnings})
        return cls("passed", _("All pass"))


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One request as a line of the queue.

    `declares` says whether the reader's next act on it declares that they have no conflict.
    """

    registration_request: RegistrationRequest
    kind: str
    aside: str
    checks: CheckSummary
    step: str
    company: str
    reviewers: Reviewers
    rivals: list[RegistrationRequest]
    likeness: str
    missing_consent: PublicationObstacle | None
    obstacles: tuple[str | Promise, ...]
    news: int
    waiting: CurrentTurn
    warnings: list[str]
    declares: bool
    calls: str
    may_take: bool
    may_step_back: bool
    should_step_back: bool
    may_lead: bool

    @property
    def away(self) -> list[Reviewer]:
        """Those of its experts who are away today."""
        return [member for member in self.reviewers.members if member.away_until]

    @property
    def late(self) -> str:
        """How late it is: "2 days late", empty if it is not."""
        return self.waiting.late


@dataclass(frozen=True, slots=True)
class LateRequest:
    """A request that is late at another office: whose turn it is, and by how much."""

    registration_request: RegistrationRequest
    waiting: CurrentTurn


MAX_LATE_ELSEWHERE: Final = 50


def list_late_elsewhere() -> list[LateRequest]:
    """Return what is late at other offices than the experts', latest first.

    Only the earliest due are considered, as many as anybody reads.
    """
    listed = list(list_requests_at_offices()[:MAX_LATE_ELSEWHERE])
    turns = selectors.find_current_turns(listed) if listed else {}
    late = [LateRequest(each, turns[each.pk]) for each in listed if turns[each.pk].is_late]
    return sorted(late, key=lambda each: -each.waiting.days_late)


def build_queue_rows(
    requests: Iterable[RegistrationRequest],
    person: User,
    contended: Iterable[list[RegistrationRequest]],
) -> list[QueueRow]:
    """Return a row for each of `requests`, which come from `annotate_for_queue`."""
    together = {each.pk: group for group in contended for each in group}
    listed = list(requests)
    waiting = selectors.find_current_turns(listed)
    return [
        assemble_queue_row(each, person, together.get(each.pk, []), waiting[each.pk])
        for each in listed
    ]


def build_queue_row(registration_request: RegistrationRequest, person: User) -> QueueRow:
    """Return the row of one request from `annotate_for_queue`."""
    return assemble_queue_row(
        registration_request,
        person,
        selectors.list_rival_requests(registration_request),
        selectors.find_current_turn(registration_request),
    )


def assemble_queue_row(
    registration_request: RegistrationRequest,
    person: User,
    group: list[RegistrationRequest],
    waiting: CurrentTurn,
) -> QueueRow:
    """Return the row of one request, using only preloaded data."""
    case = waiting.case
    facts, own = vars(registration_request), find_own_assignment(registration_request, person)
    stake, stepped_back = find_stake(facts), own is not None and own.recused_at is not None
    found = facts["last_findings"] or ()
    obstacles = list_publication_obstacles(case)
    is_open = registration_request.state in REVIEW_STATES
    may_take = is_open and own is None and not stake
    declares = own is not None and own.declared_at is None and not stepped_back
    leads = permissions.is_lead(person) and not stake
    return QueueRow(
        registration_request=registration_request,
        kind=describe_request_kind(registration_request),
        aside=_("advice only") if registration_request.path == RequestPath.FAST_TRACK else "",
        checks=CheckSummary.of_now((each["severity"] for each in found), obstacles),
        step=describe_expert_step(registration_request, own, facts),
        company=describe_reviewers(registration_request, person),
        reviewers=Reviewers.of(registration_request),
        rivals=[each for each in group if each.pk != registration_request.pk],
        likeness=next((each["message"] for each in found if each["check"] == "nid.near"), ""),
        missing_consent=find_missing_consent(case),
        obstacles=(*waiting.challenges, *summarize_obstacles(obstacles)),
        news=facts["news"],
        waiting=waiting,
        warnings=conflicts_of_interest.list_conflict_hints(person, registration_request)
        if may_take or declares
        else [],
        declares=declares,
        calls=str(LEAD_CALL_REASONS.get(facts["calls_the_lead"], "")) if leads else "",
        may_take=may_take,
        may_step_back=not stepped_back
        and (own is not None or (is_open and not stake))
        and registration_request.state in RECUSAL_STATES,
        should_step_back=is_open and own is not None and not stepped_back and bool(stake),
        may_lead=leads and registration_request.state in RECUSAL_STATES,
    )


def describe_request_kind(registration_request: RegistrationRequest) -> str:
    """Describe briefly what is requested."""
    if registration_request.change != ChangeKind.NEW:
        return registration_request.get_change_display()
    return {
        RequestPath.COMMUNITY: _("Formal"),
        RequestPath.FAST_TRACK: _("Fast track"),
        RequestPath.INFORMAL: _("Informal"),
    }[RequestPath(registration_request.path)]


@dataclass(frozen=True, slots=True)
class OfficeRow:
    """One waiting request; `stake` says why the reader leaves it to another, if so.

    `obstacles` are why it cannot be registered now, if so.
    """

    registration_request: RegistrationRequest
    kind: str
    promised_by: datetime.date | None
    is_late: bool
    stake: str
    obstacles: tuple[str | Promise, ...]


def build_office_rows(
    found: Iterable[RegistrationRequest], another_acts: Callable[[str], str]
) -> list[OfficeRow]:
    """Return the rows of requests from `annotate_stake`.

    `another_acts` puts a stake into words, none into an empty text.
    """
    calendar = load_calendar()
    return [
        OfficeRow(
            each.request,
            describe_request_kind(each.request),
            promised,
            count_days_late(promised) > 0,
            another_acts(vars(each.request)["stake"]),
            summarize_obstacles(list_publication_obstacles(each)),
        )
        for each in open_cases(found)
        for promised in [each.request.find_promised_day(calendar)]
    ]


@dataclass(frozen=True, slots=True)
class RequestWithObstacles:
    """One request of a short list, and why it cannot be registered now, if so."""

    registration_request: RegistrationRequest
    obstacles: tuple[str | Promise, ...]


def pair_with_obstacles(requests: Iterable[RegistrationRequest]) -> list[RequestWithObstacles]:
    """Return `requests`, each with why it cannot be registered now."""
    return [
        RequestWithObstacles(each.request, summarize_obstacles(list_publication_obstacles(each)))
        for each in open_cases(requests)
    ]


MAX_UNREAD_EVENTS: Final = 8


@dataclass(frozen=True, slots=True)
class UnreadEvent:
    """One event by somebody else: who did what to which request, and where to read it."""

    event: Event
    registration_request: RegistrationRequest
    words: str
    url: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class UnreadActivity:
    """What happened after `moment`: on the reader's requests first, newest first."""

    moment: datetime.datetime
    news: list[UnreadEvent]
    more: bool


def find_unread_activity(person: User, moment: datetime.datetime) -> UnreadActivity:
    """Return what others did to public requests after `moment`, in one query."""
    found = [
        UnreadEvent(
            event,
            asked,
            describe_event(event),
            get_unread_event_url(event, asked),
            vars(event)["is_mine"],
        )
        for event in list_events_of_others(person, moment)[: MAX_UNREAD_EVENTS + 1]
        if (asked := event.registration_request)
    ]
    return UnreadActivity(moment, found[:MAX_UNREAD_EVENTS], len(found) > MAX_UNREAD_EVENTS)


def get_unread_event_url(event: Event, asked: RegistrationRequest) -> str:
    """Return where to read an event: the message, the text that was sent, or the history."""
    if enums.is_verb_of_kind(event.verb, VerbKind.SENDS_ROUND):
        return reverse("review:detail", args=[asked.slug])
    if message := event.data.get("message"):
        return reverse("requests:detail", args=[asked.slug]) + f"#c{message}"
    return reverse("requests:history", args=[asked.slug]) + f"#e{event.number}"
