"""The registry in every form that the outside world reads; one module a form.

`FILES` is the catalogue: what there is under which name, and how it is written.
"""

from registry.exports.catalogue import FILES
from registry.exports.making import (
    BeingBuilt,
    BuiltFile,
    File,
    anything_changed_at,
    changed_at,
    ensure_built,
    state,
)

__all__ = [
    "FILES",
    "BeingBuilt",
    "BuiltFile",
    "File",
    "anything_changed_at",
    "changed_at",
    "ensure_built",
    "state",
]
