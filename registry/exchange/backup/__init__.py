"""Backup: the whole registry as one file, and back again, here or elsewhere.

A dump is JSON lines. The first says what it is, the last has the SHA-256 of all lines before it;
between them stands a row a line, `["registry.namespace", {"id": 1, …}]`, in the order in which
rows refer to one another. The same rows give the same octets, on SQLite and on PostgreSQL.
A dump has what everybody may read, or all there is (`BackupExtent`).
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
