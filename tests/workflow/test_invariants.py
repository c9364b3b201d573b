"""Random people take random steps, and what must never happen does not happen.

A failure ends with the shortest play that causes it, which can be repeated. `make test-all` runs a
few plays, the same each time, so that the result does not depend on luck; `make soak` runs 300 new
ones, or as many as `REGISTRY_TEST_SOAK_COURSES` says (tests/conftest.py has the profiles). `make
soak ARGS=--hypothesis-seed=7` runs the plays of that seed, repeatably.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import time_machine
from django.utils import timezone
from hypothesis import HealthCheck, strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from registry import (
    held_nids,
    permissions,
    scheduler,
    selectors,
    workflow,
)
from registry.actions import (
    co_editors,
    conflicts_of_interest,
    recognition,
    remarks,
    speakers,
)
from registry.enums import (
    ChangeKind,
    HoldGround,
    NamespaceStatus,
    RemarkWeight,
    RequestPath,
    Settlement,
    State,
)
from registry.models import (
    HeldNid,
    Letter,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    Remark,
    Round,
    User,
)
from registry.permissions import Person
from registry.template import Template
from registry.workflow import VERBS, drafts
from registry.workflow.events import record_event
from tests.days import let_days_pass
from tests.factories import (
    NamespaceFactory,
    end_speaking_for,
    formal_text,
)
from tests.sign_in import remove_factors
from tests.template.samples import FORMAL, INFORMAL
from tests.workflow.invariants import INVARIANTS, InvariantChecker
from tests.workflow.opened_forms import FormPlayers
from tests.workflow.players import FIRST_DAY, Cast
from tools.sign_in import give_factor

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
NIDS = ("seedbank", "herbarium", "SeedBank")
EXAMPLES = int(os.environ.get("REGISTRY_TEST_SOAK_COURSES", "12"))
STEPS = 20
WORD_DAYS = 7
FURTHER = {
    "submit",
    "approve",
    "report",
    "direct",
    "complete",
    "consent",
    "record_evidence",
    "countersign",
    "register",
}
ASIDE = {"withdraw", "expire", "reopen", "recuse"}
"""Steps that lead nowhere: people meddle with them often enough."""


class Play(FormPlayers):
    """Something happens, again and again."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """There is something to act on."""
        self.start(data)

    def start(self, data: st.DataObject) -> None:
        """Somebody starts a request for a new namespace, on any path."""
        if self.is_full():
            return
        path = self.one(data, RequestPath)
        text = INFORMAL if path == RequestPath.INFORMAL else formal_text(self.one(data, NIDS))
        started = drafts.start_request(
            author=self.one(data, self.cast.people),
            path=path,
            organization=self.one(data, (self.cast.vault, self.cast.museum)),
            summary="Things of the vault",
            nid="" if path == RequestPath.INFORMAL else text["nid"],
            standards_action=self.one(data, (False, False, True)),
        )
        self.write_whole(started, text)
        self.bring_along(data, started)

    def change(self, data: st.DataObject) -> None:
        """Somebody asks for a change of a namespace."""
        if self.is_full():
            return
        namespace = self.one(data, Namespace.objects.order_by("pk"))
        change = self.one(data, set(ChangeKind) - {ChangeKind.NEW})
        started = drafts.start_request(
            author=self.one(data, self.cast.people),
            path=RequestPath.INFORMAL if namespace.informal_number else RequestPath.COMMUNITY,
            organization=self.one(data, (self.cast.vault, self.cast.museum)),
            summary="Things of the vault, changed",
            namespace=namespace,
            change=change,
        )
        if change == ChangeKind.REVISION:
            text = formal_text(namespace.nid) if not namespace.informal_number else INFORMAL
            self.write_whole(started, text.replace(revision_information="The purpose says more."))
        self.bring_along(data, started)

    def write_whole(self, started: RegistrationRequest, text: Template) -> None:
        """Fill in the draft of a request that was just started."""
        draft = started.draft
        assert draft is not None
        drafts.save_draft(draft, text.to_dict(), seen=draft.edition)

    def bring_along(self, data: st.DataObject, started: RegistrationRequest) -> None:
        """Take some steps of the ordinary process, so that people meet in all of its states."""
        for _step in range(data.draw(st.integers(0, 5))):
            if started.change != ChangeKind.NEW and self.one(data, (True, False)):
                self.give_word(started, self.cast.people[0])
                self.pass_days(self.one(data, (0, WORD_DAYS + 1)))
                started.refresh_from_db()
            verb, person = self.ordinary(data, started)
            told: dict[str, Any] = {"comment": "In the ordinary course.", "about": "consent"}
            if verb == "register" and started.change == ChangeKind.REVISION:
                told |= {"last_version": "2", "last_version_source": "A letter"}
            self.attempt(partial(workflow.perform, started, verb, actor=person, **told))
            started.refresh_from_db()

    def ordinary(self, data: st.DataObject, started: RegistrationRequest) -> tuple[str, Person]:
        """Return the next step of the ordinary process, and who takes it."""
        expert, registrar, body = (self.cast.people[place] for place in (2, 6, 7))
        is_public = started.state in {State.IN_REVIEW, State.APPROVED}
        if is_public and started.change != ChangeKind.NEW and self.one(data, (True, False)):
            return "record_evidence", registrar
        two = {ChangeKind.TRANSFER, ChangeKind.STATUS}
        if started.state == State.APPROVED and started.change in two and self.one(data, (1, 0)):
            return "countersign", self.one(data, (registrar, body))
        if started.state == State.IN_REVIEW and not started.assignments.exists():
            return "assign", expert
        return {
            State.IN_REVIEW: (self.one(data, ("approve", "report")), expert),
            State.ADVISORY: ("complete", started.author),
            State.REPORTED: ("direct", body),
            State.APPROVED: ("register", registrar),
        }.get(State(started.state), ("submit", started.author))

    def write(self, data: st.DataObject) -> None:
        """Somebody writes in a draft: something useful, a fault, or requested facts."""
        unsent = Round.objects.filter(submitted_at=None).order_by("pk")
        draft = self.one(data, unsent) if unsent else None
        if draft is None:
            return
        if draft.registration_request.changes_facts:
            facts = {
                "contact": f"urn@vault.example, {draft.edition}",
                "references": [f"Letter {draft.edition}"],
                "status": self.one(data, NamespaceStatus),
                "notice": "Use another.",
            }
            asked = {name: value for name, value in facts.items() if name in draft.facts}
            self.attempt(lambda: drafts.save_draft_facts(draft, asked, seen=draft.edition))
            return
        changes = self.one(
            data,
            (
                {"assignment": f"{FORMAL.assignment}\n\nEdition {draft.edition}."},
                {"assignment": f"{FORMAL.assignment}\n\nIn edition {draft.edition}."},
                {"purpose": ""},
                {"purpose": FORMAL.purpose},
            ),
        )
        self.attempt(lambda: drafts.save_draft(draft, changes, seen=draft.edition))

    def go_on(self, data: st.DataObject) -> None:
        """People take one request further, by steps that are open to them."""
        registration_request = self.request(data)
        for _step in range(data.draw(st.integers(2, 8))):
            for person in data.draw(st.permutations(self.everybody())):
                offered = {
                    each.verb
                    for each in workflow.available_transitions(registration_request, person)
                }
                if further := sorted(offered - ASIDE) + sorted(offered & FURTHER) * 2:
                    self.perform(data, registration_request, self.one(data, further), person)
                    registration_request.refresh_from_db()
                    break

    def meddle(self, data: st.DataObject) -> None:
        """Anyone tries anything, perhaps from an old page."""
        person = self.one(data, self.everybody())
        registration_request = self.request(data)
        seen = registration_request.revision - self.one(data, (0, 1))
        self.perform(data, registration_request, self.one(data, VERBS), person, seen=seen)

    def remark(self, data: st.DataObject) -> None:
        """Somebody remarks on the last round."""
        registration_request = self.request(data)
        last = registration_request.last_round
        if last is None:
            return
        self.attempt(
            lambda: remarks.add_remark(
                registration_request,
                actor=self.one(data, self.cast.people),
                round_number=last.number,
                section="purpose",
                weight=self.one(data, RemarkWeight),
                text="Say who they are.",
            )
        )

    def settle(self, data: st.DataObject) -> None:
        """Somebody answers a remark, drops it, or reopens it."""
        made = Remark.objects.order_by("pk")
        if not made:
            return
        remark = self.one(data, made)
        person = self.one(data, self.cast.people)
        acts: tuple[Callable[[], object], ...] = (
            lambda: remarks.drop_remark(remark, actor=person, reason="Settled."),
            lambda: remarks.reopen_remark(remark, actor=person, reason="Not yet."),
            lambda: remarks.answer_remark(
                remark,
                actor=person,
                settlement=self.one(data, (Settlement.CHANGED, Settlement.EXPLAINED)),
                text="It is so.",
                seen=remarks.format_prepared_answer(remark),
            ),
        )
        self.attempt(self.one(data, acts))

    def tie(self, data: st.DataObject) -> None:
        """Somebody gets a stake."""
        person, other = self.one(data, self.cast.people), self.one(data, self.cast.people)
        organization = self.one(data, (self.cast.vault, self.cast.museum))
        registration_request = self.request(data)
        author = self.one(data, (registration_request.author, other))
        acts: tuple[Callable[[], object], ...] = (
            lambda: speakers.name_speaker(organization, person.email, actor=other),
            lambda: co_editors.accept_invitation(
                co_editors.invite_co_editor(registration_request, person.email, actor=author),
                actor=person,
            ),
            lambda: (
                conflicts_of_interest.declare_conflict(person, organization)
                if permissions.is_expert(person)
                else None
            ),
        )
        self.attempt(self.one(data, acts))

    def take_off(self, data: st.DataObject) -> None:
        """A co-editor leaves a request, or is removed by somebody who may or may not do so."""
        written = RegistrationRequest.objects.filter(co_editors__isnull=False).order_by("pk")
        if not written:
            self.tie(data)
            return
        asked = self.one(data, written)
        writer = self.one(data, asked.co_editors.order_by("pk"))
        actor = self.one(data, (asked.author, writer, self.one(data, self.cast.people)))
        self.attempt(lambda: co_editors.remove_co_editor(asked, writer, actor=actor))

    def officer(self, data: st.DataObject) -> User:
        """Return a registrar, or a spokesperson of the standards body."""
        person: User = self.one(data, self.cast.people[6:9])
        return person

    def come_to_speak(self, data: st.DataObject) -> None:
        """Somebody comes to speak for a body, or is stopped, ruled on or removed."""
        body = self.one(data, Organization.objects.order_by("pk"))
        person = self.one(data, self.cast.people)
        actor = self.one(data, self.cast.people)
        row = speakers.rows_to_rule_on(body).order_by("pk").last()
        acts: list[Callable[[], object]] = [
            partial(speakers.name_speaker, body, person.email, actor=actor),
            partial(speakers.record_speaker, body, person.email, "A deed", actor=actor),
        ]
        if row:
            acts += [
                partial(speakers.countersign_speaker, row, actor=actor),
                partial(speakers.object_to_speaker, row, actor=actor, by=actor.email, reason="No."),
                partial(speakers.withdraw_objection, row, actor=actor, by=actor.email),
                partial(speakers.end_speaking, row, actor=actor),
                partial(speakers.rule_on_speakers, body, [row.pk], "So it is.", actor=actor),
            ]
        self.attempt(self.one(data, acts))

    def recognise(self, data: st.DataObject) -> None:
        """An organization asks for recognition, and is answered or left waiting."""
        organization = Organization.objects.get(
            pk=self.one(data, (self.cast.vault, self.cast.museum)).pk
        )
        person = self.one(data, self.cast.people)

        def ask_and_answer() -> None:
            asked = recognition.request_recognition(
                organization, self.cast.people[0], "A society of vaults."
            )
            answer = self.one(data, ("wait", "grant", "refuse"))
            if answer == "grant":
                recognition.grant_recognition(
                    asked, actor=person, recognised_on=self.today(), source="Minutes"
                )
            elif answer == "refuse":
                recognition.refuse_recognition(asked, actor=person, reasons="No such society.")

        self.attempt(ask_and_answer)

    def lose_recognition(self, data: st.DataObject) -> None:
        """The standards body takes a recognition back."""
        granted = Recognition.objects.filter(is_granted=True).order_by("pk")
        if granted:
            asked, person = self.one(data, granted), self.one(data, self.cast.people)
            self.attempt(
                lambda: recognition.withdraw_recognition(
                    asked, actor=person, reasons="It closed its process."
                )
            )

    def speak(self, data: st.DataObject) -> None:
        """Somebody consents to a request, for the holder or for anyone."""
        self.give_word(self.request(data), self.one(data, self.cast.people))

    def give_word(self, registration_request: RegistrationRequest, person: User) -> None:
        """Consent to a request."""
        self.attempt(lambda: workflow.perform(registration_request, "consent", actor=person))

    def take_offer(self, data: st.DataObject) -> None:
        """Somebody accepts an offer to speak for a namespace, whosever it is."""
        namespace = self.one(data, Namespace.objects.order_by("pk"))
        person = self.one(data, self.cast.people)
        self.attempt(lambda: speakers.accept_offer(namespace, actor=person))

    def disagree(self, data: st.DataObject) -> None:
        """Of two who act for the holder one objects, or changes their mind."""
        changes = RegistrationRequest.objects.exclude(change=ChangeKind.NEW).order_by("pk")
        if not changes:
            return
        asked, verb = self.one(data, changes), self.one(data, ("object", "object", "direct"))
        person = self.one(data, (0, 7, 11, 12))
        self.perform(data, asked, verb, self.cast.people[person])

    def appeal(self, data: st.DataObject) -> None:
        """A bystander appeals, or a member of the standards body decides on an appeal."""
        verb, people = self.one(data, (("appeal", (9, 12)), ("decide_appeal", (7, 8))))
        self.perform(data, self.request(data), verb, self.cast.people[self.one(data, people)])

    def leave(self, data: st.DataObject) -> None:
        """Somebody loses a role or the account, goes away or stops acting for a body; or returns.

        The administrator stays, who gives roles.
        """
        person = self.cast.people[self.one(data, (0, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 11, 12))]
        how = self.one(data, ("role", "account", "absence", "body", "factor", "return"))
        if how == "role":
            person.groups.clear()
        elif how == "factor":
            remove_factors(person)
        elif how == "absence":
            last = self.today() + datetime.timedelta(self.one(data, (3, 60)))
            person.absences.create(first_day=self.today(), last_day=last)
        elif how == "body":
            end_speaking_for(self.cast.vault, person)
        else:
            User.objects.filter(pk=person.pk).update(is_active=how == "return")
            if person.groups.exists():
                give_factor(person)

    def hold(self, data: st.DataObject) -> None:
        """A requested NID is held back, or released."""
        person = self.one(data, self.cast.people[6:9])
        held = HeldNid.objects.not_ended().order_by("pk")
        if held and self.one(data, (True, False)):
            self.attempt(
                partial(held_nids.end_hold, self.one(data, held), actor=person, ending="Settled.")
            )
            return
        self.attempt(
            partial(
                held_nids.hold_nid,
                nid=self.one(data, NIDS),
                actor=person,
                ground=HoldGround.COURT,
                reasons="A trademark.",
                source="Docket 7",
                until=self.today() + datetime.timedelta(self.one(data, (1, 60))),
            )
        )

    def side(self, data: st.DataObject) -> None:
        """The whole team of experts turns out to have a stake in one body."""
        body = self.one(data, (self.cast.vault, self.cast.museum))
        for person in self.cast.people:
            if permissions.is_expert(person):
                self.attempt(partial(conflicts_of_interest.declare_conflict, person, body))

    def wait(self, data: st.DataObject) -> None:
        """Days pass, or the clock jumps."""
        self.pass_days(self.one(data, (1, 2, 8, 8, 31, 100, 400)))

    def pass_days(self, days: int) -> None:
        """Let some days pass at once; the scheduler does what is due."""
        if days:
            Letter.objects.filter(sent_at=None).update(sent_at=timezone.now())
            let_days_pass(self.traveller, days)
            assert scheduler.tick().failures == []

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        """One of these things happens; mostly, people continue with what there is."""
        acts = [self.go_on] * 7
        acts += [self.write, self.meddle, self.wait] * 2
        acts += [self.start, self.change, self.remark, self.settle, self.tie, self.recognise]
        acts += [self.change, self.speak, self.disagree, self.appeal, self.leave]
        acts += [self.take_offer, self.lose_recognition, self.side, self.hold]
        acts += [self.open_form, self.send_form] * 2
        acts += [self.take_off, self.come_to_speak]
        self.one(data, acts)(data)

    @invariant()
    def what_must_never_happen_has_not(self) -> None:
        """The list in docs/process.md holds after every step."""
        self.checker.check()


@pytest.fixture
def still() -> Iterator[None]:
    """Everything is done at one moment, as in a play."""
    with time_machine.travel(FIRST_DAY, tick=False):
        yield


def change_a_contact(asked: RegistrationRequest) -> None:
    Namespace.objects.update(contact="Somebody else, else@people.example")


def hold_back_the_name(asked: RegistrationRequest) -> None:
    day = timezone.localdate()
    HeldNid.objects.create(
        nid=asked.nid.lower(),
        ground=HoldGround.COURT,
        reasons="A trademark.",
        source="Docket 7",
        until=day,
        held_by=asked.author,
        held_at=timezone.now() - datetime.timedelta(1),
    )


def approve_unread(asked: RegistrationRequest) -> None:
    """Write an approval into the journal as if nothing had prevented it."""
    last = asked.last_round
    assert last is not None
    expert = asked.assignments.get().expert
    data = {"round": last.number, "sha256": last.sha256}
    record_event(asked, actor=expert, verb="approve", comment="Sound.", data=data)


def lose_an_expert_unheard(asked: RegistrationRequest) -> None:
    expert = asked.assignments.get().expert
    told = {"to": [], "people": [expert.pk], "kind": "expert-lost", "expert": str(expert)}
    event = record_event(asked, actor=permissions.CLOCK, verb="alarm", data=told)
    Letter.objects.filter(event=event).delete()


@pytest.mark.parametrize(
    ("breach", "error_text"),
    [
        ((change_a_contact,), "became"),
        ((hold_back_the_name, approve_unread), "held back"),
        ((lose_an_expert_unheard,), "heard nothing"),
    ],
)
def test_list_notices_what_must_never_happen(
    breach: tuple[Callable[[RegistrationRequest], None], ...],
    error_text: str,
    still: None,
    in_review: RegistrationRequest,
    lead: User,
    standards_body: User,
) -> None:
    NamespaceFactory.create(nid="imported")
    checker = InvariantChecker()
    checker.check()

    for happens in breach:
        happens(in_review)

    with pytest.raises(AssertionError, match=error_text):
        checker.check()


def read_guide() -> list[str]:
    """Return the guide's sentences on what must never happen."""
    whole = (ROOT / "docs" / "process.md").read_text()
    _before, after = whole.split("## What must never happen\n")
    part = after.split("\n## ")[0]
    return [
        " ".join(each.split()) for each in re.findall(r"^- (.*?)$(?=\n-|\n\n)", part, re.M | re.S)
    ]


def test_each_sentence_of_the_guide_has_what_shows_that_it_holds() -> None:
    sentences = read_guide()
    places = [
        [number for number, sentence in enumerate(sentences) if each.mark in sentence]
        for each in INVARIANTS
    ]

    assert {len(each) for each in places} == {1}
    numbers = [number for (number,) in places]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(len(sentences)))
    assert all(
        each.of_all or each.of_requests or each.of_events or each.tests for each in INVARIANTS
    )


def test_each_test_that_shows_a_sentence_is_there() -> None:
    for named in (name for each in INVARIANTS for name in each.tests):
        path, _colons, name = named.partition("::")
        assert f"\ndef {name}(" in (ROOT / "tests" / path).read_text(), named


@pytest.mark.whole
def test_invariants_hold_whatever_people_do(db: None, settings: Settings) -> None:
    Play.cast = Cast()

    run_state_machine_as_test(
        Play,
        settings=hypothesis.settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert selectors.registered_nids() == {"imported"}
