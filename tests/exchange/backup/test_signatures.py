"""What is restored or loaded is what the log's key signed, or somebody accepts that it is not."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from registry import journal
from registry.exchange.backup.deposit import (
    DUMP_FILE,
    NOTE_FILE,
    SUMS_FILE,
    Deposit,
    describe_file,
    write_deposit,
    write_manifest,
    write_packed_dump,
)
from registry.exchange.exports import EXPORT_FILES
from registry.exchange.exports.builder import build_export
from registry.journal.log_worker import build_log, read_signing_key
from registry.models import User
from registry.models.export import DUMP_NAME
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.command import FAULTY, SOUND, run
from registry.transparency.errors import MalformedText
from registry.transparency.file_notes import FileNote, sign_file
from registry.transparency.notes import Note, SignerKey
from tests.exchange.backup.conftest import start_anew

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key(settings: Settings) -> SignerKey:
    """The log's key."""
    return read_signing_key(settings.REGISTRY_LOG_ORIGIN)


@pytest.fixture
def deposit(in_review: object, key: SignerKey, tmp_path: Path, settings: Settings) -> Deposit:
    settings.REGISTRY_UPLOADS = tmp_path / "uploads"
    folder = tmp_path / "deposits"
    folder.mkdir()
    return write_deposit(folder)


def restore(*words: object) -> str:
    """Return the command's output."""
    said = io.StringIO()
    call_command("restore", *map(str, words), stdout=said)
    return said.getvalue()


def test_restore_takes_what_the_key_of_the_log_signed(deposit: Deposit, key: SignerKey) -> None:
    head = journal.find_head()
    start_anew()

    restore("--no-input", "--key", key.verifier(), deposit.folder)

    assert journal.find_head() == head
    assert FileNote.of(Note.parse((deposit.folder / NOTE_FILE).read_bytes())).head == str(head)


def test_restore_refuses_an_account_that_was_forged_with_its_sums(
    deposit: Deposit, key: SignerKey
) -> None:
    dump = deposit.folder / DUMP_FILE
    User.objects.update(is_superuser=True)
    with dump.open("wb") as stream:
        write_packed_dump(stream)
    write_manifest(
        deposit.folder,
        {**deposit.manifest, "files": {**deposit.files, DUMP_FILE: describe_file(dump)}},
    )
    start_anew()

    with pytest.raises(CommandError, match=r"SHA256SUMS is not the file that was signed"):
        restore("--no-input", "--key", key.verifier(), deposit.folder)

    assert not User.objects.exists()


def sign_by_a_forger(folder: Path) -> None:
    forger = SignerKey.generate(FileNote.of(Note.parse((folder / NOTE_FILE).read_bytes())).origin)
    note = sign_file(folder / SUMS_FILE, forger, f"1:{'0' * 64}")
    (folder / NOTE_FILE).write_bytes(bytes(note))


def change_sums(folder: Path) -> None:
    path = folder / SUMS_FILE
    path.write_bytes(path.read_bytes().replace(b"  manifest", b"  Manifest"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / NOTE_FILE).unlink(), r"is not signed: there is no .*\.note"),
        (sign_by_a_forger, r"\.note: The note is not signed by .* It says that it is by"),
        (change_sums, "SHA256SUMS is signed, and is not what manifest.json says"),
    ],
)
def test_check_refuses_what_the_key_did_not_sign(
    deposit: Deposit, key: SignerKey, change: Callable[[Path], object], words: str
) -> None:
    change(deposit.folder)

    with pytest.raises(CommandError, match=words):
        restore("--check", "--key", key.verifier(), deposit.folder)


def test_signature_without_a_key_is_named_and_asked_about(
    deposit: Deposit, key: SignerKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _words: "no")
    words = f"signed by {key.name}\\+{key.verifier().key_id.hex()}, and no key was given"

    for options in (["--no-input"], []):
        with pytest.raises(CommandError, match=f"{words} .*--unsigned"):
            restore(*options, deposit.folder)


def test_deposit_without_the_key_says_how_to_sign_it(
    deposit: Deposit, key: SignerKey, settings: Settings, tmp_path: Path
) -> None:
    settings.DEMONSTRATION = False
    place, warning, file = tmp_path / "unsigned", io.StringIO(), tmp_path / "key"
    place.mkdir()
    file.write_text(key.export(), "ascii")

    call_command("deposit", str(place), stdout=io.StringIO(), stderr=warning)
    (folder,) = place.iterdir()
    is_unsigned = not (folder / NOTE_FILE).exists()
    sign_words = warning.getvalue().rpartition("registry.transparency ")[2].split()
    signed = run([str(file) if word == "KEY-FILE" else word for word in sign_words])

    assert is_unsigned
    assert signed == SOUND
    assert "The signature is valid." in restore("--check", "--key", key.verifier(), folder)
    assert run(["verify", "--key", str(key.verifier()), str(folder / SUMS_FILE)]) == SOUND


def test_load_dump_and_the_offline_verifier_read_the_note_of_a_dump(
    in_review: object, key: SignerKey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump, note = tmp_path / "registry.jsonl", tmp_path / "registry.jsonl.note"
    call_command("dump", str(dump), complete=True, stdout=io.StringIO())
    head = str(journal.find_head())
    signed = sign_file(dump, key, head)
    note.write_bytes(bytes(signed).replace(head.encode(), f"1:{'0' * 64}".encode()))
    start_anew()
    words = ["load_dump", "--no-input", "--key", str(key.verifier()), str(dump)]

    with pytest.raises(CommandError, match="does not verify"):
        call_command(*words)
    other = dump.rename(tmp_path / "other.jsonl")
    note.with_name("other.jsonl.note").write_bytes(bytes(signed))
    with pytest.raises(CommandError, match=r"is about registry\.jsonl, not other\.jsonl"):
        call_command(*words[:-1], str(other))
    verified = run(["verify", "--key", str(key.verifier()), str(other)])
    other.rename(dump)
    note.write_bytes(bytes(signed))
    call_command(*words, stdout=io.StringIO())

    assert verified == FAULTY
    assert "is about registry.jsonl" in capsys.readouterr().out
    assert str(journal.find_head()) == head


def test_load_dump_refuses_a_complete_dump_signed_as_a_public_one(
    in_review: object, key: SignerKey, tmp_path: Path
) -> None:
    dump = tmp_path / DUMP_NAME
    call_command("dump", str(dump), complete=True, stdout=io.StringIO())
    note = sign_file(dump, key, str(journal.find_head()))
    dump.with_name(f"{DUMP_NAME}.note").write_bytes(bytes(note))
    start_anew()

    with pytest.raises(CommandError, match="Line 1: the dump is complete"):
        call_command("load_dump", "--no-input", "--key", str(key.verifier()), str(dump))

    assert not User.objects.exists()


def test_load_dump_takes_the_public_dump_that_the_log_signed(
    in_review: object, key: SignerKey, tmp_path: Path, client: Client
) -> None:
    build_export(EXPORT_FILES[DUMP_NAME], "now")
    build_log()
    dump = tmp_path / DUMP_NAME
    dump.write_bytes(client.get(f"/exports/{DUMP_NAME}").getvalue())
    note = client.get(f"/exports/{DUMP_NAME}.note").content
    dump.with_name(f"{DUMP_NAME}.note").write_bytes(note)
    head = journal.find_head()
    start_anew()

    call_command(
        "load_dump", "--no-input", "--key", str(key.verifier()), str(dump), stdout=io.StringIO()
    )

    assert journal.find_head() == head


def test_load_dump_refuses_unsigned_input_that_is_piped_in() -> None:
    with pytest.raises(CommandError, match="--unsigned"):
        call_command("load_dump", "-")


def test_note_about_a_file_is_never_the_head_of_a_log(deposit: Deposit) -> None:
    note = Note.parse((deposit.folder / NOTE_FILE).read_bytes())

    with pytest.raises(MalformedText):
        Checkpoint.of(note)
