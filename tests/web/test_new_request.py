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
from tests.web.pages import text_of

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


def test_everybody_reads_the_paths_with_their_consequences(client: Client) -> None:
    words = text_of(client.get(NEW))

    for consequence in (
        "Designated experts review it in public and decide.",
        "The standards body has to recognize your organization",
        "currently urn:urn-9. You cannot choose it.",
        "You must describe what changes from the version before.",
        "registration waits for its direction",
    ):
        assert consequence in words


@pytest.mark.parametrize(("nid", "checks"), BARRED[1:])
def test_a_nid_is_judged_while_it_is_typed(client: Client, nid: str, checks: list[str]) -> None:
    response = client.get("/requests/new/nid/", {"nid": nid}, headers={"HX-Request": "true"})

    assert [finding.check for finding in response.context["verdict"].findings] == checks
    assert "Cannot be requested." in text_of(response)


def test_a_nid_that_nothing_speaks_against_passes_every_rule(client: Client) -> None:
    response = client.get("/requests/new/nid/", {"nid": "seedbank"}, headers={"HX-Request": "true"})

    assert text_of(response).startswith("Can be requested. urn:seedbank Passed: ")
    assert len(response.context["verdict"].passed) == 8


def test_a_nid_asked_for_by_others_leads_to_their_request(
    client: Client, in_review: RegistrationRequest
) -> None:
    response = client.get("/requests/new/nid/", {"nid": "SeedBank"}, headers={"HX-Request": "true"})

    assert "Can be requested, with 1 thing to consider." in text_of(response)
    assert f'href="{in_review.get_absolute_url()}"' in response.content.decode()


def test_a_request_does_not_contend_with_itself(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    asked = {"nid": "seedbank", "reference": in_review.slug}

    response = sign_in(registrant).get("/requests/new/nid/", asked, headers={"HX-Request": "true"})

    assert response.context["verdict"].findings == ()


def test_without_script_the_check_is_on_the_page_itself(client: Client) -> None:
    linked = client.get("/requests/new/nid/", {"nid": "no seedbank"})
    checked = client.post(NEW, answers(nid="no-seedbank", summary="Seeds", check="nid"))

    assert linked.headers["Location"] == "/requests/new/?nid=no+seedbank"
    assert "Cannot be requested." in text_of(checked)
    assert 'value="Seeds"' in checked.content.decode()
    assert not checked.context["form"].errors


def test_a_suggestion_takes_the_place_of_the_nid_and_the_rest_stays(client: Client) -> None:
    response = client.post(NEW, answers(nid="no-seedbank", **{"try": "noseedbank"}))

    assert response.context["form"]["nid"].value() == "noseedbank"
    assert response.context["form"]["summary"].value() == answers()["summary"]
    assert response.context["verdict"].is_possible


def test_starting_makes_a_draft_and_leads_to_its_first_section(
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


def test_an_informal_request_names_no_identifier(sign_in: SignIn, registrant: User) -> None:
    sign_in(registrant).post(NEW, answers(path="informal", nid="no-seedbank"))

    made = started()
    assert (made.path, made.nid) == (RequestPath.INFORMAL, "")
    assert made.draft is not None
    assert made.draft.template["nid"] == "urn-N"


@pytest.mark.parametrize(
    ("typed", "path"), [("urn:ISBN", RequestPath.COMMUNITY), ("urn-8", RequestPath.INFORMAL)]
)
def test_a_revision_is_of_a_registered_namespace_and_decided_as_that_was(
    sign_in: SignIn, registrant: User, typed: str, path: RequestPath
) -> None:
    sign_in(registrant).post(NEW, answers(path="revision", nid="", namespace=typed))

    made = started()
    assert (made.change, made.path) == (ChangeKind.REVISION, path)
    assert made.namespace is not None
    assert made.namespace.nid == typed.lower().removeprefix("urn:")


def test_a_link_from_a_namespace_has_the_revision_chosen(client: Client) -> None:
    form = client.get(NEW, {"namespace": "isbn"}).context["form"]

    assert (form["path"].value(), form["namespace"].value()) == ("revision", "isbn")


@pytest.mark.parametrize(("nid", "checks"), BARRED)
def test_a_nid_that_cannot_be_had_is_refused_beside_its_field_and_kept(
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
    ("field", "typed", "error"),
    [
        ("summary", "", "Say in a few words what the names will name."),
        (
            "summary",
            "seeds " * 50,
            "The text has 299 characters; the limit of 200 is reached in line 1, column 200."
            " Shorten it.",
        ),
        (
            "organization",
            "Seed\x07bank",
            "Character 5 of the name (U+0007) is an invisible character, a line break or an "
            "unusual space. Delete it, or type the name by hand.",
        ),
        (
            "nid",
            "seed\x00bank",
            "There is a control character (U+0000) in line 1, column 5. Delete it.",
        ),
        ("standards_action", "", "Say whether it will become part of a standard."),
    ],
)
def test_what_cannot_be_kept_is_pointed_at_and_given_back(
    sign_in: SignIn, registrant: User, field: str, typed: str, error: str
) -> None:
    response = sign_in(registrant).post(NEW, answers(**{field: typed}))

    assert response.context["form"].errors == {field: [error]}
    assert response.context["form"][field].value() == typed
    assert error in text_of(response)
    assert not RegistrationRequest.objects.exists()


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("", "Type the identifier of the namespace to revise."),
        ("isbm", "No namespace is registered as “isbm”. Did you mean isbn?"),
        ("іsbn", "No namespace is registered as “іsbn”. Did you mean isbn?"),
    ],
)
def test_an_unknown_namespace_is_refused_with_those_that_come_close(
    sign_in: SignIn, registrant: User, typed: str, error: str
) -> None:
    response = sign_in(registrant).post(NEW, answers(path="revision", namespace=typed))

    assert response.context["form"].errors == {"namespace": [error]}


def test_what_belongs_to_another_path_is_not_held_against_anybody(
    sign_in: SignIn, registrant: User
) -> None:
    typed = answers(path="informal", nid="\x07" * 300, namespace="no such thing")

    response = sign_in(registrant).post(NEW, typed)

    assert response.status_code == 302
    assert started().nid == ""


def test_markup_is_text(client: Client) -> None:
    response = client.post(NEW, answers(nid="<script>alert(1)</script>"))

    assert "<script>alert(1)" not in response.content.decode()
    assert "“<script>alert(1)</script>” has “<” as character 1." in text_of(response)


def test_a_double_click_starts_one_request(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)

    first, second = (browser.post(NEW, answers()) for _click in range(2))

    assert first.headers["Location"] == second.headers["Location"]
    assert started().events.count() == 1


def sign_in_at(browser: Client, address: str, person: User) -> Any:
    return browser.post(address, {"login": person.email, "password": PASSWORD})


def test_what_was_typed_survives_signing_in(client: Client, registrant: User) -> None:
    to_sign_in = client.post(NEW, answers(summary="Seeds & “samples”"))
    assert not RegistrationRequest.objects.exists()

    back = sign_in_at(client, to_sign_in.headers["Location"], registrant)
    page = client.get(back.headers["Location"])

    assert back.headers["Location"] == NEW
    assert "What you typed before is here." in text_of(page)
    form = page.context["form"]
    assert {name: form[name].value() for name in form.fields} == answers(
        summary="Seeds & “samples”"
    )

    client.post(NEW, answers(summary="Seeds & “samples”"))
    assert started().summary == "Seeds & “samples”"
    assert client.get(NEW).context["form"]["summary"].value() is None


def test_a_form_with_errors_asks_nobody_to_sign_in(client: Client) -> None:
    response = client.post(NEW, answers(nid="ab"))

    assert list(response.context["form"].errors) == ["nid"]


def test_the_path_of_a_started_request_is_open_to_the_workflow(
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
def test_a_change_of_facts_leads_to_its_own_page(
    sign_in: SignIn, outsider: User, change: str
) -> None:
    response = sign_in(outsider).post(NEW, of_facts(change=change))

    made = started()
    assert response.headers["Location"] == f"/requests/{made.slug}/facts/"
    assert (made.change, made.path, made.author) == (change, RequestPath.COMMUNITY, outsider)
    assert (made.summary, made.standards_action) == ("Sample things", False)


def test_the_facts_of_an_informal_namespace_change_as_well(sign_in: SignIn, outsider: User) -> None:
    Namespace.objects.update(summary="")

    sign_in(outsider).post(NEW, of_facts(namespace="urn:urn-8"))

    made = started()
    assert (made.path, made.summary) == (RequestPath.INFORMAL, "Change of contact")


@pytest.mark.parametrize(
    ("typed", "field", "error"),
    [
        (
            {"namespace": ""},
            "namespace",
            "Type the identifier of the namespace whose facts you want to change.",
        ),
        ({"change": ""}, "change", "Choose the fact you want to change."),
        (
            {"change": "transfer", "organization": " sample  COUNCIL "},
            "organization",
            "Sample Council already holds urn:isbn. Name the body that takes over.",
        ),
    ],
)
def test_a_change_of_facts_says_of_what_and_to_whom(
    sign_in: SignIn, outsider: User, typed: dict[str, str], field: str, error: str
) -> None:
    Namespace.objects.update(registrant=OrganizationFactory.create(name="Sample Council"))

    response = sign_in(outsider).post(NEW, of_facts(**typed))

    assert response.context["form"].errors == {field: [error]}
    assert not RegistrationRequest.objects.exists()


def test_a_link_from_a_namespace_has_the_change_chosen(client: Client) -> None:
    asked = {"path": "facts", "namespace": "isbn", "change": "status"}

    form = client.get(NEW, asked).context["form"]

    assert {name: form[name].value() for name in asked} == asked


# The fast track and recognition


def on_fast_track(**changes: str) -> dict[str, str]:
    """Return the input of a body that says what it is."""
    return answers(**{"path": "fast_track", "statement": "A scientific society.", **changes})


def test_starting_on_the_fast_track_asks_for_recognition(sign_in: SignIn, registrant: User) -> None:
    response = sign_in(registrant).post(NEW, on_fast_track(), follow=True)

    made, asked = started(), Recognition.objects.get()
    assert (asked.organization, asked.asked_by) == (made.organization, registrant)
    assert asked.statement == "A scientific society."
    assert [event.verb for event in Event.objects.all()] == ["start", "ask_recognition"]
    assert "you need its answer when you ask for registration" in text_of(response)


@pytest.mark.parametrize("refused_before", [False, True])
def test_a_body_nobody_recognised_says_what_it_is_or_takes_another_path(
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

    (error,) = response.context["form"].errors["statement"]
    assert "or choose another path." in error
    assert ("was refused" in error) is refused_before
    assert not RegistrationRequest.objects.exists()


@pytest.mark.parametrize("standing", ["recognised", "pending"])
def test_a_body_that_is_recognised_or_waits_has_nothing_to_say(
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


def test_a_double_click_asks_for_recognition_once(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)

    for _click in range(2):
        browser.post(NEW, on_fast_track())

    assert (started().events.count(), Recognition.objects.count()) == (1, 1)


def test_a_standard_is_not_decided_on_the_fast_track(sign_in: SignIn, registrant: User) -> None:
    response = sign_in(registrant).post(NEW, on_fast_track(standards_action="yes"))

    (error,) = response.context["form"].errors["standards_action"]
    assert error.endswith("Answer no, or choose expert review.")
    assert not RegistrationRequest.objects.exists()


def test_off_the_fast_track_nobody_asks_for_recognition(sign_in: SignIn, registrant: User) -> None:
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
