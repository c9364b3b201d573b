"""Facts as XML in a small layout of our own: the same names as in JSON, one element a fact.

What is not known has no element. A list is an element for each of its members, in one of its
name. `urn-registry.rng` describes the whole.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any, Final

BARRED: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

MEMBERS: Final = {
    "asked_for_by": "reference",
    "contended_with": "reference",
    "counter_examples": "example",
    "findings": "finding",
    "otherwise": "dated",
    "reopened_as": "reference",
}
"""How the members of a list are called where the list is not simply their plural."""


def markup(name: str, told: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return facts as a document whose first element has that name."""
    root = element(name, told)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def element(name: str, value: Any) -> ET.Element:
    """Return one fact as an element; an entry of a table that is no name is called so."""
    is_name = NAME.fullmatch(name)
    made = ET.Element(name if is_name else "entry", {} if is_name else {"key": printable(name)})
    if isinstance(value, Mapping):
        made.extend(element(key, each) for key, each in value.items() if each not in (None, []))
    elif isinstance(value, (list, tuple)):
        made.extend(element(member(name), each) for each in value)
    else:
        made.text = printable(written(value))
    return made


def member(name: str) -> str:
    """Return how one of a list is called."""
    return MEMBERS.get(name) or name.removesuffix("s")


def written(value: Any) -> str:
    """Return a value as XML Schema writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def printable(text: str) -> str:
    """Return `text` without the characters that XML cannot carry."""
    return BARRED.sub("\N{REPLACEMENT CHARACTER}", text)
