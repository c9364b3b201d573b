"""axe finds nothing on any page, in both themes, wide and narrow (WCAG 2.2 AA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.template.loader import render_to_string
from django.urls import URLResolver, get_resolver
from playwright.sync_api import Page, Route, expect

from tests.browser import acts
from tests.browser.conftest import Browse, Windows
from tests.browser.places import NOT_PAGES, PLACES, Place
from tests.browser.scene import Scene
from tests.browser.visits import Visits

WIDTHS = (1280, 380)
RULES = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
# A theme is other colours, so in the second one the rules about colours alone are asked again.
RULES_OF_COLOUR = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
LOOKS: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", RULES),
    ("dark", RULES_OF_COLOUR),
)


@pytest.fixture(scope="module")
def visits(windows: Windows, the_scene: Scene) -> Visits:
    return Visits(windows, the_scene, reduced_motion="reduce")


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_axe_finds_nothing(place: Place, visits: Visits) -> None:
    with visits.to(place) as page:
        visits.see(page, place)

        assert found_by_axe(page) == []


@pytest.mark.parametrize("template", ["500.html", "503.html"])
def test_axe_finds_nothing_on_pages_that_stand_when_the_site_does_not(
    template: str, visits: Visits
) -> None:
    def broken(route: Route) -> None:
        body = render_to_string(template, {"number": "0a1b2c3d", "until": "15:00 UTC"})
        route.fulfill(status=int(template[:3]), content_type="text/html", body=body)

    with visits.to(PLACES[0]) as page:
        page.route("**/broken/", broken)
        page.goto("/broken/")

        assert found_by_axe(page) == []


def test_dark_is_the_same_whether_the_system_or_the_switch_asks_for_it(browse: Browse) -> None:
    page = browse(color_scheme="light", reduced_motion="reduce")
    page.goto("/about/")
    light = colours(page)
    page.emulate_media(color_scheme="dark")
    of_the_system = colours(page)
    page.emulate_media(color_scheme="light")

    acts.press(page, "Dark")

    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert colours(page) == of_the_system != light


def test_every_address_of_a_page_is_looked_at() -> None:
    looked_at = {place.name for place in PLACES}

    pages = {name for name, address in addresses() if not address.startswith(tuple(NOT_PAGES))}
    assert sorted(pages - looked_at) == []


def found_by_axe(page: Page) -> list[tuple[int, str, str, str]]:
    """Return what axe finds on the page: width, theme, rule and element."""
    page.evaluate(AXE_SCRIPT)
    found: list[tuple[int, str, str, str]] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for theme, rules in LOOKS:
            page.emulate_media(color_scheme=theme)
            found += [
                (width, theme, violation["id"], node["html"])
                for violation in violations(page, rules)
                for node in violation["nodes"]
            ]
    return found


def violations(page: Page, rules: dict[str, Any]) -> list[dict[str, Any]]:
    """Run axe; it need not load style sheets again, which only rules about them ask for."""
    options = {"resultTypes": ["violations"], "runOnly": rules, "preload": False}
    broken: list[dict[str, Any]] = page.evaluate(
        "async (options) => (await axe.run(options)).violations", options
    )
    return broken


def colours(page: Page) -> list[str]:
    """Return the colours that large parts of the page have."""
    found: list[str] = page.evaluate(
        """() => ["body", "main", "h1", "a", "button", "footer"].flatMap((name) => {
            const style = getComputedStyle(document.querySelector(name));
            return [style.color, style.backgroundColor, style.borderTopColor];
        })"""
    )
    return found


def addresses(
    resolver: URLResolver | None = None, space: str = "", path: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the name of each address that has one, and its pattern."""
    for each in (resolver or get_resolver()).url_patterns:
        pattern = f"{path}{each.pattern}"
        if isinstance(each, URLResolver):
            yield from addresses(each, f"{each.namespace}:" if each.namespace else space, pattern)
        elif each.name:
            yield f"{space}{each.name}", pattern
