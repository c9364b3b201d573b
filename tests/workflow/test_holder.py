"""Nothing about a registered namespace is published without its holder's consent."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry import permissions, workflow
from registry.actions import organization_proofs, speakers
from registry.enums import (
    ChangeKind,
    NamespaceKind,
    RequestPath,
    State,
)
from registry.models import (
    Event,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)
from registry.selectors import holder_consent
from registry.selectors.holder_consent import NOT_BY_HOLDER, list_people_who_can_give_word
from registry.template import number
from registry.workflow import drafts
from registry.workflow.step import ROLE_LABELS
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    formal_text,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import ASKED, bring_second_officer, confirm_words, send
from tests.template.samples import FORMAL, INFORMAL, REVISION
from tests.workflow import cells

pytestmark = pytest.mark.django_db

COMMUNITY, FAST_TRACK, INFORMAL_PATH, STANDARD = "community", "fast track", "informal", "standard"
COURSES = (COMMUNITY, FAST_TRACK, INFORMAL_PATH, STANDARD)
FACTS = (ChangeKind.CONTACT, ChangeKind.REFERENCE, ChangeKind.TRANSFER, ChangeKind.STATUS)
WAYS = (*COURSES, *FACTS)
"""Every way to change what is registered: a new version by each path, and each fact."""

Way = str
LETTER = "Letter of 3 May, signed; the archive has it under 2026/17."


@pytest.fixture
def agency(db: None) -> Organization:
    """The body that holds the namespace, without known speakers."""
    return OrganizationFactory.create(name="Book Number Agency")


@pytest.fixture
def impostors(registrant: User) -> Organization:
    """A body with a stranger as delegate, recognised for the fast track."""
    body = OrganizationFactory.create(
        name="Paper Tiger Press", recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    let_speak_for(body, registrant)
    return body


def held(way: Way, agency: Organization | None) -> Namespace:
    """Return the namespace to be changed, as imported from IANA."""
    informal = way == INFORMAL_PATH
    return NamespaceFactory.create(
        nid="urn-1" if informal else "seedbank",
        kind=NamespaceKind.INFORMAL if informal else NamespaceKind.FORMAL,
        informal_number=1 if informal else None,
        registrant=agency,
        contact="Old desk",
        references=["RFC 3187"],
        last_known_version="1",
    )


def recognise(body: Organization) -> None:
    """Have the holder recognised: the body matters, not the request's author."""
    body.recognised_on, body.recognition_source = timezone.localdate(), "Minutes"
    body.save()


def sent_by(
    author: User, organization: Organization, namespace: Namespace, way: Way
) -> RegistrationRequest:
    """Return the change that `author` asks for, with its first round sent."""
    if way in FACTS:
        body = organization if way == ChangeKind.TRANSFER else None
        return send(
            namespace, ChangeKind(way), author, body or namespace.registrant or organization
        )
    paths = {FAST_TRACK: RequestPath.FAST_TRACK, INFORMAL_PATH: RequestPath.INFORMAL}
    if way == FAST_TRACK and namespace.registrant:
        recognise(namespace.registrant)
    begun = drafts.start_request(
        author=author,
        path=paths.get(way, RequestPath.COMMUNITY),
        organization=organization,
        summary="Books",
        namespace=namespace,
        standards_action=way == STANDARD,
    )
    text = number(INFORMAL, namespace.nid) if way == INFORMAL_PATH else REVISION
    text = text.replace(revision_information="The purpose says more.")
    draft = begun.draft
    assert draft is not None
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    workflow.perform(begun, "submit", actor=author)
    return begun


def test_expert_who_speaks_for_the_holder_stands_behind_a_strangers_text_and_does_not_judge_it(
    agency: Organization, impostors: Organization, registrant: User, expert: User
) -> None:
    asked = sent_by(registrant, impostors, held(COMMUNITY, agency), COMMUNITY)
    workflow.perform(asked, "assign", actor=expert)
    let_speak_for(agency, expert)

    with expect_refusal("role"):
        workflow.perform(asked, "approve", actor=expert, comment="Sound.")

    assert permissions.may_object(expert, asked)


def test_membership_of_the_holder_gives_nobody_its_voice(
    agency: Organization,
) -> None:
    namespace = held(COMMUNITY, agency)
    member = UserFactory.create(organization=agency)
    asked = sent_by(member, agency, namespace, COMMUNITY)

    assert not permissions.speaks_for_namespace(member, namespace)
    assert not permissions.may_object(member, asked)
    assert holder_consent.find_missing_consent(asked)
    assert not holder_consent.representatives_of(agency, asked).exists()


@pytest.fixture
def people(expert: User, standards_body: User, registrar: User) -> dict[str, User]:
    return {"expert": expert, "body": standards_body, "registrar": registrar}


def decisions(way: Way, author: User, people: dict[str, User]) -> list[tuple[str, User]]:
    """Return the steps from the first round to the registrar, and who takes each."""
    expert = people["expert"]
    return {
        COMMUNITY: [("assign", expert), ("approve", expert)],
        INFORMAL_PATH: [("assign", expert), ("approve", expert)],
        STANDARD: [("assign", expert), ("report", expert), ("direct", people["body"])],
        FAST_TRACK: [("complete", author)],
    }.get(way, [])


def bring_to_registrar(
    sent: RegistrationRequest, way: Way, author: User, people: dict[str, User]
) -> None:
    for verb, person in decisions(way, author, people):
        workflow.perform(sent, verb, actor=person, comment="Sound.")


def register(sent: RegistrationRequest, people: dict[str, User]) -> Event:
    bring_second_officer(sent)
    return workflow.perform(
        sent, "register", actor=people["registrar"], references=["RFC 3187"], proof="A deed"
    )


def verify(sent: RegistrationRequest, people: dict[str, User], comment: str = LETTER) -> Event:
    return workflow.perform(sent, "verify_holder", actor=people["registrar"], comment=comment)


def put_before_registrar(sent: RegistrationRequest) -> RegistrationRequest:
    """Put the request into the approved state, as before consents were required."""
    RegistrationRequest.objects.filter(pk=sent.pk).update(
        state=State.APPROVED, standards_action=False
    )
    sent.refresh_from_db()
    return sent


# A stranger


@pytest.mark.parametrize("way", WAYS)
def test_stranger_changes_nothing_of_a_registered_namespace_on_any_path(
    way: Way,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    people: dict[str, User],
) -> None:
    namespace = held(way, agency)
    before = Namespace.objects.filter(pk=namespace.pk).values().get()
    sent = put_before_registrar(sent_by(registrant, impostors, namespace, way))

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    assert Namespace.objects.filter(pk=namespace.pk).values().get() == before
    assert namespace.registrations.count() == 0


@pytest.mark.parametrize("way", COURSES)
def test_nobody_decides_in_favour_of_what_cannot_be_published(
    way: Way,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    people: dict[str, User],
) -> None:
    sent = sent_by(registrant, impostors, held(way, agency), way)
    verb, person = decisions(way, registrant, people)[-1]
    if way == STANDARD:
        verb, person = "report", people["expert"]
    if verb != "complete":
        workflow.perform(sent, "assign", actor=person)

    once_asked = "_once_asked" if verb == "complete" else ""
    with expect_refusal(f"may_be_published{once_asked}"):
        workflow.perform(sent, verb, actor=person, comment="Sound.")
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    assert sent.events.filter(verb=verb).count() == 0


def test_reported_round_is_not_directed_once_the_word_is_gone(
    agency: Organization, registrant: User, people: dict[str, User]
) -> None:
    let_speak_for(agency, registrant)
    sent = sent_by(registrant, agency, held(STANDARD, agency), STANDARD)
    workflow.perform(sent, "assign", actor=people["expert"])
    workflow.perform(sent, "report", actor=people["expert"], comment="Sound.")
    end_speaking_for(agency)

    with expect_refusal("may_be_published"):
        workflow.perform(sent, "direct", actor=people["body"], comment="Minutes, item 4")
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    assert sent.state == State.REPORTED


def test_naming_the_holder_as_the_one_who_asks_gives_no_right_in_it(
    agency: Organization, outsider: User, people: dict[str, User]
) -> None:
    sent = put_before_registrar(sent_by(outsider, agency, held(COMMUNITY, agency), COMMUNITY))

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(sent) == []

    assert list(User.objects.speaking_for(agency)) == []


def test_recognition_of_the_holder_that_a_stranger_asked_for_is_no_word_of_it(
    agency: Organization, outsider: User, people: dict[str, User]
) -> None:
    agency.recognised_on, agency.recognition_source = timezone.localdate(), "Minutes"
    agency.save()
    agency.recognitions.create(
        asked_by=outsider,
        asked_at=timezone.now(),
        statement="An agency.",
        is_granted=True,
        decided_at=timezone.now(),
        reasons="Minutes",
    )
    sent = sent_by(outsider, agency, held(FAST_TRACK, agency), FAST_TRACK)

    with expect_refusal("may_be_published_once_asked"):
        bring_to_registrar(sent, FAST_TRACK, outsider, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    assert sent.state == State.ADVISORY


# The holder's representatives


@pytest.mark.parametrize("way", WAYS)
def test_request_of_a_speaker_for_the_holder_is_published(
    way: Way,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    people: dict[str, User],
) -> None:
    let_speak_for(agency, registrant)
    sent = sent_by(registrant, impostors, held(way, agency), way)
    bring_to_registrar(sent, way, registrant, people)

    register(sent, people)

    assert sent.state == State.REGISTERED


@pytest.mark.parametrize("way", WAYS)
def test_delegate_stands_behind_what_a_stranger_asks_for(
    way: Way,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    outsider: User,
    people: dict[str, User],
) -> None:
    let_speak_for(agency, outsider)
    sent = sent_by(registrant, impostors, held(way, agency), way)

    organization_proofs.give_consent(agency, sent, actor=outsider, seen=1)
    confirm_words(sent)
    bring_to_registrar(sent, way, registrant, people)
    register(sent, people)

    assert sent.state == State.REGISTERED


def send_another_round(sent: RegistrationRequest, author: User) -> None:
    """Send a change of contact back, and submit it again with another contact."""
    registrar = UserFactory.create(roles=["registrar"])
    workflow.perform(sent, "request_changes", actor=registrar, comment="Who?")
    draft = sent.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "mallory@tiger.example"}, seen=draft.edition)
    workflow.perform(sent, "submit", actor=author)


def test_word_is_given_for_one_round_and_ends_with_the_next(
    agency: Organization,
    impostors: Organization,
    registrant: User,
    outsider: User,
    people: dict[str, User],
) -> None:
    let_speak_for(agency, outsider)
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)
    organization_proofs.give_consent(agency, sent, actor=outsider, seen=1)
    assert holder_consent.explain_missing_consent(sent) == ""

    send_another_round(sent, registrant)

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]
    with expect_refusal("superseded"):
        organization_proofs.give_consent(agency, sent, actor=outsider, seen=1)


def test_request_that_another_rewrote_lacks_the_word_of_the_delegate(
    agency: Organization, impostors: Organization, registrant: User, outsider: User
) -> None:
    """The holder began a transfer; the new holder's side sent other facts."""
    let_speak_for(agency, outsider)
    namespace = held(ChangeKind.TRANSFER, agency)
    begun = drafts.start_request(
        author=outsider,
        path=RequestPath.COMMUNITY,
        organization=impostors,
        summary="Books",
        namespace=namespace,
        change=ChangeKind.TRANSFER,
    )
    draft = begun.draft
    assert draft is not None
    drafts.save_draft_facts(draft, ASKED[ChangeKind.TRANSFER], seen=draft.edition)

    workflow.perform(begun, "submit", actor=registrant)

    assert "support round 1" in holder_consent.explain_missing_consent(begun)


def test_former_delegate_no_longer_speaks_for_the_holder(
    agency: Organization, registrant: User, people: dict[str, User]
) -> None:
    let_speak_for(agency, registrant)
    sent = send(held(ChangeKind.STATUS, agency), ChangeKind.STATUS, registrant)
    registrant.is_active = False
    registrant.save()

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(sent) == []

    assert sent.state == State.APPROVED


def test_namespace_changed_hands_when_it_did_and_not_when_another_did(
    agency: Organization, impostors: Organization, outsider: User, people: dict[str, User]
) -> None:
    let_speak_for(agency, outsider)
    namespace, other = held(ChangeKind.TRANSFER, agency), NamespaceFactory.create()

    event = register(send(namespace, ChangeKind.TRANSFER, outsider, impostors), people)

    assert holder_consent.list_transfer_moments(namespace) == [event.at]
    assert holder_consent.list_transfer_moments(other) == []


def test_new_holder_is_asked_after_a_transfer(
    agency: Organization,
    impostors: Organization,
    registrant: User,
    outsider: User,
    people: dict[str, User],
) -> None:
    """A revision written under the former holder does not keep its consent."""
    let_speak_for(agency, outsider)
    namespace = held(COMMUNITY, agency)
    sent = sent_by(outsider, agency, namespace, COMMUNITY)
    bring_to_registrar(sent, COMMUNITY, outsider, people)
    transfer = send(namespace, ChangeKind.TRANSFER, outsider, impostors)
    register(transfer, people)

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    namespace.refresh_from_db()
    assert (namespace.registrant, namespace.registrations.count()) == (impostors, 0)


# The registrar's verification


@pytest.mark.parametrize("is_known", [True, False], ids=["holder known", "holder unknown"])
@pytest.mark.parametrize("way", WAYS)
def test_registrar_verifies_and_records_it_where_nobody_is_known(
    way: Way,
    is_known: bool,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    people: dict[str, User],
) -> None:
    sent = sent_by(registrant, impostors, held(way, agency if is_known else None), way)

    event = verify(sent, people)
    bring_to_registrar(sent, way, registrant, people)
    register(sent, people)

    last = sent.last_round
    assert last is not None
    assert (event.comment, event.data["sha256"]) == (LETTER, last.sha256)
    assert event.data["holder"] == ("Book Number Agency" if is_known else "")
    assert sent.state == State.REGISTERED


def test_source_of_a_verification_has_to_be_said(
    agency: Organization, impostors: Organization, registrant: User, people: dict[str, User]
) -> None:
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)

    with expect_refusal("reasons_given"):
        verify(sent, people, " ")

    assert holder_consent.explain_missing_consent(sent)


def test_nobody_else_gives_the_word_where_somebody_is_known(
    agency: Organization,
    impostors: Organization,
    registrant: User,
    outsider: User,
    people: dict[str, User],
) -> None:
    let_speak_for(agency, outsider)
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)

    with expect_refusal("nobody_speaks_for_holder"):
        verify(sent, people)
    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(sent) != []

    assert sent.state == State.APPROVED


def test_verification_ends_where_somebody_becomes_known_who_can_speak(
    agency: Organization,
    impostors: Organization,
    registrant: User,
    outsider: User,
    people: dict[str, User],
) -> None:
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)
    verify(sent, people)
    assert holder_consent.explain_missing_consent(sent) == ""

    let_speak_for(agency, outsider)

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(sent) != []


def test_explain_missing_consent_counts_no_verification_about_an_earlier_holder(
    agency: Organization, impostors: Organization, registrant: User, people: dict[str, User]
) -> None:
    namespace = held(ChangeKind.CONTACT, agency)
    sent = send(namespace, ChangeKind.CONTACT, registrant, impostors)
    verify(sent, people)
    assert holder_consent.explain_missing_consent(sent) == ""

    namespace.registrant = OrganizationFactory.create(name="Serial Number Agency")
    namespace.save()

    moved = RegistrationRequest.objects.get(pk=sent.pk)
    assert holder_consent.explain_missing_consent(moved)
    with pytest.raises(workflow.ActionRefused, match="Serial Number Agency"):
        register(moved, people)


def test_verification_is_for_one_round(
    agency: Organization, impostors: Organization, registrant: User, people: dict[str, User]
) -> None:
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)
    verify(sent, people)

    send_another_round(sent, registrant)

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]


def test_proof_that_a_registrar_saw_of_the_heir_is_no_word_of_the_holder(
    agency: Organization, impostors: Organization, registrant: User, people: dict[str, User]
) -> None:
    sent = send(held(ChangeKind.TRANSFER, agency), ChangeKind.TRANSFER, registrant, impostors)

    with expect_refusal("may_be_published"):
        register(sent, people)
    assert list_obstacle_labels(sent) == [NOT_BY_HOLDER]

    assert Namespace.objects.get().registrant == agency


@pytest.mark.parametrize("state", cells.STATES.split())
def test_only_a_registrar_without_a_stake_verifies_from_the_first_round_to_the_end(
    state: str,
    agency: Organization,
    impostors: Organization,
    registrant: User,
    people: dict[str, User],
) -> None:
    sent = send(held(ChangeKind.CONTACT, agency), ChangeKind.CONTACT, registrant, impostors)
    party = UserFactory.create(roles=["registrar"], organization=impostors)
    RegistrationRequest.objects.filter(pk=sent.pk).update(state=state)
    sent.refresh_from_db()
    everybody = {**people, "author": registrant, "party": party}

    offered = {
        name
        for name, person in everybody.items()
        if "verify_holder" in {each.verb for each in workflow.available_transitions(sent, person)}
    }

    open_in = cells.CELLS["verify_holder"].by
    assert offered == ({"registrar"} if state in open_in else set())
    assert "may_verify_holder" in ROLE_LABELS


def test_new_namespace_has_no_holder_to_ask(approved: RegistrationRequest, registrar: User) -> None:
    offered = {each.verb for each in workflow.available_transitions(approved, registrar)}

    workflow.perform(approved, "register", actor=registrar)

    assert "verify_holder" not in offered
    assert approved.state == State.REGISTERED


# Typing a name


def registered(author: User, body: Organization, nid: str, people: dict[str, User]) -> Namespace:
    """Register a new namespace for a body that `author` names."""
    begun = start(author, body, formal_text(nid), RequestPath.COMMUNITY)
    workflow.perform(begun, "submit", actor=author)
    bring_to_registrar(begun, COMMUNITY, author, people)
    register(begun, people)
    return Namespace.objects.get(nid=nid)


def revised(author: User, namespace: Namespace) -> RegistrationRequest:
    """Return a change of contact by `author`."""
    return send(namespace, ChangeKind.CONTACT, author)


def test_author_speaks_for_what_a_new_body_registered_through_them(
    outsider: User, people: dict[str, User]
) -> None:
    body = Organization.objects.named("Brand New Archive")
    namespace = registered(outsider, body, "archive", people)
    speakers.accept_offer(namespace, actor=outsider)

    register(revised(outsider, namespace), people)

    namespace.refresh_from_db()
    assert namespace.contact == ASKED[ChangeKind.CONTACT]["contact"]
    assert list(User.objects.speaking_for(body)) == []


@pytest.mark.parametrize(
    "known", ["holds a namespace", "has a delegate", "has a member", "was asked for before"]
)
def test_nobody_speaks_for_a_body_that_was_known_by_typing_its_name_for_another_nid(
    known: str, agency: Organization, outsider: User, registrant: User, people: dict[str, User]
) -> None:
    isbn = NamespaceFactory.create(
        nid="isbn", registrant=agency if known == "holds a namespace" else None
    )
    if known == "has a delegate":
        let_speak_for(agency, registrant)
    elif known == "has a member":
        registrant.organization = agency
        registrant.save()
    elif known == "was asked for before":
        start(registrant, agency, FORMAL, RequestPath.COMMUNITY)

    namespace = registered(
        outsider, Organization.objects.named("book number AGENCY"), "zz1", people
    )

    assert namespace.registrant == agency
    assert outsider not in User.objects.speaking_for(agency)
    for changed in filter(lambda each: each.registrant, (namespace, isbn)):
        with expect_refusal("may_be_published"):
            register(revised(outsider, changed), people)


@pytest.mark.whole
def test_author_speaks_no_longer_once_the_body_itself_does(
    outsider: User, registrant: User, people: dict[str, User]
) -> None:
    body = Organization.objects.named("Brand New Archive")
    namespace = registered(outsider, body, "archive", people)
    speakers.accept_offer(namespace, actor=outsider)
    let_speak_for(body, registrant)

    with expect_refusal("may_be_published"):
        register(revised(outsider, namespace), people)

    register(revised(registrant, namespace), people)


# Shown from the first round


def test_letters_about_it_say_that_it_is_not_by_the_holder(
    agency: Organization, impostors: Organization, registrant: User, people: dict[str, User]
) -> None:
    sent = sent_by(registrant, impostors, held(COMMUNITY, agency), COMMUNITY)
    UserFactory.create(roles=["lead expert"], email="lead@people.example")

    workflow.perform(sent, "assign", actor=people["expert"])
    workflow.perform(sent, "recuse", actor=people["expert"])
    letter = Letter.objects.filter(event__verb="recuse").first()
    verify(sent, people)
    after = Letter.objects.filter(event__verb="verify_holder").first()

    assert letter
    assert after
    assert str(NOT_BY_HOLDER) in letter.text
    assert str(NOT_BY_HOLDER) in letter.html
    assert str(NOT_BY_HOLDER) not in after.text
