"""A year and a half of the scheduler with nobody acting: no request is forgotten or unassigned.

On every day each waiting request names people, each of them can press a button that works on that
day, and none of them goes 30 days without a letter. `make soak` runs the scheduler and checks on
every single day; the normal tests take larger steps (`REGISTRY_TEST_SOAK_STEP`, the days between
two runs, and `REGISTRY_TEST_SOAK_LOOK`, the runs between two rounds of pressing every button), and
let one of the named people press at each check.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from registry import held_nids, scheduler, workflow
from registry.actions import recognition
from registry.enums import (
    ChangeKind,
    HoldGround,
    LetterReason,
    ObstacleKind,
    RequestPath,
    Role,
    State,
    Turn,
)
from registry.models import (
    ConflictOfInterest,
    HeldNid,
    Letter,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.notifications.letters import find_turn_url
from registry.selectors import find_current_turn
from registry.selectors.actors import Actors
from registry.selectors.appeals import find_pending_appeal
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from registry.selectors.recognition_clock import list_recognition_actors
from registry.selectors.request_clock import read_request_clock
from registry.workflow import drafts
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    formal_text,
    let_speak_for,
    start,
)
from tests.scheduler.conftest import Travel
from tests.small_changes import send
from tests.template.samples import FORMAL
from tests.web.test_as_of_now import send_revision

pytestmark = pytest.mark.django_db

DAYS = 548
STEP = int(os.environ.get("REGISTRY_TEST_SOAK_STEP", "15"))
LOOK = int(os.environ.get("REGISTRY_TEST_SOAK_LOOK", "18"))
SILENCE = datetime.timedelta(30 + STEP)
"""The scheduler acts at most one step late."""


@dataclass
class World:
    """Everyone, and the requests waiting for them by what happened to each."""

    people: dict[str, User]
    requests: dict[str, RegistrationRequest] = field(default_factory=dict)
    waits_since: dict[tuple[int, int], datetime.datetime] = field(default_factory=dict)
    named: dict[str, set[Turn]] = field(default_factory=dict)

    def begin(
        self,
        name: str,
        *verbs: tuple[str, str],
        path: RequestPath = RequestPath.COMMUNITY,
        organization: Organization | None = None,
        author: User | None = None,
        standards_action: bool = False,
    ) -> RegistrationRequest:
        """Start a request called `name`, and have people take these steps."""
        begun = start(
            author or UserFactory.create(),
            organization or OrganizationFactory.create(),
            formal_text(name),
            path,
        )
        RegistrationRequest.objects.filter(pk=begun.pk).update(standards_action=standards_action)
        begun.refresh_from_db()
        for who, verb in verbs:
            actor = begun.author if who == "author" else self.people[who]
            said: dict[str, Any] = {"ground": "judgement"} if verb == "appeal" else {}
            workflow.perform(begun, verb, actor=actor, comment="For good reasons.", **said)
        self.requests[name] = begun
        return begun


@pytest.fixture
def world(expert: User, lead: User, registrar: User, standards_body: User, outsider: User) -> World:
    """A request in every state, and in every way in which those whose turn it is can be lost."""
    sent, taken = ("author", "submit"), ("expert", "assign")
    gone, away = (
        UserFactory.create(name="Gerd Gone", roles=[Role.EXPERT]),
        UserFactory.create(name="Alma Away", roles=[Role.EXPERT]),
    )
    administrator = UserFactory.create(
        name="Ada Administrator", roles=[Role.ADMINISTRATOR], is_staff=True
    )
    own = OrganizationFactory.create(name="Registrars’ Own Society")
    registrar.organization = own
    registrar.save()
    conflicted = OrganizationFactory.create(name="Everybody’s Employer")
    for person in (expert, gone, away):
        ConflictOfInterest.objects.create(
            expert=person, organization=conflicted, declared_at=timezone.now()
        )
    world = World(
        {
            "expert": expert,
            "gone": gone,
            "away": away,
            "lead": lead,
            "registrar": registrar,
            "body": standards_body,
            "outsider": outsider,
            "administrator": administrator,
        }
    )
    world.begin("drafted")
    world.begin("untaken", sent)
    world.begin("silent", sent, taken)
    world.begin("leaver", sent, ("gone", "assign"))
    world.begin("absent", sent, ("away", "assign"))
    world.begin("conflicted", sent, ("lead", "recuse"), organization=conflicted)
    world.begin("changing", sent, taken, ("expert", "request_changes"))
    world.begin("orphaned", sent, taken, ("expert", "request_changes"))
    world.begin("declined", sent, taken, ("expert", "decline"))
    world.begin("approved", sent, taken, ("expert", "approve"))
    world.begin("partial", sent, taken, ("expert", "approve"), organization=own)
    world.begin("reported", sent, taken, ("expert", "report"), standards_action=True)
    world.begin("appealed", sent, taken, ("expert", "decline"), ("outsider", "appeal"))
    world.begin(
        "contested",
        sent,
        taken,
        ("expert", "approve"),
        ("outsider", "appeal"),
    )
    recognised = OrganizationFactory.create(
        name="Recognised Union", recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    delegate = UserFactory.create()
    let_speak_for(recognised, delegate)
    world.begin(
        "vanished", sent, path=RequestPath.FAST_TRACK, organization=recognised, author=delegate
    )
    hopeful = OrganizationFactory.create(name="Hopeful Institute")
    fast = world.begin("hopeful", sent, path=RequestPath.FAST_TRACK, organization=hopeful)
    recognition.request_recognition(hopeful, fast.author, "An institute.")
    begin_changes(world)
    held_nids.hold_nid(
        nid=world.begin("held", sent, taken).nid,
        actor=registrar,
        ground=HoldGround.COURT,
        reasons="Two vaults are before the court.",
        source="Order 12/2026",
        until=timezone.localdate() + datetime.timedelta(364),
    )
    return world


def begin_changes(world: World) -> None:
    """Have changes of registered namespaces wait for a holder, for two officers, and for a consent
    that nobody is known to give.
    """
    outsider = world.people["outsider"]

    def hold_namespace(nid: str) -> tuple[Namespace, list[User]]:
        body = OrganizationFactory.create(name=f"Holder of {nid}")
        speakers = UserFactory.create_batch(2)
        let_speak_for(body, *speakers)
        return NamespaceFactory.create(nid=nid, registrant=body, last_known_version="1"), speakers

    foreign, _speakers = hold_namespace("foreign")
    world.requests["foreign"] = send_revision(foreign, outsider)
    # Nobody else is called nearly like it: those would need its consent.
    silent = OrganizationFactory.create(name="Society Without Delegates")
    unknown = NamespaceFactory.create(nid="unknown", registrant=silent)
    body = OrganizationFactory.create()
    world.requests["unknown"] = send(unknown, ChangeKind.CONTACT, outsider, body)
    disputed, (one, other) = hold_namespace("disputed")
    world.requests["disputed"] = send(disputed, ChangeKind.CONTACT, one)
    workflow.perform(world.requests["disputed"], "object", actor=other, comment="It is wrong.")
    for name in ("unseen", "seen"):
        ended, (one, other) = hold_namespace(name)
        world.requests[name] = send(ended, ChangeKind.STATUS, one)
    officer = world.people["body"]
    workflow.perform(world.requests["seen"], "countersign", actor=officer, comment="I read it.")


def lose_people(world: World, day: int) -> None:
    """Let people leave for good in the third week."""
    if not 15 <= day < 15 + STEP:
        return
    world.people["gone"].groups.clear()
    today = timezone.localdate()
    world.people["away"].absences.create(first_day=today, last_day=today + datetime.timedelta(300))
    User.objects.filter(pk=world.requests["orphaned"].author_id).update(is_active=False)


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.whole
def test_somebody_who_can_act_is_named_and_written_to_for_a_year_and_a_half(
    world: World, travel: Travel
) -> None:
    turns: set[Turn] = set()

    for number, day in enumerate(range(0, DAYS, STEP)):
        travel(day + 0.6)
        lose_people(world, day)
        tally = scheduler.tick()
        assert tally.failures == []
        for registration_request in RegistrationRequest.objects.live().order_by("pk"):
            actors = read_request_clock(registration_request).actors
            turns.add(actors.turn)
            assert actors.people, f"{registration_request} on day {day} waits for nobody"
            nobody_waits_in_silence(world, registration_request, actors, day)
            if number % LOOK == 0:
                pressers = choose_pressers(actors, number // LOOK)
                every_button_works(world, registration_request, actors, pressers)
        for asked in recognition.pending_recognitions():
            recognition_is_remembered(asked, day)
        officers_hear_every_week(world, day)

    # Where recognition or a consent alone is missing, a request ends after 180 days.
    left = {name for name, each in world.requests.items() if is_waiting(each)}
    assert turns == set(Turn) - {Turn.NOBODY}
    assert left == {
        *("untaken", "silent", "leaver", "absent", "conflicted", "approved", "partial"),
        *("reported", "appealed", "contested"),
        *("unknown", "disputed", "unseen", "seen", "held"),
    }


def is_waiting(registration_request: RegistrationRequest) -> bool:
    """Whether it has not ended."""
    return RegistrationRequest.objects.live().filter(pk=registration_request.pk).exists()


def nobody_waits_in_silence(
    world: World, registration_request: RegistrationRequest, actors: Actors, day: int
) -> None:
    """Everyone who can act was written to within 30 days, or could not act before."""
    now = timezone.now()
    for person in actors.people:
        wait = registration_request.pk, person.pk
        since = world.waits_since.setdefault(wait, now)
        letters = Letter.objects.filter(recipient=person, registration_request=registration_request)
        last = letters.order_by("-written_at").values_list("written_at", flat=True).first()
        assert now - max(since, last or since) <= SILENCE, (
            f"{person} has heard nothing of {registration_request} since {last} on day {day}"
        )


def recognition_is_remembered(asked: Recognition, day: int) -> None:
    """Somebody can answer it, and got a letter about it within the last 30 days."""
    reason, people = list_recognition_actors(asked)
    assert reason == LetterReason.STANDARDS_BODY
    for person in people:
        about = Letter.objects.filter(recipient=person, event__data__recognition=asked.pk).latest(
            "written_at"
        )
        assert timezone.now() - about.written_at <= SILENCE, f"on day {day}"
        with undone():
            recognition.refuse_recognition(asked, actor=person, reasons="No such institute.")


def officers_hear_every_week(world: World, day: int) -> None:
    """Lead, registrar and standards body get a weekly letter about what is late."""
    if day < 14:
        return
    since = timezone.now() - datetime.timedelta(7 + STEP)
    weekly = Letter.objects.filter(key__startswith="weekly:", written_at__gt=since)
    told = set(weekly.values_list("recipient", flat=True))
    assert told == {world.people[name].pk for name in ("lead", "registrar", "body")}


def choose_pressers(actors: Actors, look: int) -> tuple[User, ...]:
    """Return who presses the button: everyone named, or another one at each check."""
    if LOOK == 1:
        return actors.people
    return (actors.people[look % len(actors.people)],)


def every_button_works(
    world: World,
    registration_request: RegistrationRequest,
    actors: Actors,
    pressers: tuple[User, ...],
) -> None:
    """Each of these opens the page from the letters, presses the button, and it works."""
    waiting = find_current_turn(registration_request)
    for person in pressers:
        client = Client()
        client.force_login(person)
        before = registration_request.events.count()
        page = find_turn_url(registration_request, waiting)
        if may_see(person, registration_request):
            assert client.get(page.removeprefix("http://127.0.0.1:8000")).status_code == 200
        assert registration_request.events.count() == before
        with undone():
            press(world, registration_request, actors, person)


def may_see(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether the request is public, or the person's own."""
    return registration_request.rounds.sent().exists() or registration_request.author == person


def press(
    world: World, registration_request: RegistrationRequest, actors: Actors, person: User
) -> None:
    """Press the button of the current turn, as that person, through the API."""
    if actors.turn == Turn.ADMINISTRATOR:
        name_a_delegate(world, registration_request)
        return
    if registration_request.state == State.ADVISORY and actors.turn == Turn.STANDARDS_BODY:
        asked_for = recognition.pending_recognitions().get(
            organization=registration_request.organization
        )
        recognition.refuse_recognition(asked_for, actor=person, reasons="No such institute.")
        return
    missing = find_missing_consent(open_case(registration_request))
    if actors.turn == Turn.HOLDER and missing and missing.kind == ObstacleKind.CONSENT:
        stand_behind(registration_request, person)
        return
    hold = HeldNid.objects.not_ended().filter(nid=registration_request.nid).first()
    if actors.turn == Turn.STANDARDS_BODY and hold:
        held_nids.end_hold(hold, actor=person, ending="The court has decided.")
        return
    cache.clear()
    verb, said = find_button(world, registration_request, actors, person)
    asked = registration_request.reference.lower()
    found = Program.of(person).get(f"{asked}/", fields="revision").json()
    words = {"comment": "It is time."} if workflow.VERBS[verb].comment else {}
    answer = Program.of(person).post(f"{asked}/verbs/{verb}/", {**words, **said}, found["revision"])
    assert answer.status_code == 200, (
        f"{person} cannot {verb} {registration_request}: {answer.content.decode()}"
    )


def find_button(
    world: World, registration_request: RegistrationRequest, actors: Actors, person: User
) -> tuple[str, dict[str, Any]]:
    """Return what the person does about it, and the input."""
    if registration_request.change != ChangeKind.NEW:
        return find_button_of_change(world, registration_request, actors)
    buttons: dict[tuple[State, Turn], Callable[[], tuple[str, dict[str, Any]]]] = {
        (State.IN_REVIEW, Turn.EXPERTS): lambda: ("decline", {}),
        (State.IN_REVIEW, Turn.LEAD): lambda: find_an_expert(registration_request),
        (State.IN_REVIEW, Turn.STANDARDS_BODY): lambda: (
            "assign",
            {"expert": world.people["outsider"].email},
        ),
        (State.APPROVED, Turn.REGISTRAR): lambda: register_namespace(registration_request),
        (State.APPROVED, Turn.STANDARDS_BODY): lambda: rule_on_approved(
            world, registration_request, person
        ),
        (State.REPORTED, Turn.STANDARDS_BODY): lambda: ("direct", {}),
        (State.APPEALED, Turn.STANDARDS_BODY): lambda: ("decide_appeal", {"outcome": "stands"}),
        (State.ADVISORY, Turn.BODY): lambda: ("withdraw", {}),
        (State.DRAFT, Turn.REGISTRANT): lambda: send_on(registration_request),
        (State.CHANGES_REQUESTED, Turn.REGISTRANT): lambda: send_on(registration_request),
        (State.DECLINED, Turn.REGISTRANT): lambda: send_on(registration_request),
    }
    return buttons[State(registration_request.state), actors.turn]()


def rule_on_approved(
    world: World, registration_request: RegistrationRequest, person: User
) -> tuple[str, dict[str, Any]]:
    """Decide on the appeal, or publish: the registrar, who still can, and who stands in."""
    if find_pending_appeal(registration_request) and person == world.people["body"]:
        return "decide_appeal", {"outcome": "stands"}
    return register_namespace(registration_request)


def register_namespace(registration_request: RegistrationRequest) -> tuple[str, dict[str, Any]]:
    """Type the NID, and name a document of record."""
    return "register", {"confirmation": registration_request.nid, "references": ["A letter"]}


def find_button_of_change(
    world: World, registration_request: RegistrationRequest, actors: Actors
) -> tuple[str, dict[str, Any]]:
    """Return what is done about a change of a registered namespace, and the input."""
    if actors.turn == Turn.HOLDER:
        return "object", {}
    if find_missing_consent(open_case(registration_request)):
        # Nobody answered the yearly letters, and so nobody speaks for the holder any more.
        return "record_evidence", {"about": "consent"}
    if registration_request == world.requests["unseen"]:
        return "countersign", {}
    return "register", {"confirmation": registration_request.nid}


def stand_behind(registration_request: RegistrationRequest, person: User) -> None:
    """Press the button of the page in the letter, as a speaker of the holder."""
    page = find_turn_url(registration_request, find_current_turn(registration_request))
    client, last = Client(), registration_request.last_round
    client.force_login(person)
    assert last
    address = page.removeprefix("http://127.0.0.1:8000")
    client.post(address, {"seen": registration_request.revision, "comment": ""})
    assert find_missing_consent(open_case(registration_request)) is None


def find_an_expert(registration_request: RegistrationRequest) -> tuple[str, dict[str, Any]]:
    """Assign anyone who is free."""
    been = registration_request.assignments.values("expert")
    free = User.objects.filter(groups__name__in=[Role.EXPERT, Role.LEAD]).exclude(pk__in=been)
    return "assign", {"expert": free.exclude(absences__isnull=False)[0].email}


def send_on(registration_request: RegistrationRequest) -> tuple[str, dict[str, Any]]:
    """Continue writing, and send it."""
    draft = registration_request.draft
    assert draft is not None
    text = {"assignment": f"{FORMAL.assignment}\n\nSince {timezone.localdate()} by hand."}
    saved = drafts.save_draft(draft, text, seen=draft.edition)
    return "submit", {"edition": saved.edition}


def name_a_delegate(world: World, registration_request: RegistrationRequest) -> None:
    """Add a delegate of the organization, whose turn it is then."""
    outsider = world.people["outsider"]
    let_speak_for(registration_request.organization, outsider)
    actors = read_request_clock(registration_request).actors
    assert (actors.turn, actors.people) == (Turn.REGISTRANT, (outsider,))
