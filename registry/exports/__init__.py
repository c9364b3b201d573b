"""The registry in every form that the outside world reads; one module a form.

`FILES` is the catalogue: what there is under which name, and how it is written.
"""

from registry.exports.catalogue import FILES, File, Made, changed_at, make, state

__all__ = ["FILES", "File", "Made", "changed_at", "make", "state"]
