"""Pages and API say that a request is not the holder's, and accept the holder's consent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry import workflow
from registry.enums import (
    ChangeKind,
    RequestPath,
    State,
)
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors import holder_consent
from registry.workflow import drafts
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    let_speak_for,
)
from tests.small_changes import send
from tests.template.samples import REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
HOLDER = "Book Number Agency"
NOT_BY_HOLDER = str(holder_consent.NOT_BY_HOLDER)


@pytest.fixture
def agency(db: None) -> Organization:
    return OrganizationFactory.create(name=HOLDER)


@pytest.fixture
def seedbank(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="seedbank",
        registrant=agency,
        contact="Old desk",
        references=["RFC 3187"],
        last_known_version="1",
    )


@pytest.fixture
def revision(
    seedbank: Namespace, organization: Organization, registrant: User, expert: User
) -> RegistrationRequest:
    """A revision by strangers, taken by an expert."""
    begun = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Books",
        namespace=seedbank,
    )
    draft = begun.draft
    assert draft is not None
    drafts.save_draft(draft, REVISION.to_dict(), seen=draft.edition)
    workflow.perform(begun, "submit", actor=registrant)
    workflow.perform(begun, "assign", actor=expert)
    return begun


@pytest.fixture
def contact(
    seedbank: Namespace, registrant: User, organization: Organization
) -> RegistrationRequest:
    """A change of contact by strangers."""
    return send(seedbank, ChangeKind.CONTACT, registrant, organization)


def test_pages_of_the_request_warn_of_missing_consent_from_the_first_round(
    revision: RegistrationRequest,
    agency: Organization,
    client: Client,
    expert: User,
    registrar: User,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    slug = revision.slug
    public = [f"/requests/{slug}/{part}" for part in ("", "template/", "history/")]
    pages = [client.get(address) for address in public]
    pages += [
        sign_in(expert).get(f"/review/{slug}/"),
        sign_in(registrar).get(f"/publish/{slug}/"),
        sign_in(standards_body).get(f"/direction/{slug}/"),
    ]

    for page in pages:
        missing = page.context["missing_word"]
        assert str(missing.label) == NOT_BY_HOLDER
        assert str(agency) in missing.words
        assert NOT_BY_HOLDER in text_of(page)
        assert missing.words in text_of(page)
    assert NOT_BY_HOLDER in text_of(sign_in(expert).get("/review/"))


def test_list_of_the_registrar_warns_of_missing_consent(
    contact: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    assert NOT_BY_HOLDER in text_of(sign_in(registrar).get("/publish/"))


def test_warning_is_absent_for_a_new_namespace_and_with_consent(
    sent: RegistrationRequest,
    contact: RegistrationRequest,
    agency: Organization,
    registrant: User,
    client: Client,
) -> None:
    let_speak_for(agency, registrant)

    pages = [client.get(f"/requests/{each.slug}/") for each in (sent, contact)]

    assert [NOT_BY_HOLDER in text_of(page) for page in pages] == [False, False]


def test_expert_cannot_approve_without_consent(
    revision: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = {"verb": "approve", "seen": revision.revision, "comment": "Sound."}

    page = sign_in(expert).post(f"/review/{revision.slug}/", form)

    revision.refresh_from_db()
    assert page.context["missing_word"].words in text_of(page)
    assert revision.state == State.IN_REVIEW


def test_api_says_whose_consent_is_missing_and_until_when(
    contact: RegistrationRequest, registrar: User
) -> None:
    anybody = Program(Client())
    before = anybody.get(f"{contact.slug}/").json()["missing_holder_word"]

    Program.of(registrar).take(contact.slug, "verify_holder", comment="A letter of 3 May.")

    assert before.startswith(HOLDER)
    assert anybody.get(f"{contact.slug}/").json()["missing_holder_word"] is None


def test_api_registers_nothing_without_consent_and_records_it(
    contact: RegistrationRequest, seedbank: Namespace, registrar: User, outsider: User
) -> None:
    program, slug = Program.of(registrar), contact.slug
    verbs = {each["verb"]: each for each in program.get(f"{slug}/").json()["verbs"]}
    said = {"proof": "I saw it.", "confirmation": "seedbank"}

    refused = program.take(slug, "register", **said)
    stranger = Program.of(outsider).take(slug, "verify_holder", comment="It is so.")
    silent = program.take(slug, "verify_holder")
    recorded = program.take(slug, "verify_holder", comment="A letter of 3 May.")
    done = program.take(slug, "register", **said)

    assert verbs["register"]["obstacle"].startswith(HOLDER)
    assert [each["name"] for each in verbs["verify_holder"]["asks"]] == ["comment"]
    assert [refused.status_code, stranger.status_code, silent.status_code] == [409, 403, 400]
    assert [recorded.status_code, done.status_code] == [200, 200]
    seedbank.refresh_from_db()
    assert seedbank.contact != "Old desk"


def agree(program: Program, body: Organization, **said: object) -> Any:
    """Return the response to consenting to a request."""
    return program.client.post(f"/api/v1/organizations/{body.pk}/agree/", said, JSON)


def test_delegate_consents_by_the_api_for_the_round_they_read(
    revision: RegistrationRequest, agency: Organization, outsider: User, expert: User
) -> None:
    let_speak_for(agency, outsider)
    asked = {"request": revision.slug}

    unread = agree(Program.of(outsider), agency, **asked)
    other = agree(Program.of(outsider), agency, **asked, round=2)
    stranger = agree(Program.of(expert), agency, **asked, round=1)
    agreed = agree(Program.of(outsider), agency, **asked, round=1)
    workflow.perform(revision, "approve", actor=expert, comment="Sound.")

    assert [unread.status_code, other.status_code, stranger.status_code] == [400, 412, 409]
    assert agreed.status_code == 201
    assert revision.state == State.APPROVED


def test_delegate_consents_on_the_page_for_the_round_they_read(
    revision: RegistrationRequest,
    agency: Organization,
    outsider: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    let_speak_for(agency, outsider)
    browser = sign_in(outsider)
    address = f"/organizations/{agency.pk}/prove/?request={revision.slug}"
    assert address in browser.get(f"/requests/{revision.slug}/").content.decode()
    assert "Support round 1 of" in text_of(browser.get(address))

    stale = browser.post(address, {"agree": "2"}, follow=True)
    odd = browser.post(address, {"agree": "yes"})
    between = text_of(client.get(f"/requests/{revision.slug}/"))
    browser.post(address, {"agree": "1"})

    assert [each.level_tag for each in stale.context["messages"]] == ["error"]
    assert odd.status_code == 400
    assert NOT_BY_HOLDER in between
    assert NOT_BY_HOLDER not in text_of(client.get(f"/requests/{revision.slug}/"))


def test_missing_consent_is_a_ground_to_return_a_revision(
    revision: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    RegistrationRequest.objects.filter(pk=revision.pk).update(state=State.APPROVED)
    revision.refresh_from_db()
    form = {"verb": "request_changes", "seen": revision.revision, "comment": "Who?"}

    sign_in(registrar).post(f"/publish/{revision.slug}/", form)

    revision.refresh_from_db()
    assert revision.state == State.CHANGES_REQUESTED
