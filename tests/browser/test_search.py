"""The search box in a real browser: suggestions by keyboard and pointer, and without script."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from registry.exchange.seed import load_namespaces, load_vocabularies, read_namespaces
from registry.search import rebuild_index
from tests.browser.conftest import Browse
from tests.browser.visits import list_looks


@pytest.fixture(scope="module", autouse=True)
def shipped(transactional_db: None) -> None:
    """The registry as shipped, with its index."""
    load_namespaces(read_namespaces())
    load_vocabularies()
    rebuild_index()


def test_suggestions_are_chosen_by_keyboard(browse: Browse) -> None:
    page = browse()
    page.goto("/guide/")
    box = page.get_by_role("combobox", name="Find a NID, URN or words")
    box.press_sequentially("libra")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("nbn")
    expect(box).to_have_attribute("aria-expanded", "true")

    box.press("ArrowDown")

    expect(first).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", first.get_attribute("id") or "")
    expect(box).to_be_focused()
    box.press("Enter")
    page.wait_for_url("**/namespaces/nbn/")


def test_escape_closes_the_list_and_enter_searches_for_the_words(browse: Browse) -> None:
    page = browse()
    page.goto("/guide/")
    box = page.get_by_role("combobox", name="Find a NID, URN or words")
    box.press_sequentially("books")
    page.get_by_role("option").first.wait_for()

    box.press("Escape")

    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(box).to_have_value("books")
    box.press("Enter")
    page.wait_for_url("**/find/?q=books")
    expect(page.get_by_role("heading", name="Best matches")).to_be_visible()


def test_suggestion_can_be_clicked(browse: Browse) -> None:
    page = browse()
    page.goto("/")
    page.get_by_role("combobox").press_sequentially("brodcasting")

    page.get_by_role("option").filter(has_text="ebu").first.click()

    page.wait_for_url("**/namespaces/ebu/")


def test_search_form_leads_to_results_without_script(browse: Browse) -> None:
    page = browse(java_script_enabled=False)
    page.goto("/guide/")

    page.get_by_role("textbox", name="Find a NID, URN or words").fill("books")
    page.get_by_role("button", name="Find").click()

    page.wait_for_url("**/find/?q=books")
    expect(page.get_by_role("link", name="isbn", exact=True)).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), list_looks(1280, 380))
def test_open_suggestions_and_results_are_accessible_at_each_width_and_in_each_theme(
    browse: Browse, width: int, scheme: str
) -> None:
    page = browse(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto("/find/?q=books")
    page.get_by_role("combobox").press_sequentially("h")
    page.get_by_role("combobox").fill("news")
    page.get_by_role("option").first.wait_for()

    found = Axe().run(page)

    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
