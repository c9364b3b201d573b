"""The state of the registry, computed from its log alone, and compared with the rows of a dump.

Entries say openly which namespaces there are and who holds them, which numbers were given, and
which versions exist with which text digest; they have the digests of all rows that matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from registry.template import Template, sha256, write
from registry.transparency.canonical_json import parse_canonical
from registry.transparency.errors import MalformedText
from registry.transparency.rows import Row, digest_row_values

TABLES: Final = {
    "registry.organization": "organization",
    "registry.namespace": "namespace",
    "registry.registration": "registration",
    "registry.round": "round",
    "registry.importedrecord": "importedrecord",
    "registry.registrationrequest": "registrationrequest",
}
"""The tables of a dump whose rows entries cover, by the word that begins their keys."""
PROVENANCE_TABLE: Final = "registry.provenance"
TEMPLATE_COLUMNS: Final = tuple(Template.blank().to_dict())
UNIQUE_FACTS: Final = {
    "namespace": (("nid",), ("informal",)),
    "registration": (("nid", "version"),),
    "round": (("request", "round"),),
}
"""What is given once and for ever, by kind of row."""


@dataclass(frozen=True, slots=True)
class KnownState:
    """What an entry last said of a row: the entry, and the digest, or for a request its state."""

    entry: int
    said: str


@dataclass(slots=True)
class StateReplay:
    """The state of the registry according to the entries read so far."""

    rows: dict[str, KnownState] = field(default_factory=dict)
    facts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    given: dict[tuple[Any, ...], str] = field(default_factory=dict)
    last_sealed: int = 0

    def read_statement(self, number: int, statement: Mapping[str, Any]) -> Iterator[str]:
        """Process the content of an entry; yield a sentence for each contradiction to others."""
        changed: dict[str, list[str]] = dict(statement["rows"])
        if statement["request"] and statement["target"]:
            states = [statement["source"], statement["target"]]
            changed[f"registrationrequest {statement['request']}"] = states
        for key, (before, after) in changed.items():
            last = self.rows.get(key)
            if last and last.said != before and not self.may_be_sealed(key, last):
                yield f"Entry {number} found {key} otherwise than entry {last.entry} left it."
            self.rows[key] = KnownState(number, after)
        for key, facts in statement["facts"].items():
            yield from self.read_facts(number, key, facts)

    def read_facts(self, number: int, key: str, facts: Mapping[str, Any]) -> Iterator[str]:
        """Process what an entry says openly of a row; yield a sentence for what was given twice."""
        kind = key.partition(" ")[0]
        for names in UNIQUE_FACTS.get(kind, ()):
            values = tuple(facts[name] for name in names)
            if None in values:
                continue
            owner = self.given.setdefault((kind, names, values), key)
            if owner != key:
                what = " ".join(map(str, values))
                yield f"Entry {number} gives {what} to {key}, which {owner} has."
        before = self.facts.get(key)
        if before and before != facts and kind in ("registration", "round"):
            yield f"Entry {number} changes {key}, which never changes."
        if before and before.get("nid") != facts.get("nid"):
            yield f"Entry {number} gives {key} another identifier."
        self.facts[key] = facts

    def may_be_sealed(self, key: str, last: KnownState) -> bool:
        """Whether an unreadable entry may be about a row after the `last` one.

        What administrators do to organizations is sealed. What is done to a draft is too, but once
        a round was sent, every later entry about the request is open, also when it is withdrawn.
        """
        return last.entry < self.last_sealed and key.startswith("organization ")

    def compare_rows(
        self, rows: Mapping[str, KeptRow], left_out: tuple[str, ...] = ()
    ) -> Iterator[str]:
        """Yield a sentence for each row that differs from the log, and for missing ones.

        Organizations may be missing, and rows of the kinds that are `left_out`.
        """
        may_be_missing = tuple(f"{kind} " for kind in ("organization", *left_out))
        for key, row in rows.items():
            yield from self.compare_row(key, row)
        for key, last in self.rows.items():
            if last.said and key not in rows and not key.startswith(may_be_missing):
                yield f"Entry {last.entry} tells of {key}, which is not there."

    def compare_row(self, key: str, row: KeptRow) -> Iterator[str]:
        """Yield a sentence if a row differs from its last record, or has none."""
        last = self.rows.get(key)
        if last is None:
            if not key.startswith("organization "):
                yield f"No entry tells of {key}, {row.label}."
        elif last.said != row.said and not self.may_be_sealed(key, last):
            yield f"{key}, {row.label}, is not what entry {last.entry} left."
        if row.text_sha256 is not None and row.text_sha256 != row.facts.get("sha256"):
            yield f"{key}, {row.label}, has a text with another digest than it says."
        facts = self.facts.get(key)
        if last and facts is not None and facts != row.facts:
            yield f"{key}, {row.label}, says other facts than entry {last.entry}."


@dataclass(frozen=True, slots=True)
class KeptRow:
    """What is compared of a row of a dump."""

    label: str
    said: str
    facts: Mapping[str, Any]
    text_sha256: str | None = None


def keep_row(
    table: str, row: Row, provenance: Row | None, nids: Mapping[int, str]
) -> KeptRow | None:
    """Return the compared part of a row, or None for a draft."""
    if table == "registrationrequest":
        return KeptRow(str(row["reference"]), str(row["state"]), {})
    if table == "round" and row["submitted_at"] is None:
        return None
    said = digest_row_values(table, row, provenance)
    label = str(row.get("nid") or row.get("name") or row["id"])
    text = compute_text_digest(table, row) if table in ("registration", "round") else None
    return KeptRow(label, said, list_facts(table, row, nids), text)


def list_facts(table: str, row: Row, nids: Mapping[int, str]) -> dict[str, Any]:
    """Return what an entry says openly of such a row."""
    match table:
        case "namespace":
            return {
                "nid": row["nid"],
                "status": row["status"],
                "holder": row["registrant_id"],
                "informal": row["informal_number"],
            }
        case "registration":
            return {
                "nid": nids.get(row["namespace_id"]),
                "version": row["number"],
                "sha256": row["sha256"],
                "on": row["registered_on"],
            }
        case "round":
            return {
                "request": row["registration_request_id"],
                "round": row["number"],
                "sha256": row["sha256"],
            }
    return {}


def compute_text_digest(table: str, row: Row) -> str:
    """Return the SHA-256 of the canonical text of a row, and of the facts that it asks for."""
    template = Template.from_dict({name: row[name] for name in TEMPLATE_COLUMNS})
    if table != "round" or not row["facts"]:
        return sha256(template)
    facts = json.dumps(row["facts"], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(f"{write(template)}\n{facts}\n".encode()).hexdigest()


class EntryReplay:
    """Replays the entries of a log as they are read, if it is a registry's."""

    def __init__(self) -> None:
        self.state = StateReplay()
        self.is_registry = False

    def read(self, number: int, octets: bytes) -> Iterator[str]:
        """Process an entry; yield a sentence for whatever contradicts earlier ones."""
        if number and not self.is_registry:
            return
        try:
            entry = parse_canonical(octets)
        except MalformedText as error:
            if number:
                yield f"Entry {number}: {error}"
            return
        if number == 0:
            self.is_registry = isinstance(entry, dict) and "origin" in entry
        elif not isinstance(entry, dict) or entry.get("n") != number:
            yield f"Entry {number} stands where another should: it does not say this number."
        elif "sealed" in entry:
            self.state.last_sealed = number
        else:
            try:
                yield from self.state.read_statement(number, entry)
            except (KeyError, TypeError, ValueError, AttributeError):
                yield f"Entry {number} does not have the members that an entry has."
