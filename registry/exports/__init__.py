"""The registry in every form that the outside world reads; one module a form.

`FILES` is the catalogue: what there is under which name, and how it is written.
"""

from registry.exports.catalogue import FILES
from registry.exports.making import File, Made, anything_changed_at, changed_at, make, state

__all__ = ["FILES", "File", "Made", "anything_changed_at", "changed_at", "make", "state"]
