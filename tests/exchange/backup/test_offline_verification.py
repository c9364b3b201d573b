"""A dump is verified without us: by the log, the head that it carries, and its rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from registry.exchange.backup import BackupExtent
from registry.exchange.backup.format import encode_backup_line
from registry.journal.log_worker import build_log
from registry.transparency.dumps import verify_dump
from registry.transparency.notes import SignerKey, VerifierKey
from tests.exchange.backup.conftest import octets
from tests.exchange.backup.furnishing import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> VerifierKey:
    """The key of the log."""
    made = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", made.export())
    return made.verifier()


@pytest.mark.parametrize("extent", BackupExtent)
def test_a_dump_is_what_the_signed_log_says(
    furnished: Cast, key: VerifierKey, tmp_path: Path, extent: BackupExtent
) -> None:
    built = build_log()
    path = tmp_path / "dump.jsonl"
    path.write_bytes(octets(extent))

    report = verify_dump(path, [key])

    assert report.faults == []
    assert report.head == built.head


def test_a_row_that_was_changed_in_a_dump_is_named_with_its_entry(
    furnished: Cast, key: VerifierKey, tmp_path: Path
) -> None:
    build_log()
    path = tmp_path / "dump.jsonl"
    said = [json.loads(line) for line in octets(BackupExtent.PUBLIC).splitlines()]
    for each in said:
        if isinstance(each, list) and each[0] == "registry.registration":
            each[1]["purpose"] = "Mine."
    path.write_bytes(b"".join(map(encode_backup_line, said)))

    faults = verify_dump(path, [key]).faults

    assert len(faults) == 3
    assert faults[0].endswith("is not the SHA-256 of those before.")
    assert "seedbank, is not what entry" in faults[1]
    assert faults[2].endswith("has a text with another digest than it says.")


def test_a_reading_that_a_public_dump_lacks_is_named(
    furnished: Cast, key: VerifierKey, tmp_path: Path
) -> None:
    build_log()
    path = tmp_path / "dump.jsonl"
    lines = octets(BackupExtent.PUBLIC).splitlines(keepends=True)
    path.write_bytes(b"".join(each for each in lines if b'["registry.importedrecord"' not in each))

    faults = verify_dump(path, [key]).faults

    assert len(faults) == 3
    assert [each.startswith("Entry ") for each in faults] == [False, True, True]
    assert all("tells of importedrecord" in each for each in faults[1:])
