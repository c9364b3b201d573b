"""The registry in every form that the outside world reads; one module a form.

`EXPORT_FILES` is the catalogue: what there is under which name, and how it is written.
"""

from registry.exchange.exports.builder import (
    BuildInProgress,
    BuiltFile,
    ExportFile,
    ensure_built,
    find_last_change,
    find_last_event,
    identify_state,
)
from registry.exchange.exports.files import EXPORT_FILES

__all__ = [
    "EXPORT_FILES",
    "BuildInProgress",
    "BuiltFile",
    "ExportFile",
    "ensure_built",
    "find_last_change",
    "find_last_event",
    "identify_state",
]
