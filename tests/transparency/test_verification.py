"""Verifying a log: whatever was changed, moved or removed is found and named."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Sequence
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from registry.transparency.command import run
from registry.transparency.errors import MissingTile
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import COSIGNATURE, Note, SignerKey
from registry.transparency.proof_files import LogProof
from registry.transparency.sources import FolderSource, WebSource
from registry.transparency.tiles import TileTree, build_tile_path, encode_bundle, measure_tile
from registry.transparency.verification import LogMemory, verify_log
from tests.programs import PATIENCE
from tests.servers import served_folder
from tests.transparency import registry_dumps
from tests.transparency.logs import ORIGIN, make_entries, sign_head, write_log, write_tiles
from tests.transparency.registry_dumps import REGISTER, STEPS, SampleRegistry

KEY = SignerKey.generate(ORIGIN)
ENTRIES = make_entries(600)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of 600 entries."""
    write_log(tmp_path / "log", ENTRIES, KEY)
    return tmp_path / "log"


def faults(folder: Path, seen: Sequence[Note] = (), memory: LogMemory | None = None) -> list[str]:
    """Return the faults of the log in a folder."""
    return verify_log(FolderSource(folder), [KEY.verifier()], seen=seen, memory=memory).faults


def remembered(entries: Sequence[bytes]) -> LogMemory:
    """Return the memory of a log of these entries."""
    return LogMemory(ORIGIN, b"".join(map(hash_leaf, entries)))


def write_entries(folder: Path, number: int, entries: Sequence[bytes]) -> None:
    """Write a bundle with these entries, whatever the tiles say."""
    width = measure_tile(0, number, len(ENTRIES))
    (folder / build_tile_path(None, number, width)).write_bytes(encode_bundle(entries))


def test_nothing_is_said_against_a_sound_log(folder: Path) -> None:
    assert faults(folder, [sign_head(KEY, ENTRIES[:300])], remembered(ENTRIES[:500])) == []


def test_changed_entry_is_named(folder: Path) -> None:
    write_entries(folder, 1, [*ENTRIES[256:300], b"forged", *ENTRIES[301:512]])

    found = faults(folder)

    assert found[0].startswith("Entry 300 is not")
    assert "another root" in found[-1]


def test_exchanged_entries_are_named(folder: Path) -> None:
    write_entries(folder, 2, [*ENTRIES[512:598], ENTRIES[599], ENTRIES[598]])

    first, second = faults(folder)[:2]
    assert first.startswith("Entry 598 is not")
    assert second.startswith("Entry 599 is not")


def test_bundle_with_an_entry_too_few_is_named(folder: Path) -> None:
    write_entries(folder, 2, ENTRIES[512:599])

    [fault] = faults(folder)
    assert fault.startswith("Entry 599 cannot")
    assert "Bundle 2 has 87" in fault


def test_bundle_that_lost_its_first_entry_is_named(folder: Path) -> None:
    write_entries(folder, 2, ENTRIES[513:])

    assert faults(folder)[0].startswith("Entry 512 is not")
    assert "Bundle 2 has 87" in faults(folder)[-1]


def test_bundle_that_is_not_there_is_named_with_its_entries(folder: Path) -> None:
    path = folder / "tile/entries/001"
    path.unlink()

    [fault] = faults(folder)
    assert fault.startswith("Entries 256 to 599 ")
    assert f"{path} is not there" in fault


def test_tile_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "tile/0/001").unlink()

    [fault] = faults(folder)
    assert fault.startswith(f"{folder / 'tile/0/001'} is not there")


def test_tile_of_a_higher_level_is_compared(folder: Path) -> None:
    path = folder / "tile/1/000.p/2"
    path.write_bytes(path.read_bytes()[:32] + bytes(32))

    [fault] = faults(folder)
    assert re.findall(r"\d+", fault) == ["1", "1", "256", "511"]


def test_head_that_somebody_else_signed_is_not_taken(folder: Path) -> None:
    (folder / "checkpoint").write_bytes(bytes(sign_head(SignerKey.generate(ORIGIN), ENTRIES)))

    (fault,) = faults(folder)
    assert f"not signed by {KEY.verifier()}" in fault


def test_verify_log_takes_no_head_signed_by_a_trusted_key_of_another_log(folder: Path) -> None:
    other = SignerKey.generate("other.example/log")
    (folder / "checkpoint").write_bytes(bytes(sign_head(other, ENTRIES, ORIGIN)))

    report = verify_log(FolderSource(folder), [KEY.verifier(), other.verifier()])

    assert report.head is None
    assert report.faults == [f"The head: The note is not signed by {KEY.verifier()}."]


def test_log_that_somebody_else_signed_is_compared_with_what_is_remembered(
    tmp_path: Path,
) -> None:
    write_log(tmp_path, [*ENTRIES[:50], b"forged", *ENTRIES[51:]], SignerKey.generate(ORIGIN))

    first, second = faults(tmp_path, memory=remembered(ENTRIES))
    assert f"not signed by {KEY.verifier()}" in first
    assert re.match("Entry 50 .* remembered", second)


def test_log_written_anew_is_found_by_a_head_that_was_kept(tmp_path: Path) -> None:
    forged = [*ENTRIES[:50], b"forged", *ENTRIES[51:]]
    write_log(tmp_path, forged, KEY)

    assert faults(tmp_path) == []
    assert faults(tmp_path, [sign_head(KEY, ENTRIES[:40])]) == []
    [fault] = faults(tmp_path, [sign_head(KEY, ENTRIES[:300])])
    assert re.match("Entries 0 to 299 .* another root", fault)


def test_memory_names_the_entry_that_was_written_anew(tmp_path: Path) -> None:
    write_log(tmp_path, [*ENTRIES[:50], b"forged", *ENTRIES[51:]], KEY)

    [fault] = faults(tmp_path, memory=remembered(ENTRIES))
    assert re.match("Entry 50 .* remembered", fault)


def test_log_that_was_cut_is_found_by_what_was_kept(tmp_path: Path) -> None:
    write_log(tmp_path, ENTRIES[:590], KEY)

    by_head, by_memory = faults(tmp_path, [sign_head(KEY, ENTRIES)], remembered(ENTRIES))
    assert re.match("Entries 590 to 599 are missing: .* 600 ", by_head)
    assert re.match("Entries 590 to 599 are missing.* remembered", by_memory)


def test_old_head_over_a_longer_log_is_found_by_what_was_kept(folder: Path) -> None:
    write_tiles(folder, ENTRIES[:520])
    (folder / "checkpoint").write_bytes(bytes(sign_head(KEY, ENTRIES[:520])))

    assert faults(folder) == []
    [fault] = faults(folder, memory=remembered(ENTRIES))
    assert re.match("Entries 520 to 599 are missing.* remembered", fault)


def test_head_of_another_log_is_not_held_against_this_one(folder: Path) -> None:
    other = SignerKey.generate("other.example/log")
    keys = [KEY.verifier(), other.verifier()]
    seen = [sign_head(other, ENTRIES[:5], "other.example/log")]

    found = verify_log(FolderSource(folder), keys, seen=seen).faults

    [fault] = found
    assert "other.example/log" in fault
    assert ORIGIN in fault


def test_empty_log_is_sound(tmp_path: Path) -> None:
    write_log(tmp_path, [], KEY)

    assert faults(tmp_path) == []


def test_log_is_verified_at_its_address(folder: Path) -> None:
    with served_folder(folder) as address:
        report = verify_log(WebSource(address), [KEY.verifier()])

    assert report.faults == []
    assert report.head is not None
    assert report.head.size == 600


class PackedFiles(SimpleHTTPRequestHandler):
    """Serves files compressed with gzip, whatever a client accepts; `cut` octets are missing."""

    cut = 0
    copies = 1

    def do_GET(self) -> None:
        octets = gzip.compress(Path(self.translate_path(self.path)).read_bytes() * self.copies)
        octets = octets[: len(octets) - self.cut]
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_said: object) -> None:
        """Say nothing."""


class CutFiles(PackedFiles):
    """Serves truncated files."""

    cut = 20


class SwollenFiles(PackedFiles):
    """Serves files that are small until they are decompressed."""

    copies = 150_000


def test_log_that_comes_packed_is_verified(folder: Path) -> None:
    with served_folder(folder, PackedFiles) as address:
        assert verify_log(WebSource(address), [KEY.verifier()]).faults == []


@pytest.mark.parametrize(
    ("handler", "words"), [(CutFiles, "the answer was cut"), (SwollenFiles, "larger than any")]
)
def test_file_that_does_not_decompress_is_missing(
    handler: type[PackedFiles], words: str, folder: Path
) -> None:
    with served_folder(folder, handler) as address, pytest.raises(MissingTile, match=words):
        WebSource(address).read("checkpoint")


def test_command_remembers_what_was_sound(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = tmp_path / "memory"
    asked = ["verify", str(folder), "--key", str(KEY.verifier()), "--remember", str(memory)]

    assert run(asked) == 0
    assert capsys.readouterr().out.startswith(f"All 600 entries of {ORIGIN} ")
    write_log(folder, [*ENTRIES[:599], b"forged", b"more"], KEY)

    assert run(asked) == 1
    assert capsys.readouterr().out.startswith("Entry 599 ")
    assert LogMemory.read(memory) == remembered(ENTRIES)


BLOCKED = """
import runpy, sys
sys.modules.update(dict.fromkeys(("django", "rest_framework", "allauth", "psycopg"), None))
runpy.run_module("registry.transparency", run_name="__main__", alter_sys=True)
"""
"""Runs the command in Python for which what the registry runs on is not installed."""


def run_blocked(*arguments: object) -> tuple[int, str]:
    """Return the command's exit status and output without Django and its kin."""
    command = [sys.executable, "-c", BLOCKED, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.whole
def test_command_verifies_a_log_and_a_dump_where_django_is_not(
    folder: Path, tmp_path: Path
) -> None:
    registry = SampleRegistry(2 * len(STEPS))
    key = SignerKey.generate(registry_dumps.ORIGIN)
    dump = tmp_path / "dump.jsonl"
    registry.write(dump, registry.sign(key))

    log = run_blocked("verify", folder, "--key", KEY.verifier())
    sound = run_blocked("verify", dump, "--key", key.verifier())
    registry.namespaces[0] = {**registry.namespaces[0], "status": "retired"}
    registry.write(dump, registry.sign(key))
    forged = run_blocked("verify", dump, "--key", key.verifier())

    entries = len(registry.events) + 1
    assert [log[0], sound[0], forged[0]] == [0, 0, 1]
    assert f" 600 entries of {ORIGIN} " in log[1]
    assert f" {entries} entries of {registry_dumps.ORIGIN} " in sound[1]
    assert re.search(f"namespace 1, sample1, .* entry {REGISTER + 1} ", forged[1])


def test_command_verifies_a_proof_and_prints_its_entry(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = Note.parse((folder / "checkpoint").read_bytes())
    path = TileTree(FolderSource(folder), 600).prove_inclusion(77)
    file = tmp_path / "77.tlog-proof"
    file.write_text(str(LogProof(77, tuple(path), note, ENTRIES[77])))

    assert run(["verify", str(file), "--key", str(KEY.verifier())]) == 0
    assert ENTRIES[77].decode() in capsys.readouterr().out

    file.write_text(str(LogProof(78, tuple(path), note, ENTRIES[77])))
    assert run(["verify", str(file), "--key", str(KEY.verifier())]) == 1
    assert "another root" in capsys.readouterr().out


def test_command_counts_witnesses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    witness = SignerKey.generate("witness.example/w1", COSIGNATURE)
    keys = ["--key", str(KEY.verifier()), "--witness", str(witness.verifier())]

    assert run(["verify", str(folder), *keys, "--quorum", "1"]) == 1
    assert re.fullmatch(r"0 .* not 1\.\n", capsys.readouterr().out)

    note = Note.parse((folder / "checkpoint").read_bytes())
    (folder / "checkpoint").write_bytes(bytes(note.add(witness.cosign(note.text, 1_790_000_000))))
    assert run(["verify", str(folder), *keys, "--quorum", "1"]) == 0


def test_command_makes_keys_and_never_writes_over_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "key"

    assert run(["keygen", ORIGIN, str(file)]) == 0
    key = SignerKey.parse(file.read_text())
    assert capsys.readouterr().out == f"{key.verifier()}\n"
    assert file.stat().st_mode & 0o777 == 0o600

    assert run(["keygen", ORIGIN, str(file)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert SignerKey.parse(file.read_text()) == key


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "/nowhere", "--key", "x"], "is not a key"),
        (["verify", __file__], "is neither a dump nor a proof"),
        (["witness", "--listen", "x", "--key", __file__, "--state", "s", "--log", "x"], "secret"),
    ],
)
def test_command_says_what_it_cannot_use(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert words in capsys.readouterr().err
