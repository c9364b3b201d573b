"""Names looked up at name servers, each within a deadline."""

from __future__ import annotations

import time
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from dns.exception import DNSException, Timeout
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, Answer, Resolver

from registry.safe_http.targets import FetchError, IPAddress


class Deadline:
    """A moment after which nobody waits any longer; every wait asks how long it may be."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left; raise `TimeoutError` where there are none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


LOOK_UP_SECONDS: Final = 10.0
DNS_PORT: Final = 53


def look_up_addresses(host: str, deadline: Deadline) -> list[IPAddress]:
    """Return every address of `host`, IPv4 first; raise `FetchError` where there is none."""
    found = [
        ip_address(record.to_text())
        for kind in (RdataType.A, RdataType.AAAA)
        for record in query_name_servers(host, kind, deadline).rrset or ()
        if record.rdtype == kind
    ]
    if not found:
        raise FetchError(_("%(host)s has no address.") % {"host": host})
    return found


def look_up_texts(name: str, seconds: float = LOOK_UP_SECONDS) -> list[str]:
    """Return the TXT records of `name`, the parts of each joined; none where it has none."""
    try:
        records = query_name_servers(name, RdataType.TXT, Deadline(seconds)).rrset or ()
    except FetchError as error:
        if isinstance(error.__cause__, NXDOMAIN):
            return []
        raise
    return [
        b"".join(record.strings).decode("utf-8", "replace")
        for record in records
        if record.rdtype == RdataType.TXT
    ]


def query_name_servers(name: str, kind: RdataType, deadline: Deadline) -> Answer:
    """Return what the name servers say of `name`, as it stands: nothing is searched for near it."""
    try:
        return make_resolver().resolve(
            f"{name}.", kind, lifetime=deadline.left(), search=False, raise_on_no_answer=False
        )
    except NXDOMAIN as error:
        raise FetchError(_("There is no name %(name)s.") % {"name": name}) from error
    except Timeout as error:
        words = _("The name servers did not answer about %(name)s.")
        raise FetchError(words % {"name": name}) from error
    except DNSException as error:
        words = _("The name servers cannot say anything about %(name)s.")
        raise FetchError(words % {"name": name}) from error


def make_resolver() -> Resolver:
    """Return what asks the name servers of the settings, by default those of this machine."""
    if not settings.REGISTRY_NAMESERVERS:
        return Resolver()
    asks = Resolver(configure=False)
    servers = [urlsplit(f"//{server}") for server in settings.REGISTRY_NAMESERVERS]
    ports = {server.hostname: server.port or DNS_PORT for server in servers if server.hostname}
    asks.nameservers, asks.nameserver_ports = list(ports), ports
    return asks
