"""A large registry that is made once for all workers of a test run, and copied by the others."""

from __future__ import annotations

import fcntl
import pickle
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.db import connection

from tests.recorded_rows import REPLAYS, describe, find_again

T = TypeVar("T")


def copy_or_build(folder: Path, build: Callable[[], T]) -> T:
    """Fill the test database from `folder`, or by `build` if nobody has yet.

    Letters that were written to files are copied too. Returns what `build` returned: model
    instances, and collections of them. `REPLAY=0` and PostgreSQL build each time.
    """
    if not REPLAYS or connection.vendor != "sqlite":
        return build()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        database, letters, returned = (folder / name for name in ("database", "mail", "returned"))
        if returned.exists():
            with sqlite3.connect(database) as copy:
                copy.backup(connection.connection)
            copy.close()
            shutil.copytree(letters, settings.EMAIL_FILE_PATH, dirs_exist_ok=True)
            result: T = find_again(pickle.loads(returned.read_bytes()), {})
            return result
        result = build()
        connection.cursor().execute("VACUUM INTO %s", [str(database)])
        shutil.copytree(settings.EMAIL_FILE_PATH, letters)
        returned.write_bytes(pickle.dumps(describe(result, {})))
        return result
