"""The public registry as files: each like the application's response, and all or nothing."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
import requests
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from lxml import html
from pytest_django import Settings

from registry import workflow
from registry.actions.sightings import note_sighting
from registry.exchange import static_site
from registry.exchange.static_site.crawler import (
    Crawl,
    CrawledResponse,
    adapt_to_files,
    leave_out_forms,
)
from registry.journal.log_worker import build_log
from registry.models import RegistrationRequest, User
from registry.selectors.public_pages import list_public_pages
from registry.transparency.command import run
from registry.transparency.notes import SignerKey, VerifierKey
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
    tmp_path: Path, in_review: RegistrationRequest, settings: Settings, static_files: Path
) -> Path:
    """The folder for an edition of a registry with a request and some namespaces."""
    settings.SITE, settings.STATIC_ROOT = "http://testserver", static_files
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "registry.http.storage.HashedStaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = False
    NamespaceFactory.create(nid="isbn", references=["RFC 8141"])
    NamespaceFactory.create(nid="zeitung", nid_as_registered="Zeitung")
    return tmp_path / "public"


@pytest.fixture
def signed_log(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> VerifierKey:
    """The key that verifies the log, which has been built once."""
    key = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    build_log()
    return key.verifier()


def manifest(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return said


def content(folder: Path) -> dict[str, bytes]:
    """Return every file by its name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.whole
def test_each_file_is_what_the_application_answers(folder: Path, client: Client) -> None:
    with time_machine.travel("2026-11-20T12:00Z", tick=False):
        static_site.publish_site(folder)
        said = manifest(folder)
        answers = {path: client.get(path) for path in said["files"]}

    found = Crawl(moved=said["moved"], needing=set(said["need_the_application"]))
    for path, about in said["files"].items():
        octets = (folder / about["file"]).read_bytes()
        headers = dict(answers[path].headers)
        answered = CrawledResponse(path, 200, headers, b"".join(answers[path]))
        assert octets == adapt_to_files(answered, found).octets, path
        assert about["sha256"] == hashlib.sha256(octets).hexdigest()
        assert about["headers"]["Content-Type"] == answers[path].headers["Content-Type"]
        assert answers[path].status_code == about["status"] == (404 if path == "/404.html" else 200)


def read_locations(client: Client, path: str) -> set[str]:
    return set(re.findall("<loc>http://testserver(.*?)</loc>", client.get(path).text))


@pytest.mark.whole
def test_every_public_page_is_there_in_all_its_forms(folder: Path, client: Client) -> None:
    static_site.publish_site(folder)

    there = set(manifest(folder)["files"])
    told = read_locations(client, "/sitemap.xml")
    assert {address.path for address in list_public_pages()} == told
    assert told - there == set()
    assert {"/namespaces/isbn.atom", "/requests.atom", "/exports/urn-namespaces.xml"} <= there
    assert {"/guide/paths/", "/requests/r-2026-0001/history/", "/requests/figures.csv"} <= there
    assert any(path.startswith("/static/") and path.endswith(".woff2") for path in there)


@pytest.mark.whole
def test_page_of_a_nid_that_was_only_seen_in_use_is_linked_in_the_registry(
    folder: Path, expert: User
) -> None:
    note_sighting(
        "herbarium",
        actor=expert,
        evidence="https://leaves.example/, as urn:herbarium:1",
        user_of_it="Leaves",
        address="desk@leaves.example",
    )

    static_site.publish_site(folder)

    assert "/namespaces/herbarium/" in manifest(folder)["need_the_application"]
    page = (folder / manifest(folder)["files"]["/sightings/"]["file"]).read_text("utf-8")
    assert 'href="http://testserver/namespaces/herbarium/"' in page


ADDRESSES = "//@href | //@src | //@action | //@formaction | //@*[starts-with(name(), 'data-')]"


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


class QuietRequestHandler(SimpleHTTPRequestHandler):
    """Python's handler of files, without its log."""

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Write nothing."""


def find_addresses(page: str, text: str) -> Iterator[str]:
    """Yield every address in a page, whole, as its reader's browser would ask for it."""
    for written in html.fromstring(text).xpath(ADDRESSES):
        address = urljoin(page, written)
        if written.startswith(("/", "?", "http:", "https:")) and " " not in written:
            yield address.partition("#")[0]


def crawl(start: str, client: Client) -> tuple[dict[str, int], dict[str, str]]:
    """Ask for every address in every page that the server at `start` has.

    Returns the status of each address, and a page that has it. What leads to the registry's own
    site is asked there, and followed no further.
    """
    statuses: dict[str, int] = {}
    sources: dict[str, str] = {}
    waiting = [start]
    while waiting:
        address = waiting.pop()
        if address in statuses:
            continue
        if address.startswith("http://testserver/"):
            statuses[address] = client.get(address.removeprefix("http://testserver")).status_code
        elif address.startswith(start):
            answer = requests.get(address, timeout=10)
            statuses[address] = answer.status_code
            if answer.headers["Content-Type"].startswith("text/html"):
                leads_to = list(find_addresses(address, answer.text))
                assert "<form" not in answer.text, address
                sources |= dict.fromkeys(leads_to, address)
                waiting += leads_to
    return statuses, sources


@pytest.mark.whole
def test_nothing_in_an_edition_leads_a_reader_of_plain_files_astray(
    folder: Path, client: Client, signed_log: VerifierKey
) -> None:
    static_site.publish_site(folder)

    with serve_files(folder) as server:
        statuses, sources = crawl(f"{server}/", client)

    # Some addresses of the API only answer questions, and say so with 400.
    astray = {address for address, status in statuses.items() if status in {404, 410, 500, 501}}
    assert {address: sources[address] for address in astray} == {}
    asked = {urlsplit(address).path for address in statuses if address.startswith(server)}
    assert {"/namespaces/isbn/", "/log/", "/requests/r-2026-0001/", "/privacy/"} <= asked
    assert {"/find/", "/theme/", "/log/consistency/", "/accounts/sign-in/"} & asked == set()
    assert {
        f"http://testserver{path}" for path in ("/find/", "/log/consistency/", "/accounts/sign-in/")
    } <= statuses.keys()


@pytest.mark.parametrize(
    ("form", "link"),
    [
        ('<form action="/find/"><input name="q"></form>', "/find/"),
        ('<form role="search" action="/find/"><input name="q"></form>', "/find/"),
        ('<form class="filters"><select name="status"></select></form>', "/namespaces/?page=2"),
        (
            '<form method="post" action="/comment/"><input type="hidden" name="next">\n'
            '<textarea name="text"></textarea></form>',
            "/namespaces/?page=2",
        ),
        (
            '<form class="theme" method="post" action="/theme/">'
            '<input type="hidden" name="next" value="/"><button name="theme"></button></form>',
            None,
        ),
    ],
)
def test_form_gives_way_to_a_link_to_the_registry_unless_it_is_but_a_button(
    settings: Settings, form: str, link: str | None
) -> None:
    settings.SITE = "https://urn.example"

    page = leave_out_forms("/namespaces/?page=2", f"<main>{form}</main>")

    links = html.fromstring(page).xpath("//a/@href")
    assert (links, "<form" in page) == ([f"https://urn.example{link}"] if link else [], False)


@pytest.mark.whole
def test_log_is_there_with_its_head_and_is_verified_without_us(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    built = build_log()

    static_site.publish_site(folder)

    report = verify_log(FolderSource(folder / "log"), [key.verifier()])
    assert (report.faults, report.head) == ([], built.head)
    files = manifest(folder)["files"]
    checkpoint = (folder / files["/log/checkpoint"]["file"]).read_bytes()
    assert files["/log/checkpoint"]["sha256"] == hashlib.sha256(checkpoint).hexdigest()
    assert checkpoint.decode() in (folder / "log/index.html").read_text("utf-8")
    assert (folder / "log/entries/0/index.html").is_file()
    assert "/log/consistency/" in manifest(folder)["need_the_application"]
    proof = folder / files["/log/entries/0.tlog-proof"]["file"]
    assert run(["verify", str(proof), "--key", str(key.verifier())]) == 0


@pytest.mark.whole
def test_another_spelling_leads_to_the_page(folder: Path) -> None:
    static_site.publish_site(folder)

    moved = manifest(folder)["moved"]
    assert moved["/namespaces/Zeitung/"] == [301, "/namespaces/zeitung/"]
    assert moved["/namespaces/ISBN/"] == [301, "/namespaces/isbn/"]
    assert "/namespaces/ISBN/ /namespaces/isbn/ 301\n" in (folder / "_redirects").read_text()


@pytest.mark.whole
def test_long_files_are_also_written_compressed(folder: Path) -> None:
    static_site.publish_site(folder)

    packed = list(folder.rglob("*.gz"))
    assert folder / "index.html.gz" in packed
    for path in packed:
        assert gzip.decompress(path.read_bytes()) == path.with_suffix("").read_bytes()


@pytest.mark.whole
@time_machine.travel("2026-11-20T12:00Z", tick=False)
def test_same_registry_is_the_same_edition(folder: Path) -> None:
    first, second = (
        static_site.publish_site(folder),
        static_site.publish_site(folder.with_name("other")),
    )

    assert first == second
    assert content(folder) == content(folder.with_name("other"))


@pytest.mark.whole
@time_machine.travel("2026-11-20T12:00Z", tick=False)
def test_unchanged_files_are_not_written_again(
    folder: Path, in_review: RegistrationRequest, expert: User, registrar: User
) -> None:
    first = static_site.publish_site(folder)
    again = static_site.publish_site(folder)
    about, exports = (folder / name for name in ("about/index.html", "exports/bioregistry.json"))
    before = {path: path.stat() for path in (about, exports)}
    held = exports.read_bytes()

    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    workflow.perform(in_review, "register", actor=registrar, references=["RFC 5328"])
    changed = static_site.publish_site(folder)

    assert first.written > again.written == 0
    assert 0 < changed.written < first.written
    assert (folder / "namespaces/seedbank/index.html").is_file()
    assert exports.read_bytes() != held
    assert exports.stat().st_ino != before[exports].st_ino
    assert (about.stat().st_ino, about.stat().st_mtime_ns) == (
        before[about].st_ino,
        before[about].st_mtime_ns,
    )
    assert len([path for path in folder.parent.glob(".public.*") if path.is_dir()]) == 1


@pytest.mark.whole
def test_edition_that_is_not_finished_leaves_the_one_before(folder: Path) -> None:
    static_site.publish_site(folder)
    before = content(folder)
    NamespaceFactory.create(nid="added")

    def give_up(count: int) -> None:
        if count == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        static_site.publish_site(folder, give_up)

    assert content(folder) == before
    static_site.publish_site(folder)
    assert (folder / "namespaces/added/index.html").is_file()


@pytest.mark.whole
def test_folder_with_other_things_in_it_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "letters.txt").write_text("Mine.")

    with pytest.raises(CommandError, match="is there already, and is no edition"):
        call_command("publish_static", str(folder))

    assert content(folder) == {"letters.txt": b"Mine."}


@pytest.mark.whole
def test_empty_folder_can_be_published_into(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()

    call_command("publish_static", str(folder))

    assert (folder / "index.html").is_file()
    assert re.search(r"\A[0-9,]+ files of [0-9.]+ MB, [0-9,]+ of them new", capsys.readouterr().out)


def test_robots_are_told_where_to_look(client: Client, folder: Path) -> None:
    text = client.get("/robots.txt").text

    assert "Disallow: /accounts/\n" in text
    assert text.endswith("Sitemap: http://testserver/sitemap.xml\n")
