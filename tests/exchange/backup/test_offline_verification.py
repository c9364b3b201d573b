"""A dump is verified without us: by the log, the head that it carries, and its rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from registry import journal
from registry.enums import RequestPath
from registry.exchange.backup import BackupExtent
from registry.exchange.backup.format import encode_backup_line
from registry.journal.log_worker import build_log
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Event, Organization, RegistrationRequest, User
from registry.transparency.dumps import verify_dump
from registry.transparency.notes import SignerKey, VerifierKey
from tests.exchange.backup.conftest import octets
from tests.factories import OrganizationFactory, formal_text, start
from tests.populated_registry import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> VerifierKey:
    """The key of the log."""
    made = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", made.export())
    return made.verifier()


@pytest.mark.parametrize("extent", BackupExtent)
def test_dump_is_what_the_signed_log_says(
    populated: Cast, key: VerifierKey, tmp_path: Path, extent: BackupExtent
) -> None:
    built = build_log()
    path = tmp_path / "dump.jsonl"
    path.write_bytes(octets(extent))

    report = verify_dump(path, [key])

    assert report.faults == []
    assert report.head == built.head


def test_row_that_was_changed_in_a_dump_is_named_with_its_entry(
    populated: Cast, key: VerifierKey, tmp_path: Path
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
    assert "SHA-256" in faults[0]
    assert ", seedbank, " in faults[1]
    assert "another digest" in faults[2]


def begin_draft(cast: Cast) -> RegistrationRequest:
    """Begin a draft for the organization: its line is private."""
    text = formal_text("cellar")
    return start(cast.registrant, cast.organization, text, RequestPath.COMMUNITY)


def rename(organization: Organization, name: str, administrator: User) -> dict[str, Any]:
    """Rename an organization as the admin site does; return the entry."""
    before = {build_row_key(organization): digest_row(organization)}
    with transaction.atomic():
        organization.name = name
        organization.save(update_fields=["name"])
        event = journal.append(organization, actor=administrator, verb="admin.change", rows=before)
    entry: dict[str, Any] = json.loads(event.entry)
    return entry


def test_holder_renamed_in_administration_verifies_from_a_public_dump(
    populated: Cast, key: VerifierKey, tmp_path: Path
) -> None:
    was = digest_row(populated.organization)
    entry = rename(populated.organization, "Northlight Vault", populated.registrar)
    begin_draft(populated)
    build_log()
    path = tmp_path / "dump.jsonl"
    dump = octets(BackupExtent.PUBLIC)
    path.write_bytes(dump)

    faults = verify_dump(path, [key]).faults
    path.write_bytes(dump.replace(b"Northlight Vault", b"Northlight Mine"))
    forged = verify_dump(path, [key]).faults

    holder = build_row_key(populated.organization)
    assert entry.keys() == {"v", "n", "sealed", "about", "rows"}
    assert entry["about"] == []
    assert entry["rows"] == {holder: [was, digest_row(populated.organization)]}
    assert faults == []
    assert any(
        each.startswith(f"{holder}, Northlight Mine, ") and f" {entry['n']} " in each
        for each in forged
    )


def test_private_organizations_sealed_entry_names_only_its_kind(
    populated: Cast, key: VerifierKey, tmp_path: Path
) -> None:
    private = OrganizationFactory.create(name="Cellar Club")
    entry = rename(private, "Attic Club", populated.registrar)
    build_log()
    path = tmp_path / "dump.jsonl"
    path.write_bytes(octets(BackupExtent.PUBLIC))

    assert entry.keys() == {"v", "n", "sealed", "about"}
    assert entry["about"] == ["organization"]
    assert verify_dump(path, [key]).faults == []


def test_draft_is_about_no_organization(populated: Cast) -> None:
    begin_draft(populated)

    entry = json.loads(Event.objects.latest("number").entry)
    assert entry.keys() == {"v", "n", "sealed", "about"}
    assert entry["about"] == []


def test_reading_that_a_public_dump_lacks_is_named(
    populated: Cast, key: VerifierKey, tmp_path: Path
) -> None:
    build_log()
    path = tmp_path / "dump.jsonl"
    lines = octets(BackupExtent.PUBLIC).splitlines(keepends=True)
    path.write_bytes(b"".join(each for each in lines if b'["registry.importedrecord"' not in each))

    faults = verify_dump(path, [key]).faults

    assert len(faults) == 3
    assert [each.startswith("Entry ") for each in faults] == [False, True, True]
    assert all("tells of importedrecord" in each for each in faults[1:])
