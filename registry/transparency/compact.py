"""What the replay of a log keeps of millions of rows, only to compare it later, in little memory.

Texts are kept as fingerprints, by a key that each run draws anew, so that nobody can prepare two
texts with the same one; digests of rows, which are what most entries say, as their own octets.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from typing import Final

FINGERPRINT_SIZE: Final = 16
FINGERPRINT_KEY: Final = secrets.token_bytes(16)
DIGEST_SIZE: Final = 32
PAGE_RECORDS: Final = 256
DIGITS: Final = re.compile(r"[1-9][0-9]{0,14}")


def make_fingerprint(text: str, size: int = FINGERPRINT_SIZE) -> bytes:
    """Return a fingerprint of a text: equal for equal ones, within this run."""
    octets = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(octets, digest_size=size, key=FINGERPRINT_KEY).digest()


def pack_digest(text: str) -> bytes:
    """Return the octets of a SHA-256 in hexadecimal, and of any other text a fingerprint."""
    if len(text) == 2 * DIGEST_SIZE:
        try:
            octets = bytes.fromhex(text)
        except ValueError:
            octets = b""
        if octets.hex() == text:
            return octets
    return make_fingerprint(text, DIGEST_SIZE)


class RecordTable:
    """Records of one size by the keys of rows, such as `namespace 12`.

    Rows are numbered without large gaps, so the records of 256 numbers stand in one page, and a key
    takes no memory. A key without a number has a page of its own. A record of zeros is none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.nothing = bytes(size)
        self.pages: dict[str, dict[int, bytearray]] = {}

    def get(self, key: str) -> bytes | None:
        """Return the record of a key, or None."""
        kind, number = split_key(key)
        page = self.pages.get(kind, {}).get(number // PAGE_RECORDS)
        return self.read(page, number % PAGE_RECORDS) if page else None

    def replace(self, key: str, record: bytes) -> bytes | None:
        """Set the record of a key, and return the one before, or None."""
        kind, number = split_key(key)
        pages = self.pages.setdefault(kind, {})
        page = pages.get(number // PAGE_RECORDS)
        if page is None:
            page = pages[number // PAGE_RECORDS] = bytearray(self.size * PAGE_RECORDS)
        before = self.read(page, number % PAGE_RECORDS)
        start = number % PAGE_RECORDS * self.size
        page[start : start + self.size] = record
        return before

    def read(self, page: bytearray, place: int) -> bytes | None:
        """Return the record in a place of a page, or None."""
        record = page[place * self.size : (place + 1) * self.size]
        return None if record == self.nothing else bytes(record)

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield keys and records, kind by kind."""
        for kind, pages in self.pages.items():
            for number, page in pages.items():
                for place in range(PAGE_RECORDS):
                    if record := self.read(page, place):
                        yield join_key(kind, number * PAGE_RECORDS + place), record


def split_key(key: str) -> tuple[str, int]:
    """Return kind and number of a row; a key of any other form is a kind with the number 0."""
    kind, _blank, digits = key.partition(" ")
    if DIGITS.fullmatch(digits):
        return kind, int(digits)
    return key, 0


def join_key(kind: str, number: int) -> str:
    """Return the key that `split_key` has split."""
    return f"{kind} {number}" if number else kind
