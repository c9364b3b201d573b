"""How much of a page moves while it loads: less than 0.05, where 0.1 is called good.

See https://web.dev/articles/cls. Two things are made late here: fonts, and the page itself, which
arrives in pieces as on a slow connection or a slow phone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, Route
from pytest_django.live_server_helper import LiveServer

from registry import workflow
from registry.enums import RequestPath
from registry.models import User
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, start
from tests.servers import Answering, web_server
from tests.template.samples import FORMAL

WIDTHS = (380, 1280)
PIECES = 12
PAUSE = 0.1
"""Seconds between two pieces, so that each of them is shown before the next."""

LIST_SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const moved = entry.sources.map(({ node }) => node && (node.className || node.nodeName));
    shifts.push([entry.value, moved.join(", ")]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
WAIT_UNTIL_SHOWN = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)));
})"""


def list_large_shifts(page: Page, address: str) -> list[tuple[float, str]]:
    """Return by how much what moves, largest first, if that is too much together.

    Fonts come when the page has been shown in fonts of the machine.
    """
    fonts: list[Route] = []
    page.add_init_script(LIST_SHIFTS)
    page.route("**/*.woff2", lambda route: fonts.append(route))
    answer = page.goto(address, wait_until="domcontentloaded")
    assert answer
    assert answer.status == 200
    page.evaluate(WAIT_UNTIL_SHOWN)
    for font in fonts:
        font.continue_()
    page.route("**/*.woff2", lambda route: route.continue_())
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    page.evaluate(WAIT_UNTIL_SHOWN)
    shifts = [(value, moved) for value, moved in page.evaluate("shifts")]
    return sorted(shifts, reverse=True) if sum(value for value, _moved in shifts) >= 0.05 else []


@pytest.fixture(scope="module")
def slow_site(live_server: LiveServer) -> Iterator[str]:
    """The same registry, whose pages arrive in pieces; everything else arrives at once."""
    behind = urlsplit(live_server.url)

    def pass_on(asked: Answering) -> None:
        headers = {key: value for key, value in asked.headers.items() if key != "Accept-Encoding"}
        with closing(HTTPConnection(str(behind.hostname), behind.port)) as connection:
            connection.request("GET", asked.path, headers=headers)
            response = connection.getresponse()
            body = response.read()
        asked.send_response(response.status)
        for key, value in response.getheaders():
            asked.send_header(key, value)
        asked.end_headers()
        is_page = response.headers.get_content_type() == "text/html"
        size = len(body) // PIECES + 1 if is_page else len(body) or 1
        for begin in range(0, len(body), size):
            asked.wfile.write(body[begin : begin + size])
            asked.wfile.flush()
            time.sleep(PAUSE if is_page else 0)

    with web_server(pass_on) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module", autouse=True)
def registry_of_today(transactional_db: None) -> None:
    """The currently registered namespaces."""
    call_command("load_registry", verbosity=0)


@pytest.fixture(scope="module")
def screens(people: dict[str, User]) -> list[tuple[User | None, str]]:
    """The screens of requests that people sit at longest, and who opens them."""
    registrant, expert = people["registrant"], people["expert"]
    # In fonts of the machine there is room for a button after this name, in ours there is none.
    organization = OrganizationFactory.create(name="Sample Body 777")
    draft, in_review = (
        start(registrant, organization, named(FORMAL, nid), RequestPath.COMMUNITY)
        for nid in ("driftbank", "shiftbank")
    )
    workflow.perform(in_review, "submit", actor=registrant)
    workflow.perform(in_review, "assign", actor=expert)
    return [
        (None, f"/requests/{in_review.slug}/"),
        (expert, f"/review/{in_review.slug}/"),
        (registrant, f"/requests/{draft.slug}/edit/assignment/"),
        (registrant, f"/requests/{draft.slug}/preview/"),
    ]


PUBLIC = (
    *("/", "/namespaces/", "/namespaces/isbn/", "/guide/paths/"),
    "/inspect/?urn=urn:isbn:0-395-36341-2",
)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("slow", [False, True], ids=["at-once", "in-pieces"])
def test_no_page_moves_while_it_loads(
    browse: Browse,
    live_server: LiveServer,
    slow_site: str,
    screens: list[tuple[User | None, str]],
    slow: bool,
    width: int,
) -> None:
    site = slow_site if slow else live_server.url
    moved = {}
    for person, address in (*((None, address) for address in PUBLIC), *screens):
        page = browse(person, viewport={"width": width, "height": 800})
        moved[address] = list_large_shifts(page, f"{site}{address}")

    assert {address: shifts for address, shifts in moved.items() if shifts} == {}
