"""Who acts for an organization is proved by what only it can do with its domain."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import organization_proofs
from registry.enums import ProofMethod
from registry.errors import RegistryError
from registry.models import Event, Letter, Organization, Proof, RegistrationRequest, User
from registry.selectors.holder_consent import NOT_BY_HOLDER
from registry.workflow.drafts import list_consents
from tests.actions.conftest import (
    DOMAIN,
    last_letter,
    link_in,
)
from tests.api.clients import JSON, Program
from tests.factories import (
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.notifications.conftest import work
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.servers import NameServer, leading, saying, web_server
from tests.small_changes import confirm_words, take_up_claims
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

LONG = datetime.timedelta(days=15)


def by_mail(body: Organization, person: User, address: str = f"desk@{DOMAIN}") -> Proof:
    return organization_proofs.request_proof(body, person, ProofMethod.MAIL, address=address)


def by_names(body: Organization, person: User) -> Proof:
    return organization_proofs.request_proof(body, person, ProofMethod.DNS)


def record_at(names: NameServer, *values: str) -> None:
    """Give the organization's zone these TXT records."""
    names.say(f"_urn-registry.{DOMAIN}", "TXT", [f'"{value}"' for value in values])


def refusal_code(proof: Proof) -> str:
    """Return why a proof is not found."""
    with pytest.raises(RegistryError) as refusal:
        organization_proofs.check_proof(proof)
    return refusal.value.code


def proved() -> Event:
    """Return the journal's event about the proof."""
    return Event.objects.get(verb="prove")


# By a letter


def test_link_of_a_letter_to_the_domain_makes_a_delegate(
    body: Organization, outsider: User
) -> None:
    proof = by_mail(body, outsider)
    assert (last_letter().address, list(User.objects.speaking_for(body))) == (f"desk@{DOMAIN}", [])

    organization_proofs.confirm_proof(proof, link_in(last_letter()).rstrip("/").rpartition("/")[2])

    assert list(User.objects.speaking_for(body)) == [outsider]
    assert proved().actor == outsider
    assert proved().subject == str(body)
    assert proved().data["method"] == "mail"
    assert proved().data["domain"] == DOMAIN


def test_secrets_and_mailboxes_do_not_stand_in_the_journal(
    body: Organization, outsider: User
) -> None:
    proof = by_mail(body, outsider)

    organization_proofs.confirm_proof(proof, proof.secret)

    assert proof.secret not in str(proved().data)
    assert "desk@" not in str(proved().data)


@pytest.mark.parametrize(
    "address",
    [
        "desk@elsewhere.example",
        "desk@northlight.example.elsewhere.example",
        "desk@people.northlight.example",
        f"desk@{DOMAIN}@elsewhere.example",
        "",
    ],
)
def test_letter_goes_to_no_other_domain(body: Organization, outsider: User, address: str) -> None:
    with expect_refusal("other_domain"):
        by_mail(body, outsider, address)

    assert Letter.objects.count() == 0


def test_wrong_link_proves_nothing(body: Organization, outsider: User) -> None:
    proof = by_mail(body, outsider)

    with expect_refusal("wrong_link"):
        organization_proofs.confirm_proof(proof, "guessed")

    assert list(User.objects.speaking_for(body)) == []


def test_secret_of_a_record_is_no_link(body: Organization, outsider: User) -> None:
    proof = by_names(body, outsider)

    with expect_refusal("wrong_link"):
        organization_proofs.confirm_proof(proof, proof.secret)


def test_asking_twice_writes_one_letter(body: Organization, outsider: User) -> None:
    first, second = by_mail(body, outsider), by_mail(body, outsider)

    assert first == second
    assert Letter.objects.count() == 1


def test_nobody_has_many_letters_written(body: Organization, outsider: User) -> None:
    for number in range(5):
        by_mail(body, outsider, f"desk{number}@{DOMAIN}")

    with expect_refusal("limit_reached"):
        by_mail(body, outsider, f"last@{DOMAIN}")

    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        by_mail(body, outsider, f"last@{DOMAIN}")


def test_no_mailbox_is_written_to_often_by_many(body: Organization) -> None:
    for _person in range(5):
        by_mail(body, UserFactory.create())

    with expect_refusal("limit_reached"):
        by_mail(body, UserFactory.create())


# By a record of the name servers


def test_record_of_the_domain_makes_a_delegate(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)
    record_at(names, "v=spf1 -all", f"urn-registry-proof={proof.secret}")

    organization_proofs.check_proof(proof)

    assert list(User.objects.speaking_for(body)) == [outsider]
    assert proved().data["found"].endswith(f" _urn-registry.{DOMAIN}")


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


def test_record_of_one_organization_serves_no_other(
    body: Organization, outsider: User, names: NameServer
) -> None:
    other = OrganizationFactory.create(website=f"https://{DOMAIN}/")
    record_at(names, f"urn-registry-proof={by_names(body, outsider).secret}")

    assert refusal_code(by_names(other, outsider)) == "other_record"


def test_proof_is_looked_for_only_so_often(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)
    for _attempt in range(organization_proofs.MAX_PROOF_ATTEMPTS):
        organization_proofs.request_proof_check(proof)
        work()
    record_at(names, f"urn-registry-proof={proof.secret}")
    asked = len(names.asked)

    with expect_refusal("too_many_attempts"):
        organization_proofs.request_proof_check(proof)
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
    assert found.redirect_chain[-1][0] == f"/organizations/{body.pk}/"
    assert list(User.objects.speaking_for(body)) == [outsider]


def test_nothing_is_looked_for_on_behalf_of_an_account_switched_off(
    body: Organization, outsider: User, names: NameServer
) -> None:
    organization_proofs.request_proof_check(by_names(body, outsider))
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
    assert (told["is_pending"], told["proved_at"]) == (False, None)
    assert told["looked_at"] is not None
    assert f"_urn-registry.{DOMAIN}" in told["finding"]


# By a file


def test_file_on_the_site_makes_a_delegate(
    body: Organization, outsider: User, names: NameServer, settings: Settings
) -> None:
    proof = organization_proofs.request_proof(body, outsider, ProofMethod.FILE)

    with web_server(saying(f"{proof.secret}\r\n".encode())) as server:
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/.well-known/proof.txt"
        organization_proofs.check_proof(proof)

    assert list(User.objects.speaking_for(body)) == [outsider]
    assert server.asked == [(f"www.{DOMAIN}:{server.port}", "/.well-known/proof.txt")]
    assert f" http://www.{DOMAIN}:" in proved().data["found"]


def test_file_is_asked_for_over_https_at_a_well_known_address(settings: Settings) -> None:
    assert settings.REGISTRY_PROOF_FILE == ("https://{domain}/.well-known/urn-registry-proof.txt")


def test_file_on_another_site_proves_nothing(
    body: Organization, outsider: User, names: NameServer, settings: Settings
) -> None:
    names.say("elsewhere.example", "A", ["127.0.0.1"])
    proof = organization_proofs.request_proof(body, outsider, ProofMethod.FILE)

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
    proof = organization_proofs.request_proof(body, outsider, ProofMethod.FILE)

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
    proof = organization_proofs.request_proof(body, outsider, ProofMethod.FILE)

    with web_server(saying(body_of_file, status)) as server:
        settings.REGISTRY_PROOF_FILE = f"http://{{domain}}:{server.port}/"
        assert refusal_code(proof) == code


# Of any kind


def test_domain_is_that_of_the_website(body: Organization) -> None:
    found = {}
    for website in (
        "https://www.northlight.example/about/",
        "https://seeds.northlight.example",
        "https://BÖJAR.example:8443/",
        "https://192.0.2.1/",
        "https://localhost/",
        "https://www.example/",
        "",
    ):
        body.website = website
        found[website] = (
            organization_proofs.find_website_domain(body),
            organization_proofs.find_website_host(body),
        )

    assert found == {
        "https://www.northlight.example/about/": (DOMAIN, f"www.{DOMAIN}"),
        "https://seeds.northlight.example": ("seeds.northlight.example",) * 2,
        "https://BÖJAR.example:8443/": ("xn--bjar-5qa.example",) * 2,
        "https://192.0.2.1/": ("", ""),
        "https://localhost/": ("", ""),
        "https://www.example/": ("www.example", "www.example"),
        "": ("", ""),
    }


@pytest.mark.parametrize("method", [ProofMethod.MAIL, ProofMethod.DNS, ProofMethod.FILE])
def test_registrar_is_named_without_a_website(
    organization: Organization, outsider: User, method: ProofMethod
) -> None:
    with expect_refusal("no_website"):
        organization_proofs.request_proof(organization, outsider, method, address=f"desk@{DOMAIN}")


def test_proof_has_its_time(body: Organization, outsider: User, names: NameServer) -> None:
    proof, letter = by_names(body, outsider), by_mail(body, outsider)
    record_at(names, f"urn-registry-proof={proof.secret}")

    with time_machine.travel(timezone.now() + LONG):
        assert refusal_code(proof) == "expired"
        with expect_refusal("expired"):
            organization_proofs.confirm_proof(letter, letter.secret)
        assert by_names(body, outsider) != proof

    assert list(User.objects.speaking_for(body)) == []


def test_proof_ends_with_the_website_it_was_asked_for(
    body: Organization, outsider: User, names: NameServer
) -> None:
    proof = by_names(body, outsider)
    record_at(names, f"urn-registry-proof={proof.secret}")

    body.website = "https://elsewhere.example/"
    body.save()

    assert refusal_code(Proof.objects.get(pk=proof.pk)) == "website_changed"


def test_proof_given_twice_counts_once(body: Organization, outsider: User) -> None:
    proof = by_mail(body, outsider)

    for _click in range(2):
        organization_proofs.confirm_proof(proof, proof.secret)

    assert Event.objects.filter(verb="prove").count() == 1


def test_proof_does_not_bring_back_who_was_taken_off(body: Organization, outsider: User) -> None:
    proof = by_mail(body, outsider)
    organization_proofs.confirm_proof(proof, proof.secret)
    end_speaking_for(body, outsider)

    with expect_refusal("used"):
        organization_proofs.confirm_proof(proof, proof.secret)

    assert list(User.objects.speaking_for(body)) == []


def test_delegates_there_were_are_told(body: Organization, outsider: User) -> None:
    let_speak_for(body, UserFactory.create(email="dag@people.example"))

    proof = by_mail(body, outsider)
    organization_proofs.confirm_proof(proof, proof.secret)

    told = Letter.objects.filter(event=proved()).values_list("address", flat=True)
    assert list(told) == ["dag@people.example"]


def test_only_confirmed_addresses_ask(body: Organization) -> None:
    newcomer = UserFactory.create(confirmed=False)

    with expect_refusal("address_unconfirmed"):
        by_names(body, newcomer)


def test_delegate_need_not_prove(body: Organization, outsider: User) -> None:
    let_speak_for(body, outsider)

    with expect_refusal("already_delegate"):
        by_names(body, outsider)


# For one request


def test_transfer_is_backed_by_both_sides_once_the_holder_has_proved_it(
    transfer: RegistrationRequest, body: Organization, outsider: User, registrar: User
) -> None:
    with expect_refusal("may_be_published"):
        workflow.perform(transfer, "register", actor=registrar, references=["A deed"], comment="")
    assert list_obstacle_labels(transfer) == [NOT_BY_HOLDER]

    proof = organization_proofs.request_proof(
        body,
        outsider,
        ProofMethod.MAIL,
        address=f"postmaster@{DOMAIN}",
        registration_request=transfer,
    )
    organization_proofs.confirm_proof(proof, proof.secret)
    take_up_claims(registrar)
    confirm_words(transfer)

    assert [each.is_given for each in list_consents(transfer)] == [True, True]
    assert list(User.objects.speaking_for(body)) == []
    assert list(transfer.events.filter(verb="prove")) == [proved()]


def test_delegate_of_the_holder_stands_behind_a_transfer_by_their_word(
    transfer: RegistrationRequest, body: Organization, outsider: User
) -> None:
    let_speak_for(body, outsider)

    for _click in range(2):
        organization_proofs.give_consent(body, transfer, actor=outsider)
    confirm_words(transfer)

    assert [each.is_given for each in list_consents(transfer)] == [True, True]
    assert proved().data["method"] == ProofMethod.WORD


def test_nobody_else_gives_their_word(
    transfer: RegistrationRequest, body: Organization, outsider: User
) -> None:
    with expect_refusal("not_representative"):
        organization_proofs.give_consent(body, transfer, actor=outsider)


def test_proof_for_a_request_is_of_an_organization_that_the_request_waits_for(
    transfer: RegistrationRequest,
    in_review: RegistrationRequest,
    body: Organization,
    outsider: User,
) -> None:
    stranger = OrganizationFactory.create(website=f"https://{DOMAIN}/")

    for organization, asked in ((stranger, transfer), (body, in_review)):
        with expect_refusal("consent_not_needed"):
            organization_proofs.request_proof(
                organization, outsider, ProofMethod.DNS, registration_request=asked
            )


def test_proof_for_a_request_ends_with_it(
    transfer: RegistrationRequest, body: Organization, outsider: User, registrant: User
) -> None:
    proof = organization_proofs.request_proof(
        body,
        outsider,
        ProofMethod.MAIL,
        address=f"postmaster@{DOMAIN}",
        registration_request=transfer,
    )

    workflow.perform(transfer, "withdraw", actor=registrant)

    with expect_refusal("consent_not_needed"):
        organization_proofs.confirm_proof(Proof.objects.get(pk=proof.pk), proof.secret)
