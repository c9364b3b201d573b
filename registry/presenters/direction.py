"""What is waiting for the standards body, and what it reads before it decides."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from registry import enums
from registry.actions import recognition
from registry.enums import SpeakerState, State, Turn, VerbKind
from registry.journal.event_messages import EventMessage, describe_events
from registry.models import Event, Recognition, RegistrationRequest, Round, Speaker, User
from registry.models.dates import load_calendar
from registry.presenters import review_queue
from registry.presenters.requests import compare_rounds
from registry.presenters.review_queue import OfficeRow
from registry.presenters.reviewers import STAKE_REASONS
from registry.selectors.appeals import list_requests_under_appeal
from registry.selectors.consent import list_objected_requests
from registry.selectors.recognition_clock import find_promised_answer
from registry.selectors.request_clock import list_requests_of_turn
from registry.selectors.requests import requests_in_state
from registry.selectors.review_queue import annotate_stake
from registry.selectors.speakers import waiting_for_officers
from registry.selectors.turns import count_days_late
from registry.template import SectionDiff

DECIDING_KINDS: Final = (VerbKind.EXPERT_DECISION, VerbKind.ASKS_FOR_CHANGES, VerbKind.RULING)


@dataclass(frozen=True, slots=True)
class RecognitionRow:
    """One body that asks to be recognised, and by when it was promised an answer."""

    recognition: Recognition
    promised_by: datetime.date
    is_late: bool


def build_ruling_rows(person: User, state: State) -> list[OfficeRow]:
    """Return the rows of requests in one state."""
    return review_queue.build_office_rows(
        annotate_stake(person, requests_in_state(state)), explain_other_ruling
    )


def build_objection_rows(person: User) -> list[OfficeRow]:
    """Return the rows of requests to which the holder objects."""
    return review_queue.build_office_rows(
        annotate_stake(person, list_objected_requests()), explain_other_ruling
    )


def list_stopped_speakers() -> QuerySet[Speaker]:
    """Return whom the standards body has to rule on, the longest waiting first."""
    return waiting_for_officers().filter(state=SpeakerState.STOPPED).order_by("state_since")


def explain_other_ruling(stake: str) -> str:
    """Return why the person does not decide, or nothing if they have no stake."""
    if not stake:
        return ""
    return _("%(reason)s Another member of the standards body decides.") % {
        "reason": STAKE_REASONS[stake]
    }


def build_appeal_rows(person: User) -> list[OfficeRow]:
    """Return the rows of requests of which an appeal is heard, whatever their state."""
    return review_queue.build_office_rows(
        annotate_stake(person, list_requests_under_appeal()), explain_other_ruling
    )


def build_other_rows(person: User) -> list[OfficeRow]:
    """Return the rows of what waits for the standards body because nobody else can act."""
    others = RegistrationRequest.objects.filter(state__in=(State.IN_REVIEW, State.APPROVED))
    waiting = list_requests_of_turn(others, Turn.STANDARDS_BODY)
    found = others.filter(pk__in=waiting).select_related("organization", "namespace")
    return review_queue.build_office_rows(
        annotate_stake(person, found.order_by("state_since", "pk")), explain_other_ruling
    )


def build_recognition_rows() -> list[RecognitionRow]:
    """Return the rows of bodies that ask to be recognised."""
    calendar = load_calendar()
    return [
        RecognitionRow(each, promised, count_days_late(promised) > 0)
        for each in recognition.pending_recognitions()
        for promised in [find_promised_answer(each, calendar)]
    ]


def count_awaiting_ruling() -> int:
    requests = requests_in_state(State.REPORTED).count() + list_requests_under_appeal().count()
    stopped = list_stopped_speakers().count()
    return requests + recognition.pending_recognitions().count() + stopped


@dataclass(frozen=True)
class RulingContext:
    """One request before the standards body: its last text, and what was said about it."""

    registration_request: RegistrationRequest

    @cached_property
    def rounds(self) -> list[Round]:
        return list(self.registration_request.rounds.sent().order_by("number"))

    @property
    def round(self) -> Round:
        """The last round, which the decision will be about."""
        return self.rounds[-1]

    @property
    def before(self) -> Round | None:
        """The round before it, if there was one."""
        return self.rounds[-2] if len(self.rounds) > 1 else None

    @property
    def differences(self) -> tuple[SectionDiff, ...]:
        """What changed in the last round."""
        return compare_rounds(self.before, self.round) if self.before else ()

    @cached_property
    def events(self) -> list[Event]:
        """All events of the request, newest first."""
        return list(self.registration_request.events.order_by("-number"))

    def list_events(self, *kinds: VerbKind) -> list[Event]:
        """Return the events of these kinds, newest first."""
        return [event for event in self.events if enums.is_verb_of_kind(event.verb, *kinds)]

    @property
    def reports(self) -> list[EventMessage]:
        """The experts' reports, newest first."""
        return describe_events(self.list_events(VerbKind.REPORT))

    @property
    def appeals(self) -> list[EventMessage]:
        """Who appealed against what, newest first."""
        return describe_events(self.list_events(VerbKind.APPEAL))

    @property
    def decisions(self) -> list[EventMessage]:
        """Earlier decisions except reports, newest first."""
        reports = self.list_events(VerbKind.REPORT)
        decided = self.list_events(*DECIDING_KINDS)
        return describe_events(event for event in decided if event not in reports)

    @property
    def is_of_this_text(self) -> bool:
        """Whether the last report is about the same text that is before the body."""
        spoken = self.list_events(VerbKind.REPORT)
        return bool(spoken) and spoken[0].data.get("sha256") == self.round.sha256
