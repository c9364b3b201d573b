"""The page of a request while it is open: notified of events, and used by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from registry import workflow
from registry.enums import RequestPath
from registry.models import RegistrationRequest, User
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, start
from tests.template.samples import FORMAL


@pytest.fixture
def in_review(transactional_db: None, people: dict[str, User]) -> RegistrationRequest:
    """A request for this test only, sent and taken by an expert."""
    body = OrganizationFactory.create()
    text = named(FORMAL, f"seedbank{RegistrationRequest.objects.count()}")
    sent = start(people["registrant"], body, text, RequestPath.COMMUNITY)
    workflow.perform(sent, "submit", actor=people["registrant"])
    workflow.perform(sent, "assign", actor=people["expert"])
    return sent


def test_page_left_open_says_that_the_request_has_changed_and_asks_no_more(
    browse: Browse, people: dict[str, User], in_review: RegistrationRequest
) -> None:
    page = browse()
    page.clock.install()
    page.goto(in_review.get_absolute_url())
    place = acts.head(page, "urn:").bounding_box()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    workflow.perform(
        in_review, "request_changes", actor=people["expert"], comment="Say who may join."
    )

    page.clock.run_for(61_000)

    told = page.get_by_role("status").filter(has_text="The request has changed")
    expect(told).to_be_visible()
    assert acts.head(page, "urn:").bounding_box() == place
    page.clock.run_for(180_000)
    assert len(asked) == 1
    told.get_by_role("link", name="Reload").click()
    expect(page.get_by_text("asked for changes to round 1")).to_be_visible()


def test_comment_is_written_and_answered_without_script(
    browse: Browse, people: dict[str, User], in_review: RegistrationRequest
) -> None:
    page = browse(java_script_enabled=False)
    page.goto(in_review.get_absolute_url())
    acts.box(page, "Your comment").fill("Who may join?")
    acts.press(page, "Sign in to comment")
    acts.fill_in_sign_in(page, people["outsider"].email)

    expect(acts.box(page, "Your comment")).to_have_value("Who may join?")
    acts.press(page, "Send the comment")
    expect(page.locator("#c1")).to_contain_text("Who may join?")
    page.get_by_role("link", name="Answer Outsider of the cast").click()
    acts.box(page, "Your comment").fill("Nobody knows.")
    acts.press(page, "Send the comment")

    expect(page.locator("#c1 #c2")).to_contain_text("Nobody knows.")
