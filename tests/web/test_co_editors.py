"""Inviting co-editors, joining, and leaving, through the pages."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.test import Client

from registry.actions import co_editors
from registry.models import Event, Invitation, Letter, RegistrationRequest, User
from tests.factories import (
    PASSWORD,
    let_speak_for,
)
from tests.letters import link_in_last_letter
from tests.web.pages import error_codes, rows_of, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def people(registration_request: RegistrationRequest) -> str:
    """Return the address of the page of a request's authors."""
    return f"/requests/{registration_request.slug}/people/"


def test_author_invites_once_however_often_they_click(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User
) -> None:
    browser = sign_in(registrant)

    posted = {"address": "New@people.example"}
    answers = [browser.post(people(draft), posted, follow=True) for _click in "12"]

    for answer in answers:
        assert answer.redirect_chain == [(people(draft), 302)]
        assert [name for name, *_rest in rows_of(answer)].count("new@people.example") == 1
    assert Letter.objects.get().address == "new@people.example"


@pytest.mark.parametrize(
    ("address", "code"),
    [("", "required"), ("nobody", "invalid"), ("registrant@people.example", "refused")],
)
def test_invalid_address_is_refused_and_stays_in_the_form(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, address: str, code: str
) -> None:
    answer = sign_in(registrant).post(people(draft), {"address": address})

    assert error_codes(answer, "address") == [code]
    assert answer.context["form"]["address"].value() == address
    assert not Invitation.objects.exists()


def test_link_does_nothing_when_opened_and_joins_once(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    key = co_editors.invite_co_editor(draft, outsider.email, actor=registrant).key
    browser, page = sign_in(outsider), f"/account/invitations/{key}/"

    opened = browser.get(page)
    assert outsider not in draft.co_editors.all()
    answers = [browser.post(page, follow=True) for _click in "12"]

    assert "Runa Registrant" in text_of(opened)
    assert str(draft.organization) in text_of(opened)
    assert draft.summary not in text_of(opened)
    for answer in answers:
        assert answer.redirect_chain[-1][0] == draft.get_absolute_url()
    assert list(draft.co_editors.all()) == [outsider]
    assert draft.events.filter(verb="join").count() == 1
    assert browser.get(f"/requests/{draft.slug}/edit/syntax/").status_code == 200


def test_link_of_another_reader_is_refused(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User, expert: User
) -> None:
    key = co_editors.invite_co_editor(draft, outsider.email, actor=registrant).key

    answer = sign_in(expert).post(f"/account/invitations/{key}/")
    co_editors_after_refusal = list(draft.co_editors.all())
    sign_in(outsider).post(f"/account/invitations/{key}/")

    assert 'href="/accounts/email/"' in answer.content.decode()
    assert outsider.email not in text_of(answer)
    assert co_editors_after_refusal == []
    assert list(draft.co_editors.all()) == [outsider]
    assert sign_in(expert).get("/account/invitations/guessed/").status_code == 404


def test_invitation_is_there_after_signing_up(
    client: Client, draft: RegistrationRequest, registrant: User
) -> None:
    key = co_editors.invite_co_editor(draft, "new@people.example", actor=registrant).key
    page = f"/account/invitations/{key}/"
    assert client.get(page).headers["Location"] == f"/accounts/sign-in/?next={page}"

    client.post(
        "/accounts/sign-up/",
        {"name": "Nell New", "email": "new@people.example", "password1": PASSWORD},
    )
    client.post(urlsplit(link_in_last_letter("new@people.example")).path)
    client.post("/accounts/sign-in/", {"login": "new@people.example", "password": PASSWORD})

    assert f'href="{page}"' in client.get("/account/requests/").content.decode()
    client.post(page)
    assert [each.name for each in draft.co_editors.all()] == ["Nell New"]


def test_page_of_co_editors_is_not_found_by_others(
    client: Client, sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    assert sign_in(registrant).get(people(draft)).status_code == 200
    assert client.get(people(draft)).status_code == 302
    assert sign_in(outsider).get(people(draft)).status_code == 404
    answer = sign_in(outsider).post(people(draft), {"address": "a@people.example"})
    assert answer.status_code == 404


def test_co_editor_sees_the_others_and_no_addresses(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    draft.co_editors.add(outsider)
    co_editors.invite_co_editor(draft, "waiting@people.example", actor=registrant)

    page = text_of(sign_in(outsider).get(people(draft)))

    assert "Runa Registrant" in page
    assert "Stop writing it" in page
    assert "waiting@people.example" not in page
    assert "Invite somebody" not in page
    assert "waiting@people.example" in text_of(sign_in(registrant).get(people(draft)))


def test_names_of_delegates_are_not_told_to_a_co_editor(
    sign_in: SignIn, draft: RegistrationRequest, outsider: User, expert: User
) -> None:
    draft.co_editors.add(outsider)
    let_speak_for(draft.organization, expert)

    assert "Ede Expert" in text_of(sign_in(expert).get(people(draft)))
    assert "Ede Expert" not in text_of(sign_in(outsider).get(people(draft)))


def test_co_editor_is_removed(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    co_editors.accept_invitation(
        co_editors.invite_co_editor(draft, outsider.email, actor=registrant), actor=outsider
    )
    browser = sign_in(registrant)

    for _click in range(2):
        answer = browser.post(people(draft), {"remove": str(outsider.pk)}, follow=True)
        assert answer.redirect_chain == [(people(draft), 302)]

    assert list(draft.co_editors.all()) == []
    assert Event.objects.filter(verb="remove_co_editor").count() == 1


def test_removing_somebody_else_is_refused_without_a_name(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    browser = sign_in(registrant)
    co_editors.invite_co_editor(draft, outsider.email, actor=registrant)

    theirs = browser.post(people(draft), {"remove": str(outsider.pk)}, follow=True)
    nobodys = browser.post(people(draft), {"remove": str(outsider.pk + 1_000)}, follow=True)

    assert theirs.status_code == nobodys.status_code == 404
    assert text_of(theirs) == text_of(nobodys)
    assert outsider.name not in text_of(theirs) + text_of(browser.get(people(draft)))


def test_co_editor_leaves(sign_in: SignIn, draft: RegistrationRequest, outsider: User) -> None:
    draft.co_editors.add(outsider)
    browser = sign_in(outsider)

    for _click in range(2):
        answer = browser.post(people(draft), {"remove": str(outsider.pk)}, follow=True)
        assert answer.redirect_chain == [("/account/requests/", 302)]

    assert list(draft.co_editors.all()) == []


def test_co_editor_removes_nobody_else(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User, expert: User
) -> None:
    draft.co_editors.add(outsider, expert)
    waiting = co_editors.invite_co_editor(draft, "waiting@people.example", actor=registrant)
    browser = sign_in(outsider)

    for posted in ({"remove": str(expert.pk)}, {"take_back": str(waiting.pk)}):
        assert browser.post(people(draft), posted).status_code == 403

    assert set(draft.co_editors.all()) == {outsider, expert}
    assert Invitation.objects.get().closed_at is None


def test_invitation_is_withdrawn(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    waiting = co_editors.invite_co_editor(draft, outsider.email, actor=registrant)

    answer = sign_in(registrant).post(people(draft), {"take_back": str(waiting.pk)}, follow=True)
    sign_in(outsider).post(f"/account/invitations/{waiting.key}/")

    assert outsider.email not in text_of(answer)
    assert draft.events.filter(verb="take_invitation_back").count() == 1
    assert not draft.co_editors.exists()


@pytest.mark.parametrize("posted", ["", "x", "99999999999999999999", "-1", "²"])
def test_forged_key_finds_nobody(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, posted: str
) -> None:
    browser = sign_in(registrant)

    assert browser.post(people(draft), {"remove": posted}).status_code == 404
    assert browser.post(people(draft), {"take_back": posted}).status_code == 404
