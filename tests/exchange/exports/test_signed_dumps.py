"""The log signs each public dump, and whoever fetches it can verify that."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from registry import journal
from registry.exchange.exports import EXPORT_FILES, builder
from registry.journal.log_worker import build_log, read_signing_key
from registry.models import BuiltExport
from registry.models.export import DUMP_NAME
from registry.transparency.command import FAULTY, SOUND, run
from registry.transparency.file_notes import FileNote
from registry.transparency.notes import Note, VerifierKey

pytestmark = pytest.mark.django_db

NOTE = f"/exports/{DUMP_NAME}.note"


@pytest.fixture
def key(settings: Settings) -> VerifierKey:
    """The log's public key."""
    return read_signing_key(settings.REGISTRY_LOG_ORIGIN).verifier()


def build(name: str = DUMP_NAME) -> BuiltExport:
    return builder.build_export(EXPORT_FILES[name], "now")


def test_dump_and_its_note_verify_offline(
    in_review: object, key: VerifierKey, client: Client, tmp_path: Path
) -> None:
    build()
    build_log()
    dump = tmp_path / DUMP_NAME

    answer = client.get(f"/exports/{DUMP_NAME}")
    dump.write_bytes(answer.getvalue())
    (tmp_path / f"{DUMP_NAME}.note").write_bytes(client.get(NOTE).content)

    assert run(["verify", "--key", str(key), str(dump)]) == SOUND
    assert client.get(f"{answer['Content-Location']}.note").content == client.get(NOTE).content
    dump.write_bytes(answer.getvalue().replace(b"in_review", b"withdrawn"))
    assert run(["verify", "--key", str(key), str(dump)]) == FAULTY


def test_note_names_the_dump_and_a_head_that_covers_it(in_review: object, client: Client) -> None:
    built = build()
    build_log()

    note = FileNote.of(Note.parse(client.get(NOTE).content))

    assert (note.name, note.octets, note.sha256) == (DUMP_NAME, built.size, built.sha256)
    assert note.head == str(journal.find_head())
    assert built.line == journal.find_last_number()


def test_dump_that_the_log_did_not_sign_yet_has_no_note(in_review: object, client: Client) -> None:
    build()

    assert client.get(NOTE).status_code == 404
    assert "Signature" not in client.get("/exports/").text


def test_file_that_is_no_dump_is_not_signed(in_review: object, client: Client) -> None:
    build("registry.ttl")
    build_log()

    assert client.get("/exports/registry.ttl").status_code == 200
    assert client.get("/exports/registry.ttl.note").status_code == 404


def test_note_is_on_the_page_and_in_the_checksums(in_review: object, client: Client) -> None:
    build()
    before = EXPORT_FILES["SHA256SUMS"].identify()
    build_log()

    note = client.get(NOTE).content
    page = client.get("/exports/").text
    dated = client.get(NOTE)["Content-Location"]

    assert f'href="{NOTE}"' in page
    assert f'href="{dated}"' in page
    assert EXPORT_FILES["SHA256SUMS"].identify() != before
    build("SHA256SUMS")
    line = f"{hashlib.sha256(note).hexdigest()}  {DUMP_NAME}.note\n"
    assert line in client.get("/exports/SHA256SUMS").text
