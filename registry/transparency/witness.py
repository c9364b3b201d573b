"""A witness cosigns a head that continues the last one it saw (c2sp.org/tlog-witness).

Its state is one file, read at the start and written before every answer.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint, parse_hash, parse_number
from registry.transparency.errors import MalformedText, UnverifiedProof, UnverifiedSignature
from registry.transparency.merkle import EMPTY_ROOT
from registry.transparency.notes import (
    COSIGNATURE,
    Note,
    SignerKey,
    VerifierKey,
    encode_base64,
)
from registry.transparency.proof_files import MAX_PROOF_HASHES

ADD_CHECKPOINT_PATH: Final = "/add-checkpoint"
SIZE_MEDIA_TYPE: Final = "text/x.tlog.size"
TEXT_MEDIA_TYPE: Final = "text/plain; charset=utf-8"
MAX_SUBMISSION_BYTES: Final = 1 << 17
SOCKET_TIMEOUT_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Submission:
    """A log's request to a witness: the size it knows, a proof from there, a new head."""

    old_size: int
    proof: tuple[bytes, ...]
    note: Note

    @classmethod
    def parse(cls, octets: bytes) -> Submission:
        """Parse the body of a request; raise `MalformedText`."""
        try:
            head, blank, note = octets.decode().partition("\n\n")
        except UnicodeDecodeError:
            raise MalformedText("The request is not UTF-8.") from None
        first, *lines = head.split("\n")
        if not blank or not first.startswith("old ") or len(lines) > MAX_PROOF_HASHES:
            raise MalformedText("A request says “old SIZE”, at most 63 hashes, and a checkpoint.")
        size = parse_number(first.removeprefix("old "))
        return cls(size, tuple(map(parse_hash, lines)), Note.parse(note.encode()))

    def __str__(self) -> str:
        lines = [f"old {self.old_size}", *map(encode_base64, self.proof)]
        return "".join(f"{line}\n" for line in lines) + f"\n{self.note}"


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """A witness's response: status, text, and media type."""

    status: HTTPStatus
    text: str
    media_type: str = TEXT_MEDIA_TYPE


class Witness:
    """Stores the last head that it cosigned for each log, in a file that it locks."""

    def __init__(
        self,
        key: SignerKey,
        logs: Sequence[VerifierKey],
        state: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        if key.key_type != COSIGNATURE:
            raise MalformedText("A witness has a key for cosignatures: keygen --witness.")
        self.key = key
        self.logs = tuple(logs)
        self.path = state
        self.now = now
        self.mutex = threading.Lock()
        self.lock_file = lock_exclusively(state.with_name(f"{state.name}.lock"))
        self.heads: dict[str, str] = {}
        if state.exists():
            self.heads = dict(json.loads(state.read_bytes())["heads"])

    def close(self) -> None:
        """Let another process have the state."""
        os.close(self.lock_file)

    def find_last(self, origin: str) -> Checkpoint | None:
        """Return the last head that was cosigned for a log."""
        note = self.heads.get(origin)
        return Checkpoint.of(Note.parse(note.encode())) if note else None

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Answer `add-checkpoint`, with the protocol's status for each refusal."""
        try:
            asked = Submission.parse(body)
            head = Checkpoint.of(asked.note)
        except MalformedText as error:
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, f"{error}\n")
        keys = [key for key in self.logs if key.name == head.origin]
        if not keys:
            return WitnessAnswer(HTTPStatus.NOT_FOUND, f"{head.origin} is not known here.\n")
        try:
            asked.note.verify(*keys)
        except UnverifiedSignature as error:
            return WitnessAnswer(HTTPStatus.FORBIDDEN, f"{error}\n")
        if asked.old_size > head.size:
            what = "The old size is larger than that of the checkpoint.\n"
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, what)
        with self.mutex:
            return self.cosign(asked, head, keys)

    def cosign(
        self, asked: Submission, head: Checkpoint, keys: Sequence[VerifierKey]
    ) -> WitnessAnswer:
        """Cosign and store a head that continues the last one; one thread at a time."""
        last = self.find_last(head.origin) or Checkpoint(head.origin, 0, EMPTY_ROOT)
        if asked.old_size != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n", SIZE_MEDIA_TYPE)
        try:
            if head.size == 0 and head.root != EMPTY_ROOT:
                raise UnverifiedProof("The root of the empty tree is not the hash of nothing.")
            merkle.verify_consistency(last.size, last.root, head.size, head.root, asked.proof)
        except UnverifiedProof as error:
            return WitnessAnswer(HTTPStatus.UNPROCESSABLE_ENTITY, f"{error}\n")
        signature = self.key.cosign(asked.note.text, int(self.now()))
        verified = [signature for _key, signature in asked.note.find_verified(keys)]
        self.keep(head.origin, Note(asked.note.text, (*verified, signature)))
        return WitnessAnswer(HTTPStatus.OK, str(signature))

    def keep(self, origin: str, note: Note) -> None:
        """Write the last head of a log to disk before answering."""
        heads = self.heads | {origin: str(note)}
        write_durably(self.path, json.dumps({"heads": heads}, sort_keys=True).encode())
        self.heads = heads

    def find_checkpoint(self, path: str) -> WitnessAnswer:
        """Answer a request for the last head of a log, by the SHA-256 of its origin."""
        for origin, note in self.heads.items():
            if path == f"/{hashlib.sha256(origin.encode()).hexdigest()}/checkpoint":
                return WitnessAnswer(HTTPStatus.OK, note)
        return WitnessAnswer(HTTPStatus.NOT_FOUND, "Nothing was cosigned of this log.\n")


def lock_exclusively(path: Path) -> int:
    """Return the open file, locked for this process; raise `MalformedText` if it is taken."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        raise MalformedText(f"Another process holds {path}.") from None
    return number


def write_durably(path: Path, octets: bytes, mode: int = 0o644) -> None:
    """Write `octets` to `path` atomically, even if power fails."""
    fresh = path.with_name(f".{path.name}.new")
    number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(number, "wb") as stream:
        stream.write(octets)
        stream.flush()
        os.fsync(number)
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class WitnessHandler(BaseHTTPRequestHandler):
    """HTTP of a witness."""

    protocol_version = "HTTP/1.1"
    timeout = SOCKET_TIMEOUT_SECONDS
    server: WitnessServer

    def do_POST(self) -> None:
        """Answer `add-checkpoint`."""
        length = self.headers.get("Content-Length", "")
        if self.path != ADD_CHECKPOINT_PATH:
            answer = WitnessAnswer(HTTPStatus.NOT_FOUND, "There is nothing here.\n")
        elif not length.isascii() or not length.isdigit():
            answer = WitnessAnswer(HTTPStatus.LENGTH_REQUIRED, "Say how long the request is.\n")
        elif int(length) > MAX_SUBMISSION_BYTES:
            answer = WitnessAnswer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too long.\n")
        else:
            self.send(self.server.witness.add_checkpoint(self.rfile.read(int(length))))
            return
        self.close_connection = True  # Unread data would be taken for the next request.
        self.send(answer)

    def do_GET(self) -> None:
        """Answer with the last head of a log."""
        self.send(self.server.witness.find_checkpoint(self.path))

    def send(self, answer: WitnessAnswer) -> None:
        """Send a response."""
        octets = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.media_type)
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing: heads are public, and who asks is private."""


class WitnessServer(ThreadingHTTPServer):
    """Serves a witness until it is shut down."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        self.witness = witness
        super().__init__(address, WitnessHandler)
