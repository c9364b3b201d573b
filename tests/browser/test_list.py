"""Inspection in a real browser: a list of 10,000 names, and accessible pages."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Browse
from tests.browser.visits import list_looks
from tests.factories import NamespaceFactory

COUNT = 10_000
PAGES = {
    "one": "/inspect/?urn=URN%3AISBN%3Acaf%25C3%25A9%3F%2Bx%3F%3Dy%23z",
    "malformed": "/inspect/?urn=urn%3Aisbn%3Aa%20b%3Fs%3DI2L",
    "unregistered": "/inspect/?urn=urn%3Aisnb%3A1",
    "draft": "/inspect/?urn=urn%3Aisbn%3Aa%3Fs%3DI2L",
    "same": "/inspect/compare/?a=URN%3Aisbn%3A1&b=urn%3AISBN%3A1%23x",
    "different": "/inspect/compare/?a=urn%3Aisbn%3A1&b=urn%3Aisbn%3A2",
    "incomparable": "/inspect/compare/?a=urn%3Aisbn%3A1&b=urn%3Aisbn",
    "compare": "/inspect/compare/",
    "list": "/inspect/list/",
    "api": "/api/",
}


@pytest.fixture(scope="module", autouse=True)
def isbn(transactional_db: None) -> None:
    """The one registered namespace."""
    NamespaceFactory.create(nid="isbn", summary="book numbers")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 10,000 names; every tenth is not a URN, and every tenth in no namespace."""
    kinds = {3: "urn:isbn:{} {}", 7: "urn:isnb:{}-{}"}
    file = tmp_path_factory.mktemp("names") / "names.txt"
    lines = (
        kinds.get(number % 10, "urn:isbn:{}-{}").format(number, number) for number in range(COUNT)
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def page(browse: Browse, request: pytest.FixtureRequest) -> Page:
    """A window on the list page."""
    window = browse(java_script_enabled=request.param)
    window.goto("/inspect/list/")
    return window


def test_file_of_ten_thousand_names_is_checked_and_its_result_taken_away(
    page: Page, names: Path, tmp_path: Path
) -> None:
    page.get_by_label("Or a text file").set_input_files(names)
    page.get_by_role("button", name="Check the list").click()

    expect(page.locator("#counts")).to_have_text(
        "10,000 names: 0 without fault, 1,000 in no registered namespace, 9,000 not valid."
        " No duplicates."
    )
    table = page.get_by_role("table", name="Result for each line")
    first = table.get_by_role("row").nth(1)
    expect(first).to_contain_text("A space cannot stand in the NSS (character 11).")
    expect(table.get_by_role("row")).to_have_count(201)
    expect(page.get_by_text("The first 200 of 10,000 names are shown here")).to_be_visible()

    # Twice: a download leaves the page as it was, ready to send its form again.
    table_of_all = download(page, "CSV", tmp_path)
    objects = json.loads(download(page, "JSON", tmp_path))

    rows = list(csv.reader(table_of_all.splitlines()))
    assert len(rows) == COUNT + 1
    assert rows[4][:3] == ["4", "urn:isbn:3 3", "False"]
    assert [answer["text"] for answer in objects] == names.read_text("utf-8").split("\n")

    page.get_by_role("button", name="Show in the order given").click()

    expect(table.get_by_role("row").nth(1)).to_contain_text("urn:isbn:0-0")


def download(page: Page, kind: str, folder: Path) -> str:
    """Return the file that a button downloads."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=kind).click()
    file = folder / coming.value.suggested_filename
    coming.value.save_as(file)
    return file.read_text("utf-8")


def test_list_that_is_refused_is_kept_and_the_focus_goes_to_what_is_wrong(
    browse: Browse, tmp_path: Path
) -> None:
    page = browse()
    file = tmp_path / "latin.txt"
    file.write_bytes(b"urn:isbn:1\nurn:isbn:caf\xe9")
    page.goto("/inspect/list/")
    page.get_by_label("Names, one on each line").fill("urn:isbn:kept")

    page.get_by_label("Or a text file").set_input_files(file)
    page.get_by_role("button", name="Check the list").click()

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("line 2 has the byte E9")
    expect(page.get_by_label("Names, one on each line")).to_have_value("urn:isbn:kept")


@pytest.mark.parametrize(("width", "theme"), list_looks(1280, 320))
def test_everybody_can_use_the_desk(browse: Browse, theme: str, width: int) -> None:
    page = browse(viewport={"width": width, "height": 800})
    page.goto("/")
    page.get_by_role("button", name=theme.title(), exact=True).click()

    found = {name: faults(page, address) for name, address in PAGES.items()}
    page.goto("/inspect/list/")
    page.get_by_label("Names, one on each line").fill("urn:isbn:1\nurn:isnb:2\nurn:isbn:a b")
    page.get_by_role("button", name="Check the list").click()
    expect(page.locator("#counts")).to_contain_text("3 names")
    found["listed"] = faults(page)

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def faults(page: Page, address: str = "") -> list[str]:
    """Return accessibility faults of a page: axe's findings, and horizontal scrolling."""
    if address:
        page.goto(address)
    violations = Axe().run(page).response["violations"]
    found = [f"{each['id']}: {each['nodes'][0]['html']}" for each in violations]
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [*found, f"{wider} pixels too wide"] if wider > 0 else found
