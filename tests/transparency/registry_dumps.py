"""Dumps of a fictional registry, as large as a test wants them, made without a database."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from registry.template import Template, sha256
from registry.transparency import entries
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.merkle import TreeBuilder, hash_leaf
from registry.transparency.notes import Note, SignerKey, sign_note
from registry.transparency.rows import digest_row_values

ORIGIN = "registry.example/log"
STATES = ("draft", "in_review", "approved", "registered")
Line = dict[str, Any]


class SampleRegistry:
    """Events and rows of a registry: each third action registers a namespace."""

    def __init__(self, count: int) -> None:
        self.origin: Line = {
            "id": 1,
            "origin": ORIGIN,
            "entry": entries.encode_entry(
                entries.compose_origin_entry(ORIGIN, "2026-01-01", last_head=None, journal=None)
            ).decode(),
        }
        self.namespaces: list[Line] = []
        self.registrations: list[Line] = []
        self.requests: list[Line] = []
        self.events: list[Line] = []
        self.octets: dict[int, tuple[Line, bytes]] = {}
        for number in range(1, count + 1):
            self.act(number)

    def copy(self) -> SampleRegistry:
        """Return a copy with the same rows; changing a row means replacing it."""
        other = copy.copy(self)
        for name in ("namespaces", "registrations", "requests", "events"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def remember_octets(self) -> None:
        """Serialize each row only once, for this registry and its copies.

        Each row is kept with its octets: the id of a freed one could be reused.
        """
        self.octets = {id(row): (row, encode_row(table, row)) for table, row in self.list_rows()}

    def list_rows(self) -> Iterator[tuple[str, Line]]:
        """Yield the rows of a dump with their tables."""
        for table, rows in (
            ("registry.namespace", self.namespaces),
            ("registry.registrationrequest", self.requests),
            ("registry.registration", self.registrations),
            ("registry.logorigin", [self.origin]),
            ("registry.event", self.events),
            ("registry.counter", [{"name": "event", "value": len(self.events)}]),
        ):
            for row in rows:
                yield table, row

    def act(self, number: int) -> None:
        """Do something, and write its event."""
        rows: dict[str, list[str]] = {}
        facts: dict[str, dict[str, Any]] = {}
        request, step = divmod(number - 1, 3)
        source, target = STATES[step], STATES[step + 1]
        if step == 0:
            reference = f"R-2026-{request + 1:04}"
            self.requests.append({"id": request + 1, "reference": reference, "state": target})
        self.requests[-1]["state"] = target
        if step == 2:
            self.register(request + 1, rows, facts)
        self.events.append(
            write_line(
                {
                    "id": number,
                    "number": number,
                    "at": f"2026-01-01T00:00:00.{number:06}+00:00",
                    "actor_id": 7,
                    "actor_name": f"Sample Person {number}",
                    "verb": ("submit", "approve", "register")[step],
                    "subject": f"R-{request + 1}",
                    "registration_request_id": request + 1,
                    "namespace_id": None,
                    "source": source,
                    "target": target,
                    "comment": f"Reason {number}.",
                    "data": {"round": 1},
                    "rows": rows,
                },
                facts,
            )
        )

    def register(self, key: int, rows: dict[str, list[str]], facts: dict[str, Any]) -> None:
        """Register a namespace with its first version."""
        nid = f"sample{key}"
        namespace = {
            "id": key,
            "nid": nid,
            "status": "active",
            "registrant_id": 1 + key % 5,
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


def write_line(line: Line, facts: dict[str, Any]) -> Line:
    """Return an event with its salts and its entry, as the journal writes it."""
    line = {
        **line,
        "statement": "",
        "seal_salt": "",
        "actor_salt": line.get("actor_salt") or entries.make_salt(),
        "details_salt": line.get("details_salt") or entries.make_salt(),
    }
    octets = entries.encode_entry(entries.compose_statement(line, facts))
    return {**line, "entry": octets.decode(), "digest": hash_leaf(octets).hex()}
