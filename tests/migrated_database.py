"""A migrated, empty database kept in `.cache`: a single test need not wait for migrations."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

from django.db import connection

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / ".cache" / "databases"


def find_copy() -> Path:
    """Return where the copy for this code lies: its name changes with all that migrations read."""
    sources = (
        *ROOT.glob("registry/migrations/*.py"),
        *ROOT.glob("registry/models/**/*.py"),
        *(ROOT / name for name in ("registry/enums.py", "requirements.txt")),
    )
    digest = hashlib.sha256(sqlite3.sqlite_version.encode())
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return FOLDER / f"{digest.hexdigest()[:16]}.sqlite3"


@contextmanager
def creating_by_copy() -> Iterator[None]:
    """Let Django's test runner copy a migrated SQLite database, or migrate one and keep it."""
    create: Callable[..., str] = connection.creation.create_test_db

    def copy_or_create(*args: Any, **named: Any) -> str:
        migrated = find_copy()
        name = str(connection.settings_dict["TEST"]["NAME"])
        if migrated.exists():
            connection.close()
            shutil.copyfile(migrated, name)
            connection.settings_dict["NAME"] = name
            return name
        create(*args, **named)
        save_copy(migrated)
        return name

    with mock.patch.object(connection.creation, "create_test_db", copy_or_create):
        yield


def save_copy(migrated: Path) -> None:
    """Keep the open test database; copies of other code go."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for other in FOLDER.glob("*.sqlite3"):
        other.unlink(missing_ok=True)
    written = migrated.with_suffix(f".{os.getpid()}")
    connection.cursor().execute("VACUUM INTO %s", [str(written)])
    # Another process may have done the same.
    written.replace(migrated)
