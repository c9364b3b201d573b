"""Readers of the environment: each returns one variable, or says how to write it.

A wrong value raises `ImproperlyConfigured`, which names the variable, quotes the value and says
how to write it. A variable that is set to nothing counts as not set.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

LOG_KEY: Final = "REGISTRY_LOG_KEY"
LOG_KEY_FILE: Final = "REGISTRY_LOG_KEY_FILE"
NAMES_READ: set[str] = set()
"""The variables that have been read so far."""
NAMES_READ_ELSEWHERE = {
    "REGISTRY_EMAIL_URL",
    "REGISTRY_HOSTS",
    "REGISTRY_HSTS_PRELOAD",
    "REGISTRY_HSTS_SECONDS",
    "REGISTRY_GITHUB_CLIENT",
    "REGISTRY_GITHUB_SECRET",
    "REGISTRY_HSTS_SUBDOMAINS",
    LOG_KEY,
    LOG_KEY_FILE,
    "REGISTRY_OIDC_CLIENT",
    "REGISTRY_OIDC_ISSUER",
    "REGISTRY_OIDC_NAME",
    "REGISTRY_OIDC_SECRET",
    "REGISTRY_ORCID_CLIENT",
    "REGISTRY_ORCID_SECRET",
    "REGISTRY_SECRET_KEY",
}
"""Variables that are read in production only."""
TEST_PREFIX: Final = "REGISTRY_TEST_"
"""How the variables of tests and tools begin, which are read where they are used."""
SECRET_NAMES = {
    "REGISTRY_CACHE_URL",
    "REGISTRY_DATABASE_URL",
    "REGISTRY_DATA_KEYS",
    "REGISTRY_EMAIL_URL",
    "REGISTRY_GITHUB_SECRET",
    "REGISTRY_OIDC_SECRET",
    "REGISTRY_ORCID_SECRET",
    "REGISTRY_REPLICA_URLS",
    "REGISTRY_SECRET_KEY",
    "REGISTRY_SECRET_KEY_FALLBACKS",
    "REGISTRY_STATUS_TOKEN",
}
"""Variables that may be kept in a file, named by the same variable with `_FILE` appended."""
# Not every mode reads all of these, but none of them is a misspelling.
NAMES_READ_ELSEWHERE |= {f"{name}_FILE" for name in SECRET_NAMES}


def read_string(name: str, default: str | None = None) -> str:
    """Return the variable `name`; without it the default, without that an error."""
    NAMES_READ.add(name)
    value = os.environ.get(name, "").strip()
    if not value and name in SECRET_NAMES:
        value = read_secret_file(f"{name}_FILE")
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"Set {name}: it has no default in this mode.")
    return default


def read_secret_file(name: str) -> str:
    """Return the contents of the file that the variable `name` points to, or "" if it is not set.

    Containers and systemd pass secrets in files, since the environment of a process can be read by
    others.
    """
    path = os.environ.get(name, "").strip()
    if not path:
        return ""
    try:
        value = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name} is {path!r}, which cannot be read: {error}") from None
    if not value:
        raise ImproperlyConfigured(f"{name} is {path!r}, and the file is empty.")
    return value


def read_choice(name: str, options: Collection[str], default: str) -> str:
    """Return the variable `name`, which must be one of `options`."""
    value = read_string(name, default)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}; it can be {', '.join(sorted(options))}.")
    return value


def read_list(name: str, default: str | None = None) -> list[str]:
    """Return the comma-separated values of the variable `name`."""
    return [part.strip() for part in read_string(name, default).split(",") if part.strip()]


def read_number(name: str, default: int, *, least: int = 0) -> int:
    """Return the variable `name` as a whole number, `least` or more."""
    value = read_string(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.")
    if int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be {least} or more.")
    return int(value)


def read_boolean(name: str, *, default: bool) -> bool:
    """Return the variable `name`, which says `yes` or `no`."""
    return read_choice(name, {"yes", "no"}, "yes" if default else "no") == "yes"


def read_https_address(name: str, default: str) -> str:
    """Return the variable `name`, an address that begins with `https://`."""
    value = read_string(name, default)
    if urlsplit(value).scheme != "https" or not urlsplit(value).hostname:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must begin with https://.")
    return value


def read_site(name: str, default: str | None = None, *, schemes: Collection[str]) -> str:
    """Return the variable `name`, the site's address: a scheme, a host and perhaps a port.

    A path is refused: resolution and exports have well-known addresses directly below the host.
    """
    value = read_string(name, default)
    try:
        url = urlsplit(value)
        is_whole = url.scheme in schemes and bool(url.hostname) and url.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        begin = " or ".join(f"{each}://" for each in sorted(schemes))
        raise ImproperlyConfigured(
            f"{name} is {value!r}; it must begin with {begin} and name a host."
        )
    bare = f"{url.scheme}://{url.netloc}"
    if value == f"{bare}/":
        raise ImproperlyConfigured(f"{name} is {value!r}; write it without the slash: {bare!r}.")
    if value != bare:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; the registry has a host for itself and takes no path: {bare!r}."
        )
    if "@" in url.netloc:
        raise ImproperlyConfigured(f"{name} names a user, which every reader would be shown.")
    return value


def read_hosts(name: str) -> list[str]:
    """Return the variable `name`, host names without scheme, port or path."""
    hosts = read_list(name)
    for host in hosts:
        is_literal = host.startswith("[") and host.endswith("]")
        if "/" in host or "@" in host or (":" in host and not is_literal):
            plain = urlsplit(host if "://" in host else f"//{host}").netloc.rpartition("@")[2]
            bare = plain if plain.endswith("]") else plain.partition(":")[0]
            raise ImproperlyConfigured(
                f"{name} has {host!r}; it takes host names without scheme, port and path"
                + (f", such as {bare!r}." if bare else ".")
            )
    if not hosts:
        raise ImproperlyConfigured(f"{name} names no host.")
    return hosts


def read_networks(name: str) -> list[str]:
    """Return the variable `name`, networks such as `192.0.2.0/24`."""
    networks = read_list(name, "")
    for each in networks:
        try:
            ipaddress.ip_network(each)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} has {each!r}, which is no network such as 192.0.2.0/24: {error}."
            ) from None
    return networks


def read_breached_passwords(name: str) -> str:
    """Return the variable `name`, a file whose lines begin with a SHA-1 in hexadecimal."""
    path = read_string(name, "")
    if not path:
        return ""
    try:
        with Path(path).open("rb") as file:
            first = file.readline(100)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is {path!r}, which cannot be read: {error}") from None
    if not re.match(rb"[0-9A-F]{40}[:\r\n]", first):
        raise ImproperlyConfigured(
            f"{name} is {path!r}, whose lines do not begin with a SHA-1 in capital hexadecimal."
        )
    return path


def read_database(url: str, name: str = "REGISTRY_DATABASE_URL") -> dict[str, Any]:
    """Return Django's settings for the database at `url`, the value of the variable `name`."""
    hint = "in a password write / as %2F, # as %23, ? as %3F and @ as %40"
    parsed = urlsplit(url)
    try:
        is_whole = url.startswith("sqlite:") or (bool(parsed.hostname) and parsed.port != 0)
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ImproperlyConfigured(f"{name} is no address of a database; {hint}.")
    pool = read_number("REGISTRY_DATABASE_POOL", 0)
    age = read_number("REGISTRY_DATABASE_CONN_MAX_AGE", 0 if pool else 60)
    bouncer = read_boolean("REGISTRY_DATABASE_BOUNCER", default=False)
    if pool and age:
        raise ImproperlyConfigured(
            "REGISTRY_DATABASE_POOL keeps connections by itself; leave "
            "REGISTRY_DATABASE_CONN_MAX_AGE out."
        )
    if pool and bouncer:
        raise ImproperlyConfigured(
            "REGISTRY_DATABASE_POOL keeps connections that REGISTRY_DATABASE_BOUNCER says others "
            "keep; take one of the two."
        )
    database: dict[str, Any] = dict(
        dj_database_url.parse(url, conn_max_age=age, conn_health_checks=True)
    )
    if pool and database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("REGISTRY_DATABASE_POOL is for PostgreSQL.")
    if bouncer and database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("REGISTRY_DATABASE_BOUNCER is for PostgreSQL.")
    # Behind PgBouncer in transaction mode, the next statement may use another connection, where a
    # cursor opened on the first one does not exist.
    database["DISABLE_SERVER_SIDE_CURSORS"] = bouncer
    if database["ENGINE"] == "django.db.backends.postgresql" and not bouncer:
        # Compiling a statement takes longer than running any of ours. PgBouncer accepts no options.
        database.setdefault("OPTIONS", {}).setdefault("options", "-c jit=off")
    if pool:
        # Per process. A thread that finds all of them in use waits, as it would for a lock.
        pooled = {"min_size": 1, "max_size": pool, "timeout": 10}
        database["OPTIONS"] = {**database.get("OPTIONS", {}), "pool": pooled}
    return database


def read_cache_server(name: str) -> str:
    """Return the variable `name`, the address of a Redis or Valkey server, or "" if it is not set.

    `redis://` is for this machine only; a server elsewhere needs TLS, `rediss://`.
    """
    value = read_string(name, "")
    if not value:
        return ""
    url = urlsplit(value)
    try:
        is_whole = url.scheme in {"redis", "rediss"} and bool(url.hostname) and url.port != 0
    except ValueError:
        is_whole = False
    number = url.path.removeprefix("/")
    if not is_whole or url.query or url.fragment or not (number.isdecimal() or not number):
        raise ImproperlyConfigured(
            f"{name} must look like rediss://user:secret@host:6379/0; "
            "in a password write / as %2F, # as %23, ? as %3F and @ as %40."
        )
    if url.scheme == "redis" and not is_own_machine(str(url.hostname)):
        raise ImproperlyConfigured(
            f"{name} asks {url.hostname} in plain. Use rediss://, or name the host in "
            "REGISTRY_PLAIN_HOSTS if it stands in a network of your own."
        )
    return value


def check_names() -> None:
    """Refuse variables that nothing reads: a misspelt one would otherwise be ignored silently."""
    prefix = "REGISTRY_"
    known = {each.removeprefix(prefix) for each in NAMES_READ | NAMES_READ_ELSEWHERE}
    for name in sorted(os.environ):
        is_ours = name.startswith(prefix) and not name.startswith(TEST_PREFIX)
        if is_ours and name.removeprefix(prefix) not in known:
            near = difflib.get_close_matches(name.removeprefix(prefix), sorted(known), 1)
            meant = f"; did you mean {prefix}{near[0]}?" if near else "."
            raise ImproperlyConfigured(f"{name} is set, and there is no such variable{meant}")


def refuse_log_key() -> None:
    """Refuse an environment with the log's key, which the process that signs needs, and no other.

    Removing it would not be enough: the system shows an environment as it was at the start.
    """
    held = [name for name in (LOG_KEY, LOG_KEY_FILE) if os.environ.get(name, "").strip()]
    if held:
        raise ImproperlyConfigured(
            f"{' and '.join(held)} must not be set here: the log's key belongs to the process that "
            "signs the log, manage.py build_log, alone. Set it for that service only, as "
            "deploy/registry-log.service does."
        )


def read_mail_server(name: str) -> dict[str, object]:
    """Return Django's mail settings for a URL such as `smtp+tls://user:secret@host:587`.

    The schemes are `smtp`, `smtp+tls` (STARTTLS) and `smtp+ssl`.
    """
    url = urlsplit(read_string(name))
    try:
        is_whole = url.scheme in {"smtp", "smtp+tls", "smtp+ssl"} and url.port != 0
    except ValueError:
        # What follows the last colon is not a port: the password contains a slash, for example.
        is_whole = False
    if not is_whole or not url.hostname or url.path.strip("/") or url.query or url.fragment:
        raise ImproperlyConfigured(
            f"{name} must look like smtp+tls://user:secret@host:587; "
            "in a password write / as %2F, # as %23, ? as %3F and @ as %40."
        )
    return {
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or 25,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls",
        "EMAIL_USE_SSL": url.scheme == "smtp+ssl",
    }


def is_own_machine(host: str) -> bool:
    """Whether traffic to `host` stays on this machine or on a network that is trusted.

    A path is a socket on this machine. `REGISTRY_PLAIN_HOSTS` lists the hosts of trusted networks.
    """
    own = {"", "localhost", "127.0.0.1", "::1", *read_list("REGISTRY_PLAIN_HOSTS", "")}
    return host in own or host.startswith("/")


def require_mail_encryption(server: dict[str, object]) -> dict[str, object]:
    """Return the mail settings unchanged, or refuse them if letters would be sent without TLS."""
    host = str(server["EMAIL_HOST"])
    if not (server["EMAIL_USE_TLS"] or server["EMAIL_USE_SSL"] or is_own_machine(host)):
        raise ImproperlyConfigured(
            f"REGISTRY_EMAIL_URL sends letters to {host} in plain. Use smtp+tls:// or smtp+ssl://, "
            "or name the host in REGISTRY_PLAIN_HOSTS if it stands in a network of your own."
        )
    return server


SAFE_SSL_MODES = frozenset({"verify-full", "verify-ca"})


def require_database_encryption(
    database: dict[str, Any], name: str = "REGISTRY_DATABASE_URL"
) -> dict[str, Any]:
    """Return the database options, with the server's certificate verified if it is elsewhere.

    `name` is the variable that holds its address. A weaker `sslmode` is refused.
    """
    host, options = str(database.get("HOST") or ""), dict(database.get("OPTIONS", {}))
    if is_own_machine(host):
        return options
    mode = options.setdefault("sslmode", "verify-full")
    if mode not in SAFE_SSL_MODES:
        raise ImproperlyConfigured(
            f"{name} asks {host} with sslmode={mode}. Use verify-full, with "
            "sslrootcert where the certificate is of your own authority, or name the host in "
            "REGISTRY_PLAIN_HOSTS if it stands in a network of your own."
        )
    return options
