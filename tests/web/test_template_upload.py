"""Uploading a template: nothing is written before confirmation, and nothing is lost."""

from __future__ import annotations

import re
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
from registry.template import FIELDS, Template, kramdown, rfcxml, write
from registry.workflow import drafts
from tests.factories import PASSWORD, start
from tests.template.samples import FORMAL
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
OLD = (FilePath(__file__).parent.parent / "template/fixtures/older_numbered.txt").read_text("utf-8")
BEGIN = "/requests/new/template/"
# Of the template in the file.
SCOPE = "Scope: Redclay and its customers."
THANKS = "Thanks to everyone who fired a kiln."
POTTERS = "Potters' Assembly of Redclay"


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


def test_reading_is_shown_before_anything_is_written(
    browser: Client, blank: RegistrationRequest
) -> None:
    before = text_now(blank)

    page = browser.post(address(blank), {"text": OLD}, follow=True)

    notes = text_of(page)
    assert "Purpose From “Scope”, line" in notes
    assert "belongs to no template" in notes
    assert text_now(blank) == before


def test_confirmed_fields_are_written_and_the_rest_kept(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": OLD}, follow=True)

    done = browser.post(address(blank), {**answers(page), "confirm": "1"})

    text = text_now(blank)
    assert done["Location"] == reverse("requests:send", args=[blank.slug])
    assert text.purpose == SCOPE
    assert text.resolution == "Not intended."
    assert THANKS in text.additional_information
    assert (text.version, text.date) == ("", "")


def test_letter_around_a_template_is_shown_and_stays_out_of_the_draft(
    browser: Client, blank: RegistrationRequest
) -> None:
    letter = f"From: Kai <kai@redclay.example>\nSubject: Re: kilnmark\n\nHere it is.\n\n{OLD}"
    page = browser.post(address(blank), {"text": letter}, follow=True)

    browser.post(address(blank), {**answers(page), "confirm": "1"})

    assert "kai@redclay.example" in text_of(page)
    assert text_now(blank).resolution == "Not intended."
    assert "Kai" not in text_now(blank).additional_information


def test_field_that_is_not_chosen_stays_as_it_is(
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


def test_grammar_and_examples_in_the_text_are_moved_to_their_fields(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": WITH_GRAMMAR}, follow=True)

    browser.post(address(blank), {**answers(page), "confirm": "1"})

    text = text_now(blank)
    rules = ['mark = year ":" 1*3ALPHA', "year = 4DIGIT"]
    assert (text.grammar_kind, text.grammar.splitlines()) == ("abnf", rules)
    assert text.examples == ("urn:kilnmark:1912:ab",)
    lines = WITH_GRAMMAR.splitlines()
    assert text.syntax.split("\n\n") == [lines[number].strip() for number in (3, 8, 10)]


def test_grammar_that_is_not_taken_stays_in_the_text_of_syntax(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": WITH_GRAMMAR}, follow=True)
    chosen = answers(page)
    del chosen["take-grammar"]

    browser.post(address(blank), {**chosen, "confirm": "1"})

    text = text_now(blank)
    assert (text.grammar_kind, text.grammar) == ("", "")
    assert 'mark = year ":" 1*3ALPHA' in text.syntax


def test_rule_that_is_left_out_is_quoted_at_the_field_of_the_grammar(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": WITH_GRAMMAR}, follow=True)

    grammar = re.search(r'<section[^>]*"field-grammar">.*?</section>', page.content.decode(), re.S)
    assert grammar
    assert "Left out, line 11: “odd-rule = ( year”." in grammar[0]


def test_rule_that_cannot_be_read_is_shown_with_the_place(
    browser: Client, blank: RegistrationRequest
) -> None:
    broken = 'Namespace Identifier: kilnmark\n\nSyntax:\n   odd-rule = ( "a" year\n'

    page = browser.post(address(blank), {"text": broken}, follow=True)

    assert "(line 1, column 12)" in text_of(page)
    assert "take-grammar" not in page.context["form"].fields


@pytest.mark.parametrize("write_as", [rfcxml, kramdown])
@pytest.mark.parametrize("by_file", [False, True], ids=["pasted", "as a file"])
def test_formats_that_the_registry_writes_fill_every_field(
    browser: Client, blank: RegistrationRequest, write_as: Callable[[Template], str], by_file: bool
) -> None:
    whole = FORMAL.replace(nid="kilnmark", revision_information="None.")
    octets = write_as(whole).encode()
    file = SimpleUploadedFile("registration", octets, "application/octet-stream")
    page = browser.post(
        address(blank), {"file": file} if by_file else {"text": octets.decode()}, follow=True
    )

    browser.post(address(blank), {**answers(page), "confirm": "1"})

    text = text_now(blank)
    registry_fields = {"version", "date"}
    assert [each.name for each in FIELDS if not text[each.name]] == [
        each.name for each in FIELDS if each.name in registry_fields
    ]
    assert text.grammar
    assert "URN Namespace Registration" not in text.additional_information


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
def test_reference_to_a_section_is_replaced_by_its_text_on_demand(
    browser: Client, blank: RegistrationRequest, chosen: dict[str, str], purpose: str
) -> None:
    page = browser.post(address(blank), {"text": REFERRING}, follow=True)
    assert "“Introduction”, lines 1 to 3" in text_of(page)

    browser.post(address(blank), {**answers(page), **chosen, "confirm": "1"})

    assert text_now(blank).purpose == purpose


def test_draft_that_was_saved_meanwhile_is_not_overwritten(
    browser: Client, blank: RegistrationRequest
) -> None:
    page = browser.post(address(blank), {"text": OLD}, follow=True)
    draft = blank.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "Written by hand."}, seen=draft.edition)

    refused = browser.post(address(blank), {**answers(page), "confirm": "1"})

    assert refused.status_code == 409
    assert text_now(blank).purpose == "Written by hand."
    assert browser.post(address(blank), {**answers(refused), "confirm": "1"}).status_code == 302


@pytest.mark.parametrize(
    ("octets", "field", "code", "words"),
    [
        pytest.param(b"%PDF-1.7 x", "file", "format", "PDF", id="pdf"),
        pytest.param(b"a\x00b", "file", "format", "", id="binary"),
        pytest.param(b"x" * 600_000, "file", "too_long", "600 kB", id="too-long"),
        pytest.param(b" ", "text", "required", "", id="empty"),
    ],
)
def test_file_that_cannot_be_read_is_refused_beside_its_field_and_the_text_kept(
    browser: Client, blank: RegistrationRequest, octets: bytes, field: str, code: str, words: str
) -> None:
    file = SimpleUploadedFile("template.txt", octets)

    page = browser.post(address(blank), {"text": " kept ", "file": file})

    ((name, (error,)),) = page.context["form"].errors.items()
    assert (name, error_codes(page, name)) == (field, [code])
    assert words in error
    assert page.context["form"]["text"].value() == " kept "


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_file_is_read_in_the_encodings_that_people_have(
    browser: Client, blank: RegistrationRequest, encoding: str
) -> None:
    text = "Namespace Identifier: kilnmark\n\nPurpose:\n   Céramique.\n"
    file = SimpleUploadedFile("template.txt", text.encode(encoding))

    page = browser.post(address(blank), {"text": "", "file": file}, follow=True)

    assert page.context["brought"].reading.template.purpose.strip() == "Céramique."
    assert ("Windows-1252" in text_of(page)) is (encoding == "cp1252")


def test_text_beyond_what_the_server_reads_is_refused_on_the_page(
    browser: Client, blank: RegistrationRequest, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000

    page = browser.post(address(blank), {"text": "a" * 20_000})

    assert error_codes(page, "text") == ["too_long"]


def test_forged_form_is_refused(registrant: User, blank: RegistrationRequest) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(registrant)

    assert browser.post(address(blank), {"text": OLD}).status_code == 403


def test_template_brought_to_the_start_answers_questions(
    browser: Client,
) -> None:
    page = browser.post(BEGIN, {"text": OLD}, follow=True)
    form = page.context["form"]
    assert (form["nid"].value(), form["organization"].value()) == ("kilnmark", POTTERS)
    typed = {name: form[name].value() or "" for name in form.fields}

    started = browser.post("/requests/new/", {**typed, "summary": "Marks of kilns"}, follow=True)

    assert started.redirect_chain[-1][0].endswith("/paste/")
    assert "Purpose From “Scope”, line" in text_of(started)


def test_template_brought_before_signing_in_is_kept(client: Client, registrant: User) -> None:
    client.post(BEGIN, {"text": OLD})
    client.post("/accounts/sign-in/", {"login": registrant.email, "password": PASSWORD})

    page = client.get("/requests/new/")

    assert page.context["found"] == (8, 13)


def test_template_of_an_open_draft_is_kept_while_signing_in(
    client: Client, registrant: User, blank: RegistrationRequest
) -> None:
    to_sign_in = client.post(address(blank), {"text": OLD})
    client.post(to_sign_in["Location"], {"login": registrant.email, "password": PASSWORD})

    page = client.get(address(blank))

    assert page.context["brought"].reading.template.nid == "kilnmark"


def test_template_can_be_left_out_again(browser: Client) -> None:
    browser.post(BEGIN, {"text": OLD})

    page = browser.post(BEGIN, {"discard": "1"}, follow=True)

    assert page.context["found"] is None


def test_draft_of_another_takes_no_template(
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
def test_round_has_an_address_as_a_file(
    client: Client, in_review: RegistrationRequest, form: str, media_type: str
) -> None:
    path = f"/requests/{in_review.slug}/rounds/1.{form}"

    first, second = client.get(path), client.get(path)

    assert first["Content-Type"] == media_type
    assert f'filename="{in_review.slug}-round-1.{form}"' in first["Content-Disposition"]
    assert first.content == second.content
    assert "seedbank" in first.content.decode()
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_plain_text_of_a_round_is_the_one_whose_hash_is_published(
    client: Client, in_review: RegistrationRequest
) -> None:
    last = in_review.last_round
    assert last is not None

    response = client.get(f"/requests/{in_review.slug}/rounds/1.txt")

    assert response.content.decode() == write(last.template)


@pytest.mark.parametrize("form", ["txt", "md", "rfc.xml"])
def test_version_and_namespace_have_addresses_as_files(
    client: Client, approved: RegistrationRequest, registrar: User, form: str
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    current = client.get(f"/namespaces/seedbank.{form}")
    version = client.get(f"/namespaces/seedbank/versions/1.{form}")

    assert current.content == version.content != b""
    assert client.get(f"/namespaces/SEEDBANK.{form}")["Location"] == f"/namespaces/seedbank.{form}"
    assert client.get(f"/namespaces/seedbank/versions/2.{form}").status_code == 404


def test_draft_is_a_file_for_those_who_write_it_alone(
    browser: Client, sign_in: SignIn, outsider: User, draft: RegistrationRequest
) -> None:
    path = f"/requests/{draft.slug}/preview.txt"

    assert browser.get(path).content.decode() == write(text_now(draft))
    assert sign_in(outsider).get(path).status_code == 404
    assert Client().get(f"/requests/{draft.slug}/rounds/1.txt").status_code == 404
