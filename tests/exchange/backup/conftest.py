"""A registry with something in every table, and its dump."""

from __future__ import annotations

import json
from typing import Any

from django.core.management import call_command

from registry.exchange.backup import BackupExtent, write_backup

Rows = dict[str, list[dict[str, Any]]]


def octets(extent: BackupExtent) -> bytes:
    """Return a dump."""
    return b"".join(write_backup(extent))


def rows(dump: bytes) -> Rows:
    """Return the rows of a dump by their tables."""
    found: Rows = {}
    for line in dump.splitlines()[1:-1]:
        label, row = json.loads(line)
        found.setdefault(label, []).append(row)
    return found


def start_anew() -> None:
    """Reset the database to the state after `migrate`."""
    call_command("flush", interactive=False, verbosity=0)
