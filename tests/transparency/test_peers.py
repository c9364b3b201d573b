"""Go's sumdb, an independent implementation, agrees with our logs, proofs and cosignatures."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django import Settings

from registry import workflow
from registry.journal.log_worker import build_log
from registry.models import RegistrationRequest, User
from registry.transparency.notes import COSIGNATURE, SignerKey
from registry.transparency.proof_files import LogProof
from registry.transparency.sources import FolderSource
from registry.transparency.tiles import TileTree
from registry.transparency.witness import Submission, Witness
from tests.programs import PATIENCE, lack, program
from tests.transparency.logs import ORIGIN, make_entries, sign_head, write_log

KEY = SignerKey.generate(ORIGIN)
SUMDB = Path("/usr/share/gocode/src/golang.org/x/mod/sumdb")


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `peer/main.go`, compiled."""
    go = program("go")
    if not SUMDB.is_dir():
        lack(str(SUMDB))
    folder = tmp_path_factory.mktemp("peer")
    environment = os.environ | {
        "GO111MODULE": "off",
        "GOPATH": "/usr/share/gocode",
        "GOCACHE": str(folder / "cache"),
    }
    source = Path(__file__).with_name("peer") / "main.go"
    command = [go, "build", "-o", str(folder / "peer"), str(source)]
    subprocess.run(command, env=environment, check=True, timeout=600)
    return folder / "peer"


def ask(peer: Path, *arguments: object) -> tuple[int, str]:
    """Return the program's exit status, and its output."""
    done = subprocess.run(
        [str(peer), *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.returncode, (done.stdout + done.stderr).strip()


@pytest.mark.whole
@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 700])
def test_go_proves_every_entry_and_every_old_head(peer: Path, tmp_path: Path, size: int) -> None:
    entries = make_entries(size)
    write_log(tmp_path / "log", entries, KEY)
    heads = []
    for old in sorted({1, size // 2, size - 1, size} - {0}):
        heads.append(tmp_path / f"head-{old}")
        heads[-1].write_bytes(bytes(sign_head(KEY, entries[:old])))

    found = ask(peer, "log", tmp_path / "log", KEY.verifier(), *heads)

    assert found == (0, f"{size} entries, {len(heads)} old heads")


@pytest.mark.whole
@pytest.mark.django_db
def test_go_proves_a_log_that_the_worker_built(
    peer: Path,
    tmp_path: Path,
    approved: RegistrationRequest,
    registrar: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    build_log()
    old = tmp_path / "old"
    shutil.copy(settings.REGISTRY_LOG_HEAD, old)
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    build_log()

    found = ask(peer, "log", settings.REGISTRY_LOG_DIR, key.verifier(), old)

    assert found == (0, "6 entries, 1 old heads")


@pytest.mark.whole
def test_go_refuses_what_we_refuse(peer: Path, tmp_path: Path) -> None:
    entries = make_entries(300)
    write_log(tmp_path / "log", entries, KEY)
    old = tmp_path / "old"
    old.write_bytes(bytes(sign_head(KEY, [*entries[:99], b"forged"])))

    assert ask(peer, "log", tmp_path / "log", SignerKey.generate(ORIGIN).verifier())[0] == 1
    assert ask(peer, "log", tmp_path / "log", KEY.verifier(), old)[0] == 1


@pytest.mark.whole
def test_go_verifies_each_proof_that_we_give_out(peer: Path, tmp_path: Path) -> None:
    entries = make_entries(300)
    note = write_log(tmp_path / "log", entries, KEY)
    tree = TileTree(FolderSource(tmp_path / "log"), 300)
    file = tmp_path / "one.tlog-proof"
    for number in (0, 1, 255, 256, 299):
        path = tuple(tree.prove_inclusion(number))
        file.write_text(str(LogProof(number, path, note, entries[number])))
        assert ask(peer, "proof", file, KEY.verifier()) == (0, f"entry {number} of 300")

    file.write_text(str(LogProof(7, tuple(tree.prove_inclusion(8)), note, entries[7])))
    assert ask(peer, "proof", file, KEY.verifier())[0] == 1


@pytest.mark.whole
def test_go_verifies_the_cosignature_of_our_witness(peer: Path, tmp_path: Path) -> None:
    key = SignerKey.generate("witness.example/w1", COSIGNATURE)
    head = sign_head(KEY, make_entries(7))
    witness = Witness(key, [KEY.verifier()], tmp_path / "state", now=lambda: 1_790_000_000)
    answer = witness.add_checkpoint(str(Submission(0, (), head)).encode())
    witness.close()
    file = tmp_path / "checkpoint"
    file.write_text(f"{head}{answer.text}")

    assert ask(peer, "cosignature", file, key.verifier()) == (0, "cosigned at 1790000000")

    file.write_text(f"{sign_head(KEY, make_entries(8))}{answer.text}")
    assert ask(peer, "cosignature", file, key.verifier())[0] == 1
