"""What is not a complete and valid dump for this database is refused, changing nothing."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from registry.exchange.backup import (
    BackupExtent,
    BackupRefused,
    restore_backup,
)
from registry.exchange.backup.format import encode_backup_line
from registry.models import Counter, Organization, ReservedName
from tests.exchange.backup.conftest import octets

pytestmark = pytest.mark.django_db

Lines = list[bytes]


@pytest.fixture
def dump() -> Lines:
    """The lines of a dump with two organizations and a reserved name; the database is empty."""
    # Tests of running servers commit their counts, and may have run before.
    Counter.objects.all().delete()
    Organization.objects.bulk_create(
        Organization(name=name) for name in ("Northlight", "Saltmarsh")
    )
    ReservedName.objects.create(list="scheme", name="https")
    lines = octets(BackupExtent.COMPLETE).splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(b'["auth.group"')]
    header = json.loads(lines[0])
    header["rows"]["auth.group"] = 0
    Organization.objects.all().delete()
    ReservedName.objects.all().delete()
    return sealed([encode_backup_line(header), *lines[1:-1]])


def sealed(lines: Lines) -> Lines:
    """Return lines with the digest of them all."""
    return [*lines, encode_backup_line({"sha256": hashlib.sha256(b"".join(lines)).hexdigest()})]


def with_header(lines: Lines, **said: Any) -> Lines:
    """Return the dump with another first line."""
    return sealed([encode_backup_line(json.loads(lines[0]) | said), *lines[1:-1]])


def with_row(lines: Lines, label: str, **columns: Any) -> Lines:
    """Return the dump with another second line."""
    return sealed([lines[0], encode_backup_line([label, columns]), *lines[2:-1]])


def newer(lines: Lines) -> Lines:
    """Return the dump of a registry that has one more migration."""
    known = json.loads(lines[0])["migrations"]
    return with_header(lines, migrations=[*known, "registry.9999_later"])


def older(lines: Lines) -> Lines:
    """Return the dump of a registry that lacks a migration."""
    known = json.loads(lines[0])["migrations"]
    return with_header(lines, migrations=[each for each in known if "0002" not in each])


def to_nobody(lines: Lines) -> Lines:
    """Return the dump with a co-editor who has no account."""
    rows = json.loads(lines[0])["rows"] | {"registry.registrationrequest_co_editors": 1}
    co_editor = {"id": 1, "user_id": 7, "registrationrequest_id": 1}
    lines = [
        *lines[:3],
        encode_backup_line(["registry.registrationrequest_co_editors", co_editor]),
        *lines[3:],
    ]
    return with_header(lines, rows=rows)


BODY = "registry.organization"
FACTS = {"website": "", "recognised_on": None, "recognition_source": ""}
NOBODY = (
    "A row refers to one that the dump does not have: "
    if connection.vendor == "sqlite"
    else "Line 4 is nothing that registry.registrationrequest_co_editors takes: "
)
DAMAGED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "empty": (lambda lines: [], "The file is empty."),
    "no dump": (lambda lines: [b"NID,Reference\n"], "Line 1: this is not JSON"),
    "another format": (lambda lines: [b'{"openapi":"3.1.0"}\n'], "Line 1: this is not a dump"),
    "another version": (
        lambda lines: with_header(lines, version=2),
        "Line 1: the format is version 2; 1 is known here.",
    ),
    "no extent": (
        lambda lines: with_header(lines, extent="partial"),
        "Line 1: it does not say how much",
    ),
    "newer": (newer, "Line 1: the dump is of a newer registry: here is no registry.9999_later."),
    "older": (older, "Line 1: the dump is of an older registry, without "),
    "cut between lines": (lambda lines: lines[:3], "The file ends after line 3, before its end"),
    "cut in a line": (
        lambda lines: [*lines[:3], lines[3][:-9]],
        "Line 4: the line has no end: the file was cut or is damaged.",
    ),
    "an octet lost": (
        lambda lines: [*lines[:2], lines[2].replace(b'"', b"", 1), *lines[3:]],
        "Line 3: this is not JSON: the line is damaged.",
    ),
    "no UTF-8": (
        lambda lines: [*lines[:2], lines[2].replace(b"Salt", b"S\xe4lt"), *lines[3:]],
        "Line 3: this is not JSON: the line is damaged.",
    ),
    "a word changed": (
        lambda lines: [*lines[:2], lines[2].replace(b"Salt", b"Malt"), *lines[3:]],
        "Line 5: the SHA-256 is not that of the lines before",
    ),
    "a line lost": (
        lambda lines: lines[:2] + lines[3:],
        "Line 4: the SHA-256 is not that of the lines before",
    ),
    "two files in one": (lambda lines: lines * 2, "Line 6: the file goes on after its last line."),
    "no row": (
        lambda lines: sealed([lines[0], b"7\n", *lines[2:-1]]),
        "Line 2: this is no row of a table.",
    ),
    "no such table": (
        lambda lines: with_row(lines, "registry.nonsense", id=1),
        "Line 2: a complete dump has no table registry.nonsense.",
    ),
    "other columns": (
        lambda lines: with_row(lines, BODY, id=1, name="Northlight"),
        "One of lines 2 to 3 is nothing that registry.organization takes: the columns are others.",
    ),
    "the same key twice": (
        lambda lines: with_row(lines, BODY, id=json.loads(lines[2])[1]["id"], name="A", **FACTS),
        "One of lines 2 to 3 is nothing that registry.organization takes: ",
    ),
    "no date": (
        lambda lines: with_row(lines, BODY, id=1, name="A", **(FACTS | {"recognised_on": "soon"})),
        "One of lines 2 to 3 is nothing that registry.organization takes: ",
    ),
    "fewer rows than said": (
        lambda lines: sealed([lines[0], *lines[2:-1]]),
        "Line 1: the dump has not as many rows as this says.",
    ),
    "refers to nobody": (to_nobody, NOBODY),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_dump_is_refused_with_its_line(dump: Lines, name: str) -> None:
    damage, said = DAMAGED[name]

    with pytest.raises(BackupRefused) as refusal:
        restore_backup(io.BytesIO(b"".join(damage(dump))))

    assert str(refusal.value).startswith(said)
    assert not Organization.objects.exists()
    assert not ReservedName.objects.exists()


def test_sound_dump_is_loaded(dump: Lines) -> None:
    restore_backup(io.BytesIO(b"".join(dump)))

    assert list(Organization.objects.values_list("name", flat=True)) == ["Northlight", "Saltmarsh"]


def test_database_with_anything_in_it_is_left_alone(dump: Lines) -> None:
    Organization.objects.create(name="Already here")

    with pytest.raises(BackupRefused) as refusal:
        restore_backup(io.BytesIO(b"".join(dump)))

    words = "The database is not empty. It has rows in registry.organization (1)."
    assert str(refusal.value) == words
    assert Organization.objects.get().name == "Already here"


def test_database_with_the_tables_of_another_release_is_left_alone(dump: Lines) -> None:
    MigrationRecorder(connection).record_unapplied("registry", "0002_database")

    with pytest.raises(BackupRefused, match="the tables of another release"):
        restore_backup(io.BytesIO(b"".join(dump)))

    assert not Organization.objects.exists()


def test_packed_dump_that_was_cut_is_refused_with_its_line(dump: Lines, tmp_path: Path) -> None:
    file = tmp_path / "registry.jsonl.gz"
    file.write_bytes(gzip.compress(b"".join(dump))[:-12])

    with pytest.raises(CommandError) as refusal:
        call_command("load_dump", "--unsigned", str(file))

    assert "loaded. Line " in str(refusal.value)
    assert not Organization.objects.exists()


def test_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"missing\.jsonl cannot be read"):
        call_command("load_dump", "--unsigned", str(tmp_path / "missing.jsonl"))


def test_dump_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("dump", str(tmp_path / "missing" / "registry.jsonl"))
    assert list(tmp_path.iterdir()) == []
