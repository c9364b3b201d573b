"""How a file is built of the registry as it is, and when it is built anew.

A built file lies on the disk, in a folder for each state of the registry, so that no worker holds
it in memory. It is built once for all workers of a machine: the first who wants it builds it, and
whoever comes meanwhile is told to ask again.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final, cast

from django.conf import settings
from django.core.files import locks
from django.db.models import Count, Max, Q, QuerySet
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext as _

from registry import enums, selectors
from registry.enums import VerbKind
from registry.errors import RegistryError
from registry.exchange.exports.entries import NamespaceEntry, list_entries
from registry.models import Event, Namespace

FileWriter = Callable[[Sequence[NamespaceEntry]], str | Iterable[str | bytes]]
"""Writes a file as one text, or piece by piece where it may be long."""
LastChange = datetime.datetime | None

MAX_BYTES_IN_MEMORY: Final = 1 << 20
"""A file of more octets is never whole in memory."""
FILE_CHUNK_BYTES: Final = 1 << 16
"""So many octets of a file are in memory together."""
MAX_STATES: Final = 2
"""Files of so many states are kept: of the newest, and of the one that somebody may still read."""
MAX_WAIT_SECONDS: Final = 2.0
"""So many seconds somebody waits for a file that another builds."""
POLL_SECONDS: Final = 0.05
RETRY_AFTER_SECONDS: Final = 10
"""After so many seconds whoever waited in vain may ask again."""


def find_last_change() -> LastChange:
    """Return when the registry last changed what it says of namespaces; none while it is empty."""
    about = Q(registration_request__isnull=True) | Q(
        verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)
    )
    return find_latest_moment(Event.objects.filter(about, namespace__isnull=False))


def find_last_event() -> LastChange:
    """Return when anybody last did anything; none where nothing ever happened."""
    return find_latest_moment(Event.objects.all())


def find_latest_moment(acts: QuerySet[Event]) -> LastChange:
    """Return when the last of `acts` was, or a namespace was written, whichever is later."""
    moments: Iterable[LastChange] = (
        acts.order_by("-number").values_list("at", flat=True).first(),
        Namespace.objects.aggregate(at=Max("updated_at"))["at"],
    )
    return max((each for each in moments if each), default=None)


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file: its name, what is in it, its media type, how it is written, and its date."""

    name: str
    title: str | Promise
    media_type: str
    write: FileWriter
    date: Callable[[], LastChange] = find_last_change


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """A file on the disk: its octets, their SHA-256 in hexadecimal, and since when it is so."""

    path: Path
    size: int
    sha256: str
    changed_at: LastChange = None
    packed_size: int | None = None
    """How many octets it has in gzip; none for a short one, which is packed when it is sent."""

    def read(self) -> bytes:
        """Return the octets, all at once."""
        return self.path.read_bytes()

    def chunks(self, *, packed: bool = False) -> Iterator[bytes]:
        """Yield the octets, those in gzip where it is to be `packed`, a piece at a time."""
        with (get_compressed_path(self.path) if packed else self.path).open("rb") as stream:
            while piece := stream.read(FILE_CHUNK_BYTES):
                yield piece


class BuildInProgress(RegistryError):
    """Another is building the file at this moment; `retry_after` says when to ask again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    retry_after = RETRY_AFTER_SECONDS

    def __init__(self) -> None:
        words = _("The file is being built at this moment. Ask again in %(seconds)d seconds.")
        super().__init__(words % {"seconds": self.retry_after})


def ensure_built(file: ExportFile) -> BuiltFile:
    """Return the file as the registry is now; raise `BuildInProgress` while another builds it."""
    folder = Path(settings.REGISTRY_EXPORTS) / identify_state()
    built = find_built_file(file, folder)
    if built is not None:
        return built
    with lock_build(file):
        # Whoever had the lock before may have built it.
        return find_built_file(file, folder) or build_file(file, folder)


def find_built_file(file: ExportFile, folder: Path) -> BuiltFile | None:
    """Return the file if it is built for the state that `folder` stands for."""
    try:
        said = json.loads((folder / f"{file.name}.built").read_text("ascii"))
    except FileNotFoundError:
        return None
    date = said["changed_at"]
    changed = datetime.datetime.fromisoformat(date) if date else None
    return BuiltFile(folder / file.name, said["size"], said["sha256"], changed, said["packed_size"])


def build_file(file: ExportFile, folder: Path) -> BuiltFile:
    """Write the file into `folder` piece by piece; it takes its name once it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_other_states(folder)
    # Most files tell of namespaces; they are read where a file does.
    found = cast("Sequence[NamespaceEntry]", SimpleLazyObject(list_entries))
    sha256, size = hashlib.sha256(), 0
    with open_unfinished_file(folder) as stream:
        for octets in encode_chunks(file.write(found)):
            sha256.update(octets)
            size += stream.write(octets)
        stream.flush()
        Path(stream.name).replace(folder / file.name)
    date = file.date()
    packed_size = compress_file(folder / file.name) if size > MAX_BYTES_IN_MEMORY else None
    built = BuiltFile(folder / file.name, size, sha256.hexdigest(), date, packed_size)
    said = {
        "size": size,
        "sha256": built.sha256,
        "changed_at": date and date.isoformat(),
        "packed_size": packed_size,
    }
    with open_unfinished_file(folder) as stream:
        stream.write(json.dumps(said).encode("ascii"))
        stream.flush()
        Path(stream.name).replace(folder / f"{file.name}.built")
    return built


def compress_file(path: Path) -> int:
    """Write the file in gzip beside it, and return how many octets that has."""
    with open_unfinished_file(path.parent) as stream:
        with path.open("rb") as source, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
            shutil.copyfileobj(source, cast("IO[bytes]", packed), FILE_CHUNK_BYTES)
        size = stream.tell()
        stream.flush()
        Path(stream.name).replace(get_compressed_path(path))
    return size


def get_compressed_path(path: Path) -> Path:
    """Return where a file lies in gzip."""
    return path.with_name(f"{path.name}.gz")


def encode_chunks(written: str | Iterable[str | bytes]) -> Iterator[bytes]:
    """Yield what was written as octets."""
    for piece in [written] if isinstance(written, str) else written:
        yield piece.encode() if isinstance(piece, str) else piece


@contextmanager
def open_unfinished_file(folder: Path) -> Iterator[IO[bytes]]:
    """Open a file without a name that anybody asks for; it is gone where it gets none."""
    with NamedTemporaryFile("wb", prefix=".", dir=folder, delete=False) as stream:
        try:
            yield stream
        finally:
            Path(stream.name).unlink(missing_ok=True)


@contextmanager
def lock_build(file: ExportFile) -> Iterator[None]:
    """Keep others from building the file; raise `BuildInProgress` while another builds it."""
    folder = Path(settings.REGISTRY_EXPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    give_up = time.monotonic() + MAX_WAIT_SECONDS
    with (folder / f".{file.name}.lock").open("wb") as held:
        while not locks.lock(held, locks.LOCK_EX | locks.LOCK_NB):
            if time.monotonic() >= give_up:
                raise BuildInProgress
            time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            locks.unlock(held)


def remove_other_states(folder: Path) -> None:
    """Remove the files of all states but this one and the last before it."""
    others = sorted(
        (each for each in folder.parent.iterdir() if each.is_dir() and each != folder),
        key=lambda each: each.stat().st_mtime_ns,
        reverse=True,
    )
    for old in others[MAX_STATES - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def identify_state() -> str:
    """Return what tells one state of the public registry from another, in a few letters."""
    rows = Namespace.objects.aggregate(count=Count("pk"), latest=Max("updated_at"))
    version = selectors.find_registry_version()
    told = f"{version}:{rows['count']}:{rows['latest']}:{settings.SITE}:{identify_release()}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def identify_release() -> str:
    """Return what tells one release of this program from another: files outlive the server."""
    top = Path(__file__).resolve().parents[2]
    known = sorted(
        (str(path.relative_to(top)), path.stat().st_mtime_ns, path.stat().st_size)
        for path in top.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    )
    return hashlib.sha256(repr(known).encode()).hexdigest()
