"""Who speaks for a body: a bought domain, a death, a second claim, a dismissal, and an offer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from registry.enums import ChangeKind, Role, SpeakerState
from registry.models import Letter, Namespace, Organization, Speaker, User
from tests.courses.story import Story, deliver, last_letter, link_in
from tests.courses.window import Window
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
    record_website,
)
from tests.notifications.conftest import work
from tests.servers import NameServer, rdap_server
from tests.small_changes import send

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

DESK, OFFICE = "desk@books.example", "postmaster@books.example"


@pytest.fixture
def agency(story: Story) -> Organization:
    """A holder with a website, a published contact, and nobody who speaks for it."""
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    record_website(body, "https://books.example/")
    return body


@pytest.fixture
def isbn(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn",
        registrant=agency,
        contact=f"Desk, {DESK}",
        registered_on="2001-10",
        last_known_version="1",
    )


@pytest.fixture
def dag(isbn: Namespace, agency: Organization) -> User:
    """The only delegate."""
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(agency, person)
    return person


@pytest.fixture
def mallory(db: None) -> User:
    return UserFactory.create(name="Mallory", email="mallory@people.example")


def claim(person: User, agency: Organization) -> Speaker:
    """Prove by the mailbox of the domain, through the pages, to speak for the agency."""
    page = Window(person).go(f"/organizations/{agency.pk}/prove/")
    page.press("Continue", method="mail", address=OFFICE)
    page.go(link_in(last_letter(OFFICE, key__startswith="proof:"))).press("Confirm")
    work()
    deliver()
    return agency.speakers.filter(person=person).latest("pk")


@pytest.fixture
def domains(settings: Settings) -> Iterator[dict[str, object]]:
    """What the registry of `.example` says of each domain."""
    with NameServer() as names, rdap_server(settings, names) as known:
        settings.REGISTRY_NAMESERVERS = [names.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        yield known


def test_lapsed_domain_bought_by_somebody_else_proves_nothing(
    isbn: Namespace, agency: Organization, mallory: User, domains: dict[str, object]
) -> None:
    domains["books.example"] = "2024-05-01"

    row = claim(mallory, agency)

    page = Window(mallory).go(f"/organizations/{agency.pk}/prove/{row.pk}/")
    assert "registered on 2024-05-01" in page.text
    assert "write to the registrar" in page.text
    assert row.state == SpeakerState.ASKED
    assert not Letter.objects.filter(key__startswith="speaker:").exists()


def test_domain_of_which_nobody_knows_the_age_is_confirmed_by_the_registrar(
    story: Story,
    isbn: Namespace,
    agency: Organization,
    outsider: User,
    registrar: User,
    domains: dict[str, object],
) -> None:
    row = claim(outsider, agency)
    page = Window(outsider).go(f"/organizations/{agency.pk}/prove/{row.pk}/")
    assert "It is not known when books.example was registered" in page.text
    assert f"Who can act today: {registrar.name}" in page.text
    story.pass_days(30, step=5)
    assert not User.objects.speaking_for(agency)

    Window(registrar).go(row.get_absolute_url()).press("Countersign")
    deliver()
    story.pass_days(35, step=5)

    assert list(User.objects.speaking_for(agency)) == [outsider]


def test_lapsed_domain_that_is_recorded_as_somebody_elses_proves_nothing(
    isbn: Namespace, agency: Organization, mallory: User, registrar: User
) -> None:
    record_website(agency, "https://books.example/", "2024-05-01")

    page = Window(mallory).go("/namespaces/isbn/holder/")
    page.follow("Claim to act for Book Number Agency")

    assert [OFFICE in page.text, DESK in page.text] == [False, True]
    assert not agency.speakers.exists()


def test_only_delegate_is_dead_and_a_colleague_speaks_for_the_body_after_four_weeks(
    story: Story, agency: Organization, dag: User
) -> None:
    story.pass_days(430, step=5)
    row = agency.speakers.get(person=dag)
    letters = Letter.objects.filter(key__startswith=f"yearly:{row.pk}:").count()
    assert (letters, row.state) == (2, SpeakerState.ENDED)

    colleague = UserFactory.create(name="Cleo Colleague")
    row = claim(colleague, agency)
    assert row.waiting_days == 28
    assert "Somebody is to speak for the holder" in Window().go("/namespaces/isbn/").text
    story.pass_days(30)

    assert list(User.objects.speaking_for(agency)) == [colleague]


def test_second_claim_on_day_five_stops_both_until_the_standards_body_has_said_who(
    story: Story,
    isbn: Namespace,
    agency: Organization,
    mallory: User,
    outsider: User,
    standards_body: User,
) -> None:
    claim(mallory, agency)
    story.pass_days(5)
    row = claim(outsider, agency)
    story.pass_days(40)
    assert not User.objects.speaking_for(agency)
    notice = Window().go("/namespaces/isbn/").text
    assert "It is disputed who speaks for this namespace" in notice
    assert mallory.name not in notice

    page = Window(standards_body).go("/direction/").follow("Book Number Agency")
    page.follow("Say who speaks for it")
    page.press("Say who speaks for it", speaking=[row.pk], comment="Minutes of 4 May.")

    assert list(User.objects.speaking_for(agency)) == [outsider]
    assert Letter.objects.filter(recipient=mallory, event__verb="end_speaker").exists()


def test_dismissed_delegate_stays_a_week_and_one_who_leaves_is_gone_at_once(
    story: Story, agency: Organization, dag: User, outsider: User
) -> None:
    let_speak_for(agency, outsider)
    dismissed = Window(dag).go(f"/organizations/{agency.pk}/delegates/")
    dismissed.follow(outsider.name).press("End it")
    deliver()
    story.pass_days(6)
    assert outsider in User.objects.speaking_for(agency)
    story.pass_days(3)
    assert list(User.objects.speaking_for(agency)) == [dag]
    assert Letter.objects.filter(recipient=outsider, event__verb="end_speaker").exists()

    leaving = Window(dag).go(f"/organizations/{agency.pk}/delegates/").follow("Dag Delegate")
    assert "has no other representative" in leaving.text
    leaving.press("End it")

    assert not User.objects.speaking_for(agency)


def test_mail_scanner_that_opens_every_link_changes_nothing(
    story: Story, agency: Organization, dag: User, outsider: User
) -> None:
    page = Window(dag).go(f"/organizations/{agency.pk}/delegates/")
    page.press("Name a delegate", address=outsider.email)
    deliver()
    before = list(Speaker.objects.order_by("pk").values_list("pk", "state"))
    letters = Letter.objects.filter(key__startswith="speaker:")

    for letter in letters:
        Window().go(link_in(letter, "/organizations/speakers/"))

    assert letters.count() == 3
    assert list(Speaker.objects.order_by("pk").values_list("pk", "state")) == before
    story.pass_days(9)
    assert outsider in User.objects.speaking_for(agency)


def test_body_that_answers_only_by_letter_gets_somebody_who_speaks_for_it(
    story: Story, isbn: Namespace, agency: Organization, outsider: User, registrar: User
) -> None:
    second = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    page = Window(registrar).go(f"/organizations/{agency.pk}/delegates/")
    page.press("Record who speaks for it", address=outsider.email, comment="Letter of 3 May.")
    row = agency.speakers.get()
    assert not Window(registrar).go(row.get_absolute_url()).offers("Countersign")

    Window(second).go(row.get_absolute_url()).press("Countersign")
    deliver()
    story.pass_days(30)

    assert list(User.objects.speaking_for(agency)) == [outsider]


def test_author_of_a_new_namespace_is_offered_it_wherever_they_look(
    agency: Organization, outsider: User
) -> None:
    fresh = OrganizationFactory.create(name="Fresh Body")
    namespace = NamespaceFactory.create(nid="fresh", registrant=fresh)
    asked = RequestFactory.create(
        author=outsider,
        organization=fresh,
        namespace=namespace,
        change=ChangeKind.NEW,
        state="registered",
    )
    asked.rounds.update(submitted_at=timezone.now(), sha256="0")
    namespace.registrations.create(
        registration_request=asked, number=1, registered_on=timezone.localdate(), sha256="0"
    )
    sentence = "You can speak for urn:fresh"

    for page in (
        "/account/requests/",
        asked.get_absolute_url(),
        "/namespaces/fresh/",
        f"/organizations/{fresh.pk}/prove/",
    ):
        assert sentence in Window(outsider).go(page).text, page
        assert sentence not in Window().go(page).text, page
    Window(outsider).go("/account/requests/").follow("Do it here").press("Speak for this namespace")

    assert namespace.speakers.in_effect().get().person == outsider
    assert sentence not in Window(outsider).go("/account/requests/").text


def test_delegate_of_the_body_that_takes_over_has_a_way_to_say_so(
    isbn: Namespace, dag: User, outsider: User
) -> None:
    heirs = OrganizationFactory.create(name="Page Number Trust")
    let_speak_for(heirs, outsider)
    transfer = send(isbn, ChangeKind.TRANSFER, dag, heirs)
    sentence = "You can speak for Page Number Trust"

    for page in ("/account/requests/", transfer.get_absolute_url(), "/namespaces/isbn/"):
        assert sentence in Window(outsider).go(page).text, page
    window = Window(outsider).go(transfer.get_absolute_url()).follow("Do it here")
    window.press("Consent")

    assert sentence not in Window(outsider).go("/account/requests/").text
