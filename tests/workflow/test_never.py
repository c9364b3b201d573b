"""Random people take random steps, and what must never happen does not happen.

A failure ends with the shortest course that leads to it, which can be played again.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from registry import (
    permissions,
    scheduler,
    selectors,
    workflow,
)
from registry.actions import co_editors, conflicts_of_interest, delegates, recognition, remarks
from registry.enums import (
    ChangeKind,
    NamespaceStatus,
    RemarkWeight,
    RequestPath,
    Settlement,
    State,
)
from registry.models import (
    Namespace,
    Organization,
    RegistrationRequest,
    Remark,
    Round,
)
from registry.permissions import Person
from registry.template import Template
from registry.workflow import VERBS, drafts
from tests.factories import formal_text
from tests.template.samples import FORMAL, INFORMAL
from tests.workflow.players import Cast, Players

pytestmark = pytest.mark.django_db

NIDS = ("seedbank", "herbarium", "SeedBank")
EXAMPLES, STEPS = 40, 20
FURTHER = {"submit", "approve", "report", "direct", "complete", "verify_holder", "register"}
ASIDE = {"withdraw", "expire", "reopen", "recuse", "reassign"}
"""Steps that lead nowhere: people meddle with them often enough."""


class Play(Players):
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
            self.write_whole(started, text.replace(revision_information="What has changed."))
        self.bring_along(data, started)

    def write_whole(self, started: RegistrationRequest, text: Template) -> None:
        """Fill in the draft of a request that was just started."""
        draft = started.draft
        assert draft is not None
        drafts.save_draft(draft, text.to_dict(), seen=draft.edition)

    def bring_along(self, data: st.DataObject, started: RegistrationRequest) -> None:
        """Take some steps of the ordinary course, so that people meet in all of its states."""
        for _step in range(data.draw(st.integers(0, 5))):
            verb, person = self.ordinary(data, started)
            told: dict[str, Any] = {"comment": "In the ordinary course.", "proof": "A deed"}
            if verb == "register" and started.change == ChangeKind.REVISION:
                told |= {"last_version": "2", "last_version_source": "A letter"}
            self.attempt(partial(workflow.perform, started, verb, actor=person, **told))
            started.refresh_from_db()

    def ordinary(self, data: st.DataObject, started: RegistrationRequest) -> tuple[str, Person]:
        """Return what happens next in the ordinary course, and who does it."""
        expert, registrar, body = (self.cast.people[place] for place in (2, 6, 7))
        is_public = started.state in {State.IN_REVIEW, State.APPROVED}
        if is_public and started.change != ChangeKind.NEW and self.one(data, (True, False)):
            return "verify_holder", registrar
        if started.state == State.IN_REVIEW and not started.assignments.exists():
            return "assign", expert
        return {
            State.IN_REVIEW: (self.one(data, ("approve", "report")), expert),
            State.ADVISORY: ("complete", started.author),
            State.REPORTED: ("direct", body),
            State.APPROVED: ("register", registrar),
        }.get(State(started.state), ("submit", started.author))

    def write(self, data: st.DataObject) -> None:
        """Somebody writes on a draft: something useful, a fault, or what facts shall hold."""
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
        """Anybody tries anything, perhaps from an old page."""
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
        """Somebody answers a remark, drops it, or opens it again."""
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
        """Somebody comes to have a stake."""
        person, other = self.one(data, self.cast.people), self.one(data, self.cast.people)
        organization = self.one(data, (self.cast.vault, self.cast.museum))
        registration_request = self.request(data)
        acts: tuple[Callable[[], object], ...] = (
            lambda: delegates.name_delegate(organization, person.email, actor=other),
            lambda: co_editors.accept_invitation(
                co_editors.invite_co_editor(registration_request, person.email, actor=other),
                actor=person,
            ),
            lambda: (
                conflicts_of_interest.declare_conflict(person, organization)
                if permissions.is_expert(person)
                else None
            ),
        )
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

    def wait(self, data: st.DataObject) -> None:
        """Days go by, and the clock does what is due."""
        days = self.one(data, (1, 2, 8, 8, 31, 100))
        self.traveller.shift(datetime.timedelta(days))
        assert scheduler.tick().failures == []

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        """One of all this happens; mostly, people go on with what there is."""
        acts = [self.go_on] * 7
        acts += [self.write, self.meddle, self.wait] * 2
        acts += [self.start, self.change, self.remark, self.settle, self.tie, self.recognise]
        self.one(data, acts)(data)

    @invariant()
    def what_must_never_happen_has_not(self) -> None:
        """The list in docs/process.md holds after every step."""
        self.never.look()


def test_whatever_people_do_what_must_never_happen_does_not_happen(db: None) -> None:
    Play.cast = Cast()

    run_state_machine_as_test(
        Play,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert selectors.registered_nids() == {"imported"}
