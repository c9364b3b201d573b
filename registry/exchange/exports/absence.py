"""Unknown values, the same in every format; check here rather than for `None` or an empty text.

In JSON they are null, and an empty list is `[]`; no text is empty. Other formats leave them out: no
element in XML, no statement in a graph, an empty cell in CSV, and no label in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping


def is_absent(value: object) -> bool:
    """Whether there is nothing to say: no value, an empty text, list or table.

    `False` and 0 are values.
    """
    return value is None or (isinstance(value, str | list | tuple | Mapping) and not value)
