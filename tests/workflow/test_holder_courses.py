"""A stranger gets nowhere, revision and transfer work together, and the holder hears of it all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from registry import workflow
from registry.actions import organization_proofs
from registry.enums import ChangeKind, LetterReason, RequestPath, Role, State, Turn
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.selectors import find_current_turn, holder_consent
from registry.selectors.holder_consent import NOT_BY_HOLDER, list_people_who_can_give_word
from registry.template import Template
from registry.workflow import drafts
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import bring_holder_word, bring_second_officer, confirm_words, send
from tests.template.samples import REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
CONTACT = "desk@books.example"
TEXT: Template = REVISION.replace(revision_information="The purpose says more.")


@pytest.fixture
def agency(db: None) -> Organization:
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    let_speak_for(body, UserFactory.create(name="Dag Delegate", email="dag@people.example"))
    return body


@pytest.fixture
def delegate(agency: Organization) -> User:
    return User.objects.speaking_for(agency).get()


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, contact=f"Desk, {CONTACT}", last_known_version="1"
    )


@pytest.fixture
def tigers(outsider: User) -> Organization:
    """A recognised body with a stranger as delegate."""
    body: Organization = OrganizationFactory.create(
        name="Paper Tiger Press", recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    let_speak_for(body, outsider)
    return body


def revise(
    namespace: Namespace, author: User, body: Organization, path: RequestPath
) -> RegistrationRequest:
    """Return a revision in its first round."""
    asked = drafts.start_request(
        author=author, path=path, organization=body, summary="Books", namespace=namespace
    )
    draft = asked.draft
    assert draft is not None
    drafts.save_draft(draft, TEXT.to_dict(), seen=draft.edition)
    workflow.perform(asked, "submit", actor=author)
    return asked


def approve(asked: RegistrationRequest, expert: User) -> None:
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")


# Strangers


@pytest.mark.pages
def test_stranger_with_a_recognised_body_gets_nowhere_on_the_fast_track(
    namespace: Namespace, tigers: Organization, outsider: User, sign_in: SignIn, client: Client
) -> None:
    asked = revise(namespace, outsider, tigers, RequestPath.FAST_TRACK)
    path, said = f"/requests/{asked.slug}/act/complete/", {"seen": asked.revision, "comment": "-"}

    sign_in(outsider).post(path, said)
    program = Program.of(outsider).take(asked.slug, "complete", comment="None.")

    asked.refresh_from_db()
    assert NOT_BY_HOLDER in list_obstacle_labels(asked)
    assert program.status_code == 409
    assert asked.state == State.ADVISORY
    assert str(NOT_BY_HOLDER) in text_of(client.get("/requests/"))
    assert namespace.registrations.count() == 0


@pytest.mark.pages
def test_stranger_gets_nowhere_by_expert_review(
    namespace: Namespace, tigers: Organization, outsider: User, expert: User, sign_in: SignIn
) -> None:
    asked = revise(namespace, outsider, tigers, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    browser, path = sign_in(expert), f"/review/{asked.slug}/"

    review = text_of(browser.get(path))
    browser.post(path, {"verb": "approve", "seen": asked.revision, "comment": "Sound."})

    asked.refresh_from_db()
    assert review.count(str(NOT_BY_HOLDER)) >= 2, "on the page, and on the checklist"
    assert asked.state == State.IN_REVIEW


def test_stranger_does_not_become_the_registrant_of_a_namespace_that_nobody_is_known_to_hold(
    tigers: Organization, outsider: User, expert: User, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="watermill", last_known_version="1")
    asked = revise(namespace, outsider, tigers, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    with expect_refusal("may_be_published"):
        approve(asked, expert)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(asked) == []

    bring_holder_word(asked)
    approve(asked, expert)
    workflow.perform(asked, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (asked.state, namespace.registrant) == (State.REGISTERED, None)


@pytest.mark.pages
def test_every_list_of_the_site_says_that_it_is_not_by_the_holder(
    namespace: Namespace,
    tigers: Organization,
    outsider: User,
    expert: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    asked = revise(namespace, outsider, tigers, RequestPath.COMMUNITY)
    pages = [
        client.get("/requests/"),
        client.get("/namespaces/isbn/"),
        client.get(tigers.get_absolute_url()),
        sign_in(outsider).get("/account/requests/"),
        sign_in(expert).get("/review/"),
    ]

    told = client.get("/api/v1/requests/").json()["results"][0]

    assert [str(NOT_BY_HOLDER) in text_of(page) for page in pages] == [True] * len(pages)
    assert told["reference"] == asked.reference
    assert told["missing_holder_word"] == holder_consent.explain_missing_consent(asked) != ""


# Revision and transfer together


@pytest.fixture
def heir(db: None) -> User:
    return UserFactory.create(name="Hedda Heir", email="hedda@people.example")


@pytest.fixture
def successor(heir: User) -> Organization:
    body: Organization = OrganizationFactory.create(name="Successor")
    let_speak_for(body, heir)
    return body


def hand_over(namespace: Namespace, heir: User, successor: Organization, delegate: User) -> None:
    """Let the holder transfer the namespace."""
    transfer = send(namespace, ChangeKind.TRANSFER, heir, successor)
    holder = namespace.registrant
    assert holder
    organization_proofs.give_consent(holder, transfer, actor=delegate)
    confirm_words(transfer)
    registrar = UserFactory.create(roles=[Role.REGISTRAR])
    bring_second_officer(transfer)
    workflow.perform(transfer, "register", actor=registrar)
    namespace.refresh_from_db()


@pytest.mark.whole
def test_revision_by_the_heir_waits_for_the_transfer_and_then_goes_on(
    namespace: Namespace,
    heir: User,
    successor: Organization,
    delegate: User,
    expert: User,
    registrar: User,
) -> None:
    asked = revise(namespace, heir, successor, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    with expect_refusal("may_be_published"):
        approve(asked, expert)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]

    hand_over(namespace, heir, successor, delegate)
    asked = RegistrationRequest.objects.get(pk=asked.pk)
    approve(asked, expert)
    workflow.perform(asked, "register", actor=registrar)

    assert asked.state == State.REGISTERED


@pytest.mark.whole
def test_revision_written_under_the_former_holder_needs_the_word_of_the_new_one(
    namespace: Namespace,
    agency: Organization,
    heir: User,
    successor: Organization,
    delegate: User,
    expert: User,
    registrar: User,
) -> None:
    asked = revise(namespace, delegate, agency, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    approve(asked, expert)

    hand_over(namespace, heir, successor, delegate)
    asked = RegistrationRequest.objects.get(pk=asked.pk)
    with expect_refusal("may_be_published"):
        workflow.perform(asked, "register", actor=registrar)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]
    turn = holder_consent.list_people_who_can_give_word(asked)
    organization_proofs.give_consent(successor, asked, actor=heir)
    workflow.perform(asked, "register", actor=registrar)

    assert turn == [heir]
    assert asked.state == State.REGISTERED


@pytest.mark.whole
@pytest.mark.parametrize("is_approved", [False, True])
def test_new_holder_hears_at_once_of_what_waits_for_their_word(
    is_approved: bool,
    namespace: Namespace,
    agency: Organization,
    heir: User,
    successor: Organization,
    delegate: User,
    expert: User,
    sign_in: SignIn,
) -> None:
    asked = revise(namespace, delegate, agency, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    if is_approved:
        approve(asked, expert)
    before = set(Letter.objects.filter(registration_request=asked, address=heir.email))

    hand_over(namespace, heir, successor, delegate)
    asked.refresh_from_db()

    assert before == set()
    letter = Letter.objects.get(event__verb="ask_new_holder", address=heir.email)
    assert (letter.recipient, letter.registration_request) == (heir, asked)
    assert "former holder" in words_of(letter)
    page = f"/organizations/{successor.pk}/prove/?request={asked.slug}"
    assert f"{page}\n" in letter.text
    browser, revision = sign_in(heir), asked.revision
    assert "Support round 1" in text_of(browser.get(page))
    asked.refresh_from_db()
    assert asked.revision == revision, "opening the page does nothing"
    assert holder_consent.find_missing_consent(asked) is not None
    browser.post(page, {"agree": "1"})
    assert holder_consent.find_missing_consent(asked) is None
    # All other deadlines were paused from the moment of the transfer.
    assert asked.paused_since is not None


def test_published_contact_of_the_new_holder_hears_of_it_and_can_object(
    namespace: Namespace,
    agency: Organization,
    heir: User,
    successor: Organization,
    delegate: User,
) -> None:
    asked = revise(namespace, delegate, agency, RequestPath.COMMUNITY)

    hand_over(namespace, heir, successor, delegate)

    [letter] = Letter.objects.filter(event__verb="ask_new_holder", reason=LetterReason.CONTACT)
    contact = Namespace.objects.get().contact
    assert letter.address in contact
    assert f"/requests/{asked.slug}/object/" in letter.text


def test_registrar_hears_at_once_where_nobody_speaks_for_the_new_holder(
    namespace: Namespace,
    agency: Organization,
    heir: User,
    delegate: User,
    registrar: User,
) -> None:
    asked = revise(namespace, delegate, agency, RequestPath.COMMUNITY)
    silent = OrganizationFactory.create(name="Successor without a delegate")

    transfer = send(namespace, ChangeKind.TRANSFER, heir, silent)
    organization_proofs.give_consent(agency, transfer, actor=delegate)
    confirm_words(transfer)
    bring_second_officer(transfer)
    publisher = UserFactory.create(roles=[Role.REGISTRAR])
    workflow.perform(transfer, "register", actor=publisher, proof="A deed of 3 January 2026")

    told = Letter.objects.filter(event__verb="ask_new_holder", reason=LetterReason.REGISTRAR)
    assert registrar.email in told.values_list("address", flat=True)
    assert find_current_turn(RegistrationRequest.objects.get(pk=asked.pk)).turn == Turn.REGISTRAR


def test_nobody_is_asked_for_a_word_that_is_there_or_about_a_draft(
    namespace: Namespace,
    agency: Organization,
    heir: User,
    successor: Organization,
    delegate: User,
) -> None:
    revise(namespace, heir, successor, RequestPath.COMMUNITY)
    drafts.start_request(
        author=delegate,
        path=RequestPath.COMMUNITY,
        organization=agency,
        summary="Books",
        namespace=namespace,
    )

    hand_over(namespace, heir, successor, delegate)

    assert not Letter.objects.filter(event__verb="ask_new_holder").exists()


def words_of(letter: Letter) -> str:
    """Return the words of a letter, ignoring line breaks."""
    return " ".join(letter.text.split())


def test_former_holder_hears_that_the_transfer_was_done(
    namespace: Namespace, heir: User, successor: Organization, delegate: User
) -> None:
    hand_over(namespace, heir, successor, delegate)

    told = dict(Letter.objects.filter(event__verb="register").values_list("address", "reason"))
    assert (told[delegate.email], told[CONTACT]) == (LetterReason.HOLDER, LetterReason.CONTACT)


# Notifications


def test_holder_hears_when_it_is_sent_decided_and_published(
    namespace: Namespace,
    tigers: Organization,
    outsider: User,
    agency: Organization,
    delegate: User,
    expert: User,
    registrar: User,
) -> None:
    asked = revise(namespace, outsider, tigers, RequestPath.COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    organization_proofs.give_consent(agency, asked, actor=delegate)
    approve(asked, expert)
    workflow.perform(asked, "register", actor=registrar)

    for verb in ("submit", "approve", "register"):
        told = dict(Letter.objects.filter(event__verb=verb).values_list("address", "reason"))
        assert told[delegate.email] == LetterReason.HOLDER, verb
        assert told[CONTACT] == LetterReason.CONTACT, verb


def test_body_hears_that_its_name_is_used(
    agency: Organization, namespace: Namespace, outsider: User, delegate: User
) -> None:
    other = NamespaceFactory.create(nid="watermill", contact="mill@mills.example")

    asked = send(other, ChangeKind.CONTACT, outsider, agency)

    told = dict(Letter.objects.filter(event__verb="submit").values_list("address", "reason"))
    assert (told[delegate.email], told[CONTACT]) == (LetterReason.REGISTRANT, LetterReason.BODY)
    letter = Letter.objects.get(event__verb="submit", address=CONTACT)
    assert "/object/" not in letter.text
    assert asked.state == State.APPROVED


def test_lost_role_while_the_page_is_open_bars_acting(
    namespace: Namespace, delegate: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, delegate)
    assert registrar.has_role(Role.REGISTRAR), "as the page was drawn"
    User.objects.get(pk=registrar.pk).groups.clear()

    with expect_refusal("role"):
        workflow.perform(asked, "register", actor=registrar)

    namespace.refresh_from_db()
    assert namespace.contact == f"Desk, {CONTACT}"
