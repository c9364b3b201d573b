"""A client that fetches one web page, within limits, and queries name servers within a deadline."""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from http.client import HTTPException, HTTPResponse
from ipaddress import ip_address
from typing import Any, Final, cast
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from dns.exception import DNSException, Timeout
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, Answer, Resolver

from registry.safe_http.targets import (
    FetchError,
    FetchTarget,
    IPAddress,
    may_be_fetched_from,
    parse_fetch_target,
    refuse_unlisted_host,
)


class Deadline:
    """A time after which nobody waits any longer; every wait gets its limit here."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left; raise `TimeoutError` if there are none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


LOOK_UP_SECONDS: Final = 10.0
DNS_PORT: Final = 53


def look_up_addresses(host: str, deadline: Deadline) -> list[IPAddress]:
    """Return every address of `host`, IPv4 first; raise `FetchError` if there is none."""
    found = [
        ip_address(record.to_text())
        for kind in (RdataType.A, RdataType.AAAA)
        for record in query_name_servers(host, kind, deadline).rrset or ()
        if record.rdtype == kind
    ]
    if not found:
        raise FetchError(_("%(host)s has no address.") % {"host": host}, code="no_address")
    return found


def look_up_texts(name: str, seconds: float = LOOK_UP_SECONDS) -> list[str]:
    """Return the TXT records of `name`, the parts of each joined; none if it has none."""
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
    """Return the name servers' records of exactly `name`, without search domains."""
    try:
        return make_resolver().resolve(
            f"{name}.", kind, lifetime=deadline.left(), search=False, raise_on_no_answer=False
        )
    except NXDOMAIN as error:
        raise FetchError(
            _("There is no name %(name)s.") % {"name": name}, code="unknown_name"
        ) from error
    except Timeout as error:
        words = _("The name servers did not answer about %(name)s.")
        raise FetchError(words % {"name": name}, code="name_servers_silent") from error
    except DNSException as error:
        words = _("The name servers cannot say anything about %(name)s.")
        raise FetchError(words % {"name": name}) from error


def make_resolver() -> Resolver:
    """Return a resolver for the name servers in the settings, by default this machine's."""
    if not settings.REGISTRY_NAMESERVERS:
        return Resolver()
    asks = Resolver(configure=False)
    servers = [urlsplit(f"//{server}") for server in settings.REGISTRY_NAMESERVERS]
    ports = {server.hostname: server.port or DNS_PORT for server in servers if server.hostname}
    asks.nameservers, asks.nameserver_ports = list(ports), ports
    return asks


class BodyReading(Enum):
    """How much of the body of a response is wanted."""

    WHOLE = "all of it; one that is too long is an error"
    BEGINNING = "as much as the limit lets through"
    NOTHING = "none"


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A method, what to send with it, and how much of the response to read."""

    method: str = "GET"
    accept: str = "*/*"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    reading: BodyReading = BodyReading.WHOLE

    def octets(self, target: FetchTarget) -> bytes:
        """Return the request, which asks for no compression and no keep-alive."""
        fields = {
            "Host": target.authority,
            "Accept": self.accept,
            "Accept-Encoding": "identity",
            "User-Agent": f"URN-Namespace-Registry (+{settings.SITE})",
            "Connection": "close",
            **self.headers,
        }
        if self.body:
            fields["Content-Length"] = str(len(self.body))
        lines = [f"{self.method} {target.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        return "\r\n".join([*lines, "", ""]).encode("ascii") + self.body


REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
MAX_ADDRESSES: Final = 4


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The maximum size, total time and number of redirects."""

    octets: int = 65_536
    header_octets: int = 65_536
    seconds: float = 10.0
    redirects: int = 3


@dataclass(frozen=True, slots=True)
class FetchedResponse:
    """The response, and the address it finally came from."""

    target: FetchTarget
    status: int
    headers: Mapping[str, str]
    body: bytes


def fetch(
    url: str,
    *,
    limits: FetchLimits | None = None,
    accept: str = "*/*",
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    reads: bool = True,
    trust: ssl.SSLContext | None = None,
) -> FetchedResponse:
    """Fetch `url`, following redirects; raise `FetchError` with the reason on failure.

    `headers` are sent besides our own, to each server on the way. Without `reads` the body is left
    unread, and is empty. `trust` names the trusted certificates, by default this system's.
    """
    limits = limits or FetchLimits()
    deadline, target = Deadline(limits.seconds), parse_fetch_target(url)
    reading = BodyReading.WHOLE if reads else BodyReading.NOTHING
    question = FetchRequest(method, accept, headers or {}, reading=reading)
    for _redirect in range(limits.redirects + 1):
        answer = send_fetch_request(target, question, limits, deadline, trust)
        location = answer.headers.get("location")
        if answer.status not in REDIRECT_STATUSES or not location:
            return answer
        target = make_redirect_target(target, location)
    raise FetchError(
        _("%(url)s redirects more than %(most)d times.") % {"url": url, "most": limits.redirects},
        code="too_many_redirects",
    )


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    limits: FetchLimits | None = None,
    trust: ssl.SSLContext | None = None,
) -> FetchedResponse:
    """Send `body` to `url` and return the response, with as much of its body as the limits allow.

    A redirect is a response like any other: it is not followed.
    """
    limits = limits or FetchLimits()
    question = FetchRequest("POST", headers=headers, body=body, reading=BodyReading.BEGINNING)
    return send_fetch_request(
        parse_fetch_target(url), question, limits, Deadline(limits.seconds), trust
    )


def make_redirect_target(target: FetchTarget, location: str) -> FetchTarget:
    """Return the target of a redirect, checked like the first address."""
    following = parse_fetch_target(urljoin(target.url, location))
    if target.is_encrypted and not following.is_encrypted:
        raise FetchError(
            _("%(url)s redirects to an address without https.") % {"url": target.url},
            code="insecure_redirect",
        )
    return following


def send_fetch_request(
    target: FetchTarget,
    question: FetchRequest,
    limits: FetchLimits,
    deadline: Deadline,
    trust: ssl.SSLContext | None,
) -> FetchedResponse:
    """Return the server's response to a single request, even a redirect."""
    try:
        with open_connection(
            target, require_public_addresses(target, deadline), deadline, trust
        ) as connection:
            connection.settimeout(deadline.left())
            connection.sendall(question.octets(target))
            reader = DeadlineReader(connection, deadline, limits.header_octets)
            answer = HTTPResponse(cast("socket.socket", reader), method=question.method)
            answer.begin()
            reader.most = None
            headers = {name.lower(): value for name, value in answer.getheaders()}
            unread = answer.status in REDIRECT_STATUSES or question.reading is BodyReading.NOTHING
            body = b"" if unread else read_response_body(answer, limits.octets, question.reading)
            return FetchedResponse(target, answer.status, headers, body)
    except TimeoutError:
        words = _("%(host)s did not answer in full within %(seconds)d seconds.")
        said = {"host": target.host, "seconds": limits.seconds}
        raise FetchError(words % said, code="timeout") from None
    except ssl.SSLCertVerificationError as error:
        words = _("The certificate of %(host)s is not valid: %(why)s.")
        said = {"host": target.host, "why": error.verify_message.rstrip(".")}
        raise FetchError(words % said, code="bad_certificate") from None
    except (OSError, HTTPException):
        words = _("%(host)s did not answer as a web server does.")
        raise FetchError(words % {"host": target.host}, code="not_http") from None


def require_public_addresses(target: FetchTarget, deadline: Deadline) -> list[IPAddress]:
    """Return the addresses of the server; refuse all of them if one is not allowed."""
    refuse_unlisted_host(target.host)
    literal = target.literal
    addresses = [literal] if literal else look_up_addresses(target.host, deadline)
    if not all(may_be_fetched_from(address) for address in addresses):
        words = _("%(host)s is not on the public Internet, so we do not contact it.")
        raise FetchError(words % {"host": target.host}, code="private_address")
    return addresses[:MAX_ADDRESSES]


def open_connection(
    target: FetchTarget,
    addresses: list[IPAddress],
    deadline: Deadline,
    trust: ssl.SSLContext | None,
) -> socket.socket:
    """Return a connection to the first of `addresses` that accepts one, without another look-up."""
    for address in addresses:
        try:
            plain = socket.create_connection((str(address), target.port), deadline.left())
        except OSError:
            continue
        if not target.is_encrypted:
            return plain
        context = trust or ssl.create_default_context()
        return context.wrap_socket(plain, server_hostname=target.host)
    deadline.left()
    raise FetchError(
        _("%(host)s cannot be reached.") % {"host": target.authority}, code="unreachable"
    )


def read_response_body(answer: HTTPResponse, most: int, reading: BodyReading) -> bytes:
    """Return the body; raise `FetchError` if all of it is wanted and it is too long or cut off."""
    promised = answer.length
    body = answer.read(most + 1)
    if reading is BodyReading.WHOLE:
        if len(body) > most:
            raise FetchError(
                _("The answer is longer than %(most)d octets.") % {"most": most}, code="too_long"
            )
        if promised is not None and len(body) < promised:
            words = _("The answer was cut off after %(came)d of %(promised)d octets.")
            raise FetchError(words % {"came": len(body), "promised": promised}, code="cut_off")
    return body[:most]


class DeadlineReader(io.RawIOBase):
    """Reads from a connection until the deadline, however slowly the octets arrive.

    It reads no more than `most` octets, while that is a number: http.client has no limit on what
    precedes the body, and reads as many `100 Continue` responses as are sent.
    """

    def __init__(
        self, connection: socket.socket, deadline: Deadline, most: int | None = None
    ) -> None:
        super().__init__()
        self.connection = connection
        self.deadline = deadline
        self.most = most
        self.came = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` with the available data."""
        if self.most is not None and self.came > self.most:
            raise FetchError(
                _("What comes before the answer is longer than %(most)d octets.")
                % {"most": self.most},
                code="head_too_long",
            )
        self.connection.settimeout(self.deadline.left())
        came = self.connection.recv_into(buffer)
        self.came += came
        return came

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return itself as the file that `http.client` reads a socket with."""
        return io.BufferedReader(self)
