"""In the browser: an imported text, the version that revises it, and the registrar's readings."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from registry import workflow
from registry.enums import RequestPath
from registry.models import Namespace, User
from registry.workflow import drafts
from tests.browser.conftest import Browse
from tests.factories import (
    OrganizationFactory,
    formal_text,
    let_speak_for,
)
from tests.records import copy_documents, import_from, make_imported_namespace


@pytest.fixture(scope="module")
def needle(people: dict[str, User], tmp_path_factory: pytest.TempPathFactory) -> Namespace:
    """A namespace with two documents of record, held by a body with a delegate."""
    namespace = make_imported_namespace("needle", "RFC9998", "RFC9997")
    namespace.registrant = OrganizationFactory.create(name="Sewing Guild")
    namespace.save()
    let_speak_for(namespace.registrant, people["registrant"])
    import_from(copy_documents(tmp_path_factory.mktemp("documents")))
    return namespace


@pytest.fixture(scope="module")
def revised(needle: Namespace, people: dict[str, User]) -> Namespace:
    """The same with a version published here."""
    holder = needle.registrant
    assert holder is not None
    asked = drafts.start_request(
        author=people["registrant"],
        path=RequestPath.COMMUNITY,
        organization=holder,
        summary="Needles of the Guild",
        namespace=needle,
    )
    assert asked.draft is not None
    text = formal_text("needle").replace(revision_information="All fields are written anew.")
    drafts.save_draft(asked.draft, text.to_dict(), seen=0)
    workflow.perform(asked, "submit", actor=people["registrant"])
    workflow.perform(asked, "assign", actor=people["expert"])
    workflow.perform(asked, "approve", actor=people["expert"], comment="Sound.")
    workflow.perform(asked, "register", actor=people["registrar"], references=["RFC 9998"])
    return needle


def test_reader_sees_the_template_its_source_and_the_text_as_found(
    browse: Browse, needle: Namespace
) -> None:
    page = browse()

    page.goto("/namespaces/needle/")
    expect(page.get_by_text("Imported from the document of record")).to_be_visible()
    expect(page.get_by_text("Bobbin Square 1, 3301 Hemford")).to_be_visible()
    page.get_by_role("navigation", name="Sections of the template").get_by_role(
        "link", name="Syntax"
    ).click()
    expect(page.get_by_role("heading", name="Syntax")).to_be_in_viewport()
    page.get_by_role("link", name="The text as found").first.click()

    expect(page.get_by_role("heading", name="needle in RFC 9998")).to_be_visible()
    expect(page.locator("#as-found pre")).to_contain_text("registration date: 2009-03-01")


def test_registrar_corrects_a_doubtful_reading(
    browse: Browse, needle: Namespace, registrar: User
) -> None:
    page = browse(registrar)

    page.goto("/publish/")
    page.get_by_role("link", name="doubtful reading").click()
    row = page.get_by_role("row").filter(has_text="RFC 9998").first
    expect(row).to_contain_text("Nothing was found for")
    row.get_by_role("link", name="needle").click()
    page.get_by_label("Interoperability").fill("A name the Guild never gave.")
    page.get_by_label("Why should it be read differently?").fill("It fits there.")
    page.get_by_role("button", name="Keep this understanding").click()
    expect(page.get_by_text("is not in the document")).to_be_visible()
    page.get_by_label("Interoperability").fill("The Guild counts.")
    page.get_by_role("button", name="Keep this understanding").click()

    expect(page.get_by_text("Kept as a new record beside the one before.")).to_be_visible()
    assert needle.imported_records.get(number=3).interoperability == "The Guild counts."


def test_version_stands_beside_the_text_that_it_revises(browse: Browse, revised: Namespace) -> None:
    page = browse()

    page.goto("/namespaces/needle/")
    expect(page.get_by_text("Imported from the document of record")).to_have_count(0)
    page.get_by_role("listitem").filter(has_text="RFC 9998").get_by_role(
        "link", name="Compare with version 4"
    ).last.click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("beside Version 4")
    expect(page.locator("#diff-syntax .was").first).to_contain_text("printed on its paper")


def test_pages_work_on_a_narrow_screen(browse: Browse, needle: Namespace, registrar: User) -> None:
    page = browse(registrar, viewport={"width": 320, "height": 640})

    for url in (
        needle.get_absolute_url(),
        "/namespaces/needle/records/1/",
        "/publish/readings/",
        "/publish/readings/needle/1/",
    ):
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, url
