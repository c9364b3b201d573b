"""Who acts for a holder of a namespace changes openly, with a delay, and can be stopped."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import scheduler
from registry.actions import delegate_changes, delegates, organization_proofs
from registry.enums import DelegateChangeOutcome, ProofMethod
from registry.models import (
    DelegateChange,
    Event,
    Letter,
    Namespace,
    Organization,
    Proof,
    User,
)
from registry.notifications.holder_links import build_delegate_stop_url
from registry.rate_limits import MAX_CODE_ATTEMPTS
from registry.selectors.public_mail import gives_addresses_to_public
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
CONTACT = "desk@books.example"
SOURCE = "The archive of 2011 shows it, before the record of 2014."


@pytest.fixture(autouse=True)
def real_days(settings: Settings) -> None:
    settings.REGISTRY_WORD_DAYS = 7


@pytest.fixture
def agency(db: None) -> Organization:
    body: Organization = OrganizationFactory.create(
        name="Book Number Agency", website="https://books.example/", website_source="Its statutes"
    )
    NamespaceFactory.create(nid="isbn", registrant=body, contact=f"Desk, {CONTACT}")
    return body


@pytest.fixture
def delegate(agency: Organization) -> User:
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(agency, person)
    return person


def prove(
    agency: Organization, person: User, address: str = "postmaster@books.example"
) -> DelegateChange:
    """Return the claim of somebody who has answered a letter."""
    proof = organization_proofs.request_proof(agency, person, ProofMethod.MAIL, address=address)
    organization_proofs.confirm_proof(proof, proof.secret)
    return DelegateChange.objects.get(proof=proof)


def tick_after(days: float) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days, minutes=1), tick=False):
        scheduler.tick()


# A first claim


def test_first_claim_holds_28_days_later_once_the_domain_is_confirmed(
    agency: Organization, outsider: User, registrar: User
) -> None:
    change = prove(agency, outsider)
    tick_after(29)
    unconfirmed = list(User.objects.speaking_for(agency))

    delegate_changes.confirm_claim_source(change, SOURCE, actor=registrar)
    tick_after(27)
    early = list(User.objects.speaking_for(agency))
    tick_after(28)

    assert [unconfirmed, early] == [[], []]
    assert list(User.objects.speaking_for(agency)) == [outsider]
    assert Event.objects.get(verb="confirm_domain").data["source"] == SOURCE


def test_it_is_announced_in_public_without_a_name_and_told_to_every_address_on_record(
    agency: Organization, outsider: User, client: Client
) -> None:
    prove(agency, outsider)

    page = text_of(client.get("/namespaces/isbn/"))
    letter = Letter.objects.get(key__startswith="delegate-change:", address=CONTACT)
    assert "books.example" in page
    assert "Olaf Outsider" not in page
    assert "Olaf Outsider (outsider@people.example)" in " ".join(letter.text.split())
    assert "/stop/" in letter.text
    assert Event.objects.get(verb="announce_claim").namespace == Namespace.objects.get()
    told = client.get("/api/v1/namespaces/isbn/holder/").json()["claims"]
    assert [(each["domain"], each["needs_source"]) for each in told] == [("books.example", True)]


def test_address_on_record_stops_it_without_an_account(
    agency: Organization, outsider: User, registrar: User, client: Client
) -> None:
    change = prove(agency, outsider)
    delegate_changes.confirm_claim_source(change, SOURCE, actor=registrar)
    path = (
        "/organizations/" + build_delegate_stop_url(change, CONTACT).partition("/organizations/")[2]
    )

    page = client.get(path)
    change.refresh_from_db()
    opened = change.ended_at
    client.post(path, {"comment": "We know nobody of this name."})
    tick_after(60)

    change.refresh_from_db()
    assert "Stop it" in text_of(page)
    assert opened is None, "opening the link does nothing"
    assert (change.outcome, change.stopped_by) == (DelegateChangeOutcome.STOPPED, CONTACT)
    assert not User.objects.speaking_for(agency).exists()


def test_link_for_another_change_stops_nothing(
    agency: Organization, outsider: User, expert: User, client: Client
) -> None:
    change, other = prove(agency, outsider), prove(agency, expert, "hostmaster@books.example")
    word = build_delegate_stop_url(other, CONTACT).rstrip("/").rpartition("/")[2]

    answer = client.post(f"{change.get_absolute_url()}stop/{word}/", {"comment": "No."})

    change.refresh_from_db()
    assert (answer.status_code, change.ended_at) == (404, None)


@pytest.mark.parametrize("who", ["outsider", "expert", "standards_body"])
def test_only_a_registrar_without_a_part_confirms_the_domain(
    who: str,
    agency: Organization,
    outsider: User,
    registrar: User,
    request: pytest.FixtureRequest,
) -> None:
    change = prove(agency, outsider)

    with expect_refusal("not_registrar"):
        delegate_changes.confirm_claim_source(change, SOURCE, actor=request.getfixturevalue(who))

    change.refresh_from_db()
    assert change.source == ""


def test_registrar_is_told_each_week_until_the_domain_is_confirmed(
    agency: Organization, outsider: User, registrar: User
) -> None:
    prove(agency, outsider)

    for day in (0, 3, 8, 16):
        tick_after(day)

    told = Letter.objects.filter(event__verb="remind_claim").values_list("address", flat=True)
    assert list(told) == [registrar.email] * 3


def test_proof_for_one_request_waits_like_any_other(agency: Organization, outsider: User) -> None:
    change = prove(agency, outsider)

    proof = Proof.objects.get()
    assert (proof.effective_at, change.takes_effect_at is not None) == (None, True)


# If somebody acts for it already


def test_claim_waits_a_week_and_needs_no_registrar_where_there_is_a_delegate(
    agency: Organization, delegate: User, outsider: User
) -> None:
    prove(agency, outsider)

    tick_after(6)
    early = list(User.objects.speaking_for(agency))
    tick_after(7)

    assert early == [delegate]
    assert set(User.objects.speaking_for(agency)) == {delegate, outsider}


def test_naming_a_delegate_takes_a_code_and_a_week(
    agency: Organization, delegate: User, outsider: User
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=delegate)
    assert isinstance(change, DelegateChange)
    tick_after(1)
    silent = change.takes_effect_at

    delegate_changes.confirm_delegate_change(change, change.code, actor=delegate)
    told = set(
        Letter.objects.filter(key__startswith="delegate-change:").values_list("address", flat=True)
    )
    tick_after(6)
    early = list(User.objects.speaking_for(agency))
    tick_after(7)

    assert silent is None
    assert told == {CONTACT, delegate.email, outsider.email}
    assert early == [delegate]
    assert set(User.objects.speaking_for(agency)) == {delegate, outsider}
    assert Event.objects.filter(verb="name_delegate").count() == 1


def test_first_naming_by_an_administrator_waits_as_a_first_claim_does(
    agency: Organization, outsider: User, administrator: User, registrar: User, sign_in: SignIn
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=administrator)
    assert isinstance(change, DelegateChange)
    with expect_refusal("no_source_needed"):
        delegate_changes.confirm_claim_source(change, SOURCE, actor=registrar)
    delegate_changes.confirm_delegate_change(change, change.code, actor=administrator)
    tick_after(29)
    unconfirmed = list(User.objects.speaking_for(agency))

    page = sign_in(registrar).get(change.get_absolute_url())
    delegate_changes.confirm_claim_source(change, SOURCE, actor=registrar)
    tick_after(27)
    early = list(User.objects.speaking_for(agency))
    tick_after(28)

    assert 'value="confirm_source"' in page.text
    assert [unconfirmed, early] == [[], []]
    assert list(User.objects.speaking_for(agency)) == [outsider]
    assert Event.objects.get(verb="confirm_delegate").data["source"] == SOURCE


def test_first_naming_is_announced_in_public_without_a_name(
    agency: Organization, outsider: User, administrator: User, client: Client
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=administrator)
    assert isinstance(change, DelegateChange)
    before = client.get("/api/v1/namespaces/isbn/holder/").json()["claims"]

    delegate_changes.confirm_delegate_change(change, change.code, actor=administrator)

    page = text_of(client.get("/namespaces/isbn/"))
    assert before == []
    assert "proved" not in page
    assert "Olaf Outsider" not in page
    told = Event.objects.get(verb="announce_first_delegate")
    assert (told.namespace, "domain" in told.data) == (Namespace.objects.get(), False)
    assert "Olaf" not in str(told.data)
    listed = client.get("/api/v1/namespaces/isbn/holder/").json()["claims"]
    assert [(each["domain"], each["needs_source"]) for each in listed] == [("", True)]


def test_list_hears_of_a_first_naming_and_of_no_later_one(
    agency: Organization, outsider: User, administrator: User, settings: Settings
) -> None:
    settings.REGISTRY_LIST_ADDRESS = "urn@lists.example"
    first = delegates.name_delegate(agency, outsider.email, actor=administrator)
    assert isinstance(first, DelegateChange)
    delegate_changes.confirm_delegate_change(first, first.code, actor=administrator)
    told = Letter.objects.filter(address="urn@lists.example").count()
    let_speak_for(agency, outsider)
    other = UserFactory.create()
    later = delegates.name_delegate(agency, other.email, actor=administrator)
    assert isinstance(later, DelegateChange)
    delegate_changes.confirm_delegate_change(later, later.code, actor=administrator)

    assert told == 1
    assert Letter.objects.filter(address="urn@lists.example").count() == 1


def test_reminder_of_a_first_naming_speaks_of_no_domain(
    agency: Organization, outsider: User, administrator: User, registrar: User
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=administrator)
    assert isinstance(change, DelegateChange)
    delegate_changes.confirm_delegate_change(change, change.code, actor=administrator)

    tick_after(8)

    letter = Letter.objects.filter(event__verb="remind_first_delegate").latest("pk")
    assert letter.address == registrar.email
    assert "domain" not in letter.text
    assert change.get_absolute_url() in letter.text
    assert not Event.objects.filter(verb="remind_claim").exists()


def test_first_is_first_though_the_last_delegate_left_only_after_it_was_asked(
    agency: Organization, delegate: User, outsider: User, administrator: User
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=administrator)
    assert isinstance(change, DelegateChange)
    delegates.remove_delegate(agency, delegate, actor=delegate, knows_last=True)
    delegate_changes.confirm_delegate_change(change, change.code, actor=administrator)
    tick_after(29)

    change.refresh_from_db()
    assert change.needs_source
    assert not User.objects.speaking_for(agency).exists()


def test_delegate_to_be_taken_off_stops_it(
    agency: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(agency, outsider)
    change = delegates.remove_delegate(agency, outsider, actor=delegate, knows_last=False)
    assert change
    delegate_changes.confirm_delegate_change(change, change.code, actor=delegate)

    delegate_changes.stop_delegate_change(change, actor=outsider, by="Olaf", reason="Why?")
    tick_after(8)

    assert set(User.objects.speaking_for(agency)) == {delegate, outsider}


def test_change_lapses_where_whoever_asked_acts_for_it_no_more(
    agency: Organization, delegate: User, outsider: User
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=delegate)
    assert isinstance(change, DelegateChange)
    delegate_changes.confirm_delegate_change(change, change.code, actor=delegate)
    end_speaking_for(agency)

    tick_after(8)

    change.refresh_from_db()
    assert change.outcome == DelegateChangeOutcome.LAPSED
    assert not User.objects.speaking_for(agency).exists()


def test_code_is_for_whoever_asked_and_not_to_be_guessed(
    agency: Organization, delegate: User, outsider: User
) -> None:
    change = delegates.name_delegate(agency, outsider.email, actor=delegate)
    assert isinstance(change, DelegateChange)

    with expect_refusal("not_asker"):
        delegate_changes.confirm_delegate_change(change, change.code, actor=outsider)
    for _try in range(MAX_CODE_ATTEMPTS):
        with expect_refusal("wrong_code"):
            delegate_changes.confirm_delegate_change(change, "WRONGONE", actor=delegate)
    with expect_refusal("too_many_attempts"):
        delegate_changes.confirm_delegate_change(change, change.code, actor=delegate)

    change.refresh_from_db()
    assert change.confirmed_at is None


def test_leaving_is_at_once(agency: Organization, delegate: User, outsider: User) -> None:
    let_speak_for(agency, outsider)

    change = delegates.remove_delegate(agency, outsider, actor=outsider, knows_last=False)

    assert change is None
    assert list(User.objects.speaking_for(agency)) == [delegate]


def test_programs_name_confirm_and_stop(
    agency: Organization, delegate: User, outsider: User, expert: User
) -> None:
    program, base = Program.of(delegate), f"/api/v1/organizations/{agency.pk}/"

    def write(who: Program, path: str, **said: object) -> tuple[int, str | None]:
        answer = who.client.post(base + path, said, JSON)
        return answer.status_code, answer.json().get("outcome")

    named = program.client.post(f"{base}delegates/", {"address": outsider.email}, JSON)
    change = DelegateChange.objects.get()
    path = f"changes/{change.pk}/act/"

    assert (named.status_code, named.json()["needs_code"]) == (202, True)
    assert write(program, path, act="confirm", code="WRONGONE")[0] == 409
    assert write(program, path, act="confirm", code=change.code) == (200, None)
    assert write(Program.of(expert), path, act="stop", comment="No.")[0] == 404
    assert write(Program.of(outsider), path, act="stop", comment="Not me.") == (200, "stopped")
    assert [each["outcome"] for each in program.client.get(f"{base}changes/").json()] == ["stopped"]


def test_registrar_confirms_the_domain_on_the_page_of_the_claim(
    agency: Organization, outsider: User, registrar: User, sign_in: SignIn
) -> None:
    change = prove(agency, outsider)
    browser = sign_in(registrar)
    assert change.get_absolute_url() in browser.get(agency.get_absolute_url()).content.decode()

    browser.post(change.get_absolute_url(), {"act": "confirm_source", "comment": SOURCE})

    change.refresh_from_db()
    assert (change.source, change.source_by) == (SOURCE, registrar)


def test_nobody_else_finds_the_page_of_a_change(
    agency: Organization, outsider: User, expert: User, sign_in: SignIn
) -> None:
    change = prove(agency, outsider)

    assert sign_in(outsider).get(change.get_absolute_url()).status_code == 200
    assert sign_in(expert).get(change.get_absolute_url()).status_code == 404


# What proves it


@pytest.mark.parametrize("address", ["desk@books.example", "hostmaster@books.example"])
def test_published_contact_and_the_offices_of_the_domain_prove_it(
    address: str, agency: Organization, outsider: User
) -> None:
    assert prove(agency, outsider, address).confirmed_at


@pytest.mark.parametrize("address", ["intern@books.example", "desk@elsewhere.example"])
def test_no_other_address_proves_who_acts_for_a_holder(
    address: str, agency: Organization, outsider: User
) -> None:
    with expect_refusal("other_address"):
        prove(agency, outsider, address)

    assert not Proof.objects.exists()


def test_address_at_a_public_domain_proves_nothing_even_as_the_contact(
    agency: Organization, outsider: User
) -> None:
    Namespace.objects.update(contact="Desk, bookdesk@gmail.com")

    with expect_refusal("public_mail"):
        prove(agency, outsider, "bookdesk@gmail.com")
    plain = OrganizationFactory.create(website="https://gmx.de/")
    with expect_refusal("public_mail"):
        organization_proofs.request_proof(
            plain, outsider, ProofMethod.MAIL, address="somebody@gmx.de"
        )

    assert [gives_addresses_to_public(each) for each in ("mx.gmail.com", "books.example")] == [
        True,
        False,
    ]


def test_contact_proves_it_where_no_website_is_known(
    agency: Organization, outsider: User, sign_in: SignIn
) -> None:
    Organization.objects.update(website="")

    page = text_of(sign_in(outsider).get(f"/organizations/{agency.pk}/prove/"))

    assert CONTACT in page
    change = prove(agency, outsider, CONTACT)
    assert change.proof is not None
    assert change.proof.domain == "books.example"


# A proof expires


@pytest.fixture
def proved(agency: Organization, delegate: User, outsider: User) -> Proof:
    """A proof by which somebody has come to act for the body."""
    prove(agency, outsider)
    tick_after(8)
    proof = Proof.objects.get()
    assert proof.effective_at
    return proof


def test_proof_lapses_after_a_year_and_is_asked_for_anew_before(
    proved: Proof, agency: Organization, delegate: User, outsider: User
) -> None:
    tick_after(330)
    early = Letter.objects.filter(key__startswith="proof-renewal:").count()
    tick_after(345)
    asked = [each.address for each in Letter.objects.filter(key__startswith="proof-renewal:")]
    held = outsider in User.objects.speaking_for(agency)
    tick_after(400)

    assert (early, asked, held) == (0, [outsider.email], True)
    assert list(User.objects.speaking_for(agency)) == [delegate]
    told = Letter.objects.filter(event__verb="lapse_proof").values_list("address", flat=True)
    assert set(told) == {outsider.email, delegate.email}


def test_another_proof_renews_it_at_once(
    proved: Proof, agency: Organization, outsider: User
) -> None:
    with expect_refusal("already_delegate"):
        organization_proofs.request_proof(agency, outsider, ProofMethod.DNS)
    with time_machine.travel(timezone.now() + datetime.timedelta(350), tick=False):
        scheduler.tick()
        again = organization_proofs.request_proof(
            agency, outsider, ProofMethod.MAIL, address=CONTACT
        )
        organization_proofs.confirm_proof(again, again.secret)

    tick_after(500)

    again.refresh_from_db()
    assert again.effective_at
    assert outsider in User.objects.speaking_for(agency)


def test_nobody_loses_a_proof_without_having_been_asked(
    proved: Proof, agency: Organization, outsider: User
) -> None:
    """The scheduler did not run for two years."""
    tick_after(700)

    assert outsider in User.objects.speaking_for(agency)
    tick_after(731)
    assert outsider not in User.objects.speaking_for(agency)


def test_delegates_who_were_named_do_not_lapse(agency: Organization, delegate: User) -> None:
    tick_after(2_000)

    assert list(User.objects.speaking_for(agency)) == [delegate]
