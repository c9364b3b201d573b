"""Everything public, over HTTP: two workers, programs that read by URL, and nginx instead of us."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import curies
import pytest
from bioregistry import Manager, Resource
from django.core.management import call_command
from pytest_django import Settings

from registry import workflow
from registry.exchange.static_site.crawler import Crawl, CrawledResponse, adapt_to_files
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory
from tests.live.proxies import nginx
from tests.live.servers import ROOT, build_exports, environment, gunicorn

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 30.0
ENOUGH: Final = 30
"""Enough requests for each worker to have answered."""
OWN: Final = ("Server", "Date", "Connection", "Content-Length", "ETag", "Last-Modified", "Vary")
"""Headers that each server writes in its own way."""
NGINX: Final = """\
{user}daemon off; worker_processes 1; pid {home}/nginx.pid; error_log {home}/errors;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {home}/body; proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi; uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
  include {folder}/nginx.conf;
  server {{ listen 127.0.0.1:{port}; root {folder}; include {folder}/nginx-server.conf; }}
}}
"""


def ask(site: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body at `path`, on a separate connection."""
    with closing(HTTPConnection(urlsplit(site).netloc, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def publishing(folder: Path, home: Path, site: str) -> subprocess.Popen[bytes]:
    """Start publishing an edition of this test's database."""
    surroundings = environment(home) | {"REGISTRY_SITE": site}
    command = [sys.executable, "manage.py", "publish_static", str(folder)]
    return subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.DEVNULL)


def manifest(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return said


def test_publication_by_one_process_shows_in_every_worker(
    tmp_path: Path, approved: RegistrationRequest, registrar: User
) -> None:
    path = "/namespaces/seedbank/"
    with gunicorn(tmp_path) as site:
        before = {ask(site, path)[0] for _time in range(ENOUGH)}

        workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
        after = {ask(site, path)[0] for _time in range(ENOUGH)}

    assert before == {404}
    assert after == {200}


def test_programs_read_what_they_know_by_its_address(tmp_path: Path) -> None:
    call_command("load_registry", verbosity=0)
    with gunicorn(tmp_path) as site:
        build_exports(tmp_path, site)
        by_map = curies.load_extended_prefix_map(f"{site}/exports/prefixes.epm.json")
        by_context = curies.load_jsonld_context(f"{site}/exports/context.jsonld")
        records = json.loads(ask(site, "/api/registry")[2])

    manager = Manager(
        registry={prefix: Resource(**facts) for prefix, facts in records.items()},
        metaregistry={},
        collections={},
        contexts={},
    )
    for converter in (by_map, by_context):
        assert converter.expand("isbn:0451450523") == "urn:isbn:0451450523"
        assert converter.compress("urn:isbn:0451450523") == "isbn:0451450523"
    assert by_map.expand("ISBN:0451450523") == "urn:isbn:0451450523"
    assert by_map.compress("URN:ISBN:0451450523") == "isbn:0451450523"
    assert manager.get_iri("ISBN", "0451450523") == "urn:isbn:0451450523"
    assert manager.parse_uri("urn:nbn:fi-fe201003181510") == ("nbn", "fi-fe201003181510")


def kill_publishing(folder: Path, home: Path, site: str) -> None:
    """Change the registry, publish it again, and kill that while it writes."""
    NamespaceFactory.create(nid="added")
    making = folder.with_name(f".{folder.name}.making")
    process = publishing(folder, home, site)
    while process.poll() is None and not making.exists():
        time.sleep(0.001)
    process.kill()
    process.wait(PATIENCE)
    assert making.exists()


def test_nginx_serves_an_edition_and_the_one_before_while_it_is_renewed(
    tmp_path: Path, approved: RegistrationRequest, registrar: User, settings: Settings
) -> None:
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    NamespaceFactory.create(nid="zeitung", nid_as_registered="Zeitung")
    folder = tmp_path / "public"
    with gunicorn(tmp_path) as site:
        settings.SITE = site
        assert publishing(folder, tmp_path, site).wait(PATIENCE * 2) == 0
        said = manifest(folder)
        answers = {path: ask(site, path) for path in said["files"]}
    home = tmp_path / "nginx"
    home.mkdir()
    with nginx(home, NGINX, folder=folder) as mirror:
        files = {path: ask(mirror, path) for path in said["files"]}
        moved = {path: ask(mirror, path) for path in said["moved"]}
        nowhere = ask(mirror, "/nowhere/")
        kill_publishing(folder, tmp_path, site)
        after = ask(mirror, "/namespaces/")
        packed = ask(mirror, "/namespaces/", **{"Accept-Encoding": "gzip"})

    assert len(files) > 100
    found = Crawl(moved=said["moved"], needing=set(said["need_the_application"]))
    for path, (status, headers, body) in answers.items():
        adapted = adapt_to_files(CrawledResponse(path, status, headers, body), found)
        kept = {name: text for name, text in adapted.headers.items() if name not in OWN}
        there = {name: text for name, text in files[path][1].items() if name in kept}
        assert files[path][0] == status, path
        # How long requests wait is counted to the hundredth of a day.
        if not path.startswith("/requests/figures"):
            assert files[path][2] == adapted.octets, path
        assert there == kept, path
    for path, (status, target) in said["moved"].items():
        assert (moved[path][0], moved[path][1]["Location"]) == (status, target)
    assert manifest(folder) == said
    assert after[2] == files["/namespaces/"][2]
    assert nowhere[0] == 404
    assert nowhere[2] == files["/404.html"][2]
    assert packed[1]["Content-Encoding"] == "gzip"
