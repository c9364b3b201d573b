"""What is in an edition: each address with its file, its digest and its headers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from registry import queries
from registry.edition.asking import Answered
from registry.edition.places import place_of
from registry.edition.walking import Walk

NAME: Final = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """What is said of an edition; the same registry has the same, octet by octet."""

    site: str
    version: int
    files: dict[str, dict[str, Any]]
    moved: dict[str, tuple[int, str]]
    needing: list[str]

    @classmethod
    def of(cls, found: Walk, site: str) -> Manifest:
        """Return what is said of what was found."""
        files = {path: about(found.files[path]) for path in sorted(found.files)}
        moved = dict(sorted(found.moved.items()))
        return cls(site, queries.registry_version(), files, moved, sorted(found.needing))

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


def about(answered: Answered) -> dict[str, Any]:
    """Return what is said of one file."""
    return {
        "file": place_of(answered),
        "status": answered.status,
        "sha256": hashlib.sha256(answered.octets).hexdigest(),
        "bytes": len(answered.octets),
        "headers": answered.served_with,
    }


def digests(edition: Path) -> dict[str, str]:
    """Return the digests of the files of an edition that is there, by file; none of another."""
    try:
        said = json.loads((edition / NAME).read_bytes())
        return {each["file"]: each["sha256"] for each in said["files"].values()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
