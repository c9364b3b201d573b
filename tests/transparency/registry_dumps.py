"""Dumps of a fictional registry, as large as a test wants them, made without a database."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from registry.template import Template, sha256
from registry.transparency import entries
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.entries import WITHHELD_VERB
from registry.transparency.merkle import TreeBuilder, hash_leaf
from registry.transparency.notes import Note, SignerKey, sign_note
from registry.transparency.rows import digest_row_values

ORIGIN = "registry.example/log"
STEPS: Final = (
    ("draft", "", "draft"),
    ("submit", "draft", "in_review"),
    ("approve", "in_review", "approved"),
    ("register", "approved", "registered"),
    ("draft", "", "draft"),
    ("admin.change", "", ""),
)
"""What is done with each request: verb, state before, state after.

The first and the last two are sealed: the request's own draft, whose entry was opened when the
request was sent; somebody's who never sent it; and an administrator's change of the organization,
whose entry says openly what became of the row.
"""
DRAFT, SUBMIT, APPROVE, REGISTER, OTHERS_DRAFT, CHANGE = range(len(STEPS))
SEALED_STEPS: Final = (DRAFT, OTHERS_DRAFT, CHANGE)
REQUESTS_BY_STEP: Final = {OTHERS_DRAFT: 1_000_000, CHANGE: None}
"""What a step is about, if not its own request."""
ROW_TABLES: Final = {
    "organizations": "registry.organization",
    "namespaces": "registry.namespace",
    "requests": "registry.registrationrequest",
    "rounds": "registry.round",
    "registrations": "registry.registration",
}
Line = dict[str, Any]


class SampleRegistry:
    """Events and rows of a registry: each sixth action drafts a request, and so on.

    `told` has the number of the last entry that tells of each row.
    """

    def __init__(self, count: int) -> None:
        self.origin: Line = {
            "id": 1,
            "origin": ORIGIN,
            "entry": entries.encode_entry(
                entries.compose_origin_entry(ORIGIN, "2026-01-01", last_head=None, journal=None)
            ).decode(),
        }
        self.organizations: list[Line] = []
        self.namespaces: list[Line] = []
        self.requests: list[Line] = []
        self.rounds: list[Line] = []
        self.registrations: list[Line] = []
        self.events: list[Line] = []
        self.sealed: Line = {}
        self.told: dict[str, int] = {}
        self.octets: dict[int, tuple[Line, bytes]] = {}
        for number in range(1, count + 1):
            self.act(number)

    def copy(self) -> SampleRegistry:
        """Return a copy with the same rows; changing a row means replacing it."""
        other = copy.copy(self)
        for name in ("events", *ROW_TABLES):
            setattr(other, name, list(getattr(self, name)))
        return other

    def return_to(self, requests: int) -> None:
        """Become the registry of the day when this many requests were done with."""
        del self.events[requests * len(STEPS) :]
        for name in ROW_TABLES:
            del getattr(self, name)[requests:]

    def remember_octets(self) -> None:
        """Serialize each row only once, for this registry and its copies.

        Each row is kept with its octets: the id of a freed one could be reused.
        """
        self.octets = {id(row): (row, encode_row(table, row)) for table, row in self.list_rows()}

    def list_rows(self) -> Iterator[tuple[str, Line]]:
        """Yield the rows of a dump with their tables."""
        for table, rows in (
            *((table, getattr(self, name)) for name, table in ROW_TABLES.items()),
            ("registry.logorigin", [self.origin]),
            ("registry.event", self.events),
            ("registry.counter", [{"name": "event", "value": len(self.events)}]),
        ):
            for row in rows:
                yield table, row

    def act(self, number: int) -> None:
        """Do something, and write its event."""
        request, step = divmod(number - 1, len(STEPS))
        key, (verb, source, target) = request + 1, STEPS[step]
        rows: dict[str, list[str]] = {}
        facts: dict[str, dict[str, Any]] = {}
        if step == SUBMIT:
            self.submit(key, rows, facts)
        elif step == REGISTER:
            self.register(key, rows, facts)
        elif step == CHANGE:
            self.change_organization(key, rows)
        self.told.update(dict.fromkeys(rows, number))
        if step in (SUBMIT, APPROVE, REGISTER):
            self.requests[-1]["state"] = target
            self.told[f"registrationrequest {key}"] = number
        line = {
            "id": number,
            "number": number,
            "at": f"2026-01-01T00:00:00.{number:06}+00:00",
            "actor_id": 7,
            "actor_name": f"Sample Person {number}",
            "verb": verb,
            "subject": f"R-{key}",
            "registration_request_id": REQUESTS_BY_STEP.get(step, key),
            "namespace_id": None,
            "source": source,
            "target": target,
            "comment": f"Reason {number}.",
            "data": {"round": 1},
            "rows": rows,
        }
        if step in SEALED_STEPS:
            self.sealed = seal_line(line, facts, rows)
            self.events.append(withhold_line(self.sealed))
        else:
            self.events.append(write_line(line, facts))

    def submit(self, key: int, rows: dict[str, list[str]], facts: dict[str, Any]) -> None:
        """Send the request: its draft is public from now on, and so is its organization."""
        self.events[-1] = self.sealed
        organization = {"id": key, "name": f"Society {key}", "website": "", "recognised_on": None}
        template = Template(nid=f"sample{key}", purpose=f"To name sample {key}.")
        sent = {
            "id": key,
            "registration_request_id": key,
            "number": 1,
            "submitted_at": "2026-01-01T00:00:00+00:00",
            "sha256": sha256(template),
            "facts": {},
            **json.loads(json.dumps(template.to_dict())),
        }
        said = digest_row_values("organization", organization)
        rows[f"organization {key}"] = [said, said]
        rows[f"round {key}"] = ["", digest_row_values("round", sent)]
        facts[f"round {key}"] = {"request": key, "round": 1, "sha256": sent["sha256"]}
        self.organizations.append(organization)
        self.rounds.append(sent)
        reference = f"R-2026-{key:04}"
        request = {"id": key, "reference": reference, "state": "draft", "organization_id": key}
        self.requests.append(request)

    def register(self, key: int, rows: dict[str, list[str]], facts: dict[str, Any]) -> None:
        """Register a namespace with its first version."""
        nid = f"sample{key}"
        namespace = {
            "id": key,
            "nid": nid,
            "status": "active",
            "registrant_id": key,
            "informal_number": None,
            "summary": f"Names of sample {key}.",
        }
        template = Template(nid=nid, version="1", purpose=f"To name sample {key}.")
        registration = {
            "id": key,
            "namespace_id": key,
            "number": 1,
            "registered_on": "2026-01-01",
            "sha256": sha256(template),
            **json.loads(json.dumps(template.to_dict())),
        }
        for name, row in (("namespace", namespace), ("registration", registration)):
            rows[f"{name} {key}"] = ["", digest_row_values(name, row)]
        said = digest_row_values("organization", self.organizations[-1])
        rows[f"organization {key}"] = [said, said]
        facts[f"namespace {key}"] = {
            "nid": nid,
            "status": "active",
            "holder": namespace["registrant_id"],
            "informal": None,
        }
        facts[f"registration {key}"] = {
            "nid": nid,
            "version": 1,
            "sha256": registration["sha256"],
            "on": "2026-01-01",
        }
        self.namespaces.append(namespace)
        self.registrations.append(registration)

    def change_organization(self, key: int, rows: dict[str, list[str]]) -> None:
        """Say another website of the organization."""
        was = self.organizations[-1]
        now = {**was, "website": f"https://society{key}.example/"}
        digests = [digest_row_values("organization", row) for row in (was, now)]
        rows[f"organization {key}"] = digests
        self.organizations[-1] = now

    def withhold_one_more(self) -> None:
        """Add somebody's draft, of which only the entry is public."""
        number = len(self.events) + 1
        drafted = {**self.sealed, "id": number, "number": number, "rows": {}}
        self.events.append(withhold_line(seal_line(drafted, {})))

    def list_entries(self) -> list[bytes]:
        """Return the entries of the log."""
        return [self.origin["entry"].encode(), *(line["entry"].encode() for line in self.events)]

    def compute_root(self) -> bytes:
        """Return the root of the log."""
        tree = TreeBuilder()
        for entry in self.list_entries():
            tree.append(hash_leaf(entry))
        return tree.root()

    def sign(self, key: SignerKey) -> Note:
        """Return the signed head."""
        return sign_note(str(Checkpoint(ORIGIN, 1 + len(self.events), self.compute_root())), key)

    def write(self, path: Path, note: Note | None) -> None:
        """Write the dump, sealed, with this head."""
        header = {
            "format": "urn-namespace-registry",
            "log": {
                "origin": ORIGIN,
                "line": len(self.events),
                "root": self.compute_root().hex(),
                "checkpoint": str(note) if note else None,
            },
        }
        lines = [json.dumps(header, ensure_ascii=False).encode() + b"\n"]
        for table, row in self.list_rows():
            _, octets = self.octets.get(id(row)) or (row, encode_row(table, row))
            lines.append(octets)
        dump = b"".join(lines)
        digest = hashlib.sha256(dump)
        with path.open("wb") as stream:
            stream.write(dump)
            stream.write(json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n")


def encode_row(table: str, row: Line) -> bytes:
    """Return a row as a line of a dump."""
    return json.dumps([table, row], ensure_ascii=False).encode() + b"\n"


def salt_line(line: Line) -> Line:
    """Return an event with its salts, and nothing sealed."""
    return {
        **line,
        "statement": "",
        "seal_salt": "",
        "actor_salt": line.get("actor_salt") or entries.make_salt(),
        "details_salt": line.get("details_salt") or entries.make_salt(),
    }


def write_line(line: Line, facts: dict[str, Any]) -> Line:
    """Return an event with its salts and its entry, as the journal writes it."""
    line = salt_line(line)
    return add_entry(line, entries.compose_statement(line, facts))


def seal_line(line: Line, facts: dict[str, Any], public_rows: Collection[str] = ()) -> Line:
    """Return an event whose entry is sealed, with what opens it."""
    line = salt_line(line)
    statement = entries.compose_statement(line, facts)
    salt = entries.make_salt()
    line |= {"statement": entries.encode_entry(statement).decode(), "seal_salt": salt}
    return add_entry(line, entries.seal_statement(statement, salt, public_rows))


def withhold_line(line: Line) -> Line:
    """Return what a public dump has of a sealed event: its entry."""
    kept = {name: line[name] for name in ("id", "number", "entry", "digest")}
    empty: Line = {"actor_id": None, "registration_request_id": None, "namespace_id": None}
    empty |= {"data": {}, "rows": {}, "at": "1970-01-01T00:00:00+00:00", "verb": WITHHELD_VERB}
    return dict.fromkeys(line, "") | empty | kept


def rewrite_line(line: Line, **values: Any) -> Line:
    """Return an event with other values and the correct entry, sealed anew if it was sealed."""
    entry = json.loads(line["entry"])
    line = {**line, **values}
    if line["verb"] == WITHHELD_VERB:
        sealed = hash_leaf(entries.make_salt().encode()).hex()
        return add_entry(line, {**entry, "n": line["number"], "sealed": sealed})
    if "sealed" in entry:
        return seal_line(line, json.loads(line["statement"])["facts"])
    return write_line(line, entry["facts"])


def seal_as_before(line: Line) -> Line:
    """Return a sealed event as its entry was before sealed entries said what they are about."""
    entry = json.loads(line["entry"])
    return add_entry(line, {name: entry[name] for name in ("v", "n", "sealed")})


def add_entry(line: Line, entry: dict[str, Any]) -> Line:
    """Return an event with this entry."""
    octets = entries.encode_entry(entry)
    return {**line, "entry": octets.decode(), "digest": hash_leaf(octets).hex()}
