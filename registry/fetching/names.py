"""Names looked up at name servers, each within a time."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from dns.exception import DNSException, Timeout
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, Answer, Resolver

from registry.fetching.addresses import Address
from registry.fetching.deadline import Deadline
from registry.fetching.errors import FetchError

SECONDS: Final = 10.0
PORT: Final = 53


def addresses_of(host: str, deadline: Deadline) -> list[Address]:
    """Return every address of `host`, IPv4 first; raise `FetchError` where there is none."""
    found = [
        ip_address(record.to_text())
        for kind in (RdataType.A, RdataType.AAAA)
        for record in ask(host, kind, deadline).rrset or ()
        if record.rdtype == kind
    ]
    if not found:
        raise FetchError(_("%(host)s has no address.") % {"host": host})
    return found


def texts_at(name: str, seconds: float = SECONDS) -> list[str]:
    """Return the TXT records of `name`, the parts of each joined; none where it has none."""
    try:
        records = ask(name, RdataType.TXT, Deadline(seconds)).rrset or ()
    except FetchError as error:
        if isinstance(error.__cause__, NXDOMAIN):
            return []
        raise
    return [
        b"".join(record.strings).decode("utf-8", "replace")
        for record in records
        if record.rdtype == RdataType.TXT
    ]


def ask(name: str, kind: RdataType, deadline: Deadline) -> Answer:
    """Return what the name servers say of `name`, as it stands: nothing is searched for near it."""
    try:
        return resolver().resolve(
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


def resolver() -> Resolver:
    """Return what asks the name servers of the settings, by default those of this machine."""
    if not settings.REGISTRY_NAMESERVERS:
        return Resolver()
    asks = Resolver(configure=False)
    servers = [urlsplit(f"//{server}") for server in settings.REGISTRY_NAMESERVERS]
    ports = {server.hostname: server.port or PORT for server in servers if server.hostname}
    asks.nameservers, asks.nameserver_ports = list(ports), ports
    return asks
