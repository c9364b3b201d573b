"""Two windows, two people, two clicks: the second gets a warning, and no text is lost."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, Route, expect

from registry import workflow
from registry.enums import RequestPath, State
from registry.models import Organization, RegistrationRequest, User
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, let_speak_for, start
from tests.template.samples import FORMAL

MINE = "Names are assigned by the desk of the federation."
THEIRS = "Names are assigned by each vault."
EDITOR = "**/edit/assignment/"
"""Where the page of the editor saves, of any request."""


@pytest.fixture(scope="module")
def body(people: dict[str, User]) -> Organization:
    """An organization for which the registrant speaks, whose consent no request waits for."""
    body: Organization = OrganizationFactory.create(name="Northlight Seed Vault Federation")
    let_speak_for(body, people["registrant"])
    return body


@pytest.fixture
def draft(people: dict[str, User], body: Organization) -> RegistrationRequest:
    """A request for this test only, with a NID of its own, written and not yet sent."""
    text = named(FORMAL, f"seedbank{RegistrationRequest.objects.count()}")
    return start(people["registrant"], body, text, RequestPath.COMMUNITY)


@pytest.fixture
def in_review(draft: RegistrationRequest, people: dict[str, User]) -> RegistrationRequest:
    """The same, in review and taken by two experts."""
    workflow.perform(draft, "submit", actor=people["registrant"])
    workflow.perform(draft, "assign", actor=people["expert"])
    workflow.perform(draft, "assign", actor=people["second"])
    return draft


def saved(page: Page) -> Locator:
    """Return where the editor says whether the text is saved."""
    return page.get_by_role("status").filter(has_text=re.compile("[Ss]av|[Cc]hanged by|signed out"))


@contextmanager
def saving(page: Page) -> Iterator[None]:
    """At the end of the block, wait until the page has tried to autosave."""
    with page.expect_response(lambda answer: "x-autosave" in answer.request.headers):
        yield


def edit(page: Page, registration_request: RegistrationRequest) -> Locator:
    """Open a page of the editor, and return its field."""
    page.goto(f"/requests/{registration_request.slug}/edit/assignment/")
    return acts.box(page, "Assignment")


def hold_autosaves(page: Page) -> list[Route]:
    """Hold what the editor saves by itself, until `page.unroute(EDITOR)`; return what is held."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "x-autosave" in route.request.headers:
            held.append(route)
        else:
            route.continue_()

    page.route(EDITOR, hold)
    return held


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.order_by("number")]


# Two clicks


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_double_click_on_send_sends_one_round(
    script: bool, draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"], java_script_enabled=script)
    page.goto(f"/requests/{draft.slug}/send/")

    page.get_by_role("button", name="Send", exact=True).dblclick()

    expect(page.get_by_text("Round 1 of")).to_contain_text("is sent")
    assert verbs(draft) == ["start", "submit"]
    assert [(each.number, bool(each.sha256)) for each in draft.rounds.all()] == [(1, True)]


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_double_click_starts_one_request(
    script: bool, people: dict[str, User], browse: Browse
) -> None:
    author = people["outsider"]
    before = author.requests.count()
    page = browse(author, java_script_enabled=script)
    page.goto("/requests/new/")
    acts.choose(page, "A new informal namespace")
    page.get_by_label("3. Who asks?").fill("Somebody")
    page.get_by_label("4. What will the names name?").fill("stations at sea")

    page.get_by_role("button", name="Continue to the template").dblclick()

    expect(page.get_by_role("heading", level=1)).to_have_text("Identifier and version")
    assert author.requests.count() == before + 1


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_double_click_decides_once(
    script: bool, in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"], java_script_enabled=script)
    page.goto(f"/review/{in_review.slug}/")
    acts.choose(page, "Approve")
    acts.box(page, "Reasons, public").fill("Sound.")
    acts.press(page, "Check your decision")
    acts.explain(page)

    page.get_by_role("button", name="Record decision").dblclick()

    expect(page.get_by_text("Recorded for")).to_contain_text("Approve")
    assert verbs(in_review)[-2:] == ["assign", "approve"]


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_double_click_publishes_once(
    script: bool, in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    workflow.perform(in_review, "approve", actor=people["expert"], comment="Sound.")
    page = browse(people["registrar"], java_script_enabled=script)
    page.goto(f"/publish/{in_review.slug}/")
    page.get_by_label(f"Type {in_review.nid} to confirm").fill(in_review.nid)

    page.get_by_role("button", name="Register and publish").dblclick()

    expect(page.get_by_text("Registered: urn:")).to_contain_text("version 1.")
    assert verbs(in_review)[-2:] == ["approve", "register"]


# Two people


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_second_of_two_who_save_a_section_is_shown_both_texts(
    script: bool, draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    first, second = (browse(people["registrant"], java_script_enabled=script) for _each in range(2))
    second.clock.install()
    theirs, mine = edit(first, draft), edit(second, draft)
    theirs.fill(THEIRS)
    acts.save(first)

    # The editor does not save by itself meanwhile, however long it takes to press the button.
    second.clock.pause_at(timezone.now() + datetime.timedelta(hours=1))
    mine.fill(MINE)
    acts.press(second, "Save")

    expect(acts.head(second, "Someone saved this section after you opened it")).to_be_visible()
    expect(second.get_by_role("main")).to_contain_text(THEIRS)
    expect(second.get_by_role("main")).to_contain_text(MINE)
    acts.press(second, "Use mine")
    expect(edit(first, draft)).to_have_value(MINE)


def test_save_that_is_pressed_while_the_editor_saves_shows_both_texts_too(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    first, second = browse(people["registrant"]), browse(people["registrant"])
    theirs, mine = edit(first, draft), edit(second, draft)
    theirs.fill(THEIRS)
    acts.save(first)
    held = hold_autosaves(second)
    mine.fill(MINE)
    expect(saved(second)).to_contain_text("Saving")

    acts.press(second, "Save")
    held[0].continue_()

    expect(acts.head(second, "Someone saved this section after you opened it")).to_be_visible()
    expect(second.get_by_role("main")).to_contain_text(MINE)


def test_editor_that_saves_itself_tells_of_a_co_editor_and_compares(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    first, second = browse(people["registrant"]), browse(people["registrant"])
    theirs, mine = edit(first, draft), edit(second, draft)
    with saving(first):
        theirs.fill(THEIRS)

    mine.fill(MINE)
    expect(saved(second)).to_contain_text("Changed by a co-editor.")
    acts.follow(second, "Compare")

    expect(second.get_by_role("main")).to_contain_text(THEIRS)
    expect(second.get_by_role("main")).to_contain_text(MINE)
    acts.press(second, "Keep theirs")
    expect(acts.box(second, "Assignment")).to_have_value(THEIRS)


def test_second_of_two_experts_is_told_and_keeps_what_they_wrote(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    first, second = browse(people["expert"]), browse(people["second"])
    for page in (first, second):
        page.goto(f"/review/{in_review.slug}/")

    acts.decide(first, "Approve", "Sound.")
    expect(first.get_by_text("Recorded for")).to_be_visible()
    acts.decide(second, "Decline", "The vaults do not exist.")

    expect(acts.head(second, "Someone acted on this after you opened it")).to_be_visible()
    expect(second.get_by_role("textbox", name="as you wrote it")).to_have_value(
        "The vaults do not exist."
    )
    in_review.refresh_from_db()
    assert in_review.state == State.APPROVED
    assert "decline" not in verbs(in_review)


# Leaving, and coming back


def test_editor_says_how_saving_goes(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])
    field = edit(page, draft)
    held = hold_autosaves(page)
    field.fill("Names are")
    expect(saved(page)).to_have_text("Saving")
    for route in held:
        route.continue_()
    expect(saved(page)).to_have_text(re.compile("^ ?Saved [0-9]{2}:[0-9]{2}$"))
    page.unroute(EDITOR)

    page.context.set_offline(True)
    field.fill("Names are assigned")
    expect(saved(page)).to_contain_text("Trying again")
    with saving(page):
        page.context.set_offline(False)
    expect(saved(page)).to_have_text(re.compile("^ ?Saved"))

    field.fill("Names are assigned\x07 by bell.")
    expect(saved(page)).to_contain_text("Not saved.")
    expect(edit(browse(people["registrant"]), draft)).to_have_value("Names are assigned")


def test_leaving_the_editor_loses_nothing(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])

    with saving(page):
        edit(page, draft).fill(THEIRS)
    acts.follow(page, "Guide")
    expect(edit(page, draft)).to_have_value(THEIRS)

    acts.box(page, "Assignment").fill(MINE)
    acts.follow(page, "Guide")
    page.wait_for_url("**/guide/**")
    expect(edit(browse(people["registrant"]), draft)).to_have_value(MINE)


def test_send_names_the_sections_whose_text_is_in_this_browser_alone(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])
    edit(page, draft).fill(f"{MINE}\x07")
    expect(saved(page)).to_contain_text("Not saved.")

    page.goto(f"/requests/{draft.slug}/send/")

    unsent = page.get_by_role("status").filter(has_text="unsaved text")
    unsent.get_by_role("link", name="Assignment").click()
    acts.press(page, "Throw it away")
    page.goto(f"/requests/{draft.slug}/send/")
    page.wait_for_load_state("networkidle")
    expect(unsent).to_be_hidden()


def test_text_survives_being_signed_out_while_it_is_written(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])
    field = edit(page, draft)
    sign_out_elsewhere(page)

    field.fill(MINE)
    expect(saved(page)).to_contain_text("You were signed out. Your text stays here.")
    page.get_by_role("status").get_by_role("link", name="Sign in").click()
    acts.fill_in_sign_in(page, people["registrant"].email)

    # Either the browser or the session may have kept it, and one of them says so.
    offered = page.get_by_role("button", name="Put it back")
    expect(offered.or_(page.get_by_text("This text is not saved yet"))).to_be_visible()
    if offered.is_visible():
        offered.click()
    expect(acts.box(page, "Assignment")).to_have_value(MINE)
    acts.save(page)
    expect(edit(page, draft)).to_have_value(MINE)


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_text_sent_after_being_signed_out_is_there_after_signing_in(
    script: bool, draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"], java_script_enabled=script)
    field = edit(page, draft)
    sign_out_elsewhere(page)

    field.fill(MINE)
    acts.press(page, "Save")
    expect(page.get_by_text("What you typed is kept.")).to_be_visible()
    acts.fill_in_sign_in(page, people["registrant"].email)

    expect(page.get_by_text("This text is not saved yet")).to_be_visible()
    acts.save(page)
    expect(edit(page, draft)).to_have_value(MINE)


def test_signing_out_saves_what_was_typed_and_leaves_none_of_it_in_the_browser(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])
    edit(page, draft).fill(MINE)

    acts.press(page, "Sign out")

    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    assert list_local_drafts(page) == []
    expect(edit(browse(people["registrant"]), draft)).to_have_value(MINE)


def test_signing_out_asks_before_unsaved_text_is_deleted_which_needs_no_server(
    draft: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["registrant"])
    field = edit(page, draft)
    page.context.set_offline(True)
    field.fill(MINE)
    expect(saved(page)).to_contain_text("Trying again")

    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: dialog.dismiss())
        acts.press(page, "Sign out")
    assert asked.value.message == "Some text could not be saved. Sign out and delete it?"
    expect(field).to_have_value(MINE)
    assert len(list_local_drafts(page)) == 1

    with page.expect_event("requestfailed", lambda failed: "sign-out" in failed.url):
        page.once("dialog", lambda dialog: dialog.accept())
        acts.press(page, "Sign out")
    page.context.set_offline(False)
    page.goto("/about/")
    assert list_local_drafts(page) == []


def list_local_drafts(page: Page) -> list[str]:
    """Return the addresses of the drafts that the browser stores."""
    places: list[str] = page.evaluate("Object.keys(localStorage)")
    return [place for place in places if place.startswith("draft ")]


def sign_out_elsewhere(page: Page) -> None:
    """Sign out in another tab of the same browser."""
    other = page.context.new_page()
    other.goto("/about/")
    acts.press(other, "Sign out")
    expect(other.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    other.close()
