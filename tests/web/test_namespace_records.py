"""What the registrar records about a namespace: IANA's reference, disputes and agreements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from registry import workflow
from registry.enums import RequestPath
from registry.models import (
    Dispute,
    Event,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)
from registry.workflow import drafts
from tests.api.clients import JSON, Program
from tests.cast import record_cast
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)
from tests.template.samples import REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
TICKET = "IANA #1234567"
RECORD = {
    "kind": "dispute",
    "parties": "Northlight and Southlight",
    "text": "Both say that the prefix is theirs.",
    "source": "Letters of 3 and 4 May 2026",
}


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="accession", registrant=organization)


# IANA's reference


def test_iana_reference_is_entered_with_publishing_and_shown_in_every_format(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn, client: Client
) -> None:
    said = {
        "verb": "register",
        "seen": approved.revision,
        "references": "RFC 8141",
        "iana_reference": f"  {TICKET} ",
        "confirmation": approved.nid,
    }

    sign_in(registrar).post(reverse("publish:detail", args=[approved.slug]), said)

    assert TICKET in text_of(client.get("/namespaces/seedbank/"))
    assert client.get("/api/v1/namespaces/seedbank/").json()["iana_reference"] == TICKET
    for ending in ("json", "xml", "csv"):
        assert TICKET in client.get(f"/namespaces/seedbank.{ending}").content.decode()


def test_iana_reference_is_kept_by_publishing_without_one(
    namespace: Namespace,
    organization: Organization,
    registrant: User,
    expert: User,
    registrar: User,
) -> None:
    Namespace.objects.filter(pk=namespace.pk).update(iana_reference=TICKET, last_known_version="1")
    namespace.refresh_from_db()
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=namespace,
    )
    draft = asked.draft
    assert draft is not None
    text = REVISION.replace(nid="accession", examples=["urn:accession:NVF/42"])
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")

    workflow.perform(asked, "register", actor=registrar, iana_reference="")

    namespace.refresh_from_db()
    assert (namespace.next_version, namespace.iana_reference) == (3, TICKET)


def test_iana_reference_is_entered_later_and_the_journal_has_both(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn, client: Client
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    browser, page = sign_in(registrar), "/namespaces/seedbank/iana-reference/"

    browser.post(page, {"iana_reference": TICKET, "seen": ""})
    stale = browser.post(page, {"iana_reference": "IANA #7", "seen": ""})

    event = Event.objects.get(verb="set_iana_reference")
    assert event.data["before"] == {"iana_reference": ""}
    assert (stale.status_code, TICKET in text_of(stale)) == (409, True)
    assert TICKET in text_of(client.get("/namespaces/seedbank/"))
    record_cast()
    call_command("verify_journal")


@pytest.mark.parametrize("who", ["registrant", "expert", "standards_body", "outsider"])
def test_iana_reference_is_entered_by_the_registrar_alone(
    who: str, namespace: Namespace, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)
    browser, program = sign_in(person), Program.of(person).client

    page = browser.post("/namespaces/accession/iana-reference/", {"iana_reference": TICKET})
    answer = program.put("/api/v1/namespaces/accession/iana-reference/", {}, JSON)
    assert (page.status_code, answer.status_code) == (403, 403)

    assert not Event.objects.exists()
    assert "Record a dispute" not in text_of(browser.get("/namespaces/accession/"))


# Disputes and agreements


def test_dispute_is_shown_on_the_namespace_and_mailed_to_its_holder(
    namespace: Namespace, registrar: User, registrant: User, sign_in: SignIn, client: Client
) -> None:
    browser = sign_in(registrar)
    assert 'id="disputes"' not in client.get("/namespaces/accession/").content.decode()

    for _click in "12":
        browser.post("/namespaces/accession/disputes/new/", RECORD)

    (recorded,) = Dispute.objects.all()
    response = client.get("/namespaces/accession/")
    assert f'id="dispute-{recorded.pk}"' in response.content.decode()
    page = text_of(response)
    assert f"Dispute, {RECORD['parties']}" in page
    assert recorded.text in page
    letter = Letter.objects.get(recipient=registrant)
    assert RECORD["text"] in letter.text
    assert Event.objects.get().verb == "record_dispute"


def test_ending_of_a_dispute_is_shown_beside_what_was_recorded(
    namespace: Namespace, registrar: User, sign_in: SignIn, client: Client
) -> None:
    browser = sign_in(registrar)
    browser.post("/namespaces/accession/disputes/new/", RECORD)
    recorded = Dispute.objects.get()

    ending = "They agreed to share."
    browser.post(f"/namespaces/accession/disputes/{recorded.pk}/end/", {"ending": ending})

    page = text_of(client.get("/namespaces/accession/"))
    assert ending in page
    assert RECORD["text"] in page
