"""An expert selects words and remarks on them, the registrant answers, with and without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from registry import workflow
from registry.enums import RequestPath
from registry.models import RegistrationRequest, User
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, start
from tests.template.samples import FORMAL

PASSAGE = "The vault code"


@pytest.fixture
def in_review(transactional_db: None, people: dict[str, User]) -> RegistrationRequest:
    """A request for this test only, in review and taken by the expert."""
    text = named(FORMAL, f"remarkbank{RegistrationRequest.objects.count()}")
    body = OrganizationFactory.create()
    asked = start(people["registrant"], body, text, RequestPath.COMMUNITY)
    workflow.perform(asked, "submit", actor=people["registrant"])
    workflow.perform(asked, "assign", actor=people["expert"])
    return asked


def select(page: Page, words: str, occurrence: int) -> None:
    """Select words of Syntax in their given occurrence."""
    page.locator("[data-text-of=syntax]").evaluate(
        """(element, [words, occurrence]) => {
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            for (let node; (node = walker.nextNode()); ) {
                const at = node.data.indexOf(words);
                if (at < 0 || occurrence--) continue;
                getSelection().setBaseAndExtent(node, at, node, at + words.length);
                return;
            }
        }""",
        [words, occurrence],
    )


def remark(page: Page, text: str) -> None:
    """Fill in the form and publish."""
    page.get_by_label("Must fix", exact=True).check()
    acts.box(page, "Remark, public").fill(text)
    acts.press(page, "Publish the remark")


def note(page: Page, number: int) -> Locator:
    """Return the remark of that number."""
    return page.locator(f"#m{number}")


def remark_on_syntax(page: Page) -> Locator:
    """Return the button below Syntax."""
    return page.get_by_role("link", name=re.compile("^Remark on this section ?: Syntax"))


def test_selected_words_become_the_passage_where_they_stand(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"])
    page.goto(f"/review/{in_review.slug}/")

    select(page, PASSAGE, 1)
    remark_on_syntax(page).click()
    remark(page, "Says who?")

    expect(note(page, 1)).to_contain_text("Says who?")
    expect(page.locator("mark.hl")).to_have_text(PASSAGE)
    made = in_review.remarks.get()
    assert (made.section, made.quote) == ("syntax", PASSAGE)
    syntax = made.round.template["syntax"]
    assert made.start == syntax.index(PASSAGE, syntax.index(PASSAGE) + 1)


def test_remark_opens_on_the_selected_words_by_key_and_by_the_control_beside_them(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"])
    page.goto(f"/review/{in_review.slug}/")
    control = page.get_by_role("button", name="Comment", exact=True)

    select(page, PASSAGE, 1)
    expect(control).to_be_visible()
    page.keyboard.press("r")
    expect(acts.box(page, "Passage")).to_have_value(PASSAGE)
    expect(acts.box(page, "Section")).to_have_value("syntax")

    page.reload()
    select(page, PASSAGE, 1)
    control.click()
    expect(acts.box(page, "Passage")).to_have_value(PASSAGE)
    expect(acts.box(page, "Section")).to_have_value("syntax")
    expect(control).to_be_hidden()


def test_words_pasted_without_script_are_found_and_the_answer_goes_with_the_round(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"], java_script_enabled=False)
    page.goto(f"/review/{in_review.slug}/")
    remark_on_syntax(page).click()
    acts.box(page, "Passage").fill("one to six decimal digits")
    remark(page, "May it begin with zero?")
    acts.decide(page, "Ask for changes", "See the remark.")
    writer = browse(people["registrant"], java_script_enabled=False)

    writer.goto(f"/requests/{in_review.slug}/edit/syntax/")
    acts.box(writer, "Syntax").fill("Written in the same breath.")
    writer.get_by_label("I explain instead").check()
    acts.box(writer, "Your answer").fill("No, as the rule says.")
    acts.press(writer, "Keep the answer")

    expect(note(writer, 1)).to_contain_text("Answer prepared")
    expect(acts.box(writer, "Syntax")).to_have_value("Written in the same breath.")
    assert in_review.remarks.get().draft_answer == "No, as the rule says."


def test_answers_to_the_checklist_are_kept_and_ticks_stay_in_the_browser(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"])
    page.goto(f"/review/{in_review.slug}/")

    page.locator("#div_check_assignment-unique").get_by_text("Unsure").click()
    expect(page.locator("#checklist-said")).to_have_text("Kept.")
    page.get_by_label("Reviewed: Purpose").check()
    page.reload()

    expect(page.locator("#checklist-count")).to_have_text("1 of 17")
    expect(page.locator("#check_assignment-unique_2")).to_be_checked()
    expect(page.get_by_label("Reviewed: Purpose")).to_be_checked()
    expect(page.get_by_text("1 of 11 marked as reviewed")).to_be_visible()


def test_answer_kept_beside_the_text_leaves_what_is_being_written(
    in_review: RegistrationRequest, people: dict[str, User], browse: Browse
) -> None:
    page = browse(people["expert"])
    page.goto(f"/review/{in_review.slug}/remark/?section=syntax")
    remark(page, "Say it in fewer words.")
    workflow.perform(
        RegistrationRequest.objects.get(pk=in_review.pk),
        "request_changes",
        actor=people["expert"],
        comment="See the remark.",
    )
    writer = browse(people["registrant"])
    writer.goto(f"/requests/{in_review.slug}/edit/syntax/")

    acts.box(writer, "Syntax").fill("Being written.")
    writer.get_by_label("I changed the text").check()
    acts.press(writer, "Keep the answer")

    expect(note(writer, 1)).to_contain_text("Kept. It becomes public when you send the round.")
    expect(acts.box(writer, "Syntax")).to_have_value("Being written.")
