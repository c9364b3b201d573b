"""Backup: the whole registry as one file, and back again, here or elsewhere.

A dump is JSON lines. The first describes it, and the last has the SHA-256 of all lines before it;
in between there is one row per line, `["registry.namespace", {"id": 1, …}]`, in the order in which
rows refer to each other. The same rows give the same octets, on SQLite and on PostgreSQL. A dump
contains what everyone may read, or everything (`BackupExtent`).
"""

from registry.exchange.backup.format import BackupExtent, BackupRefused
from registry.exchange.backup.restore import restore_backup
from registry.exchange.backup.schema import make_dump_schema
from registry.exchange.backup.writer import write_backup

__all__ = [
    "BackupExtent",
    "BackupRefused",
    "make_dump_schema",
    "restore_backup",
    "write_backup",
]
