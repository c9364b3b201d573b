"""ISBN: strangers want to rewrite it, by both paths; then its holder comes and is heard."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry.enums import (
    LetterReason,
    Role,
    State,
)
from registry.models import Letter, Namespace, Organization, User
from tests.courses.story import (
    Story,
    deliver,
    found,
    last_letter,
    letters,
    link_in,
    named,
    state,
)
from tests.courses.window import Window
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.notifications.conftest import work
from tests.template.samples import REVISION

pytestmark = pytest.mark.django_db

OFFICE = "postmaster@books.example"
SOURCE = "Standard of 1972, imprint; whois, 1998"
TEXT = named(REVISION, "isbn").replace(revision_information="Purpose says more of itself.")


@pytest.fixture
def agency(db: None) -> Organization:
    """Imported: a name, with neither a website nor delegates."""
    return OrganizationFactory.create(name="Book Number Agency")


@pytest.fixture
def isbn(agency: Organization) -> Namespace:
    """Imported: facts without a text."""
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, references=["RFC 3187"], last_known_version="1"
    )


@pytest.fixture
def tigers(outsider: User) -> Organization:
    """A body that is recognised for the fast track, with a stranger as delegate."""
    body: Organization = OrganizationFactory.create(
        name="Paper Tiger Press", recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    let_speak_for(body, outsider)
    return body


@pytest.fixture
def keeper(db: None) -> User:
    """The reader of the agency's mail."""
    return UserFactory.create(name="Kaja Keeper", email="kaja@people.example")


def ask(story: Story, stranger: User, body: Organization) -> str:
    """Let a stranger send a revision; return its reference."""
    reference = story.start(stranger, path="revision", namespace="isbn", organization=body.name)
    story.write(stranger, reference, TEXT)
    before = Window(stranger).go(f"/requests/{reference}/send/").text
    assert "You do not speak for Book Number Agency, whose consent is needed." in before
    story.send(stranger, reference)
    return reference


def test_stranger_revises_it_on_both_paths_and_gets_nowhere(
    story: Story,
    isbn: Namespace,
    tigers: Organization,
    outsider: User,
    expert: User,
    registrar: User,
    standards_body: User,
) -> None:
    by_review = ask(story, outsider, tigers)
    page = Window().go(f"/requests/{by_review}/").text
    assert "not confirmed by Book Number Agency" in page
    assert "Book Number Agency has to consent" in page
    story.take(expert, by_review)
    refused = Window(expert).go(f"/review/{by_review}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert "Book Number Agency has to consent" in refused.text
    assert state(by_review) == State.IN_REVIEW

    by_fast_track = ask(story, outsider, tigers)
    story.act(outsider, by_fast_track, "reroute", "Change the path", path="fast_track")
    assert state(by_fast_track) == State.ADVISORY
    assert "not confirmed by Book Number Agency" in Window().go("/").text
    refused = Window(outsider).go(f"/requests/{by_fast_track}/act/complete/")
    assert not refused.offers("Ask for registration")
    assert "Book Number Agency has to consent" in refused.text
    assert state(by_fast_track) == State.ADVISORY

    for reference in (by_review, by_fast_track):
        assert not Window(registrar).go(f"/publish/{reference}/").offers("Register and publish")
        assert "not confirmed by Book Number Agency" in Window(registrar).go("/publish/").text
    for days in range(0, 60, 5):
        story.pass_days(5, step=5)
        assert not isbn.registrations.exists(), f"after {days} days"
    isbn.refresh_from_db()
    assert str(isbn.registrant) == "Book Number Agency"
    assert "Purpose says more of itself." not in Window().go("/namespaces/isbn/").text
    heard = letters()
    assert "reminder-1" in heard["Olaf Outsider"]
    assert "reminder-1" in heard["Rafe Registrar"]


def test_its_holder_claims_it_from_its_page_and_objects(
    story: Story,
    isbn: Namespace,
    agency: Organization,
    tigers: Organization,
    outsider: User,
    keeper: User,
    expert: User,
    registrar: User,
) -> None:
    reference = ask(story, outsider, tigers)
    page = Window(keeper).go("/namespaces/isbn/").follow("Who speaks for it")
    assert "The registry knows no representative." in page.text
    page.follow("Claim to act for Book Number Agency")
    assert "Nothing can prove it by a domain" in page.text
    second = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    website = {"kind": "website", "value": "https://books.example/", "source": SOURCE}
    evidence = Window(registrar).go(f"/organizations/{agency.pk}/evidence/")
    evidence.press("Record it", **website)
    assert "Enter since when the domain is the organization’s." in evidence.text
    evidence.press("Record it", since="1999-03-31", **website)
    assert "Nothing can prove it by a domain" in page.go(f"/organizations/{agency.pk}/prove/").text
    Window(second).go(f"/organizations/{agency.pk}/evidence/").press("Record the same")
    assert SOURCE in Window().go(f"/organizations/{agency.pk}/").text

    page.go("/namespaces/isbn/holder/").follow("Claim to act for Book Number Agency")
    page.press("Continue", method="mail", address=OFFICE)
    page.go(link_in(last_letter(OFFICE))).press("Confirm")
    work()
    notice = Window().go("/namespaces/isbn/").text
    assert "Somebody is to speak for the holder of this namespace" in notice
    assert "Kaja Keeper" not in notice
    deliver()
    story.pass_days(27)
    assert not User.objects.speaking_for(agency).exists()
    story.pass_days(2)
    assert list(User.objects.speaking_for(agency)) == [keeper]

    story.act(keeper, reference, "object", "Object", comment="We know nothing of it.")
    assert "Kaja Keeper objected on" in Window().go(f"/requests/{reference}/").text
    story.take(expert, reference)
    refused = Window(expert).go(f"/review/{reference}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert "Kaja Keeper objected on" in refused.text
    assert state(reference) == State.IN_REVIEW
    told = Letter.objects.filter(event__verb="object").values_list("address", "reason")
    assert dict(told)[outsider.email] == LetterReason.REGISTRANT


def test_consent_of_its_holder_lets_a_revision_by_somebody_else_through(
    story: Story,
    isbn: Namespace,
    agency: Organization,
    tigers: Organization,
    outsider: User,
    keeper: User,
    expert: User,
    registrar: User,
) -> None:
    let_speak_for(agency, keeper)
    reference = ask(story, outsider, tigers)
    story.take(expert, reference)

    story.act(keeper, reference, "consent", "Consent")
    story.decide(expert, reference, "approve", "Names already assigned stay valid.")
    story.publish(registrar, reference, "isbn")

    isbn.refresh_from_db()
    assert state(reference) == State.REGISTERED
    assert str(isbn.registrant) == "Book Number Agency"
    assert "Kaja Keeper" in Window().go(f"/requests/{reference}/history/").text
    assert found(reference).organization == tigers
