"""The page of an organization, its delegates, and proving to act for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import html

from registry.models import (
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RegistrantFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
    record_website,
)
from tests.web.pages import error_codes, rows_of, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
DOMAIN = "northlight.example"


@pytest.fixture
def body(organization: Organization) -> Organization:
    """An organization with a website, a delegate and a namespace."""
    NamespaceFactory.create(nid="accession", registrant=organization)
    record_website(organization, f"https://{DOMAIN}/")
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


def test_names_of_delegates_are_for_delegates_and_officers(
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

    assert told == {"delegate", "registrar", "standards_body"}
    assert {who for who, status in answers.items() if status == 200} == told
    assert answers["nobody"] == 302
    assert "1 delegate" in text_of(client.get(body.get_absolute_url()))


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


def test_list_of_organizations_has_their_namespaces_in_the_order_of_their_names(
    client: Client,
) -> None:
    for name, nids in (("CNR", ["lex"]), ("CableLabs", ["cablelabs", "dpn"])):
        holder = OrganizationFactory.create(name=name)
        for nid in nids:
            NamespaceFactory.create(nid=nid, registrant=holder)

    rows = rows_of(client.get("/organizations/"))

    assert rows == [["CableLabs", "cablelabs, dpn"], ["CNR", "lex"]]


# Delegates


def test_delegate_names_another_and_a_second_click_does_nothing_more(
    sign_in: SignIn, body: Organization, delegate: User, outsider: User
) -> None:
    browser, page = sign_in(delegate), f"/organizations/{body.pk}/delegates/"
    for _click in range(2):
        browser.post(page, {"act": "name", "address": outsider.email})

    assert outsider.name in text_of(browser.get(page))
    assert body.speakers.filter(person=outsider).count() == 1


def test_address_that_names_nobody_is_refused_and_kept(
    sign_in: SignIn, body: Organization, delegate: User
) -> None:
    form = {"act": "name", "address": "nobody@people.example"}

    answer = sign_in(delegate).post(f"/organizations/{body.pk}/delegates/", form)

    assert "There is no account" in text_of(answer)
    assert "nobody@people.example" in answer.content.decode()


def test_forms_of_delegates_carry_the_token_that_they_are_refused_without(
    body: Organization, delegate: User
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(delegate)

    for address in (f"/organizations/{body.pk}/delegates/", body.speakers.get().get_absolute_url()):
        form = html.fromstring(browser.get(address).content).xpath("//main//form[.//@name='act']")[
            0
        ]
        answer = browser.post(address, dict(form.form_values()))

        assert answer.status_code != 403, address


def test_registrar_sees_delegates_and_names_none(
    sign_in: SignIn, body: Organization, registrar: User, outsider: User
) -> None:
    form = {"act": "name", "address": outsider.email}

    answer = sign_in(registrar).post(f"/organizations/{body.pk}/delegates/", form)

    assert answer.status_code == 403
    assert not body.speakers.filter(person=outsider).exists()


def test_last_delegate_is_warned_before_they_leave(
    sign_in: SignIn, body: Organization, delegate: User
) -> None:
    row, browser = body.speakers.get(), sign_in(delegate)

    page = text_of(browser.get(row.get_absolute_url()))
    browser.post(row.get_absolute_url(), {"act": "end"})

    assert "has no other representative" in page
    assert not User.objects.speaking_for(body)


# Proofs


def begin(browser: Client, body: Organization, method: str, **posted: str) -> Speaker:
    """Ask to act for the organization, and return the proof to give."""
    page = f"/organizations/{body.pk}/prove/"
    answer = browser.post(page, {"method": method, "address": "", **posted})
    proof = Speaker.objects.latest("pk")
    assert answer.headers["Location"] == f"{page}{proof.pk}/"
    return proof


def test_secret_of_a_letter_is_not_on_the_page(
    sign_in: SignIn, body: Organization, outsider: User
) -> None:
    browser = sign_in(outsider)
    proof = begin(browser, body, "mail", address=f"postmaster@{DOMAIN}")

    page = browser.get(f"/organizations/{body.pk}/prove/{proof.pk}/").content.decode()

    assert proof.secret not in page


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
    assert not Speaker.objects.filter(person=outsider).exists()


def test_organization_without_a_website_cannot_be_proved(
    sign_in: SignIn, organization: Organization, outsider: User
) -> None:
    NamespaceFactory.create(registrant=organization)

    page = text_of(sign_in(outsider).get(f"/organizations/{organization.pk}/prove/"))

    assert "Nothing can prove it by a domain" in page
    assert "Write to the registrar" in page
