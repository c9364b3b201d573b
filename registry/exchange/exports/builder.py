"""How the worker builds the registry's files, and where they are read from.

A file is written piece by piece into a store that all servers share, and a row has its path, size,
digest, and the state of the registry it describes. No request builds a file: readers get the last
build, with its date.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final, cast

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db.models import Max, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import enums, journal, selectors
from registry.enums import VerbKind
from registry.errors import RegistryError
from registry.exchange.exports.dated_dumps import list_dated_builds
from registry.exchange.exports.entries import NamespaceEntries, list_entries
from registry.licences import LicenceKind
from registry.models import BuiltExport, Counter, Event, Namespace
from registry.models.export import DUMP_NAME

FileWriter = Callable[[NamespaceEntries], str | Iterable[str | bytes]]
"""Writes a file as one text, or piece by piece if it may be long."""
LastChange = datetime.datetime | None

MAX_BYTES_IN_MEMORY: Final = 1 << 20
"""A larger file is never whole in memory, and is also stored in gzip."""
FILE_CHUNK_BYTES: Final = 1 << 16
"""How many octets of a file are in memory at once."""
MAX_BUILDS_KEPT: Final = 2
"""How many builds of each file are kept: the latest, and one that somebody may still be reading."""
MAX_ORPHAN_AGE: Final = datetime.timedelta(days=1)
"""Files without a row were left by a killed worker, once they are this old."""
RETRY_AFTER_SECONDS: Final = 10
"""Seconds after which a client may ask again for a file that was never built."""
SHIPPED_STATE: Final = "shipped"
"""The state of a file that does not depend on the registry: only a new release changes it."""


def select_last_entry_event(**narrowed: Any) -> QuerySet[Event]:
    """Return the last event that changes what files say about namespaces, if `narrowed` to some.

    That is a publication, or anything not done to a request: to a namespace, an organization, a
    service. Before its publication a request changes no namespace. Each is the last of an index, so
    a journal with many comments costs no more.
    """
    published = Event.objects.filter(
        verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION), namespace__isnull=False
    )
    others = Event.objects.filter(registration_request__isnull=True)
    last = (
        Subquery(acts.filter(**narrowed).order_by("-number").values("number")[:1])
        for acts in (published, others)
    )
    return Event.objects.filter(number=Greatest(*(Coalesce(number, 0) for number in last)))


def find_last_change() -> LastChange:
    """Return when the registry last changed what it says about namespaces; None if empty."""
    return find_latest_moment(select_last_entry_event(namespace__isnull=False))


def find_last_event() -> LastChange:
    """Return when the last event was; None before the first."""
    return find_latest_moment(Event.objects.all())


def find_latest_moment(acts: QuerySet[Event]) -> LastChange:
    """Return the time of the last of `acts` or the last write to a namespace, if that is later."""
    moments: Iterable[LastChange] = (
        acts.order_by("-number").values_list("at", flat=True).first(),
        Namespace.objects.aggregate(at=Max("updated_at"))["at"],
    )
    return max((each for each in moments if each), default=None)


def identify_entries() -> str:
    """Return an identifier for the state of the namespaces, which a comment does not change."""
    last = select_last_entry_event().values_list("number", flat=True).first()
    return f"{last or 0}:{Counter.objects.expected(Counter.SHOWN)}"


def identify_journal() -> str:
    """Return an identifier for the state of everything public."""
    return str(selectors.find_registry_version())


def identify_shipped() -> str:
    """Return the constant state of a file that comes with the program."""
    return SHIPPED_STATE


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file: its name, content, media type, writer and date.

    It is rebuilt when `identify` returns something new. `licence_kind` says whether it contains
    more than facts.
    """

    name: str
    title: str | Promise
    media_type: str
    write: FileWriter
    date: Callable[[], LastChange] = find_last_change
    identify: Callable[[], str] = identify_entries
    licence_kind: LicenceKind = LicenceKind.DATA


class ExportNotBuilt(RegistryError):
    """The worker has not built the file yet; `retry_after` says when to ask again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    retry_after = RETRY_AFTER_SECONDS

    def __init__(self) -> None:
        words = _("The file is being built at this moment. Ask again in %(seconds)d seconds.")
        super().__init__(words % {"seconds": self.retry_after})


def get_export_store() -> Storage:
    """Return the store of built files: a folder, or what the settings name."""
    return storages["exports"]


def read_export_chunks(built: BuiltExport, *, packed: bool = False) -> Iterator[bytes]:
    """Yield the octets of a built file, of the gzip if `packed`, in chunks.

    Raises `FileNotFoundError` at once if the store has lost the file.
    """
    path = get_packed_path(built.path) if packed else built.path
    if not get_export_store().exists(path):
        raise FileNotFoundError(path)
    return iterate_chunks(path)


def iterate_chunks(path: str) -> Iterator[bytes]:
    """Yield the octets of a stored file.

    The first chunk opens it: a response without a body reads nothing.
    """
    with get_export_store().open(path) as stream:
        yield from stream.chunks(FILE_CHUNK_BYTES)


def get_packed_path(path: str) -> str:
    """Return the name of the gzip file in the store."""
    return f"{path}.gz"


def build_export(file: ExportFile, state: str) -> BuiltExport:
    """Write the file, store it and record it in its row; return that.

    If the octets are those of the last build, that one stays, with its date.
    """
    begun, line = time.monotonic(), journal.find_last_number()
    date = file.date()
    last = BuiltExport.objects.newest_first(file.name).first()
    with open_scratch_file() as stream:
        sha256, size = hashlib.sha256(), 0
        for octets in encode_chunks(file.write(list_entries())):
            sha256.update(octets)
            size += stream.write(octets)
        stream.flush()
        told: dict[str, Any] = {
            "state": state,
            "release": identify_release(),
            "line": line,
            "built_at": timezone.now(),
        }
        if last and last.sha256 == sha256.hexdigest() and has_stored(last):
            return update_export(last, seconds=time.monotonic() - begun, **told)
        # A name not used before: what a killed worker left under it cannot interfere.
        path = f"{sha256.hexdigest()[:16]}-{secrets.token_hex(4)}-{file.name}"
        path = store_file(Path(stream.name), path)
        packed_size = store_packed(Path(stream.name), path) if size > MAX_BYTES_IN_MEMORY else None
    built = BuiltExport.objects.create(
        name=file.name,
        path=path,
        size=size,
        sha256=sha256.hexdigest(),
        packed_size=packed_size,
        changed_at=date,
        seconds=time.monotonic() - begun,
        **told,
    )
    remove_old_builds(file.name)
    return built


def update_export(built: BuiltExport, **told: Any) -> BuiltExport:
    """Record which state the same octets now describe."""
    for name, value in told.items():
        setattr(built, name, value)
    built.save(update_fields=list(told))
    return built


def store_file(source: Path, path: str) -> str:
    """Store a complete file; return its name in the store."""
    with source.open("rb") as stream:
        return get_export_store().save(path, File(stream))


def store_packed(source: Path, path: str) -> int:
    """Store the file in gzip, next to `path`; return its size."""
    with open_scratch_file() as stream:
        with source.open("rb") as plain, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
            shutil.copyfileobj(plain, cast("IO[bytes]", packed), FILE_CHUNK_BYTES)
        size = stream.tell()
        stream.flush()
        store_file(Path(stream.name), get_packed_path(path))
    return size


def has_stored(built: BuiltExport) -> bool:
    """Whether the store still has the complete build."""
    store = get_export_store()
    is_packed_there = built.packed_size is None or store.exists(get_packed_path(built.path))
    return is_packed_there and store.exists(built.path)


def encode_chunks(written: str | Iterable[str | bytes]) -> Iterator[bytes]:
    """Yield what was written, as octets."""
    for piece in [written] if isinstance(written, str) else written:
        yield piece.encode() if isinstance(piece, str) else piece


@contextmanager
def open_scratch_file() -> Iterator[IO[bytes]]:
    """Open a temporary file on this machine, deleted when closed."""
    folder = Path(settings.REGISTRY_EXPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("wb", prefix=".", dir=folder) as stream:
        yield stream


def remove_old_builds(name: str) -> None:
    """Remove builds of a file before the last two, unless they are kept by day."""
    kept = {each.pk for each in list_dated_builds()} if name == DUMP_NAME else set()
    for old in BuiltExport.objects.newest_first(name)[MAX_BUILDS_KEPT:]:
        if old.pk not in kept:
            remove_build(old)


def remove_build(built: BuiltExport) -> None:
    """Remove a built file, its row first so that nobody is sent to a missing file."""
    built.delete()
    store = get_export_store()
    store.delete(built.path)
    store.delete(get_packed_path(built.path))


def remove_orphans() -> int:
    """Remove files without a row that are not being written; return how many."""
    store, removed = get_export_store(), 0
    try:
        stored = store.listdir("")[1]
    except FileNotFoundError:
        return 0
    known = set(BuiltExport.objects.values_list("path", flat=True))
    for name in stored:
        is_known = name in known or name.removesuffix(".gz") in known
        if not is_known and timezone.now() - store.get_modified_time(name) > MAX_ORPHAN_AGE:
            store.delete(name)
            removed += 1
    return removed


@lru_cache(maxsize=1)
def identify_release() -> str:
    """Return an identifier for this release of the program, at this address.

    It is computed from the octets, so that servers with the same release agree.
    """
    top = Path(__file__).resolve().parents[2]
    sha256 = hashlib.sha256(settings.SITE.encode())
    for path in sorted(top.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            sha256.update(f"\n{path.relative_to(top)}\n".encode())
            sha256.update(path.read_bytes())
    return sha256.hexdigest()
