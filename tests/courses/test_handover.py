"""A namespace changes hands while its text is revised; and two of its delegates disagree."""

from __future__ import annotations

import pytest

from registry.enums import Role, State
from registry.models import Namespace, Organization, User
from registry.template import Template
from tests.courses.story import Story, deliver, letters, named, state
from tests.courses.window import Window
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.template.samples import REVISION

pytestmark = pytest.mark.django_db

TEXT: Template = named(REVISION, "isbn").replace(
    revision_information="Purpose says more of itself."
)
OLD_DESK, NEW_DESK = "desk@books.example", "desk@pages.example"


@pytest.fixture
def agency(db: None) -> Organization:
    """The holder, and its delegate."""
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    let_speak_for(body, UserFactory.create(name="Dag Delegate", email="dag@people.example"))
    return body


@pytest.fixture
def dag(agency: Organization) -> User:
    return User.objects.speaking_for(agency).get(name="Dag Delegate")


@pytest.fixture
def isbn(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, contact=f"Desk, {OLD_DESK}", last_known_version="1"
    )


@pytest.fixture
def hedda(db: None) -> User:
    """The delegate of the body that takes the namespace over."""
    person: User = UserFactory.create(name="Hedda Heir", email="hedda@people.example")
    body = OrganizationFactory.create(name="Page Number Trust")
    let_speak_for(body, person)
    return person


@pytest.fixture
def second(db: None) -> User:
    """The second officer."""
    person: User = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    return person


def revise(story: Story, author: User, organization: str) -> str:
    """Send a revision of the text, and return its reference."""
    reference = story.start(author, path="revision", namespace="isbn", organization=organization)
    story.write(author, reference, TEXT)
    story.send(author, reference)
    return reference


def hand_over(story: Story, heir: User) -> str:
    """Send the transfer to the new holder, and return its reference."""
    window = Window(heir).go("/requests/new/")
    window.press(
        "Continue to the template",
        path="facts",
        namespace="isbn",
        change="transfer",
        organization="Page Number Trust",
    )
    reference = window.url.split("/")[2]
    window.press("Save", contact=f"Desk, {NEW_DESK}", succession="Deed of 3 January 2026")
    story.send(heir, reference)
    return reference


def stand_behind(person: User, story: Story, reference: str) -> None:
    """Consent to a transfer."""
    story.act(person, reference, "consent", "Consent")
    deliver()


def confirm(second: User, story: Story, reference: str) -> None:
    """Confirm a transfer as second officer."""
    story.act(
        second, reference, "countersign", "Confirm as second officer", comment="I read the deed."
    )


def publish(story: Story, registrar: User, reference: str) -> None:
    """Publish a change of facts, once the discussion list knows of it."""
    deliver()
    window = Window(registrar).go(f"/publish/{reference}/")
    window.press("Publish the change", confirmation="isbn")
    assert "Published: what the registry says of urn:isbn has changed." in window.text


def test_heir_revises_first_and_it_goes_on_once_the_namespace_is_theirs(
    story: Story,
    isbn: Namespace,
    dag: User,
    hedda: User,
    second: User,
    expert: User,
    lead: User,
    registrar: User,
) -> None:
    revision = revise(story, hedda, "Page Number Trust")
    story.take(expert, revision)
    refused = Window(expert).go(f"/review/{revision}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert "Book Number Agency has to consent" in refused.text
    transfer = hand_over(story, hedda)
    stand_behind(dag, story, transfer)
    confirm(second, story, transfer)
    assert not Window(registrar).go(f"/publish/{transfer}/").offers("Publish the change")
    story.pass_days(8)
    publish(story, registrar, transfer)

    story.pass_days(1)
    assert "not confirmed by" not in Window().go(f"/requests/{revision}/").text
    story.decide(expert, revision, "approve", "Names already assigned stay valid.")
    story.publish(registrar, revision, "isbn")
    isbn.refresh_from_db()
    assert (str(isbn.registrant), state(revision)) == ("Page Number Trust", State.REGISTERED)
    assert letters() == {
        "Dag Delegate": "submit*2 countersign reminder-1 register",
        "Ede Expert": "submit",
        "Hedda Heir": ("submit consent countersign reminder-1 register approve register"),
        "Lova Lead": "submit",
        "Rafe Registrar": "submit consent countersign approve",
        "Sanna Second": "submit consent approve",
        "desk@books.example": "submit*2 consent ask_contact reminder-1 register",
        "desk@pages.example": "approve register",
        "the list": "submit*2 consent countersign register approve register",
    }


def test_revision_by_the_former_holder_needs_the_new_holders_word(
    story: Story,
    isbn: Namespace,
    dag: User,
    hedda: User,
    second: User,
    expert: User,
    lead: User,
    registrar: User,
) -> None:
    revision = revise(story, dag, "Book Number Agency")
    story.take(expert, revision)
    story.decide(expert, revision, "approve", "Names already assigned stay valid.")
    deliver()
    page = Window(registrar).go(f"/publish/{revision}/")
    transfer = hand_over(story, hedda)
    stand_behind(dag, story, transfer)
    confirm(second, story, transfer)
    story.pass_days(8)
    publish(story, registrar, transfer)

    # The page was opened long ago; no session lasts that long.
    page.client.force_login(registrar)
    page.press("Register and publish", confirmation="isbn")
    assert "Page Number Trust has to consent" in page.text
    assert state(revision) == State.APPROVED
    assert "not confirmed by" in Window().go(f"/requests/{revision}/").text
    story.pass_days(1)
    story.act(hedda, revision, "consent", "Consent")
    story.publish(registrar, revision, "isbn")
    assert state(revision) == State.REGISTERED
    assert letters() == {
        "Dag Delegate": ("approve submit countersign reminder-1 register consent register"),
        "Ede Expert": "submit consent",
        "Hedda Heir": "submit consent countersign register*2",
        "Lova Lead": "submit",
        "Rafe Registrar": "approve submit consent countersign reminder-1 consent",
        "Sanna Second": "approve submit consent reminder-1 consent",
        "desk@books.example": "submit approve submit consent ask_contact register",
        "desk@pages.example": "consent register",
        "the list": "submit approve submit consent countersign register consent register",
    }


@pytest.fixture
def olga(agency: Organization) -> User:
    """The holder's other delegate."""
    person: User = UserFactory.create(name="Olga Other", email="olga@people.example")
    let_speak_for(agency, person)
    return person


def test_handover_by_one_delegate_is_stopped_by_another(
    story: Story,
    isbn: Namespace,
    dag: User,
    olga: User,
    hedda: User,
    second: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    transfer = hand_over(story, hedda)
    stand_behind(dag, story, transfer)
    confirm(second, story, transfer)
    story.pass_days(5)
    story.act(olga, transfer, "object", "Object", comment="The board said no.")
    story.pass_days(20)
    page = Window(registrar).go(f"/publish/{transfer}/")
    assert not page.offers("Publish the change")
    assert "Olga Other objected on" in page.text

    # They settle it among themselves.
    story.act(olga, transfer, "object", "Object", comment="Agreed.")
    publish(story, registrar, transfer)
    isbn.refresh_from_db()
    assert str(isbn.registrant) == "Page Number Trust"
    assert letters() == {
        "Dag Delegate": "submit countersign object reminder-1 reminder-2 object register",
        "Hedda Heir": "consent countersign object reminder-1 reminder-2 object register",
        "Lova Lead": "reminder-2 weekly*2",
        "Olga Other": "submit consent countersign reminder-1 reminder-2 register",
        "Rafe Registrar": "submit consent countersign object weekly*2 object",
        "Sanna Second": "submit consent object weekly*2 object",
        "Stine Standards": "weekly*2",
        "desk@books.example": (
            "submit consent ask_contact object reminder-1 reminder-2 object register"
        ),
        "the list": "submit consent countersign object*2 register",
    }


def test_standards_body_directs_where_two_delegates_never_agree(
    story: Story,
    isbn: Namespace,
    dag: User,
    olga: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    revision = revise(story, dag, "Book Number Agency")
    story.take(expert, revision)
    story.act(olga, revision, "object", "Object", comment="The board said no.")
    refused = Window(expert).go(f"/review/{revision}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert "Olga Other objected on" in refused.text
    story.pass_days(35, step=5)

    window = Window(standards_body).go(f"/direction/{revision}/")
    window.press(
        "Record decision",
        verb="direct",
        ruling="objection",
        comment="The board said yes: minutes 12.",
    )
    assert "Objected to" not in Window().go(f"/requests/{revision}/").text
    story.decide(expert, revision, "approve", "Names already assigned stay valid.")
    story.publish(registrar, revision, "isbn")
    assert state(revision) == State.REGISTERED
    assert letters() == {
        "Dag Delegate": "object reminder-1 reminder-2 reminder-3 direct approve register",
        "Ede Expert": "object direct",
        "Lova Lead": "submit reminder-2 weekly*2 reminder-3 weekly*2",
        "Olga Other": ("start submit reminder-1 reminder-2 reminder-3 direct approve register"),
        "Rafe Registrar": "weekly*2 reminder-3 weekly*2 approve",
        "Stine Standards": "weekly*2 reminder-3 weekly*2",
        "desk@books.example": (
            "submit object ask_contact reminder-1 reminder-2 reminder-3 direct approve register"
        ),
        "the list": "submit object direct approve register",
    }
