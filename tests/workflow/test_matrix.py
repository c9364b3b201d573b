"""The matrix role × verb × state × own-or-not: every cell, as offered and as performed.

The expectations are in `tests.workflow.cells`; every verb of the table is tried. What is offered
and refused is checked for everyone; what a step does is the same for everyone with the role, so
`make test-all` has one of each role take it, and `make soak` everyone (`REGISTRY_TEST_SOAK_CELLS`).
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from registry import permissions, workflow
from registry.enums import (
    RequestPath,
    Role,
    State,
)
from registry.models import (
    Assignment,
    Event,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    Round,
    User,
)
from registry.permissions import Person
from registry.workflow import (
    TRANSITIONS,
    drafts,
    events,
)
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
    start,
)
from tests.template.samples import FORMAL
from tests.workflow import cells
from tests.workflow.cells import CELLS, EVERYBODY, STATES, Somebody

pytestmark = pytest.mark.django_db

ROLES: Final = sorted({each.role for each in EVERYBODY})
LONG_AGO: Final = datetime.timedelta(400)
EVERYBODY_ACTS: Final = "REGISTRY_TEST_SOAK_CELLS" in os.environ
FOR_ROLE_OR_STATE: Final = ("is for", "is not possible")


def test_table_and_expectation_name_the_same_verbs_and_states() -> None:
    assert {transition.verb for transition in TRANSITIONS} == CELLS.keys()
    assert set(State.values) == set(STATES.split())


@pytest.fixture
def standing(
    state: str, registrant: User, organization: Organization, lead: User
) -> RegistrationRequest:
    """An old request with a round sent, the next begun, and the lead on it."""
    UserFactory.create(roles=[cells.REGISTRAR])
    with time_machine.travel(timezone.now() - LONG_AGO):
        let_speak_for(organization, registrant)
        if state == State.ADVISORY:
            organization.recognised_on = timezone.localdate()
            organization.recognition_source = "Minutes, item 3"
            organization.save()
        started = start(registrant, organization, FORMAL, RequestPath.COMMUNITY)
        workflow.perform(started, "submit", actor=registrant)
        workflow.perform(started, "assign", actor=lead)
        workflow.perform(started, "request_changes", actor=lead, comment="Say more.")
        begun = started.draft
        assert begun is not None
        drafts.save_draft(
            begun, {"assignment": begun.template.assignment + "\n\nFor ever."}, seen=0
        )
    return started


DECISIONS: Final = {
    State.DECLINED: ("decline", "declined"),
    State.APPEALED: ("decline", "declined"),
    State.REFUSED: ("decline", "refused"),
    State.APPROVED: ("approve", "approved"),
    State.REGISTERED: ("approve", "approved"),
}
"""The decision by which a request is in a state: it was taken today."""


@pytest.fixture
def stood(standing: RegistrationRequest, state: str) -> RegistrationRequest:
    """The request, put into a state without anybody's step."""
    facts: dict[str, Any] = {"state": state}
    if state == State.ADVISORY:
        facts["path"] = RequestPath.FAST_TRACK
    if state == State.REGISTERED:
        facts |= {"namespace": NamespaceFactory.create(nid="seedbank")}
        facts |= {"state_since": timezone.now()}
    if State(state) in DECISIONS:
        verb, target = DECISIONS[State(state)]
        with transaction.atomic():
            decision = events.record_event(
                standing, actor=permissions.CLOCK, verb=verb, source="in_review", target=target
            )
    if state == State.APPEALED:
        told = {"decision": decision.number, "decided_by": None, "ground": "rule"}
        with transaction.atomic():
            events.record_event(standing, actor=UserFactory.create(), verb="appeal", data=told)
    RegistrationRequest.objects.filter(pk=standing.pk).update(**facts)
    return standing


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def person_of(somebody: Somebody) -> Person:
    """Return a person of the role."""
    if somebody == cells.ANONYMOUS:
        return AnonymousUser()
    if somebody == cells.CLOCK:
        return permissions.CLOCK
    is_plain = somebody.role in {"unconfirmed", "switched off", cells.NO_ROLE}
    roles = [cells.EXPERT] if somebody == cells.SWITCHED_OFF else [somebody.role]
    return UserFactory.create(
        confirmed=somebody != cells.UNCONFIRMED,
        is_active=somebody != cells.SWITCHED_OFF,
        roles=[] if is_plain and somebody != cells.SWITCHED_OFF else roles,
    )


def relate(person: Person, somebody: Somebody, registration_request: RegistrationRequest) -> None:
    """Give `person` the relation to the request that `somebody` has."""
    organization, now = registration_request.organization, timezone.now()
    if not isinstance(person, User):
        return
    if somebody.stake == "author":
        registration_request.author = person
        registration_request.save(update_fields=["author"])
        let_speak_for(organization, person)
    elif somebody.stake == "delegate":
        let_speak_for(organization, person)
    elif somebody.stake == "co-editor":
        registration_request.co_editors.add(person)
    elif somebody.stake == "former co-editor":
        registration_request.invitations.create(
            address=person.email,
            invited_by=registration_request.author,
            invited_at=now,
            joined_by=person,
            closed_at=now,
        )
    elif somebody.stake == "colleague":
        person.organization = organization
        person.save()
    if somebody.standing == cells.CONFLICT:
        person.conflicts.create(organization=organization, declared_at=now)
    elif somebody.standing:
        Assignment.objects.create(
            registration_request=registration_request,
            expert=person,
            assigned_at=now,
            declared_at=now if somebody.standing == cells.DECLARED else None,
            recused_at=now if somebody.standing == cells.RECUSED else None,
        )


def said(verb: str, person: Person, lead: User, newcomer: User) -> dict[str, Any]:
    """Return all the input that a verb needs: then only state and person can prevent it."""
    is_lead = isinstance(person, User) and person.has_role(Role.LEAD)
    told: dict[str, dict[str, Any]] = {
        "assign": {"expert": newcomer if is_lead or person == permissions.CLOCK else person},
        "extend": {"due_on": timezone.localdate() + datetime.timedelta(90)},
        "reroute": {"standards_action": True},
        "overtake": {"winner": "R-2026-0009"},
        "appeal": {"ground": "judgement"},
        "decide_appeal": {"outcome": "stands"},
        "record_evidence": {"about": "list", "source": "https://lists.example/1"},
    }
    return {"comment": "For good reasons.", **told.get(verb, {})}


def everything() -> list[Any]:
    """Return everything that a step might have changed."""
    watched = (RegistrationRequest, Round, Assignment, Namespace)
    counted = (Event, Letter, DBTaskResult)
    return [
        *(list(model.objects.order_by("pk").values()) for model in watched),
        *(model.objects.count() for model in counted),
    ]


@pytest.mark.whole
@pytest.mark.parametrize("state", STATES.split())
@pytest.mark.parametrize("role", ROLES)
def test_every_cell_is_offered_and_performed_as_expected(
    role: str, state: str, stood: RegistrationRequest, lead: User
) -> None:
    newcomer = UserFactory.create(roles=[cells.EXPERT])
    taken: set[str] = set()
    for somebody in sorted((each for each in EVERYBODY if each.role == role), key=str):
        with undone():
            person = person_of(somebody)
            relate(person, somebody, stood)
            registration_request = RegistrationRequest.objects.get(pk=stood.pk)

            offered = {
                each.verb for each in workflow.available_transitions(registration_request, person)
            }

            assert offered == cells.expected(somebody, state), str(somebody)
            before = everything()
            # Nothing changes while everything is refused, so what a refusal reads is read once.
            with permissions.ask_each_fact_once():
                for verb in sorted(CELLS.keys() - offered):
                    with pytest.raises(workflow.ActionRefused):
                        workflow.perform(
                            registration_request,
                            verb,
                            actor=person,
                            **said(verb, person, lead, newcomer),
                        )
            assert everything() == before, str(somebody)
            for verb in sorted(offered if EVERYBODY_ACTS else offered - taken):
                taken.add(verb)
                with undone():
                    assert_performed(stood, verb, person, said(verb, person, lead, newcomer))


def assert_performed(
    stood: RegistrationRequest, verb: str, person: Person, words: dict[str, Any]
) -> None:
    """The step is taken: the state is one of those expected, and one event records it."""
    if verb == "report":
        RegistrationRequest.objects.filter(pk=stood.pk).update(standards_action=True)
    if verb == "overtake":
        NamespaceFactory.create(nid=stood.nid.lower())
    if verb == "expire":
        # On the fast track three letters have gone unanswered first.
        for number, days in enumerate((300, 200, 100)):
            at = timezone.now() - datetime.timedelta(days)
            stood.reminders.create(kind=f"reminder-{number}", since=stood.state_since, at=at)
        # In review one expires only where the consent of a body is missing, such as a holder's.
        stood.refresh_from_db()
        if stood.state == State.IN_REVIEW:
            NamespaceFactory.create(registrant=stood.organization)
            end_speaking_for(stood.organization)
    registration_request = RegistrationRequest.objects.get(pk=stood.pk)
    source = str(registration_request.state)

    event = workflow.perform(registration_request, verb, actor=person, **words)

    actor = person if isinstance(person, User) else None
    assert (event.verb, event.source, event.actor) == (verb, source, actor)
    assert event.target == registration_request.state
    targets = CELLS[verb].targets
    assert event.target in targets | ({source} if "same" in targets else set())
