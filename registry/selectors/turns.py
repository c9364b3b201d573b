"""Whose turn it is, since when, promised by when, and what happens then (docs/process.md)."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.enums import LIVE_STATES, ObstacleKind, State, Turn
from registry.journal.event_messages import NEXT_PHRASES
from registry.models import RegistrationRequest, User
from registry.permissions import SECOND_OFFICER_CHANGES, is_complete_without_recognition
from registry.selectors.appeals import find_stay_end
from registry.selectors.case import RequestCase
from registry.selectors.challenges import describe_challenge
from registry.selectors.consent import find_missing_consent, list_people_who_can_consent
from registry.selectors.deadlines import (
    find_local_day,
    list_coming_deadlines,
)
from registry.selectors.publication import describe_void_decision
from registry.selectors.request_clock import RequestClock, read_request_clock, read_request_clocks

Words = str | Promise

NEXT_UNTAKEN: Final = gettext_lazy(
    "The lead expert assigns an expert, or an expert takes it; otherwise the rota assigns one."
)
NEXT_NO_CANDIDATE: Final = gettext_lazy(
    "None of the experts can review it. The standards body assigns somebody for this request, or "
    "reviews it itself (RFC 8126, section 5.2)."
)
NEXT_ADMINISTRATOR: Final = gettext_lazy(
    "None of the people whose turn it is can act. An administrator has to give somebody the "
    "role, or name somebody who acts for the organization."
)
NEXT_AFTER_PAUSE: Final[dict[Turn, Words]] = {
    Turn.HOLDER: gettext_lazy(
        "It continues once every organization that it speaks for has consented, and that is in "
        "effect. "
        "Until then everybody else’s time limits are paused."
    ),
    Turn.REGISTRAR: gettext_lazy(
        "It continues once the organization consents: somebody shows that they speak for it, or "
        "the registrar records its consent. Until then everybody else’s time limits are paused."
    ),
    Turn.STANDARDS_BODY: gettext_lazy(
        "It continues once the standards body has decided whether to recognise the organization "
        "for the fast track. Until then everybody else’s time limits are paused."
    ),
}
NEXT_WITHOUT_RECOGNITION: Final = gettext_lazy(
    "The recognition of the organization was taken back. The standards body asks for changes, so "
    "that it can take another path, or recognises it again once it asks. Until then everybody "
    "else’s time limits are paused."
)
NEXT_WHILE_HELD: Final = gettext_lazy(
    "It continues once the identifier is no longer held back: the hold ends on its day, or the "
    "standards body ends it or answers an appeal. Until then everybody else’s time limits are "
    "paused."
)
NEXT_WHILE_STAYED: Final = gettext_lazy(
    "It continues once the standards body has decided on the appeal, or its days are over. Until "
    "then everybody else’s time limits are paused."
)
NEXT_FACTS_SENT: Final = gettext_lazy("The registrar checks the proof and enters the change.")
NEXT_FACTS_TWO_OFFICERS: Final = gettext_lazy(
    "The registrar checks the proof, a second officer confirms it, and the change is entered."
)
NEXT_FACTS_DRAFT: Final = gettext_lazy(
    "Once it is sent, the request is public and the registrar checks the proof."
)

END_REOPENABLE: Final = gettext_lazy("It is closed; the registrant can reopen it.")
END_PHRASES: Final[dict[State, Words]] = {
    State.REGISTERED: gettext_lazy("It is closed: the result is published."),
    State.WITHDRAWN: END_REOPENABLE,
    State.EXPIRED: END_REOPENABLE,
    State.REFUSED: gettext_lazy(
        "It is closed; the refusal can be appealed, and the registrant can reopen it."
    ),
}


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence with a day in it, written as `%(day)s`."""

    words: Words
    day: datetime.date


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """Whom the request of `case` waits for, and for how long it may.

    `who` is the role, with the names of the experts if it is their turn; `people` are the names of
    those who can act today, as far as they are public. `then` says what happens next, `otherwise`
    what happens if it does not; `alarm` what should never have happened.
    """

    case: RequestCase
    turn: Turn
    who: str
    people: tuple[str, ...]
    since: datetime.datetime
    promised_by: datetime.date | None
    days_late: int
    then: Words
    otherwise: tuple[DatedSentence, ...]
    alarm: str
    challenges: tuple[str, ...] = ()
    """Who has to answer the challenges of its experts, and until when."""

    @property
    def is_over(self) -> bool:
        """Whether the request has ended and waits for nobody."""
        return self.turn == Turn.NOBODY

    @property
    def is_late(self) -> bool:
        """Whether the promised day is over."""
        return self.days_late > 0

    @property
    def late(self) -> str:
        """How late it is: "2 days late", empty when it is not."""
        return describe_lateness(self.days_late)


def find_current_turn(
    registration_request: RegistrationRequest, now: datetime.datetime | None = None
) -> CurrentTurn:
    """Return whom one request waits for."""
    return describe_turn(read_request_clock(registration_request), now or timezone.now())


def find_current_turns(
    requests: Sequence[RegistrationRequest], now: datetime.datetime | None = None
) -> dict[int, CurrentTurn]:
    """Return whom each request waits for, by key; many cost as many queries as one."""
    moment = now or timezone.now()
    return {
        each.registration_request.pk: describe_turn(each, moment)
        for each in read_request_clocks(requests)
    }


def list_turns_to_consent(person: User) -> list[CurrentTurn]:
    """Return what waits for the consent of a body that `person` speaks for, longest first."""
    if not person.speaking.in_effect().exists():
        return []
    sent = RegistrationRequest.objects.for_lists().filter(state__in=LIVE_STATES - {State.DRAFT})
    turns = find_current_turns(list(sent.order_by("state_since", "pk"))).values()
    return [
        each
        for each in turns
        if (missing := find_missing_consent(each.case))
        and missing.kind == ObstacleKind.CONSENT
        and person in list_people_who_can_consent(each.case)
    ]


def describe_turn(standing: RequestClock, now: datetime.datetime) -> CurrentTurn:
    """Describe the state of a request in words."""
    promised = find_promised_day(standing)
    return CurrentTurn(
        case=standing.case,
        turn=standing.turn,
        who=name_turn_holders(standing),
        people=name_actors(standing),
        since=standing.since,
        promised_by=promised,
        days_late=count_days_late(promised, now),
        then=describe_next_step(standing),
        otherwise=tuple(
            DatedSentence(deadline.warning, deadline.day)
            for deadline in list_coming_deadlines(standing, now)
        ),
        alarm=find_publication_alarm(standing, now),
        challenges=tuple(describe_challenge(each) for each in standing.challenges),
    )


def find_promised_day(standing: RequestClock) -> datetime.date | None:
    """Return what was promised, which only an office of the registry does."""
    calendar = standing.calendar
    if standing.is_paused:
        # The standards body promises to answer, as it does a report; a hold has its own day.
        if standing.paused_for != Turn.STANDARDS_BODY or standing.is_nid_held:
            return None
        promised = calendar.add_days(standing.since, calendar.dates.decision_days)
        return find_stay_end(standing.registration_request) or find_local_day(promised)
    return standing.registration_request.find_promised_day(calendar)


def count_days_late(promised: datetime.date | None, now: datetime.datetime | None = None) -> int:
    """Return how many days ago the promised day was over; without a promise nothing is late."""
    return max(0, (find_local_day(now or timezone.now()) - promised).days) if promised else 0


def describe_lateness(days: int) -> str:
    """Say how late something is: "2 days late", empty when it is not."""
    if not days:
        return ""
    return ngettext("%(days)d day late", "%(days)d days late", days) % {"days": days}


def name_turn_holders(standing: RequestClock) -> str:
    """Name the role, and the experts if it is their turn."""
    if standing.turn != Turn.EXPERTS:
        return str(standing.turn.label)
    names = join_names(sorted(str(each.expert) for each in standing.experts))
    return ngettext(
        "the designated expert %(names)s", "the designated experts %(names)s", len(standing.experts)
    ) % {"names": names}


def name_actors(standing: RequestClock) -> tuple[str, ...]:
    """Name those who can act today: experts and officers; of the registrant's side its author.

    Who else acts for an organization is shown nowhere. If an office looks after what the holder has
    to say, its people are named.
    """
    people, author = standing.actors.people, standing.registration_request.author_id
    if standing.turn == Turn.HOLDER and not standing.actors.are_officers:
        return ()
    if standing.turn in {Turn.REGISTRANT, Turn.BODY}:
        people = tuple(each for each in people if each.pk == author)
    return tuple(each.name for each in people if each.name)


def join_names(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: "A", "A and B", "A, B and C"; empty for none."""
    *others, last = list(names) or [""]
    if not others:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}


def describe_next_step(standing: RequestClock) -> Words:
    """Return what happens next, or what can still be done after the end."""
    registration_request, state = standing.registration_request, standing.registration_request.state
    if standing.turn == Turn.ADMINISTRATOR:
        return NEXT_ADMINISTRATOR
    if stop_text := describe_stop(standing):
        return stop_text
    if standing.paused_for:
        words = describe_pause(standing, standing.paused_for)
        # Say already who comes after the pause, and what they do.
        is_approved = registration_request.changes_facts and state == State.APPROVED
        return f"{words} {describe_facts_approved(registration_request)}" if is_approved else words
    if state == State.IN_REVIEW and standing.is_untaken:
        return NEXT_UNTAKEN if standing.actors.has_candidates else NEXT_NO_CANDIDATE
    if state in END_PHRASES:
        return END_PHRASES[State(state)]
    if registration_request.changes_facts and state == State.APPROVED:
        return describe_facts_approved(registration_request)
    if registration_request.changes_facts and state == State.DRAFT:
        return NEXT_FACTS_DRAFT
    return NEXT_PHRASES.get(State(state), "")


def describe_pause(standing: RequestClock, turn: Turn) -> Words:
    """Return what everybody waits for, given whose turn it is meanwhile."""
    if standing.is_nid_held:
        return NEXT_WHILE_HELD
    if turn == Turn.STANDARDS_BODY and find_stay_end(standing.registration_request):
        return NEXT_WHILE_STAYED
    if turn == Turn.STANDARDS_BODY and is_complete_without_recognition(
        standing.registration_request
    ):
        return NEXT_WITHOUT_RECOGNITION
    return NEXT_AFTER_PAUSE[turn]


def describe_stop(standing: RequestClock) -> str:
    """Return why its experts cannot go on: nobody is left unchallenged, or a decision is void."""
    if standing.challenges and standing.turn != Turn.EXPERTS:
        return describe_challenge(standing.challenges[0])
    return describe_void_decision(standing.void_decision) if standing.void_decision else ""


def describe_facts_approved(registration_request: RegistrationRequest) -> Words:
    """Return how a change of facts is entered, by one officer or by two."""
    if registration_request.change in SECOND_OFFICER_CHANGES:
        return NEXT_FACTS_TWO_OFFICERS
    return NEXT_FACTS_SENT


def find_approval_time(registration_request: RegistrationRequest) -> datetime.datetime | None:
    """Return when the request was last approved: the time for publishing runs from then on."""
    approvals = registration_request.events.filter(target=State.APPROVED)
    return (
        approvals.exclude(source=State.APPROVED)
        .order_by("-number")
        .values_list("at", flat=True)
        .first()
    )


def find_publication_alarm(standing: RequestClock, now: datetime.datetime) -> str:
    """Return the alarm about an approved request that nobody publishes, if it has come to that."""
    if standing.registration_request.state != State.APPROVED or standing.is_paused:
        return ""
    calendar = standing.calendar
    if calendar.add_days(standing.since, calendar.dates.first_reminder_days) > now:
        return ""
    days = (find_local_day(now) - find_local_day(standing.since)).days
    return ngettext(
        "Alarm: approved %(days)d day ago, and not registered yet.",
        "Alarm: approved %(days)d days ago, and not registered yet.",
        days,
    ) % {"days": days}
