"""The manifest of a static site: each address with its file, its digest and its headers."""

from __future__ import annotations

import hashlib
import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from registry import selectors
from registry.exchange.static_site.crawler import Crawl, CrawledResponse

INDEX_NAMES: Final = {"text/html": "index.html", "application/json": "index.json"}


def find_file_path(answered: CrawledResponse) -> str:
    """Return the file that holds the answer, from the top of the edition.

    `/namespaces/nbn/` is `namespaces/nbn/index.html`, and `/namespaces/nbn.json` is what it says.
    A page further on, `/namespaces/?page=2`, is `namespaces/_page=2.html`.
    """
    path, _mark, query = unquote(answered.path).removeprefix("/").partition("?")
    if path and not path.endswith("/"):
        return f"{path}_{query}" if query else path
    media_type = answered.media_type
    name = INDEX_NAMES.get(media_type, f"index{mimetypes.guess_extension(media_type) or ''}")
    return path + (f"_{query}{Path(name).suffix}" if query else name)


def find_path_conflicts(places: set[str]) -> list[str]:
    """Return the files that would have to be folders too."""
    folders = {place.rpartition("/")[0] for place in places}
    above = {"/".join(folder.split("/")[:n]) for folder in folders for n in range(1, 20)}
    return sorted(places & (folders | above))


MANIFEST_NAME: Final = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """What is said of an edition; the same registry has the same, octet by octet."""

    site: str
    version: int
    files: dict[str, dict[str, Any]]
    moved: dict[str, tuple[int, str]]
    needing: list[str]

    @classmethod
    def of(cls, found: Crawl, site: str) -> Manifest:
        """Return what is said of what was found."""
        files = {path: describe_file(found.files[path]) for path in sorted(found.files)}
        moved = dict(sorted(found.moved.items()))
        return cls(site, selectors.find_registry_version(), files, moved, sorted(found.needing))

    @property
    def written(self) -> bytes:
        """The manifest as a file."""
        said = {
            "site": self.site,
            "registry_version": self.version,
            "files": self.files,
            "moved": self.moved,
            "need_the_application": self.needing,
        }
        return f"{json.dumps(said, ensure_ascii=False, indent=1)}\n".encode()


def describe_file(answered: CrawledResponse) -> dict[str, Any]:
    """Return what is said of one file."""
    return {
        "file": find_file_path(answered),
        "status": answered.status,
        "sha256": hashlib.sha256(answered.octets).hexdigest(),
        "bytes": len(answered.octets),
        "headers": answered.served_with,
    }


def read_file_digests(edition: Path) -> dict[str, str]:
    """Return the digests of the files of an edition that is there, by file; none of another."""
    try:
        said = json.loads((edition / MANIFEST_NAME).read_bytes())
        return {each["file"]: each["sha256"] for each in said["files"].values()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
