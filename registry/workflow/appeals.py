"""Appeals against decisions: on what ground, by whom they are decided, and where they lead."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import AppealOutcome, Role, State, Words
from registry.models import Event, RegistrationRequest, User
from registry.selectors.appeals import (
    find_appealed_decision,
    find_pending_appeal,
    find_stay_end,
    is_ruling,
    list_appealable_decisions,
    list_appellants,
    list_open_grounds,
    list_possible_outcomes,
    may_be_appealed,
)
from registry.selectors.publication import list_publication_obstacles
from registry.workflow import effects
from registry.workflow.step import Step, depends_on_input


def find_state_when_appealed(step: Step) -> State | None:
    """A decline or a refusal comes under appeal; nothing else changes its state."""
    decision = find_contested_decision(step)
    if decision is None or is_ruling(decision):
        return None
    return State.APPEALED if decision.target in {State.DECLINED, State.REFUSED} else None


def find_contested_decision(step: Step) -> Event | None:
    """Return the decision that an appeal is against: the one it names, or else the newest."""
    decisions = list_appealable_decisions(step.registration_request)
    number = step.data.get("decision")
    return next((each for each in decisions if number in {None, "", each.number}), None)


def still_appealable(step: Step) -> Words:
    """There is a decision of the last two months with a ground that was not heard."""
    if may_be_appealed(step.registration_request):
        return ""
    return _(
        "No decision on this request can be appealed now: there is none of the last two months, "
        "an appeal is being heard, or every ground was heard. What you want to say about an "
        "appeal belongs in the discussion."
    )


@depends_on_input
def ground_not_heard(step: Step) -> Words:
    """What was heard on an appeal of a decision is not heard again; another ground is."""
    decision = find_contested_decision(step)
    if decision and step.data.get("ground") in list_open_grounds(decision):
        return ""
    return _(
        "The standards body does not hear this ground: it has heard it before, or no expert "
        "decided. Then only a broken rule of RFC 8141 or the recognition can be appealed."
    )


def record_appeal(step: Step) -> dict[str, Any]:
    """Record which decision is appealed, on what ground, and who had decided."""
    decision = find_contested_decision(step)
    assert decision is not None, "a condition has asked for it"
    cited = {"decision": decision.number, "ground": str(step.data["ground"])}
    return effects.note_round(step) | cited | {"decided_by": decision.actor_id}


def require_appeal(registration_request: RegistrationRequest) -> Event:
    """Return the appeal being heard, which must exist."""
    appeal = find_pending_appeal(registration_request)
    assert appeal is not None, "it was offered because of an appeal"
    return appeal


def appeal_is_heard(step: Step) -> Words:
    """There is an appeal to decide on."""
    if find_pending_appeal(step.registration_request):
        return ""
    return _("No appeal is being heard.")


def decided_by_another(step: Step) -> Words:
    """Nobody decides on an appeal of their own decision, where another member can."""
    if require_appeal(step.registration_request).data["decided_by"] != step.person.pk:
        return ""
    members = User.objects.filter(permissions.q_person_holds_role(Role.STANDARDS_BODY))
    others = members.exclude(pk=step.person.pk)
    if not any(permissions.may_direct(each, step.registration_request) for each in others):
        return ""
    return _("You took this decision. Another member of the standards body decides on the appeal.")


@depends_on_input
def outcome_possible(step: Step) -> Words:
    """The outcome is one that this appeal can have; nobody approves what cannot be published."""
    outcome = step.data.get("outcome")
    if outcome not in list_possible_outcomes(step.registration_request):
        return _("Choose an outcome that this appeal can have.")
    if find_state_when_decided(step) != State.APPROVED or outcome != AppealOutcome.ANEW:
        return ""
    obstacles = list_publication_obstacles(step.case)
    return " ".join(each.message for each in obstacles)


def find_state_when_decided(step: Step) -> State | None:
    """Where the outcome leads: a ruling and a registration never change their state."""
    registration_request, outcome = step.registration_request, step.data["outcome"]
    appeal = require_appeal(registration_request)
    decision = find_appealed_decision(appeal)
    if outcome == AppealOutcome.STANDS and registration_request.state == State.APPEALED:
        return State(decision.target)
    if is_ruling(decision) or outcome not in {AppealOutcome.GOES_BACK, AppealOutcome.ANEW}:
        return None
    if outcome == AppealOutcome.ANEW:
        if decision.target != State.APPROVED:
            return State.APPROVED
        return State.REFUSED if decision.source == State.REPORTED else State.DECLINED
    if registration_request.changes_facts:
        return State.CHANGES_REQUESTED
    if decision.source in {State.IN_REVIEW, State.REPORTED, State.ADVISORY}:
        return State(decision.source)
    return State.REPORTED if registration_request.standards_action else State.IN_REVIEW


def record_outcome(step: Step) -> dict[str, Any]:
    """Record how the appeal ended, and give or take back the draft as the new state has it."""
    target, registration_request = find_state_when_decided(step), step.registration_request
    told = {
        "outcome": str(step.data["outcome"]),
        "decision": require_appeal(registration_request).data["decision"],
    }
    registration_request.extended_to = None  # A stay that was extended is over, too.
    if target in {State.APPROVED, State.REFUSED}:
        return effects.drop_draft(step) | told
    if target in {State.ADVISORY, State.CHANGES_REQUESTED, State.DECLINED}:
        return effects.open_next_draft(step) | told
    return effects.note_round(step) | told


def describe_outcome(event: Event) -> Words:
    """Say how the standards body decided on an appeal."""
    return {
        AppealOutcome.STANDS: _("decided on the appeal: the decision stands"),
        AppealOutcome.GOES_BACK: _("decided on the appeal: it goes back for a new decision"),
        AppealOutcome.ANEW: _("decided on the appeal, and decided anew"),
        AppealOutcome.CORRECT: _("decided on the appeal: the entry is to be corrected"),
        AppealOutcome.DEPRECATE: _("decided on the appeal: the namespace is to be deprecated"),
    }[AppealOutcome(event.data["outcome"])]


def appeal_of_others_only(step: Step) -> Words:
    """A new round ends other people's appeal of a decline, but no other appeal."""
    registration_request = step.registration_request
    if registration_request.state != State.APPEALED:
        return ""
    decision = find_appealed_decision(require_appeal(registration_request))
    if decision.target != State.DECLINED:
        return _("The standards body hears an appeal. A new round can be sent once it has decided.")
    writers = User.objects.filter(permissions.q_person_may_write(registration_request))
    if list_appellants(registration_request).filter(pk__in=writers).exists():
        return _(
            "You have appealed yourself. The standards body decides first; or withdraw the request."
        )
    return ""


def may_be_written_on(registration_request: RegistrationRequest) -> bool:
    """Whether the next round can be sent; under appeal, only if the request was declined."""
    if registration_request.state != State.APPEALED:
        return True
    appeal = find_pending_appeal(registration_request)
    return appeal is not None and find_appealed_decision(appeal).target == State.DECLINED


def has_pending_appeal(registration_request: RegistrationRequest) -> bool:
    """Whether the standards body hears an appeal."""
    return find_pending_appeal(registration_request) is not None


def may_be_postponed(registration_request: RegistrationRequest) -> bool:
    """Whether there is a date to postpone: that of the decision, or the end of a stay."""
    is_approved = registration_request.state == State.APPROVED
    return not is_approved or find_stay_end(registration_request) is not None
