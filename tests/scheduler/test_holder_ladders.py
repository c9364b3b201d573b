"""Claims and searches wait for somebody who can act, and never without reminders."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import scheduler
from registry.actions import delegate_changes, holder_searches, organization_proofs
from registry.actions.holder_searches import SearchFinding
from registry.enums import ChangeKind, LetterReason, ProofMethod, Role, Turn
from registry.models import (
    DelegateChange,
    HolderSearch,
    Letter,
    Namespace,
    Organization,
    User,
)
from registry.selectors.holder_clock import find_claim_wait, find_search_wait
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.scheduler.conftest import Travel
from tests.small_changes import send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
SOURCE = "The archive of 2011 shows it, before the record of 2014."
HOLDER_PAGE, HOLDER_API = "/namespaces/isbn/holder/", "/api/v1/namespaces/isbn/holder/"
DAYS = 400


@pytest.fixture
def agency(db: None) -> Organization:
    body: Organization = OrganizationFactory.create(
        name="Book Number Agency", website="https://books.example/", website_source="Its statutes"
    )
    return body


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, contact="Desk, desk@books.example", last_known_version="1"
    )


@pytest.fixture
def claimant(db: None) -> User:
    return UserFactory.create(name="Clara Claimant", email="clara@people.example")


def claim(agency: Organization, person: User) -> DelegateChange:
    """Return the claim of somebody who has answered a letter."""
    proof = organization_proofs.request_proof(
        agency, person, ProofMethod.MAIL, address="postmaster@books.example"
    )
    organization_proofs.confirm_proof(proof, proof.secret)
    return DelegateChange.objects.get(proof=proof)


@pytest.fixture
def claimed(agency: Organization, namespace: Namespace, claimant: User) -> DelegateChange:
    """The first claim on the holder of a namespace."""
    return claim(agency, claimant)


@pytest.fixture
def unanswered(namespace: Namespace, registrar: User, travel: Travel) -> HolderSearch:
    """A search whose two letters were not answered: it can be opened on the 29th day."""
    search = holder_searches.begin_search(namespace, actor=registrar)
    for day in (14.1, 28.3):
        travel(day)
        scheduler.tick()
    search.refresh_from_db()
    return search


def days_of_letters(verb: str, person: User) -> list[int]:
    """Return on which days after the first of June somebody was reminded."""
    first = datetime.datetime(2026, 6, 1, 10, tzinfo=datetime.UTC)
    written = Letter.objects.filter(event__verb=verb, recipient=person).order_by("written_at")
    return [(at - first).days for at in written.values_list("written_at", flat=True)]


def run_each_day(travel: Travel, first: int, last: int, look: Callable[[int], None]) -> None:
    """Run the scheduler once on each of these days, and check the state then."""
    for day in range(first, last):
        travel(day + 0.2)
        assert scheduler.tick().failures == []
        look(day)


# Claims


@pytest.mark.whole
def test_claim_is_never_silent_and_reaches_more_people_the_longer_it_waits(
    claimed: DelegateChange, registrar: User, standards_body: User, lead: User, travel: Travel
) -> None:
    def somebody_is_named_and_hears(day: int) -> None:
        wait = find_claim_wait(DelegateChange.objects.get(pk=claimed.pk))
        assert wait is not None
        assert wait.people == (registrar,)
        last = Letter.objects.filter(event__verb="remind_claim", recipient=registrar).latest("pk")
        assert timezone.now() - last.written_at < datetime.timedelta(31), f"on day {day}"

    run_each_day(travel, 0, DAYS, somebody_is_named_and_hears)

    repeated = list(range(30, DAYS, 30))
    assert days_of_letters("remind_claim", registrar) == [0, 7, 14, *repeated]
    assert days_of_letters("remind_claim", lead) == repeated
    assert days_of_letters("remind_claim", standards_body) == repeated


@pytest.mark.pages
def test_letter_leads_to_the_page_with_the_button_and_names_no_claimant(
    claimed: DelegateChange, registrar: User, lead: User, sign_in: SignIn, travel: Travel
) -> None:
    travel(31)
    scheduler.tick()
    [mine, hers] = [
        Letter.objects.get(event__verb="remind_claim", recipient=each) for each in (registrar, lead)
    ]
    browser = sign_in(registrar)

    page = browser.get(claimed.get_absolute_url())
    claimed.refresh_from_db()
    opened = claimed.source
    browser.post(claimed.get_absolute_url(), {"act": "confirm_source", "comment": SOURCE})

    claimed.refresh_from_db()
    assert claimed.get_absolute_url() in mine.text
    assert ["your turn" in each.text for each in (mine, hers)] == [True, False]
    assert "Clara Claimant" not in mine.text + hers.text
    assert "Confirm the domain" in text_of(page)
    assert (opened, claimed.source) == ("", SOURCE)
    assert find_claim_wait(claimed) is None


@pytest.mark.pages
def test_page_and_api_name_who_can_confirm_the_domain_today(
    claimed: DelegateChange, registrar: User, claimant: User, client: Client, sign_in: SignIn
) -> None:
    public = text_of(client.get("/namespaces/isbn/"))
    own = text_of(sign_in(claimant).get(claimed.get_absolute_url()))
    told = client.get(HOLDER_API).json()["claims"][0]["waiting"]

    for page in (public, own):
        assert "since 1 June 2026" in page
        assert "Rafe Registrar" in page
    assert (told["turn"], told["people"]) == ("registrar", ["Rafe Registrar"])
    assert (told["promised_by"], told["days_late"]) == ("2026-06-29", 0)


@pytest.mark.pages
def test_standards_body_confirms_where_every_registrar_has_a_part(
    agency: Organization,
    claimed: DelegateChange,
    registrar: User,
    standards_body: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    path, browser = claimed.get_absolute_url(), sign_in(standards_body)
    before = browser.get(path).status_code
    registrar.organization = agency
    registrar.save()
    scheduler.tick()

    told = client.get(HOLDER_API).json()["claims"][0]["waiting"]
    page = text_of(browser.get(path))
    with expect_refusal("not_registrar"):
        delegate_changes.confirm_claim_source(claimed, SOURCE, actor=registrar)
    answer = Program.of(standards_body).client.post(
        f"/api/v1/organizations/{agency.pk}/changes/{claimed.pk}/act/",
        {"act": "confirm_source", "comment": SOURCE},
        JSON,
    )

    claimed.refresh_from_db()
    assert before == 404
    assert (told["turn"], told["people"]) == ("standards_body", ["Stine Standards"])
    assert "Confirm the domain" in page
    assert answer.status_code == 200, answer.content
    assert (claimed.source, claimed.source_by) == (SOURCE, standards_body)
    letter = Letter.objects.get(event__verb="remind_claim")
    assert (letter.recipient, letter.reason) == (standards_body, LetterReason.STANDARDS_BODY)


@pytest.mark.pages
def test_administrators_hear_where_nobody_at_all_is_free(
    claimed: DelegateChange, administrator: User, client: Client
) -> None:
    scheduler.tick()

    wait, told = find_claim_wait(claimed), client.get(HOLDER_API).json()["claims"][0]["waiting"]

    assert wait is not None
    assert (wait.turn, wait.people) == (Turn.ADMINISTRATOR, (administrator,))
    assert (told["turn"], told["people"]) == ("administrator", [])
    assert Letter.objects.get(event__verb="remind_claim").recipient == administrator


@pytest.mark.pages
def test_registrar_does_not_confirm_the_domain_of_a_claim_of_their_own(
    agency: Organization, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    change = claim(agency, registrar)
    other = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    path, said = change.get_absolute_url(), {"act": "confirm_source", "comment": SOURCE}

    page = sign_in(registrar).get(path)
    posted = sign_in(registrar).post(path, said)
    program = Program.of(registrar).client.post(
        f"/api/v1/organizations/{agency.pk}/changes/{change.pk}/act/", said, JSON
    )
    with expect_refusal("not_registrar"):
        delegate_changes.confirm_claim_source(change, SOURCE, actor=registrar)

    change.refresh_from_db()
    wait = find_claim_wait(change)
    assert "Confirm the domain" not in text_of(page)
    assert (posted.status_code, program.status_code) == (400, 403)
    assert change.source == ""
    assert wait is not None
    assert wait.people == (other,)


@pytest.mark.pages
def test_claim_for_which_only_days_have_to_pass_waits_for_nobody(
    agency: Organization,
    namespace: Namespace,
    claimant: User,
    registrar: User,
    client: Client,
    settings: Settings,
) -> None:
    settings.REGISTRY_WORD_DAYS = 7
    let_speak_for(agency, UserFactory.create())

    change = claim(agency, claimant)
    scheduler.tick()

    assert find_claim_wait(change) is None
    assert client.get(HOLDER_API).json()["claims"][0]["waiting"] is None
    assert not Letter.objects.filter(event__verb="remind_claim").exists()


# Searches


@pytest.mark.whole
def test_search_that_nobody_opens_is_never_silent(
    unanswered: HolderSearch, registrar: User, standards_body: User, lead: User, travel: Travel
) -> None:
    def somebody_is_named(day: int) -> None:
        wait = find_search_wait(HolderSearch.objects.get(), timezone.now())
        assert wait is not None
        assert (wait.turn, wait.people) == (Turn.REGISTRAR, (registrar,))

    run_each_day(travel, 29, 200, somebody_is_named)

    assert days_of_letters("remind_search", registrar) == [28, 35, 42, 58, 88, 118, 148, 178]
    assert days_of_letters("remind_search", lead) == [58, 88, 118, 148, 178]
    assert days_of_letters("remind_search", standards_body) == [58, 88, 118, 148, 178]


@pytest.mark.pages
def test_each_wait_of_a_search_is_told_anew_to_whose_turn_it_is_then(
    unanswered: HolderSearch,
    registrar: User,
    standards_body: User,
    claimant: User,
    client: Client,
    travel: Travel,
) -> None:
    waits = []

    def note_wait() -> None:
        scheduler.tick()
        told = client.get(HOLDER_API).json()["search"]
        waits.append((told["stage"], told["waiting"] and told["waiting"]["people"]))

    note_wait()
    holder_searches.open_search(unanswered, actor=registrar)
    note_wait()
    travel(28.3 + 57)
    note_wait()
    decide(unanswered, standards_body, claimant)
    note_wait()
    holder_searches.appeal_search(unanswered, "The register is wrong.", actor=claimant)
    note_wait()

    assert waits == [
        ("letters", ["Rafe Registrar"]),
        ("notice", None),
        ("notice", ["Stine Standards"]),
        ("finding", None),
        ("appeal", ["Stine Standards"]),
    ]
    assert days_of_letters("remind_search", registrar) == [28]
    assert days_of_letters("remind_search", standards_body) == [85, 85]


def decide(search: HolderSearch, actor: User, speaker: User) -> None:
    """Decide who speaks for the namespace."""
    finding = SearchFinding(evidence="The register of societies.", speaker=speaker)
    holder_searches.decide_search(search, finding, actor=actor)


@pytest.mark.pages
def test_letters_about_a_search_lead_to_the_page_with_the_button(
    unanswered: HolderSearch, registrar: User, sign_in: SignIn
) -> None:
    letter = Letter.objects.get(event__verb="remind_search")
    browser = sign_in(registrar)

    page = text_of(browser.get(HOLDER_PAGE))
    opened = HolderSearch.objects.get().opened_at
    browser.post(HOLDER_PAGE, {"act": "open_search"})

    assert HOLDER_PAGE in letter.text
    assert "Rafe Registrar" in page
    assert "Open the search" in page
    assert opened is None
    assert HolderSearch.objects.get().opened_at is not None


@pytest.mark.pages
def test_standards_body_opens_it_where_every_registrar_has_a_stake(
    agency: Organization,
    unanswered: HolderSearch,
    registrar: User,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    browser = sign_in(standards_body)
    before = text_of(browser.get(HOLDER_PAGE))
    registrar.organization = agency
    registrar.save()

    page, listed = text_of(browser.get(HOLDER_PAGE)), text_of(browser.get("/direction/"))
    with expect_refusal("not_registrar"):
        holder_searches.open_search(unanswered, actor=registrar)
    browser.post(HOLDER_PAGE, {"act": "open_search"})

    assert "Open the search" not in before
    assert "Open the search" in page
    assert "urn:isbn" in listed
    assert HolderSearch.objects.get().opened_by == standards_body


@pytest.mark.pages
def test_administrators_hear_where_all_of_the_standards_body_have_a_stake(
    agency: Organization,
    unanswered: HolderSearch,
    registrar: User,
    standards_body: User,
    administrator: User,
    client: Client,
    travel: Travel,
) -> None:
    holder_searches.open_search(unanswered, actor=registrar)
    standards_body.organization = agency
    standards_body.save()
    travel(28.3 + 57)
    scheduler.tick()

    told = client.get(HOLDER_API).json()["search"]["waiting"]

    assert (told["turn"], told["people"]) == ("administrator", [])
    assert days_of_letters("remind_search", administrator) == [85]


# All of them


def test_weekly_letter_tells_of_what_is_late_and_who_can_act(
    claimed: DelegateChange,
    registrar: User,
    standards_body: User,
    lead: User,
    travel: Travel,
) -> None:
    travel(20)
    scheduler.tick()
    early = Letter.objects.filter(key__startswith="weekly:").exists()
    travel(30)
    scheduler.tick()

    letters = Letter.objects.filter(key__startswith="weekly:")
    assert not early
    assert {each.recipient for each in letters} == {registrar, standards_body, lead}
    for letter in letters:
        words = " ".join(letter.text.split())
        assert "1 June 2026, 2 days late" in words
        assert "Rafe Registrar" in words
        assert HOLDER_PAGE in letter.text
        assert "Clara Claimant" not in words


def test_new_delegate_hears_at_once_what_waits_for_their_word(
    agency: Organization,
    namespace: Namespace,
    claimed: DelegateChange,
    claimant: User,
    registrar: User,
    travel: Travel,
) -> None:
    stranger = UserFactory.create()
    body = OrganizationFactory.create(name="Paper Tiger Press")
    asked = send(namespace, ChangeKind.CONTACT, stranger, body)
    delegate_changes.confirm_claim_source(claimed, SOURCE, actor=registrar)
    before = Letter.objects.filter(recipient=claimant, registration_request=asked).exists()

    travel(28.1)
    scheduler.tick()

    letter = Letter.objects.get(event__verb="ask_new_holder", recipient=claimant)
    assert not before
    assert letter.registration_request == asked
    assert f"/organizations/{agency.pk}/prove/?request={asked.slug}" in letter.text
