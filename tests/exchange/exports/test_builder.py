"""The worker builds files piece by piece and once, and they are served as they were built."""

from __future__ import annotations

import gzip
import hashlib
import os
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event as Signal
from typing import Any, cast
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import selectors, workflow
from registry.actions import discussion
from registry.exchange.exports import (
    EXPORT_FILES,
    builder,
    refresh_exports,
    refreshing,
    request_due_refresh,
)
from registry.models import BuiltExport, Event, Namespace, RegistrationRequest, User
from registry.models.export import DUMP_NAME
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

DUMP = f"/exports/{DUMP_NAME}"
NAMESPACES = "/exports/urn-namespaces.txt"
NOTICE = 20_000
MANY = 1_000
PATIENCE = 20


@pytest.fixture
def large() -> None:
    """A registry whose dump has about twenty million octets, built."""
    Namespace.objects.bulk_create(
        Namespace(nid=f"big{n}", nid_as_registered=f"big{n}", kind="formal", notice="n" * NOTICE)
        for n in range(MANY)
    )
    build(DUMP_NAME)


@pytest.fixture
def never_resting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rebuild files as often as they are outdated."""
    monkeypatch.setattr(refreshing, "REST_FACTOR", 0)


def build(name: str) -> BuiltExport:
    """Build one file."""
    file = EXPORT_FILES[name]
    return builder.build_export(file, file.identify())


def stored(settings: Settings) -> set[str]:
    """Return what is in the store."""
    return {path.name for path in Path(settings.REGISTRY_EXPORTS).iterdir()}


def waiting_tasks() -> int:
    """Return how many rebuilding tasks are queued."""
    return DBTaskResult.objects.filter(task_path=refreshing.refresh_in_worker.module_path).count()


def octets_of(response: Any) -> bytes:
    """Return the body, streamed or not."""
    octets: bytes = response.getvalue()
    return octets


# Reading


@pytest.mark.whole
def test_no_request_builds_a_file(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    NamespaceFactory.create(nid="first")
    for name in EXPORT_FILES:
        monkeypatch.setattr(builder, "build_export", pytest.fail)

        answer = client.get(f"/exports/{name}")

        assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert waiting_tasks() == 1


def test_worker_builds_what_a_reader_asked_for(client: Client) -> None:
    NamespaceFactory.create(nid="first")
    assert client.get(NAMESPACES).status_code == 503

    refreshing.refresh_in_worker.call()

    assert b"first" in client.get(NAMESPACES).content
    assert set(BuiltExport.objects.values_list("name", flat=True)) == set(EXPORT_FILES)


def test_readers_are_given_the_last_file_until_the_worker_has_built_another(
    client: Client, never_resting: None
) -> None:
    NamespaceFactory.create(nid="first")
    refresh_exports()
    current = client.get(NAMESPACES)
    NamespaceFactory.create(nid="second")
    selectors.raise_registry_version()

    behind = client.get(NAMESPACES)
    refresh_exports()
    renewed = client.get(NAMESPACES)

    assert behind.content == current.content
    assert (current["Cache-Control"], behind["Cache-Control"]) == (
        "max-age=0, must-revalidate",
        "no-cache",
    )
    assert waiting_tasks() == 1
    assert b"second" in renewed.content
    assert renewed["ETag"] != current["ETag"]


def test_reader_is_answered_where_the_worker_cannot_be_called(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh_exports()
    selectors.raise_registry_version()

    def refuse(_now: object) -> bool:
        raise DatabaseError("attempt to write a readonly database")

    monkeypatch.setattr(refreshing, "is_refresh_pending", refuse)

    assert client.get(NAMESPACES).status_code == 200


def test_file_that_the_store_has_lost_is_built_anew(client: Client, settings: Settings) -> None:
    refresh_exports()
    lost = BuiltExport.objects.get(name="SHA256SUMS")
    (Path(settings.REGISTRY_EXPORTS) / lost.path).unlink()

    missing = client.get("/exports/SHA256SUMS")
    refresh_exports()

    assert missing.status_code == 503
    assert client.get("/exports/SHA256SUMS").status_code == 200


def test_hidden_message_is_no_longer_handed_out(
    client: Client, in_review: RegistrationRequest, outsider: User, lead: User
) -> None:
    message = discussion.add_comment(
        in_review, author=outsider, text="Call me at 555-0199.", key=uuid4()
    )
    refresh_exports()
    assert b"555-0199" in client.get(DUMP).content

    discussion.hide_message(message, moderator=lead, reason="A telephone number.")
    between = client.get(DUMP)
    refresh_exports()

    assert (between.status_code, b"555-0199" in between.content) == (503, False)
    assert client.get(DUMP).status_code == 200
    assert b"555-0199" not in client.get(DUMP).content


def test_page_of_files_tells_of_those_that_are_built(client: Client) -> None:
    build(DUMP_NAME)

    response = client.get("/exports/")

    groups = dict(response.context["groups"])
    assert [file.name for file, built in groups["mirrors"] if built] == [DUMP_NAME]
    assert sorted(file.name for files in groups.values() for file, _built in files) == sorted(
        EXPORT_FILES
    )
    assert {file.name for file, _built in groups["list"]} > {
        "urn-namespaces.xml",
        "namespaces.jsonl",
    }
    assert {file.name for file, _built in groups["graphs"]} > {"registry.ttl", "context.jsonld"}
    assert response["Cache-Control"] == "no-store"
    assert response.text.count("being built") == len(EXPORT_FILES) - 1


# Building


def test_comment_has_no_file_of_namespaces_built_anew(
    in_review: RegistrationRequest, outsider: User, never_resting: None
) -> None:
    refresh_exports()

    discussion.add_comment(in_review, author=outsider, text="What of the dashes?", key=uuid4())

    assert refresh_exports() == [
        DUMP_NAME,
        "catalogue.jsonld",
        "catalogue.ttl",
        "datapackage.json",
        "SHA256SUMS",
    ]
    assert refresh_exports() == []


def test_publication_has_all_that_tell_of_namespaces_built_anew(
    approved: RegistrationRequest, registrar: User, never_resting: None
) -> None:
    refresh_exports()

    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    built = refresh_exports()

    assert {"urn-namespaces.xml", "registry.ttl", "urn.arpa.zone", DUMP_NAME} <= set(built)
    assert not {"shapes.ttl", "urn-vectors.json", "vocabulary.ttl"} & set(built)


def test_large_file_rests_as_long_as_its_building_was_long() -> None:
    refresh_exports()
    BuiltExport.objects.filter(name=DUMP_NAME).update(seconds=60)
    selectors.raise_registry_version()

    assert DUMP_NAME not in refresh_exports()
    assert DUMP_NAME in refresh_exports(at_once=True)


def test_unchanged_export_keeps_its_date_and_path(never_resting: None) -> None:
    NamespaceFactory.create(nid="first")
    first = build("urn-namespaces.txt")
    selectors.raise_registry_version()

    same = build("urn-namespaces.txt")

    assert (same.pk, same.path, same.changed_at) == (first.pk, first.path, first.changed_at)
    assert same.state != first.state


def test_every_file_is_written_anew_after_a_day() -> None:
    refresh_exports()
    BuiltExport.objects.update(built_at=timezone.now() - refreshing.MAX_EXPORT_AGE * 2)

    assert set(refresh_exports()) == set(EXPORT_FILES)


def test_another_release_builds_all_files_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_exports()
    for module in (builder, refreshing):
        monkeypatch.setattr(module, "identify_release", lambda: "f" * 64)

    assert request_due_refresh(timezone.now())
    assert set(refresh_exports(at_once=True)) == set(EXPORT_FILES)


def test_clock_calls_the_worker_where_files_are_behind_and_once() -> None:
    assert request_due_refresh(timezone.now())
    assert not request_due_refresh(timezone.now())

    refresh_exports()
    DBTaskResult.objects.all().delete()

    assert not request_due_refresh(timezone.now())


def test_build_whose_worker_was_killed_is_asked_for_again() -> None:
    request_due_refresh(timezone.now())
    DBTaskResult.objects.update(status="RUNNING", started_at=timezone.now())

    assert not request_due_refresh(timezone.now())
    assert request_due_refresh(timezone.now() + refreshing.BUILD_PATIENCE * 2)


def test_file_that_was_not_finished_is_not_handed_out(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(_extent: object) -> Iterator[bytes]:
        yield b"half a line"
        raise OSError("No space left on device")

    whole = build(DUMP_NAME)
    with monkeypatch.context() as broken:
        broken.setattr("registry.exchange.backup.write_backup", cut_off)
        with pytest.raises(OSError, match="No space"):
            build(DUMP_NAME)

    assert stored(settings) == {whole.path}
    assert b'"sha256"' in client.get(DUMP).content.splitlines()[-1]


def test_full_disk_leaves_the_last_file_and_no_row(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, never_resting: None
) -> None:
    whole = build("urn-namespaces.txt")
    NamespaceFactory.create(nid="second")

    def refuse(*_args: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(builder, "store_file", refuse)
        with pytest.raises(OSError, match="No space"):
            build("urn-namespaces.txt")

    assert list(BuiltExport.objects.all()) == [whole]
    assert client.get(NAMESPACES)["ETag"] == f'"{whole.sha256}"'


def test_old_files_do_not_fill_the_store(settings: Settings, never_resting: None) -> None:
    for number in range(5):
        NamespaceFactory.create(nid=f"name{number}")
        build("urn-namespaces.txt")

    kept = BuiltExport.objects.values_list("path", flat=True)
    assert len(kept) == builder.MAX_BUILDS_KEPT
    assert stored(settings) == set(kept)


def test_leftovers_of_a_killed_worker_are_removed_after_a_day(settings: Settings) -> None:
    refresh_exports()
    old, new = (Path(settings.REGISTRY_EXPORTS) / name for name in ("left-long-ago", "left-now"))
    for path in (old, new):
        path.write_bytes(b"half")
    long_ago = time.time() - builder.MAX_ORPHAN_AGE.total_seconds() - 60
    os.utime(old, (long_ago, long_ago))

    refresh_exports()

    assert (old.exists(), new.exists()) == (False, True)
    assert Event.objects.count() == 0


# Long files


def test_neither_building_nor_sending_the_dump_takes_memory_that_grows_with_it(
    client: Client, large: None
) -> None:
    # What the first request loads, whatever it is, does not count.
    client.get("/exports/shapes.ttl")
    tracemalloc.start()

    build(DUMP_NAME)
    response: Any = client.get(DUMP)
    octets = sum(map(len, response.streaming_content))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert octets > MANY * NOTICE
    assert peak < MANY * NOTICE / 2


def test_long_file_is_streamed_with_its_length_and_its_digest(client: Client, large: None) -> None:
    response = cast("StreamingHttpResponse", client.get(DUMP))
    octets = response.getvalue()

    again = client.get(DUMP, headers={"If-None-Match": response["ETag"]})
    head = client.head(DUMP)

    assert response.streaming
    assert response["Content-Length"] == head["Content-Length"] == str(len(octets))
    assert response["ETag"] == f'"{hashlib.sha256(octets).hexdigest()}"'
    assert again.status_code == 304


def test_long_file_is_sent_packed_to_whoever_takes_that(client: Client, large: None) -> None:
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


@pytest.mark.django_db(transaction=True)
def test_one_process_builds_at_a_time_and_who_must_have_the_files_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    building, may_go_on = Signal(), Signal()
    built: list[str] = []

    def build_slowly(file: builder.ExportFile, *given: Any) -> BuiltExport:
        building.set()
        assert may_go_on.wait(PATIENCE)
        built.append(file.name)
        return builder.build_export(file, *given)

    def refresh(*, at_once: bool) -> list[str]:
        try:
            return refresh_exports(at_once=at_once)
        finally:
            connection.close()

    monkeypatch.setattr(refreshing, "build_export", build_slowly)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(refresh, at_once=False)
        assert building.wait(PATIENCE)
        command = threads.submit(refresh, at_once=True)
        worker = refreshing.refresh_in_worker.call()
        is_waiting = not command.done()
        may_go_on.set()
        names, left = first.result(PATIENCE), command.result(PATIENCE)

    assert (worker, is_waiting) == ("0 built", True)
    assert sorted(names) == sorted(built) == sorted(EXPORT_FILES)
    assert left == []


def test_web_server_before_us_sends_a_long_file_where_a_setting_says_so(
    client: Client, settings: Settings, large: None
) -> None:
    settings.REGISTRY_ACCEL_REDIRECT = "/built-exports/"
    built = BuiltExport.objects.get(name=DUMP_NAME)

    answer = client.get(DUMP, headers={"Accept-Encoding": "gzip"})
    again = client.get(DUMP, headers={"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]})

    assert answer["X-Accel-Redirect"] == f"/built-exports/{built.path}"
    assert (answer.content, again.status_code) == (b"", 304)
    assert answer["Content-Type"] == "application/x-ndjson"
    assert "Content-Encoding" not in answer


def test_page_of_files_tells_of_a_long_one_without_reading_it(client: Client, large: None) -> None:
    client.get("/exports/")
    tracemalloc.start()

    page = client.get("/exports/").text
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert DUMP_NAME in page
    assert peak < MANY * NOTICE / 2
