"""IANA's `urn-namespaces.xml`, read as a whole or refused as a whole."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _

from registry.enums import NamespaceKind
from registry.errors import RegistryError
from registry.exchange.exports.xml_documents import XMLNS
from registry.exchange.records.sources import IANA_SITE
from registry.urn.nid import canonical, informal_number
from registry.urn.syntax import NID

MAX_LISTING_OCTETS: Final = 8_000_000
LISTING_ID: Final = "urn-namespaces"
REGISTRY_KINDS: Final = {
    "urn-namespaces-1": NamespaceKind.FORMAL,
    "urn-namespaces-2": NamespaceKind.INFORMAL,
}
"""The two registries of the list, by their ids."""
PARTIAL_DATE_PATTERN: Final = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
TEMPLATE_PATH_PATTERN: Final = re.compile(r"urn-(?:formal|informal)/[A-Za-z0-9-]+")
RFC_DATA_PATTERN: Final = re.compile(r"rfc0*([1-9][0-9]{0,4})", re.IGNORECASE)
RFC_NAME_PATTERN: Final = re.compile(r"RFC[0-9]+")
MAX_REFERENCE_LENGTH: Final = 300


class InvalidListing(RegistryError):
    """A text is not IANA's list, or incomplete; the message says where. Nothing is adopted."""

    status = HTTPStatus.BAD_GATEWAY


@dataclass(frozen=True, slots=True)
class IANAEntry:
    """One namespace as IANA lists it. `template` is the path of its page, empty without one."""

    nid: str
    spelling: str
    kind: NamespaceKind
    date: str
    references: tuple[str, ...]
    template: str = ""

    @property
    def template_address(self) -> str:
        """The address of IANA's copy of the template, empty if it is in an RFC."""
        return f"{IANA_SITE}/assignments/{self.template}" if self.template else ""

    @property
    def registrants(self) -> tuple[str, ...]:
        """The registrants named as reference instead of a document."""
        return tuple(filter(is_registrant_reference, self.references))


def is_registrant_reference(reference: str) -> bool:
    """Whether a reference names a person or body, not a document."""
    return not RFC_NAME_PATTERN.fullmatch(reference.replace(" ", "")) and not reference.startswith(
        ("https://", "http://")
    )


@dataclass(frozen=True, slots=True)
class IANAListing:
    """The whole list: its own date, and its entries by NID."""

    updated_on: str
    entries: dict[str, IANAEntry]


def read_listing(octets: bytes) -> IANAListing:
    """Return the parsed list; raise `InvalidListing` for anything else, truncated or malformed.

    Entities and document types are refused, so that nothing is fetched and nothing expands.
    """
    if len(octets) > MAX_LISTING_OCTETS:
        raise InvalidListing(_("The list is longer than %d octets.") % MAX_LISTING_OCTETS)
    try:
        root = fromstring(octets, forbid_dtd=True)
    except ET.ParseError as error:
        raise InvalidListing(_("The list is not XML, or is incomplete: %s.") % error) from None
    except DefusedXmlException as error:
        raise InvalidListing(_("The list has what no list needs: %s.") % error) from None
    if root.tag != name_element("registry") or root.get("id") != LISTING_ID:
        raise InvalidListing(_("The text is XML, but not IANA's list of URN namespaces."))
    registries = {each.get("id"): each for each in root.findall(name_element("registry"))}
    if missing := REGISTRY_KINDS.keys() - registries.keys():
        raise InvalidListing(_("The list has no registry “%s”.") % min(missing))
    entries: dict[str, IANAEntry] = {}
    for identity, kind in REGISTRY_KINDS.items():
        for entry in read_entries(registries[identity], kind):
            if entry.nid in entries:
                raise InvalidListing(_("The list has “%s” twice.") % entry.nid)
            entries[entry.nid] = entry
    updated = (root.findtext(name_element("updated")) or "").strip()
    return IANAListing(updated if PARTIAL_DATE_PATTERN.fullmatch(updated) else "", entries)


def name_element(name: str) -> str:
    """Return the name of an element as the parser writes it."""
    return f"{{{XMLNS}}}{name}"


def read_entries(registry: ET.Element, kind: NamespaceKind) -> Iterator[IANAEntry]:
    """Yield the records of one of the two registries."""
    for record in registry.findall(name_element("record")):
        spelling = (record.findtext(name_element("name")) or "").strip()
        if not re.fullmatch(NID, spelling):
            raise InvalidListing(
                _("The list has “%s”, which is not an identifier.") % spelling[:80]
            )
        is_informal = informal_number(spelling) is not None
        if is_informal != (kind == NamespaceKind.INFORMAL):
            said = {"nid": spelling, "kind": kind}
            raise InvalidListing(_("The list has “%(nid)s” as %(kind)s.") % said)
        date = (record.get("date") or "").strip()
        if date and not PARTIAL_DATE_PATTERN.fullmatch(date):
            said = {"nid": spelling, "date": date[:40]}
            raise InvalidListing(_("The list dates “%(nid)s” “%(date)s”.") % said)
        yield IANAEntry(
            nid=canonical(spelling),
            spelling=spelling,
            kind=kind,
            date=date,
            references=tuple(dict.fromkeys(read_references(record))),
            template=read_template_path(record),
        )


def read_references(record: ET.Element) -> Iterator[str]:
    """Yield the references of a record: RFCs by number, addresses, and named people."""
    for xref in record.findall(name_element("xref")):
        data = (xref.get("data") or "").strip()
        words = " ".join("".join(xref.itertext()).split())
        if rfc := RFC_DATA_PATTERN.fullmatch(data):
            yield f"RFC{rfc[1]}"
        elif data and xref.get("type") == "person":
            # The key in IANA's list of people and bodies is the name with underscores.
            yield data.replace("_", " ")[:MAX_REFERENCE_LENGTH]
        elif reference := (words if xref.get("type") == "text" else data) or words or data:
            yield reference[:MAX_REFERENCE_LENGTH]


def read_template_path(record: ET.Element) -> str:
    """Return the path of the page with the template, or empty."""
    found = [each.text or "" for each in record.findall(name_element("file"))]
    for template in record.findall(name_element("template")):
        found.append("".join(template.itertext()))
        found += [each.get("data") or "" for each in template.iter(name_element("xref"))]
    for text in found:
        if TEMPLATE_PATH_PATTERN.fullmatch(text.strip()):
            return text.strip()
    return ""
