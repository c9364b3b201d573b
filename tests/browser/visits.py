"""Opening one page after another, in a window that stays open for each of the cast."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from playwright.sync_api import Page, Response

from tests.browser.conftest import Windows
from tests.browser.places import Place
from tests.browser.scene import Scene

Look = tuple[int, Literal["light", "dark"]]
IN_FULL = "REGISTRY_TEST_SOAK_LOOKS" in os.environ


def list_looks(wide: int, narrow: int) -> list[Look]:
    """Return the widths and themes in which to check a page: all four in `make soak`, or two."""
    looks: list[Look] = [(wide, "light"), (narrow, "dark"), (wide, "dark"), (narrow, "light")]
    return looks if IN_FULL else looks[:2]


class Visits:
    """Visits to the places of a scene; `options` are those of Playwright's `new_context`."""

    def __init__(self, windows: Windows, scene: Scene, **options: Any) -> None:
        self.windows = windows
        self.scene = scene
        self.options = options
        self.open: dict[str, Page] = {}

    @contextmanager
    def to(self, place: Place) -> Iterator[Page]:
        """Return the page on which `place` will be checked.

        It is the one that the person has open, or a new one if there is an action.
        """
        if place.act:
            page = self.page_for(place.person)
            yield page
            page.context.close()
        else:
            if place.person not in self.open:
                self.open[place.person] = self.page_for(place.person)
            yield self.open[place.person]

    def page_for(self, person: str) -> Page:
        """Open a page for one of the cast, or a stranger."""
        return self.windows(self.scene.people.get(person), **self.options).new_page()

    def see(self, page: Page, place: Place) -> None:
        """Go to the place, do its action, and check that it is the intended page."""
        statuses: list[int] = []

        def note(response: Response) -> None:
            if response.request.is_navigation_request():
                statuses.append(response.status)

        page.on("response", note)
        page.goto(self.scene.address(place.address))
        if place.act:
            place.act(page)
        page.remove_listener("response", note)
        assert statuses[-1] == place.status
        assert page.url.endswith(place.shows)
