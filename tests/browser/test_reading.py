"""Pages can be read by keyboard and on paper; test_accessibility.py checks every one of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser import places
from tests.browser.conftest import Browse, Windows
from tests.browser.places import PLACES, Place
from tests.browser.scene import Scene
from tests.browser.visits import Visits

NARROW: ViewportSize = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def visits(windows: Windows, the_scene: Scene) -> Visits:
    return Visits(windows, the_scene, viewport=NARROW, reduced_motion="reduce")


# By keyboard

BY_KEYBOARD = [
    Place("/"),
    Place("/namespaces/seedbank/"),
    Place("/requests/new/", "registrant"),
    Place("/requests/{draft}/edit/syntax/", "registrant"),
    Place("/review/{taken}/", "expert"),
    Place("/publish/{approved}/", "registrar"),
]
FOCUS = """() => {
    const ring = (element) => {
        const style = getComputedStyle(element);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 3;
    };
    const focused = document.activeElement, before = window.focusedBefore;
    window.focusedBefore = focused;
    const box = focused.getBoundingClientRect(), bar = document.querySelector(".actionbar");
    const over = bar && !bar.contains(focused) ? bar.getBoundingClientRect() : new DOMRect();
    return {
        what: focused.outerHTML.slice(0, 100),
        ended: focused === document.body,
        forward: !before || Boolean(before.compareDocumentPosition(focused) & 4),
        ring: ring(focused) || Boolean(focused.closest("label") && ring(focused.closest("label"))),
        seen: box.bottom > 0 && box.top < innerHeight,
        covered: box.top >= over.top && box.bottom <= over.bottom,
    };
}"""


@pytest.mark.parametrize("place", BY_KEYBOARD, ids=str)
def test_tab_goes_forward_through_the_page_and_shows_where_it_is(
    place: Place, visits: Visits
) -> None:
    with visits.to(place) as page:
        visits.see(page, place)

        stops = tab_through(page)

    assert len(stops) > 10
    assert [stop["what"] for stop in stops if not stop["forward"]] == []
    assert [stop["what"] for stop in stops if not stop["ring"]] == []
    assert [stop["what"] for stop in stops if not stop["seen"] or stop["covered"]] == []


def tab_through(page: Page) -> list[dict[str, Any]]:
    """Press Tab until the focus leaves the page; return where it was each time."""
    stops: list[dict[str, Any]] = []
    while len(stops) < 300:
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop["ended"]:
            break
        stops.append(stop)
    return stops


def test_first_tab_leads_past_the_navigation(visits: Visits) -> None:
    with visits.to(PLACES[0]) as page:
        page.goto("/")

        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to main content")).to_be_in_viewport()
        page.keyboard.press("Enter")

        expect(page.get_by_role("main")).to_be_focused()


REFUSALS = [
    place
    for place in PLACES
    if place.act
    in (
        places.refused_sign_in,
        places.refused_sign_up,
        places.continue_with_nothing,
        places.send_unfinished,
        places.decide_nothing,
        places.confirm_another_name,
    )
]
DESCRIPTION = """(field) => {
    const fieldset = field.closest("fieldset");
    const ids = field.getAttribute("aria-describedby") ?? fieldset.getAttribute("aria-describedby");
    return ids.split(" ").map((id) => document.getElementById(id).innerText).join(" ");
}"""


@pytest.mark.parametrize("place", REFUSALS, ids=str)
def test_error_summary_takes_the_focus_and_repeats_the_fields_errors(
    place: Place, visits: Visits
) -> None:
    with visits.to(place) as page:
        visits.see(page, place)
        summary = places.summary(page)

        expect(summary).to_be_focused()
        links = summary.get_by_role("link")
        for link in links.all():
            field = page.locator(link.get_attribute("href") or "")
            expect(field).to_have_attribute("aria-invalid", "true")
            assert link.inner_text() in field.evaluate(DESCRIPTION)
        if links.count():
            links.first.press("Enter")
            expect(page.locator(":focus")).to_have_attribute("id", re.compile("^id_"))


# On paper


def test_printed_namespace_begins_with_its_facts_and_ends_with_its_address(
    browse: Browse, the_scene: Scene
) -> None:
    page = browse(viewport={"width": 720, "height": 1000})
    page.goto("/namespaces/seedbank/")
    printed_from = page.get_by_text("Printed from")
    expect(printed_from).to_be_hidden()

    page.emulate_media(media="print")

    expect(printed_from).to_contain_text("/namespaces/seedbank/")
    expect(printed_from).to_contain_text("Version 2.")
    facts = page.get_by_role("complementary", name="About this namespace")
    purpose = page.get_by_role("heading", name="Purpose")
    assert top(facts) < top(purpose) < top(printed_from)
    for on_screen_only in (
        page.get_by_role("banner"),
        page.get_by_role("contentinfo"),
        page.get_by_role("navigation"),
        page.get_by_role("search"),
        page.get_by_role("button"),
    ):
        expect(on_screen_only).to_have_count(0)


def top(element: Locator) -> float:
    """Return how far down the page an element begins."""
    box = element.bounding_box()
    assert box is not None
    return box["y"]
