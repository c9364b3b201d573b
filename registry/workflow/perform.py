"""The one way to take a step: the only code that writes a request's state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import assurance, permissions, selectors
from registry.enums import State, Turn, VerbKind
from registry.models import Event, RegistrationRequest, User
from registry.notifications.recipients import find_parties
from registry.permissions import CLOCK, Person
from registry.selectors.case import open_case
from registry.selectors.request_clock import read_request_clock
from registry.selectors.shown_states import find_shown_state
from registry.workflow.drafts import lock_changed_namespace
from registry.workflow.events import record_event, write_events_last
from registry.workflow.pauses import note_pause
from registry.workflow.step import ActionRefused, ConcurrentChange, Step, Transition
from registry.workflow.transitions import TRANSITIONS, VERBS


def perform(
    registration_request: RegistrationRequest,
    verb: str,
    *,
    actor: Person,
    comment: str = "",
    seen: int | None = None,
    **data: Any,
) -> Event:
    """Take one step and return its event; state, event and effect are saved together or not at all.

    `seen` is the revision of the request that the person saw, by default that of the object given.
    Within `write_events_last` the event gets its number at the end of that block.
    Raises `ConcurrentChange` if somebody acted since, and `ActionRefused` if state, person or a
    condition forbid the step; nothing has changed then.
    """
    transition = VERBS[verb]
    step = Step(registration_request, actor, comment.strip(), data)
    refuse_by_state_or_person(transition, step)
    if isinstance(actor, User) and transition.asks_for_confirmation(registration_request):
        assurance.require_confirmation(actor)
    with transaction.atomic(), write_events_last():
        if VerbKind.PUBLICATION in transition.kinds:
            lock_rival_requests(registration_request)
        claim_revision(step, registration_request.revision if seen is None else seen)
        # The namespace is locked and reread, so that its holder stays the same until the end. The
        # actor's role or part in the request may have been lost since the page was opened.
        lock_changed_namespace(registration_request)
        step = replace(step, actor=reload_person(actor))
        refuse_by_state_or_person(transition, step)
        for condition in transition.needs:
            if obstacle := condition(step):
                raise ActionRefused(str(obstacle), code=condition.__name__)
        source, target = State(registration_request.state), find_target_state(transition, step)
        before = find_parties(registration_request)
        told = transition.effect(step) if transition.effect else {}
        write_state(registration_request, target)
        event = record_event(
            registration_request,
            actor=actor,
            verb=verb,
            comment=step.comment,
            source=source,
            target=target,
            data=told,
            rows=step.rows,
            before=before,
        )
        for other in transition.follow_ups(step) if transition.follow_ups else ():
            perform(other.registration_request, other.verb, actor=CLOCK, **other.data)
        note_pause(registration_request, timezone.now())
        return event


def reload_person(actor: Person) -> Person:
    """Return the actor as the database has them now; scheduler and strangers stay as they are."""
    if not isinstance(actor, User):
        return actor
    return User.objects.filter(pk=actor.pk).first() or AnonymousUser()


def lock_rival_requests(registration_request: RegistrationRequest) -> None:
    """Lock all requests of which publishing one makes the others impossible, oldest first.

    So two registrars who publish two of them do not deadlock.
    """
    competing = selectors.requests_competing_with(registration_request)
    list(competing.select_for_update(no_key=True).values_list("pk"))


def refuse_by_state_or_person(transition: Transition, step: Step) -> None:
    """Refuse what this state does not allow, or not to this person; say who may."""
    registration_request = step.registration_request
    if State(registration_request.state) not in transition.sources:
        raise ActionRefused(explain_impossible_step(transition, registration_request), code="state")
    if not transition.by(step.actor, registration_request):
        if words := permissions.explain_missing_factor(step.actor):
            raise ActionRefused(words, code="second_factor")
        raise ActionRefused(
            _("“%(label)s” is for %(role)s.")
            % {"label": transition.label, "role": transition.role},
            code="role",
        )


def explain_impossible_step(
    transition: Transition, registration_request: RegistrationRequest
) -> str:
    """Say that the state does not allow the step, and whose turn it is instead."""
    turn = read_request_clock(registration_request).turn
    said = {
        "label": transition.label,
        "state": find_shown_state(open_case(registration_request)),
        "whom": turn.label,
    }
    if turn == Turn.NOBODY:
        return _("“%(label)s” is not possible: the request is in the state “%(state)s”.") % said
    return (
        _(
            "“%(label)s” is not possible: the request is in the state “%(state)s”, and waits for "
            "%(whom)s."
        )
        % said
    )


def claim_revision(step: Step, seen: int) -> None:
    """Advance the revision that the person saw, or raise that somebody was faster.

    The row stays locked until the transaction ends, so the second of two finds another revision.
    """
    claimed = RegistrationRequest.objects.filter(
        pk=step.registration_request.pk, state=step.registration_request.state, revision=seen
    ).update(revision=F("revision") + 1)
    if not claimed:
        raise ConcurrentChange(
            _("Someone has acted on this request since you opened the page. Look at it again."),
            code="superseded",
        )


def find_target_state(transition: Transition, step: Step) -> State:
    """Return the state that the step leads to."""
    target = transition.target
    if callable(target):
        target = target(step)
    return State(step.registration_request.state) if target is None else target


def write_state(registration_request: RegistrationRequest, target: State) -> None:
    """Write the new state, and since when it has been so."""
    if registration_request.state != target:
        registration_request.state_since = timezone.now()
        registration_request.extended_to = None
    registration_request.state = target
    registration_request.save(update_fields=["state", "state_since", "extended_to"])
    registration_request.refresh_from_db(fields=["revision"])


def available_transitions(
    registration_request: RegistrationRequest, person: Person
) -> list[Transition]:
    """Return the steps that `person` can take now, in the order of the table."""
    with permissions.ask_each_fact_once():
        return [
            transition
            for transition in TRANSITIONS
            if registration_request.state in transition.sources
            and transition.by(person, registration_request)
            and is_offered(transition, registration_request)
        ]


def is_offered(transition: Transition, registration_request: RegistrationRequest) -> bool:
    """Whether a request in this state offers a step to the people who may take it."""
    return transition.offered_if is None or transition.offered_if(registration_request)
