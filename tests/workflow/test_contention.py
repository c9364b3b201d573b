"""Two requests for one NID: who is told, what each page says, and what happens to the loser."""

from __future__ import annotations

import importlib
from typing import Any, Final

import pytest
from django.test import Client

from registry import permissions, selectors, workflow
from registry.enums import LetterReason, RequestPath, State
from registry.journal.event_messages import describe_event
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.workflow import ActionRefused, drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal
from tests.template.samples import FORMAL, REVISION

pytestmark = pytest.mark.django_db

perform: Final = importlib.import_module("registry.workflow.perform")


@pytest.fixture
def rival_author(db: None) -> User:
    return UserFactory.create(name="Rike Rival", email="rival@people.example")


@pytest.fixture
def rival_body(db: None) -> Organization:
    return OrganizationFactory.create(name="Southlight Seed Vault Union")


@pytest.fixture
def second_expert(db: None) -> User:
    return UserFactory.create(email="second@people.example", roles=["designated expert"])


@pytest.fixture
def rival(
    approved: RegistrationRequest, rival_author: User, rival_body: Organization, second_expert: User
) -> RegistrationRequest:
    """Another request for the same NID, with an expert on it."""
    other = start(rival_author, rival_body, FORMAL, RequestPath.COMMUNITY)
    workflow.perform(other, "submit", actor=rival_author)
    workflow.perform(other, "assign", actor=second_expert)
    return other


def begin_revision(held: Namespace, author: User) -> RegistrationRequest:
    assert held.registrant is not None
    begun = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=held.registrant,
        summary="Accessions",
        namespace=held,
    )
    draft = begun.draft
    assert draft is not None
    text = REVISION.replace(revision_information="The purpose says more.")
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    return begun


def send_revision(held: Namespace, author: User, expert: User) -> RegistrationRequest:
    begun = begin_revision(held, author)
    workflow.perform(begun, "submit", actor=author)
    workflow.perform(begun, "assign", actor=expert)
    return begun


def publish(registration_request: RegistrationRequest, registrar: User) -> None:
    workflow.perform(registration_request, "register", actor=registrar, references=["RFC 8141"])


@pytest.mark.pages
def test_loser_hears_of_it_the_same_minute_and_its_turn_is_the_registrants(
    approved: RegistrationRequest,
    rival: RegistrationRequest,
    registrar: User,
    rival_author: User,
    second_expert: User,
    client: Client,
) -> None:
    publish(approved, registrar)

    rival.refresh_from_db()
    assert rival.state == State.CHANGES_REQUESTED
    assert rival.draft is not None
    event = rival.events.latest("number")
    assert (event.verb, event.actor) == ("overtake", None)
    assert event.data["winner"] == approved.reference
    told = set(Letter.objects.filter(event=event).values_list("address", flat=True))
    assert {rival_author.email, second_expert.email} <= told
    assert not rival.assignments.exists()
    page = client.get(rival.get_absolute_url()).content.decode()
    assert approved.reference in page


def test_expert_who_stepped_back_from_the_loser_does_not_come_back_to_it(
    approved: RegistrationRequest, rival: RegistrationRequest, registrar: User, second_expert: User
) -> None:
    workflow.perform(rival, "recuse", actor=second_expert, comment="We are neighbours.")

    publish(approved, registrar)

    rival.refresh_from_db()
    assert rival.events.latest("number").verb == "overtake"
    assert permissions.has_stepped_back(second_expert, rival)
    assert not permissions.may_join(second_expert, rival)


def test_loser_goes_on_under_another_name_and_with_the_same_expert(
    approved: RegistrationRequest,
    rival: RegistrationRequest,
    registrar: User,
    rival_author: User,
    second_expert: User,
) -> None:
    publish(approved, registrar)
    rival.refresh_from_db()
    with pytest.raises(ActionRefused):
        workflow.perform(rival, "submit", actor=rival_author)

    draft = rival.draft
    assert draft is not None
    text: dict[str, Any] = {
        name: words.replace(FORMAL["nid"], "vaultunion")
        for name, words in draft.template.to_dict().items()
        if isinstance(words, str)
    }
    text["examples"] = [each.replace(FORMAL["nid"], "vaultunion") for each in draft.examples]
    drafts.save_draft(draft, text, seen=draft.edition)
    rival.refresh_from_db()
    workflow.perform(rival, "submit", actor=rival_author)
    workflow.perform(rival, "assign", actor=second_expert)

    assert rival.state == State.IN_REVIEW


def test_approval_of_one_rival_names_the_other(
    rival: RegistrationRequest, approved: RegistrationRequest, second_expert: User
) -> None:
    with pytest.raises(ActionRefused, match=approved.reference):
        workflow.perform(rival, "approve", actor=second_expert, comment="Sound.")

    said = f"Sound; {approved.reference} names fewer things."
    workflow.perform(rival, "approve", actor=second_expert, comment=said)

    assert rival.state == State.APPROVED


@pytest.mark.whole
def test_revision_from_the_version_that_another_has_replaced_is_given_back(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    let_speak_for(organization, registrant)
    held = NamespaceFactory.create(nid="seedbank", registrant=organization, last_known_version="1")
    first, second = (send_revision(held, registrant, expert) for _time in range(2))
    unsent = begin_revision(held, registrant)
    workflow.perform(first, "approve", actor=expert, comment=f"Before {second.reference}.")

    publish(first, registrar)

    second.refresh_from_db()
    event = second.events.latest("number")
    assert (second.state, event.verb, event.data["winner"]) == (
        State.CHANGES_REQUESTED,
        "overtake",
        first.reference,
    )
    assert "newer version" in describe_event(event)
    assert second.draft is not None
    assert permissions.is_assigned_expert(expert, second)
    unsent.refresh_from_db()
    assert unsent.state == State.DRAFT


@pytest.mark.pages
def test_near_collision_is_told_to_both_and_stands_on_both_pages(
    sent: RegistrationRequest,
    registrant: User,
    rival_author: User,
    rival_body: Organization,
    client: Client,
) -> None:
    near = FORMAL["nid"] + "s"
    text = FORMAL.replace(
        nid=near, examples=[each.replace(FORMAL["nid"], near) for each in FORMAL.examples]
    )
    other = start(rival_author, rival_body, text, RequestPath.COMMUNITY)
    event = workflow.perform(other, "submit", actor=rival_author)

    assert event.data["close_to"] == [sent.reference]
    assert Letter.objects.filter(event=event, address=registrant.email).exists()
    for one, another in ((sent, other), (other, sent)):
        assert another.reference in client.get(one.get_absolute_url()).content.decode()


def test_holder_of_a_namespace_that_looks_like_the_one_asked_for_is_told_once(
    draft: RegistrationRequest, registrant: User
) -> None:
    holder, delegate = OrganizationFactory.create(), UserFactory.create()
    NamespaceFactory.create(nid="seed-bank", registrant=holder, contact="Desk, desk@beans.example")
    let_speak_for(holder, delegate)

    event = workflow.perform(draft, "submit", actor=registrant)

    assert draft.nid == "seedbank"
    assert event.data["close_to_namespaces"] == ["seed-bank"]
    told = Letter.objects.filter(event=event, reason=LetterReason.NEIGHBOUR)
    assert {letter.address for letter in told} == {delegate.email, "desk@beans.example"}


def test_nobody_approves_what_could_not_be_published(
    in_review: RegistrationRequest, expert: User, rival_author: User, rival_body: Organization
) -> None:
    other = start(rival_author, rival_body, FORMAL, RequestPath.COMMUNITY)
    workflow.perform(other, "submit", actor=rival_author)
    judge = UserFactory.create(roles=["designated expert"])
    workflow.perform(other, "assign", actor=judge)
    said = f"Better than {other.reference}."
    workflow.perform(in_review, "approve", actor=expert, comment=said)
    publish(in_review, UserFactory.create(roles=["registrar"]))

    other.refresh_from_db()
    assert other.state == State.CHANGES_REQUESTED
    assert selectors.list_rival_requests(other) == []


def test_role_that_was_lost_meanwhile_does_not_act_once_more(
    in_review: RegistrationRequest, expert: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = perform.claim_revision

    def claim_after_another(*args: Any) -> None:
        claim(*args)
        expert.groups.clear()

    monkeypatch.setattr(perform, "claim_revision", claim_after_another)

    with expect_refusal("role"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    in_review.refresh_from_db()
    assert in_review.state == State.IN_REVIEW
