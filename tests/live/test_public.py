"""Everything public, over HTTP: two workers, and programs that read by URL."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import curies
import pytest
from django.core.management import call_command

from registry import workflow
from registry.models import RegistrationRequest, User
from tests.live.servers import build_exports, gunicorn

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 30.0
ENOUGH: Final = 30
"""Enough requests for each worker to have answered."""


def ask(site: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body at `path`, on a separate connection."""
    with closing(HTTPConnection(urlsplit(site).netloc, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


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

    # It takes a second, which every run of every other test would wait for.
    from bioregistry import Manager, Resource

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
