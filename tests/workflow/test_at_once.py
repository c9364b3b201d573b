"""Several people at the same time: each loser is told, nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path as FilePath
from threading import Barrier

import pytest
from django.db import connections

from registry import journal, workflow
from registry.actions import conflicts_of_interest
from registry.enums import ChangeKind, RequestPath
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.workflow import drafts
from tests.exchange.seed.seed_files import (
    ORCHARD,
    ORCHARD_FROM,
    Files,
    Rows,
)
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    formal_text,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.small_changes import record_consent
from tests.template.samples import INFORMAL

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: list[Callable[[], object]]) -> list[object]:
    """Do `acts` at the same moment, each with its own connection; return results or refusals."""
    barrier = Barrier(len(acts))

    def one(act: Callable[[], object]) -> object:
        try:
            barrier.wait()
            return act()
        except workflow.ActionRefused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def read(registration_request: RegistrationRequest) -> RegistrationRequest:
    """Return the request as another page would have read it."""
    return RegistrationRequest.objects.get(pk=registration_request.pk)


@pytest.mark.whole
def test_one_of_eight_experts_deciding_at_once_decides_and_seven_are_told(
    in_review: RegistrationRequest,
) -> None:
    experts = [UserFactory.create(roles=["designated expert"]) for _n in range(8)]
    for expert in experts:
        workflow.perform(in_review, "assign", actor=expert)

    def decision(expert: User) -> Callable[[], object]:
        page = read(in_review)
        return lambda: workflow.perform(page, "approve", actor=expert, comment="Sound.")

    results = at_once([decision(expert) for expert in experts])

    told = [result for result in results if isinstance(result, workflow.ConcurrentChange)]
    assert len(told) == 7
    assert in_review.events.filter(verb="approve").count() == 1
    assert list(journal.verify()) == []


@pytest.mark.whole
def test_registrars_publishing_at_once_leave_no_gap_and_no_double(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    let_ask_often(registrant)
    # The body is known from its first namespace on, and consents to what she sent.
    let_speak_for(organization, registrant)
    requests = []
    for _n in range(6):
        each = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)
        workflow.perform(each, "submit", actor=registrant)
        workflow.perform(each, "assign", actor=expert)
        workflow.perform(each, "approve", actor=expert, comment="Sound.")
        requests.append(each)

    def publication(registration_request: RegistrationRequest) -> Callable[[], object]:
        page = read(registration_request)
        return lambda: workflow.perform(page, "register", actor=registrar)

    # Every request twice: two registrars have the same page open.
    results = at_once([publication(each) for each in requests * 2])

    numbered = Namespace.objects.order_by("informal_number")
    assert [namespace.informal_number for namespace in numbered] == [1, 2, 3, 4, 5, 6]
    assert sum(isinstance(result, workflow.ActionRefused) for result in results) == 6
    assert list(journal.verify()) == []


def test_double_click_on_send_makes_one_round(draft: RegistrationRequest, registrant: User) -> None:
    def click() -> Callable[[], object]:
        page = read(draft)
        return lambda: workflow.perform(page, "submit", actor=registrant)

    results = at_once([click(), click()])

    assert sum(isinstance(result, workflow.ConcurrentChange) for result in results) == 1
    assert draft.rounds.count() == 1
    assert draft.events.filter(verb="submit").count() == 1


def test_several_who_name_a_new_body_at_once_get_one_and_the_same() -> None:
    results = at_once([lambda: Organization.objects.named("Isby Seed Bank") for _n in range(8)])

    assert set(results) == {Organization.objects.get()}


@pytest.mark.whole
def test_one_request_is_published_while_another_on_its_namespace_is_sent(
    registrant: User, organization: Organization, registrar: User
) -> None:
    let_speak_for(organization, registrant)
    acts: list[Callable[[], object]] = []
    for n in range(6):
        namespace = NamespaceFactory.create(nid=f"grain-{n}x", registrant=organization)
        published, sent = (
            contact_change(namespace, registrant, organization, contact)
            for contact in ("urn@vault.example", "desk@vault.example")
        )
        workflow.perform(published, "submit", actor=registrant)
        acts.append(partial(workflow.perform, read(published), "register", actor=registrar))
        acts.append(partial(workflow.perform, read(sent), "submit", actor=registrant))

    results = at_once(acts)

    assert [each.verb for each in results if isinstance(each, Event)] == ["register", "submit"] * 6
    assert list(journal.verify()) == []


@pytest.mark.whole
def test_registry_is_loaded_anew_while_changes_of_facts_are_published(
    registrant: User, organization: Organization, registrar: User, tmp_path: FilePath
) -> None:
    let_ask_often(registrant)
    files, nids = Files(tmp_path), [f"grain-{n}x" for n in range(8)]
    files.write(*naming(nids, "grain of many kinds"))
    files.load()
    acts: list[Callable[[], object]] = []
    for namespace in Namespace.objects.order_by("nid"):
        changed = contact_change(namespace, registrant, organization, "urn@vault.example")
        workflow.perform(changed, "submit", actor=registrant)
        record_consent(changed)
        seen = partial(workflow.perform, read(changed), "register", actor=registrar)
        acts.append(seen)
    # From the other end than the publications, so that the two collide.
    files.write(*naming(nids[::-1], "grain and seed"))

    results = at_once([*acts[::-1], files.load])

    assert [each.verb for each in results[:-1] if isinstance(each, Event)] == ["register"] * 8
    assert list(journal.verify()) == []


def naming(nids: list[str], hint: str) -> tuple[Rows, Rows]:
    """Return the rows of both files for formal namespaces of these NIDs."""
    named = [ORCHARD | {"nid": nid, "purpose_hint": hint} for nid in nids]
    return named, [ORCHARD_FROM | {"nid": nid} for nid in nids]


@pytest.mark.whole
def test_expert_leaves_an_organization_while_others_decide_on_its_requests(
    registrant: User, organization: Organization, expert: User, lead: User
) -> None:
    let_ask_often(registrant)
    acts: list[Callable[[], object]] = [
        partial(conflicts_of_interest.declare_conflict, expert, organization)
    ]
    for n in range(6):
        each = start(registrant, organization, formal_text(f"grain-{n}x"), RequestPath.COMMUNITY)
        workflow.perform(each, "submit", actor=registrant)
        workflow.perform(each, "assign", actor=expert)
        workflow.perform(each, "assign", actor=lead)
        acts.append(
            partial(workflow.perform, read(each), "request_changes", actor=lead, comment="Mend.")
        )

    at_once(acts)

    assert not expert.assignments.active().filter(registration_request__state="in_review").exists()
    assert list(journal.verify()) == []


def contact_change(
    namespace: Namespace, author: User, organization: Organization, contact: str
) -> RegistrationRequest:
    """Return a request for another contact of `namespace`, written and not yet sent."""
    registration_request = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary=namespace.summary,
        namespace=namespace,
        change=ChangeKind.CONTACT,
    )
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": contact}, seen=draft.edition)
    return read(registration_request)
