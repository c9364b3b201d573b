"""Where the files of a log are read: in a folder, or at an address."""

from __future__ import annotations

import urllib.request
import zlib
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from registry.transparency.errors import MissingTile
from registry.transparency.tiles import TileSource

MAX_FILE_BYTES: Final = 256 * (65_535 + 2)
"""The largest possible bundle."""
TIMEOUT_SECONDS: Final = 30
GZIP_WBITS: Final = 16 + zlib.MAX_WBITS


class FolderSource:
    """A log in a folder, such as a mirror or a static edition."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, path: str) -> bytes:
        """Return the content of the file at `path`; raise `MissingTile`."""
        try:
            return (self.folder / path).read_bytes()
        except OSError as error:
            what = error.strerror or "it cannot be read"
            raise MissingTile(f"{self.folder / path} is not there: {what}.") from None


class WebSource:
    """A log at an address. The operator has named it, so it is fetched as it is."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/") + "/"

    def read(self, path: str) -> bytes:
        """Return the response at a path below the log's address; raise `MissingTile`."""
        url = self.address + path
        # As clients should: a log may send compressed bundles unasked.
        request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip, identity"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                octets: bytes = answer.read(MAX_FILE_BYTES + 1)
                coding = answer.headers.get("Content-Encoding", "")
            if coding.lower() == "gzip":
                octets = decompress(octets)
        except (OSError, zlib.error) as error:
            raise MissingTile(f"{url} is not there: {error}.") from None
        if len(octets) > MAX_FILE_BYTES:
            raise MissingTile(f"{url} is larger than any file of a log.")
        return octets


def decompress(octets: bytes) -> bytes:
    """Decompress gzip, up to the limit on size; raise `zlib.error`."""
    unpacker = zlib.decompressobj(wbits=GZIP_WBITS)
    unpacked = unpacker.decompress(octets, MAX_FILE_BYTES + 1)
    if not unpacker.eof and len(unpacked) <= MAX_FILE_BYTES:
        raise zlib.error("the answer was cut")
    return unpacked


def open_source(where: str) -> TileSource:
    """Return the log at an address, or in a folder."""
    if urlsplit(where).scheme in {"http", "https"}:
        return WebSource(where)
    return FolderSource(Path(where))
