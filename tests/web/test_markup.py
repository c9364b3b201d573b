"""Our pages are valid for a strict HTML parser, and references in them resolve.

Browsers silently correct invalid HTML, and so does the parser with which most tests read pages.
`make peers` has the Nu checker look at every page; this covers what breaks most easily.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import html5rdf
import pytest
from django.template.loader import render_to_string
from django.test import Client

from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

REFERENCES: Final = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "list", "form")
"""Attributes that refer to elements of the same page by `id`."""


def find_faults(page: str) -> Iterator[str]:
    """Yield what a browser would have to correct, and references to missing elements."""
    parser = html5rdf.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(page)
    lines = page.split("\n")
    for (line, _column), fault, data in parser.errors:
        yield f"{fault} {data or ''}: {lines[line - 1].strip()[:200] if line else ''}"
    elements: list[Any] = list(tree.iter())
    known = Counter(each.get("id") for each in elements if each.get("id"))
    yield from (f"two elements are called {name}" for name, count in known.items() if count > 1)
    for each in elements:
        for name in REFERENCES:
            for key in (each.get(name) or "").split():
                if key not in known:
                    yield f'{each.tag} {name}="{key}" names nothing'


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ("<p><ul></ul></p>", "unexpected-end-tag"),
        ("<section><b>x</section>", "end-tag-too-early"),
        ('<p class="a" class="b">x</p>', "duplicate-attribute"),
        ('<p id="a">x</p><p id="a">x</p>', "two elements are called a"),
        ('<label for="a">x</label>', 'label for="a" names nothing'),
    ],
)
def test_parser_finds_what_a_browser_would_mend(wrong: str, fault: str) -> None:
    faults = list(find_faults(f"<!doctype html><html><title>x</title><body>{wrong}</body></html>"))

    assert any(fault in each for each in faults), faults


def test_public_pages_are_valid_for_a_strict_parser(
    client: Client, in_review: RegistrationRequest
) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")
    request_page = in_review.get_absolute_url()

    for address in (
        "/",
        "/namespaces/",
        "/namespaces/isbn/?name=urn:isbn:0-395-36341-2",
        "/inspect/?urn=urn:isbn:978-0-395-36341-6",
        request_page,
        "/exports/",
        "/contact/",
        "/guide/urns/",
    ):
        page = client.get(address)

        assert page.status_code == 200, address
        assert list(find_faults(page.content.decode())) == [], address


def test_working_screens_are_valid_for_a_strict_parser(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: Callable[..., Client]
) -> None:
    for person, address in (
        (expert, f"/review/{in_review.slug}/"),
        (registrant, in_review.get_absolute_url()),
        (registrant, "/account/"),
    ):
        page = sign_in(person).get(address)

        assert page.status_code == 200, address
        assert list(find_faults(page.content.decode())) == [], address


@pytest.mark.parametrize("template", ["500.html", "503.html"])
def test_error_pages_are_valid_for_a_strict_parser(
    template: str,
) -> None:
    page = render_to_string(template, {"number": "0a1b2c3d", "until": "15:00 UTC"})

    assert list(find_faults(page)) == []
