"""Exports as XML: our own documents, and IANA's registry in its schema."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from registry.exchange.csv_rows import format_csv_rows
from registry.exchange.exports.absence import is_absent
from registry.exchange.exports.entries import (
    RFC_REFERENCE,
    NamespaceEntries,
    NamespaceEntry,
)
from registry.template.text import wrap_text

# Unknown values have no element. A list is one element per member, all with the same name.
# `urn-registry.rng` is the schema.

XML_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
BARRED_IN_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ELEMENT_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

MEMBER_NAMES: Final = {
    "aliases": "alias",
    "asked_for_by": "reference",
    "close_to": "reference",
    "contended_with": "reference",
    "equivalence": "statement",
    "evidence": "recorded",
    "counter_examples": "example",
    "findings": "finding",
    "left_over": "passage",
    "otherwise": "dated",
    "people": "person",
    "reopened_as": "reference",
}
"""The names of list members where the list is not simply their plural."""


def write_xml(name: str, told: Mapping[str, Any]) -> str:
    """Return facts as a document whose root element has that name."""
    return f"{XML_DECLARATION}{write_element(make_fact_element(name, told), 0)}\n"


def write_xml_list(name: str, told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a document whose root element has that name, one member at a time."""
    member, is_empty = name_member(name), True
    yield XML_DECLARATION
    for each in told:
        yield f"<{name}>" if is_empty else ""
        yield f"\n  {write_element(make_fact_element(member, each), 1)}"
        is_empty = False
    yield f"<{name} />\n" if is_empty else f"\n</{name}>\n"


def write_element(made: ET.Element, level: int) -> str:
    """Return an element, indented as one that stands so many levels below the root."""
    ET.indent(made, level=level)
    return ET.tostring(made, encoding="unicode")


def make_fact_element(name: str, value: Any) -> ET.Element:
    """Return one fact as an element; an invalid name becomes the attribute of an `entry`."""
    is_name = ELEMENT_NAME.fullmatch(name)
    made = ET.Element(
        name if is_name else "entry", {} if is_name else {"key": remove_barred_characters(name)}
    )
    if isinstance(value, Mapping):
        made.extend(
            make_fact_element(key, each) for key, each in value.items() if not is_absent(each)
        )
    elif isinstance(value, (list, tuple)):
        member = name_member(name)
        made.extend(make_fact_element(member, each) for each in value if not is_absent(each))
    else:
        made.text = remove_barred_characters(format_xml_value(value))
    return made


def name_member(name: str) -> str:
    """Return the name of a list's members."""
    return MEMBER_NAMES.get(name) or name.removesuffix("s")


def format_xml_value(value: Any) -> str:
    """Return a value as XML Schema writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def remove_barred_characters(text: str) -> str:
    """Return `text` without the characters that XML cannot contain."""
    return BARRED_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


# Programs that read IANA's registry of URN namespaces can read these unchanged: elements, ids,
# headers and order are IANA's. Our states are left out, since IANA has none.

XMLNS: Final = "http://www.iana.org/assignments"
REGISTRY_TITLE: Final = "Uniform Resource Names (URN) Namespaces"
FORMAL_TITLE: Final = "Formal URN Namespaces"
INFORMAL_TITLE: Final = "Informal URN Namespaces"
REGISTRATION_RULE: Final = "Expert Review"
REGISTRY_RFC: Final = '<xref type="rfc" data="rfc8141" />'
IANA_COLUMNS: Final = ("URN Namespace", "Template", "Reference")
IANA_TEXT_WIDTH: Final = 72


def write_iana_xml(found: NamespaceEntries) -> Iterator[str]:
    """Yield `urn-namespaces.xml`: registries `urn-namespaces-1` and `urn-namespaces-2`."""
    day = found.find_latest_day()
    updated = f"\n  <updated>{day.isoformat()}</updated>" if day else ""
    yield f'{XML_DECLARATION}<registry xmlns="{XMLNS}" id="urn-namespaces">'
    yield f"\n  <title>{REGISTRY_TITLE}</title>{updated}\n  {REGISTRY_RFC}"
    yield from write_iana_registry("urn-namespaces-1", FORMAL_TITLE, found.filter_formal())
    yield from write_iana_registry("urn-namespaces-2", INFORMAL_TITLE, found.filter_informal())
    yield "\n</registry>\n"


def write_iana_registry(identity: str, title: str, found: NamespaceEntries) -> Iterator[str]:
    """Yield one of the two registries, with a record for each namespace."""
    yield f'\n  <registry id="{identity}">\n    <title>{title}</title>\n    {REGISTRY_RFC}'
    yield f"\n    <registration_rule>{REGISTRATION_RULE}</registration_rule>"
    for entry in found:
        yield f"\n    {write_element(make_record_element(entry), 2)}"
    yield "\n  </registry>"


def make_record_element(entry: NamespaceEntry) -> ET.Element:
    """Return the record of one namespace."""
    made = ET.Element("record", {"date": entry.registered_on} if entry.registered_on else {})
    ET.SubElement(made, "name").text = entry.namespace.nid_as_registered
    for reference in entry.references:
        made.append(make_xref_element(reference, entry.registrant))
    if entry.template_path:
        ET.SubElement(made, "file", {"type": "template"}).text = entry.template_path
    return made


def make_xref_element(reference: str, registrant: str) -> ET.Element:
    """Return a document of record as IANA refers to it: an RFC by number, an address as it is, the
    registrant by their key in its list of people and bodies, everything else in words.
    """
    number = RFC_REFERENCE.fullmatch(reference)
    if number:
        return ET.Element("xref", {"type": "rfc", "data": f"rfc{number[1]}"})
    if reference.startswith(("https://", "http://")):
        return ET.Element("xref", {"type": "uri", "data": reference})
    if reference == registrant:
        return ET.Element("xref", {"type": "person", "data": key_person(reference)})
    made = ET.Element("xref", {"type": "text"})
    made.text = reference
    return made


def key_person(name: str) -> str:
    """Return the key in IANA's list of people and bodies, such as `Michael_Mealling`."""
    return name.replace(" ", "_")


def list_iana_rows(found: Iterable[NamespaceEntry]) -> list[tuple[str, str, str]]:
    """Return a row for each namespace: its spelling, its template, `[RFC5328][RFC7354]`."""
    return [
        (
            entry.namespace.nid_as_registered,
            entry.template_path,
            "".join(
                f"[{key_person(each) if each == entry.registrant else each}]"
                for each in entry.references
            ),
        )
        for entry in found
    ]


def write_iana_csv(found: Iterable[NamespaceEntry]) -> str:
    """Return the CSV of one registry, with line ends by RFC 4180."""
    return format_csv_rows([IANA_COLUMNS, *list_iana_rows(found)])


def write_formal_csv(found: NamespaceEntries) -> str:
    """Return `urn-namespaces-1.csv`."""
    return write_iana_csv(found.filter_formal())


def write_informal_csv(found: NamespaceEntries) -> str:
    """Return `urn-namespaces-2.csv`."""
    return write_iana_csv(found.filter_informal())


def write_iana_text(found: NamespaceEntries) -> str:
    """Return `urn-namespaces.txt`: both registries as plain text tables."""
    day = found.find_latest_day()
    head = [REGISTRY_TITLE, "", f"Last updated: {day.isoformat() if day else 'never'}", ""]
    parts = [
        line
        for title, some in (
            (FORMAL_TITLE, found.filter_formal()),
            (INFORMAL_TITLE, found.filter_informal()),
        )
        for line in (title, "", *align_columns(list_iana_rows(some)), "")
    ]
    return "\n".join([*head, *parts])


def align_columns(cells: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return the rows with aligned cells; a long last cell is wrapped."""
    first, second = (
        max((len(row[place]) for row in (IANA_COLUMNS, *cells)), default=0) + 2 for place in (0, 1)
    )
    lines = []
    for name, template, references in (IANA_COLUMNS, *cells):
        before = f"{name:{first}}{template:{second}}"
        wrapped = list(wrap_text(references, max(IANA_TEXT_WIDTH - len(before), 20))) or [""]
        lines.append(f"{before}{wrapped[0]}".rstrip())
        lines.extend(" " * len(before) + more for more in wrapped[1:])
    return lines
