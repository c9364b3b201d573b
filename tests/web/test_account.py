"""My own pages: my requests and my name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import html

from registry import workflow
from registry.actions import co_editors, domain_proofs
from registry.enums import SpeakerBasis, State
from registry.models import RegistrationRequest, User
from registry.web.account import views
from tests.factories import (
    PASSWORD,
    NamespaceFactory,
    RequestFactory,
    let_speak_for,
)
from tests.web.pages import error_codes, rows_of, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


@pytest.mark.parametrize(
    "page", ["sign-in/", "sign-up/", "password/reset/", "login/code/", "sign-out/"]
)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("lead", ["http://[::1", "//[::1", "https://elsewhere.example/", "x"])
def test_pages_of_accounts_lead_on_to_pages_of_this_site_alone(
    client: Client, registrant: User, page: str, method: str, lead: str
) -> None:
    typed = {"login": registrant.email, "email": registrant.email, "password": PASSWORD}

    response = getattr(client, method)(f"/accounts/{page}", typed | {"next": lead})

    assert response.status_code in {200, 302}
    assert re.match(r"/(accounts/|account/|\Z)", response.headers.get("Location", "/"))


def groups(browser: Client) -> dict[str, list[tuple[str, str]]]:
    """Return the reference and the next step of each of my requests, by group."""
    return {
        str(title): [(each.registration_request.reference, str(each.next_step)) for each in every]
        for title, every in browser.get("/account/requests/").context["groups"]
    }


def test_my_requests_say_what_to_do_next_with_drafts_first(
    sign_in: SignIn,
    registrant: User,
    expert: User,
    in_review: RegistrationRequest,
    informal_draft: RegistrationRequest,
) -> None:
    asked = RequestFactory.create(author=registrant, state="changes_requested")
    ended = RequestFactory.create(author=registrant, state="expired")

    assert groups(sign_in(registrant)) == {
        "Your turn": [
            (informal_draft.reference, str(views.NEXT_ACTIONS[State.DRAFT])),
            (asked.reference, str(views.NEXT_ACTIONS[State.CHANGES_REQUESTED])),
        ],
        "With others": [(in_review.reference, "")],
        "At an end": [(ended.reference, "")],
    }


def test_request_that_needs_my_consent_is_my_turn_until_i_give_it(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest
) -> None:
    NamespaceFactory.create(registrant=in_review.organization)
    let_speak_for(in_review.organization, outsider)
    browser = sign_in(outsider)

    wanted = {"Your turn": [(in_review.reference, str(views.CONSENT_OR_OBJECT))]}
    assert groups(browser) == wanted

    workflow.perform(in_review, "consent", actor=outsider)

    assert "Your turn" not in groups(browser)


def test_requests_of_others_are_not_among_mine(
    sign_in: SignIn, registrant: User, outsider: User, in_review: RegistrationRequest
) -> None:
    assert list(groups(sign_in(registrant))) == ["With others"]
    assert groups(sign_in(outsider)) == {}
    page = sign_in(outsider).get("/account/requests/")
    assert in_review.reference not in page.content.decode()
    assert rows_of(page) == []


def test_list_of_my_requests_takes_no_more_queries_for_more(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    browser = sign_in(registrant)
    RequestFactory.create(author=registrant, state="in_review")
    with CaptureQueriesContext(connection) as few:
        browser.get("/account/requests/")

    RequestFactory.create_batch(6, author=registrant, state="in_review")
    with CaptureQueriesContext(connection) as many:
        browser.get("/account/requests/")

    assert len(many) == len(few)


def test_my_requests_are_paginated_with_what_waits_for_me_first(
    sign_in: SignIn, registrant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "OWN_REQUESTS_PER_PAGE", 2)
    RequestFactory.create_batch(2, author=registrant, state="in_review")
    asked = RequestFactory.create(author=registrant, state="changes_requested")
    browser = sign_in(registrant)

    first = browser.get("/account/requests/")
    second = browser.get("/account/requests/", {"page": 2})

    assert [str(title) for title, _every in first.context["groups"]] == ["Your turn", "With others"]
    assert asked.reference in text_of(first)
    assert "1 to 2 of 3 requests" in text_of(first)
    assert [len(every) for _title, every in second.context["groups"]] == [1]


def test_pages_of_mine_ask_to_sign_in(client: Client) -> None:
    for page in ("/account/", "/account/requests/"):
        assert client.get(page).headers["Location"].endswith(f"/?next={page}")


def test_name_is_changed_for_later_events(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    browser = sign_in(registrant)

    browser.post("/account/", {"name": "  Runa Renamed ", "delivery": "at_once"})
    registrant.refresh_from_db()
    workflow.perform(draft, "submit", actor=registrant)

    assert [event.actor_name for event in draft.events.all()] == [
        "Runa Registrant",
        "Runa Renamed",
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "required"), ("Ru\x07na", "unseen_character"), ("R" * 121, "too_long")],
    ids=["empty", "control", "long"],
)
def test_invalid_name_is_refused_and_stays_in_the_form(
    sign_in: SignIn, registrant: User, name: str, code: str
) -> None:
    response = sign_in(registrant).post("/account/", {"name": name, "delivery": "at_once"})

    assert list(response.context["form"].errors) == ["name"]
    assert error_codes(response, "name") == [code]
    assert response.context["form"]["name"].value() == name
    registrant.refresh_from_db()
    assert registrant.name == "Runa Registrant"


def test_account_page_lists_roles_and_leads_to_password_and_mail(
    sign_in: SignIn, registrant: User, lead: User
) -> None:
    page = sign_in(lead).get("/account/")

    assert page.context["roles"] == ["Lead expert"]
    assert 'href="/accounts/password/change/"' in page.content.decode()
    assert 'href="/accounts/email/"' in page.content.decode()
    assert sign_in(registrant).get("/account/").context["roles"] == []


def test_delivery_and_shortcuts_are_chosen(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)
    assert browser.get("/account/").context["form"].initial == {
        "name": "Runa Registrant",
        "delivery": "at_once",
        "has_shortcuts": True,
    }

    for _click in range(2):
        browser.post("/account/", {"name": "Runa Registrant", "delivery": "digest"})

    registrant.refresh_from_db()
    assert (registrant.delivery, registrant.has_shortcuts) == ("digest", False)


def test_delivery_that_does_not_exist_is_refused(sign_in: SignIn, registrant: User) -> None:
    response = sign_in(registrant).post("/account/", {"name": "Runa", "delivery": "never"})

    assert list(response.context["form"].errors) == ["delivery"]
    registrant.refresh_from_db()
    assert (registrant.name, registrant.delivery) == ("Runa Registrant", "at_once")


def test_account_page_shows_what_one_takes_part_in(
    sign_in: SignIn, registrant: User, outsider: User, draft: RegistrationRequest
) -> None:
    body = draft.organization
    NamespaceFactory.create(registrant=body, contact="urn@northlight.example")
    nothing = text_of(sign_in(outsider).get("/account/"))
    assert str(body) not in nothing
    assert draft.reference not in nothing

    invitation = co_editors.invite_co_editor(draft, outsider.email, actor=registrant)
    proof = domain_proofs.request_proof(
        body, outsider, SpeakerBasis.MAIL, address="urn@northlight.example"
    )
    page = sign_in(outsider).get("/account/")

    assert f'href="/account/invitations/{invitation.key}/"' in page.content.decode()
    assert f'href="/organizations/{body.pk}/prove/{proof.pk}/"' in page.content.decode()
    assert [*page.context["invitations"]] == [invitation]

    co_editors.accept_invitation(invitation, actor=outsider)
    let_speak_for(body, outsider)
    page = sign_in(outsider).get("/account/")

    assert [*page.context["organizations"]] == [body]
    assert [*page.context["co_edited"]] == [draft]
    assert [*page.context["invitations"]] == []
    assert f'href="/account/invitations/{invitation.key}/"' not in page.content.decode()


def test_invitations_stand_above_my_requests(
    sign_in: SignIn, registrant: User, outsider: User, draft: RegistrationRequest
) -> None:
    invitation = co_editors.invite_co_editor(draft, outsider.email, actor=registrant)
    RequestFactory.create(author=outsider, state="in_review")

    page = sign_in(outsider).get("/account/requests/").content.decode()

    assert 0 < page.index(f"/account/invitations/{invitation.key}/") < page.index("<table")


def test_theme_is_chosen_on_the_account_page(sign_in: SignIn, registrant: User) -> None:
    browser = sign_in(registrant)

    browser.post("/theme/", {"theme": "dark", "next": "/account/"})

    page = html.fromstring(browser.get("/account/").content)
    pressed = page.xpath('//main//button[@name="theme"][@aria-pressed="true"]')
    assert [button.get("value") for button in pressed] == ["dark"]
