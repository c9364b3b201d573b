"""The public registry as files: all or nothing, and no link in them leads astray."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urljoin

import pytest
import requests
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from lxml import html
from pytest_django import Settings

from registry.exchange.exports import refresh_exports
from registry.exchange.static_site import adapt_page, publish_site
from registry.journal.log_worker import build_log, read_signing_key
from registry.models import RegistrationRequest, User
from registry.models.export import DUMP_NAME
from registry.selectors.public_pages import list_public_pages
from registry.sightings import note_sighting
from registry.transparency.file_notes import FileNote, verify_file
from registry.transparency.sources import FolderSource
from registry.transparency.verification import verify_log
from tests.factories import NamespaceFactory


@pytest.fixture(scope="module")
def static_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Style sheets, scripts and fonts, collected as on a server."""
    root = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=root):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


@pytest.fixture
def folder(
    tmp_path: Path,
    in_review: RegistrationRequest,
    expert: User,
    settings: Settings,
    static_files: Path,
) -> Path:
    """The folder for an edition of a registry with a request, some namespaces and a sighting."""
    settings.SITE, settings.STATIC_ROOT = "http://testserver", static_files
    NamespaceFactory.create(nid="isbn", references=["RFC 8141"])
    note_sighting(
        nid="herbarium",
        actor=expert,
        evidence="https://leaves.example/, as urn:herbarium:1",
        user_of_it="Leaves",
        address="desk@leaves.example",
    )
    return tmp_path / "public"


class QuietRequestHandler(SimpleHTTPRequestHandler):
    """Python's handler of files, without its log."""

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Write nothing."""


@contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve a folder as the simplest of servers does; yield its address."""
    handler = partial(QuietRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def find_addresses(page: str, text: str) -> Iterator[str]:
    """Yield every address in a page, as its reader's browser would ask for it."""
    for written in html.fromstring(text).xpath("//@href | //@src | //@action"):
        yield urljoin(page, written).partition("#")[0]


def crawl(start: str, client: Client) -> dict[str, tuple[int, str]]:
    """Return the status of each address in the pages at `start`, and a page that has it.

    What leads to the registry's own site is asked there, and followed no further.
    """
    found: dict[str, tuple[int, str]] = {}
    waiting = [(f"{start}/", "")]
    for address, source in waiting:
        if address in found:
            continue
        if address.startswith("http://testserver/"):
            status = client.get(address.removeprefix("http://testserver")).status_code
            found[address] = status, source
        elif address.startswith(start):
            answer = requests.get(address, timeout=10)
            found[address] = answer.status_code, source
            if answer.headers["Content-Type"].startswith("text/html"):
                waiting += [(each, address) for each in find_addresses(address, answer.text)]
    return found


@pytest.mark.whole
def test_edition_has_every_public_page_in_all_formats_and_leads_nobody_astray(
    folder: Path, client: Client, settings: Settings
) -> None:
    refresh_exports(at_once=True)
    build_log()

    publish_site(folder)

    with serve_files(folder) as server:
        found = crawl(server, client)
        missing = [
            page.path
            for page in list_public_pages()
            if requests.get(f"{server}{page.path}", timeout=10).status_code != 200
        ]

    assert missing == []
    # Some addresses of the API only answer questions, and say so with 400. The page of a NID that
    # was only seen in use is 404, and is read on the registry's site.
    sighted = "http://testserver/namespaces/herbarium/"
    astray = {
        address: page
        for address, (status, page) in found.items()
        if status in {404, 410, 500, 501} and address != sighted
    }
    assert astray == {}
    assert found[sighted][0] == 404
    local = {address.removeprefix(server) for address in found if address.startswith(server)}
    assert {"/namespaces/isbn/", "/namespaces/isbn.json", "/log/", "/privacy/"} <= local
    assert {"/requests/r-2026-0001.atom", "/exports/registry.ttl"} <= local
    assert any(path.endswith(".css") for path in local)
    assert "http://testserver/accounts/sign-in/" in found
    key = read_signing_key(settings.REGISTRY_LOG_ORIGIN).verifier()
    assert verify_log(FolderSource(folder / "log"), [key]).faults == []
    assert FileNote.of(verify_file(folder / "exports" / DUMP_NAME, [key])).name == DUMP_NAME


@pytest.mark.parametrize(
    ("written", "adapted"),
    [
        ('<a href="/about/">', '<a href="/about/">'),
        ('<a href="/about/#licences">', '<a href="/about/#licences">'),
        ('<a href="#top">', '<a href="#top">'),
        ('<a href="https://a.example/about/">', '<a href="https://a.example/about/">'),
        ('<a href="/find/?q=a&amp;b=c">', '<a href="https://urn.example/find/?q=a&amp;b=c">'),
        ('<a href="?page=2">', '<a href="https://urn.example/namespaces/?page=2">'),
        ('<form action="/about/"></form>', '<form action="https://urn.example/about/"></form>'),
        ('<form id="f"></form>', '<form id="f" action="https://urn.example/namespaces/"></form>'),
        ('a<form class="c" method="post" action="/x/"><input></form>b', "ab"),
        ('<a data-hx-get="/about/" href="/x/">', '<a href="https://urn.example/x/">'),
    ],
)
def test_address_in_a_page_is_that_of_a_file_or_of_the_registry(
    settings: Settings, tmp_path: Path, written: str, adapted: str
) -> None:
    settings.SITE = "https://urn.example"
    (tmp_path / "about").mkdir()
    (tmp_path / "about/index.html").write_text("About")

    assert adapt_page(written, "/namespaces/", tmp_path) == adapted


@pytest.mark.whole
def test_edition_that_is_not_finished_leaves_the_one_before(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_site(folder)
    before = folder.resolve()
    monkeypatch.setattr("registry.exchange.static_site.MAX_ATTEMPTS", 1)
    monkeypatch.setattr("registry.selectors.find_registry_version", iter(range(10**6)).__next__)

    with pytest.raises(CommandError, match="changed again and again"):
        call_command("publish_static", str(folder))

    assert folder.resolve() == before
    assert (folder / "namespaces/isbn/index.html").is_file()
    assert list(folder.parent.glob(".public.*")) == [before]


def test_folder_with_other_things_in_it_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "letters.txt").write_text("Mine.")

    with pytest.raises(CommandError, match="is there already, and is no edition"):
        call_command("publish_static", str(folder))

    assert [path.name for path in folder.iterdir()] == ["letters.txt"]


def test_edition_needs_collected_style_and_script(folder: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = folder / "nowhere"

    with pytest.raises(CommandError, match="Run collectstatic first"):
        call_command("publish_static", str(folder))


@pytest.mark.whole
def test_empty_folder_can_be_published_into(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()

    call_command("publish_static", str(folder))

    assert (folder / "index.html").is_file()
    assert re.search(r"\A[0-9,]+ files of [0-9.]+ MB\.\n\Z", capsys.readouterr().out)


def test_robots_are_told_where_to_look(client: Client, settings: Settings) -> None:
    settings.SITE = "http://testserver"

    text = client.get("/robots.txt").text

    assert "Disallow: /accounts/\n" in text
    assert text.endswith("Sitemap: http://testserver/sitemap.xml\n")
