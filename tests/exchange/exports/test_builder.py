"""Files are built on the disk, piece by piece and once, and served from there."""

from __future__ import annotations

import gzip
import hashlib
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.files import locks
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from registry import selectors
from registry.exchange.exports import EXPORT_FILES, builder
from registry.models import Namespace
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

DUMP = "/exports/registry-dump.jsonl"
NOTICE = 20_000
MANY = 1_000


@pytest.fixture
def large() -> None:
    """A registry whose dump has about twenty million octets."""
    Namespace.objects.bulk_create(
        Namespace(nid=f"big{n}", nid_as_registered=f"big{n}", kind="formal", notice="n" * NOTICE)
        for n in range(MANY)
    )


@pytest.fixture
def lock_of_another(settings: Settings) -> Iterator[None]:
    """Have another worker build the dump."""
    folder = Path(settings.REGISTRY_EXPORTS)
    folder.mkdir()
    with (folder / ".registry-dump.jsonl.lock").open("wb") as held:
        assert locks.lock(held, locks.LOCK_EX)
        yield
        locks.unlock(held)


def built_files(settings: Settings) -> list[Path]:
    """Return the files that are built, of whatever state."""
    return sorted(Path(settings.REGISTRY_EXPORTS).glob("*/*.built"))


def test_neither_building_nor_sending_the_dump_takes_memory_that_grows_with_it(
    client: Client, large: None
) -> None:
    # What is loaded at the first request, whatever it is, does not count.
    client.get("/exports/shapes.ttl")
    tracemalloc.start()

    response: Any = client.get(DUMP)
    octets = sum(map(len, response.streaming_content))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert octets > MANY * NOTICE
    assert peak < MANY * NOTICE / 2


def test_a_long_file_is_streamed_with_its_length_and_its_digest(
    client: Client, large: None
) -> None:
    response = cast("StreamingHttpResponse", client.get(DUMP))
    octets = response.getvalue()

    again = client.get(DUMP, headers={"If-None-Match": response["ETag"]})
    head = client.head(DUMP)

    assert response.streaming
    assert response["Content-Length"] == head["Content-Length"] == str(len(octets))
    assert response["ETag"] == f'"{hashlib.sha256(octets).hexdigest()}"'
    assert again.status_code == 304


def test_a_long_file_is_sent_packed_to_whoever_takes_that(client: Client, large: None) -> None:
    plain = cast("StreamingHttpResponse", client.get(DUMP))
    headers = {"Accept-Encoding": "br, gzip;q=0.5"}

    packed = cast("StreamingHttpResponse", client.get(DUMP, headers=headers))
    octets = packed.getvalue()
    again = client.get(DUMP, headers=headers | {"If-None-Match": packed["ETag"]})

    assert (packed["Content-Encoding"], packed["Content-Length"]) == ("gzip", str(len(octets)))
    assert gzip.decompress(octets) == plain.getvalue()
    assert packed["ETag"] == plain["ETag"][:-1] + '-gzip"'
    assert packed["Vary"] == plain["Vary"] == "Accept-Encoding"
    assert again.status_code == 304


def test_the_page_of_files_tells_of_a_long_one_without_reading_it(
    client: Client, large: None
) -> None:
    client.get("/exports/")
    tracemalloc.start()

    page = client.get("/exports/").text
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert "registry-dump.jsonl" in page
    assert peak < MANY * NOTICE / 2


def test_a_file_is_built_once_for_each_version_of_the_registry(
    client: Client, settings: Settings
) -> None:
    NamespaceFactory.create(nid="first")
    first = client.get(DUMP)

    with CaptureQueriesContext(
        connection,
    ) as asked:
        same = client.get(DUMP)
    NamespaceFactory.create(nid="second")
    selectors.raise_registry_version()
    other = client.get(DUMP)

    assert not [each for each in asked.captured_queries if "registry_organization" in each["sql"]]
    assert same.content == first.content
    assert b'"second"' not in first.content
    assert b'"second"' in other.content


def test_files_of_old_versions_do_not_fill_the_disk(client: Client, settings: Settings) -> None:
    for _version in range(5):
        selectors.raise_registry_version()
        client.get(DUMP)

    assert len(built_files(settings)) == builder.MAX_STATES


def test_a_file_that_was_not_finished_is_not_served(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(_extent: object) -> Iterator[bytes]:
        yield b"half a line"
        raise OSError("No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("registry.exchange.backup.write_backup", cut_off)
        client.raise_request_exception = False
        failed = client.get(DUMP)
    whole = client.get(DUMP)

    assert failed.status_code == 500
    assert [path.name for path in built_files(settings)] == ["registry-dump.jsonl.built"]
    assert b"half a line" not in whole.content
    assert b'"sha256"' in whole.content.splitlines()[-1]


def test_whoever_asks_while_another_builds_the_file_is_told_when_to_ask_again(
    client: Client, lock_of_another: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "MAX_WAIT_SECONDS", 0.0)

    response = client.get(DUMP)

    assert response.status_code == 503
    assert response["Retry-After"] == "10"
    assert "is being built at this moment. Ask again in 10 seconds." in response.text


def test_the_page_of_files_tells_of_all_others_while_one_is_being_built(
    client: Client, lock_of_another: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "MAX_WAIT_SECONDS", 0.0)

    response = client.get("/exports/")

    # Those that describe all files wait for it too.
    waiting = ["registry-dump.jsonl", "catalogue.jsonld", "catalogue.ttl", "SHA256SUMS"]
    files = response.context["files"]
    assert [file.name for file, built in files if built is None] == waiting
    assert len(files) == len(EXPORT_FILES)
    assert response["Cache-Control"] == "no-store"
    assert response.text.count("being built; look again in a moment") == len(waiting)
