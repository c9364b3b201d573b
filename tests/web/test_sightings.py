"""NIDs seen in use without registration: recorded, notified, claimed, corrected, withdrawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry import selectors, sightings, workflow
from registry.enums import RequestPath
from registry.models import Event, Letter, RegistrationRequest, Sighting, User
from tests.factories import NamespaceFactory, start
from tests.template.samples import FORMAL
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
NOTED = {
    "nid": "urn:Herbarium:",
    "evidence": "https://leaves.example/sheets, as urn:herbarium:1",
    "user_of_it": "Leaves Project",
    "address": "desk@leaves.example",
}


@pytest.fixture
def sighting(expert: User) -> Sighting:
    """A sighting of the NID that the sample request asks for."""
    return sightings.note_sighting(
        nid="seedbank",
        actor=expert,
        evidence="https://vaults.example/, as urn:seedbank:1",
        user_of_it="Vaults",
        address="desk@vaults.example",
    )


def verbs() -> list[str]:
    """Return the verbs of the sightings' events."""
    return list(Event.objects.filter(verb__endswith="_sighting").values_list("verb", flat=True))


# Recording


@pytest.mark.parametrize("who", ["expert", "lead", "registrar"])
def test_sighting_is_noted_once_and_everybody_reads_it(
    who: str, client: Client, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    browser = sign_in(request.getfixturevalue(who))

    answers = [browser.post("/sightings/new/", NOTED) for _click in "12"]

    sighting = Sighting.objects.get()
    assert [answer["Location"] for answer in answers] == [sighting.get_absolute_url()] * 2
    assert verbs() == ["note_sighting"]
    page = text_of(client.get("/sightings/"))
    assert "Used by Leaves Project." in page.partition("herbarium ")[2]
    assert "urn:herbarium:1" in page


def test_mail_address_of_users_is_not_public(
    client: Client, sign_in: SignIn, expert: User, sighting: Sighting
) -> None:
    assert sighting.address not in text_of(client.get("/sightings/"))
    assert sighting.address not in str(list(Event.objects.values_list("data", flat=True)))
    correct = sign_in(expert).get(f"/sightings/{sighting.pk}/edit/").content.decode()
    assert sighting.address in correct


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"nid": ""}, "nid", "required"),
        ({"nid": "a b"}, "nid", "invalid"),
        ({"nid": "accession"}, "nid", "registered"),
        ({"nid": "URN:ACCESSION:"}, "nid", "registered"),
        ({"evidence": " "}, "evidence", "required"),
        ({"evidence": "a\x07"}, "evidence", "control_character"),
        ({"address": "x"}, "address", "invalid"),
    ],
)
def test_invalid_sighting_is_refused_beside_its_field_and_kept(
    sign_in: SignIn, expert: User, changes: dict[str, str], field: str, code: str
) -> None:
    NamespaceFactory.create(nid="accession")

    answer = sign_in(expert).post("/sightings/new/", NOTED | changes)

    assert [*answer.context["form"].errors] == [field]
    assert error_codes(answer, field) == [code]
    assert answer.context["form"]["user_of_it"].value() == "Leaves Project"
    assert Sighting.objects.count() == 0


def test_nid_that_is_asked_for_is_noted_and_the_request_named(
    sign_in: SignIn, lead: User, in_review: RegistrationRequest
) -> None:
    answer = sign_in(lead).post("/sightings/new/", NOTED | {"nid": "seedbank"}, follow=True)

    page = text_of(answer)
    assert f"The request {in_review.reference}" in page
    assert f"Asked for in {in_review.reference}" in page


# Notices


def test_notice_tells_users_once_how_to_register(
    sign_in: SignIn, expert: User, sighting: Sighting
) -> None:
    browser = sign_in(expert)
    assert "Send a notice" in text_of(browser.get("/sightings/"))

    answers = [
        browser.post(f"/sightings/{sighting.pk}/notify/", follow=True) for _click in range(2)
    ]

    for answer in answers:
        assert "notice was sent" in text_of(answer)
        assert "Send a notice" not in text_of(answer)
    letter = Letter.objects.get()
    assert letter.address == "desk@vaults.example"
    assert "urn:seedbank" in letter.subject
    assert "/requests/new/?nid=seedbank" in letter.text
    assert sighting.evidence in letter.text
    assert letter.event is not None
    assert letter.event.verb == "notify_sighting"


def test_notice_needs_an_address(sign_in: SignIn, expert: User, sighting: Sighting) -> None:
    Sighting.objects.update(address="")

    browser = sign_in(expert)

    answer = browser.post(f"/sightings/{sighting.pk}/notify/")

    assert answer.status_code == 409
    assert "Send a notice" not in text_of(browser.get("/sightings/"))
    assert verbs() == ["note_sighting"]
    assert Letter.objects.count() == 0


# Correcting and withdrawing


def test_sighting_is_corrected_and_another_address_can_be_notified(
    sign_in: SignIn, expert: User, lead: User, sighting: Sighting
) -> None:
    sightings.notify_users(sighting, actor=expert)
    sighting.refresh_from_db()
    browser, page = sign_in(lead), f"/sightings/{sighting.pk}/edit/"
    seen = browser.get(page).context["seen"]
    posted = {
        "evidence": "Elsewhere.",
        "user_of_it": "Vaults",
        "address": "names@vaults.example",
        "seen": seen,
    }

    for _click in range(2):
        answer = browser.post(page, posted, follow=True)
        assert answer.redirect_chain == [(sighting.get_absolute_url(), 302)]

    assert verbs() == ["note_sighting", "notify_sighting", "correct_sighting"]
    assert "Elsewhere." in text_of(answer)
    assert "Send a notice" in text_of(answer)
    told = Event.objects.get(verb="correct_sighting").data
    assert told["before"]["evidence"] == sighting.evidence


def test_sighting_is_withdrawn_with_a_reason_and_stays_in_the_journal(
    sign_in: SignIn, expert: User, sighting: Sighting
) -> None:
    browser, page = sign_in(expert), f"/sightings/{sighting.pk}/withdraw/"
    assert error_codes(browser.post(page, {"reason": ""}), "reason") == ["required"]

    answers = [browser.post(page, {"reason": "A test."}) for _click in "12"]

    assert [answer["Location"] for answer in answers] == ["/sightings/"] * 2
    assert Sighting.objects.count() == 0
    event = Event.objects.get(verb="withdraw_sighting")
    assert (event.comment, event.data["evidence"]) == ("A test.", sighting.evidence)


# Claims


def test_request_claims_the_sighting_and_both_pages_say_so(
    client: Client, sighting: Sighting, draft: RegistrationRequest, registrant: User
) -> None:
    started = client.get("/requests/new/nid/", {"nid": "seedbank"}, headers={"HX-Request": "true"})
    assert "will claim" in text_of(started)

    workflow.perform(draft, "submit", actor=registrant)

    assert f"Claimed by {draft.reference}" in text_of(client.get("/sightings/"))
    request_page = client.get(draft.get_absolute_url()).content.decode()
    assert f'href="{sighting.get_absolute_url()}"' in request_page.partition('id="claimed"')[2]
    again = client.get("/requests/new/nid/", {"nid": "seedbank"}, headers={"HX-Request": "true"})
    assert "will claim" not in text_of(again)


def test_claimed_sighting_is_not_withdrawn(
    sign_in: SignIn, expert: User, sighting: Sighting, in_review: RegistrationRequest
) -> None:
    answer = sign_in(expert).post(f"/sightings/{sighting.pk}/withdraw/", {"reason": "A test."})

    assert in_review.reference in answer.context["form"].non_field_errors()[0]
    assert Sighting.objects.count() == 1


def test_claim_of_a_closed_request_leaves_the_sighting_to_others(
    client: Client, sighting: Sighting, in_review: RegistrationRequest, registrant: User
) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)
    assert f"Claimed by {in_review.reference}" not in text_of(client.get("/sightings/"))

    later = start(registrant, in_review.organization, FORMAL, RequestPath(in_review.path))
    workflow.perform(later, "submit", actor=registrant)

    sighting.refresh_from_db()
    assert sighting.claimed_by == later


# Similarity


def test_nid_in_use_is_to_be_considered_and_blocks_nothing(sighting: Sighting) -> None:
    found = {finding.check: finding for finding in selectors.list_nid_findings("SeedBank")}

    assert [*found] == ["nid.sighted"]
    assert found["nid.sighted"].severity.name == "WARN"


def test_nid_close_to_one_in_use_is_pointed_out(sighting: Sighting) -> None:
    (finding,) = selectors.list_nid_findings("seedbanc")
    (near,) = selectors.find_similar_nids("seedbanc")

    assert finding.check == "nid.near"
    assert "“seedbank”, which is in use" in finding.message
    assert near.nid == "seedbank"
    assert near.summary.endswith("Vaults")
    assert near.url == sighting.get_absolute_url()


def test_close_nid_is_named_as_registered_or_requested_before_sighted(
    sighting: Sighting, in_review: RegistrationRequest
) -> None:
    NamespaceFactory.create(nid="accession")
    Sighting.objects.create(
        nid="accession", evidence="-", noted_by=sighting.noted_by, noted_at=sighting.noted_at
    )

    (finding,) = selectors.list_nid_findings("seedbanc")
    assert finding.check == "nid.near"
    assert f"“seedbank”, in request {in_review.reference}." in finding.message
    assert selectors.find_similar_nids("accessiom")[0].url == "/namespaces/accession/"


def test_sighting_is_told_at_every_door_that_is_asked_about_its_nid(
    client: Client, sighting: Sighting
) -> None:
    address = sighting.get_absolute_url()
    html = {"accept": "text/html"}

    for page in ("/inspect/?urn=urn:SeedBank:1", "/resolve/urn:SeedBank:1"):
        assert f'href="{address}"' in client.get(page, headers=html).content.decode()
    problem = client.get("/resolve/urn:seedbank:1").json()
    assert [each.removeprefix(settings.SITE) for each in problem["sightings"]] == [address]
    answer = client.get("/api/v1/urn/parse/", {"urn": "urn:seedbank:1"}).json()
    assert [each["nid"] for each in answer["sightings"]] == ["seedbank"]
    assert "seen in use" in answer["result"]["detail"]
    findings = client.get("/api/v1/urn/identifier/", {"nid": "seedbank"}).json()["findings"]
    assert [each["check_id"] for each in findings] == ["nid.sighted"]


def test_page_of_an_unregistered_nid_says_that_it_is_in_use(
    client: Client, sighting: Sighting
) -> None:
    page = client.get("/namespaces/seedbank/").content.decode()

    sighted = page.partition('aria-labelledby="sighted"')[2]
    assert "In use by Vaults" in sighted
    assert f'href="{sighting.get_absolute_url()}"' in sighted
    assert 'id="sighted"' not in client.get("/namespaces/herbarium/").content.decode()


def test_list_makes_no_more_queries_for_more_sightings(
    client: Client, expert: User, sighting: Sighting, in_review: RegistrationRequest
) -> None:
    with CaptureQueriesContext(connection) as few:
        client.get("/sightings/")

    for number in range(6):
        sightings.note_sighting(nid=f"herbarium{number}", actor=expert, evidence="Leaves.")
    with CaptureQueriesContext(connection) as many:
        client.get("/sightings/")

    assert len(many) == len(few)
