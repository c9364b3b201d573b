"""A deposit has everything, reveals changes to it, and recreates the same registry."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from registry import journal
from registry.exchange.backup import BackupExtent
from registry.exchange.backup.deposit import (
    DUMP_FILE,
    MANIFEST_FILE,
    DepositRefused,
    describe_file,
    list_contents,
    read_deposit,
    write_deposit,
    write_manifest,
    write_packed_dump,
)
from registry.journal.log_worker import build_log
from tests.exchange.backup.conftest import octets, start_anew
from tests.populated_registry import Cast
from tests.programs import program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Path:
    """The folder for deposits, next to one with waiting uploads."""
    settings.REGISTRY_UPLOADS = tmp_path / "uploads"
    settings.REGISTRY_UPLOADS.mkdir()
    (settings.REGISTRY_UPLOADS / "locators-7").write_text("a,https://a.example/\n", "ascii")
    (settings.REGISTRY_UPLOADS / "half.part").write_text("a,htt", "ascii")
    home = tmp_path / "deposits"
    home.mkdir()
    return home


def restore(*words: object) -> str:
    """Return the command's output."""
    said = io.StringIO()
    call_command("restore", "--no-input", "--unsigned", *map(str, words), stdout=said)
    return said.getvalue()


def test_registry_that_is_restored_is_the_same_with_uploads_and_head(
    home: Path, populated: Cast, settings: Settings
) -> None:
    build_log()
    before, head = octets(BackupExtent.COMPLETE), settings.REGISTRY_LOG_HEAD.read_bytes()
    deposit = write_deposit(home)
    start_anew()
    for path in (settings.REGISTRY_UPLOADS / "locators-7", settings.REGISTRY_LOG_HEAD):
        path.unlink()

    said = restore(deposit.folder)

    assert f"Deposited on {deposit.manifest['at']}, with line " in said
    assert octets(BackupExtent.COMPLETE) == before
    assert list(journal.verify()) == []
    assert settings.REGISTRY_LOG_HEAD.read_bytes() == head
    assert (settings.REGISTRY_UPLOADS / "locators-7").read_text("ascii").startswith("a,https:")


def test_restore_that_was_killed_is_run_again(
    home: Path, populated: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_log()
    before, head = octets(BackupExtent.COMPLETE), settings.REGISTRY_LOG_HEAD.read_bytes()
    upload = settings.REGISTRY_UPLOADS / "locators-7"
    said = upload.read_bytes()
    folder = write_deposit(home).folder
    start_anew()
    settings.REGISTRY_LOG_HEAD.unlink()
    upload.unlink()

    # It is killed halfway through an upload, and on its second attempt before the rows are written.
    for place in ("shutil.copyfileobj", "restore_backup"):
        with monkeypatch.context() as killed:
            killed.setattr(f"registry.exchange.backup.deposit.{place}", end_as_if_killed)
            with pytest.raises(SystemExit):
                restore(folder)
    restore(folder)

    assert octets(BackupExtent.COMPLETE) == before
    assert (settings.REGISTRY_LOG_HEAD.read_bytes(), upload.read_bytes()) == (head, said)


def end_as_if_killed(*given: object) -> None:
    """Kill the process that calls this."""
    if len(given) > 1 and isinstance(given[1], io.BufferedWriter):
        given[1].write(b"half")
    raise SystemExit


def test_restore_that_is_refused_leaves_nothing_behind(
    home: Path, populated: Cast, settings: Settings
) -> None:
    folder = write_deposit(home).folder
    upload = settings.REGISTRY_UPLOADS / "locators-7"
    upload.unlink()

    with pytest.raises(CommandError):
        restore(folder)

    assert not upload.exists()


def test_leftovers_of_a_killed_deposit_are_cleared_by_the_next(home: Path, populated: Cast) -> None:
    old, young = home / "registry-20200101T000000Z.part", home / "registry-20990101T000000Z.part"
    for part in (old, young):
        part.mkdir()
        (part / "registry.jsonl.gz").write_bytes(b"half")
    os.utime(old, (0, 0))

    folder = write_deposit(home).folder

    assert sorted(home.iterdir()) == sorted([folder, young])


@pytest.mark.whole
def test_deposit_is_for_its_owner_and_sha256sum_agrees_with_it(home: Path, populated: Cast) -> None:
    folder = write_deposit(home).folder

    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (checked.returncode, checked.stderr) == (0, "")
    assert sorted(checked.stdout.splitlines()) == [
        "manifest.json: OK",
        "registry.jsonl.gz: OK",
        "uploads/locators-7: OK",
    ]
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))} == {0}


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (
            DUMP_FILE,
            lambda path: path.write_bytes(path.read_bytes()[:-1]),
            "its SHA-256 is another",
        ),
        ("uploads/locators-7", Path.unlink, "is missing"),
        ("uploads/locators-8", Path.touch, "is no part of the deposit"),
        (MANIFEST_FILE, lambda path: path.write_text("{"), "cannot be read"),
        (MANIFEST_FILE, Path.unlink, "is no deposit"),
    ],
)
def test_changed_deposit_restores_nothing(
    home: Path, in_review: object, name: str, change: object, words: str
) -> None:
    folder = write_deposit(home).folder
    start_anew()
    assert callable(change)
    change(folder / name)

    with pytest.raises(CommandError, match=f"Nothing was restored. .*{words}"):
        restore(folder)

    assert journal.find_last_number() == 0


def test_format_that_is_not_known_is_named(home: Path) -> None:
    folder = write_deposit(home).folder
    manifest = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest | {"version": 2}), "utf-8")

    with pytest.raises(DepositRefused, match="format 2; 1"):
        read_deposit(folder)


def test_deposit_that_is_cut_short_is_not_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short() -> Iterator[object]:
        yield from list_contents()
        raise OSError(28, "No space")

    monkeypatch.setattr("registry.exchange.backup.deposit.list_contents", cut_short)

    with pytest.raises(CommandError, match="No space"):
        call_command("deposit", str(home))

    assert list(home.iterdir()) == []


def write_cut_dump(stream: IO[bytes]) -> None:
    """Write a dump without its last octets, as a compressor that is never closed does."""
    whole = io.BytesIO()
    write_packed_dump(whole)
    stream.write(whole.getvalue()[:-20])


def test_dump_that_was_packed_wrongly_makes_no_deposit(
    home: Path, in_review: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.exchange.backup.deposit.write_packed_dump", write_cut_dump)

    with pytest.raises(CommandError, match=r"deposited\. Line \d+: "):
        call_command("deposit", str(home))

    assert list(home.iterdir()) == []


def test_sound_checksum_over_a_cut_dump_is_refused_when_it_is_checked(
    home: Path, in_review: object
) -> None:
    deposit = write_deposit(home)
    dump = deposit.folder / DUMP_FILE
    whole = restore("--check", deposit.folder)
    dump.write_bytes(dump.read_bytes()[:-20])
    told = {**deposit.manifest, "files": {**deposit.files, DUMP_FILE: describe_file(dump)}}
    write_manifest(deposit.folder, told)

    with pytest.raises(CommandError, match=r"restored\. Line \d+: "):
        restore("--check", deposit.folder)

    assert f"registry.event: {journal.find_last_number()}.\n" in whole


def test_disk_that_holds_something_else_than_was_written_is_noticed(
    home: Path, in_review: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged: list[int] = []

    def sync_and_damage(number: int) -> None:
        if not damaged:
            damaged.append(os.pwrite(number, b"?", 0))

    monkeypatch.setattr("registry.exchange.backup.deposit.os.fsync", sync_and_damage)

    with pytest.raises(CommandError, match="SHA-256"):
        call_command("deposit", str(home))

    assert list(home.iterdir()) == []


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A keyring with one key, whose path is short enough for the agent's socket."""
    gpg = program("gpg")
    words = [gpg, "--batch", "--quiet", "--passphrase", "", "--quick-generate-key"]
    with TemporaryDirectory(prefix="registry-") as folder:
        monkeypatch.setenv("GNUPGHOME", folder)
        subprocess.run([*words, "escrow@urn.example", "future-default"], check=True)
        yield "escrow@urn.example"
        subprocess.run([program("gpgconf"), "--kill", "all"], check=True)


@pytest.mark.whole
def test_encrypted_deposit_is_read_with_its_key_alone(
    home: Path, in_review: object, keyring: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = octets(BackupExtent.COMPLETE)

    folder = write_deposit(home, recipient=keyring).folder
    checked = restore("--check", folder)
    plain = [path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".gpg"]
    start_anew()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("GNUPGHOME", str(tmp_path))
        with pytest.raises(CommandError, match=r"restored\. gpg: "):
            restore(folder)
    restore(folder)

    assert sorted(plain) == ["SHA256SUMS", "SHA256SUMS.note", "manifest.json"]
    assert "encrypted" in checked
    assert octets(BackupExtent.COMPLETE) == before
