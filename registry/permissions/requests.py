"""Who takes the steps of a request that are not the registrant's or a judgement."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from django.db.models import F
from django.utils import timezone

from registry import enums
from registry.enums import LIVE_STATES, REVIEW_STATES, ChangeKind, Role, State, VerbKind
from registry.models import Absence, Event, RegistrationRequest, User
from registry.models.dates import load_calendar
from registry.permissions.experts import (
    has_stepped_back,
    is_assigned_expert,
    is_temporarily_assigned,
    may_lead,
    may_take,
)
from registry.permissions.facts import Person, remember_fact
from registry.permissions.people import (
    has_confirmed_address,
    holds_role,
    is_expert,
    is_registrar,
    q_person_holds_role,
)
from registry.permissions.stakes import (
    STAKES,
    is_party,
    is_registrant,
)


def may_publish(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may publish this request: the registrar, with no stake in it.

    If every registrar has one or is away, it has waited too long for them, or its body is not
    recognised any more, the standards body does it.
    """
    if is_party(person, registration_request):
        return False
    return is_registrar(person) or (
        holds_role(person, Role.STANDARDS_BODY)
        and (
            is_complete_without_recognition(registration_request)
            or lacks_registrar(registration_request)
            or has_waited_for_registrar(registration_request)
        )
    )


def is_complete_without_recognition(registration_request: RegistrationRequest) -> bool:
    """Whether the recognition of a body that asked for registration was taken back since."""
    is_approved = registration_request.state == State.APPROVED
    return is_approved and registration_request.lacks_recognition


def has_waited_for_registrar(registration_request: RegistrationRequest) -> bool:
    """Whether it has waited so long that the standards body may do the registrar's work on it."""
    key = ("has waited for registrar", registration_request.pk, registration_request.revision)
    return remember_fact(
        key, lambda: registration_request.has_waited_for_registrar(load_calendar())
    )


def lacks_registrar(registration_request: RegistrationRequest) -> bool:
    """Whether no registrar is there today without a stake in the request who did not decide it."""
    stakes = [stake.q_person(registration_request) for stake in STAKES]
    registrars = User.objects.filter(q_person_holds_role(Role.REGISTRAR))
    today = timezone.localdate()
    away = Absence.objects.filter(first_day__lte=today, last_day__gte=today)
    neutral = registrars.exclude(reduce(or_, stakes)).exclude(pk__in=away.values("expert"))
    decision = find_decision(registration_request)
    if decision and decision.actor_id:
        neutral = neutral.exclude(pk=decision.actor_id)
    key = ("lacks registrar", registration_request.pk)
    return remember_fact(key, lambda: not neutral.exists())


SECOND_OFFICER_CHANGES: Final = frozenset(
    {ChangeKind.TRANSFER, ChangeKind.STATUS, ChangeKind.RENAME}
)
"""Changes of a registered namespace that one officer can never make alone."""


def may_be_second_officer(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an officer with no stake in the request, a registrar or the standards
    body: the same person never both confirms and publishes, which the workflow checks.
    """
    return may_publish(person, registration_request) or may_direct(person, registration_request)


def may_step_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert who has not stepped back from this request yet."""
    is_one = is_expert(person) or is_temporarily_assigned(person, registration_request)
    return is_one and not has_stepped_back(person, registration_request)


def may_recuse(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may step back from this request, or take another off it as the lead."""
    return may_step_back(person, registration_request) or may_lead(person, registration_request)


def may_direct(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` speaks for the standards body, with no stake in the request."""
    return holds_role(person, Role.STANDARDS_BODY) and not is_party(person, registration_request)


def may_request_changes(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` holds the office that has the request now, with no stake in it."""
    if registration_request.state == State.APPROVED:
        return may_publish(person, registration_request)
    return may_decline(person, registration_request) or (
        registration_request.state == State.IN_REVIEW and may_lead(person, registration_request)
    )


def may_decline(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` decides on the request: its expert, or the standards body after a report."""
    if registration_request.state == State.REPORTED:
        return may_direct(person, registration_request)
    return is_assigned_expert(person, registration_request)


def find_decision(registration_request: RegistrationRequest) -> Event | None:
    """Return the decision that brought the request to its state, or to the one appealed from."""
    moves = registration_request.events.exclude(source=F("target")).order_by("-number")
    last = moves[registration_request.state == State.APPEALED :].first()
    kinds = (VerbKind.EXPERT_DECISION, VerbKind.RULING, VerbKind.FAVOURABLE)
    return last if last and enums.is_verb_of_kind(last.verb, *kinds) else None


def find_own_decision(person: Person, registration_request: RegistrationRequest) -> Event | None:
    """Return the decision or the confirmation as second officer that `person` can take back."""
    if not isinstance(person, User):
        return None
    decision = find_decision(registration_request)
    if decision and decision.actor_id == person.pk:
        office = DECIDING_OFFICES[State(decision.source)]
        return decision if office(person, registration_request) else None
    if registration_request.state != State.APPROVED:
        return None
    confirmed = registration_request.events.of_kind(VerbKind.SECOND_OFFICER).in_force()
    return confirmed.filter(actor=person, at__gte=registration_request.state_since).first()


DECIDING_OFFICES: Final = {
    State.IN_REVIEW: is_assigned_expert,
    State.ADVISORY: is_registrant,
    State.REPORTED: may_direct,
    State.APPEALED: may_direct,
}
"""Who takes decisions, by the state in which they are taken."""


def may_reconsider(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can take back a decision, or a confirmation as second officer."""
    return find_own_decision(person, registration_request) is not None


def may_reroute(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may change the path: the registrant, or the lead."""
    return is_registrant(person, registration_request) or may_lead(person, registration_request)


def may_appeal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may appeal: anyone affected, but not the body that hears the appeal."""
    return has_confirmed_address(person) and not holds_role(person, Role.STANDARDS_BODY)


def may_extend(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may postpone a date: the lead that of a review, the standards body the end
    of a stay.
    """
    if registration_request.state == State.APPROVED:
        return may_direct(person, registration_request)
    return may_lead(person, registration_request)


def may_advise(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` advises the body on the fast track: an expert on the request."""
    return registration_request.state == State.ADVISORY and is_assigned_expert(
        person, registration_request
    )


def may_comment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may write a public message: anyone with a confirmed mail address."""
    return registration_request.state in LIVE_STATES and has_confirmed_address(person)


def may_read_expert_notes(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can read and write the notes among experts on this request."""
    return may_take(person, registration_request)


def may_remark(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may remark on a passage: an expert on the request, while it is judged."""
    return registration_request.state in REVIEW_STATES and is_assigned_expert(
        person, registration_request
    )


def may_invite(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may decide who else writes this one request."""
    return registration_request.state in LIVE_STATES and is_registrant(person, registration_request)
