"""Deposits: a folder with everything needed to set up the registry again somewhere else.

It has a complete dump, the uploads that wait for the worker, the last signed head of the log, and
`manifest.json`, which describes each file and its SHA-256. `SHA256SUMS` says the same for
sha256sum, and `SHA256SUMS.note` signs that with the log's key, if this process has it. A deposit
exists whole or not at all: it gets its name once everything is on disk, was read back as it was
written, and the dump was read to its end. It contains no keys or settings; with both, anyone could
impersonate the registry.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import IO, Any, Final, cast

from django.conf import settings
from django.utils import timezone

from registry import journal
from registry.errors import RegistryError
from registry.exchange.backup.format import BackupExtent, list_migrations
from registry.exchange.backup.restore import restore_backup, verify_backup
from registry.exchange.backup.writer import write_backup
from registry.exchange.exports.builder import identify_release
from registry.journal.log_worker import LogRefused, find_current_log, read_signing_key
from registry.transparency.file_notes import NOTE_SUFFIX, sign_file

DEPOSIT_FORMAT: Final = "urn-namespace-registry-deposit"
DEPOSIT_VERSION: Final = 1
DUMP_FILE: Final = "registry.jsonl.gz"
HEAD_FILE: Final = "log-head"
UPLOADS_FOLDER: Final = "uploads"
MANIFEST_FILE: Final = "manifest.json"
SUMS_FILE: Final = "SHA256SUMS"
NOTE_FILE: Final = f"{SUMS_FILE}{NOTE_SUFFIX}"
ENCRYPTED_SUFFIX: Final = ".gpg"
PARTIAL_SUFFIX: Final = ".part"
MAX_DEPOSIT_TIME: Final = datetime.timedelta(days=1)
READ_SIZE: Final = 1 << 20
PRIVATE_MASK: Final = 0o077


class DepositRefused(RegistryError):
    """A deposit cannot be made or trusted; the message says why. Nothing has changed then."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


@dataclass(frozen=True, slots=True)
class Deposit:
    """A verified deposit: its path, its manifest, and why it was not signed if it was not."""

    folder: Path
    manifest: Mapping[str, Any]
    signing_refusal: str = ""

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """The files with their sizes and digests."""
        found: Mapping[str, Mapping[str, Any]] = self.manifest["files"]
        return found

    @property
    def dump(self) -> str:
        """The name of the dump, which may be encrypted."""
        return next(each for each in self.files if each.removesuffix(ENCRYPTED_SUFFIX) == DUMP_FILE)

    @property
    def is_encrypted(self) -> bool:
        """Whether the dump can be read only with a key."""
        return self.dump.endswith(ENCRYPTED_SUFFIX)

    @property
    def sums(self) -> Path:
        """The checksums of all other files, which is what is signed."""
        return self.folder / SUMS_FILE


class HashedFile(io.RawIOBase):
    """A file that is written, with the size and SHA-256 of what it was given."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self.file = file
        self.sha256 = hashlib.sha256()
        self.octets = 0

    def writable(self) -> bool:
        return True

    def write(self, octets: Any, /) -> int:
        """Write and count `octets`."""
        self.sha256.update(octets)
        self.octets += len(octets)
        return self.file.write(octets)

    def describe(self) -> dict[str, Any]:
        """Return the size and SHA-256 of what was written, as the manifest has them."""
        return {"octets": self.octets, "sha256": self.sha256.hexdigest()}


def write_deposit(place: Path, *, recipient: str = "") -> Deposit:
    """Make a deposit in a new folder below `place`, named by the time; return it.

    With a `recipient` gpg encrypts every file but the manifest to that key on its way: no plain
    text reaches the disk, and the dump cannot be read back here. Raises `DepositRefused` if gpg
    fails or the disk has something else than was written, `BackupRefused` if the dump is not whole,
    and `OSError`.
    """
    now = timezone.now()
    name = f"registry-{now.astimezone(datetime.UTC):%Y%m%dT%H%M%SZ}"
    target, part = place / name, place / f"{name}{PARTIAL_SUFFIX}"
    if target.exists():
        raise DepositRefused(f"{target} is there already.")
    before = os.umask(PRIVATE_MASK)
    delete_cut_off_deposits(place, now)
    try:
        part.mkdir()
        manifest = fill_deposit(part, now, recipient)
        write_manifest(part, manifest)
        signing_refusal = sign_deposit(part, manifest["head"])
        verify_dump(read_deposit(part))
        part.rename(target)
        sync_folder(place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        os.umask(before)
    return Deposit(target, manifest, signing_refusal)


def delete_cut_off_deposits(place: Path, now: datetime.datetime) -> None:
    """Delete what killed processes left of deposits, none of which can be continued.

    One less than a day old may still be under way.
    """
    oldest = now.timestamp() - MAX_DEPOSIT_TIME.total_seconds()
    for part in place.glob(f"registry-*{PARTIAL_SUFFIX}"):
        if part.is_dir() and part.stat().st_mtime < oldest:
            shutil.rmtree(part, ignore_errors=True)


def fill_deposit(folder: Path, now: datetime.datetime, recipient: str) -> dict[str, Any]:
    """Write all files but the manifest; return the manifest's content.

    The dump contains the head of the journal, which is read before it.
    """
    files, head = {}, journal.find_head()
    for name, write in list_contents():
        stored = f"{name}{ENCRYPTED_SUFFIX}" if recipient else name
        path = folder / stored
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            written = HashedFile(file)
            with open_for_encryption(written, recipient) as stream:
                write(stream)
            file.flush()
            os.fsync(file.fileno())
        files[stored] = written.describe()
    return {
        "format": DEPOSIT_FORMAT,
        "version": DEPOSIT_VERSION,
        "at": now.isoformat(),
        "site": settings.SITE,
        "release": identify_release(),
        "migrations": list_migrations(),
        "line": journal.find_last_number(),
        "head": str(head) if head else None,
        "files": files,
    }


def list_contents() -> Iterator[tuple[str, Callable[[IO[bytes]], None]]]:
    """Yield the name of each file, and the function that writes it.

    The head of the log precedes the dump, so that the dump has every event it covers. Uploads are
    listed before, since the worker takes them, and after, since new ones arrive meanwhile.
    """
    earlier = list_uploads()
    for path in earlier:
        yield f"{UPLOADS_FOLDER}/{path.name}", make_copier(path)
    head = Path(settings.REGISTRY_LOG_HEAD)
    if head.is_file():
        yield HEAD_FILE, make_copier(head)
    yield DUMP_FILE, write_packed_dump
    for path in list_uploads():
        if path not in earlier:
            yield f"{UPLOADS_FOLDER}/{path.name}", make_copier(path)


def list_uploads() -> list[Path]:
    """Return the complete uploads that wait for the worker."""
    folder = Path(settings.REGISTRY_UPLOADS)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in found if path.is_file() and path.suffix != PARTIAL_SUFFIX)


def make_copier(path: Path) -> Callable[[IO[bytes]], None]:
    """Return a function that copies a file; if it is gone by then, nothing."""

    def copy(stream: IO[bytes]) -> None:
        try:
            source = path.open("rb")
        except FileNotFoundError:
            return
        with source:
            shutil.copyfileobj(source, stream)

    return copy


def write_packed_dump(stream: IO[bytes]) -> None:
    """Write a complete dump, compressed."""
    with gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
        for line in write_backup(BackupExtent.COMPLETE):
            packed.write(line)


@contextmanager
def open_for_encryption(file: HashedFile, recipient: str) -> Iterator[IO[bytes]]:
    """Yield what to write to `file` through: gpg if there is a recipient."""
    if not recipient:
        yield cast("IO[bytes]", file)
        return
    command = ["--trust-model", "always", "--recipient", recipient, "--encrypt"]
    source, sink = os.pipe()
    with os.fdopen(source, "rb") as encrypted:
        copying = Thread(target=shutil.copyfileobj, args=[encrypted, file], daemon=True)
        copying.start()
        try:
            with run_gpg(command, stdin=subprocess.PIPE, stdout=sink) as process:
                yield cast("IO[bytes]", process.stdin)
        finally:
            os.close(sink)
            copying.join()


@contextmanager
def open_for_reading(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of a deposit for reading, through gpg if it is encrypted."""
    if path.suffix != ENCRYPTED_SUFFIX:
        with path.open("rb") as stream:
            yield stream
        return
    with (
        path.open("rb") as stream,
        run_gpg(["--decrypt"], stdin=stream, stdout=subprocess.PIPE) as process,
    ):
        yield cast("IO[bytes]", process.stdout)


@contextmanager
def run_gpg(
    command: list[str], *, stdin: int | IO[bytes], stdout: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run gpg for the duration of a block; raise `DepositRefused` if it fails."""
    binary = shutil.which("gpg")
    if binary is None:
        raise DepositRefused("gpg is not installed here: apt-get install gpg.")
    words = [binary, "--batch", "--quiet", *command]
    with subprocess.Popen(words, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE) as process:
        try:
            yield process
        except Exception:
            # If gpg failed, that is the reason for the broken pipe.
            refuse_failed_gpg(process)
            raise
        refuse_failed_gpg(process)


def refuse_failed_gpg(process: subprocess.Popen[bytes]) -> None:
    """Wait for gpg to end; if it failed, raise `DepositRefused` with its message."""
    said = process.communicate()[1].decode("utf-8", "replace")
    if process.returncode:
        raise DepositRefused(f"gpg: {' '.join(said.split())}")


def describe_file(path: Path) -> dict[str, Any]:
    """Return the size and SHA-256 of a file on disk."""
    sha256, size = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while octets := stream.read(READ_SIZE):
            sha256.update(octets)
            size += len(octets)
    return {"octets": size, "sha256": sha256.hexdigest()}


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, and the checksums, including the manifest's."""
    text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False)
    write_text(folder / MANIFEST_FILE, f"{text}\n")
    write_text(folder / SUMS_FILE, "".join(list_sums(folder, manifest)))


def list_sums(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Return the lines of the checksums, the manifest's last."""
    digests = {name: about["sha256"] for name, about in manifest["files"].items()}
    digests[MANIFEST_FILE] = describe_file(folder / MANIFEST_FILE)["sha256"]
    return [f"{digest}  {name}\n" for name, digest in digests.items()]


def sign_deposit(folder: Path, head: str | None) -> str:
    """Sign the checksums with the log's key; return why that is impossible, or an empty text."""
    try:
        key = read_signing_key(find_current_log().origin)
    except LogRefused as refusal:
        return str(refusal)
    if head is None:
        return "The journal has no line yet."
    write_text(folder / NOTE_FILE, str(sign_file(folder / SUMS_FILE, key, head)))
    return ""


def write_text(path: Path, text: str) -> None:
    """Write a small file, and sync it to disk."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def sync_folder(path: Path) -> None:
    """Sync a folder's names to disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_deposit(folder: Path) -> Deposit:
    """Return a deposit whose files all match its manifest.

    Raises `DepositRefused` if one is missing, changed or extra, and for an unknown format.
    """
    try:
        manifest = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
    except FileNotFoundError:
        raise DepositRefused(f"{folder} is no deposit: it has no {MANIFEST_FILE}.") from None
    except ValueError as error:
        raise DepositRefused(f"{MANIFEST_FILE} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != DEPOSIT_FORMAT:
        raise DepositRefused(f"{MANIFEST_FILE} is not that of a deposit of this registry.")
    if manifest.get("version") != DEPOSIT_VERSION:
        raise DepositRefused(
            f"The deposit has format {manifest.get('version')}; {DEPOSIT_VERSION} is known here."
        )
    found = Deposit(folder, manifest)
    listed = {*found.files, MANIFEST_FILE, SUMS_FILE, NOTE_FILE}
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(there - listed):
        raise DepositRefused(f"{name} is no part of the deposit. Take it away, or ask who put it.")
    for name, about in found.files.items():
        if name not in there:
            raise DepositRefused(f"{name} is missing.")
        if describe_file(folder / name) != about:
            raise DepositRefused(f"{name} is not what was deposited: its SHA-256 is another.")
    if NOTE_FILE in there:
        refuse_other_sums(found)
    return found


def refuse_other_sums(deposit: Deposit) -> None:
    """Raise `DepositRefused` unless the checksums, which are signed, are those of the files."""
    lines = deposit.sums.read_text("utf-8").splitlines(keepends=True)
    if sorted(lines) != sorted(list_sums(deposit.folder, deposit.manifest)):
        raise DepositRefused(
            f"{SUMS_FILE} is signed, and is not what {MANIFEST_FILE} says: one of the two was "
            "changed. Copy the deposit again."
        )


def verify_dump(deposit: Deposit) -> dict[str, int]:
    """Read the dump to its seal; return how many rows of each table it has.

    A checksum only says that the file is what was written, not that it is a whole dump. Nothing is
    read, and nothing returned, of one that is encrypted. Raises `BackupRefused`.
    """
    if deposit.is_encrypted:
        return {}
    with open_dump(deposit) as stream:
        return verify_backup(stream)


@contextmanager
def open_dump(deposit: Deposit) -> Iterator[IO[bytes]]:
    """Open the dump of a deposit for reading, unpacked."""
    with open_for_reading(deposit.folder / deposit.dump) as stream:
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb"))


def restore_deposit(
    deposit: Deposit, accept: Callable[[Sequence[str]], bool] = lambda _officers: True
) -> dict[str, int]:
    """Load a verified deposit into an empty database; return how many rows of each table.

    For `accept` see `restore_backup`.

    All rows or none: raises `DepositRefused` or `BackupRefused`. Uploads and the head of the log
    are put into place first, each whole or not at all and never over an existing file, and removed
    again if the rows are refused. So a restore that was killed can be run again.
    """
    placed: list[Path] = []
    try:
        for name in deposit.files:
            target = find_target(name)
            if target is not None and not target.exists():
                place_file(deposit.folder / name, target)
                placed.append(target)
        with open_dump(deposit) as stream:
            return restore_backup(stream, accept)
    except Exception:
        for target in placed:
            target.unlink(missing_ok=True)
        raise


def find_target(name: str) -> Path | None:
    """Return where a file of a deposit belongs, or None if it is loaded into the database."""
    plain = name.removesuffix(ENCRYPTED_SUFFIX)
    if plain.startswith(f"{UPLOADS_FOLDER}/"):
        return Path(settings.REGISTRY_UPLOADS) / Path(plain).name
    return Path(settings.REGISTRY_LOG_HEAD) if plain == HEAD_FILE else None


def place_file(source: Path, target: Path) -> None:
    """Put a file of a deposit into place, atomically."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}{PARTIAL_SUFFIX}")
    with open_for_reading(source) as stream, part.open("wb") as copy:
        shutil.copyfileobj(stream, copy)
        copy.flush()
        os.fsync(copy.fileno())
    part.replace(target)
