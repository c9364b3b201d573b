"""No way around the second factor: an inactive role opens nothing, by page, program or form."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from registry.api.throttling import WritingThrottle
from registry.enums import Role, State
from registry.models import Event, RegistrationRequest, Token, User
from registry.workflow import TRANSITIONS, Transition
from tests.factories import UserFactory
from tests.sign_in import ALL_SCOPES, remove_factors

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]

OPEN_TO_ANYBODY = {"appeal"}
"""What everyone with an account may do, also with inactive roles."""


@pytest.fixture(autouse=True)
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the limits on writing."""
    cache.clear()
    monkeypatch.setattr(WritingThrottle, "allow_request", lambda *asked: True)


def put_on(request: RegistrationRequest, person: User) -> User:
    """Assign an expert to a request, who has declared to have no conflict."""
    now = timezone.now()
    request.assignments.get_or_create(expert=person, defaults={"assigned_at": now})
    request.assignments.filter(expert=person).update(declared_at=now)
    return person


@pytest.fixture
def resting(in_review: RegistrationRequest) -> User:
    """Somebody with every role and on the request, whose roles are inactive."""
    person = UserFactory.create(name="Rita Resting", roles=list(Role), is_staff=True)
    remove_factors(person)
    return put_on(in_review, User.objects.get(pk=person.pk))


def open_steps(person: User, request: RegistrationRequest) -> set[tuple[str, str]]:
    """Return the states and verbs open to a person, in each state of a request."""
    found = set()
    for state in State:
        request.state = state
        found |= {
            (str(state), each.verb)
            for each in TRANSITIONS
            if state in each.sources and each.by(person, request)
        }
    return found


@pytest.mark.parametrize("role", list(Role), ids=str)
def test_suspended_role_may_take_the_steps_of_a_stranger_in_every_state(
    role: Role, in_review: RegistrationRequest, outsider: User
) -> None:
    officer = UserFactory.create(roles=[role])
    if role in {Role.EXPERT, Role.LEAD}:
        put_on(in_review, officer)
    stranger = open_steps(outsider, in_review)
    awake = open_steps(User.objects.get(pk=officer.pk), in_review)
    remove_factors(officer)

    asleep = open_steps(User.objects.get(pk=officer.pk), in_review)

    assert asleep == stranger
    assert awake - stranger or role == Role.ADMINISTRATOR


@pytest.mark.parametrize("door", ["token", "session"])
@pytest.mark.parametrize(
    "transition",
    [each for each in TRANSITIONS if each.verb not in OPEN_TO_ANYBODY],
    ids=lambda each: each.verb,
)
def test_suspended_role_takes_no_step_by_a_program(
    door: str,
    transition: Transition,
    in_review: RegistrationRequest,
    resting: User,
    sign_in: SignIn,
) -> None:
    state = min(transition.sources - {State.DRAFT}, default=State.DRAFT)
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state=state)
    before = (RegistrationRequest.objects.values().get(pk=in_review.pk), Event.objects.count())
    client = sign_in(resting)
    if door == "token":
        _token, shown = Token.objects.create(
            user=resting, name="t", form_key=uuid.uuid4(), scopes=ALL_SCOPES
        )
        client = Client(headers={"authorization": f"Token {shown}"})

    answer = client.post(
        f"/api/v1/requests/{in_review.slug}/verbs/{transition.verb}/",
        {"comment": "Sound."},
        "application/json",
        headers={"if-match": f'"{before[0]["revision"]}"'},
    )
    page = client.post(
        f"/requests/{in_review.slug}/act/{transition.verb}/",
        {"comment": "Sound.", "seen": before[0]["revision"], "confirmed": "yes"},
    )

    assert answer.status_code in {401, 403, 404, 409}
    assert page.status_code >= 300
    after = (RegistrationRequest.objects.values().get(pk=in_review.pk), Event.objects.count())
    assert after == before
