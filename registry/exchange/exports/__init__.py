"""The registry in every format for the outside world; one module per format.

`EXPORT_FILES` is the catalogue: which files there are, by name, and how they are written.
"""

from registry.exchange.exports.builder import (
    ExportFile,
    ExportNotBuilt,
    find_last_change,
    find_last_event,
    read_export_chunks,
)
from registry.exchange.exports.dated_dumps import (
    find_dated_build,
    find_dated_name,
    has_hidden_since,
    list_dated_builds,
)
from registry.exchange.exports.files import (
    DESCRIPTION_FILES,
    EXPORT_FILES,
    find_current_builds,
)
from registry.exchange.exports.refreshing import (
    find_outdated,
    is_outdated,
    refresh_exports,
    request_due_refresh,
    request_refresh,
    says_too_much,
)

__all__ = [
    "DESCRIPTION_FILES",
    "EXPORT_FILES",
    "ExportFile",
    "ExportNotBuilt",
    "find_current_builds",
    "find_dated_build",
    "find_dated_name",
    "find_last_change",
    "find_last_event",
    "find_outdated",
    "has_hidden_since",
    "is_outdated",
    "list_dated_builds",
    "read_export_chunks",
    "refresh_exports",
    "request_due_refresh",
    "request_refresh",
    "says_too_much",
]
