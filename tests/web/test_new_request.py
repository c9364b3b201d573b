"""Starting a request: the paths, checking the NID while typing, and what survives a sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from registry import workflow
from registry.actions import recognition
from registry.enums import (
    ChangeKind,
    NamespaceKind,
    RequestPath,
)
from registry.forms.paths import FACTS_CHOICE, REVISION_CHOICE
from registry.models import (
    Counter,
    Event,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.workflow.drafts import MAX_OPEN_DRAFTS
from tests.factories import PASSWORD, NamespaceFactory, OrganizationFactory, RequestFactory
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
KEY = UUID("6f1d2d3e-58a4-4c57-9a52-9a5f5a4f8b10")
NEW = "/requests/new/"
BARRED = [
    pytest.param("", ["nid.length"], id="2-empty"),
    pytest.param("a" * 33, ["nid.length"], id="2-longer-than-32"),
    pytest.param("seed_bank", ["nid.characters"], id="2-underscore"),
    pytest.param("ѕееԁbаnk", ["nid.characters"], id="2-cyrillic"),
    pytest.param("-seedbank", ["nid.ends"], id="2-hyphen-first"),
    pytest.param("ab", ["nid.two-letters"], id="5.1-two-letters"),
    pytest.param("no-seedbank", ["nid.country"], id="5.1-country-code"),
    pytest.param("xn--seedbank", ["nid.country"], id="5.1-encoded-domain-name"),
    pytest.param("URN-7", ["nid.informal"], id="5.1-informal"),
    pytest.param("X-seedbank", ["nid.experimental"], id="5.1-experimental"),
    pytest.param("ISBN", ["nid.registered"], id="5.1-registered"),
    pytest.param("urn", ["nid.urn"], id="local-the-scheme-itself"),
]


@pytest.fixture(autouse=True)
def registered() -> None:
    """A few namespaces, and eight informal numbers in use."""
    NamespaceFactory.create(nid="isbn")
    NamespaceFactory.create(nid="urn-8", kind=NamespaceKind.INFORMAL, informal_number=8)
    Counter.objects.raise_to(Counter.INFORMAL, 8)


def answers(**changes: str) -> dict[str, str]:
    """Return a form filled in, with `changes`."""
    return {
        "path": "community",
        "nid": "seedbank",
        "namespace": "",
        "change": "",
        "statement": "",
        "organization": "Northlight Seed Vault Federation",
        "summary": "Accessions held by federated seed vaults",
        "standards_action": "no",
        "key": str(KEY),
        **changes,
    }


def started() -> RegistrationRequest:
    return RegistrationRequest.objects.get()


def test_paths_are_shown_with_their_consequences(client: Client) -> None:
    response = client.get(NEW)

    choices = dict(response.context["form"].fields["path"].choices)
    assert set(choices) == {*RequestPath, REVISION_CHOICE, FACTS_CHOICE}
    words = text_of(response)
    consequences = [str(point) for choice in choices.values() for point in choice.points]
    assert len(consequences) > len(choices)
    assert all(point in words for point in consequences)
    assert "urn:urn-9" in words


@pytest.mark.parametrize(("nid", "checks"), BARRED[1:])
def test_nid_is_judged_while_it_is_typed(client: Client, nid: str, checks: list[str]) -> None:
    response = client.get("/requests/new/nid/", {"nid": nid}, headers={"HX-Request": "true"})

    assert [finding.check for finding in response.context["verdict"].findings] == checks
    assert not response.context["verdict"].is_possible
    assert all(each.message in text_of(response) for each in response.context["verdict"].findings)


def test_nid_that_nothing_speaks_against_passes_every_rule(client: Client) -> None:
    response = client.get("/requests/new/nid/", {"nid": "seedbank"}, headers={"HX-Request": "true"})

    assert response.context["verdict"].is_possible
    assert len(response.context["verdict"].passed) == 8
    assert text_of(response).count("Passed: ") == 8


def test_nid_asked_for_by_others_leads_to_their_request(
    client: Client, in_review: RegistrationRequest
) -> None:
    response = client.get("/requests/new/nid/", {"nid": "SeedBank"}, headers={"HX-Request": "true"})

    verdict = response.context["verdict"]
    assert verdict.is_possible
    assert [finding.check for finding in verdict.findings] == ["nid.contended"]
    assert f'href="{in_review.get_absolute_url()}"' in response.content.decode()


def test_request_does_not_contend_with_itself(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    asked = {"nid": "seedbank", "reference": in_review.slug}

    response = sign_in(registrant).get("/requests/new/nid/", asked, headers={"HX-Request": "true"})

    assert response.context["verdict"].findings == ()


def test_check_is_on_the_page_itself_without_script(client: Client) -> None:
    linked = client.get("/requests/new/nid/", {"nid": "no seedbank"})
    checked = client.post(NEW, answers(nid="no-seedbank", summary="Seeds", check="nid"))

    assert linked.headers["Location"] == "/requests/new/?nid=no+seedbank"
    assert not checked.context["verdict"].is_possible
    assert 'value="Seeds"' in checked.content.decode()
    assert not checked.context["form"].errors


def test_suggestion_replaces_the_nid_and_the_rest_stays(client: Client) -> None:
    response = client.post(NEW, answers(nid="no-seedbank", **{"try": "noseedbank"}))

    assert response.context["form"]["nid"].value() == "noseedbank"
    assert response.context["form"]["summary"].value() == answers()["summary"]
    assert response.context["verdict"].is_possible


def test_start_makes_a_draft_and_leads_to_its_first_section(
    sign_in: SignIn, registrant: User
) -> None:
    response = sign_in(registrant).post(
        NEW, answers(nid="SeedBank", organization=" Tidewater \t Buoys ", standards_action="yes")
    )

    made = started()
    assert response.headers["Location"] == reverse("requests:edit", args=[made.slug, "identifier"])
    assert (made.author, made.organization.name) == (registrant, "Tidewater Buoys")
    assert (made.path, made.change, made.standards_action) == ("community", "new", True)
    assert (made.nid, made.draft and made.draft.template["nid"]) == ("seedbank", "SeedBank")


def test_informal_request_names_no_identifier(sign_in: SignIn, registrant: User) -> None:
    sign_in(registrant).post(NEW, answers(path="informal", nid="no-seedbank"))

    made = started()
    assert (made.path, made.nid) == (RequestPath.INFORMAL, "")
    assert made.draft is not None
    assert made.draft.template["nid"] == "urn-N"


@pytest.mark.parametrize(
    ("typed", "path"), [("urn:ISBN", RequestPath.COMMUNITY), ("urn-8", RequestPath.INFORMAL)]
)
def test_revision_is_decided_as_its_namespace_was(
    sign_in: SignIn, registrant: User, typed: str, path: RequestPath
) -> None:
    sign_in(registrant).post(NEW, answers(path="revision", nid="", namespace=typed))

    made = started()
    assert (made.change, made.path) == (ChangeKind.REVISION, path)
    assert made.namespace is not None
    assert made.namespace.nid == typed.lower().removeprefix("urn:")


def test_link_from_a_namespace_has_the_revision_chosen(client: Client) -> None:
    form = client.get(NEW, {"namespace": "isbn"}).context["form"]

    assert (form["path"].value(), form["namespace"].value()) == ("revision", "isbn")


@pytest.mark.parametrize(("nid", "checks"), BARRED)
def test_nid_that_cannot_be_had_is_refused_beside_its_field_and_kept(
    sign_in: SignIn, registrant: User, nid: str, checks: list[str]
) -> None:
    response = sign_in(registrant).post(NEW, answers(nid=nid))

    findings = response.context["form"].check(nid)
    assert [finding.check for finding in findings] == checks
    assert response.context["form"].errors == {
        "nid": [f"{finding.message} {finding.mend}" for finding in findings]
    }
    assert response.context["form"]["nid"].value() == nid
    assert not RegistrationRequest.objects.exists()


@pytest.mark.parametrize(
    ("field", "typed", "code", "place"),
    [
        ("summary", "", "required", ""),
        ("summary", "seeds " * 50, "too_long", "line 1, column 200"),
        ("organization", "Seed\x07bank", "unseen_character", "Character 5"),
        ("nid", "seed\x00bank", "control_character", "line 1, column 5"),
        ("standards_action", "", "required", ""),
    ],
)
def test_invalid_answer_is_refused_beside_its_field_and_kept(
    sign_in: SignIn, registrant: User, field: str, typed: str, code: str, place: str
) -> None:
    response = sign_in(registrant).post(NEW, answers(**{field: typed}))

    ((name, (error,)),) = response.context["form"].errors.items()
    assert (name, error_codes(response, field)) == (field, [code])
    assert place in error
    assert response.context["form"][field].value() == typed
    assert error in text_of(response)
    assert not RegistrationRequest.objects.exists()


@pytest.mark.parametrize(
    ("typed", "code", "offered"),
    [("", "required", ""), ("isbm", "unknown", "isbn"), ("іsbn", "unknown", "isbn")],
)
def test_unknown_namespace_is_refused_with_similar_ones(
    sign_in: SignIn, registrant: User, typed: str, code: str, offered: str
) -> None:
    response = sign_in(registrant).post(NEW, answers(path="revision", namespace=typed))

    ((name, (error,)),) = response.context["form"].errors.items()
    assert (name, error_codes(response, name)) == ("namespace", [code])
    assert offered in error


def test_answers_to_questions_of_another_path_are_ignored(
    sign_in: SignIn, registrant: User
) -> None:
    typed = answers(path="informal", nid="\x07" * 300, namespace="no such thing")

    response = sign_in(registrant).post(NEW, typed)

    assert response.status_code == 302
    assert started().nid == ""


def test_markup_is_text(client: Client) -> None:
    response = client.post(NEW, answers(nid="<script>alert(1)</script>"))

    assert "<script>alert(1)" not in response.content.decode()
    assert "“<script>alert(1)</script>”" in text_of(response)


def test_double_click_starts_one_request(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)

    first, second = (browser.post(NEW, answers()) for _click in range(2))

    assert first.headers["Location"] == second.headers["Location"]
    assert started().events.count() == 1


def sign_in_at(browser: Client, address: str, person: User) -> Any:
    return browser.post(address, {"login": person.email, "password": PASSWORD})


def test_typed_answers_survive_signing_in(client: Client, registrant: User) -> None:
    to_sign_in = client.post(NEW, answers(summary="Seeds & “samples”"))
    assert not RegistrationRequest.objects.exists()

    back = sign_in_at(client, to_sign_in.headers["Location"], registrant)
    page = client.get(back.headers["Location"])

    assert back.headers["Location"] == NEW
    form = page.context["form"]
    assert {name: form[name].value() for name in form.fields} == answers(
        summary="Seeds & “samples”"
    )

    client.post(NEW, answers(summary="Seeds & “samples”"))
    assert started().summary == "Seeds & “samples”"
    assert client.get(NEW).context["form"]["summary"].value() is None


def test_form_with_errors_asks_nobody_to_sign_in(client: Client) -> None:
    response = client.post(NEW, answers(nid="ab"))

    assert list(response.context["form"].errors) == ["nid"]


def test_started_request_can_be_sent_rerouted_or_withdrawn(
    sign_in: SignIn, registrant: User
) -> None:
    sign_in(registrant).post(NEW, answers())

    verbs = [
        transition.verb for transition in workflow.available_transitions(started(), registrant)
    ]

    assert verbs == ["submit", "reroute", "withdraw"]


# Changes of facts


def of_facts(**changes: str) -> dict[str, str]:
    """Return the input of somebody who only wants a fact of `isbn` changed."""
    asked = {"path": "facts", "nid": "", "namespace": "isbn", "change": "contact"}
    return answers(**{**asked, "summary": "", "standards_action": "", **changes})


@pytest.mark.parametrize("change", ["contact", "reference", "transfer", "status"])
def test_change_of_facts_leads_to_its_own_page(
    sign_in: SignIn, outsider: User, change: str
) -> None:
    response = sign_in(outsider).post(NEW, of_facts(change=change))

    made = started()
    assert response.headers["Location"] == f"/requests/{made.slug}/facts/"
    assert (made.change, made.path, made.author) == (change, RequestPath.COMMUNITY, outsider)
    assert (made.summary, made.standards_action) == ("Sample things", False)


def test_facts_of_an_informal_namespace_can_be_changed(sign_in: SignIn, outsider: User) -> None:
    Namespace.objects.update(summary="")

    sign_in(outsider).post(NEW, of_facts(namespace="urn:urn-8"))

    made = started()
    assert (made.path, made.summary) == (RequestPath.INFORMAL, "Change of contact")


@pytest.mark.parametrize(
    ("typed", "field", "code"),
    [
        ({"namespace": ""}, "namespace", "required"),
        ({"change": ""}, "change", "required"),
        (
            {"change": "transfer", "organization": " sample  COUNCIL "},
            "organization",
            "holder",
        ),
    ],
)
def test_change_of_facts_asks_of_what_and_to_whom(
    sign_in: SignIn, outsider: User, typed: dict[str, str], field: str, code: str
) -> None:
    Namespace.objects.update(registrant=OrganizationFactory.create(name="Sample Council"))

    response = sign_in(outsider).post(NEW, of_facts(**typed))

    assert list(response.context["form"].errors) == [field]
    assert error_codes(response, field) == [code]
    assert not RegistrationRequest.objects.exists()


def test_new_request_offers_a_body_that_is_written_like_the_one_named(
    sign_in: SignIn, registrant: User
) -> None:
    council = OrganizationFactory.create(name="Sample Council")
    Namespace.objects.update(registrant=council)
    browser = sign_in(registrant)

    response = browser.post(NEW, answers(organization="The Sámple CounciI."))

    assert error_codes(response, "organization") == ["like_organization"]
    browser.post(NEW, answers(organization="sample council"))
    assert started().organization == council


def test_link_from_a_namespace_has_the_change_chosen(client: Client) -> None:
    asked = {"path": "facts", "namespace": "isbn", "change": "status"}

    form = client.get(NEW, asked).context["form"]

    assert {name: form[name].value() for name in asked} == asked


# The fast track and recognition


def on_fast_track(**changes: str) -> dict[str, str]:
    """Return the input of a body that says what it is."""
    return answers(**{"path": "fast_track", "statement": "A scientific society.", **changes})


def test_start_on_the_fast_track_asks_for_recognition(sign_in: SignIn, registrant: User) -> None:
    sign_in(registrant).post(NEW, on_fast_track())

    made, asked = started(), Recognition.objects.get()
    assert (asked.organization, asked.asked_by) == (made.organization, registrant)
    assert asked.statement == "A scientific society."
    assert [event.verb for event in Event.objects.all()] == ["start", "ask_recognition"]


@pytest.mark.parametrize("refused_before", [False, True])
def test_body_that_is_not_recognised_is_asked_what_it_is(
    sign_in: SignIn,
    registrant: User,
    organization: Organization,
    standards_body: User,
    refused_before: bool,
) -> None:
    if refused_before:
        asked = recognition.request_recognition(organization, registrant, "A club.")
        recognition.refuse_recognition(
            asked, actor=standards_body, reasons="Not of the kind meant."
        )

    response = sign_in(registrant).post(NEW, on_fast_track(statement=" "))

    code = recognition.RecognitionStatus.NOT_ASKED
    if refused_before:
        code = recognition.RecognitionStatus.REFUSED
    assert error_codes(response, "statement") == [code.value]
    assert not RegistrationRequest.objects.exists()


@pytest.mark.parametrize("standing", ["recognised", "pending"])
def test_body_that_is_recognised_or_waits_is_asked_nothing(
    sign_in: SignIn, registrant: User, organization: Organization, standing: str
) -> None:
    if standing == "pending":
        recognition.request_recognition(organization, registrant, "A scientific society.")
    else:
        organization.recognised_on, organization.recognition_source = "2026-01-05", "Minutes"
        organization.save()
    before = Recognition.objects.count()

    sign_in(registrant).post(NEW, on_fast_track(organization=organization.name, statement=""))

    assert started().path == RequestPath.FAST_TRACK
    assert Recognition.objects.count() == before


def test_double_click_asks_for_recognition_once(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)

    for _click in range(2):
        browser.post(NEW, on_fast_track())

    assert (started().events.count(), Recognition.objects.count()) == (1, 1)


def test_standard_is_not_decided_on_the_fast_track(sign_in: SignIn, registrant: User) -> None:
    response = sign_in(registrant).post(NEW, on_fast_track(standards_action="yes"))

    assert error_codes(response, "standards_action") == ["fast_track"]
    assert not RegistrationRequest.objects.exists()


def test_recognition_is_not_asked_for_off_the_fast_track(sign_in: SignIn, registrant: User) -> None:
    sign_in(registrant).post(NEW, on_fast_track(path="community"))

    assert started().path == RequestPath.COMMUNITY
    assert not Recognition.objects.exists()


def test_too_many_drafts_are_refused_in_words_and_the_answers_stay(
    registrant: User, organization: Organization, sign_in: SignIn
) -> None:
    RequestFactory.create_batch(MAX_OPEN_DRAFTS, author=registrant, organization=organization)

    page = sign_in(registrant).post(NEW, answers())

    assert "You have 20 open drafts" in text_of(page)
    assert page.context["form"]["nid"].value() == "seedbank"
    assert RegistrationRequest.objects.count() == MAX_OPEN_DRAFTS
