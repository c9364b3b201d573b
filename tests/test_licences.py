"""The licence of texts: the one agreed to on submission, whatever is asked for now."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings as site_settings
from django.test import Client
from pytest_django import Settings

from registry import workflow
from registry.enums import ChangeKind
from registry.licences import LICENCES, MAX_LICENCE_LENGTH
from registry.models import Organization, Registration, RegistrationRequest, User
from tests.api.clients import Program
from tests.conftest import without_triggers
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)
from tests.small_changes import begin
from tests.template.samples import FORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
BY, BY_SA = LICENCES["CC-BY-4.0"], LICENCES["CC-BY-SA-4.0"]
VERSION = "/namespaces/seedbank/versions/1"


@pytest.fixture
def share_alike(settings: Settings) -> None:
    """Ask registrants for CC BY-SA 4.0."""
    settings.REGISTRY_TEXT_LICENCE = BY_SA.identifier


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User, settings: Settings) -> Registration:
    """Version 1 of `seedbank`, submitted under CC BY 4.0 before CC BY-SA 4.0 was asked for."""
    settings.REGISTRY_TEXT_LICENCE = BY_SA.identifier
    workflow.perform(approved, "register", actor=registrar)
    return Registration.objects.get()


def link_to_licence(client: Client, path: str) -> list[str]:
    """Return the licence in the header of a response."""
    return re.findall(r'<([^>]*)>; rel="license"', client.get(path).get("Link", ""))


def test_every_licence_that_can_be_chosen_fits_its_column() -> None:
    assert set(LICENCES) == site_settings.OPEN_LICENCES
    assert max(map(len, LICENCES)) <= MAX_LICENCE_LENGTH


@pytest.mark.usefixtures("share_alike")
def test_page_says_to_what_its_sender_agrees_and_the_round_keeps_it(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    browser, address = sign_in(registrant), f"{draft.get_absolute_url()}send/"
    page = browser.get(address)

    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    browser.post(address, {name: "" if value is None else value for name, value in values.items()})

    words = "By sending the text you agree that everybody may use it under CC BY-SA 4.0."
    assert words in text_of(page)
    assert f'href="{BY_SA.url}"' in page.content.decode()
    assert draft.rounds.get().licence == BY_SA


@pytest.mark.usefixtures("share_alike")
def test_program_is_told_to_what_it_agrees_and_the_round_keeps_it(
    registrant: User, draft: RegistrationRequest
) -> None:
    program = Program.of(registrant)
    offered = {each["verb"]: each for each in program.get(f"{draft.slug}/").json()["verbs"]}

    answer = program.take(
        draft.slug, "submit", edition=program.get(f"{draft.slug}/draft/").json()["edition"]
    )

    assert offered["submit"]["text_licence"] == "CC-BY-SA-4.0"
    assert offered["withdraw"]["text_licence"] is None
    (sent,) = answer.json()["rounds"]
    assert (sent["number"], sent["text_licence"]) == (1, "CC-BY-SA-4.0")


@pytest.mark.usefixtures("share_alike")
def test_description_of_the_api_says_to_what_a_program_agrees(client: Client) -> None:
    paths = client.get("/api/schema/", headers={"accept": "application/json"}).json()["paths"]

    step = paths["/api/v1/requests/{reference}/verbs/{verb}/"]["post"]
    assert "`submit` and `revise` send the text" in step["description"]
    assert f"everybody may use it under [CC BY-SA 4.0]({BY_SA.url})" in step["description"]


def test_version_keeps_the_licence_that_its_registrant_agreed_to(
    registered: Registration, client: Client
) -> None:
    page, linkset = client.get(f"{VERSION}/"), client.get(f"{VERSION}.linkset.json").json()
    graph = client.get(f"{VERSION}.ttl").content.decode()

    assert registered.licence == BY
    assert link_to_licence(client, f"{VERSION}/") == [BY.url]
    assert linkset["linkset"][0]["license"] == [{"href": BY.url}]
    assert f'<a href="{BY.url}" rel="license">CC BY 4.0</a>' in page.content.decode()
    assert client.get(f"{VERSION}.json").json()["text_licence"] == "CC-BY-4.0"
    assert "<text_licence>CC-BY-4.0</text_licence>" in client.get(f"{VERSION}.xml").content.decode()
    assert "CC-BY-4.0" in client.get(f"{VERSION}.csv").content.decode()
    assert f"<{BY.url}>" in graph
    assert BY_SA.url not in graph
    told = client.get("/api/v1/namespaces/seedbank/").json()
    assert told["current"]["text_licence"] == "CC-BY-4.0"
    assert [each["text_licence"] for each in told["versions"]] == ["CC-BY-4.0"]


def test_round_says_which_licence_its_sender_agreed_to(
    registered: Registration, client: Client
) -> None:
    request = registered.registration_request
    places = f"{request.get_absolute_url()}rounds/1"

    page = client.get(f"{request.get_absolute_url()}template/").content.decode()
    assert f'<a href="{BY.url}" rel="license">CC BY 4.0</a>' in page
    assert client.get(f"{places}.json").json()["text_licence"] == "CC-BY-4.0"


def test_text_that_was_sent_before_anybody_was_asked_names_no_licence(
    approved: RegistrationRequest, registrar: User, client: Client
) -> None:
    with without_triggers():
        approved.rounds.update(text_licence="")

    workflow.perform(approved, "register", actor=registrar)

    page = client.get(f"{VERSION}/")
    assert page.status_code == 200
    assert link_to_licence(client, f"{VERSION}/") == []
    assert "license" not in client.get(f"{VERSION}.linkset.json").json()["linkset"][0]
    assert "Licence of the text" not in text_of(page)
    assert client.get(f"{VERSION}.json").json()["text_licence"] is None
    assert "text_licence" not in client.get(f"{VERSION}.xml").content.decode()


def test_change_of_facts_asks_for_no_text_licence(
    sign_in: SignIn, registrant: User, organization: Organization
) -> None:
    let_speak_for(organization, registrant)
    namespace = NamespaceFactory.create(nid="seedbank", registrant=organization, contact="Old")
    asked = begin(namespace, ChangeKind.CONTACT, registrant)
    page = sign_in(registrant).get(f"{asked.get_absolute_url()}send/")

    workflow.perform(asked, "submit", actor=registrant)

    assert page.status_code == 200
    assert "you agree" not in text_of(page)
    assert asked.rounds.get().text_licence == ""


def test_next_round_is_under_what_is_asked_for_when_it_is_sent(
    in_review: RegistrationRequest, expert: User, registrant: User, settings: Settings
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    settings.REGISTRY_TEXT_LICENCE = BY_SA.identifier
    draft = in_review.draft
    assert draft is not None
    assert draft.text_licence == ""
    draft.template = FORMAL.replace(purpose=f"{FORMAL.purpose}\n\nAnd of those to come.")
    draft.save()

    workflow.perform(in_review, "submit", actor=registrant)

    assert [each.text_licence for each in in_review.rounds.all()] == ["CC-BY-4.0", "CC-BY-SA-4.0"]
