"""Gathering static files where that is needed: compressing them takes its time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STATIC_MANIFEST = "staticfiles.json"


def gather_static_files() -> bool:
    """Gather the static files unless they were gathered as they are; return whether it was done."""
    marker = Path(settings.DATA_DIR) / "static-sources.sha256"
    digest = digest_static_sources()
    gathered = (Path(settings.STATIC_ROOT) / STATIC_MANIFEST).exists() and marker.exists()
    if gathered and marker.read_text(encoding="ascii") == digest:
        return False
    call_command("collectstatic", clear=True, interactive=False, verbosity=0)
    marker.write_text(digest, encoding="ascii")
    return True


def digest_static_sources() -> str:
    """Return a digest of name, size and age of every file there is to gather."""
    lines = sorted(
        f"{name} {status.st_size} {status.st_mtime_ns}"
        for name, path in list_static_sources()
        for status in (path.stat(),)
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def list_static_sources() -> Iterator[tuple[str, Path]]:
    """Yield each static file with the name it is served by."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, Path(storage.path(name))
