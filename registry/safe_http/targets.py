"""Which addresses may be fetched: plain web addresses, on machines of the public Internet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from registry.errors import RegistryError


class FetchError(RegistryError):
    """Nothing was fetched. The message can be shown."""

    status = HTTPStatus.BAD_GATEWAY


IPAddress = IPv4Address | IPv6Address

GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""All that is allocated to single machines in IPv6. This excludes, among others, the addresses that
stand for IPv4 ones: IPv4-mapped, IPv4-compatible and NAT64.
"""

TUNNEL_NETWORKS: Final = (ip_network("2001::/32"), ip_network("2002::/16"))
"""Teredo and 6to4, which stand for IPv4 addresses too, though they are within the range."""


def may_be_fetched_from(address: IPAddress) -> bool:
    """Whether `address` is on the public Internet, or one that the settings also allow."""
    allowed = (ip_network(network) for network in settings.REGISTRY_FETCH_NETWORKS)
    return is_public_address(address) or any(address in network for network in allowed)


def is_public_address(address: IPAddress) -> bool:
    """Whether `address` is global, belongs to one machine, and stands for no other address."""
    if isinstance(address, IPv6Address):
        is_disguised = any(address in network for network in TUNNEL_NETWORKS)
        return address in GLOBAL_UNICAST and address.is_global and not is_disguised
    return address.is_global and not address.is_multicast and not address.is_reserved


DEFAULT_PORTS: Final = {"http": 80, "https": 443}
MIN_UNPRIVILEGED_PORT: Final = 1024
HOST_PATTERN: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
FORBIDDEN_CHARACTERS: Final = re.compile(r"[\x00-\x20\x7f\\]")
UNQUOTED_CHARACTERS: Final = "/%:@!$&'()*+,;=-._~?"


@dataclass(frozen=True, slots=True)
class FetchTarget:
    """A server, and what to request from it; every part is safe to write into a request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_encrypted(self) -> bool:
        """Whether the server must show a certificate for its name."""
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """The server as the `Host` field names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def literal(self) -> IPAddress | None:
        """The IP address that replaces a name, if there is one."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def parse_fetch_target(url: str) -> FetchTarget:
    """Parse `url`; raise `FetchError` for anything but a plain web address."""
    if FORBIDDEN_CHARACTERS.search(url):
        raise FetchError(
            _("The address contains spaces, control characters or backslashes."),
            code="not_web_address",
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise FetchError(
            _("“%(url)s” is not a web address.") % {"url": url[:200]}, code="not_web_address"
        ) from None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise FetchError(
            _("The address has to begin with https:// or http://."), code="not_web_address"
        )
    if "@" in parts.netloc:
        raise FetchError(_("The address contains a user name; leave it out."), code="user_name")
    port = DEFAULT_PORTS[parts.scheme] if port is None else port
    if port not in DEFAULT_PORTS.values() and port < MIN_UNPRIVILEGED_PORT:
        raise FetchError(
            _("Port %(port)d is not one that web servers use.") % {"port": port}, code="bad_port"
        )
    path = quote(parts.path or "/", UNQUOTED_CHARACTERS) + (
        f"?{quote(parts.query, UNQUOTED_CHARACTERS)}" if parts.query else ""
    )
    return FetchTarget(parts.scheme, normalize_host(parts.hostname), port, path)


def normalize_host(written: str) -> str:
    """Return a host as name servers know it; raise `FetchError` if it is not a plain one.

    Numbers instead of a name are accepted only in the usual notation of addresses, since systems
    differ in how they read others.
    """
    if ":" in written:
        if "%" in written:
            raise FetchError(
                _("The address names a network interface; leave it out."), code="network_interface"
            )
        return written
    try:
        host = written.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = ""
    last = host.rpartition(".")[2]
    if not HOST_PATTERN.fullmatch(host) or (
        NUMERIC_LABEL.fullmatch(last) and not is_ip_literal(host)
    ):
        raise FetchError(
            _("“%(host)s” is not the name of a server.") % {"host": written[:200]},
            code="not_host_name",
        )
    return host


LOOPBACK_NAME: Final = "localhost"
NAMES_WITHOUT_SERVERS: Final = ("invalid", "local", "onion")
"""Names that no public name server answers for (RFC 6761, section 6.4; RFC 6762, section 3; RFC
7686, section 2).
"""


def refuse_unreachable_target(target: FetchTarget) -> None:
    """Raise `FetchError` for a server that is never contacted, whatever name servers may say."""
    last = target.host.rpartition(".")[2]
    # RFC 6761, section 6.3: such names always mean the machine itself.
    literal = ip_address("127.0.0.1") if last == LOOPBACK_NAME else target.literal
    refuse_unlisted_host(target.host)
    if last in NAMES_WITHOUT_SERVERS or (literal and not may_be_fetched_from(literal)):
        words = _("%(host)s is not on the public Internet, so we never send anything there.")
        raise FetchError(words % {"host": target.host}, code="private_address")


def refuse_unlisted_host(host: str) -> None:
    """Raise `FetchError` if the settings list the allowed servers, and this is none of them.

    A listed name allows that server; with a dot before it, all servers below it.
    """
    listed = settings.REGISTRY_FETCH_HOSTS
    is_listed = host in listed or any(
        each.startswith(".") and host.endswith(each) for each in listed
    )
    if listed and not is_listed:
        words = _("This registry is not allowed to contact %(host)s.")
        raise FetchError(words % {"host": host}, code="not_listed")


def is_ip_literal(host: str) -> bool:
    """Whether `host` is an IP address in the usual notation."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
