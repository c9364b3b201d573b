"""Style sheets and scripts as a server sends them, minified and hashed, in a real browser."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings as settings_now
from playwright.sync_api import Page, Route, expect

from registry import workflow
from registry.enums import RequestPath
from registry.models import User
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, start
from tests.http.test_storage import collect
from tests.template.samples import FORMAL

SOURCE = Path(settings_now.BASE_DIR) / "static"

LIST_RULES = """() => {
  const lines = [];
  const list = (rules, depth) => {
    for (const rule of rules) {
      const inner = rule.cssRules ?? rule.styleSheet?.cssRules;
      const name = rule.selectorText ?? rule.conditionText ?? rule.name ?? rule.href;
      lines.push([depth, rule.constructor.name, name ?? rule.cssText]);
      for (const property of rule.style ?? []) {
        const value = rule.style.getPropertyValue(property).replaceAll(/\\s*,\\s*/g, ",");
        lines.push([depth, property, value, rule.style.getPropertyPriority(property)]);
      }
      if (inner) list(inner, depth + 1);
    }
  };
  list([...document.styleSheets].find((each) => each.href.includes("registry")).cssRules, 0);
  return lines.map((line) => line.join(" ").replaceAll(/\\.[0-9a-f]{12}(?=\\.)/g, ""));
}"""


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


def test_minified_style_sheet_is_read_as_ours_is(
    browse: Browse, collected: dict[str, Path]
) -> None:
    ours, served = browse(), browse()
    faults = serve_collected(served, collected)

    for page in (ours, served):
        page.goto("/guide/components/")
    rules = ours.evaluate(LIST_RULES)

    assert len(rules) > 3_000
    assert served.evaluate(LIST_RULES) == rules
    assert faults == []


def test_minified_script_does_what_ours_does(browse: Browse, collected: dict[str, Path]) -> None:
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


def test_minified_script_opens_the_form_for_a_remark(
    browse: Browse, collected: dict[str, Path], people: dict[str, User]
) -> None:
    text = named(FORMAL, "smallbank")
    asked = start(people["registrant"], OrganizationFactory.create(), text, RequestPath.COMMUNITY)
    workflow.perform(asked, "submit", actor=people["registrant"])
    workflow.perform(asked, "assign", actor=people["expert"])
    page = browse(people["expert"])
    faults = serve_collected(page, collected)

    page.goto(f"/review/{asked.slug}/")
    page.locator("[data-remark-on]").first.click()

    expect(page.locator("[data-remark-panel] [name=text]")).to_be_focused()
    assert faults == []
