"""Every page is accessible: axe finds nothing (WCAG 2.2 AA), and it fits 320 pixels.

One visit to a page checks everything. `make test-all` visits each page once as it is opened and
once after an action there, and axe looks at it wide or narrow, light or dark, in turn. `make test`
has a dozen of these; `make soak` visits every place, and axe looks in all four ways
(`REGISTRY_TEST_SOAK_LOOKS`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.template.loader import render_to_string
from django.urls import URLResolver, get_resolver
from playwright.sync_api import ConsoleMessage, Page, Request, Route, ViewportSize, expect

from tests.browser import acts
from tests.browser.conftest import Browse, Windows
from tests.browser.places import NOT_PAGES, PLACES, Place
from tests.browser.scene import Scene
from tests.browser.visits import IN_FULL, Look, Visits


def find_first_of_each_page(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return the first place of each page, and the first of each with an action."""
    first: dict[tuple[str, bool], Place] = {}
    for place in places:
        first.setdefault((place.name, place.act is not None), place)
    return tuple(first.values())


NARROW: ViewportSize = {"width": 320, "height": 640}
RULES = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
LOOKS: tuple[Look, ...] = ((1280, "light"), (380, "dark"), (1280, "dark"), (380, "light"))
LOOKS_BY_TURNS = cycle([LOOKS] if IN_FULL else [(look,) for look in LOOKS])
VISITED = PLACES if IN_FULL else find_first_of_each_page(PLACES)
SAMPLE = {
    "account:requests",
    "account_login",
    "api:index",
    "direction:index",
    "guide:index",
    "home:index",
    "inspect:index",
    "namespaces:detail",
    "publish:detail",
    "requests:detail",
    "requests:edit",
    "review:detail",
}
"""A page of each group of templates, for `make test`."""
# The browser's own message about a refused navigation, which is as it should be.
REFUSED = re.compile(r"^Failed to load resource: .* status of (400|403|404|409) ")
# Passkeys need a device and script: those forms are not shown without it.
FORMS_WITHOUT_A_BUTTON = """() => [...document.forms]
    .filter((form) => !form.matches("[data-passkey]"))
    .filter((form) => ![...form.elements].some((each) => each.type === "submit"))
    .map((form) => form.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def visits(windows: Windows, the_scene: Scene) -> Visits:
    return Visits(windows, the_scene, reduced_motion="reduce")


class Watch:
    """What a page requests and complains about while it is checked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: set[str] = set()
        self.complaints: list[str] = []

    def __enter__(self) -> Watch:
        self.page.on("request", self.note_request)
        self.page.on("console", self.note_message)
        self.page.on("pageerror", self.note_error)
        return self

    def __exit__(self, *_exc: object) -> None:
        self.page.remove_listener("request", self.note_request)
        self.page.remove_listener("console", self.note_message)
        self.page.remove_listener("pageerror", self.note_error)

    def note_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme != "data":
            self.asked.add(address.netloc)

    def note_message(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not REFUSED.match(message.text):
            self.complaints.append(message.text)

    def note_error(self, error: Exception) -> None:
        self.complaints.append(str(error))


@pytest.mark.parametrize(
    ("place", "looks"),
    [
        pytest.param(
            place,
            looks,
            id=str(place),
            marks=pytest.mark.whole(sample=place.name in SAMPLE and place.act is None),
        )
        for place, looks in zip(VISITED, LOOKS_BY_TURNS, strict=False)
    ],
)
def test_page_fits_320_pixels_asks_no_other_host_sends_without_script_and_passes_axe(
    place: Place, looks: tuple[Look, ...], visits: Visits
) -> None:
    with visits.to(place) as page:
        page.set_viewport_size(NARROW)
        with Watch(page) as watch:
            visits.see(page, place)

        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        assert page.evaluate(FORMS_WITHOUT_A_BUTTON) == []
        assert watch.asked == {urlsplit(page.url).netloc}
        assert watch.complaints == []
        assert find_with_axe(page, looks) == []


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

        assert find_with_axe(page, LOOKS) == []


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
    looked_at = {place.name for place in VISITED}

    pages = {name for name, address in addresses() if not address.startswith(tuple(NOT_PAGES))}
    assert sorted(pages - looked_at) == []


def find_with_axe(page: Page, looks: Iterable[Look]) -> list[tuple[int, str, str, str]]:
    """Return what axe finds on the page: width, theme, rule and element.

    Style sheets need not be loaded again, which only rules about them require.
    """
    options = {"resultTypes": ["violations"], "runOnly": RULES, "preload": False}
    page.evaluate(AXE_SCRIPT)
    found: list[tuple[int, str, str, str]] = []
    for width, theme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        violations: list[dict[str, Any]] = page.evaluate(
            "async (options) => (await axe.run(options)).violations", options
        )
        found += [
            (width, theme, violation["id"], node["html"])
            for violation in violations
            for node in violation["nodes"]
        ]
    return found


def colours(page: Page) -> list[str]:
    """Return the colours of large parts of the page."""
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
