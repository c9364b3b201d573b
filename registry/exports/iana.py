"""The registry in IANA's layout: XML, two CSV files, and plain text.

Programs that read IANA's registry of URN namespaces read these without change: elements, ids,
headers and order are IANA's. Our states are left out, since IANA has none.
"""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from typing import Final

from registry.exports.entries import RFC, Entry, formal, informal, latest
from registry.template.wrapping import wrap

XMLNS: Final = "http://www.iana.org/assignments"
TITLE: Final = "Uniform Resource Names (URN) Namespaces"
FORMAL: Final = "Formal URN Namespaces"
INFORMAL: Final = "Informal URN Namespaces"
HEADER: Final = ("URN Namespace", "Template", "Reference")
WIDTH: Final = 72


def xml(found: Sequence[Entry]) -> str:
    """Return `urn-namespaces.xml`: registries `urn-namespaces-1` and `urn-namespaces-2`."""
    root = ET.Element("registry", {"xmlns": XMLNS, "id": "urn-namespaces"})
    ET.SubElement(root, "title").text = TITLE
    day = latest(found)
    if day:
        ET.SubElement(root, "updated").text = day.isoformat()
    ET.SubElement(root, "xref", {"type": "rfc", "data": "rfc8141"})
    add_registry(root, "urn-namespaces-1", FORMAL, "Expert Review", formal(found))
    add_registry(root, "urn-namespaces-2", INFORMAL, "Expert Review", informal(found))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def add_registry(
    root: ET.Element, identity: str, title: str, rule: str, found: Iterable[Entry]
) -> None:
    """Add one of the two registries with a record for each namespace."""
    registry = ET.SubElement(root, "registry", {"id": identity})
    ET.SubElement(registry, "title").text = title
    ET.SubElement(registry, "xref", {"type": "rfc", "data": "rfc8141"})
    ET.SubElement(registry, "registration_rule").text = rule
    for entry in found:
        registry.append(record(entry))


def record(entry: Entry) -> ET.Element:
    """Return the record of one namespace."""
    made = ET.Element("record", {"date": entry.registered_on} if entry.registered_on else {})
    ET.SubElement(made, "name").text = entry.namespace.nid_as_registered
    if entry.template_path:
        template = ET.SubElement(made, "template")
        ET.SubElement(template, "xref", {"type": "text", "data": entry.template_path})
    for reference in entry.references:
        made.append(xref(reference))
    return made


def xref(reference: str) -> ET.Element:
    """Return a document of record as IANA points to it: an RFC by number, others by words."""
    number = RFC.fullmatch(reference)
    if number:
        return ET.Element("xref", {"type": "rfc", "data": f"rfc{number[1]}"})
    made = ET.Element("xref", {"type": "text"})
    made.text = reference
    return made


def rows(found: Iterable[Entry]) -> list[tuple[str, str, str]]:
    """Return a row for each namespace: its spelling, its template, `[RFC5328][RFC7354]`."""
    return [
        (
            entry.namespace.nid_as_registered,
            entry.template_path,
            "".join(f"[{reference}]" for reference in entry.references),
        )
        for entry in found
    ]


def table(found: Iterable[Entry]) -> str:
    """Return the CSV of one registry, lines ending as RFC 4180 says."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(HEADER)
    writer.writerows(rows(found))
    return written.getvalue()


def formal_csv(found: Sequence[Entry]) -> str:
    """Return `urn-namespaces-1.csv`."""
    return table(formal(found))


def informal_csv(found: Sequence[Entry]) -> str:
    """Return `urn-namespaces-2.csv`."""
    return table(informal(found))


def txt(found: Sequence[Entry]) -> str:
    """Return `urn-namespaces.txt`: both registries as tables of plain text."""
    day = latest(found)
    head = [TITLE, "", f"Last updated: {day.isoformat() if day else 'never'}", ""]
    parts = [
        line
        for title, some in ((FORMAL, formal(found)), (INFORMAL, informal(found)))
        for line in (title, "", *columns(rows(some)), "")
    ]
    return "\n".join([*head, *parts])


def columns(cells: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return the rows with their cells below one another; a long last cell is wrapped."""
    first, second = (
        max((len(row[place]) for row in (HEADER, *cells)), default=0) + 2 for place in (0, 1)
    )
    lines = []
    for name, template, references in (HEADER, *cells):
        before = f"{name:{first}}{template:{second}}"
        wrapped = list(wrap(references, max(WIDTH - len(before), 20))) or [""]
        lines.append(f"{before}{wrapped[0]}".rstrip())
        lines.extend(" " * len(before) + more for more in wrapped[1:])
    return lines
