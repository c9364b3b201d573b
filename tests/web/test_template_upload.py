"""Uploading a template: nothing is written before confirmation, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from registry import workflow
from registry.enums import RequestPath
from registry.models import Organization, RegistrationRequest, User
from registry.template import Template, write
from registry.workflow import drafts
from tests.factories import PASSWORD, start
from tests.template.samples import FORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
OLD = (FilePath(__file__).parent.parent / "template/fixtures/older_numbered.txt").read_text("utf-8")
BEGIN = "/requests/new/template/"


@pytest.fixture
def browser(sign_in: SignIn, registrant: User) -> Client:
    return sign_in(registrant)


@pytest.fixture
def blank(registrant: User, organization: Organization) -> RegistrationRequest:
    """A request for `kilnmark` on which nothing else is written."""
    return start(registrant, organization, Template(nid="kilnmark"), RequestPath.COMMUNITY)


def address(registration_request: RegistrationRequest) -> str:
    return reverse("requests:paste", args=[registration_request.slug])


def text_now(registration_request: RegistrationRequest) -> Template:
    draft = registration_request.draft
    assert draft is not None
    return draft.template


def answers(page: Any) -> dict[str, object]:
    """Return what the confirmation page would send without changes."""
    form = page.context["form"]
    values = {form.add_prefix(name): form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value is not False}


def test_what_was_understood_is_shown_before_anything_is_written(
    browser: Client, blank: RegistrationRequest
) -> None:
    before = text_now(blank)

    page = browser.post(address(blank), {"text": OLD}, follow=True)

    assert "“Scope” is a field of the older template; RFC 8141 has its content under Purpose." in (
        text_of(page)
    )
    assert "This section belongs to no template." in text_of(page)
    assert text_now(blank) == before


def test_what_is_confirmed_is_written_and_what_is_left_over_kept(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": OLD}, follow=True)

    done = browser.post(address(blank), {**answers(page), "confirm": "1"})

    text = text_now(blank)
    assert done["Location"] == reverse("requests:send", args=[blank.slug])
    assert text.purpose == "Scope: Redclay and its customers."
    assert text.resolution == "Not intended."
    assert "Thanks to everyone who fired a kiln." in text.additional_information
    assert (text.version, text.date) == ("", "")


def test_the_letter_around_a_template_is_shown_and_stays_out_of_the_draft(
    browser: Client, blank: RegistrationRequest
) -> None:
    letter = f"From: Kai <kai@redclay.example>\nSubject: Re: kilnmark\n\nHere it is.\n\n{OLD}"
    page = browser.post(address(blank), {"text": letter}, follow=True)

    browser.post(address(blank), {**answers(page), "confirm": "1"})

    assert "kai@redclay.example" in text_of(page)
    assert text_now(blank).resolution == "Not intended."
    assert "Kai" not in text_now(blank).additional_information


def test_a_field_that_is_not_chosen_stays_as_it_is(
    browser: Client, draft: RegistrationRequest
) -> None:
    other = FORMAL.replace(purpose="Another purpose.", resolution="Another resolution.")
    page = browser.post(address(draft), {"text": write(other)}, follow=True)
    chosen = answers(page)
    del chosen["take-purpose"]

    browser.post(address(draft), {**chosen, "confirm": "1"})

    text = text_now(draft)
    assert (text.purpose, text.resolution) == (FORMAL.purpose, "Another resolution.")


WITH_GRAMMAR = """\
Namespace Identifier: kilnmark

Syntax:
   Marks have a year and letters.

   year = 4DIGIT
   mark = year ":" 1*3ALPHA

   One of them is urn:kilnmark:1912:ab.

   odd-rule = ( year
"""


def test_a_grammar_and_examples_in_the_text_are_moved_to_their_fields(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": WITH_GRAMMAR}, follow=True)

    browser.post(address(blank), {**answers(page), "confirm": "1"})

    text = text_now(blank)
    assert (text.grammar_kind, text.grammar) == (
        "abnf",
        'mark = year ":" 1*3ALPHA\nyear = 4DIGIT',
    )
    assert text.examples == ("urn:kilnmark:1912:ab",)
    assert text.syntax == (
        "Marks have a year and letters.\n\nOne of them is urn:kilnmark:1912:ab.\n\n"
        "odd-rule = ( year"
    )


def test_a_grammar_that_is_not_taken_stays_in_the_text_of_syntax(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": WITH_GRAMMAR}, follow=True)
    chosen = answers(page)
    del chosen["take-grammar"]

    browser.post(address(blank), {**chosen, "confirm": "1"})

    text = text_now(blank)
    assert (text.grammar_kind, text.grammar) == ("", "")
    assert 'mark = year ":" 1*3ALPHA' in text.syntax


def test_a_rule_that_cannot_be_read_is_shown_with_the_reason(
    browser: Client, blank: RegistrationRequest
) -> None:
    broken = 'Namespace Identifier: kilnmark\n\nSyntax:\n   odd-rule = ( "a" year\n'

    page = browser.post(address(blank), {"text": broken}, follow=True)

    assert "A rule that was not understood" in text_of(page)
    assert "“(” is not closed (line 1, column 12)." in text_of(page)
    assert "take-grammar" not in page.context["form"].fields


REFERRING = """\
1.  Introduction

   Kilns are marked by those who fire them.

2.  Registration

   Namespace Identifier: kilnmark

   Purpose: See Section 1.

   Resolution: None.
"""


@pytest.mark.parametrize(
    ("chosen", "purpose"),
    [
        ({}, "See Section 1."),
        ({"section-purpose": "on"}, "Kilns are marked by those who fire them."),
    ],
)
def test_the_text_of_a_section_takes_the_place_of_the_reference_to_it_on_demand(
    browser: Client, blank: RegistrationRequest, chosen: dict[str, str], purpose: str
) -> None:
    page = browser.post(address(blank), {"text": REFERRING}, follow=True)
    assert "It refers to “Introduction”, lines 1 to 3 of the text" in text_of(page)

    browser.post(address(blank), {**answers(page), **chosen, "confirm": "1"})

    assert text_now(blank).purpose == purpose


def test_a_draft_that_was_saved_meanwhile_is_not_written_over(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": OLD}, follow=True)
    draft = blank.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "Written by hand."}, seen=draft.edition)

    refused = browser.post(address(blank), {**answers(page), "confirm": "1"})

    assert refused.status_code == 409
    assert "The draft was changed meanwhile" in text_of(refused)
    assert text_now(blank).purpose == "Written by hand."
    assert browser.post(address(blank), {**answers(refused), "confirm": "1"}).status_code == 302


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        pytest.param(b"%PDF-1.7 x", "The file is not plain text but PDF.", id="pdf"),
        pytest.param(b"a\x00b", "The file is not plain text.", id="binary"),
        pytest.param(b"x" * 600_000, "That is 600 kB; 500 kB is the most.", id="too-long"),
        pytest.param(b" ", "Paste the text of a template, or choose a file.", id="empty"),
    ],
)
def test_what_cannot_be_read_is_said_beside_the_field_and_the_text_kept(
    browser: Client, blank: RegistrationRequest, octets: bytes, words: str
) -> None:
    file = SimpleUploadedFile("template.txt", octets)

    page = browser.post(address(blank), {"text": " kept ", "file": file})

    errors = [error for each in page.context["form"].errors.values() for error in each]
    assert [error[: len(words)] for error in errors] == [words]
    assert page.context["form"]["text"].value() == " kept "


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_the_encodings_that_people_have(
    browser: Client, blank: RegistrationRequest, encoding: str
) -> None:
    text = "Namespace Identifier: kilnmark\n\nPurpose:\n   Céramique.\n"
    file = SimpleUploadedFile("template.txt", text.encode(encoding))

    page = browser.post(address(blank), {"text": "", "file": file}, follow=True)

    assert page.context["brought"].reading.template.purpose.strip() == "Céramique."
    assert ("was read as Windows-1252" in text_of(page)) is (encoding == "cp1252")


def test_more_than_is_read_at_all_is_refused_on_the_page(
    browser: Client, blank: RegistrationRequest, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000

    page = browser.post(address(blank), {"text": "a" * 20_000})

    assert "That is more text than can be sent at once." in text_of(page)


def test_a_forged_form_is_refused(registrant: User, blank: RegistrationRequest) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(registrant)

    assert browser.post(address(blank), {"text": OLD}).status_code == 403


def test_a_template_brought_to_the_start_answers_questions_and_goes_into_the_draft(
    browser: Client,
) -> None:
    page = browser.post(BEGIN, {"text": OLD}, follow=True)
    form = page.context["form"]
    assert (form["nid"].value(), form["organization"].value()) == (
        "kilnmark",
        "Potters' Assembly of Redclay",
    )
    typed = {name: form[name].value() or "" for name in form.fields}

    started = browser.post("/requests/new/", {**typed, "summary": "Marks of kilns"}, follow=True)

    assert started.redirect_chain[-1][0].endswith("/paste/")
    assert "RFC 8141 has its content under Purpose." in text_of(started)


def test_a_template_brought_by_nobody_survives_the_sign_in(
    client: Client, registrant: User
) -> None:
    client.post(BEGIN, {"text": OLD})
    client.post("/accounts/sign-in/", {"login": registrant.email, "password": PASSWORD})

    page = client.get("/requests/new/")

    assert page.context["found"] == (8, 13)


def test_a_template_of_an_open_draft_survives_the_sign_in(
    client: Client, registrant: User, blank: RegistrationRequest
) -> None:
    to_sign_in = client.post(address(blank), {"text": OLD})
    client.post(to_sign_in["Location"], {"login": registrant.email, "password": PASSWORD})

    page = client.get(address(blank))

    assert page.context["brought"].reading.template.nid == "kilnmark"


def test_a_template_can_be_left_out_again(browser: Client) -> None:
    browser.post(BEGIN, {"text": OLD})

    page = browser.post(BEGIN, {"discard": "1"}, follow=True)

    assert page.context["found"] is None


def test_nobody_pastes_into_the_draft_of_another(
    sign_in: SignIn, outsider: User, blank: RegistrationRequest
) -> None:
    assert sign_in(outsider).post(address(blank), {"text": OLD}).status_code == 404


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("txt", "text/plain; charset=utf-8"),
        ("md", "text/markdown; charset=utf-8; variant=kramdown-rfc2629"),
        ("rfc.xml", "application/xml; charset=utf-8"),
    ],
)
def test_a_round_has_an_address_as_a_file(
    client: Client, in_review: RegistrationRequest, form: str, media_type: str
) -> None:
    path = f"/requests/{in_review.slug}/rounds/1.{form}"

    first, second = client.get(path), client.get(path)

    assert first["Content-Type"] == media_type
    assert f'filename="{in_review.slug}-round-1.{form}"' in first["Content-Disposition"]
    assert first.content == second.content
    assert "seedbank" in first.content.decode()
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_plain_text_of_a_round_is_the_one_whose_hash_is_published(
    client: Client, in_review: RegistrationRequest
) -> None:
    last = in_review.last_round
    assert last is not None

    response = client.get(f"/requests/{in_review.slug}/rounds/1.txt")

    assert response.content.decode() == write(last.template)


@pytest.mark.parametrize("form", ["txt", "md", "rfc.xml"])
def test_a_version_has_an_address_as_a_file_and_the_namespace_the_one_in_force(
    client: Client, approved: RegistrationRequest, registrar: User, form: str
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    current = client.get(f"/namespaces/seedbank.{form}")
    version = client.get(f"/namespaces/seedbank/versions/1.{form}")

    assert current.content == version.content != b""
    assert client.get(f"/namespaces/SEEDBANK.{form}")["Location"] == f"/namespaces/seedbank.{form}"
    assert client.get(f"/namespaces/seedbank/versions/2.{form}").status_code == 404


def test_a_draft_is_a_file_for_those_who_write_it_alone(
    browser: Client, sign_in: SignIn, outsider: User, draft: RegistrationRequest
) -> None:
    path = f"/requests/{draft.slug}/preview.txt"

    assert browser.get(path).content.decode() == write(text_now(draft))
    assert sign_in(outsider).get(path).status_code == 404
    assert Client().get(f"/requests/{draft.slug}/rounds/1.txt").status_code == 404
