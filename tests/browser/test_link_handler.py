"""Links that begin with `web+urn:`, opened here by a browser that was asked to."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browse
from tests.factories import NamespaceFactory, ServiceFactory

STUB = """
window.handed = [];
navigator.registerProtocolHandler = (scheme, address) => window.handed.push([scheme, address]);
"""
BUTTON = "Open such links here in this browser"


@pytest.fixture(scope="module", autouse=True)
def mirrored(transactional_db: None) -> None:
    """A namespace whose names have two equal addresses, so that nobody is redirected."""
    namespace = NamespaceFactory.create(nid="orchard")
    for host in ("apple", "pear"):
        ServiceFactory.create(
            namespace=namespace, template=f"https://{host}.example/{{+nss}}", priority=10
        )


def test_browser_is_handed_the_scheme_and_leads_its_links_here(browse: Browse) -> None:
    page = browse()
    page.add_init_script(STUB)
    page.goto("/resolve/")
    page.get_by_role("button", name=BUTTON).click()

    ((scheme, address),) = page.evaluate("window.handed")

    here = urlsplit(page.url)
    assert (scheme, address) == ("web+urn", f"{here.scheme}://{here.netloc}/resolve/?urn=%s")
    # HTML Standard, custom handlers: the whole link, encoded, replaces %s.
    page.goto(address.replace("%s", quote("web+urn:orchard:a/b?=c#d", safe="")))
    expect(page.get_by_role("heading", name="Where it resolves")).to_be_visible()
    for host in ("apple", "pear"):
        expect(page.locator(f'a[href="https://{host}.example/a/b?c#d"]').first).to_be_visible()


def test_browser_that_takes_no_schemes_over_shows_no_button(browse: Browse) -> None:
    page = browse()
    page.add_init_script("delete Navigator.prototype.registerProtocolHandler;")

    page.goto("/resolve/")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text(BUTTON)).to_be_hidden()
