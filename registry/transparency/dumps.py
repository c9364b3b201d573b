"""Verifying a dump of the registry, offline: its events against the log, its rows against both."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final, cast

from registry.transparency.canonical_json import parse_canonical
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.entries import examine_line
from registry.transparency.errors import MalformedText, TransparencyError
from registry.transparency.file_notes import get_note_path, verify_file
from registry.transparency.merkle import TreeBuilder, hash_leaf
from registry.transparency.notes import Note, VerifierKey
from registry.transparency.replay import (
    PROVENANCE_TABLE,
    TABLES,
    KeptRow,
    StateReplay,
    keep_row,
)
from registry.transparency.rows import PRIVATE_KINDS, Row, find_key_column
from registry.transparency.verification import (
    LogMemory,
    LogReport,
    read_seen_heads,
    verify_head,
)

FORMAT_NAME: Final = "urn-namespace-registry"
LEFT_OUT: Final = {
    "complete": ("user",),
    "public": PRIVATE_KINDS,
}
"""The kinds of rows that are not compared, by the extent of a dump.

They are private. The powers of an account are in several tables, which are compared once they are
loaded. Only kinds that entries cover: the log does not include remarks, messages and the like.
"""
EVENT_TABLE: Final = "registry.event"
ORIGIN_TABLE: Final = "registry.logorigin"
COUNTER_TABLE: Final = "registry.counter"
EVENT_COUNTER: Final = "event"


def is_dump(path: Path) -> bool:
    """Whether a file begins like a dump."""
    try:
        with open_dump(path) as stream:
            return f'"{FORMAT_NAME}"'.encode() in stream.readline(1 << 20)
    except (OSError, EOFError):
        return False


def open_dump(path: Path) -> IO[bytes]:
    """Open a dump, compressed or not."""
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def verify_dump(
    path: Path,
    keys: Sequence[VerifierKey],
    *,
    seen: Sequence[Note] = (),
    memory: LogMemory | None = None,
) -> LogReport:
    """Return what is wrong with a dump, or with the note about it if there is one, or nothing.

    `seen` are heads kept from earlier, `memory` the leaves at that time. Without them, and without
    a signed head in the dump, only contradictions are found.
    """
    with open_dump(path) as stream:
        report = DumpWalk(keys, memory).run(stream, seen)
    if get_note_path(path).exists():
        try:
            verify_file(path, keys)
        except TransparencyError as error:
            report.faults.append(str(error))
    return report


class DumpWalk:
    """One pass through a dump."""

    def __init__(self, keys: Sequence[VerifierKey], memory: LogMemory | None) -> None:
        self.keys = keys
        self.memory = memory
        self.report = LogReport()
        self.faults = self.report.faults
        self.tree = TreeBuilder()
        self.replay = StateReplay()
        self.rows: dict[str, KeptRow] = {}
        self.waiting: list[Row] = []
        self.nids: dict[int, str] = {}
        self.heads: list[Checkpoint] = []
        self.expected = 0
        self.origin = ""
        self.left_out: tuple[str, ...] = ()
        self.counted: int | None = None

    def run(self, stream: IO[bytes], seen: Sequence[Note]) -> LogReport:
        """Read all lines; return the result."""
        try:
            lines = self.read_lines(stream)
            self.begin(next(lines), seen)
            for table, row in lines:
                self.read_row(table, row)
        except (StopIteration, TransparencyError, ValueError, OSError, EOFError) as error:
            self.faults.append(str(error) or "The dump is empty.")
            return self.report
        self.end()
        return self.report

    def read_lines(self, stream: IO[bytes]) -> Iterator[Any]:
        """Yield the first line and the rows; note if the last line does not seal them."""
        digest = hashlib.sha256()
        for number, octets in enumerate(stream, 1):
            said = json.loads(octets)
            if isinstance(said, dict) and said.keys() == {"sha256"}:
                if said["sha256"] != digest.hexdigest():
                    self.faults.append(
                        f"Line {number} of the dump is not the SHA-256 of those before."
                    )
                return
            digest.update(octets)
            yield said
        self.faults.append("The dump was cut: its last line is missing.")

    def begin(self, header: Any, seen: Sequence[Note]) -> None:
        """Read the first line: the log, and its signed head."""
        if not isinstance(header, dict) or header.get("format") != FORMAT_NAME:
            raise MalformedText("This is not a dump of a URN namespace registry.")
        self.left_out = LEFT_OUT.get(str(header.get("extent")), ())
        log = header.get("log") or {}
        self.origin = str(log.get("origin", ""))
        if text := log.get("checkpoint"):
            self.report.note = Note.parse(text.encode())
            try:
                self.report.head = verify_head(self.report.note, self.keys)
                self.heads.append(self.report.head)
            except TransparencyError as error:
                self.faults.append(f"The head in the dump: {error}")
        self.heads += read_seen_heads(seen, self.keys, self.report.head, self.report)
        for head in self.heads:
            if head.origin != self.origin:
                self.faults.append(f"The head is of {head.origin}, this dump of {self.origin}.")
        if "root" in log:
            root = bytes.fromhex(log["root"])
            self.heads.append(Checkpoint(self.origin, int(log["line"]) + 1, root))
        self.heads.sort(key=lambda head: head.size)

    def read_row(self, table: str, row: Row) -> None:
        """Process one row."""
        if table == EVENT_TABLE:
            self.read_event(row)
        elif table == ORIGIN_TABLE:
            if row["origin"] == self.origin:
                self.read_origin(row)
        elif table == PROVENANCE_TABLE:
            self.keep_namespace(row)
        elif table == COUNTER_TABLE and row["name"] == EVENT_COUNTER:
            self.counted = int(row["value"])
        elif table == "registry.namespace":
            self.nids[row["id"]] = row["nid"]
            self.waiting.append(row)
        elif table in TABLES:
            self.keep(table, row, None)

    def keep_namespace(self, provenance: Row) -> None:
        """Store the namespace that a provenance belongs to."""
        for row in self.waiting:
            if row["id"] == provenance["namespace_id"]:
                self.waiting.remove(row)
                self.keep("registry.namespace", row, provenance)
                return

    def keep(self, table: str, row: Row, provenance: Row | None) -> None:
        """Store what is compared of a row."""
        name = TABLES[table]
        if kept := keep_row(name, row, provenance, self.nids):
            self.rows[f"{name} {row[find_key_column(name)]}"] = kept

    def read_origin(self, row: Row) -> None:
        """Process entry 0."""
        try:
            entry = parse_canonical(row["entry"].encode())
            if entry["origin"] != self.origin or entry["n"] != 0:
                self.faults.append("Entry 0 was changed: it names another log.")
        except (TransparencyError, KeyError, TypeError, ValueError, AttributeError):
            self.faults.append("Entry 0 says nothing that can be read.")
        self.add_leaf(hash_leaf(str(row["entry"]).encode("utf-8", "surrogatepass")))

    def read_event(self, row: Row) -> None:
        """Process an entry with its event."""
        number = row["number"]
        if not self.expected:
            self.faults.append("Entry 0 is missing.")
            self.expected = 1
        if number != self.expected:
            self.note_place(number)
        is_sound, statement = examine_line(row)
        if not is_sound:
            self.faults.append(f"Entry {number} was changed, or the line beside it.")
        self.add_leaf(hash_leaf(str(row["entry"]).encode("utf-8", "surrogatepass")))
        self.expected = number + 1
        try:
            if row["statement"] and is_sound:
                self.replay.sealed.say_kinds |= "about" in parse_canonical(row["entry"].encode())
            if statement is not None:
                self.faults.extend(self.replay.read_statement(number, statement))
            elif is_sound:
                sealed = parse_canonical(row["entry"].encode())
                self.faults.extend(self.replay.read_sealed(number, sealed))
            else:
                raise MalformedText("The entry cannot be read.")
        except (TransparencyError, KeyError, TypeError, ValueError, AttributeError):
            if not self.faults or not self.faults[-1].startswith(f"Entry {number} "):
                self.faults.append(f"Entry {number} says nothing that can be read.")

    def note_place(self, number: int) -> None:
        """Report missing entries, or one in the place of another."""
        last = number - 1
        if number < self.expected:
            self.faults.append(f"Entry {number} stands where entry {self.expected} should.")
        elif last == self.expected:
            self.faults.append(f"Entry {last} is missing.")
        else:
            self.faults.append(f"Entries {self.expected} to {last} are missing.")

    def add_leaf(self, leaf: bytes) -> None:
        """Add the hash of an entry, and compare it with the memory and the heads."""
        place = self.tree.size
        self.tree.append(leaf)
        self.report.leaves += leaf
        self.expected = max(self.expected, 1)
        if self.memory and place < self.memory.size:
            start = place * len(leaf)
            if self.memory.leaves[start : start + len(leaf)] != leaf:
                self.faults.append(f"Entry {place} is not the one that is remembered.")
        while self.heads and self.heads[0].size == self.tree.size:
            if self.heads.pop(0).root != self.tree.root():
                self.faults.append(f"Entries 0 to {place} have another root than a head says.")

    def end(self) -> None:
        """Do the comparisons left once everything is read."""
        for row in self.waiting:
            self.keep("registry.namespace", row, None)
        for head in self.heads:
            self.faults.append(
                f"Entries {self.tree.size} to {head.size - 1} are missing: a head has {head.size}."
            )
        if self.memory and self.memory.origin != self.origin:
            self.faults.append(f"The log remembered is {self.memory.origin}, not {self.origin}.")
        elif self.memory and self.memory.size > self.tree.size:
            self.faults.append(
                f"Entries {self.tree.size} to {self.memory.size - 1} are missing, "
                "which are remembered."
            )
        if self.counted is not None and self.counted != self.expected - 1:
            self.faults.append(
                f"The counter stands at {self.counted}, and the last entry is {self.expected - 1}."
            )
        self.faults.extend(self.replay.compare_rows(self.rows, self.left_out))
        if self.report.head is None:
            root = self.tree.root()
            self.report.head = Checkpoint(self.origin, self.tree.size, root)
