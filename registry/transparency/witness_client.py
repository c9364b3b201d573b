"""Asking witnesses to cosign a head (c2sp.org/tlog-witness)."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from registry.transparency.checkpoints import Checkpoint, parse_number
from registry.transparency.errors import MalformedText, TransparencyError, UnverifiedSignature
from registry.transparency.notes import Note, NoteSignature, VerifierKey
from registry.transparency.witness import ADD_CHECKPOINT_PATH, Submission

TIMEOUT_SECONDS: Final = 10
MAX_ANSWER_BYTES: Final = 1 << 16

GrowthProver = Callable[[int], Sequence[bytes]]
"""Returns the proof that the new head continues the log of a given size."""


class WitnessUnavailable(TransparencyError):
    """A witness does not answer, or does not cosign. The message says which and why."""


@dataclass(frozen=True, slots=True)
class KnownWitness:
    """The address of a witness, and its key; written `URL KEY`."""

    address: str
    key: VerifierKey

    @classmethod
    def parse(cls, text: str) -> KnownWitness:
        """Parse a witness; raise `MalformedText`."""
        address, _blank, key = text.strip().partition(" ")
        if not address.startswith(("http://", "https://")) or not key:
            raise MalformedText(f"“{text}” is no witness: write URL KEY.")
        return cls(address.rstrip("/"), VerifierKey.parse(key))

    def cosign(self, note: Note, prove: GrowthProver) -> NoteSignature:
        """Return the cosignature of a head; raise `WitnessUnavailable` if there is none.

        The first request assumes that the witness knows nothing; its answer says which size it
        knows.
        """
        status, text = self.ask(Submission(0, (), note))
        if status == HTTPStatus.CONFLICT:
            size = parse_number(text.strip())
            if size > Checkpoint.of(note).size:
                raise WitnessUnavailable(f"{self.key.name} has cosigned {size} entries already.")
            status, text = self.ask(Submission(size, tuple(prove(size)), note))
        if status != HTTPStatus.OK:
            raise WitnessUnavailable(f"{self.key.name} answers {status}: {text.strip()}")
        return self.find_signature(note, text)

    def find_signature(self, note: Note, text: str) -> NoteSignature:
        """Return this witness's signature among those in its answer."""
        try:
            for _key, signature in Note.parse(f"{note}{text}".encode()).find_verified([self.key]):
                return signature
        except (MalformedText, UnverifiedSignature) as error:
            raise WitnessUnavailable(f"{self.key.name}: {error}") from None
        raise WitnessUnavailable(f"{self.key.name} answers without its signature.")

    def ask(self, submission: Submission) -> tuple[int, str]:
        """Return status and text of the witness's answer."""
        request = urllib.request.Request(
            f"{self.address}{ADD_CHECKPOINT_PATH}", str(submission).encode()
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                return answer.status, answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
        except OSError as error:
            raise WitnessUnavailable(f"{self.key.name} does not answer: {error}") from None
