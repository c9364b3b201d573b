"""Small readers of the environment: each fails loudly, naming the variable and what it wants."""

from __future__ import annotations

import os
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def read_string(name: str, default: str | None = None) -> str:
    """Return the variable `name`; without it the default, without that an error."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"Set {name}: it has no default in this mode.")
    return default


def read_choice(name: str, options: Collection[str], default: str) -> str:
    """Return the variable `name`, which must be one of `options`."""
    value = read_string(name, default)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}; it can be {', '.join(sorted(options))}.")
    return value


def read_list(name: str, default: str | None = None) -> list[str]:
    """Return the comma-separated values of the variable `name`."""
    return [part.strip() for part in read_string(name, default).split(",") if part.strip()]


def read_number(name: str, default: int) -> int:
    """Return the variable `name` as a whole number, zero or more."""
    value = read_string(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.")
    return int(value)


def read_boolean(name: str, *, default: bool) -> bool:
    """Return the variable `name`, which says `yes` or `no`."""
    return read_choice(name, {"yes", "no"}, "yes" if default else "no") == "yes"


def read_mail_server(name: str) -> dict[str, object]:
    """Return Django's mail settings for a URL such as `smtp+tls://user:secret@host:587`.

    The schemes are `smtp`, `smtp+tls` (STARTTLS) and `smtp+ssl`.
    """
    url = urlsplit(read_string(name))
    if url.scheme not in {"smtp", "smtp+tls", "smtp+ssl"} or not url.hostname:
        raise ImproperlyConfigured(f"{name} must look like smtp+tls://user:secret@host:587.")
    return {
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or 25,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls",
        "EMAIL_USE_SSL": url.scheme == "smtp+ssl",
    }
