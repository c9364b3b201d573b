"""What an address of the web asks of which server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from registry.fetching.addresses import Address
from registry.fetching.errors import FetchError

PORTS: Final = {"http": 80, "https": 443}
UNPRIVILEGED: Final = 1024
HOST: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
UNFIT: Final = re.compile(r"[\x00-\x20\x7f\\]")
KEPT: Final = "/%:@!$&'()*+,;=-._~?"


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and what it is asked for; every part is safe to be written into a request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_encrypted(self) -> bool:
        """Whether the server has to show a certificate for its name."""
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """The server as the `Host` field names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def literal(self) -> Address | None:
        """The address that stands in place of a name, if one does."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def read_target(url: str) -> Target:
    """Return what `url` asks for; raise `FetchError` for anything but a plain web address."""
    if UNFIT.search(url):
        raise FetchError(_("The address holds blanks, control characters or backslashes."))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise FetchError(_("“%(url)s” is not a web address.") % {"url": url[:200]}) from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise FetchError(_("Only addresses that begin with https:// or http:// are asked."))
    if "@" in parts.netloc:
        raise FetchError(_("The address holds a user name; leave it out."))
    port = PORTS[parts.scheme] if port is None else port
    if port not in PORTS.values() and port < UNPRIVILEGED:
        raise FetchError(_("Port %(port)d is not one that web servers use.") % {"port": port})
    path = quote(parts.path or "/", KEPT) + (f"?{quote(parts.query, KEPT)}" if parts.query else "")
    return Target(parts.scheme, host_of(parts.hostname), port, path)


def host_of(written: str) -> str:
    """Return a host as name servers know it; raise `FetchError` for what is no plain one.

    Numbers in place of a name are taken only as the one usual way of writing addresses, since
    systems differ in what else they read into them.
    """
    if ":" in written:
        if "%" in written:
            raise FetchError(_("The address names a network interface; leave it out."))
        return written
    try:
        host = written.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = ""
    last = host.rpartition(".")[2]
    if not HOST.fullmatch(host) or (NUMBER.fullmatch(last) and not is_literal(host)):
        raise FetchError(_("“%(host)s” is not the name of a server.") % {"host": written[:200]})
    return host


def is_literal(host: str) -> bool:
    """Whether `host` is an address in the usual form."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
