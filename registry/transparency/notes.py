"""Signed notes and their keys (c2sp.org/signed-note)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from registry.transparency.errors import MalformedText, UnverifiedSignature

ED25519: Final = 0x01
COSIGNATURE: Final = 0x04
"""A cosignature with its time, by Ed25519 (c2sp.org/tlog-cosignature)."""
KEY_TYPES: Final = frozenset({ED25519, COSIGNATURE})
PUBLIC_KEY_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
KEY_ID_SIZE: Final = 4
TIME_SIZE: Final = 8
MAX_TIME: Final = (1 << 63) - 1
MAX_NOTE_BYTES: Final = 1_000_000
MAX_SIGNATURES: Final = 100
SIGNATURE_PREFIX: Final = "\N{EM DASH} "
SECRET_PREFIX: Final = "PRIVATE+KEY+"
"""The prefix of a secret key's text, as golang.org/x/mod/sumdb/note writes it."""
KEY_ID: Final = re.compile(r"[0-9a-f]{8}")


def decode_base64(text: str) -> bytes:
    """Decode base64 (RFC 4648, section 4); raise `MalformedText` for other spellings."""
    try:
        octets = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise MalformedText(f"“{text}” is not base64.") from None
    if encode_base64(octets) != text:
        raise MalformedText(f"“{text}” is not the base64 that its octets have.")
    return octets


def encode_base64(octets: bytes) -> str:
    """Encode octets as base64 (RFC 4648, section 4)."""
    return base64.b64encode(octets).decode("ascii")


def check_key_name(name: str) -> str:
    """Return `name`; raise `MalformedText` if no key can have it."""
    if not name or "+" in name or any(sign.isspace() or sign < " " for sign in name):
        raise MalformedText(f"“{name}” cannot name a key: no blanks, no plus, not empty.")
    return name


def compute_key_id(name: str, key_type: int, public: bytes) -> bytes:
    """Return the id of a key: four octets from its name, its type and the key itself."""
    said = name.encode() + b"\n" + bytes([key_type]) + public
    return hashlib.sha256(said).digest()[:KEY_ID_SIZE]


def build_cosigned_message(moment: int, text: str) -> bytes:
    """Return what a cosignature of a checkpoint signs (c2sp.org/tlog-cosignature)."""
    return f"cosignature/v1\ntime {moment}\n{text}".encode()


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A key that verifies, written `name+id+key`."""

    name: str
    key_type: int
    public: bytes
    key_id: bytes = field(init=False)

    def __post_init__(self) -> None:
        check_key_name(self.name)
        if self.key_type not in KEY_TYPES or len(self.public) != PUBLIC_KEY_SIZE:
            raise MalformedText(f"The key of {self.name} is of no kind that is known here.")
        object.__setattr__(self, "key_id", compute_key_id(self.name, self.key_type, self.public))

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Parse a key; raise `MalformedText`."""
        name, _plus, rest = text.strip().partition("+")
        key_id, _plus, material = rest.partition("+")
        octets = decode_base64(material)
        if not octets or not KEY_ID.fullmatch(key_id):
            raise MalformedText(f"“{text}” is not a key: write NAME+ID+KEY.")
        key = cls(name, octets[0], octets[1:])
        if key.key_id.hex() != key_id:
            raise MalformedText(f"The id of the key of {name} is not {key_id}.")
        return key

    def __str__(self) -> str:
        material = encode_base64(bytes([self.key_type]) + self.public)
        return f"{self.name}+{self.key_id.hex()}+{material}"

    def verify(self, text: str, signature: bytes) -> None:
        """Raise `UnverifiedSignature` unless the key has signed `text`."""
        message = text.encode()
        if self.key_type == COSIGNATURE:
            message = build_cosigned_message(read_cosignature_time(signature), text)
            signature = signature[TIME_SIZE:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            raise UnverifiedSignature(f"The signature of {self.name} does not verify.") from None


def read_cosignature_time(signature: bytes) -> int:
    """Return the time of a cosignature in seconds since 1970; raise `UnverifiedSignature`."""
    moment = int.from_bytes(signature[:TIME_SIZE])
    if len(signature) != TIME_SIZE + SIGNATURE_SIZE or not 0 < moment <= MAX_TIME:
        raise UnverifiedSignature("A cosignature has no time, or is not as long as it must be.")
    return moment


@dataclass(frozen=True, slots=True)
class SignerKey:
    """A secret key; its text is `PRIVATE+KEY+name+id+seed`, which its `repr` never shows."""

    name: str
    key_type: int
    seed: bytes = field(repr=False)

    @classmethod
    def generate(cls, name: str, key_type: int = ED25519) -> SignerKey:
        """Return a new key of this name."""
        return cls(check_key_name(name), key_type, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> SignerKey:
        """Parse a secret key; raise `MalformedText`, which does not reveal the key."""
        name, _plus, rest = text.strip().removeprefix(SECRET_PREFIX).partition("+")
        key_id, _plus, material = rest.partition("+")
        try:
            octets = base64.b64decode(material, validate=True)
            key = cls(name, octets[0], octets[1:])
            if text.startswith(SECRET_PREFIX) and key.verifier().key_id.hex() == key_id:
                return key
        except (binascii.Error, ValueError, IndexError):
            pass
        raise MalformedText(f"This is not a secret key: it begins with {SECRET_PREFIX}NAME+ID+.")

    def export(self) -> str:
        """Return the key as a text, which is a secret."""
        material = encode_base64(bytes([self.key_type]) + self.seed)
        return f"{SECRET_PREFIX}{self.name}+{self.verifier().key_id.hex()}+{material}"

    def verifier(self) -> VerifierKey:
        """Return the key with which others verify."""
        public = Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()
        return VerifierKey(self.name, self.key_type, public)

    def sign(self, text: str) -> NoteSignature:
        """Return the signature of the text of a note."""
        return self.sign_message(text.encode())

    def cosign(self, text: str, moment: int) -> NoteSignature:
        """Return the cosignature of the text of a checkpoint at `moment`, seconds since 1970."""
        signature = self.sign_message(build_cosigned_message(moment, text))
        return NoteSignature(
            signature.name, signature.key_id, moment.to_bytes(TIME_SIZE) + signature.octets
        )

    def sign_message(self, message: bytes) -> NoteSignature:
        """Return the signature of octets."""
        octets = Ed25519PrivateKey.from_private_bytes(self.seed).sign(message)
        return NoteSignature(self.name, self.verifier().key_id, octets)


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One line below a note: the signer, the key, and the signature."""

    name: str
    key_id: bytes
    octets: bytes

    @classmethod
    def parse(cls, line: str) -> NoteSignature:
        """Parse a signature line without its line end; raise `MalformedText`."""
        name, _blank, material = line.removeprefix(SIGNATURE_PREFIX).partition(" ")
        if not line.startswith(SIGNATURE_PREFIX) or not material:
            raise MalformedText(f"“{line}” is not the line of a signature.")
        octets = decode_base64(material)
        if len(octets) <= KEY_ID_SIZE:
            raise MalformedText(f"The signature of {name} is too short.")
        return cls(check_key_name(name), octets[:KEY_ID_SIZE], octets[KEY_ID_SIZE:])

    def __str__(self) -> str:
        return f"{SIGNATURE_PREFIX}{self.name} {encode_base64(self.key_id + self.octets)}\n"

    def is_by(self, key: VerifierKey) -> bool:
        """Whether this claims to be by `key`."""
        return (self.name, self.key_id) == (key.name, key.key_id)


@dataclass(frozen=True, slots=True)
class Note:
    """A text that ends in a newline, and its signatures."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @classmethod
    def parse(cls, octets: bytes) -> Note:
        """Parse a note; raise `MalformedText`. Nothing is verified."""
        if len(octets) > MAX_NOTE_BYTES:
            raise MalformedText("The note is too long.")
        try:
            said = octets.decode()
        except UnicodeDecodeError:
            raise MalformedText("The note is not UTF-8.") from None
        if any(sign < " " and sign != "\n" for sign in said):
            raise MalformedText("The note has control characters.")
        text, blank, below = said.rpartition("\n\n")
        if not blank or not below.endswith("\n"):
            raise MalformedText("The note has no signatures.")
        lines = below[:-1].split("\n")
        if len(lines) > MAX_SIGNATURES:
            raise MalformedText("The note has too many signatures.")
        return cls(text + "\n", tuple(NoteSignature.parse(line) for line in lines))

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(map(str, self.signatures))}"

    def __bytes__(self) -> bytes:
        return str(self).encode()

    def find_verified(self, keys: Sequence[VerifierKey]) -> list[tuple[VerifierKey, NoteSignature]]:
        """Return the first signature of each known key; those of other keys are ignored.

        Raises `UnverifiedSignature` if any signature of a known key does not verify.
        """
        found: dict[VerifierKey, NoteSignature] = {}
        for signature in self.signatures:
            for key in keys:
                if signature.is_by(key):
                    key.verify(self.text, signature.octets)
                    found.setdefault(key, signature)
        return list(found.items())

    def verify(self, *keys: VerifierKey) -> None:
        """Raise `UnverifiedSignature` unless one of these keys has signed, and none invalidly."""
        if not self.find_verified(keys):
            names = ", ".join(str(key) for key in keys) or "any key"
            raise UnverifiedSignature(f"The note is not signed by {names}.")

    def add(self, *signatures: NoteSignature) -> Note:
        """Return the note with further signatures."""
        return Note(self.text, (*self.signatures, *signatures))


def sign_note(text: str, *keys: SignerKey) -> Note:
    """Return `text`, which ends in a newline, signed by each key; raise `MalformedText`."""
    if not text.endswith("\n") or any(sign < " " and sign != "\n" for sign in text):
        raise MalformedText("The text of a note ends in a newline and has no control characters.")
    return Note(text, tuple(key.sign(text) for key in keys))
