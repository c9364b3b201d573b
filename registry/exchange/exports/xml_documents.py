"""Facts as XML in a small layout of our own: the same names as in JSON, one element a fact.

What is not known has no element. A list is an element for each of its members, in one of its
name. `urn-registry.rng` describes the whole.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any, Final

BARRED_IN_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ELEMENT_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

MEMBER_NAMES: Final = {
    "asked_for_by": "reference",
    "contended_with": "reference",
    "counter_examples": "example",
    "findings": "finding",
    "otherwise": "dated",
    "reopened_as": "reference",
}
"""How the members of a list are called where the list is not simply their plural."""


def write_xml(name: str, told: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return facts as a document whose first element has that name."""
    root = make_fact_element(name, told)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def make_fact_element(name: str, value: Any) -> ET.Element:
    """Return one fact as an element; an entry of a table that is no name is called so."""
    is_name = ELEMENT_NAME.fullmatch(name)
    made = ET.Element(
        name if is_name else "entry", {} if is_name else {"key": remove_barred_characters(name)}
    )
    if isinstance(value, Mapping):
        made.extend(
            make_fact_element(key, each) for key, each in value.items() if each not in (None, [])
        )
    elif isinstance(value, (list, tuple)):
        made.extend(make_fact_element(name_member(name), each) for each in value)
    else:
        made.text = remove_barred_characters(format_xml_value(value))
    return made


def name_member(name: str) -> str:
    """Return how one of a list is called."""
    return MEMBER_NAMES.get(name) or name.removesuffix("s")


def format_xml_value(value: Any) -> str:
    """Return a value as XML Schema writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def remove_barred_characters(text: str) -> str:
    """Return `text` without the characters that XML cannot carry."""
    return BARRED_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
