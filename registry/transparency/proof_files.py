"""Proofs as files, to be kept and verified offline (c2sp.org/tlog-proof)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint, parse_hash, parse_number
from registry.transparency.errors import MalformedText, UnverifiedSignature
from registry.transparency.notes import Note, VerifierKey, decode_base64, encode_base64

HEADER: Final = "c2sp.org/tlog-proof@v1"
SUFFIX: Final = ".tlog-proof"
MEDIA_TYPE: Final = "text/plain; charset=utf-8"
MAX_PROOF_HASHES: Final = 63


@dataclass(frozen=True, slots=True)
class LogProof:
    """Proof that an entry is in a log: its number, the path to the root, the signed head.

    `extra` is not authenticated; ours is the entry itself, whose hash is what is proved.
    """

    index: int
    path: tuple[bytes, ...]
    note: Note
    extra: bytes = b""

    @classmethod
    def parse(cls, octets: bytes) -> LogProof:
        """Parse a proof file; raise `MalformedText`. Nothing is verified."""
        try:
            head, blank, note = octets.decode().partition("\n\n")
        except UnicodeDecodeError:
            raise MalformedText("The proof is not UTF-8.") from None
        lines = head.split("\n")
        if not blank or lines.pop(0) != HEADER or not lines:
            raise MalformedText(f"A proof begins with {HEADER} and has a checkpoint.")
        extra = b""
        if lines[0].startswith("extra "):
            extra = decode_base64(lines.pop(0).removeprefix("extra "))
            if not extra:
                raise MalformedText("A proof without extra data has no line for it.")
        if not lines or not lines[0].startswith("index "):
            raise MalformedText("A proof says the index of its entry.")
        index = parse_number(lines.pop(0).removeprefix("index "))
        if len(lines) > MAX_PROOF_HASHES:
            raise MalformedText("A proof has 63 hashes at the most.")
        return cls(index, tuple(map(parse_hash, lines)), Note.parse(note.encode()), extra)

    def __str__(self) -> str:
        lines = [HEADER]
        if self.extra:
            lines.append(f"extra {encode_base64(self.extra)}")
        lines += [f"index {self.index}", *map(encode_base64, self.path)]
        return "".join(f"{line}\n" for line in lines) + f"\n{self.note}"

    def verify(
        self,
        leaf: bytes,
        keys: Sequence[VerifierKey],
        witnesses: Sequence[VerifierKey] = (),
        quorum: int = 0,
    ) -> Checkpoint:
        """Return the head in which the entry with hash `leaf` is proved.

        Raises `UnverifiedSignature` if the log's keys or enough witnesses have not signed, and
        `UnverifiedProof` if the path does not lead to the root.
        """
        head = Checkpoint.of(self.note)
        self.note.verify(*(key for key in keys if key.name == head.origin))
        signed = len(self.note.find_verified(witnesses))
        if signed < quorum:
            raise UnverifiedSignature(f"{signed} known witnesses have signed, not {quorum}.")
        merkle.verify_inclusion(leaf, self.index, head.size, self.path, head.root)
        return head
