"""The public registry as files: each like the application's response, and all or nothing."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from lxml import html
from pytest_django import Settings

from registry import workflow
from registry.exchange import static_site
from registry.exchange.static_site.crawler import CrawledResponse, leave_out_forms
from registry.journal.log_worker import build_log
from registry.models import RegistrationRequest, User
from registry.selectors.public_pages import list_public_pages
from registry.transparency.command import run
from registry.transparency.notes import SignerKey
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


def manifest(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return said


def content(folder: Path) -> dict[str, bytes]:
    """Return every file by its name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_each_file_is_what_the_application_answers(folder: Path, client: Client) -> None:
    with time_machine.travel("2026-11-20T12:00Z", tick=False):
        static_site.publish_site(folder)
        answers = {path: client.get(path) for path in manifest(folder)["files"]}

    for path, about in manifest(folder)["files"].items():
        octets = (folder / about["file"]).read_bytes()
        headers = dict(answers[path].headers)
        answered = CrawledResponse(path, 200, headers, b"".join(answers[path]))
        assert octets == leave_out_forms(answered), path
        assert about["sha256"] == hashlib.sha256(octets).hexdigest()
        assert about["headers"]["Content-Type"] == answers[path].headers["Content-Type"]
        assert answers[path].status_code == about["status"] == (404 if path == "/404.html" else 200)


def read_locations(client: Client, path: str) -> set[str]:
    return set(re.findall("<loc>http://testserver(.*?)</loc>", client.get(path).text))


def test_every_public_page_is_there_in_all_its_forms(folder: Path, client: Client) -> None:
    static_site.publish_site(folder)

    there = set(manifest(folder)["files"])
    told = read_locations(client, "/sitemap.xml")
    assert {address.path for address in list_public_pages()} == told
    assert told - there == set()
    assert {"/namespaces/isbn.atom", "/requests.atom", "/exports/urn-namespaces.xml"} <= there
    assert {"/guide/paths/", "/requests/r-2026-0001/history/", "/requests/figures.csv"} <= there
    assert any(path.startswith("/static/") and path.endswith(".woff2") for path in there)


def test_every_link_leads_to_a_file_or_is_known_to_need_the_application(folder: Path) -> None:
    static_site.publish_site(folder)

    said = manifest(folder)
    known = {*said["files"], *said["moved"], *said["need_the_application"]}
    for path, about in said["files"].items():
        if about["headers"]["Content-Type"].startswith("text/html"):
            page = (folder / about["file"]).read_text("utf-8")
            local = re.findall(r'\shref="(/[^"#]*)', page)
            assert {link.replace("&amp;", "&") for link in local} - known == set(), path
    assert "/accounts/sign-in/" in said["need_the_application"]
    assert not any(path.startswith("/account") for path in said["files"])


def test_no_form_leads_to_a_file_which_would_answer_nothing(folder: Path) -> None:
    static_site.publish_site(folder)

    said, leading = manifest(folder), set()
    for path, about in said["files"].items():
        if about["headers"]["Content-Type"].startswith("text/html"):
            page = html.fromstring((folder / about["file"]).read_bytes())
            leading |= {
                (path, urlsplit(urljoin(path, form.get("action") or path)).path)
                for form in page.iter("form")
            }
    assert "/find/" in {target for _path, target in leading}
    assert {(path, target) for path, target in leading if target in said["files"]} == set()
    page = html.fromstring((folder / "namespaces/index.html").read_bytes())
    left_out = page.xpath("//main//p[contains(., 'works only in the registry itself')]/a/@href")
    assert set(left_out) == {"http://testserver/namespaces/"}


def test_the_log_is_there_with_its_head_and_is_verified_without_us(
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


def test_another_spelling_leads_to_the_page(folder: Path) -> None:
    static_site.publish_site(folder)

    moved = manifest(folder)["moved"]
    assert moved["/namespaces/Zeitung/"] == [301, "/namespaces/zeitung/"]
    assert moved["/namespaces/ISBN/"] == [301, "/namespaces/isbn/"]
    assert "/namespaces/ISBN/ /namespaces/isbn/ 301\n" in (folder / "_redirects").read_text()


def test_what_is_long_is_packed_beside(folder: Path) -> None:
    static_site.publish_site(folder)

    packed = list(folder.rglob("*.gz"))
    assert folder / "index.html.gz" in packed
    for path in packed:
        assert gzip.decompress(path.read_bytes()) == path.with_suffix("").read_bytes()


@time_machine.travel("2026-11-20T12:00Z", tick=False)
def test_the_same_registry_is_the_same_edition(folder: Path) -> None:
    first, second = (
        static_site.publish_site(folder),
        static_site.publish_site(folder.with_name("other")),
    )

    assert first == second
    assert content(folder) == content(folder.with_name("other"))


@time_machine.travel("2026-11-20T12:00Z", tick=False)
def test_what_is_as_it_was_stays_as_it_is(
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


def test_an_edition_that_is_not_finished_leaves_the_one_before(folder: Path) -> None:
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


def test_a_folder_with_other_things_in_it_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "letters.txt").write_text("Mine.")

    with pytest.raises(CommandError, match="is there already, and is no edition"):
        call_command("publish_static", str(folder))

    assert content(folder) == {"letters.txt": b"Mine."}


def test_an_empty_folder_can_be_published_into(
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
