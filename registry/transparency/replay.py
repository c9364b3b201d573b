"""The state of the registry, computed from its log alone, and compared with the rows of a dump.

Entries say openly which namespaces there are and who holds them, which numbers were given, and
which versions exist with which text digest; they have the digests of all rows that matter.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from registry.template import Template, sha256, write
from registry.transparency.canonical_json import parse_canonical
from registry.transparency.compact import (
    DIGEST_SIZE,
    FINGERPRINT_SIZE,
    RecordTable,
    make_fingerprint,
    pack_digest,
    split_key,
)
from registry.transparency.errors import MalformedText
from registry.transparency.rows import (
    PRIVATE_KINDS,
    Row,
    digest_row_values,
    find_key_column,
    is_deciding_row,
)

TABLES: Final = {
    "registry.organization": "organization",
    "registry.namespace": "namespace",
    "registry.registration": "registration",
    "registry.round": "round",
    "registry.importedrecord": "importedrecord",
    "registry.registrationrequest": "registrationrequest",
    "registry.servicedesignator": "servicedesignator",
    "registry.querykeyword": "querykeyword",
    "registry.resolutionservice": "resolutionservice",
    "registry.heldnid": "heldnid",
    "registry.locatortable": "locatortable",
    "registry.proof": "proof",
    "registry.speaker": "speaker",
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
PRIVATE_PREFIXES: Final = tuple(f"{kind} " for kind in PRIVATE_KINDS)
FINAL_KINDS: Final = ("registration", "round")
"""The kinds of rows that never change."""
GIVEN_SIZE: Final = 11
"""Enough for millions of values; as a number it takes less memory than sixteen octets."""


class KnownState(NamedTuple):
    """What an entry last said of a row: the entry, and the digest, or for a request its state."""

    entry: int
    said: bytes

    def says(self, said: str) -> bool:
        """Whether the entry said this."""
        return self.said == pack_digest(said)


class KnownStates:
    """What entries last said of each row."""

    FORMAT: Final = struct.Struct(f">Q{DIGEST_SIZE}s")

    def __init__(self) -> None:
        self.records = RecordTable(self.FORMAT.size)

    def replace(self, key: str, entry: int, said: str) -> KnownState | None:
        """Keep what an entry says of a row, and return what was said before, or None."""
        return self.unpack(self.records.replace(key, self.FORMAT.pack(entry, pack_digest(said))))

    def get(self, key: str) -> KnownState | None:
        """Return what an entry last said of a row, or None."""
        return self.unpack(self.records.get(key))

    def unpack(self, record: bytes | None) -> KnownState | None:
        """Return what a record says."""
        return KnownState._make(self.FORMAT.unpack(record)) if record else None

    def items(self) -> Iterator[tuple[str, KnownState]]:
        """Yield each row of which an entry says something."""
        for key, record in self.records.items():
            yield key, KnownState._make(self.FORMAT.unpack(record))


class KnownFacts:
    """What entries openly said of rows, and what they gave once and for ever.

    Facts are compared as Python spells them, so their members have to be in the order of canonical
    JSON.
    """

    def __init__(self) -> None:
        self.records = RecordTable(2 * FINGERPRINT_SIZE)
        self.given: dict[int, int] = {}
        """The numbers of rows, by fingerprints of what they have."""

    def read(self, number: int, key: str, facts: Mapping[str, Any]) -> Iterator[str]:
        """Process what an entry says openly of a row; yield a sentence for what was given twice."""
        kind, row = split_key(key)
        if not row:
            raise ValueError(f"{key} is not the key of a row.")
        for names in UNIQUE_FACTS.get(kind, ()):
            values = [facts[name] for name in names]
            if None in values:
                continue
            given = make_fingerprint(f"{kind} {names} {values}", GIVEN_SIZE)
            owner = self.given.setdefault(int.from_bytes(given), row)
            if owner != row:
                what = " ".join(map(str, values))
                yield f"Entry {number} gives {what} to {key}, which {kind} {owner} has."
        now = pack_facts(kind, facts)
        before = self.records.replace(key, now)
        if before is None or before == now:
            return
        if kind in FINAL_KINDS:
            yield f"Entry {number} changes {key}, which never changes."
        elif before[FINGERPRINT_SIZE:] != now[FINGERPRINT_SIZE:]:
            yield f"Entry {number} gives {key} another identifier."

    def contradict(self, key: str, facts: Mapping[str, Any]) -> bool:
        """Whether entries said something else of a row."""
        known = self.records.get(key)
        return known is not None and known != pack_facts(split_key(key)[0], facts)


def pack_facts(kind: str, facts: Mapping[str, Any]) -> bytes:
    """Return fingerprints of facts, and of the NID among them if the others may change."""
    nid = (
        bytes(FINGERPRINT_SIZE) if kind in FINAL_KINDS else make_fingerprint(repr(facts.get("nid")))
    )
    return make_fingerprint(repr(facts)) + nid


@dataclass(slots=True)
class SealedEntries:
    """Which of the sealed entries may have changed an organization without naming it.

    Of what is public, nothing else may be changed by an entry that stays sealed. What
    administrators do to organizations is; what is done to a draft is too, but once a round was
    sent, every later entry about the request is open, also when it is withdrawn. What is private
    may be changed by any of them.

    Older entries do not say what kinds of rows they are about, so each may be about an
    organization. After the first that does, none can be passed off as an older one.
    """

    last_without_kinds: int = 0
    last_about_organizations: int = 0
    last_sealed: int = 0
    say_kinds: bool = False

    def read(self, number: int, entry: Mapping[str, Any]) -> Mapping[str, list[str]]:
        """Process a sealed entry; return the rows that it openly says it changed."""
        self.last_sealed = number
        if "about" in entry:
            self.say_kinds = True
            if "organization" in entry["about"]:
                self.last_about_organizations = number
        elif not self.say_kinds:
            self.last_without_kinds = number
        rows: Mapping[str, list[str]] = entry.get("rows", {})
        return rows

    def may_hide(self, key: str, number: int, *, is_shown: bool = False) -> bool:
        """Whether a sealed entry may be about a row, after the entry of this number.

        What changed an organization while it was public, or made it so, names it. So for one that
        `is_shown` now only older entries count.
        """
        if key.startswith(PRIVATE_PREFIXES):
            return number < self.last_sealed
        last = self.last_without_kinds
        if not is_shown:
            last = max(last, self.last_about_organizations)
        return number < last and key.startswith("organization ")


@dataclass(slots=True)
class StateReplay:
    """The state of the registry according to the entries read so far."""

    rows: KnownStates = field(default_factory=KnownStates)
    facts: KnownFacts = field(default_factory=KnownFacts)
    sealed: SealedEntries = field(default_factory=SealedEntries)

    def read_statement(self, number: int, statement: Mapping[str, Any]) -> Iterator[str]:
        """Process the content of an entry; yield a sentence for each contradiction to others."""
        changed: dict[str, list[str]] = dict(statement["rows"])
        if statement["request"] and statement["target"]:
            states = [statement["source"], statement["target"]]
            changed[f"registrationrequest {statement['request']}"] = states
        yield from self.read_rows(number, changed)
        for key, facts in statement["facts"].items():
            yield from self.facts.read(number, key, facts)

    def read_sealed(self, number: int, entry: Mapping[str, Any]) -> Iterator[str]:
        """Process an entry whose content is unknown; yield a sentence for each contradiction."""
        yield from self.read_rows(number, self.sealed.read(number, entry))

    def read_rows(self, number: int, changed: Mapping[str, list[str]]) -> Iterator[str]:
        """Process what rows were and are; yield a sentence for each that was left otherwise."""
        for key, (before, after) in changed.items():
            last = self.rows.replace(key, number, after)
            if last and not last.says(before) and not self.sealed.may_hide(key, last.entry):
                yield f"Entry {number} found {key} otherwise than entry {last.entry} left it."

    def compare_rows(
        self, rows: Mapping[str, KeptRow], left_out: tuple[str, ...] = ()
    ) -> Iterator[str]:
        """Yield a sentence for each row that differs from the log, and for missing ones.

        Rows of the kinds that are `left_out` may be missing, and so may organizations that no
        namespace and no request names.
        """
        may_be_missing = tuple(f"{kind} " for kind in ("organization", *left_out))
        named = {row.organization for row in rows.values()} - {""}
        for key, row in rows.items():
            yield from self.compare_row(key, row)
            if row.organization and row.organization not in rows:
                yield f"{key}, {row.label}, names {row.organization}, which is not there."
        for key, last in self.rows.items():
            is_due = key in named or not key.startswith(may_be_missing)
            if not last.says("") and key not in rows and is_due:
                yield f"Entry {last.entry} tells of {key}, which is not there."
        yield from self.compare_holders(rows)

    def compare_holders(self, rows: Mapping[str, KeptRow]) -> Iterator[str]:
        """Yield a sentence for each holder of a namespace of which no entry tells."""
        held = {
            row.organization: row.label for key, row in rows.items() if key.startswith("namespace ")
        }
        for key, nid in held.items():
            is_known = self.rows.get(key) or self.sealed.may_hide(key, 0, is_shown=True)
            if key in rows and not is_known:
                yield f"No entry tells of {key}, {rows[key].label}, which holds {nid}."

    def compare_row(self, key: str, row: KeptRow) -> Iterator[str]:
        """Yield a sentence if a row differs from its last record, or has none."""
        last = self.rows.get(key)
        if last is None:
            if not key.startswith("organization "):
                yield f"No entry tells of {key}, {row.label}."
        elif not (last.says(row.said) or self.sealed.may_hide(key, last.entry, is_shown=True)):
            yield f"{key}, {row.label}, is not what entry {last.entry} left."
        if row.text_sha256 is not None and row.text_sha256 != row.facts.get("sha256"):
            yield f"{key}, {row.label}, has a text with another digest than it says."
        if last and self.facts.contradict(key, dict(sorted(row.facts.items()))):
            yield f"{key}, {row.label}, says other facts than entry {last.entry}."


@dataclass(frozen=True, slots=True)
class KeptRow:
    """What is compared of a row of a dump, and the key of the organization that it names."""

    label: str
    said: str
    facts: Mapping[str, Any]
    text_sha256: str | None = None
    organization: str = ""


def keep_row(
    table: str, row: Row, provenance: Row | None, nids: Mapping[int, str]
) -> KeptRow | None:
    """Return the compared part of a row, or None for a draft and for what decides nothing."""
    if table == "registrationrequest":
        organization = build_organization_key(row.get("organization_id"))
        return KeptRow(str(row["reference"]), str(row["state"]), {}, organization=organization)
    if not is_deciding_row(table, row):
        return None
    said = digest_row_values(table, row, provenance)
    label = str(row.get("nid") or row.get("name") or row[find_key_column(table)])
    text = compute_text_digest(table, row) if table in ("registration", "round") else None
    organization = build_organization_key(row.get("registrant_id"))
    return KeptRow(label, said, list_facts(table, row, nids), text, organization)


def build_organization_key(number: object) -> str:
    """Return the key of an organization's row, empty without an organization."""
    return f"organization {number}" if number else ""


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
        else:
            try:
                if "sealed" in entry:
                    yield from self.state.read_sealed(number, entry)
                else:
                    yield from self.state.read_statement(number, entry)
            except (KeyError, TypeError, ValueError, AttributeError):
                yield f"Entry {number} does not have the members that an entry has."
