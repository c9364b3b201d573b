"""Style sheets and scripts as a server sends them, under hashed names, in a real browser."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings as settings_now
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Browse
from tests.http.test_storage import collect

SOURCE = Path(settings_now.BASE_DIR) / "static"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What is served at each address below /static/, under either name."""
    root = tmp_path_factory.mktemp("collected")
    found: dict[str, Path] = {}
    for name, hashed in collect(SOURCE, root).items():
        found[name] = found[hashed] = root / hashed
    return found


def serve_collected(page: Page, collected: dict[str, Path]) -> list[str]:
    """Give a page the collected files; return a list of what goes wrong in it."""
    faults: list[str] = []

    def answer(route: Route) -> None:
        name = urlsplit(route.request.url).path.removeprefix("/static/")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        route.fulfill(body=collected[name].read_bytes(), content_type=kind)

    page.route("**/static/**", answer)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    return faults


def test_collected_scripts_find_each_other(browse: Browse, collected: dict[str, Path]) -> None:
    page = browse()
    faults = serve_collected(page, collected)

    page.goto("/namespaces/")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys on this page")
    expect(keys).to_contain_text("Search")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    box = page.locator(".masthead input[name=q]")
    expect(box).to_be_focused()
    with page.expect_response("**/find/suggestions/?q=guide") as suggestions:
        box.press_sequentially("guide")

    expect(box).to_have_role("combobox")
    assert suggestions.value.ok
    assert faults == []
