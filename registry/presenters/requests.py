"""Requests as everybody reads them: rows, head, stages, tabs, and changes between rounds."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, ngettext

from registry import selectors
from registry.enums import (
    END_STATES,
    LIVE_STATES,
    RequestPath,
    State,
    Turn,
)
from registry.models import RegistrationRequest, Round
from registry.permissions import Person
from registry.presenters import facts
from registry.presenters.editor import PageTab
from registry.selectors import CurrentTurn
from registry.selectors.appeals import find_promised_outcome
from registry.selectors.consent import describe_author, find_missing_consent
from registry.selectors.publication import (
    list_other_obstacles,
    list_publication_obstacles,
    summarize_obstacles,
)
from registry.selectors.requests import (
    MAX_SIMILAR_SHOWN,
    count_talk,
    find_reopened_request,
    find_reopening_request,
    group_contenders,
)
from registry.selectors.shown_states import ShownState, find_shown_state
from registry.selectors.turns import (
    count_days_late,
    describe_lateness,
    find_approval_time,
)
from registry.template import SectionDiff, Template, diff, unchanged

DECISION_STATES = frozenset({State.REPORTED, State.APPEALED, State.DECLINED})
"""The last round is under review and discussion; the decision is open, or was made."""


@dataclass(frozen=True, slots=True)
class RequestStage:
    """A stage of the process: when it was or is promised, and whether it is over or current."""

    name: str
    note: str = ""
    since: datetime.datetime | datetime.date | None = None
    until: datetime.datetime | None = None
    promised: datetime.date | None = None
    late: str = ""
    done: bool = False
    current: bool = False


def build_stages(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: CurrentTurn
) -> list[RequestStage]:
    """Return the stages of a request whose submitted rounds are `rounds`, oldest first."""
    return [
        *build_past_stages(rounds),
        build_present_stage(registration_request, rounds, waiting),
        *build_stages_ahead(registration_request, rounds, waiting),
    ]


def build_past_stages(rounds: Sequence[Round]) -> list[RequestStage]:
    """Return what is over: the first arrival, and the rounds before the last two as one."""
    if not rounds:
        return []
    over = [RequestStage(_("Received"), since=rounds[0].submitted_at, done=True)]
    if len(rounds) > 2:
        name = _("Rounds 1 to %(last)d") % {"last": len(rounds) - 2}
        until = rounds[-2].submitted_at
        over.append(RequestStage(name, since=rounds[0].submitted_at, until=until, done=True))
    if len(rounds) > 1:
        earlier = rounds[-2]
        name = _("Round %(number)d") % {"number": earlier.number}
        until = rounds[-1].submitted_at
        over.append(RequestStage(name, since=earlier.submitted_at, until=until, done=True))
    return over


def build_present_stage(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: CurrentTurn
) -> RequestStage:
    """Return the last round sent, or the draft if none was."""
    state = State(registration_request.state)
    is_over = state in END_STATES | DECISION_STATES | {State.APPROVED}
    if not rounds:
        return RequestStage(
            _("Draft"),
            since=registration_request.created_at,
            done=is_over,
            current=not is_over,
        )
    last = rounds[-1]
    name = _("Round %(number)d") % {"number": last.number}
    if is_over:
        return RequestStage(name, since=last.submitted_at, done=True)
    return RequestStage(
        f"{name}, {state.label.lower()}",
        describe_whose_turn(waiting),
        since=waiting.since,
        late=waiting.late if waiting.turn == Turn.LEAD else "",
        current=True,
    )


def build_stages_ahead(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: CurrentTurn
) -> list[RequestStage]:
    """Return decision and registration, each with its own deadline, or the end without them."""
    about = registration_request, rounds, waiting
    state, since = State(registration_request.state), registration_request.state_since
    if state in END_STATES - {State.REGISTERED}:
        return [RequestStage(str(state.label), since=since, current=True)]
    decided = [] if registration_request.changes_facts else [build_decision_stage(*about)]
    if state == State.DECLINED:
        return decided
    if state == State.REGISTERED:
        return [*decided, RequestStage(_("Registered"), since=since, current=True)]
    if state == State.APPROVED:
        return [*decided, build_registration_stage(waiting)]
    return [*decided, RequestStage(_("Registration"), _("By the registrar"))]


def build_decision_stage(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: CurrentTurn
) -> RequestStage:
    """Return the decision: what it was, or who makes it by when."""
    state = State(registration_request.state)
    if state in {State.APPROVED, State.REGISTERED}:
        at = find_approval_time(registration_request)
        return RequestStage(_("Decision"), describe_approval_time(rounds, at), since=at, done=True)
    if state in DECISION_STATES:
        return RequestStage(
            _("Decision"),
            str(state.label),
            since=registration_request.state_since,
            promised=waiting.promised_by,
            late=waiting.late,
            current=True,
        )
    if registration_request.path == RequestPath.FAST_TRACK:
        return RequestStage(_("Decision"), _("By the organization that asks"))
    promised = registration_request.promised_by
    return RequestStage(
        _("Decision"), promised=promised, late=describe_lateness(count_days_late(promised))
    )


def build_registration_stage(waiting: CurrentTurn) -> RequestStage:
    """Return the registration of what was approved: its time starts with the approval."""
    return RequestStage(
        _("Registration"),
        describe_whose_turn(waiting),
        since=waiting.since,
        promised=waiting.promised_by,
        late=waiting.late,
        current=True,
    )


def describe_approval_time(rounds: Sequence[Round], at: datetime.datetime | None) -> str:
    """Say that it was approved, and how long that took since the first round."""
    first = rounds[0].submitted_at if rounds else None
    days = (at.date() - first.date()).days if at and first else 0
    if not days:
        return _("Approved")
    return ngettext("Approved after %(days)d day", "Approved after %(days)d days", days) % {
        "days": days
    }


def describe_whose_turn(waiting: CurrentTurn) -> str:
    """Say whose turn it is; empty if it is nobody's."""
    return "" if waiting.is_over else _("Waiting for %(who)s") % {"who": waiting.who}


def pair_with_waiting(
    requests: Sequence[RegistrationRequest],
) -> list[tuple[RegistrationRequest, CurrentTurn]]:
    """Return each request with whom it waits for; queries the database once for all."""
    found = selectors.find_current_turns(requests)
    return [(each, found[each.pk]) for each in requests]


def compare_rounds(old: Round, new: Round) -> tuple[SectionDiff, ...]:
    """Return the fields that differ; Version and Date are the registry's and do not count."""
    return diff(*drop_registry_fields(old, new))


def count_unchanged_fields(old: Round, new: Round) -> int:
    """Return how many fields are unchanged."""
    return len(unchanged(*drop_registry_fields(old, new)))


def drop_registry_fields(old: Round, new: Round) -> list[Template]:
    """Return both texts without the fields that the registry fills in."""
    return [each.template.replace(version="", date="") for each in (old, new)]


def build_request_head(
    registration_request: RegistrationRequest,
    rounds: Sequence[Round],
    current: str,
    reader: Person,
) -> dict[str, Any]:
    """Return what the head of every public page of a request shows to a reader."""
    waiting = selectors.find_current_turn(registration_request)
    is_live, case = registration_request.state in LIVE_STATES, waiting.case
    return {
        "registration_request": registration_request,
        "rounds": rounds,
        "last_round": rounds[-1] if rounds else None,
        "stages": build_stages(registration_request, rounds, waiting),
        "tabs": list_request_tabs(registration_request, rounds, current) if rounds else [],
        "turn": waiting,
        "is_live": is_live,
        "rivals": selectors.list_rival_requests(registration_request) if is_live and rounds else [],
        "similar": selectors.list_similar_requests(registration_request, MAX_SIMILAR_SHOWN)
        if is_live and rounds
        else [],
        "reopens": find_reopened_request(registration_request, reader),
        "reopened_as": find_reopening_request(registration_request, reader),
        "case": case,
        "missing_consent": find_missing_consent(case) if rounds else None,
        "asked_by": describe_author(case) if rounds else "",
        "obstacles": list_other_obstacles(case),
        "appeal_promised_by": find_promised_outcome(registration_request),
    }


def diff_rounds(
    registration_request: RegistrationRequest, old: Round, new: Round
) -> tuple[SectionDiff, ...]:
    """Return what changed from one round to the next: in its text, or in the facts."""
    if registration_request.changes_facts:
        return facts.diff_fact_sections(old.facts, new.facts)
    return compare_rounds(old, new)


def list_request_tabs(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> list[PageTab]:
    """Return the parts of a public request, each with its own address."""
    slug, last = registration_request.slug, rounds[-1]
    said = registration_request.messages.public().count()
    title = _("Template, round %(number)d") % {"number": last.number}
    tabs = [
        PageTab(
            _("Discussion"),
            registration_request.get_absolute_url(),
            current == "discussion",
            describe_talk_in_tab(said, registration_request.remarks.open().questions().count()),
        ),
        PageTab(title, reverse("requests:template", args=[slug]), current == "template"),
    ]
    if len(rounds) > 1:
        tabs.append(build_changes_tab(registration_request, rounds, current))
    tabs.append(
        PageTab(_("History"), reverse("requests:history", args=[slug]), current == "history")
    )
    return tabs


def describe_talk_in_tab(comments: int, questions: int) -> str:
    """Return the count on the tab: the comments, and any open questions."""
    if not questions:
        return str(comments or "")
    asked = ngettext("%(count)d open question", "%(count)d open questions", questions)
    return ", ".join([str(comments)] * bool(comments) + [asked % {"count": questions}])


def build_changes_tab(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> PageTab:
    """Return the part that compares the last two rounds."""
    before, last = rounds[-2], rounds[-1]
    count = len(diff_rounds(registration_request, before, last))
    return PageTab(
        _("Changes from round %(number)d") % {"number": before.number},
        reverse("requests:changes", args=[registration_request.slug, before.number, last.number]),
        current == "changes",
        ngettext("%(count)d section", "%(count)d sections", count) % {"count": count},
    )


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request of the list; `rivals` are the references of those that it contends with.

    `obstacles` say why it cannot be registered now, if so.
    """

    registration_request: RegistrationRequest
    waiting: CurrentTurn
    state: ShownState
    rivals: Sequence[str] = ()
    obstacles: Sequence[str | Promise] = ()
    talk: str = ""
    """How much was said, and what is asked: "3 comments, 1 open question"."""


def build_request_rows(requests: Sequence[RegistrationRequest]) -> list[RequestRow]:
    """Return a row for each of `requests`; queries the database once for all."""
    contenders = group_contenders(requests)
    talk = count_talk(requests)
    return [
        RequestRow(
            each,
            waiting,
            find_shown_state(waiting.case),
            select_rivals(contenders.get((each.nid, each.namespace_id), []), each),
            summarize_obstacles(list_publication_obstacles(waiting.case)),
            describe_talk(*talk.get(each.pk, (0, 0))),
        )
        for each, waiting in pair_with_waiting(requests)
    ]


def describe_talk(comments: int, questions: int) -> str:
    """Return how much was said about a request, and how many questions of experts are open."""
    said = ngettext("%(count)d comment", "%(count)d comments", comments) % {"count": comments}
    asked = ngettext("%(count)d open question", "%(count)d open questions", questions)
    found = [said] if comments else []
    return ", ".join([*found, asked % {"count": questions}] if questions else found)


def select_rivals(holders: Sequence[RegistrationRequest], own: RegistrationRequest) -> list[str]:
    """Return the references of the others that contend, if `own` is one of them."""
    return sorted(each.reference for each in holders if each != own) if own in holders else []
