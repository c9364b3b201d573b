"""The experts on a request: who they are, who could be chosen, and the next step of each."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry import permissions
from registry.enums import (
    REVIEW_STATES,
    TURN_BY_STATE,
    State,
)
from registry.models import Assignment, RegistrationRequest, User


@dataclass(frozen=True, slots=True)
class Reviewer:
    """One expert on a request, and their progress."""

    expert: User
    since: datetime.datetime
    stands: str
    away_until: datetime.date | None


@dataclass(frozen=True, slots=True)
class Reviewers:
    """The experts on one request."""

    members: list[Reviewer]

    @classmethod
    def of(cls, registration_request: RegistrationRequest) -> Reviewers:
        """Return the experts on a request from `annotate_for_queue`."""
        members = [
            Reviewer(
                each.expert,
                each.assigned_at,
                describe_reviewer_progress(each),
                vars(each)["away_until"],
            )
            for each in list_active_assignments(registration_request)
        ]
        return cls(members)


def list_active_assignments(registration_request: RegistrationRequest) -> list[Assignment]:
    """Return the assignments of those who have not stepped back."""
    return [each for each in registration_request.assignments.all() if not each.recused_at]


def describe_reviewer_progress(assignment: Assignment) -> str:
    """Return an expert's progress with a request, or that they do not count."""
    if assignment.unable_since:
        return _("cannot judge it now")
    return _("reviews it") if assignment.declared_at else _("has not acted on it yet")


def describe_reviewers(registration_request: RegistrationRequest, person: User) -> str:
    """Say who is on the request: "You and 1 other", "2 experts", "Nobody yet"."""
    on_it = list_active_assignments(registration_request)
    others = sum(each.expert_id != person.pk for each in on_it)
    if len(on_it) > others:
        words = ngettext("You and %(others)d other", "You and %(others)d others", others)
        return words % {"others": others} if others else _("You")
    if not others:
        return _("Nobody yet")
    return ngettext("%(count)d expert", "%(count)d experts", others) % {"count": others}


STAKE_REASONS: Final = {
    "author": gettext_lazy("You started this request."),
    "delegate": gettext_lazy("You are a delegate of the organization that asks."),
    "co_editor": gettext_lazy("You help to write this request."),
    "organization": gettext_lazy("You belong to the organization that asks."),
    "holder": gettext_lazy("You have a tie to the namespace's holder."),
    "conflict": gettext_lazy("You declared a conflict of interest with the organization."),
}


def find_stake(facts: Mapping[str, Any]) -> str:
    """Return why the person does not judge a request, empty if they can."""
    return facts["stake"] or ("conflict" if facts["has_conflict"] else "")


def find_own_assignment(
    registration_request: RegistrationRequest, person: User
) -> Assignment | None:
    """Return the assignment of `person` on the request, even if they stepped back."""
    assignments = registration_request.assignments.all()
    return next((each for each in assignments if each.expert_id == person.pk), None)


def describe_expert_step(
    registration_request: RegistrationRequest, own: Assignment | None, facts: Mapping[str, Any]
) -> str:
    """Say what the person should do, or whose turn it is."""
    state = State(registration_request.state)
    if stake := find_stake(facts):
        return explain_others_judge(stake)
    if state not in REVIEW_STATES:
        return _("Waits for %(whom)s") % {"whom": TURN_BY_STATE[state].label}
    if own is None:
        return _("Take it, or recuse yourself")
    return describe_own_step(state, own, facts)


def describe_own_step(state: State, own: Assignment, facts: Mapping[str, Any]) -> str:
    """Say what an expert on the request should do."""
    if own.recused_at:
        return _("You stepped back")
    if state == State.ADVISORY:
        return _("Give advice")
    if facts["rounds_sent"] == 1:
        return _("First reading")
    return _("Read what changed in round %(round)d") % {"round": facts["rounds_sent"]}


def explain_others_judge(stake: str) -> str:
    """Return why the person does not judge the request, by what ties them to it."""
    return _("%(reason)s Other experts decide it.") % {"reason": STAKE_REASONS[stake]}


def explain_no_decision(registration_request: RegistrationRequest, person: User) -> str:
    """Return why `person` cannot decide on a request."""
    state = State(registration_request.state)
    if stake := permissions.name_stake(person, registration_request):
        return explain_others_judge(stake)
    if permissions.has_declared_conflict(person, registration_request):
        return explain_others_judge("conflict")
    if state not in REVIEW_STATES:
        told = {"state": state.label, "whom": TURN_BY_STATE[state].label}
        return _("The request is in the state “%(state)s” and waits for %(whom)s.") % told
    if permissions.has_stepped_back(person, registration_request):
        return _("You stepped back from this request.")
    return _("Only an expert who has taken the request can decide.")
