"""An unresponsive holder is searched for publicly, step by step, and can always return."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from registry import scheduler, workflow
from registry.actions import holder_searches, organization_proofs
from registry.actions.holder_searches import SearchFinding
from registry.enums import ChangeKind, ProofMethod, Role, SearchOutcome, State
from registry.models import (
    Event,
    HolderSearch,
    ImportedRecord,
    Letter,
    Namespace,
    Organization,
    RecordContact,
    RegistrationRequest,
    SourceDocument,
    User,
)
from registry.notifications.holder_links import build_search_answer_url
from registry.selectors.holder_addresses import list_body_addresses
from registry.selectors.holder_consent import NOT_BY_HOLDER, list_people_who_can_give_word
from registry.workflow.holder_signs import answer_search, find_search
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

EVIDENCE = "Register of clubs, entry 7."

SignIn = Callable[[User], Client]
CONTACT = "desk@books.example"
START = datetime.datetime(2026, 3, 2, 9, tzinfo=datetime.UTC)
NO_TIME = datetime.timedelta(0)


@pytest.fixture
def agency(db: None) -> Organization:
    return OrganizationFactory.create(name="Book Number Agency", website="https://books.example/")


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(nid="isbn", registrant=agency, contact=f"Desk, {CONTACT}")


@pytest.fixture
def days() -> Iterator[Callable[[float], None]]:
    """A function that runs the scheduler day by day up to a number of days after the start."""
    traveller = time_machine.travel(START, tick=False)
    now = traveller.start()

    def until(day: float) -> None:
        # The scheduler runs every few days: that it need not run daily, its own tests show.
        while (left := START + datetime.timedelta(math.ceil(day)) - timezone.now()) > NO_TIME:
            now.shift(min(left, datetime.timedelta(7)))
            scheduler.tick()

    yield until
    traveller.stop()


def begun(namespace: Namespace, registrar: User) -> HolderSearch:
    return holder_searches.begin_search(namespace, actor=registrar)


def opened(namespace: Namespace, registrar: User, days: Callable[[float], None]) -> HolderSearch:
    """Return a search whose public notice is over."""
    search = begun(namespace, registrar)
    days(29)
    holder_searches.open_search(search, actor=registrar)
    days(29 + 57)
    search.refresh_from_db()
    return search


def test_it_is_opened_after_two_letters_14_days_apart_had_no_answer(
    namespace: Namespace, registrar: User, days: Callable[[float], None], client: Client
) -> None:
    search = begun(namespace, registrar)
    letters = Letter.objects.filter(key__startswith="search:", address=CONTACT)
    for day, count in ((13, 1), (15, 2)):
        days(day)
        assert letters.count() == count
        with expect_refusal("too_early"):
            holder_searches.open_search(search, actor=registrar)

    days(29)
    quiet = client.get("/namespaces/isbn/").context["search"]
    holder_searches.open_search(search, actor=registrar)

    assert quiet.stage == "letters"
    assert client.get("/namespaces/isbn/").context["search"].stage == "notice"
    assert Letter.objects.filter(event__verb="open_search", reason="list").exists()
    reminded = Letter.objects.filter(event__verb="remind_search").values_list("address", flat=True)
    assert set(reminded) == {registrar.email}


def test_registrar_enters_an_address_with_its_source_where_none_is_on_record(
    registrar: User, client: Client, sign_in: SignIn
) -> None:
    namespace = NamespaceFactory.create(nid="watermill", contact="")
    browser, path = sign_in(registrar), "/namespaces/watermill/holder/"
    typed = {"act": "begin_search", "addresses": "mill@mills.example", "comment": ""}

    pages = [
        text_of(browser.post(path, typed | {"addresses": ""})),
        text_of(browser.post(path, typed | {"addresses": "mills"})),
        text_of(browser.post(path, typed)),
    ]
    browser.post(path, typed | {"comment": "Trade register, 2026"})

    expected = [
        "No address is on record. Enter one, and say where it is known from.",
        "“mills” is not an email address.",
        "Say where these addresses are known from.",
    ]
    assert [words in page for words, page in zip(expected, pages, strict=True)] == [True] * 3
    assert namespace.holder_searches.get().addresses == ["mill@mills.example"]
    assert Letter.objects.filter(address="mill@mills.example").count() == 1
    assert Event.objects.get(verb="begin_search").comment == "Trade register, 2026"


def test_letters_go_to_the_offices_of_the_domain_too(namespace: Namespace, registrar: User) -> None:
    search = begun(namespace, registrar)

    assert {CONTACT, "postmaster@books.example", "hostmaster@books.example"} <= set(
        search.addresses
    )


@pytest.mark.whole
def test_one_at_a_time_and_not_again_within_a_year(
    namespace: Namespace, registrar: User, days: Callable[[float], None]
) -> None:
    search = begun(namespace, registrar)
    with expect_refusal("already_searching"):
        begun(namespace, registrar)
    answer_search(search, actor=registrar, by="By telephone")
    with expect_refusal("too_soon"):
        begun(namespace, registrar)

    days(366)

    assert begun(namespace, registrar).ended_at is None


@pytest.mark.whole
@pytest.mark.parametrize("stake", ["author", "delegate"])
def test_no_officer_who_is_party_searches_or_decides(
    stake: str,
    namespace: Namespace,
    agency: Organization,
    registrar: User,
    standards_body: User,
    days: Callable[[float], None],
) -> None:
    other = UserFactory.create(roles=["registrar"])
    search = opened(namespace, other, days)
    for person in (registrar, standards_body):
        if stake == "author":
            RequestFactory.create(
                author=person, namespace=namespace, change="contact", state=State.APPROVED
            )
        else:
            let_speak_for(agency, person)

    with expect_refusal("not_registrar"):
        begun(namespace, registrar)
    with expect_refusal("not_standards_body"):
        decide(search, standards_body, registrar)

    search.refresh_from_db()
    assert search.decided_at is None


def test_address_on_record_ends_it_by_one_button(
    namespace: Namespace, registrar: User, client: Client
) -> None:
    search = begun(namespace, registrar)
    url = build_search_answer_url(search, CONTACT)
    assert url in Letter.objects.get(key__startswith="search:", address=CONTACT).text
    path = "/namespaces/" + url.partition("/namespaces/")[2]

    client.get(path)
    opened_only = find_search(namespace)
    client.post(path)

    search.refresh_from_db()
    assert opened_only == search, "opening the link does nothing"
    assert (search.outcome, search.answered_by) == (SearchOutcome.ANSWERED, CONTACT)
    assert CONTACT not in str(Event.objects.get(verb="answer_search").data)


def test_any_act_of_a_delegate_ends_it(
    namespace: Namespace, agency: Organization, registrar: User, outsider: User
) -> None:
    begun(namespace, registrar)
    let_speak_for(agency, outsider)

    send(namespace, ChangeKind.CONTACT, outsider)

    assert find_search(namespace) is None


def test_stranger_ends_nothing(
    namespace: Namespace, organization: Organization, registrar: User, outsider: User
) -> None:
    begun(namespace, registrar)

    send(namespace, ChangeKind.CONTACT, outsider, organization)

    assert find_search(namespace)


def test_proof_by_the_domain_of_the_body_ends_it(
    namespace: Namespace, agency: Organization, registrar: User, outsider: User
) -> None:
    begun(namespace, registrar)
    proof = organization_proofs.request_proof(
        agency, outsider, ProofMethod.MAIL, address="postmaster@books.example"
    )

    organization_proofs.confirm_proof(proof, proof.secret)

    assert find_search(namespace) is None


def decide(search: HolderSearch, actor: User, speaker: User) -> None:
    finding = SearchFinding(evidence=EVIDENCE, speaker=speaker)
    holder_searches.decide_search(search, finding, actor=actor)


@pytest.mark.whole
def test_no_officer_of_the_search_is_found_to_be_the_holder(
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    search = opened(namespace, registrar, days)

    for officer in (standards_body, registrar):
        with expect_refusal("own_finding"):
            decide(search, standards_body, officer)

    other = UserFactory.create(roles=[Role.STANDARDS_BODY])
    decide(search, standards_body, other)
    search.refresh_from_db()
    holder_searches.appeal_search(search, "The register is wrong.", actor=outsider)
    with expect_refusal("own_appeal"):
        holder_searches.rule_on_search(search, is_upheld=True, reasons="So it is.", actor=other)


@pytest.mark.whole
def test_nobody_has_the_text_published_with_whose_body_they_declared_a_conflict(
    namespace: Namespace,
    organization: Organization,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, outsider, organization)
    search = opened(namespace, registrar, days)
    standards_body.conflicts.create(organization=organization, declared_at=timezone.now())
    found = holder_searches.find_round_to_publish(namespace, asked.reference)
    finding = SearchFinding(evidence="Letters of its members.", round=found)

    with expect_refusal("has_stake"):
        holder_searches.decide_search(search, finding, actor=standards_body)


def remember_role_and_lose_it(person: User) -> User:
    """Return the person as an open page has them, who has lost all roles meanwhile."""
    assert person.roles
    User.objects.get(pk=person.pk).groups.clear()
    return person


@pytest.mark.whole
def test_lost_role_since_the_page_was_opened_bars_searching_and_deciding(
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    search = opened(namespace, registrar, days)
    remember_role_and_lose_it(standards_body)
    with expect_refusal("not_standards_body"):
        decide(search, standards_body, outsider)

    remember_role_and_lose_it(registrar)
    with expect_refusal("not_registrar"):
        holder_searches.open_search(search, actor=registrar)
    with expect_refusal("not_registrar"):
        begun(NamespaceFactory.create(nid="issn", contact=CONTACT), registrar)


def test_letters_go_to_the_addresses_of_the_record_that_the_registrar_confirmed(
    namespace: Namespace, agency: Organization, registrar: User
) -> None:
    confirm_record_address(namespace, "archive@books.example", registrar)

    search = begun(namespace, registrar)

    assert "archive@books.example" in search.addresses
    assert Letter.objects.filter(address="archive@books.example").exists()
    assert "archive@books.example" in list_body_addresses(agency)


def confirm_record_address(namespace: Namespace, address: str, registrar: User) -> None:
    """Give a document of record `address`, confirmed by the registrar."""
    now = timezone.now()
    document = SourceDocument.objects.create(name="RFC 3187", text="A text.", read_at=now)
    span = {"first_line": 1, "last_line": 1, "first_page": 1, "last_page": 1}
    record = ImportedRecord.objects.create(
        namespace=namespace, document=document, number=1, read_at=now, **span
    )
    RecordContact.objects.create(
        namespace=namespace,
        record=record,
        address=address,
        source="They answered.",
        confirmed_by=registrar,
        confirmed_at=now,
    )


@pytest.mark.whole
def test_notice_stands_56_days_before_anything_is_decided(
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    search = begun(namespace, registrar)
    days(29)
    holder_searches.open_search(search, actor=registrar)
    days(29 + 55)

    with expect_refusal("notice_running"):
        decide(search, standards_body, outsider)
    days(29 + 57)
    decide(search, standards_body, outsider)

    search.refresh_from_db()
    assert search.decided_at


@pytest.mark.whole
def test_finding_takes_effect_28_days_later_for_this_namespace_alone(
    namespace: Namespace,
    agency: Organization,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    other = NamespaceFactory.create(nid="issn", registrant=agency)
    search = opened(namespace, registrar, days)
    decide(search, standards_body, outsider)
    early = send(namespace, ChangeKind.CONTACT, outsider)
    with expect_refusal("may_be_published"):
        workflow.perform(early, "register", actor=registrar)
    assert list_obstacle_labels(early) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(early) == []

    days(29 + 57 + 29)
    workflow.perform(early, "register", actor=registrar)
    beyond = send(other, ChangeKind.CONTACT, outsider)

    assert early.state == State.REGISTERED
    with expect_refusal("may_be_published"):
        workflow.perform(beyond, "register", actor=registrar)
    assert list_obstacle_labels(beyond) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(beyond) == []
    assert Event.objects.get(verb="decide_search").comment == EVIDENCE


@pytest.mark.whole
def test_one_text_may_be_published_and_no_other(
    namespace: Namespace,
    organization: Organization,
    registrar: User,
    standards_body: User,
    outsider: User,
    days: Callable[[float], None],
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, outsider, organization)
    other = send(namespace, ChangeKind.REFERENCE, outsider, organization)
    search = opened(namespace, registrar, days)
    found = holder_searches.find_round_to_publish(namespace, asked.reference.lower())
    finding = SearchFinding(evidence="Letters of its members.", round=found)
    holder_searches.decide_search(search, finding, actor=standards_body)

    days(29 + 57 + 29)
    workflow.perform(RegistrationRequest.objects.get(pk=asked.pk), "register", actor=registrar)

    with expect_refusal("may_be_published"):
        workflow.perform(RegistrationRequest.objects.get(pk=other.pk), "register", actor=registrar)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("is_upheld", "outcome"), [(True, SearchOutcome.DECIDED), (False, SearchOutcome.DROPPED)]
)
def test_appeal_stays_it_until_it_is_answered(
    is_upheld: bool,
    outcome: SearchOutcome,
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    expert: User,
    days: Callable[[float], None],
) -> None:
    search = opened(namespace, registrar, days)
    decide(search, standards_body, outsider)
    holder_searches.appeal_search(search, "The register is wrong.", actor=expert)
    days(200)
    search.refresh_from_db()
    stayed = search.ended_at
    reminded = Letter.objects.filter(event__verb="remind_search", address=standards_body.email)
    assert reminded.count() >= 5

    holder_searches.rule_on_search(
        search, is_upheld=is_upheld, reasons="Minutes.", actor=standards_body
    )
    days(202)

    search.refresh_from_db()
    assert stayed is None
    assert search.outcome == outcome
    assert namespace.speakers.exists() == is_upheld


@pytest.mark.whole
def test_holder_returns_even_after_the_finding(
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    client: Client,
    days: Callable[[float], None],
) -> None:
    search = opened(namespace, registrar, days)
    decide(search, standards_body, outsider)
    url = build_search_answer_url(search, CONTACT)

    client.post("/namespaces/" + url.partition("/namespaces/")[2])
    days(200)

    assert not namespace.speakers.exists()


@pytest.mark.whole
def test_course_of_a_search_on_its_page(
    namespace: Namespace,
    registrar: User,
    standards_body: User,
    outsider: User,
    sign_in: SignIn,
    days: Callable[[float], None],
) -> None:
    path = "/namespaces/isbn/holder/"

    def act(person: User, **said: str) -> Any:
        return sign_in(person).post(path, said, follow=True)

    act(registrar, act="begin_search")
    days(29)
    assert "Open the search" not in text_of(sign_in(outsider).get(path))
    act(registrar, act="open_search")
    days(29 + 57)
    assert "urn:isbn" in text_of(sign_in(standards_body).get("/direction/"))
    act(standards_body, act="decide_search", comment="Seen.")
    undecided = HolderSearch.objects.get()
    act(standards_body, act="decide_search", comment="Seen.", speaker=outsider.email)

    assert undecided.decided_at is None
    search = HolderSearch.objects.get()
    assert (search.speaker, search.decided_by) == (outsider, standards_body)


def test_programs_read_and_do_the_same(
    namespace: Namespace, registrar: User, outsider: User
) -> None:
    path = "/api/v1/namespaces/isbn/holder/"
    program = Program.of(registrar)

    before = program.client.get(path).json()
    refused = Program.of(outsider).client.post(path, {"act": "begin_search"}, JSON)
    begun_now = program.client.post(path, {"act": "begin_search"}, JSON)
    ended = program.client.post(path, {"act": "record_sign", "comment": "By telephone."}, JSON)

    assert before["acts"] == ["begin_search", "enter_reference"]
    assert refused.status_code == 403
    assert begun_now.json()["search"]["stage"] == "letters"
    assert (ended.status_code, ended.json()["search"]) == (200, None)


# The offer


def test_author_is_offered_a_new_namespace_and_speaks_for_it_only_once_they_accept(
    approved: RegistrationRequest, registrant: User, registrar: User, sign_in: SignIn
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    namespace = Namespace.objects.get(nid="seedbank")
    letter = Letter.objects.get(key__startswith="offer:")
    asked = send(namespace, ChangeKind.CONTACT, registrant)
    with expect_refusal("may_be_published"):
        workflow.perform(asked, "register", actor=registrar)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]
    assert list_people_who_can_give_word(asked) == []

    page = sign_in(registrant).post("/namespaces/seedbank/holder/", {"act": "accept_offer"})
    workflow.perform(asked, "register", actor=registrar)

    assert (letter.address, page.status_code) == (registrant.email, 302)
    assert asked.state == State.REGISTERED
    assert list(User.objects.speaking_for(asked.organization)) == []


def test_nobody_else_takes_the_offer(
    approved: RegistrationRequest, registrar: User, outsider: User, sign_in: SignIn
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    namespace = Namespace.objects.get(nid="seedbank")

    answer = sign_in(outsider).post("/namespaces/seedbank/holder/", {"act": "accept_offer"})

    assert answer.status_code == 400
    with expect_refusal("not_author"):
        holder_searches.accept_offer(namespace, actor=outsider)
    assert not namespace.speakers.exists()


def test_nothing_is_offered_where_the_body_was_known(
    approved: RegistrationRequest, registrar: User, organization: Organization
) -> None:
    NamespaceFactory.create(nid="older", registrant=organization)

    workflow.perform(approved, "register", actor=registrar)

    assert not Letter.objects.filter(key__startswith="offer:").exists()
