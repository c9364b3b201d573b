"""The witness as a process: what it cosigned outlives that it is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from registry.transparency.notes import Note, SignerKey, VerifierKey
from registry.transparency.witness import SIZE_MEDIA_TYPE
from tests.programs import PATIENCE
from tests.transparency.test_witness import LOG, ask, submission

COMMAND = (sys.executable, "-m", "registry.transparency")


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """A file for the witness's key."""
    return tmp_path / "witness-key"


@pytest.fixture
def key(key_file: Path) -> VerifierKey:
    """The key that `keygen` printed."""
    command = [*COMMAND, "keygen", "--witness", "witness.example/w1", str(key_file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    return VerifierKey.parse(done.stdout.strip())


@contextmanager
def running(key_file: Path) -> Iterator[str]:
    """Run a witness of our log, yield its address, and kill it."""
    state = key_file.with_name("state")
    command = [*COMMAND, "witness", "--listen", "127.0.0.1:0", "--key", str(key_file)]
    command += ["--state", str(state), "--log", str(LOG.verifier())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().rpartition(" ")[2].strip().rstrip("/")
        finally:
            process.kill()


@pytest.mark.whole
def test_witness_that_was_killed_knows_what_it_has_cosigned(
    key_file: Path, key: VerifierKey
) -> None:
    first = submission(0, 7)
    with running(key_file) as address:
        status, _media_type, cosignature = ask(f"{address}/add-checkpoint", first)
    assert status == 200
    Note.parse(f"{first.note}{cosignature}".encode()).verify(key)
    assert SignerKey.parse(key_file.read_text()).verifier() == key

    with running(key_file) as address:
        forgotten = ask(f"{address}/add-checkpoint", submission(0, 40))
        status, _media_type, cosignature = ask(f"{address}/add-checkpoint", submission(7, 40))

    assert forgotten == (409, SIZE_MEDIA_TYPE, "7\n")
    assert status == 200
    Note.parse(f"{submission(7, 40).note}{cosignature}".encode()).verify(key)
