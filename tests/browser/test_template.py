"""An old template is uploaded, confirmed, fixed and sent, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from registry.models import RegistrationRequest, User
from registry.template import field
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.test_accessibility import LOOKS, find_with_axe
from tests.factories import UserFactory

FIXTURES = Path(__file__).parent.parent / "template" / "fixtures"
OLD = (FIXTURES / "older_numbered.txt").read_text("utf-8")
RULE = 'nss = 4DIGIT ":" 1*3%x41-5A'
SECURITY = (
    "Two marks that look alike may be taken for one another; the list of marks tells them apart."
)
LOOKED_FOR = "No other use of these marks in URNs was found in a search of catalogues in 2026."


@pytest.fixture
def registrant(transactional_db: None) -> User:
    person: User = UserFactory.create(name="Petra Potter")
    return person


def test_old_template_is_pasted_confirmed_mended_tried_and_sent(
    browse: Browse, registrant: User
) -> None:
    page = browse(registrant, reduced_motion="reduce")
    bring(page)
    see_what_was_understood(page)
    see_all_findings_at_once(page)
    watch_the_bench(page)
    mend_the_rest(page)

    acts.press(page, "Send")

    expect(page.get_by_text("Round 1 of", exact=False).first).to_be_visible()
    sent = RegistrationRequest.objects.get(author=registrant).last_round
    assert sent is not None
    text = sent.template
    assert (text.nid, text.grammar, text.purpose) == (
        "kilnmark",
        RULE,
        "Scope: Redclay and its customers.",
    )


def bring(page: Page) -> None:
    """Paste the text at the start, and answer what it leaves open."""
    page.goto("/requests/new/")
    page.get_by_text("I have a template already").click()
    acts.box(page, "Text of the template").fill(OLD)
    acts.press(page, "Read it")
    expect(page.get_by_text("Your template is read: 8 of 13 fields")).to_be_visible()
    expect(acts.box(page, "3. Who asks?")).to_have_value("Potters' Assembly of Redclay")
    page.get_by_label("4. What will the names name?").fill("Marks of kilns")
    acts.press(page, "Continue to the template")


def see_what_was_understood(page: Page) -> None:
    """Confirm it, with old fields under their new names and the rest kept."""
    expect(acts.head(page, "What was understood")).to_be_visible()
    moved = "What it says was put where RFC 8141 asks for it."
    expect(page.get_by_text(moved)).to_be_visible()
    expect(page.get_by_text("From “Scope”")).to_be_visible()
    expect(page.get_by_text("This section belongs to no template.")).to_be_visible()
    acts.press(page, "Write into the draft")


def see_all_findings_at_once(page: Page) -> None:
    """See on one page what blocks and what to consider, each with a link to fix it."""
    expect(acts.head(page, "Check and send round 1")).to_be_visible()
    for title in ("Security and privacy", "Interoperability", "Syntax"):
        expect(page.get_by_role("link", name=f"Go to {title}", exact=True).first).to_be_visible()


def watch_the_bench(page: Page) -> None:
    """Write a rule; the page judges the names while they are typed."""
    acts.follow(page, "Go to Syntax")
    acts.write_field(page, "grammar_kind", "abnf")
    acts.write_field(page, "grammar", RULE)
    acts.write_field(page, "examples", "urn:kilnmark:1923:AB\nurn:kilnmark:1923:A1")
    acts.write_field(page, "counter_examples", "urn:kilnmark:23:AB")
    wrong = page.get_by_role("row", name="urn:kilnmark:1923:A1")
    expect(wrong.locator(".misfit")).to_have_text("1")
    assert find_with_axe(page, LOOKS) == []

    acts.write_field(page, "examples", "urn:kilnmark:1923:AB\nurn:kilnmark:1923:C")

    expect(page.locator("#bench-result .misfit")).to_have_count(1)
    expect(page.locator("#bench-result .is-bad:not(.misfit)")).to_have_count(0)
    acts.press(page, "Save")


def mend_the_rest(page: Page) -> None:
    """Answer what the older template did not ask."""
    reference = acts.reference(page)
    for section, name, text in (
        ("security-and-privacy", "security_privacy", SECURITY),
        ("interoperability", "interoperability", LOOKED_FOR),
    ):
        page.goto(f"/requests/{reference}/edit/{section}/")
        acts.box(page, field(name).label).fill(text)
        if section == "interoperability":
            acts.write_field(page, "known_issues", "none")
        acts.press(page, "Save")
    page.goto(f"/requests/{reference}/edit/resolution/")
    acts.write_field(page, "resolution_intended", "no")
    acts.press(page, "Save")
    page.goto(f"/requests/{reference}/send/")
    expect(page.get_by_text("must be fixed first")).to_have_count(0)


def test_reading_of_a_text_fits_a_narrow_screen(browse: Browse, registrant: User) -> None:
    page = browse(registrant, viewport={"width": 320, "height": 800}, color_scheme="dark")

    bring(page)

    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.goto("/inspect/grammar/")
    acts.box(page, "Rule").fill('nss = "a" "^"')
    expect(page.get_by_text("names that are no NSS")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_bench_answers_without_script(browse: Browse) -> None:
    page = browse(java_script_enabled=False)
    page.goto("/inspect/grammar/")
    acts.box(page, "Rule").fill("nss = 2DIGIT")
    acts.box(page, "Valid examples").fill("urn:sample:4x")

    acts.press(page, "Try it")

    expect(page.locator("#bench-result .misfit")).to_have_text("x")
    assert "grammar=nss" in page.url
