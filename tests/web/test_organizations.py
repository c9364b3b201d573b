"""The page of an organization, its delegates, and proving to act for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import organization_proofs
from registry.enums import ChangeKind, ProofMethod
from registry.models import (
    DelegateChange,
    Event,
    Letter,
    Namespace,
    Organization,
    Proof,
    RegistrationRequest,
    User,
)
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RegistrantFactory,
    RequestFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.notifications.conftest import work
from tests.servers import NameServer
from tests.small_changes import bring_second_officer, confirm_words, send, take_up_claims
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
DOMAIN = "northlight.example"


@pytest.fixture
def body(organization: Organization) -> Organization:
    """An organization with a website, a delegate and a namespace."""
    NamespaceFactory.create(nid="accession", registrant=organization)
    organization.website = f"https://{DOMAIN}/"
    organization.save()
    let_speak_for(organization, UserFactory.create(name="Dag Delegate", email="dag@people.example"))
    return organization


@pytest.fixture
def delegate(body: Organization) -> User:
    return User.objects.speaking_for(body).get()


# The public page


def test_page_says_what_an_organization_holds_and_asks_for(
    client: Client, body: Organization, in_review: RegistrationRequest
) -> None:
    NamespaceFactory.create(nid="another")
    RequestFactory.create(organization=body, nid="secretdraft")

    page = client.get(body.get_absolute_url())

    assert [each.nid for each in page.context["namespaces"]] == ["accession"]
    assert [each.reference for each, _turn in page.context["rows"]] == [in_review.reference]
    assert "secretdraft" not in text_of(page)
    assert f'href="https://{DOMAIN}/"' in page.content.decode()


def test_recognition_is_shown_with_where_it_is_recorded(client: Client, body: Organization) -> None:
    assert "Not recognised" in text_of(client.get(body.get_absolute_url()))

    body.recognised_on, body.recognition_source = timezone.localdate(), "Minutes of 3 May"
    body.save()

    page = text_of(client.get(body.get_absolute_url()))
    assert "Not recognised" not in page
    assert body.recognition_source in page


def test_names_of_delegates_are_for_delegates_and_the_registrar(
    client: Client,
    sign_in: SignIn,
    body: Organization,
    delegate: User,
    request: pytest.FixtureRequest,
) -> None:
    browsers = {"nobody": client, "delegate": sign_in(delegate)}
    for who in ("outsider", "expert", "lead", "standards_body", "registrar", "administrator"):
        browsers[who] = sign_in(request.getfixturevalue(who))

    told = {
        who
        for who, browser in browsers.items()
        if "Dag Delegate" in text_of(browser.get(body.get_absolute_url()))
    }
    answers = {
        who: browser.get(f"/organizations/{body.pk}/delegates/").status_code
        for who, browser in browsers.items()
    }

    assert told == {"delegate", "registrar", "administrator"}
    assert {who for who, status in answers.items() if status == 200} == told
    assert answers["nobody"] == 302
    assert "1 delegate" in text_of(client.get(body.get_absolute_url()))


def test_proofs_of_delegates_are_public_without_their_names(
    client: Client, body: Organization, outsider: User
) -> None:
    proof = organization_proofs.request_proof(
        body, outsider, ProofMethod.MAIL, address=f"postmaster@{DOMAIN}"
    )
    organization_proofs.confirm_proof(proof, proof.secret)
    assert DOMAIN not in " ".join(map(str, client.get(body.get_absolute_url()).context["ways"]))
    take_up_claims(UserFactory.create(roles=["registrar"]))

    response = client.get(body.get_absolute_url())

    ways, page = [str(way) for way in response.context["ways"]], text_of(response)
    assert sorted(DOMAIN in way for way in ways) == [False, True]
    assert all(way in page for way in ways)
    assert "Olaf Outsider" not in page
    assert f"postmaster@{DOMAIN}" not in page


def test_page_makes_no_more_queries_for_more_rows(client: Client, body: Organization) -> None:
    def fill(count: int) -> None:
        for _number in range(count):
            NamespaceFactory.create(registrant=body)
            let_speak_for(body, UserFactory.create())
            RequestFactory.create(organization=body, state="withdrawn").rounds.update(
                submitted_at=timezone.now(), sha256="0"
            )

    fill(1)
    with CaptureQueriesContext(connection) as few:
        client.get(body.get_absolute_url())
    fill(5)
    with CaptureQueriesContext(connection) as many:
        client.get(body.get_absolute_url())

    assert len(many) == len(few)


def test_organizations_are_found_by_words_of_their_name(client: Client, body: Organization) -> None:
    RegistrantFactory.create(name="Southlight Archive")

    found = client.get("/organizations/", {"q": "vault northlight"})

    assert [each.name for each in found.context["page"]] == [body.name]
    assert len(client.get("/organizations/").context["page"].object_list) == 2
    unknown = client.get("/organizations/", {"q": "nobody"})
    assert list(unknown.context["page"]) == []
    assert 'class="empty"' in unknown.content.decode()


# Delegates


def test_delegate_names_another_and_a_second_click_does_nothing_more(
    sign_in: SignIn, body: Organization, delegate: User, outsider: User
) -> None:
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/delegates/"

    answers = [browser.post(page, {"address": outsider.email}) for _click in "12"]
    change = DelegateChange.objects.get()
    browser.post(change.get_absolute_url(), {"act": "confirm", "code": change.code})
    take_up_claims(UserFactory.create(roles=["registrar"]))

    assert set(User.objects.speaking_for(body)) == {delegate, outsider}
    assert [answer["Location"] for answer in answers] == [change.get_absolute_url()] * 2
    assert Event.objects.filter(verb="name_delegate").count() == 1


@pytest.mark.parametrize(
    ("address", "code"),
    [("", "required"), ("nobody", "invalid"), ("nobody@people.example", None)],
)
def test_address_that_names_nobody_is_refused_and_kept(
    sign_in: SignIn, body: Organization, delegate: User, address: str, code: str | None
) -> None:
    answer = sign_in(delegate).post(f"/organizations/{body.pk}/delegates/", {"address": address})

    assert error_codes(answer, "address") == [code]
    assert not DelegateChange.objects.exists()
    assert answer.context["form"]["address"].value() == address


def test_registrar_sees_delegates_and_names_none(
    sign_in: SignIn, body: Organization, registrar: User, outsider: User
) -> None:
    browser, page = sign_in(registrar), f"/organizations/{body.pk}/delegates/"
    assert 'name="address"' not in browser.get(page).content.decode()

    answer = browser.post(page, {"address": outsider.email})

    assert answer.status_code == 403
    assert not DelegateChange.objects.exists()
    assert outsider not in User.objects.speaking_for(body)


def test_last_delegate_is_removed_after_a_warning(
    sign_in: SignIn, body: Organization, delegate: User
) -> None:
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/delegates/{delegate.pk}/remove/"
    assert 'name="last"' in browser.get(page).content.decode()

    answers = [browser.post(page, {"last": "1"}) for _click in "12"]

    assert list(User.objects.speaking_for(body)) == []
    assert [answer["Location"] for answer in answers] == [body.get_absolute_url()] * 2
    assert Event.objects.filter(verb="remove_delegate").count() == 1


def test_delegate_is_removed_once_by_two_clicks(
    sign_in: SignIn, body: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(body, outsider)
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/delegates/{outsider.pk}/remove/"

    answers = [browser.post(page) for _click in "12"]
    change = DelegateChange.objects.get()
    browser.post(change.get_absolute_url(), {"act": "confirm", "code": change.code})
    take_up_claims(UserFactory.create(roles=["registrar"]))

    assert list(User.objects.speaking_for(body)) == [delegate]
    assert [answer["Location"] for answer in answers] == [change.get_absolute_url()] * 2


@pytest.mark.parametrize("method", ["get", "post"])
def test_removal_of_somebody_who_never_acted_for_it_names_nobody(
    method: str, sign_in: SignIn, body: Organization, delegate: User, outsider: User
) -> None:
    browser, beyond = sign_in(delegate), outsider.pk + 1_000

    theirs, nobodys = (
        getattr(browser, method)(f"/organizations/{body.pk}/delegates/{key}/remove/", follow=True)
        for key in (outsider.pk, beyond)
    )

    assert theirs.status_code == nobodys.status_code == 404
    assert outsider.name not in text_of(theirs)
    assert outsider.name not in text_of(browser.get(f"/organizations/{body.pk}/"))


def test_removal_of_somebody_who_became_the_last_is_refused_once(
    sign_in: SignIn, body: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(body, outsider)
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/delegates/{delegate.pk}/remove/"
    assert 'name="last"' not in browser.get(page).content.decode()
    end_speaking_for(body, outsider)

    answer = browser.post(page)

    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()
    assert 'name="last"' in answer.content.decode()
    assert list(User.objects.speaking_for(body)) == [delegate]


def test_delegate_is_removed_by_delegates_alone(
    sign_in: SignIn, body: Organization, delegate: User, outsider: User, registrar: User
) -> None:
    page = f"/organizations/{body.pk}/delegates/{delegate.pk}/remove/"

    for person in (outsider, registrar):
        answer = sign_in(person).post(page, {"last": "1"})
        assert answer.status_code == 403

    assert list(User.objects.speaking_for(body)) == [delegate]


# The website


def test_website_is_entered_by_the_registrar_with_its_source(
    sign_in: SignIn, organization: Organization, registrar: User
) -> None:
    NamespaceFactory.create(registrant=organization)
    browser, page = sign_in(registrar), f"/organizations/{organization.pk}/website/"

    silent = browser.post(page, {"website": "northlight.example", "seen": ""})
    browser.post(page, {"website": "northlight.example", "source": "Statutes", "seen": ""})
    late = browser.post(page, {"website": "https://late.example/", "seen": ""})

    organization.refresh_from_db()
    assert list(silent.context["form"].errors) == ["website"]
    assert organization.website == "https://northlight.example"
    assert organization.website_source == "Statutes"
    (error,) = late.context["form"].errors["website"]
    assert organization.website in error


def test_website_is_entered_by_nobody_else(
    sign_in: SignIn, body: Organization, delegate: User, expert: User
) -> None:
    for person in (delegate, expert):
        answer = sign_in(person).post(
            f"/organizations/{body.pk}/website/", {"website": "https://mine.example/"}
        )

        assert answer.status_code == 403

    assert Organization.objects.get(pk=body.pk).website == body.website


# Proofs


def begin(browser: Client, body: Organization, method: str, **posted: str) -> Proof:
    """Ask to act for the organization, and return the proof to give."""
    page = f"/organizations/{body.pk}/prove/"
    answer = browser.post(page, {"method": method, "address": "", **posted})
    proof = Proof.objects.latest("pk")
    assert answer.headers["Location"] == f"{page}{proof.pk}/"
    return proof


def test_letter_is_confirmed_by_opening_its_link_and_pressing_the_button(
    sign_in: SignIn, body: Organization, outsider: User
) -> None:
    browser = sign_in(outsider)
    proof = begin(browser, body, "mail", address=f"postmaster@{DOMAIN}")
    link = f"/organizations/{body.pk}/prove/{proof.pk}/{proof.secret}/"
    waiting = browser.get(f"/organizations/{body.pk}/prove/{proof.pk}/")
    assert f"postmaster@{DOMAIN}" in text_of(waiting)
    assert link in Letter.objects.get().text

    browser.get(link)
    assert not DelegateChange.objects.exists()
    answers = [browser.post(link) for _click in "12"]
    assert outsider not in User.objects.speaking_for(body)
    claim = DelegateChange.objects.get()
    take_up_claims(UserFactory.create(roles=["registrar"]))

    assert outsider in User.objects.speaking_for(body)
    assert [answer["Location"] for answer in answers] == [claim.get_absolute_url()] * 2


def test_secret_of_a_letter_is_not_on_the_page(
    sign_in: SignIn, body: Organization, outsider: User
) -> None:
    browser = sign_in(outsider)
    proof = begin(browser, body, "mail", address=f"postmaster@{DOMAIN}")

    page = browser.get(f"/organizations/{body.pk}/prove/{proof.pk}/").content.decode()

    assert proof.secret not in page


def test_record_is_looked_for_when_the_button_is_pressed(
    sign_in: SignIn, body: Organization, outsider: User, settings: Settings
) -> None:
    browser = sign_in(outsider)
    proof = begin(browser, body, "dns")
    page = f"/organizations/{body.pk}/prove/{proof.pk}/"
    name, value = f"_urn-registry.{DOMAIN}", f"urn-registry-proof={proof.secret}"
    with NameServer() as names:
        settings.REGISTRY_NAMESERVERS = [names.address]

        shown = text_of(browser.get(page))
        assert names.asked == []
        browser.post(page)
        work()
        missing = browser.get(page)
        names.say(name, "TXT", [f'"{value}"'])
        browser.post(page)
        work()
        found = browser.get(page)

    assert name in shown
    assert value in shown
    assert f"no TXT record at {name}" in text_of(missing)
    assert found["Location"] == DelegateChange.objects.get().get_absolute_url()
    take_up_claims(UserFactory.create(roles=["registrar"]))
    assert outsider in User.objects.speaking_for(body)


def test_proof_of_one_person_is_not_found_by_others(
    client: Client,
    sign_in: SignIn,
    body: Organization,
    outsider: User,
    registrar: User,
    delegate: User,
) -> None:
    proof = begin(sign_in(outsider), body, "mail", address=f"postmaster@{DOMAIN}")
    page = f"/organizations/{body.pk}/prove/{proof.pk}/"
    for person in (registrar, delegate):
        for address in (page, f"{page}{proof.secret}/"):
            assert sign_in(person).get(address).status_code == 404
            assert sign_in(person).post(address).status_code == 404

    assert client.post(f"{page}{proof.secret}/").status_code == 302
    assert outsider not in User.objects.speaking_for(body)
    assert sign_in(outsider).get(page).status_code == 200


@pytest.mark.parametrize(
    ("posted", "field", "code"),
    [
        ({}, "method", "required"),
        ({"method": "word"}, "method", "invalid_choice"),
        ({"method": "mail"}, "address", "required"),
        ({"method": "mail", "address": "x"}, "address", "invalid"),
        ({"method": "mail", "address": "a@b.example"}, NON_FIELD_ERRORS, None),
    ],
)
def test_proof_that_cannot_be_given_is_refused_beside_its_field(
    sign_in: SignIn,
    body: Organization,
    outsider: User,
    posted: dict[str, str],
    field: str,
    code: str | None,
) -> None:
    answer = sign_in(outsider).post(f"/organizations/{body.pk}/prove/", {"address": "", **posted})

    assert list(answer.context["form"].errors) == [field]
    assert error_codes(answer, field) == [code]
    assert answer.context["form"]["address"].value() == posted.get("address", "")
    assert Proof.objects.count() == 0


def test_organization_without_a_website_cannot_be_proved(
    sign_in: SignIn, organization: Organization, outsider: User
) -> None:
    NamespaceFactory.create(registrant=organization)

    page = text_of(sign_in(outsider).get(f"/organizations/{organization.pk}/prove/"))

    assert "does not know its website" in page
    assert "Ask the registrar" in page


def test_delegate_of_the_holder_supports_a_transfer_and_it_is_registered(
    sign_in: SignIn, body: Organization, delegate: User, registrant: User, registrar: User
) -> None:
    namespace = Namespace.objects.get(nid="accession")
    heir = OrganizationFactory.create(name="Southlight Archive")
    let_speak_for(heir, registrant)
    transfer = send(namespace, ChangeKind.TRANSFER, registrant, heir)
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/prove/?request={transfer.slug}"
    assert 'name="agree" value="1"' in browser.get(page).content.decode()

    answer = browser.post(page, {"agree": "1"})
    bring_second_officer(transfer)
    confirm_words(transfer)
    workflow.perform(transfer, "register", actor=registrar)

    assert answer["Location"] == reverse("requests:word", args=[transfer.slug])
    namespace.refresh_from_db()
    assert namespace.registrant == heir


def test_draft_of_others_cannot_be_asked_about(
    sign_in: SignIn, body: Organization, outsider: User, draft: RegistrationRequest
) -> None:
    page = f"/organizations/{body.pk}/prove/?request={draft.slug}"

    assert sign_in(outsider).get(page).status_code == 404
