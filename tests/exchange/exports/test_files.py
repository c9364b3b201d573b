"""The exports as a whole: their digests, their dates, and the page that lists them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import html

from registry.exchange.exports import EXPORT_FILES, refresh_exports
from registry.exchange.exports.builder import encode_chunks, identify_entries
from registry.exchange.exports.entries import list_entries
from registry.models import Namespace, Registration
from tests.exchange.exports.conftest import Fetch
from tests.factories import RequestFactory


@pytest.mark.whole
def test_sha256sum_finds_the_files_to_be_what_their_list_says(fetch: Fetch, tmp_path: Path) -> None:
    listed = fetch("SHA256SUMS").decode()
    names = [line.partition("  ")[2] for line in listed.splitlines()]
    for name in names:
        (tmp_path / name).write_bytes(fetch(name))

    command = ["sha256sum", "--check", "--strict", "-"]
    said = subprocess.run(command, cwd=tmp_path, input=listed, capture_output=True, text=True)

    assert said.returncode == 0
    assert said.stdout.splitlines() == [f"{name}: OK" for name in names]
    assert set(EXPORT_FILES) - set(names) == {"SHA256SUMS"}


@pytest.mark.whole
def test_file_takes_as_many_statements_whatever_the_number_of_versions(registered: None) -> None:
    version = Registration.objects.get()
    with_one = count_statements()
    for namespace in Namespace.objects.exclude(pk=version.namespace_id)[:3]:
        version.pk, version.namespace = None, namespace
        version.registration_request = RequestFactory.create()
        version.save(force_insert=True)

    with_four = count_statements()

    assert with_one["registry.ttl"] > 0
    assert with_four == with_one


def count_statements() -> dict[str, int]:
    """Return how many statements write each file of namespaces."""
    counted = {}
    for name, file in EXPORT_FILES.items():
        if file.identify is identify_entries:
            with CaptureQueriesContext(connection) as asked:
                list(encode_chunks(file.write(list_entries())))
            counted[name] = len(asked)
    return counted


@pytest.mark.whole
def test_every_file_carries_its_date_and_is_not_sent_twice(client: Client, fetch: Fetch) -> None:
    for name, file in EXPORT_FILES.items():
        fetch(name)

        answer = client.get(f"/exports/{name}")
        again = [
            client.get(f"/exports/{name}", headers=headers).status_code
            for headers in (
                {"If-None-Match": answer["ETag"]},
                {"If-Modified-Since": answer["Last-Modified"]},
            )
        ]

        assert answer["Content-Type"] == file.media_type
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert again == [304, 304]


def test_page_lists_every_file_with_size_date_and_digest(client: Client, fetch: Fetch) -> None:
    refresh_exports()

    page = html.document_fromstring(client.get("/exports/").content)

    rows = {row.xpath("string(th)").strip(): row for row in page.xpath("//tbody/tr")}
    assert sorted(rows) == sorted(EXPORT_FILES)
    for row in rows.values():
        assert len(row.xpath("td[@data-label='Changed']/time/@datetime")) == 1
        assert len(row.xpath("string(td[@data-label='SHA-256'])").strip()) == 17


@pytest.mark.whole
def test_files_of_an_empty_registry_have_no_date(client: Client, db: None) -> None:
    refresh_exports()

    answers = [client.get(f"/exports/{name}") for name in EXPORT_FILES]

    assert not Namespace.objects.exists()
    assert {answer.status_code for answer in answers} == {200}
    assert [answer for answer in answers if "Last-Modified" in answer] == []
