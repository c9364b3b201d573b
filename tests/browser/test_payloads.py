"""Two hundred ways of writing a script in every text field: none runs in a real browser.

Each kind of page is opened once, by somebody who sees it, and so is each kind of feed and file,
each export, each letter in HTML, and each file again as if its reader had saved it. `make soak` has
everybody open every address, with all the payloads in every long text (`REGISTRY_TEST_SOAK_LOOKS`).
"""

from __future__ import annotations

import mimetypes
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from playwright.sync_api import ConsoleMessage, Dialog, Error, Page, Request
from pytest_django.live_server_helper import LiveServer

from registry import workflow
from registry.actions import discussion
from registry.actions.reports import close_report
from registry.enums import LetterReason, Role
from registry.exchange.exports import EXPORT_FILES, refresh_exports
from registry.models import IANASnapshot, Letter, RegistrationRequest, Report, User
from registry.notifications.digests import write_digest
from registry.selectors.case import open_case
from tests.addresses import list_addresses
from tests.browser.conftest import Windows
from tests.browser.visits import IN_FULL
from tests.conftest import without_triggers
from tests.factories import OrganizationFactory, UserFactory, let_speak_for
from tests.payloads import CARRIERS, PAYLOADS
from tests.populated_registry import Cast, populate
from tests.web.test_payloads import MARKS, fill_with_payloads

Readers = dict[str, User | None]
PAGE = "text/html"
NOWHERE = "nowhere.invalid"
"""A host that no page may ask: the only one for letters and saved files."""
LOOK = """() => ({
    hit: window.hit ?? null,
    title: document.title === 'hit',
    scripts: [...document.scripts].filter(
        each => !each.src && !(each.type ?? '').includes('json')).length,
    handlers: [...document.querySelectorAll('*')].filter(each =>
        each.getAttributeNames().some(name => name.startsWith('on'))).length,
    links: [...document.querySelectorAll('a[href],iframe')].filter(each =>
        /^(javascript|data):/i.test(each.getAttribute('href') || '') ||
        each.tagName === 'IFRAME').length,
})"""
NOTHING = {"hit": None, "title": False, "scripts": 0, "handlers": 0, "links": 0}


@dataclass(frozen=True)
class Visit:
    """Who opens which address, and what the registry answers."""

    reader: str
    address: str
    status: int
    media_type: str
    octets: bytes

    @property
    def is_page(self) -> bool:
        """Whether it is a page, rather than a file."""
        return self.media_type == PAGE

    @property
    def is_marked(self) -> bool:
        """Whether it has any of the payloads."""
        return any(mark.encode() in self.octets for mark in MARKS)


@dataclass
class Watch:
    """What a page of the browser did that no page should do."""

    page: Page
    host: str = ""
    seen: list[str] = field(default_factory=list)
    is_page: bool = True

    def __post_init__(self) -> None:
        self.page.on("dialog", self.dismiss)
        self.page.on("request", self.note_request)
        self.page.on("console", self.note_message)

    def dismiss(self, dialog: Dialog) -> None:
        self.seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note_request(self, asked: Request) -> None:
        address = urlsplit(asked.url)
        if address.scheme not in {"data", "blob", "file"} and address.netloc != self.host:
            self.seen.append(f"request: {asked.url}")

    def note_message(self, message: ConsoleMessage) -> None:
        # The browser's own view of XML has styles, which our policy for files refuses.
        is_style_of_view = "inline style" in message.text and not self.is_page
        if "Content Security Policy" in message.text and not is_style_of_view:
            self.seen.append(message.text)

    def take(self) -> list[str]:
        """Return what was seen since the last time."""
        seen, self.seen = self.seen, []
        return seen


@pytest.fixture(scope="module")
def readers(people: dict[str, User]) -> Readers:
    """Everybody who may see something, in a registry whose every text is payloads."""
    body = OrganizationFactory.create(name="Northlight Seed Vault Federation")
    names = ("registrant", "expert", "lead", "registrar", "outsider")
    populate(Cast(**{name: people[name] for name in names}, organization=body))
    with without_triggers():
        IANASnapshot.objects.all().delete()  # It is not XML, as every IANA list is.
    administrator = UserFactory.create(roles=[Role.ADMINISTRATOR], is_staff=True)
    assert len(fill_with_payloads(len(PAYLOADS) if IN_FULL else len(CARRIERS))) > 60
    write_letters(people)
    call_command("rebuild_search")
    refresh_exports(at_once=True)
    officers = ("expert", "lead", "registrar", "standards")
    signed_in = {name: people[name] for name in ("registrant", *officers)}
    return {"": None, **signed_in, "administrator": administrator}


def write_letters(people: dict[str, User]) -> None:
    """Do what letters in HTML tell of: talk, a decision, an answer, and a day in one letter."""
    found = RegistrationRequest.objects.get(nid="watermill")
    expert, registrar, outsider = (
        User.objects.get(pk=people[name].pk) for name in ("expert", "registrar", "outsider")
    )
    for number in range(0, len(PAYLOADS), 40):
        words = "\n\n".join(PAYLOADS[number : number + 40])
        discussion.add_comment(found, author=outsider, text=words, key=uuid.uuid4())
    # Every body has a name that can be taken for that of a known one.
    for party in open_case(found).parties:
        assert party.organization
        let_speak_for(party.organization, found.author)
    workflow.perform(found, "approve", actor=expert, comment="\n\n".join(PAYLOADS))
    close_report(Report.objects.get(), actor=registrar, answer="\n\n".join(PAYLOADS))
    told = list(Letter.objects.exclude(event=None))
    write_digest(registrar, told, "digest:payloads", timezone.now())


def open_address(page: Page, address: str) -> bool:
    """Open an address; return whether the browser shows it rather than saving it."""
    try:
        page.goto(address)
    except Error as error:
        if "Download is starting" in error.message or "ERR_ABORTED" in error.message:
            return False
        raise
    return True


def list_visits(readers: Readers) -> Iterator[Visit]:
    """Yield whom to send where.

    Each kind of page or file once, to the first who sees it; in full, everybody everywhere.
    """
    known, seen = set[tuple[str, str]](), set[str]()
    addresses = [
        *list_addresses(),
        *(reverse("exports:file", args=[each]) for each in EXPORT_FILES),
    ]
    for name, person in readers.items():
        client = Client(raise_request_exception=False)
        if person:
            client.force_login(person)
        for address in addresses:
            if address in seen and not IN_FULL:
                continue
            answer = client.get(address)
            media_type = answer.headers.get("Content-Type", "").partition(";")[0]
            templates = [each.name or "" for each in answer.templates]
            kind = media_type, templates[0] if templates else name_maker(address, media_type)
            if answer.status_code in {200, 400, 405}:
                # Nobody else is answered more.
                seen.add(address)
            if IN_FULL or (answer.status_code == 200 and kind not in known):
                known.add(kind)
                octets = b"".join(cast("Iterable[bytes]", answer))
                yield Visit(name, address, answer.status_code, media_type, octets)


def name_maker(address: str, media_type: str) -> str:
    """Return what makes the files of one kind: an area its JSON, a view others, and each export."""
    if media_type.endswith("json"):
        return address.split("/")[1]
    try:
        found = resolve(address)
    except Resolver404:
        return ""
    return address if found.view_name == "exports:file" else found.view_name


def open_window(windows: Windows, person: User | None, host: str) -> Watch:
    """Open a page of somebody's browser, from which no request gets further than `host`."""
    page = windows(person).new_page()
    page.route(re.compile(rf"^https?://(?!{re.escape(host)}/)"), lambda route: route.abort())
    return Watch(page, host)


def save_file(visit: Visit, folder: Path) -> str:
    """Save a file as its reader would, with the ending of its format; return its address."""
    # Browsers show any XML in one way, and what they do not know as text.
    ending = ".xml" if visit.media_type.endswith("xml") else ".txt"
    ending = mimetypes.guess_extension(visit.media_type) or ending
    path = folder / f"{uuid.uuid4().hex}{ending}"
    path.write_bytes(visit.octets)
    return path.as_uri()


def test_nothing_that_people_write_runs_in_any_kind_of_page_or_file(
    windows: Windows, live_server: LiveServer, readers: Readers, tmp_path: Path
) -> None:
    assert len(PAYLOADS) == 200
    host, opened = urlsplit(live_server.url).netloc, dict[str, Watch]()
    saved = open_window(windows, None, NOWHERE)
    visits, marked = set[str](), 0

    for visit in list_visits(readers):
        name, address = visit.reader, visit.address
        if name not in opened:
            opened[name] = open_window(windows, readers[name], host)
        watch = opened[name]
        watch.is_page = visit.is_page
        is_shown = open_address(watch.page, address)
        found = watch.page.evaluate(LOOK) if visit.is_page and is_shown else NOTHING
        assert (name, address, found, watch.take()) == (name, address, NOTHING, [])
        if not visit.is_page and visit.status == 200:
            if open_address(saved.page, save_file(visit, tmp_path)):
                assert (address, saved.page.evaluate("window.hit ?? null")) == (address, None)
            assert (address, saved.take()) == (address, [])
        visits.add(visit.media_type)
        marked += visit.is_marked

    assert {PAGE, "application/atom+xml", "application/json", "text/csv", "text/plain"} <= visits
    assert {"", "registrant", "expert", "registrar", "standards", "administrator"} <= opened.keys()
    assert marked > 40


def test_nothing_that_people_write_runs_in_any_letter(windows: Windows, readers: Readers) -> None:
    watch = open_window(windows, None, NOWHERE)
    letters = Letter.objects.exclude(html="").order_by("pk")
    marked = [each for each in letters if any(mark in each.html for mark in MARKS)]

    for letter in letters:
        watch.page.set_content(letter.html)
        found = watch.page.evaluate(LOOK)
        assert (letter.subject, found, watch.take()) == (letter.subject, NOTHING, [])

    # Talk and decisions, an answer to one person, and a day's letters in one.
    assert {each.reason for each in marked} >= {LetterReason.NAMED, LetterReason.DIGEST}
    assert len(marked) > 8
