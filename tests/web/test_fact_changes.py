"""Writing a change of facts: before and after, and nothing typed is ever lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from registry import workflow
from registry.enums import ChangeKind, State
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import (
    PASSWORD,
    NamespaceFactory,
    OrganizationFactory,
    let_speak_for,
)
from tests.small_changes import ASKED, begin, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
AUTOSAVE = {"X-Autosave": "1"}
NEW_DESK = "Identifier desk, urn@northlight.example"


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(
        nid="seedbank", registrant=organization, contact="Old desk", references=["RFC 3187"]
    )


@pytest.fixture
def contact(namespace: Namespace, registrant: User) -> RegistrationRequest:
    """A change of contact, requested by a delegate and not yet sent."""
    return begin(namespace, ChangeKind.CONTACT, registrant)


def address(registration_request: RegistrationRequest) -> str:
    return reverse("requests:facts", args=[registration_request.slug])


def edition(registration_request: RegistrationRequest) -> int:
    return registration_request.rounds.get(submitted_at__isnull=True).edition


def facts(registration_request: RegistrationRequest) -> dict[str, Any]:
    return dict(registration_request.rounds.latest("number").facts)


TYPED: dict[ChangeKind, dict[str, str]] = {
    ChangeKind.CONTACT: {"contact": NEW_DESK},
    ChangeKind.REFERENCE: {"references": "Accession names,  edition 2\r\n\r\nRFC 8141\nRFC 8141\n"},
    ChangeKind.TRANSFER: ASKED[ChangeKind.TRANSFER],
    ChangeKind.STATUS: ASKED[ChangeKind.STATUS],
}


@pytest.mark.parametrize("change", list(TYPED))
def test_each_change_has_its_own_questions_and_keeps_the_answers(
    change: ChangeKind, namespace: Namespace, registrant: User, sign_in: SignIn
) -> None:
    heir = OrganizationFactory.create(name="Southlight Seed Trust")
    body = heir if change == ChangeKind.TRANSFER else None
    begun = begin(namespace, change, registrant, body, contact="x")
    browser = sign_in(registrant)
    fields = set(browser.get(address(begun)).context["form"].fields)

    browser.post(address(begun), {"seen": edition(begun), **TYPED[change]})

    assert fields == {"seen", *TYPED[change]}
    assert {name: facts(begun)[name] for name in TYPED[change]} == ASKED[change]


def test_page_shows_what_holds_beside_what_is_asked_for(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    page = sign_in(registrant).get(address(contact))

    (difference,) = page.context["asked"].differences
    assert (difference.label, [row.text for row in difference.rows]) == ("Contact", [NEW_DESK])
    assert "Old desk" in text_of(page)
    (backing,) = page.context["asked"].backings
    assert (backing.party.organization, backing.is_given) == (contact.organization, False)


def test_checks_follow_what_is_typed(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    typed = {"seen": edition(contact), "contact": "Old desk"}

    part = sign_in(registrant).post(address(contact), typed, headers={"HX-Request": "true"})

    assert [each.check for each in part.context["asked"].findings] == [
        "facts.contact-address",
        "facts.same-contact",
    ]
    assert "Nothing so far." in text_of(part)
    assert facts(contact) == ASKED[ChangeKind.CONTACT]


def test_eleven_pages_of_the_editor_lead_to_the_one_page_of_facts(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    browser = sign_in(registrant)
    slug = contact.slug

    answers = [
        browser.get(f"/requests/{slug}/{place}/")
        for place in ("edit/identifier", "edit/syntax", "paste", "preview")
    ]

    assert [answer.headers.get("Location") for answer in answers] == [address(contact)] * 4


def test_request_for_a_text_has_no_page_of_facts(
    draft: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    response = sign_in(registrant).get(address(draft))

    assert response.status_code == 404
    assert "facts" not in draft.change


def test_nobody_else_finds_the_draft(
    contact: RegistrationRequest, outsider: User, registrar: User, sign_in: SignIn
) -> None:
    codes = [sign_in(who).get(address(contact)).status_code for who in (outsider, registrar)]

    assert codes == [404, 404]
    assert sign_in(contact.author).get(address(contact)).status_code == 200


def test_autosave_answers_in_data(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    browser = sign_in(registrant)
    seen = edition(contact)

    saved = browser.post(
        address(contact), {"seen": seen, "contact": "Desk, a@b.example"}, headers=AUTOSAVE
    )
    refused = browser.post(
        address(contact), {"seen": seen + 1, "contact": "Desk\x07"}, headers=AUTOSAVE
    )

    assert (saved.status_code, saved.json()["seen"]) == (200, seen + 1)
    assert refused.status_code == 422
    assert "U+0007" in refused.json()["message"]
    assert facts(contact)["contact"] == "Desk, a@b.example"


def test_second_of_two_writers_reads_both_and_chooses(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    browser, seen = sign_in(registrant), edition(contact)
    draft = contact.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "Desk of another"}, seen=seen)

    typed = {"seen": seen, "contact": "Desk of mine", "go": "next"}
    told = browser.post(address(contact), typed)
    mine = {"seen": told.context["form"]["seen"].value(), "contact": "Desk of mine"}
    after_reading = facts(contact)["contact"]
    browser.post(address(contact), mine)

    assert told.status_code == 409
    assert "Desk of another" in text_of(told)
    assert (after_reading, facts(contact)["contact"]) == ("Desk of another", "Desk of mine")


def test_overtaken_autosave_keeps_the_text_for_the_comparison(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    browser, seen = sign_in(registrant), edition(contact)
    draft = contact.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "Desk of another"}, seen=seen)

    answer = browser.post(
        address(contact), {"seen": seen, "contact": "Desk of mine"}, headers=AUTOSAVE
    )
    compared = browser.get(answer.json()["compare"])

    assert (answer.status_code, compared.status_code) == (409, 409)
    assert "Desk of mine" in compared.content.decode()
    browser.post(address(contact), {"theirs": "1"})
    assert browser.get(address(contact)).context["form"]["contact"].value() == "Desk of another"


def test_text_survives_signing_in(
    contact: RegistrationRequest, registrant: User, client: Client
) -> None:
    typed = {"seen": edition(contact), "contact": "Typed too early"}
    answer = client.post(address(contact), typed)
    client.post(answer.headers["Location"], {"login": registrant.email, "password": PASSWORD})

    page = client.get(address(contact))

    assert 'name="theirs"' in page.content.decode()
    assert page.context["form"]["contact"].value() == "Typed too early"
    assert facts(contact)["contact"] == NEW_DESK


def test_text_typed_while_it_was_sent_is_given_back(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    typed = {"seen": edition(contact), "contact": "Too late"}
    workflow.perform(contact, "submit", actor=registrant)
    browser = sign_in(registrant)

    posted, read = browser.post(address(contact), typed), browser.get(address(contact))

    assert posted.status_code == 409
    assert "Too late" in posted.content.decode()
    assert read.headers["Location"] == contact.get_absolute_url()
    assert facts(contact)["contact"] == NEW_DESK


@pytest.mark.parametrize(
    ("references", "error"),
    [
        ("x" * 301, "has more than 300 characters. Shorten it."),
        ("\n".join(map(str, range(31))), "There are 31 documents; 30 is the most."),
    ],
)
def test_references_that_cannot_be_kept_are_pointed_at(
    references: str, error: str, namespace: Namespace, registrant: User, sign_in: SignIn
) -> None:
    begun = begin(namespace, ChangeKind.REFERENCE, registrant)

    page = sign_in(registrant).post(
        address(begun), {"seen": edition(begun), "references": references}
    )

    assert error in page.context["form"].errors["references"][0]
    assert page.context["form"]["references"].value() == references
    assert facts(begun) == ASKED[ChangeKind.REFERENCE]


# Sending


def send_page(registration_request: RegistrationRequest) -> str:
    return reverse("requests:send", args=[registration_request.slug])


def test_send_page_shows_before_and_after_and_what_stands_in_the_way(
    namespace: Namespace, registrant: User, sign_in: SignIn
) -> None:
    begun = begin(namespace, ChangeKind.STATUS, registrant, status="obsolete", notice="")
    browser = sign_in(registrant)

    page = browser.get(send_page(begun))
    refused = browser.post(send_page(begun), {"seen": begun.revision, "edition": edition(begun)})

    assert [each.url for each in page.context["findings"].blocking] == [address(begun)]
    assert [each.label for each in page.context["asked"].differences] == ["Status"]
    assert 'id="not-yet"' in refused.content.decode()
    begun.refresh_from_db()
    assert begun.state == State.DRAFT


def test_change_of_facts_goes_to_the_registrar_without_experts(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    form = {"seen": contact.revision, "edition": edition(contact)}

    response = sign_in(registrant).post(send_page(contact), form)

    contact.refresh_from_db()
    assert response.headers["Location"] == contact.get_absolute_url()
    assert contact.state == State.APPROVED


def test_change_of_facts_is_not_shown_as_one_that_experts_review(
    contact: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    workflow.perform(contact, "submit", actor=registrant)

    page = text_of(sign_in(registrant).get(contact.get_absolute_url()))

    assert "Path No expert review" in page
    assert "Formal, expert review" not in page
    assert "none yet" not in page


def test_outsider_may_ask_and_sees_that_proof_is_missing(
    namespace: Namespace, outsider: User, sign_in: SignIn
) -> None:
    begun = begin(namespace, ChangeKind.CONTACT, outsider)

    page = sign_in(outsider).get(address(begun))

    (backing,) = page.context["asked"].backings
    assert (backing.party.organization, backing.is_given) == (namespace.registrant, False)
    assert f'href="/organizations/{namespace.registrant_id}/"' in page.content.decode()
    assert send(namespace, ChangeKind.STATUS, outsider).state == State.APPROVED
