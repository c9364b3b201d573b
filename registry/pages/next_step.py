"""What an expert is to do with a request, or why it is not theirs to judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _, gettext_lazy

from registry.choices import BEFORE_EXPERTS, TURNS, State
from registry.models import Assignment, RegistrationRequest, User

STAKES: Final = {
    "author": gettext_lazy("You started this request."),
    "delegate": gettext_lazy("You are a delegate of the organization that asks."),
    "co_editor": gettext_lazy("You help to write this request."),
    "organization": gettext_lazy("You belong to the organization that asks."),
    "conflict": gettext_lazy("You declared a conflict of interest with the organization."),
}


def stake_of(facts: Mapping[str, Any]) -> str:
    """Return why the person does not judge a request, empty where nothing keeps them from it."""
    return facts["stake"] or ("conflict" if facts["has_conflict"] else "")


def own_assignment(registration_request: RegistrationRequest, person: User) -> Assignment | None:
    """Return what ties `person` as an expert to the request, one they stepped back from too."""
    assignments = registration_request.assignments.all()
    return next((each for each in assignments if each.expert_id == person.pk), None)


def next_step(
    registration_request: RegistrationRequest, own: Assignment | None, facts: Mapping[str, Any]
) -> str:
    """Return what the person is to do, or for whom the request waits."""
    state = State(registration_request.state)
    if stake := stake_of(facts):
        return others_judge(stake)
    if state not in BEFORE_EXPERTS:
        return _("Waits for %(whom)s") % {"whom": TURNS[state].label}
    if own is None:
        return _("Take it, or recuse yourself")
    return own_step(state, own, facts)


def own_step(state: State, own: Assignment, facts: Mapping[str, Any]) -> str:
    """Return what an expert is to do who has come to the request."""
    if own.recused_at:
        return _("You stepped back")
    if own.declared_at is None:
        return _("Declare that you have no conflict, or recuse yourself")
    if facts["has_approved"]:
        return _("Approved by you; another expert is to decide")
    if state == State.ADVISORY:
        return _("Give advice")
    if facts["rounds_sent"] == 1:
        return _("First reading")
    return _("Read what changed in round %(round)d") % {"round": facts["rounds_sent"]}


def others_judge(stake: str) -> str:
    """Return why the person does not judge the request, by what makes it theirs."""
    return _("%(reason)s Other experts judge it.") % {"reason": STAKES[stake]}


def why_not(registration_request: RegistrationRequest, person: User) -> str:
    """Return why `person` cannot decide on a request from `workload.for_queue`."""
    state, own = State(registration_request.state), own_assignment(registration_request, person)
    if stake := stake_of(vars(registration_request)):
        return others_judge(stake)
    if state not in BEFORE_EXPERTS:
        told = {"state": state.label, "whom": TURNS[state].label}
        return _("The request is in the state “%(state)s” and waits for %(whom)s.") % told
    if own and own.recused_at:
        return _("You stepped back from this request.")
    return _("Deciding is for an expert who has taken the request.")
