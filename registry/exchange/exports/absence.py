"""What is not known, the same in every form; ask here rather than for `None` or for an empty text.

In JSON it is null, and a list that has nothing in it is `[]`; no text is empty. In the other forms
both are left out: there is no element in XML, no statement in a graph, nothing in the cell of CSV,
and no label in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping


def is_absent(value: object) -> bool:
    """Whether there is nothing to say: no value, an empty text, a list or table without members.

    `False` and 0 are values.
    """
    return value is None or (isinstance(value, str | list | tuple | Mapping) and not value)
