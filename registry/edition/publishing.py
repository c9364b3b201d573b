"""Publishing an edition from the first page to the last."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from registry import queries
from registry.edition import manifest as manifests, networks, nginx
from registry.edition.asking import Application
from registry.edition.manifest import Manifest
from registry.edition.places import conflicts, place_of
from registry.edition.walking import Walk, walk
from registry.edition.writing import Unfit, alone, put

__all__ = ["Published", "Unfit", "publish"]

WALKS: Final = 5
"""How often it is begun anew where somebody changes the registry meanwhile."""


@dataclass(frozen=True, slots=True)
class Published:
    """What an edition holds, and how many of its files were not there before."""

    files: int
    octets: int
    moved: int
    written: int
    needing: list[str]


def publish(directory: Path, say: Callable[[int], None] = lambda count: None) -> Published:
    """Write the public registry into `directory`, all of it or nothing.

    Raises `Unfit` where that cannot be, above all where a page leads to one that is not there.
    """
    with alone(directory):
        with quiet():
            found = settled(say)
        refuse_broken(found)
        manifest = Manifest.of(found, settings.SITE)
        files = {place_of(each): each.octets for each in found.files.values()}
        refuse_conflicts(files, len(found.files))
        written = put(directory, files | about(manifest))
    octets = sum(map(len, files.values()))
    return Published(len(files), octets, len(found.moved), written, manifest.needing)


def settled(say: Callable[[int], None]) -> Walk:
    """Return what was found while nobody changed the registry: one version of it, all over."""
    for _walk in range(WALKS):
        before = queries.registry_version()
        found = walk(Application(), say)
        if queries.registry_version() == before:
            return found
    raise Unfit("The registry changed again and again meanwhile. Try it at a quieter time.")


@contextmanager
def quiet() -> Iterator[None]:
    """Have Django log no pages that are not there, and keep the connection to the database.

    What is not there is told of in the end; between requests the connection may be renewed.
    """
    logger = logging.getLogger("django.request")
    before, logger.disabled = logger.disabled, True
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        logger.disabled = before
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def about(manifest: Manifest) -> dict[str, bytes]:
    """Return the files that tell servers how to serve the others."""
    return {
        manifests.NAME: manifest.written,
        "_headers": networks.headers_file(manifest).encode(),
        "_redirects": networks.redirects_file(manifest).encode(),
        "nginx.conf": nginx.http_file(manifest).encode(),
        "nginx-server.conf": nginx.server_file(manifest).encode(),
    }


def refuse_broken(found: Walk) -> None:
    """Raise `Unfit` where a link leads nowhere: that is never published."""
    if found.broken:
        lines = [f"  {path}: {why}" for path, why in sorted(found.broken.items())]
        raise Unfit("\n".join(["These addresses are not there:", *lines]))


def refuse_conflicts(files: dict[str, bytes], count: int) -> None:
    """Raise `Unfit` where two answers would be one file, or a file would be a folder too."""
    clashes = conflicts(set(files))
    if clashes or len(files) != count:
        raise Unfit(f"Two answers have one place: {', '.join(clashes) or 'see the addresses'}.")
