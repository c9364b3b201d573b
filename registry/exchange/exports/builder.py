"""How the worker builds a file of the registry, and where it is read from.

A file is written piece by piece into a store that all servers share, and a row says where it lies,
how long it is, by which digest it is known, and what of the registry it tells. No request builds
one: readers are given the last that was built, with its date.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext as _

from registry import enums, journal, selectors
from registry.enums import VerbKind
from registry.errors import RegistryError
from registry.exchange.exports.dated_dumps import list_dated_builds
from registry.exchange.exports.entries import NamespaceEntry, list_entries
from registry.licences import LicenceKind
from registry.models import BuiltExport, Counter, Event, Namespace

FileWriter = Callable[[Sequence[NamespaceEntry]], str | Iterable[str | bytes]]
"""Writes a file as one text, or piece by piece where it may be long."""
LastChange = datetime.datetime | None

MAX_BYTES_IN_MEMORY: Final = 1 << 20
"""A file of more octets is never whole in memory, and lies in the store in gzip too."""
FILE_CHUNK_BYTES: Final = 1 << 16
"""So many octets of a file are in memory together."""
MAX_BUILDS_KEPT: Final = 2
"""So many of each file are kept: the newest, and the one that somebody may still read."""
MAX_ORPHAN_AGE: Final = datetime.timedelta(days=1)
"""What no row names was left by a worker that was killed, once it is as old."""
RETRY_AFTER_SECONDS: Final = 10
"""Seconds after which a client may ask again for a file that was never built."""
SHIPPED_STATE: Final = "shipped"
"""The state of a file that tells nothing of the registry: another release makes another."""


def select_last_entry_event(**narrowed: Any) -> QuerySet[Event]:
    """Return the last act that changes what files say of namespaces, of those `narrowed` to.

    That is what was published, or whatever was not done to a request: to a namespace, an
    organization, a service. What is done to a request changes none before it is published.
    Either is the last of an index: a journal of many comments costs no more.
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
    """Return when the registry last changed what it says of namespaces; none while it is empty."""
    return find_latest_moment(select_last_entry_event(namespace__isnull=False))


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


def identify_entries() -> str:
    """Return what tells one state of the namespaces from another; a comment makes no other."""
    last = select_last_entry_event().values_list("number", flat=True).first()
    return f"{last or 0}:{Counter.objects.expected(Counter.SHOWN)}"


def identify_journal() -> str:
    """Return what tells one state of all that is public from another."""
    return str(selectors.find_registry_version())


def identify_shipped() -> str:
    """Return the one state of a file that comes with the program."""
    return SHIPPED_STATE


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file: its name, what is in it, its media type, how it is written, and its date.

    It is built again once `identify` says something else than before. `licence_kind` says whether
    there is more in it than facts.
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
    """Return where built files lie: a folder, or what a setting names."""
    return storages["exports"]


def read_export_chunks(
    built: BuiltExport, *, packed: bool = False, begin: int = 0, end: int | None = None
) -> Iterator[bytes]:
    """Yield the octets from `begin` up to `end`, of the gzip where it is `packed`, in pieces.

    Raises `FileNotFoundError` at once where the store has lost the file.
    """
    path = get_packed_path(built.path) if packed else built.path
    if not get_export_store().exists(path):
        raise FileNotFoundError(path)
    return iterate_chunks(path, begin, end)


def iterate_chunks(path: str, begin: int, end: int | None) -> Iterator[bytes]:
    """Yield the octets of a file of the store from `begin` up to `end`.

    It is opened by the first: an answer without a body reads none.
    """
    with get_export_store().open(path) as stream:
        stream.seek(begin)
        left = None if end is None else end - begin
        while left is None or left > 0:
            wanted = FILE_CHUNK_BYTES if left is None else min(left, FILE_CHUNK_BYTES)
            if not (piece := stream.read(wanted)):
                return
            left = None if left is None else left - len(piece)
            yield piece


def get_packed_path(path: str) -> str:
    """Return the name in the store of the same in gzip."""
    return f"{path}.gz"


def build_export(
    file: ExportFile, state: str, found: Sequence[NamespaceEntry] | None = None
) -> BuiltExport:
    """Write the file, put it into the store and say so in its row; return that.

    Where the octets are those of the last build, that stays, with the date since when they are so.
    """
    if found is None:
        found = cast("Sequence[NamespaceEntry]", SimpleLazyObject(list_entries))
    begun, line = time.monotonic(), journal.find_last_number()
    date = file.date()
    last = BuiltExport.objects.newest_first(file.name).first()
    with open_scratch_file() as stream:
        sha256, size = hashlib.sha256(), 0
        for octets in encode_chunks(file.write(found)):
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
        # A name that nothing has: what a worker that was killed left there is in nobody's way.
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
    """Say of which state the same octets are now."""
    for name, value in told.items():
        setattr(built, name, value)
    built.save(update_fields=list(told))
    return built


def store_file(source: Path, path: str) -> str:
    """Put a file that is whole into the store; return the name that it has there."""
    with source.open("rb") as stream:
        return get_export_store().save(path, File(stream))


def store_packed(source: Path, path: str) -> int:
    """Put the file into the store in gzip, beside `path`; return how many octets that has."""
    with open_scratch_file() as stream:
        with source.open("rb") as plain, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
            shutil.copyfileobj(plain, cast("IO[bytes]", packed), FILE_CHUNK_BYTES)
        size = stream.tell()
        stream.flush()
        store_file(Path(stream.name), get_packed_path(path))
    return size


def has_stored(built: BuiltExport) -> bool:
    """Whether the store still has all of what was built."""
    store = get_export_store()
    is_packed_there = built.packed_size is None or store.exists(get_packed_path(built.path))
    return is_packed_there and store.exists(built.path)


def encode_chunks(written: str | Iterable[str | bytes]) -> Iterator[bytes]:
    """Yield what was written as octets."""
    for piece in [written] if isinstance(written, str) else written:
        yield piece.encode() if isinstance(piece, str) else piece


@contextmanager
def open_scratch_file() -> Iterator[IO[bytes]]:
    """Open a file of this machine alone, which is gone in the end."""
    folder = Path(settings.REGISTRY_EXPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("wb", prefix=".", dir=folder) as stream:
        yield stream


def remove_old_builds(name: str) -> None:
    """Remove what was built of a file before the last two builds, and is not kept by days."""
    kept = {each.pk for each in list_dated_builds(name)}
    for old in BuiltExport.objects.newest_first(name)[MAX_BUILDS_KEPT:]:
        if old.pk not in kept:
            remove_build(old)


def remove_build(built: BuiltExport) -> None:
    """Remove a built file, its row first: nobody is led to what is gone."""
    built.delete()
    store = get_export_store()
    store.delete(built.path)
    store.delete(get_packed_path(built.path))


def remove_orphans() -> int:
    """Remove what no row names and is not being written any more; return how much."""
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
    """Return what tells one release of this program from another, at this address.

    It is made of the octets, so that servers with the same release agree.
    """
    top = Path(__file__).resolve().parents[2]
    sha256 = hashlib.sha256(settings.SITE.encode())
    for path in sorted(top.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            sha256.update(f"\n{path.relative_to(top)}\n".encode())
            sha256.update(path.read_bytes())
    return sha256.hexdigest()
