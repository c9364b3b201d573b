"""The steps that have no screen of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from registry import workflow
from registry.enums import RequestPath, State
from registry.models import Organization, Recognition, RegistrationRequest, User
from tests.factories import (
    let_speak_for,
    start,
)
from tests.template.samples import FORMAL
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def page(registration_request: RegistrationRequest, rest: str = "") -> str:
    return registration_request.get_absolute_url() + rest


@pytest.fixture
def declined(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    """A formal request that the expert declined."""
    workflow.perform(in_review, "decline", actor=expert, comment="Too close to seed-bank.")
    return in_review


@pytest.fixture
def advisory(registrant: User, organization: Organization, expert: User) -> RegistrationRequest:
    """A request on the fast track, whose body has asked to be recognised."""
    let_speak_for(organization, registrant)
    asked = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(asked, "submit", actor=registrant)
    return asked


def seen(browser: Client, url: str) -> dict[str, Any]:
    return {"seen": browser.get(url).context["form"]["seen"].value()}


def test_step_says_what_follows_before_it_is_taken(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "act/withdraw/"), sign_in(registrant)

    before = text_of(browser.get(url))
    response = browser.post(url, seen(browser, url) | {"comment": "Not needed."})

    assert str(workflow.VERBS["withdraw"].consequence) in before
    assert response["Location"] == page(in_review)
    in_review.refresh_from_db()
    assert in_review.state == State.WITHDRAWN


def test_double_click_on_a_step_takes_it_once(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "act/withdraw/"), sign_in(registrant)
    typed = seen(browser, url) | {"comment": "Not needed."}

    locations = [browser.post(url, typed).headers["Location"] for _click in range(2)]

    assert locations == [page(in_review)] * 2
    assert in_review.events.filter(verb="withdraw").count() == 1


def test_step_without_its_reasons_is_not_taken(
    sign_in: SignIn, expert: User, approved: RegistrationRequest
) -> None:
    url, browser = page(approved, "act/reconsider/"), sign_in(expert)

    response = browser.post(url, seen(browser, url) | {"comment": " "})

    assert list(response.context["form"].errors) == ["comment"]
    assert error_codes(response, "comment") == ["required"]
    approved.refresh_from_db()
    assert approved.state == State.APPROVED


def test_stale_page_takes_no_step_and_keeps_what_was_typed(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest, lead: User
) -> None:
    url, browser = page(in_review, "act/withdraw/"), sign_in(registrant)
    typed = seen(browser, url) | {"comment": "Nobody reads it."}
    workflow.perform(in_review, "assign", actor=lead)

    response = browser.post(url, typed)

    assert response.status_code == 409
    assert response.context["form"].non_field_errors()
    assert not in_review.events.filter(verb="withdraw").exists()
    assert response.context["form"]["comment"].value() == "Nobody reads it."


def test_step_that_the_state_no_longer_allows_keeps_what_was_typed(
    sign_in: SignIn, expert: User, registrar: User, approved: RegistrationRequest
) -> None:
    url, browser = page(approved, "act/reconsider/"), sign_in(expert)
    words = "The wrong request."
    typed = seen(browser, url) | {"comment": words}
    workflow.perform(approved, "register", actor=registrar)

    response = browser.post(url, typed)
    again = browser.get(url)

    assert response.status_code == 409
    assert "“Registered”" in response.context["form"].non_field_errors()[0]
    assert response.context["form"]["comment"].value() == words
    assert again.headers["Location"] == page(approved)


def test_step_that_is_not_possible_names_the_experts_it_waits_for(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    response = sign_in(registrant).get(page(in_review, "act/complete/"), follow=True)

    assert response.redirect_chain == [(page(in_review), 302)]
    assert "That is Ede Expert." in text_of(response)


def test_step_of_others_is_refused_with_who_may(
    sign_in: SignIn, registrant: User, outsider: User, in_review: RegistrationRequest
) -> None:
    url = page(in_review, "act/withdraw/")

    assert sign_in(registrant).get(url).status_code == 200
    for response in (sign_in(outsider).get(url), sign_in(outsider).post(url, {"seen": 2})):
        assert response.status_code == 403
        assert "That is Runa Registrant." in text_of(response)


def test_decision_is_refused_to_others_with_the_names_of_the_experts(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest
) -> None:
    response = sign_in(outsider).get(page(in_review, "act/approve/"))

    assert response.status_code == 403
    assert "That is Ede Expert." in text_of(response)


@pytest.mark.parametrize(
    ("verb", "where"),
    [
        ("submit", "requests:send"),
        ("register", "publish:detail"),
        ("assign", "review:assign"),
        ("recuse", "review:detail"),
        ("direct", "direction:detail"),
    ],
)
def test_steps_with_a_screen_of_their_own_are_taken_there(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest, verb: str, where: str
) -> None:
    response = sign_in(registrant).get(page(in_review, f"act/{verb}/"))

    assert response.headers["Location"] == reverse(where, args=[in_review.slug])


def test_unknown_step_is_not_found(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    assert sign_in(registrant).get(page(in_review, "act/frobnicate/")).status_code == 404


# Ends, and what follows them


def test_typed_text_is_kept_while_signing_in(
    client: Client, registrant: User, in_review: RegistrationRequest
) -> None:
    url = page(in_review, "act/withdraw/")

    response = client.post(url, {"seen": "0", "comment": "Not needed."})
    client.force_login(registrant)
    again = client.get(url)

    assert response.headers["Location"] == f"{reverse('account_login')}?next={url}"
    assert again.context["form"]["comment"].value() == "Not needed."
    assert again.context["form"]["seen"].value() == in_review.revision


def test_withdrawn_request_is_reopened_as_a_new_draft(
    sign_in: SignIn, client: Client, registrant: User, in_review: RegistrationRequest
) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)
    url, browser = page(in_review, "act/reopen/"), sign_in(registrant)
    typed = seen(browser, url)

    clicks = [browser.post(url, typed) for _click in range(2)]

    heir = RegistrationRequest.objects.get(reopens=in_review)
    assert [click.headers["Location"] for click in clicks] == [page(heir)] * 2
    assert heir.state == State.DRAFT
    assert in_review.reference in text_of(browser.get(page(heir)))
    assert heir.reference in text_of(browser.get(page(in_review)))
    ended = client.get(page(in_review))
    assert "it was withdrawn" in text_of(ended)
    assert page(heir) not in ended.content.decode()


def test_appeal_is_open_to_anyone_with_a_confirmed_address(
    sign_in: SignIn, outsider: User, standards_body: User, declined: RegistrationRequest
) -> None:
    url, browser = page(declined, "act/appeal/"), sign_in(outsider)

    response = browser.post(
        url, seen(browser, url) | {"comment": "It is not close.", "ground": "rule"}, follow=True
    )
    refused = sign_in(standards_body).get(url)

    declined.refresh_from_db()
    assert declined.state == State.APPEALED
    event = declined.events.latest("number")
    assert (event.verb, event.actor) == ("appeal", outsider)
    assert "Olaf Outsider appealed" in text_of(response)
    assert refused["Location"] == page(declined)


def test_fast_track_is_completed_once_the_body_is_recognised(
    sign_in: SignIn, registrant: User, organization: Organization, advisory: RegistrationRequest
) -> None:
    url, browser = page(advisory, "act/complete/"), sign_in(registrant)

    before = browser.get(url)
    Organization.objects.update(recognised_on="2026-01-02", recognition_source="Minutes")
    browser.post(url, seen(browser, url) | {"comment": "We took all advice."})

    assert "has not been recognised" in text_of(before)
    assert 'method="post" novalidate' not in before.content.decode()
    advisory.refresh_from_db()
    assert advisory.state == State.APPROVED


# Another path


def test_paths_are_shown_with_their_consequences_and_with_what_bars_them(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    response = sign_in(registrant).get(page(in_review, "act/reroute/"))

    paths = dict(response.context["form"].fields["path"].choices)
    assert {path: bool(option.barred) for path, option in paths.items()} == {
        RequestPath.COMMUNITY: False,
        RequestPath.FAST_TRACK: True,
        RequestPath.INFORMAL: True,
    }
    words = text_of(response)
    assert all(str(option.barred) in words for option in paths.values() if option.barred)
    assert all(str(point) in words for option in paths.values() for point in option.points)


def test_standards_flag_is_set_halfway_and_the_rounds_are_kept(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "act/reroute/"), sign_in(registrant)
    typed = seen(browser, url) | {"path": "community", "standards_action": "yes"}

    response = browser.post(url, typed, follow=True)

    in_review.refresh_from_db()
    assert (in_review.standards_action, in_review.state) == (True, State.IN_REVIEW)
    assert in_review.rounds.sent().count() == 1
    assert "To become part of one" in text_of(response)


def test_lead_gives_reasons_for_another_path(
    sign_in: SignIn, lead: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "act/reroute/"), sign_in(lead)
    typed = seen(browser, url) | {"path": "community", "standards_action": "yes"}

    without = browser.post(url, typed)
    browser.post(url, typed | {"comment": "The working group adopted it."})

    assert without.context["form"].errors
    assert not in_review.events.filter(verb="reroute", comment="").exists()
    assert without.context["form"]["standards_action"].value() == "yes"
    in_review.refresh_from_db()
    assert in_review.standards_action


def test_same_path_is_not_chosen_again(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "act/reroute/"), sign_in(registrant)
    typed = seen(browser, url) | {"path": "community", "standards_action": "no"}

    response = browser.post(url, typed)

    assert response.context["form"].errors
    assert not in_review.events.filter(verb="reroute").exists()


def test_body_that_asked_for_recognition_may_take_the_fast_track(
    sign_in: SignIn, registrant: User, in_review: RegistrationRequest
) -> None:
    Recognition.objects.create(
        organization=in_review.organization,
        asked_by=registrant,
        asked_at=in_review.created_at,
        statement="A standards body.",
    )
    url, browser = page(in_review, "act/reroute/"), sign_in(registrant)

    browser.post(url, seen(browser, url) | {"path": "fast_track", "standards_action": "no"})

    in_review.refresh_from_db()
    assert (in_review.path, in_review.state) == (RequestPath.FAST_TRACK, State.ADVISORY)


def test_decision_on_a_request_that_nobody_took_names_the_role_alone(
    sign_in: SignIn, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    response = sign_in(outsider).get(page(draft, "act/approve/"))

    assert response.status_code == 403
    assert "“Approve” is for" in text_of(response)
    assert "That is" not in text_of(response)
