"""Two act at the same time, each on what both had read: what must never happen does not.

Each acts in a separate process, a copy of this one, like the processes of a server. Some keep a
page open and send it after others have acted. The actions are the same each time; `make soak` draws
new ones, as many pairs as `REGISTRY_TEST_SOAK_COURSES` says, and a failure names the seed.
"""

from __future__ import annotations

import datetime
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import pytest
import time_machine
from django.db import transaction
from pytest_django import Settings

from registry import held_nids, scheduler, workflow
from registry.actions import (
    co_editors,
    speakers,
)
from registry.enums import ChangeKind, HoldGround, RequestPath
from registry.models import Namespace, RegistrationRequest, User
from registry.permissions import Person
from registry.workflow import drafts
from tests.factories import NamespaceFactory, OrganizationFactory, formal_text, start
from tests.template.samples import FORMAL, INFORMAL
from tests.workflow.invariants import InvariantChecker
from tests.workflow.players import FIRST_DAY, MOST_REQUESTS, Cast
from tests.workflow.processes import act_in_processes

pytestmark = pytest.mark.django_db(transaction=True)

SOAK: Final = os.environ.get("REGISTRY_TEST_SOAK_COURSES")
PAIRS: Final = int(SOAK or 14)
SEED: Final = random.randrange(10_000) if SOAK else 8141
FURTHER: Final = {"submit", "assign", "approve", "complete", "countersign", "register"}
ORDINARY: Final = (("submit", 0), ("assign", 2), ("approve", 2))
"""Steps of the ordinary process, and who takes them."""

EXPLANATIONS: Final = {
    "unanswered": "The text answers them.",
    "haste": "A conference starts tomorrow.",
    "acts_for": "She signs its letters.",
}

Act = Callable[[], object]


@dataclass(frozen=True)
class Step:
    """An open step, on a request as the person read it."""

    asked: RegistrationRequest
    verb: str
    person: Person
    words: dict[str, Any]

    def __call__(self) -> object:
        return workflow.perform(self.asked, self.verb, actor=self.person, **self.words)

    def is_outdated(self) -> bool:
        """Whether somebody has acted on the request since it was read."""
        return read_anew(self.asked).revision != self.asked.revision


@pytest.fixture
def traveller() -> Iterator[time_machine.Traveller]:
    """The clock stands still while two act, and runs in between."""
    with time_machine.travel(FIRST_DAY, tick=False) as days:
        yield days


class Pairs:
    """Draws two actions at a time, and says which results both together may have."""

    def __init__(self) -> None:
        self.chance = random.Random(SEED)
        self.cast = Cast()
        self.checker = InvariantChecker()
        self.begun = 0
        self.kept: list[Step] = []
        body = OrganizationFactory.create(name="Silent")
        self.orphaned: Namespace = NamespaceFactory.create(
            nid="orphaned", registrant=body, contact="Desk, desk@silent.example"
        )

    def begin(self) -> RegistrationRequest:
        """Start a request: for a new name, wanted by two, or to change the existing one."""
        self.begun += 1
        author, vault = self.cast.people[0], self.cast.vault
        kind = self.chance.choice(("formal", "formal", "informal", "fast", "contact", "status"))
        if kind in {"contact", "status"}:
            return self.begin_change(ChangeKind(kind))
        if kind == "informal":
            return start(author, vault, INFORMAL, RequestPath.INFORMAL)
        path = RequestPath.FAST_TRACK if kind == "fast" else RequestPath.COMMUNITY
        return start(author, vault, formal_text(f"seed{self.begun // 2}bank"), path)

    def begin_change(self, change: ChangeKind) -> RegistrationRequest:
        """Ask for other facts of the one namespace that exists from the beginning."""
        asked = drafts.start_request(
            author=self.cast.people[0],
            path=RequestPath.COMMUNITY,
            organization=self.cast.vault,
            summary="Things of the vault, changed",
            namespace=Namespace.objects.get(nid="imported"),
            change=change,
        )
        assert asked.draft
        facts = {
            ChangeKind.CONTACT: {"contact": f"urn@vault.example, {self.begun}"},
            ChangeKind.STATUS: {"status": "deprecated", "notice": f"Use another, {self.begun}."},
        }
        drafts.save_draft_facts(asked.draft, facts[change], seen=asked.draft.edition)
        return read_anew(asked)

    def choose_request(self) -> RegistrationRequest:
        """Return one that has not ended."""
        live = list(RegistrationRequest.objects.live().order_by("pk"))
        if len(live) >= MOST_REQUESTS:
            return self.chance.choice(live)
        begun = self.begin()
        for verb, place in ORDINARY[: self.chance.randint(0, 3)]:
            if verb not in {
                each.verb for each in workflow.available_transitions(begun, self.cast.people[place])
            }:
                break
            workflow.perform(begun, verb, actor=self.cast.people[place], comment="Sound.")
        return begun

    def draw_step(self, asked: RegistrationRequest) -> Step | None:
        """Return a step that is open to somebody now, on what they read now."""
        people: list[Person] = [*self.cast.people]
        self.chance.shuffle(people)
        for person in people:
            offered = [each.verb for each in workflow.available_transitions(asked, person)]
            if offered:
                break
        else:
            return None
        verb = self.chance.choice([*offered, *[each for each in offered if each in FURTHER] * 6])
        said: dict[str, dict[str, Any]] = {
            "reroute": {"path": RequestPath.COMMUNITY, "standards_action": False},
            "approve": EXPLANATIONS,
            "report": EXPLANATIONS,
            "appeal": {"ground": "process"},
            "decide_appeal": {"outcome": "stands"},
            "record_evidence": {"about": "consent"},
            "extend": {"due_on": datetime.datetime.now(datetime.UTC).date()},
            "assign": {
                "leaver": self.chance.choice([None, self.cast.people[2]]),
                "expert": self.chance.choice([None, self.cast.people[3]]),
            },
        }
        words = {"comment": "For good reasons."} | said.get(verb, {})
        return Step(read_anew(asked), verb, person, words)

    def draw_other(self, asked: RegistrationRequest, person: Person | None) -> Act:
        """Return what somebody else does: mostly a step too, from this or an earlier revision."""
        if self.kept and self.chance.random() < 0.3:
            return self.kept.pop(0)
        step = self.draw_step(asked)
        if step and self.chance.random() < 0.3:
            self.kept.append(step)
        elif step and self.chance.random() < 0.6:
            return step
        author = self.cast.people[0]
        others: list[Act] = [
            scheduler.tick,
            partial(self.write_on, asked),
            partial(self.have_another_write, asked, author),
            partial(speakers.name_speaker, self.cast.museum, author.email, actor=author),
            partial(self.hold_back, asked),
            self.draw_speaking(),
        ]
        if isinstance(person, User) and person != self.cast.people[10]:
            others += [partial(self.take_role, person), partial(switch_off, person)]
        return self.chance.choice(others)

    def draw_speaking(self) -> Act:
        """Return an act by which somebody comes to speak for a body, or is stopped or ruled on."""
        officer, person = self.cast.people[self.chance.choice((6, 7, 8))], self.cast.people[12]
        row = self.orphaned.speakers.open().first()
        if row is None:
            record = speakers.record_speaker
            return partial(record, self.orphaned, person.email, "A deed", actor=officer)
        acts: list[Act] = [
            partial(speakers.countersign_speaker, row, actor=officer),
            partial(speakers.object_to_speaker, row, actor=person, by=person.email, reason="No."),
            partial(speakers.rule_on_speakers, self.orphaned, [row.pk], "A deed", actor=officer),
            partial(speakers.end_speaking, row, actor=person),
        ]
        return self.chance.choice(acts)

    def write_on(self, asked: RegistrationRequest) -> None:
        """Continue the draft, if there is one."""
        draft = read_anew(asked).draft
        if draft and not asked.changes_facts:
            text = {"assignment": f"{FORMAL.assignment}\n\nEdition {draft.edition}."}
            drafts.save_draft(draft, text, seen=draft.edition)

    def have_another_write(self, asked: RegistrationRequest, author: User) -> None:
        """Invite a co-editor, or remove the existing one."""
        other = self.cast.people[9]
        if asked.co_editors.exists():
            co_editors.remove_co_editor(read_anew(asked), other, actor=author)
        else:
            made = co_editors.invite_co_editor(read_anew(asked), other.email, actor=author)
            co_editors.accept_invitation(made, actor=other)

    def hold_back(self, asked: RegistrationRequest) -> None:
        """Have a court hold back another name than is asked for."""
        day = datetime.datetime.now(datetime.UTC).date()
        held_nids.hold_nid(
            nid=f"held{self.begun}x",
            actor=self.cast.people[6],
            ground=HoldGround.COURT,
            reasons="A trademark.",
            source="Docket 7",
            until=day + datetime.timedelta(30),
        )

    def take_role(self, person: User) -> None:
        """Take all roles from somebody."""
        with transaction.atomic():
            person.groups.clear()

    def give_back(self, roles: dict[int, list[int]]) -> None:
        """Give everyone their roles back."""
        for person in self.cast.people:
            person.groups.set(roles[person.pk])
        User.objects.filter(pk__in=roles).update(is_active=True)


def switch_off(person: User) -> None:
    """Close an account."""
    User.objects.filter(pk=person.pk).update(is_active=False)


def read_anew(asked: RegistrationRequest) -> RegistrationRequest:
    """Return the request as another page would have read it."""
    return RegistrationRequest.objects.get(pk=asked.pk)


@pytest.mark.whole
def test_invariants_hold_whatever_two_do_at_once(
    settings: Settings, traveller: time_machine.Traveller
) -> None:
    pairs = Pairs()
    roles = {each.pk: [group.pk for group in each.groups.all()] for each in pairs.cast.people}
    pairs.begin()
    pairs.checker.check()
    taken = 0

    for _number in range(PAIRS):
        asked = pairs.choose_request()
        step = pairs.draw_step(asked)
        acts = [step or scheduler.tick, pairs.draw_other(asked, step.person if step else None)]
        outdated = [isinstance(each, Step) and each.is_outdated() for each in acts]
        steps = [
            (each, is_late)
            for each, is_late, has_acted in zip(acts, outdated, act_in_processes(acts), strict=True)
            if isinstance(each, Step) and has_acted
        ]
        drawn = f"{[(str(each.asked), each.verb) for each, _late in steps]}, drawn by {SEED}"
        assert not any(is_late for _each, is_late in steps), f"From an old page: {drawn}"
        assert len({each.asked.pk for each, _late in steps}) == len(steps), f"Both: {drawn}"
        taken += len(steps)
        pairs.checker.check()
        pairs.give_back(roles)
        if days := pairs.chance.choice((0, 0, 0, 1, 8)):
            traveller.shift(datetime.timedelta(days))
            assert scheduler.tick().failures == []

    assert taken > PAIRS // 3
