"""Publishing a static site: crawled, written next to the old one, and swapped in one step."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from registry import selectors
from registry.errors import RegistryError
from registry.exchange.exports import refresh_exports
from registry.exchange.static_site import manifest as manifests
from registry.exchange.static_site.crawler import Crawl, InProcessClient, crawl_site
from registry.exchange.static_site.manifest import (
    Manifest,
    find_file_path,
    find_path_conflicts,
    read_file_digests,
    write_headers_file,
    write_nginx_http_file,
    write_nginx_server_file,
    write_redirects_file,
)
from registry.journal.log_worker import KEY_PATH
from registry.transparency.tiles import CHECKPOINT_PATH

MIN_COMPRESSED_FILE_BYTES: Final = 500
COMPRESSED_SUFFIXES: Final = (
    ".html",
    ".json",
    ".jsonld",
    ".xml",
    ".csv",
    ".txt",
    ".ttl",
    ".atom",
    ".abnf",
)
MORE_COMPRESSED_SUFFIXES: Final = (".md", ".css", ".js", ".jsonl", ".svg", "")


class PublishingRefused(RegistryError):
    """An edition cannot be published; the message says why."""


@contextmanager
def lock_site_folder(directory: Path) -> Iterator[None]:
    """Let one process at a time write editions of `directory`."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with make_sibling_path(directory, "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PublishingRefused(
                f"Another process is writing an edition of {directory}."
            ) from None
        yield


def make_sibling_path(directory: Path, word: str) -> Path:
    """Return a path next to `directory`, on the same disk, that is not served."""
    return directory.with_name(f".{directory.name}.{word}")


def replace_site_folder(directory: Path, files: Mapping[str, bytes]) -> int:
    """Make `directory` contain exactly `files`; return how many were written.

    `directory` is a link to a folder next to it, and is switched to another in one step: readers
    find the old edition or the new one, complete. An unchanged file is kept, with its date.
    """
    before = find_current_edition(directory)
    edition = make_sibling_path(directory, digest_files(files))
    if before == edition:
        return 0
    making = make_sibling_path(directory, "making")
    remove_folder(making)
    written = sum(write_site_file(making, name, octets, before) for name, octets in files.items())
    remove_folder(edition)
    making.rename(edition)
    switch_site_link(directory, edition)
    remove_old_editions(directory, edition)
    return written


def find_current_edition(directory: Path) -> Path | None:
    """Return the folder of the current edition, or None."""
    if directory.is_symlink():
        return directory.parent / directory.readlink()
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise PublishingRefused(
            f"{directory} is there already, and is no edition. Name another folder."
        )
    return None


def digest_files(files: Mapping[str, bytes]) -> str:
    """Return a digest of an edition."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def write_site_file(making: Path, name: str, octets: bytes, before: Path | None) -> int:
    """Write a file and its compressed form, or keep unchanged ones; return how many are new."""
    place = making / name
    place.parent.mkdir(parents=True, exist_ok=True)
    old = before / name if before else None
    is_same = bool(old and old.is_file() and old.read_bytes() == octets)
    forms = {place: octets}
    if is_worth_compressing(name, octets):
        forms[place.with_name(f"{place.name}.gz")] = b"" if is_same else compress_bytes(octets)
    for path, content in forms.items():
        source = before / path.relative_to(making) if before else None
        if is_same and source and source.is_file():
            os.link(source, path)
        else:
            path.write_bytes(content if not is_same else compress_bytes(octets))
    return 0 if is_same else 1


def is_worth_compressing(name: str, octets: bytes) -> bool:
    """Whether a compressed form saves enough space."""
    return (
        len(octets) >= MIN_COMPRESSED_FILE_BYTES
        and Path(name).suffix in COMPRESSED_SUFFIXES + MORE_COMPRESSED_SUFFIXES
    )


def compress_bytes(octets: bytes) -> bytes:
    """Return the octets in gzip, deterministically."""
    return gzip.compress(octets, 9, mtime=0)


def switch_site_link(directory: Path, edition: Path) -> None:
    """Switch `directory` to `edition`, in one step."""
    link = make_sibling_path(directory, "link")
    link.unlink(missing_ok=True)
    link.symlink_to(edition.name)
    if directory.is_dir() and not directory.is_symlink():
        directory.rmdir()
    link.replace(directory)


def remove_old_editions(directory: Path, edition: Path) -> None:
    """Remove previous editions."""
    for other in directory.parent.glob(f".{directory.name}.*"):
        if other != edition and other.is_dir() and read_file_digests(other):
            remove_folder(other)


def remove_folder(folder: Path) -> None:
    """Remove a folder, if it exists."""
    if folder.exists():
        shutil.rmtree(folder)


def read_log_files() -> dict[str, bytes]:
    """Return the transparency log as files of an edition: a mirror of it, with its head.

    The head is read first: whatever is signed meanwhile, everything it needs is there.
    """
    folder: Path = settings.REGISTRY_LOG_DIR
    names = [CHECKPOINT_PATH, KEY_PATH]
    names += [str(each.relative_to(folder)) for each in sorted(folder.glob("tile/**/*"))]
    places = [name for name in names if (folder / name).is_file()]
    return {
        f"log/{name}": (folder / name).read_bytes()
        for name in places
        if not Path(name).name.startswith(".")
    }


MAX_CRAWLS: Final = 5
"""How often to start again if the registry changes meanwhile."""


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """The content of an edition, and how many of its files are new."""

    files: int
    octets: int
    moved: int
    written: int
    needing: list[str]


def publish_site(directory: Path, say: Callable[[int], None] = lambda count: None) -> PublishedSite:
    """Write the public registry into `directory`, all of it or nothing.

    Raises `PublishingRefused` if that is not possible, above all if a page has a broken link.
    """
    with lock_site_folder(directory):
        with mute_request_log():
            found = crawl_until_stable(say)
        refuse_broken_links(found)
        manifest = Manifest.of(found, settings.SITE)
        files = {find_file_path(each): each.octets for each in found.files.values()}
        refuse_path_conflicts(files, len(found.files))
        # The manifest covers the log files found by the crawl; the files include everything that
        # this head needs, however many heads were signed since.
        files = read_log_files() | files
        written = replace_site_folder(directory, files | make_server_files(manifest))
    octets = sum(map(len, files.values()))
    return PublishedSite(len(files), octets, len(found.moved), written, manifest.needing)


def crawl_until_stable(say: Callable[[int], None]) -> Crawl:
    """Return a crawl during which nobody changed the registry, so that it is one version
    throughout.
    """
    for _walk in range(MAX_CRAWLS):
        before = selectors.find_registry_version()
        refresh_exports(at_once=True)
        found = crawl_site(InProcessClient(), say)
        if selectors.find_registry_version() == before:
            return found
    raise PublishingRefused(
        "The registry changed again and again meanwhile. Try it at a quieter time."
    )


@contextmanager
def mute_request_log() -> Iterator[None]:
    """Keep Django from logging missing pages, and keep the database connection open.

    Missing pages are reported at the end; between requests the connection may be renewed.
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


def make_server_files(manifest: Manifest) -> dict[str, bytes]:
    """Create the files that tell servers how to serve the others."""
    return {
        manifests.MANIFEST_NAME: manifest.written,
        "_headers": write_headers_file(manifest).encode(),
        "_redirects": write_redirects_file(manifest).encode(),
        "nginx.conf": write_nginx_http_file(manifest).encode(),
        "nginx-server.conf": write_nginx_server_file(manifest).encode(),
    }


def refuse_broken_links(found: Crawl) -> None:
    """Raise `PublishingRefused` if a link is broken: that is never published."""
    if found.broken:
        lines = [f"  {path}: {why}" for path, why in sorted(found.broken.items())]
        raise PublishingRefused("\n".join(["These addresses are not there:", *lines]))


def refuse_path_conflicts(files: dict[str, bytes], count: int) -> None:
    """Raise `PublishingRefused` if two responses would be one file, or a file also a folder."""
    clashes = find_path_conflicts(set(files))
    if clashes or len(files) != count:
        raise PublishingRefused(
            f"Two answers have one place: {', '.join(clashes) or 'see the addresses'}."
        )
