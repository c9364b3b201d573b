"""Two hundred ways of writing a script in text fields: none runs in a real browser."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from playwright.sync_api import ConsoleMessage, Dialog, Request
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.enums import RequestPath
from registry.models import Letter, RegistrationRequest, User
from registry.template import Template
from tests.browser.conftest import Browse
from tests.conftest import start
from tests.factories import OrganizationFactory
from tests.payloads import PAYLOADS
from tests.template.samples import FORMAL


@pytest.fixture
def said(
    transactional_db: None, settings: Settings, people: dict[str, User]
) -> RegistrationRequest:
    """A public request in which every text is a payload, or several."""
    settings.REGISTRY_COMMENTS_PER_HOUR = 1_000
    # Browser state is kept for the whole file, and names of organizations are unique.
    body = OrganizationFactory.create(name=f"Body {uuid.uuid4().hex[:8]} {PAYLOADS[14]}"[:100])
    text: Template = FORMAL.replace(
        purpose="\n\n".join(PAYLOADS), security_privacy="\n\n".join(PAYLOADS[:40])
    )
    found = start(people["registrant"], body, text, RequestPath.COMMUNITY)
    RegistrationRequest.objects.filter(pk=found.pk).update(summary=PAYLOADS[3][:100])
    found.refresh_from_db()
    workflow.perform(found, "submit", actor=people["registrant"])
    for number in range(0, len(PAYLOADS), 20):
        words = "\n\n".join(PAYLOADS[number : number + 20])
        discussion.add_comment(found, author=people["outsider"], text=words, key=uuid.uuid4())
    return found


def test_nothing_that_people_write_runs_or_leaves_the_page(
    browse: Browse, said: RegistrationRequest, people: dict[str, User]
) -> None:
    assert len(PAYLOADS) == 200
    here = said.get_absolute_url()
    for person in (None, people["expert"]):
        page = browse(person)
        seen: list[str] = []

        def dismiss(dialog: Dialog, seen: list[str] = seen) -> None:
            seen.append(dialog.message)
            dialog.dismiss()

        def note_request(asked: Request, seen: list[str] = seen) -> None:
            if "evil" in asked.url:
                seen.append(asked.url)

        def note(message: ConsoleMessage, seen: list[str] = seen) -> None:
            if "Content Security Policy" in message.text:
                seen.append(message.text)

        page.on("dialog", dismiss)
        page.on("request", note_request)
        page.on("console", note)
        for path in (here, f"{here}rounds/1/", "/requests/", f"/review/{said.slug}/"):
            page.goto(path)
            found = page.evaluate(
                """() => ({
                    hit: window.hit ?? null,
                    title: document.title === 'hit',
                    scripts: [...document.scripts].filter(
                        each => !each.src && !each.type.includes('json')).length,
                    handlers: [...document.querySelectorAll('*')].filter(each =>
                        each.getAttributeNames().some(name => name.startsWith('on'))).length,
                    links: [...document.querySelectorAll('a[href],iframe')].filter(each =>
                        /^(javascript|data):/i.test(each.getAttribute('href') || '') ||
                        each.tagName === 'IFRAME').length,
                })"""
            )
            assert found == {"hit": None, "title": False, "scripts": 0, "handlers": 0, "links": 0}
        assert seen == []


def test_feeds_letters_and_data_keep_what_was_written_as_text(
    said: RegistrationRequest,
) -> None:
    client, here = Client(), said.get_absolute_url()

    pages = [client.get(path) for path in (here, f"/requests/{said.slug}.atom", "/requests.atom")]
    assert [page.status_code for page in pages] == [200, 200, 200]
    letters = Letter.objects.exclude(html="")

    assert letters.exists()
    for text in [*(page.content.decode() for page in pages), *(each.html for each in letters)]:
        assert "<script>alert" not in text
        assert "onerror=alert(1)>" not in text.replace("&gt;", "")
        assert "<svg onload" not in text
