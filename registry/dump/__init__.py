"""The whole registry as one file, and back again: backup, moving house, starting elsewhere.

A dump is JSON lines. The first says what it is, the last has the SHA-256 of all lines before it;
between them stands a row a line, `["registry.namespace", {"id": 1, …}]`, in the order in which
rows refer to one another. The same rows give the same octets, on SQLite and on PostgreSQL.
A dump has what everybody may read, or all there is (`Extent`).
"""

from registry.dump.extent import Extent
from registry.dump.loading import load
from registry.dump.refusing import Refused
from registry.dump.writing import lines

__all__ = ["Extent", "Refused", "lines", "load"]
