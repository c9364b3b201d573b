"""Following with a button, and unfollowing there, in the account and from a letter."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from registry.actions.follows import FollowTarget, start_following
from registry.enums import LetterDelivery
from registry.models import RegistrationRequest, User
from registry.notifications.letters import build_unfollow_all_url, build_unfollow_url
from tests.factories import PASSWORD, NamespaceFactory, UserFactory

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def followed(person: User) -> list[str]:
    """Return what `person` follows, in words."""
    return [str(FollowTarget(each.registration_request, each.nid)) for each in person.follows.all()]


def local(address: str) -> str:
    """Return the path of an address on this site."""
    return urlsplit(address).path


def test_button_on_the_page_of_a_request_follows_it_and_stops(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    client, page = sign_in(outsider), in_review.get_absolute_url()

    before = client.get(page).content.decode()
    client.post("/account/follows/new/", {"request": in_review.slug}, follow=True)
    after = client.get(page).content.decode()

    assert ("Stop following" in before, "Stop following" in after) == (False, True)
    assert followed(outsider) == [str(in_review)]
    client.post(f"/account/follows/{outsider.follows.get().pk}/stop/")
    assert followed(outsider) == []


def test_namespace_is_followed_by_its_nid_whatever_its_case(
    outsider: User, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="example")
    client = sign_in(outsider)

    response = client.post("/account/follows/new/", {"nid": "EXAMPLE"}, follow=True)

    assert followed(outsider) == ["urn:example"]
    assert response.redirect_chain[-1][0] == "/namespaces/example/"
    (message,) = response.context["messages"]
    assert message.level_tag == "success"
    assert outsider.email in message.message
    assert "Stop following" in response.content.decode()


def test_everything_is_followed_from_the_list_of_requests(outsider: User, sign_in: SignIn) -> None:
    client = sign_in(outsider)
    page = client.get("/requests/").content.decode()

    client.post("/account/follows/new/", {})

    assert "Follow everything" in page
    assert followed(outsider) == ["everything"]
    assert "Stop following everything" in client.get("/requests/").content.decode()


def test_double_clicks_follow_once_and_stop_once(outsider: User, sign_in: SignIn) -> None:
    client = sign_in(outsider)

    for _click in range(2):
        client.post("/account/follows/new/", {"nid": "example"})
    once = followed(outsider)
    stop = f"/account/follows/{outsider.follows.get().pk}/stop/"
    answers = [client.post(stop, follow=True) for _click in range(2)]

    assert once == ["urn:example"]
    assert followed(outsider) == []
    last = [[each.level_tag for each in answer.context["messages"]][-1] for answer in answers]
    assert last == ["success", "info"]


def test_sign_in_leads_back_to_following(
    in_review: RegistrationRequest, client: Client, outsider: User
) -> None:
    asked = client.post("/account/follows/new/", {"request": in_review.slug})
    page = client.post(
        asked["Location"], {"login": outsider.email, "password": PASSWORD}, follow=True
    )

    assert f"Follow {in_review}" in page.content.decode()
    assert page.redirect_chain[-1][0] == f"/account/follows/new/?request={in_review.slug}"
    client.post("/account/follows/new/", {"request": in_review.slug})
    assert followed(outsider) == [str(in_review)]


@pytest.mark.parametrize("asked", [{"request": "r-2026-9999"}, {"nid": "-x"}, {"nid": "é"}])
def test_missing_thing_cannot_be_followed(
    asked: dict[str, str], outsider: User, sign_in: SignIn
) -> None:
    response = sign_in(outsider).post("/account/follows/new/", asked)

    assert (response.status_code, followed(outsider)) == (404, [])


def test_draft_of_somebody_else_is_not_found(
    draft: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    response = sign_in(outsider).post("/account/follows/new/", {"request": draft.slug})

    assert (response.status_code, followed(outsider)) == (404, [])


def test_follow_needs_a_confirmed_address(sign_in: SignIn) -> None:
    person = UserFactory.create(confirmed=False)

    response = sign_in(person).post("/account/follows/new/", {"nid": "example"}, follow=True)

    assert response.redirect_chain == [("/accounts/email/", 302)]
    assert [each.level_tag for each in response.context["messages"]] == ["error"]
    assert followed(person) == []


def test_account_lists_what_i_follow_and_stops_it(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    watch = start_following(outsider, FollowTarget(in_review))
    start_following(outsider, FollowTarget(nid="example"))
    client = sign_in(outsider)

    page = client.get("/account/follows/").content.decode()
    response = client.post(f"/account/follows/{watch.pk}/stop/", {"listed": "yes"}, follow=True)

    assert f"{in_review}</a>" in page
    assert response.redirect_chain[-1][0] == "/account/follows/"
    assert followed(outsider) == ["urn:example"]


def test_follows_of_others_cannot_be_stopped(outsider: User, expert: User, sign_in: SignIn) -> None:
    watch = start_following(outsider, FollowTarget())

    sign_in(expert).post(f"/account/follows/{watch.pk}/stop/")

    assert followed(outsider) == ["everything"]


def test_delivery_of_follows_is_chosen(outsider: User, sign_in: SignIn) -> None:
    client = sign_in(outsider)

    page = client.post("/account/follows/", {"delivery": LetterDelivery.DIGEST}, follow=True)

    outsider.refresh_from_db()
    assert outsider.delivery == LetterDelivery.DIGEST
    assert "Saved." in page.content.decode()


def test_mail_program_ends_letters_by_one_click_without_signing_in(
    in_review: RegistrationRequest, outsider: User
) -> None:
    watch = start_following(outsider, FollowTarget(in_review))
    start_following(outsider, FollowTarget(nid="example"))
    program = Client(enforce_csrf_checks=True)

    response = program.post(local(build_unfollow_url(watch)), {"List-Unsubscribe": "One-Click"})

    assert response.status_code == 200
    assert followed(outsider) == ["urn:example"]


def test_person_who_opens_the_link_is_asked_first(
    in_review: RegistrationRequest, outsider: User
) -> None:
    link = local(build_unfollow_url(start_following(outsider, FollowTarget(in_review))))
    browser = Client(enforce_csrf_checks=True)

    asked = browser.get(link)
    still = followed(outsider)
    done = browser.post(link)
    again = browser.get(link)

    assert still == [str(in_review)]
    assert followed(outsider) == []
    for page, is_done in ((asked, False), (done, True)):
        assert page.context["is_done"] is is_done
        assert f'href="{in_review.get_absolute_url()}"' in page.content.decode()
        assert ('<form method="post"><button' in page.content.decode()) is not is_done
    assert list(again.context["things"]) == []


def test_link_of_a_daily_letter_ends_all_of_one_person(outsider: User, expert: User) -> None:
    for person in (outsider, expert):
        start_following(person, FollowTarget())
        start_following(person, FollowTarget(nid="example"))
    link = local(build_unfollow_all_url(outsider))

    Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})

    assert followed(outsider) == []
    assert followed(expert) == ["everything", "urn:example"]


def test_forged_link_ends_nothing(outsider: User, client: Client) -> None:
    start_following(outsider, FollowTarget())

    answers = [
        client.post(reverse("following:leave_all", args=[f"{outsider.pk}:forged"])).status_code,
        client.post(reverse("following:leave", args=["forged"])).status_code,
    ]

    assert (answers, followed(outsider)) == ([404, 200], ["everything"])
