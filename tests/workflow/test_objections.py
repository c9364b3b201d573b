"""Objections: nothing is published until they are taken back or ruled on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import permissions, workflow
from registry.enums import ChangeKind, LetterReason, ObstacleKind, Ruling, State
from registry.models import Event, Letter, Namespace, Organization, RegistrationRequest, User
from registry.notifications.holder_links import build_objection_url
from registry.selectors.case import open_case
from registry.selectors.consent import (
    OBJECTED,
    find_missing_consent,
    list_people_who_can_consent,
    may_object,
)
from registry.workflow import drafts
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal, explain_missing_consent, list_obstacle_labels
from tests.small_changes import send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
STOPPED = "Nothing is published until the objection is taken back"
CONTACT = "desk@books.example"


@pytest.fixture
def agency(db: None) -> Organization:
    return OrganizationFactory.create(name="Book Number Agency")


@pytest.fixture
def delegate(agency: Organization) -> User:
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(agency, person)
    return person


@pytest.fixture
def other(agency: Organization) -> User:
    person: User = UserFactory.create(name="Odd Other", email="odd@people.example")
    let_speak_for(agency, person)
    return person


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(nid="isbn", registrant=agency, contact=f"Desk, {CONTACT}")


@pytest.fixture
def asked(namespace: Namespace, delegate: User, other: User) -> RegistrationRequest:
    """A change of contact by one delegate of the holder, waiting for the registrar."""
    return send(namespace, ChangeKind.CONTACT, delegate, contact="New desk")


def register(asked: RegistrationRequest, registrar: User) -> Event:
    return workflow.perform(asked, "register", actor=registrar)


def object_to(asked: RegistrationRequest, person: User) -> Event:
    return workflow.perform(asked, "object", actor=person, comment="Not agreed among us.")


def test_objection_of_another_delegate_stops_publication_until_it_is_withdrawn(
    asked: RegistrationRequest, other: User, registrar: User
) -> None:
    assert explain_missing_consent(asked) == ""

    object_to(asked, other)
    with expect_refusal("may_be_published"):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [OBJECTED]
    workflow.perform(asked, "object", actor=other, comment="We agreed.")
    register(asked, registrar)

    assert asked.state == State.REGISTERED


def test_objection_of_another_is_not_taken_back_with_ones_own(
    asked: RegistrationRequest, delegate: User, other: User, registrar: User
) -> None:
    object_to(asked, other)

    object_to(asked, delegate)
    object_to(asked, delegate)

    assert STOPPED in explain_missing_consent(asked)
    assert asked.events.filter(verb="object", data__has_key="takes_back").count() == 1


def test_those_who_objected_are_named_by_their_names(
    asked: RegistrationRequest, agency: Organization, other: User
) -> None:
    another = UserFactory.create(name="Ada Another")
    let_speak_for(agency, another)
    for person in (other, another):
        object_to(asked, person)

    assert list_people_who_can_consent(open_case(asked)) == [another, other]


def test_objection_outlasts_the_part_of_whoever_raised_it(
    asked: RegistrationRequest, agency: Organization, other: User, registrar: User
) -> None:
    object_to(asked, other)
    end_speaking_for(agency, other)

    with expect_refusal("may_be_published"):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [OBJECTED]
    workflow.perform(asked, "object", actor=other, comment="We agreed.")

    assert explain_missing_consent(asked) == ""


@pytest.mark.parametrize("ruling", [Ruling.OBJECTION, Ruling.OBJECTIONS])
def test_standards_body_rules_on_it_for_one_text_or_for_the_rounds_to_come(
    ruling: Ruling,
    asked: RegistrationRequest,
    delegate: User,
    other: User,
    registrar: User,
    standards_body: User,
) -> None:
    object_to(asked, other)
    with expect_refusal("reasons_given"):
        workflow.perform(asked, "direct", actor=standards_body, ruling=ruling)

    workflow.perform(asked, "direct", actor=standards_body, ruling=ruling, comment="Minutes, 4")
    free, state = explain_missing_consent(asked), asked.state
    workflow.perform(asked, "request_changes", actor=registrar, comment="A slip.")
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "Another desk"}, seen=draft.edition)
    workflow.perform(asked, "submit", actor=delegate)

    assert (free, state) == ("", State.APPROVED)
    assert bool(explain_missing_consent(asked)) == (ruling == Ruling.OBJECTION)


def test_standards_body_rules_on_no_objection_that_nobody_raised(
    asked: RegistrationRequest, standards_body: User
) -> None:
    with expect_refusal("ruling_fits"):
        workflow.perform(
            asked, "direct", actor=standards_body, ruling=Ruling.OBJECTION, comment="Minutes, 4"
        )
    with expect_refusal("ruling_fits"):
        workflow.perform(asked, "direct", actor=standards_body, comment="Minutes, 4")


def test_objection_takes_back_the_consent_of_whoever_raises_it(
    asked: RegistrationRequest, delegate: User
) -> None:
    object_to(asked, delegate)
    object_to(asked, delegate)
    missing = find_missing_consent(open_case(asked))
    workflow.perform(asked, "consent", actor=delegate)

    assert missing
    assert missing.kind == ObstacleKind.CONSENT
    assert explain_missing_consent(asked) == ""


def test_anyone_with_a_confirmed_address_objects_where_nobody_on_record_can(
    namespace: Namespace, asked: RegistrationRequest, agency: Organization, outsider: User
) -> None:
    end_speaking_for(agency)
    before = may_object(outsider, asked)
    Namespace.objects.filter(pk=namespace.pk).update(contact="A desk without an address")

    assert not before
    assert may_object(outsider, RegistrationRequest.objects.get(pk=asked.pk))


@pytest.mark.parametrize("who", ["outsider", "expert", "registrar"])
def test_nobody_objects_who_does_not_speak_for_the_holder(
    who: str, asked: RegistrationRequest, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)

    with expect_refusal("role"):
        object_to(asked, person)

    assert list(asked.events.filter(verb="object")) == []


@pytest.mark.pages
def test_link_of_one_request_objects_to_no_other(
    asked: RegistrationRequest, namespace: Namespace, delegate: User, client: Client
) -> None:
    another = send(namespace, ChangeKind.REFERENCE, delegate, references=["RFC 8141"])
    word = build_objection_url(asked, CONTACT).rstrip("/").rpartition("/")[2]

    answer = client.post(f"/requests/{another.slug}/object/{word}/", {"comment": "No."})

    assert answer.status_code == 404
    assert not may_object(permissions.PublishedContact(asked), another)


@pytest.mark.pages
def test_published_contact_is_told_with_a_link_and_objects_without_an_account(
    asked: RegistrationRequest, client: Client, registrar: User
) -> None:
    letter = Letter.objects.get(event__verb="submit", address=CONTACT)
    url = build_objection_url(asked, CONTACT)
    path = "/requests/" + url.partition("/requests/")[2]
    assert url in letter.text
    assert letter.reason == LetterReason.CONTACT

    page = client.get(path)
    silent = explain_missing_consent(asked)
    client.post(path, {"comment": "We know nothing of this."})

    assert 'name="comment"' in page.text
    assert silent == "", "opening the link does nothing"
    with expect_refusal("may_be_published"):
        register(RegistrationRequest.objects.get(pk=asked.pk), registrar)
    assert Event.objects.get(verb="object").actor_name == "The published contact"
    client.post(path, {"comment": "It was a mistake."})
    assert explain_missing_consent(asked) == ""


def test_only_the_letter_to_the_contact_has_the_link(
    asked: RegistrationRequest, other: User
) -> None:
    letters = Letter.objects.filter(event__verb="submit").exclude(address=CONTACT)

    assert letters.exists()
    assert not any("/object/" in letter.text + letter.html for letter in letters)


def test_everybody_concerned_hears_of_an_objection(
    asked: RegistrationRequest, other: User, registrar: User
) -> None:
    object_to(asked, other)

    told = set(Letter.objects.filter(event__verb="object").values_list("address", flat=True))
    assert told >= {CONTACT, "dag@people.example", registrar.email} - {other.email}
    letter = Letter.objects.get(event__verb="object", address="dag@people.example")
    assert str(OBJECTED) in letter.text
    assert asked.events.get(verb="object").comment in letter.text


@pytest.mark.pages
def test_pages_and_programs_show_the_objection_and_programs_raise_it(
    asked: RegistrationRequest, other: User, client: Client, registrar: User, sign_in: SignIn
) -> None:
    answer = Program.of(other).take(asked.slug, "object", comment="Not agreed among us.")
    refused = Program.of(registrar).take(asked.slug, "register", confirmation="isbn")

    assert [answer.status_code, refused.status_code] == [200, 409]
    pages = [
        client.get(f"/requests/{asked.slug}/"),
        client.get("/requests/"),
        client.get("/namespaces/isbn/"),
        sign_in(registrar).get(f"/publish/{asked.slug}/"),
        sign_in(registrar).get("/publish/"),
    ]
    assert ["Objected to" in text_of(page) for page in pages] == [True] * 5
    told = client.get("/api/v1/requests/").json()["results"][0]["missing_consent"]
    assert STOPPED in told


@pytest.mark.pages
def test_standards_body_directs_on_its_page(
    asked: RegistrationRequest, other: User, standards_body: User, sign_in: SignIn
) -> None:
    object_to(asked, other)
    browser, path = sign_in(standards_body), f"/direction/{asked.slug}/"
    assert asked.reference in text_of(browser.get("/direction/"))

    browser.post(
        path,
        {"verb": "direct", "ruling": "objection", "seen": asked.revision, "comment": "Minutes"},
    )

    assert explain_missing_consent(asked) == ""


def test_turn_is_the_objectors_while_the_objection_stands(
    asked: RegistrationRequest, other: User, agency: Organization, outsider: User
) -> None:
    object_to(asked, other)

    assert list_people_who_can_consent(open_case(asked)) == [other]


def test_turn_is_the_delegates_while_the_word_is_missing(
    namespace: Namespace,
    delegate: User,
    other: User,
    outsider: User,
    organization: Organization,
    agency: Organization,
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, outsider, organization)
    before = list_people_who_can_consent(open_case(asked))

    workflow.perform(asked, "consent", actor=other)

    assert before == [delegate, other]
    assert list_people_who_can_consent(open_case(asked)) == []
