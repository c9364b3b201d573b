"""The editor: eleven pages made from one definition, and nothing typed is ever lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from registry import workflow
from registry.enums import RequestPath, State
from registry.models import Organization, RegistrationRequest, Round, User
from registry.template import LONGEST, PAGES, field, write
from registry.workflow import drafts
from tests.factories import (
    PASSWORD,
    NamespaceFactory,
    let_speak_for,
)
from tests.template.samples import FORMAL, REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
SELF = {"X-Autosave": "1"}
BELL = "Numbers rise.\nNone is\x07 used again."
BELL_ERROR = "There is a control character (U+0007) in line 2, column 8. Delete it."


def address(registration_request: RegistrationRequest, section: str = "assignment") -> str:
    return reverse("requests:edit", args=[registration_request.slug, section])


def draft_now(registration_request: RegistrationRequest) -> Round:
    draft = RegistrationRequest.objects.get(pk=registration_request.pk).draft
    assert draft is not None
    return draft


def opened(browser: Client, url: str) -> dict[str, str]:
    """Return what the form on the page would send if nothing were typed."""
    form = browser.get(url).context["form"]
    return {name: form[name].value() for name in form.fields}


@pytest.fixture
def browser(sign_in: SignIn, registrant: User) -> Client:
    return sign_in(registrant)


# Who can see a draft


@pytest.mark.parametrize("page", ["edit/purpose/", "preview/", "preview/?format=txt", "send/", ""])
def test_draft_of_others_is_not_found(
    sign_in: SignIn,
    registrant: User,
    outsider: User,
    expert: User,
    draft: RegistrationRequest,
    page: str,
) -> None:
    url = draft.get_absolute_url() + page

    assert sign_in(registrant).get(url).status_code == 200
    assert [sign_in(other).get(url).status_code for other in (outsider, expert)] == [404, 404]


def test_stranger_cannot_write_into_a_draft(
    sign_in: SignIn, registrant: User, outsider: User, draft: RegistrationRequest
) -> None:
    typed = opened(sign_in(registrant), address(draft)) | {"assignment": "Mine now."}

    response = sign_in(outsider).post(address(draft), typed)

    assert response.status_code == 404
    assert draft_now(draft).template == FORMAL


def test_delegates_and_co_editors_write_too(
    sign_in: SignIn, outsider: User, expert: User, draft: RegistrationRequest
) -> None:
    let_speak_for(draft.organization, outsider)
    draft.co_editors.add(expert)

    for person in (outsider, expert):
        browser = sign_in(person)
        text = f"Written by {person}."
        browser.post(address(draft), opened(browser, address(draft)) | {"assignment": text})

        assert draft_now(draft).template["assignment"] == text


def test_unknown_section_is_not_found(browser: Client, draft: RegistrationRequest) -> None:
    assert browser.get(address(draft, "purpose")).status_code == 200
    assert browser.get(address(draft, "purposes")).status_code == 404


# What a page shows


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_every_page_shows_its_fields_with_guidance_and_what_is_left(
    browser: Client, draft: RegistrationRequest, page: Any
) -> None:
    response = browser.get(address(draft, page.slug))

    words = text_of(response)
    for name in page.fields:
        assert field(name).label in words
        assert field(name).guidance[-1] in words
        assert field(name).source in words
    assert (response.context["done"], response.context["required"]) == (9, 9)
    assert "9 of 9" in words
    assert [each.title for each in response.context["sections"]] == [each.title for each in PAGES]
    assert [each.title for each in response.context["sections"] if each.current] == [page.title]


@pytest.mark.whole
def test_pages_follow_one_another_to_the_end(browser: Client, draft: RegistrationRequest) -> None:
    def go(section: str, where: str) -> str:
        url = address(draft, section)
        return str(browser.post(url, opened(browser, url) | {"go": where}).headers["Location"])

    forwards = [go(page.slug, "next") for page in PAGES]
    backwards = [go(page.slug, "previous") for page in PAGES]

    pages = [address(draft, page.slug) for page in PAGES]
    assert forwards == [*pages[1:], reverse("requests:send", args=[draft.slug])]
    assert backwards == [pages[0], *pages[:-1]]


def test_version_and_date_are_shown_and_never_typed(
    browser: Client, draft: RegistrationRequest
) -> None:
    url = address(draft, "identifier")

    browser.post(url, opened(browser, url) | {"version": "7", "date": "1999-01-01"})

    page = browser.get(url)
    assert "Version 1" in text_of(page)
    assert not {"version", "date"} & {*page.context["form"].fields}
    assert (draft_now(draft).template["version"], draft_now(draft).template["date"]) == ("", "")


def test_informal_request_keeps_its_placeholder(
    browser: Client, informal_draft: RegistrationRequest
) -> None:
    url = address(informal_draft, "identifier")

    browser.post(url, opened(browser, url) | {"nid": "chosen"})

    assert "urn-N" in text_of(browser.get(url))
    assert draft_now(informal_draft).template["nid"] == "urn-N"


def test_revision_keeps_its_identifier_and_counts_on(
    browser: Client, registrant: User, organization: Organization
) -> None:
    namespace = NamespaceFactory.create(nid="seedbank", last_known_version="3")
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=namespace,
    )

    response = browser.get(address(revision, "identifier"))

    assert list(response.context["form"].fields) == ["seen"]
    assert "Version 4" in text_of(response)


def test_formal_identifier_is_judged_on_its_page_and_may_be_changed(
    browser: Client, draft: RegistrationRequest
) -> None:
    url = address(draft, "identifier")

    browser.post(url, opened(browser, url) | {"nid": "no-seedbank"})
    judged = browser.get(url)
    browser.post(url, opened(browser, url) | {"try": "noseedbank"})

    verdict = judged.context["verdict"]
    assert (verdict.nid, verdict.is_possible) == ("no-seedbank", False)
    assert '<button class="btn btn-sm btn-outline-secondary mono" name="try"' in (
        judged.content.decode()
    )
    assert RegistrationRequest.objects.get().nid == "noseedbank"
    assert draft_now(draft).template["nid"] == "noseedbank"


def test_syntax_page_keeps_rule_examples_and_prior_use(
    browser: Client, draft: RegistrationRequest
) -> None:
    url = address(draft, "syntax")
    typed = {
        "syntax": "  An indented line.\r\nAnother.",
        "grammar_kind": "regex",
        "grammar": "[A-Z]{3}",
        "examples": "urn:seedbank:ABC\r\n\r\n urn:seedbank:DEF ",
        "counter_examples": "urn:seedbank:abc",
        "prior_use": "None.",
    }

    browser.post(url, opened(browser, url) | typed)

    assert draft_now(draft).template == FORMAL.replace(
        **typed | {"examples": ["urn:seedbank:ABC", "urn:seedbank:DEF"]}
    )


def test_remarks_of_the_reviewers_stand_beside_the_text(
    browser: Client, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Who joins?")

    words = text_of(browser.get(address(in_review)))

    assert "Ede Expert. Who joins?" in words
    assert "Changes since round 1" in words


def test_checks_beside_the_text_follow_typing_and_save_nothing(
    browser: Client, draft: RegistrationRequest
) -> None:
    typed = opened(browser, address(draft)) | {"assignment": "TBD"}

    response = browser.post(address(draft), typed, headers={"HX-Request": "true"})

    assert [finding.check for finding in response.context["findings"]] == ["placeholder.left"]
    assert response.context["findings"][0].message in text_of(response)
    assert draft_now(draft).template == FORMAL


# Autosaving


def test_autosave_answers_with_the_edition_it_saved(
    browser: Client, draft: RegistrationRequest
) -> None:
    typed = opened(browser, address(draft))

    first = browser.post(address(draft), typed | {"assignment": "One."}, headers=SELF).json()
    typed["seen"] = first["seen"]
    second = browser.post(address(draft), typed | {"assignment": "Two."}, headers=SELF).json()

    now = draft_now(draft)
    assert now.template["assignment"] == "Two."
    assert first["seen"] != second["seen"]
    assert second == {"saved_at": f"{now.saved_at:%H:%M}", "seen": second["seen"]}


def test_autosave_answers_with_the_errors(browser: Client, draft: RegistrationRequest) -> None:
    typed = opened(browser, address(draft)) | {"assignment": BELL}

    response = browser.post(address(draft), typed, headers=SELF)

    assert (response.status_code, response.json()) == (422, {"message": BELL_ERROR})
    assert draft_now(draft).template == FORMAL


def test_autosave_of_a_signed_out_page_is_refused(
    client: Client, browser: Client, draft: RegistrationRequest
) -> None:
    typed = opened(browser, address(draft)) | {"assignment": "Lost?"}

    response = client.post(address(draft), typed, headers=SELF)

    assert (response.status_code, list(response.json())) == (401, ["message"])
    assert draft_now(draft).template == FORMAL


# What cannot be stored


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        (BELL, BELL_ERROR),
        (
            "a\x00b",
            "There is a control character (U+0000) in line 1, column 2. Delete it.",
        ),
        (
            "line\n" + "x" * LONGEST,
            "The text has 100,005 characters; the limit of 100,000 is reached in line "
            "2, column 99995."
            " Shorten it.",
        ),
    ],
    ids=["bell", "nul", "over-long"],
)
def test_text_that_cannot_be_kept_is_refused_beside_the_field_and_stays_there(
    browser: Client, draft: RegistrationRequest, typed: str, error: str
) -> None:
    response = browser.post(address(draft), opened(browser, address(draft)) | {"assignment": typed})

    assert response.context["form"].errors == {"assignment": [error]}
    assert response.context["form"]["assignment"].value() == typed
    assert text_of(response).count(error) == 2
    assert draft_now(draft).template == FORMAL


def test_markup_in_a_draft_is_text(browser: Client, draft: RegistrationRequest) -> None:
    hostile = "</textarea><script>alert(1)</script>"

    browser.post(address(draft), opened(browser, address(draft)) | {"assignment": hostile})

    for page in (address(draft), f"{draft.get_absolute_url()}preview/"):
        assert "<script>alert(1)" not in browser.get(page).content.decode()
    assert draft_now(draft).template["assignment"] == hostile


@pytest.mark.parametrize("seen", ["", "7", "-1-0123456789abcdef", "0-xyz", "9" * 40])
def test_damaged_form_is_refused(browser: Client, draft: RegistrationRequest, seen: str) -> None:
    response = browser.post(address(draft), {"seen": seen, "assignment": "New."})

    assert list(response.context["form"].errors) == ["seen"]
    assert draft_now(draft).template == FORMAL


# Two windows


@pytest.fixture
def overtaken(browser: Client, draft: RegistrationRequest) -> dict[str, str]:
    """What a window would send whose page was saved from another one meanwhile."""
    typed = opened(browser, address(draft))
    browser.post(address(draft), typed | {"assignment": "Theirs."})
    return typed | {"assignment": "Mine.", "go": "next"}


def test_second_of_two_windows_is_shown_both_texts(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    response = browser.post(address(draft), overtaken)

    assert response.status_code == 409
    (section,) = response.context["differences"]
    assert [(row.was[0].text, row.now[0].text) for row in section.rows] == [("Theirs.", "Mine.")]
    assert draft_now(draft).template["assignment"] == "Theirs."


def hidden(response: Any) -> dict[str, str]:
    """Return what the page with both texts sends, whichever button is pressed."""
    form = response.context["form"]
    return {name: form[name].value() for name in form.fields} | {"go": response.context["go"]}


def test_second_writer_may_use_their_own_text(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    both = browser.post(address(draft), overtaken)

    response = browser.post(address(draft), hidden(both))

    assert response.headers["Location"] == address(draft, "security-and-privacy")
    assert draft_now(draft).template["assignment"] == "Mine."


def test_second_writer_may_keep_the_text_of_the_other(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    both = browser.post(address(draft), overtaken)

    response = browser.post(address(draft), hidden(both) | {"theirs": "1"})

    assert response.headers["Location"] == address(draft)
    assert draft_now(draft).template["assignment"] == "Theirs."


def test_second_writer_may_edit_by_hand(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    both = browser.post(address(draft), overtaken)

    page = browser.post(address(draft), hidden(both) | {"by_hand": "1"})
    form = page.context["form"]
    merged = {"seen": form["seen"].value(), "assignment": "Theirs. Mine."}
    browser.post(address(draft), merged)

    assert form["assignment"].value() == "Mine."
    assert draft_now(draft).template["assignment"] == "Theirs. Mine."


def test_autosave_of_the_second_window_leads_to_both_texts(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    told = browser.post(address(draft), overtaken, headers=SELF)

    both = browser.get(told.json()["compare"])

    assert (told.status_code, both.status_code) == (409, 409)
    assert both.context["form"]["assignment"].value() == "Mine."


def test_another_page_of_the_draft_is_no_conflict(
    browser: Client, draft: RegistrationRequest
) -> None:
    here, there = opened(browser, address(draft)), opened(browser, address(draft, "purpose"))

    browser.post(address(draft), here | {"assignment": "One."})
    response = browser.post(address(draft, "purpose"), there | {"purpose": "Two."})

    assert response.status_code == 302
    assert draft_now(draft).template == FORMAL.replace(assignment="One.", purpose="Two.")


def test_same_text_twice_is_no_conflict(
    browser: Client, draft: RegistrationRequest, overtaken: dict[str, str]
) -> None:
    response = browser.post(address(draft), overtaken | {"assignment": "Theirs."})

    assert response.status_code == 302


# Signed out, or too late


def test_text_typed_while_signed_out_is_there_after_signing_in(
    client: Client, registrant: User, draft: RegistrationRequest
) -> None:
    client.force_login(registrant)
    typed = opened(client, address(draft)) | {"assignment": "Typed in vain?"}
    client.logout()

    to_sign_in = client.post(address(draft), typed)
    back = client.post(
        to_sign_in.headers["Location"], {"login": registrant.email, "password": PASSWORD}
    )
    page = client.get(back.headers["Location"])

    assert back.headers["Location"] == address(draft)
    assert page.context["form"]["assignment"].value() == "Typed in vain?"
    assert 'name="theirs"' in page.content.decode()
    assert draft_now(draft).template == FORMAL

    client.post(address(draft), {name: typed[name] for name in ("seen", "assignment")})
    assert draft_now(draft).template["assignment"] == "Typed in vain?"
    assert 'name="theirs"' not in client.get(address(draft)).content.decode()


def test_text_for_a_round_sent_meanwhile_is_given_back(
    browser: Client, registrant: User, draft: RegistrationRequest
) -> None:
    typed = opened(browser, address(draft)) | {"assignment": "Too late."}
    workflow.perform(draft, "submit", actor=registrant)

    response = browser.post(address(draft), typed)
    told = browser.post(address(draft), typed, headers=SELF)

    assert response.status_code == 409
    assert "Too late." in text_of(response)
    assert (told.status_code, told.json()) == (409, {"compare": draft.get_absolute_url()})
    assert draft.rounds.get().template["assignment"] == FORMAL["assignment"]


def test_text_that_is_with_others_cannot_be_opened_for_editing(
    browser: Client, in_review: RegistrationRequest
) -> None:
    response = browser.get(address(in_review), follow=True)

    assert response.redirect_chain == [(in_review.get_absolute_url(), 302)]
    (message,) = response.context["messages"]
    assert message.level_tag == "info"
    assert f"“{State.IN_REVIEW.label}”" in message.message


# Reading the draft as a whole


def test_preview_is_the_plain_text_of_the_template(
    browser: Client, draft: RegistrationRequest
) -> None:
    page = browser.get(reverse("requests:preview", args=[draft.slug]))
    file = browser.get(reverse("requests:preview", args=[draft.slug]), {"format": "txt"})

    assert page.context["text"] == write(FORMAL)
    assert file.content.decode() == write(FORMAL)
    assert file.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert f'filename="{draft.slug}-draft.txt"' in file.headers["Content-Disposition"]


def test_changes_since_the_last_round_are_those_of_the_registrant(
    browser: Client, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    drafts.save_draft(draft_now(in_review), {"assignment": REVISION["syntax"]}, seen=0)

    response = browser.get(reverse("requests:draft_changes", args=[in_review.slug]))

    assert [section.field for section in response.context["differences"]] == ["assignment"]
