"""Who acts for an organization is proved by what only it can do with its domain."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.actions import domain_proofs, speakers
from registry.enums import SpeakerBasis, SpeakerEnd, SpeakerState
from registry.errors import RegistryError
from registry.models import Letter, Namespace, Organization, Speaker, User
from tests.actions.conftest import DOMAIN, last_letter, link_in
from tests.api.clients import JSON, Program
from tests.factories import (
    UserFactory,
    let_speak_for,
    record_website,
)
from tests.notifications.conftest import work
from tests.refusals import expect_refusal
from tests.servers import NameServer, leading, rdap_server, saying, web_server
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

LONG = datetime.timedelta(days=15)


def by_mail(body: Organization, person: User, address: str = f"postmaster@{DOMAIN}") -> Speaker:
    return domain_proofs.request_proof(body, person, SpeakerBasis.MAIL, address=address)


def by_names(body: Organization, person: User) -> Speaker:
    return domain_proofs.request_proof(body, person, SpeakerBasis.DNS)


def record_at(names: NameServer, *values: str) -> None:
    """Give the organization's zone these TXT records."""
    names.say(f"_urn-registry.{DOMAIN}", "TXT", [f'"{value}"' for value in values])


def refusal_code(proof: Speaker) -> str:
    """Return why a proof is not found."""
    with pytest.raises(RegistryError) as refusal:
        domain_proofs.check_proof(proof)
    return refusal.value.code


@pytest.mark.parametrize("address", [f"hostmaster@{DOMAIN}", f"postmaster@{DOMAIN}"])
def test_link_of_a_letter_to_the_domain_proves_it_by_its_button_alone(
    body: Organization, outsider: User, sign_in: Callable[[User], Client], address: str
) -> None:
    by_mail(body, outsider, address)
    assert last_letter().address == address

    sign_in(outsider).get(link_in(last_letter()))
    assert list(User.objects.speaking_for(body)) == []

    sign_in(outsider).post(link_in(last_letter()))
    work()
    assert list(User.objects.speaking_for(body)) == [outsider]


@pytest.mark.parametrize("address", ["desk@elsewhere.example", f"desk@{DOMAIN}", ""])
def test_letter_goes_to_no_other_address(body: Organization, outsider: User, address: str) -> None:
    with expect_refusal("other_address"):
        by_mail(body, outsider, address)


def test_letter_to_the_published_contact_proves_it_and_to_an_earlier_one_does_not(
    body: Organization, held: Namespace, outsider: User
) -> None:
    held.contact = "urn@northlight.example"
    held.save()
    assert by_mail(body, outsider, "urn@northlight.example").address == "urn@northlight.example"
    held.contact = ""
    held.save()

    with expect_refusal("other_address"):
        by_mail(body, UserFactory.create(), "urn@northlight.example")


def test_letter_to_a_public_mail_provider_proves_nothing(
    body: Organization, held: Namespace, outsider: User
) -> None:
    held.contact = "northlight@gmail.com"
    held.save()

    with expect_refusal("other_address"):
        by_mail(body, outsider, "northlight@gmail.com")


UNFIT_WEBSITES = {
    "an address": "https://192.0.2.1/",
    "one label": "https://intranet/",
    "a shared host": "https://northlight.github.io/",
    "a page at a public host": "https://sites.google.com/view/northlight",
}


@pytest.mark.parametrize("website", UNFIT_WEBSITES.values(), ids=UNFIT_WEBSITES)
def test_website_at_a_shared_or_public_host_proves_nothing(
    body: Organization, outsider: User, website: str
) -> None:
    record_website(body, website)

    with expect_refusal("no_website"):
        by_names(body, outsider)


def test_website_counts_once_it_is_recorded_with_its_source_and_countersigned(
    body: Organization, held: Namespace, outsider: User, registrar: User
) -> None:
    body.evidence = []
    body.save()
    with expect_refusal("no_website"):
        by_names(body, outsider)
    record_website(body, body.website, recorded_by=registrar.pk)
    with expect_refusal("no_website"):
        by_names(body, outsider)

    record_website(body, body.website)

    assert by_names(body, outsider).domain == DOMAIN


@pytest.mark.parametrize(
    ("registered_on", "since"), [("2005", "2006-01-01"), ("2005-03", "2005-04-01")]
)
def test_domain_registered_anew_since_the_entry_was_made_proves_nothing(
    body: Organization, held: Namespace, outsider: User, registered_on: str, since: str
) -> None:
    held.registered_on = registered_on
    held.save()
    record_website(body, body.website, "2005-03-01")
    assert domain_proofs.find_website_domain(body) == DOMAIN

    record_website(body, body.website, since)

    with expect_refusal("no_website"):
        by_names(body, outsider)


@pytest.fixture
def rdap(names: NameServer, settings: Settings) -> Iterator[dict[str, object]]:
    """What the registry of `.example` says of each domain."""
    with rdap_server(settings, names) as known:
        yield known


def answer_letter(proof: Speaker) -> str:
    """Confirm a proof with the secret of its letter; return what was found instead."""
    domain_proofs.confirm_proof(proof, proof.secret)
    work()
    proof.refresh_from_db()
    return proof.finding


@pytest.mark.parametrize(
    ("registered", "speaks"),
    [("1999-03-30", True), ("1999-03-31", True), ("1999-04-01", False), ("2024-05-03", False)],
)
def test_domain_that_its_registry_registered_after_it_became_theirs_proves_nothing(
    body: Organization,
    outsider: User,
    expert: User,
    names: NameServer,
    rdap: dict[str, object],
    registered: str,
    speaks: bool,
) -> None:
    rdap[DOMAIN] = registered
    proof, letter = by_names(body, outsider), by_mail(body, expert)
    record_at(names, f"urn-registry-proof={proof.secret}")

    if speaks:
        domain_proofs.check_proof(proof)
        assert answer_letter(letter) == ""
    else:
        assert refusal_code(proof) == "registered_anew"
        assert registered in answer_letter(letter)

    shown = {each.person for each in body.speakers.exclude(state=SpeakerState.ASKED)}
    assert shown == ({outsider, expert} if speaks else set())
    assert not any(each.awaits_countersign for each in body.speakers.all())


@pytest.mark.parametrize(
    ("entered", "registered", "speaks"),
    [("2005", "2005-12-31", True), ("2005", "2006-01-01", False), ("", "1999-01-01", False)],
)
def test_domain_of_the_published_contact_is_as_old_as_the_entry(
    body: Organization,
    held: Namespace,
    outsider: User,
    rdap: dict[str, object],
    entered: str,
    registered: str,
    speaks: bool,
) -> None:
    held.registered_on, held.contact = entered, "urn@elsewhere.example"
    held.save()
    rdap["elsewhere.example"] = registered

    answer_letter(by_mail(body, outsider, held.contact))

    assert body.speakers.filter(state=SpeakerState.WAITING).exists() == speaks


NO_DAYS: dict[str, object] = {
    "nothing": None,
    "another domain": {"ldhName": "example", "events": []},
    "no registration": {"ldhName": DOMAIN, "events": [{"eventAction": "expiration"}]},
    "no events": {"ldhName": DOMAIN},
    "no day": {
        "ldhName": DOMAIN,
        "events": [{"eventAction": "registration", "eventDate": "long ago"}],
    },
}


@pytest.mark.parametrize("answer", NO_DAYS.values(), ids=NO_DAYS)
def test_proof_waits_for_an_officer_where_nobody_says_when_the_domain_was_registered(
    body: Organization,
    outsider: User,
    registrar: User,
    rdap: dict[str, object],
    answer: object,
) -> None:
    rdap[DOMAIN] = answer
    proof = by_mail(body, outsider)
    answer_letter(proof)
    assert (proof.awaits_countersign, *User.objects.speaking_for(body)) == (True,)
    assert Letter.objects.filter(recipient=registrar, event__verb="record_speaker").exists()

    speakers.countersign_speaker(proof, actor=registrar)

    assert list(User.objects.speaking_for(body)) == [outsider]


def test_officer_ends_a_proof_that_they_cannot_confirm(
    body: Organization, outsider: User, registrar: User, rdap: dict[str, object]
) -> None:
    proof = by_mail(body, outsider)
    with expect_refusal("not_delegate"):
        speakers.end_speaking(proof, actor=registrar)
    answer_letter(proof)

    speakers.end_speaking(proof, actor=registrar)

    proof.refresh_from_db()
    assert (proof.state, proof.end) == (SpeakerState.ENDED, SpeakerEnd.LAPSED)


def test_domain_registered_again_is_as_old_as_that(
    body: Organization, outsider: User, rdap: dict[str, object]
) -> None:
    actions = {"registration": "1998-01-01", "reregistration": "2024-05-03", "transfer": "2025"}
    events = [
        {"eventAction": action, "eventDate": f"{day}T00:00:00Z"} for action, day in actions.items()
    ]
    rdap[DOMAIN] = {"ldhName": DOMAIN, "events": events}

    assert "2024-05-03" in answer_letter(by_mail(body, outsider))


def test_proof_waits_for_an_officer_where_no_server_knows_the_domain(
    body: Organization, outsider: User, rdap: dict[str, object]
) -> None:
    record_website(body, "https://books.test/")
    rdap["books.test"] = "1998-01-01"
    proof = by_mail(body, outsider, "postmaster@books.test")

    answer_letter(proof)

    assert (proof.awaits_countersign, "No server of .test" in proof.evidence) == (True, True)


def test_wrong_link_proves_nothing(body: Organization, outsider: User) -> None:
    proof = by_mail(body, outsider)

    with expect_refusal("wrong_link"):
        domain_proofs.confirm_proof(proof, "guessed")

    assert list(User.objects.speaking_for(body)) == []


def test_secret_of_a_record_is_no_link(body: Organization, outsider: User) -> None:
    proof = by_names(body, outsider)

    with expect_refusal("wrong_link"):
        domain_proofs.confirm_proof(proof, proof.secret)


def test_record_of_the_domain_makes_a_delegate(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)
    record_at(names, "v=spf1 -all", f"urn-registry-proof={proof.secret}")

    domain_proofs.check_proof(proof)

    assert list(User.objects.speaking_for(body)) == [outsider]
    proof.refresh_from_db()
    assert proof.evidence.endswith(f" _urn-registry.{DOMAIN}")


def test_nothing_is_asked_of_anybody_before_the_button_is_pressed(
    body: Organization, outsider: User, names: NameServer
) -> None:
    by_names(body, outsider)

    assert names.asked == []


def test_record_that_is_not_there_or_says_something_else_proves_nothing(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)

    assert refusal_code(proof) == "no_record"
    record_at(names, "urn-registry-proof=other")
    assert refusal_code(proof) == "other_record"
    record_at(names, proof.secret)
    assert refusal_code(proof) == "other_record"
    assert list(User.objects.speaking_for(body)) == []


def test_record_of_one_person_serves_no_other(
    body: Organization, outsider: User, expert: User, names: NameServer
) -> None:
    record_at(names, f"urn-registry-proof={by_names(body, outsider).secret}")

    assert refusal_code(by_names(body, expert)) == "other_record"


def test_proof_is_looked_for_only_so_often(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)
    for _attempt in range(domain_proofs.MAX_PROOF_ATTEMPTS):
        domain_proofs.request_proof_check(proof)
        work()
    record_at(names, f"urn-registry-proof={proof.secret}")
    asked = len(names.asked)

    with expect_refusal("too_many_attempts"):
        domain_proofs.request_proof_check(proof)
    work()
    assert len(names.asked) == asked


def test_name_servers_are_asked_by_the_worker_and_the_page_shows_what_they_said(
    body: Organization, outsider: User, names: NameServer, sign_in: Callable[[User], Client]
) -> None:
    proof, browser = by_names(body, outsider), sign_in(outsider)
    page = f"/organizations/{body.pk}/prove/{proof.pk}/"

    pressed = browser.post(page, follow=True)
    asked_by_the_page = list(names.asked)
    waiting = browser.get(page, headers={"hx-request": "true"})
    work()
    over = browser.get(page, headers={"hx-request": "true"})
    browser.get(page)
    proof.refresh_from_db()
    record_at(names, f"urn-registry-proof={proof.secret}")
    browser.post(page)
    work()
    found = browser.get(page, follow=True)

    assert asked_by_the_page == []
    assert "We are checking." in text_of(pressed)
    assert "Check now" not in text_of(pressed)
    assert (waiting.status_code, over.headers["HX-Refresh"]) == (204, "true")
    assert f"_urn-registry.{DOMAIN}" in proof.finding
    assert found.redirect_chain[-1][0] == proof.get_absolute_url()
    assert list(User.objects.speaking_for(body)) == [outsider]


def test_nothing_is_looked_for_on_behalf_of_an_account_switched_off(
    body: Organization, outsider: User, names: NameServer
) -> None:
    domain_proofs.request_proof_check(by_names(body, outsider))
    User.objects.filter(pk=outsider.pk).update(is_active=False)

    work()

    assert names.asked == []


def test_program_is_told_where_the_finding_will_stand(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof, client = by_names(body, outsider), Program.of(outsider).client

    asked = client.post(f"/api/v1/proofs/{proof.pk}/look/", {}, JSON)
    place = asked.headers["Location"]
    work()
    told = client.get(place).json()

    assert (asked.status_code, asked.json()["is_pending"], names.asked != []) == (202, True, True)
    assert place == f"http://testserver/api/v1/proofs/{proof.pk}/"
    assert (told["is_pending"], told["state"]) == (False, "asked")
    assert told["looked_at"] is not None
    assert f"_urn-registry.{DOMAIN}" in told["finding"]


def test_file_on_the_site_makes_a_delegate(
    body: Organization, outsider: User, names: NameServer, settings: Settings
) -> None:
    proof = domain_proofs.request_proof(body, outsider, SpeakerBasis.FILE)

    with web_server(saying(f"{proof.secret}\r\n".encode())) as server:
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/.well-known/proof.txt"
        domain_proofs.check_proof(proof)

    assert list(User.objects.speaking_for(body)) == [outsider]
    assert server.asked == [(f"www.{DOMAIN}:{server.port}", "/.well-known/proof.txt")]
    proof.refresh_from_db()
    assert f" http://www.{DOMAIN}:" in proof.evidence


def test_file_is_asked_for_over_https_at_a_well_known_address(settings: Settings) -> None:
    assert settings.REGISTRY_PROOF_FILE == ("https://{domain}/.well-known/urn-registry-proof.txt")


def test_file_on_another_site_proves_nothing(
    body: Organization, outsider: User, names: NameServer, settings: Settings
) -> None:
    names.say("elsewhere.example", "A", ["127.0.0.1"])
    proof = domain_proofs.request_proof(body, outsider, SpeakerBasis.FILE)

    with (
        web_server(saying(proof.secret.encode())) as other,
        web_server(leading(f"http://elsewhere.example:{other.port}/")) as server,
    ):
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/"
        assert refusal_code(proof) == "other_site"

    assert len(other.asked) == 1


def test_site_that_leads_to_our_own_network_is_not_followed(
    body: Organization, outsider: User, names: NameServer, settings: Settings
) -> None:
    proof = domain_proofs.request_proof(body, outsider, SpeakerBasis.FILE)

    with (
        web_server(saying(proof.secret.encode()), "127.0.0.2") as secret,
        web_server(leading(f"http://127.0.0.2:{secret.port}/")) as server,
    ):
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/"
        assert refusal_code(proof) == "private_address"

    assert secret.asked == []


@pytest.mark.parametrize(
    ("status", "body_of_file", "code"),
    [(404, b"", "no_file"), (200, b"<p>Welcome</p>", "other_file")],
)
def test_file_that_is_not_there_or_says_something_else_proves_nothing(
    body: Organization,
    outsider: User,
    names: NameServer,
    settings: Settings,
    status: int,
    body_of_file: bytes,
    code: str,
) -> None:
    proof = domain_proofs.request_proof(body, outsider, SpeakerBasis.FILE)

    with web_server(saying(body_of_file, status)) as server:
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/"
        assert refusal_code(proof) == code


def test_proof_has_its_time(body: Organization, outsider: User, names: NameServer) -> None:
    proof, letter = by_names(body, outsider), by_mail(body, outsider)
    record_at(names, f"urn-registry-proof={proof.secret}")

    with time_machine.travel(timezone.now() + LONG):
        assert refusal_code(proof) == "expired"
        with expect_refusal("expired"):
            domain_proofs.confirm_proof(letter, letter.secret)
        assert by_names(body, outsider) != proof

    assert list(User.objects.speaking_for(body)) == []


def test_only_confirmed_addresses_ask(body: Organization) -> None:
    newcomer = UserFactory.create(confirmed=False)

    with expect_refusal("address_unconfirmed"):
        by_names(body, newcomer)


def test_delegate_need_not_prove(body: Organization, outsider: User) -> None:
    let_speak_for(body, outsider)

    with expect_refusal("already_delegate"):
        by_names(body, outsider)


def test_asking_twice_writes_one_letter(body: Organization, outsider: User) -> None:
    first, second = by_mail(body, outsider), by_mail(body, outsider)

    assert first == second
    assert Letter.objects.count() == 1
