"""One web page fetched, within limits, from servers of the open Internet alone."""

from __future__ import annotations

import io
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, cast
from urllib.parse import urljoin

from django.utils.translation import gettext as _

from registry.fetching.addresses import Address, may_be_asked
from registry.fetching.deadline import Deadline
from registry.fetching.errors import FetchError
from registry.fetching.names import addresses_of
from registry.fetching.question import Question, Reading
from registry.fetching.target import Target, read_target

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
MOST_ADDRESSES: Final = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read at most, how long everything may take, how many redirects are followed."""

    octets: int = 65_536
    seconds: float = 10.0
    redirects: int = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was answered, and at which address in the end."""

    target: Target
    status: int
    headers: Mapping[str, str]
    body: bytes


def fetch(
    url: str,
    *,
    limits: Limits | None = None,
    accept: str = "*/*",
    method: str = "GET",
    reads: bool = True,
    trust: ssl.SSLContext | None = None,
) -> Fetched:
    """Return what `url` answers, after redirects; raise `FetchError` with the reason else.

    Without `reads` the body is left unread, and is empty. `trust` says whose certificates are
    good, by default those this system trusts.
    """
    limits = limits or Limits()
    deadline, target = Deadline(limits.seconds), read_target(url)
    question = Question(method, accept, reading=Reading.WHOLE if reads else Reading.NOTHING)
    for _redirect in range(limits.redirects + 1):
        answer = ask(target, question, limits, deadline, trust)
        location = answer.headers.get("location")
        if answer.status not in REDIRECTS or not location:
            return answer
        target = next_target(target, location)
    raise FetchError(
        _("%(url)s redirects more than %(most)d times.") % {"url": url, "most": limits.redirects}
    )


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    limits: Limits | None = None,
    trust: ssl.SSLContext | None = None,
) -> Fetched:
    """Send `body` to `url` and return the answer, of its body as much as the limits let through.

    A redirect is an answer like any other: nothing is sent to where it leads.
    """
    limits = limits or Limits()
    question = Question("POST", headers=headers, body=body, reading=Reading.BEGINNING)
    return ask(read_target(url), question, limits, Deadline(limits.seconds), trust)


def next_target(target: Target, location: str) -> Target:
    """Return where a redirect leads, which is checked as the first address was."""
    following = read_target(urljoin(target.url, location))
    if target.is_encrypted and not following.is_encrypted:
        raise FetchError(_("%(url)s redirects to an address without https.") % {"url": target.url})
    return following


def ask(
    target: Target,
    question: Question,
    limits: Limits,
    deadline: Deadline,
    trust: ssl.SSLContext | None,
) -> Fetched:
    """Return what the server says to one question, redirect or not."""
    try:
        with connect(target, checked(target, deadline), deadline, trust) as connection:
            connection.settimeout(deadline.left())
            connection.sendall(question.octets(target))
            answer = HTTPResponse(
                cast("socket.socket", Patient(connection, deadline)), method=question.method
            )
            answer.begin()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            unread = answer.status in REDIRECTS or question.reading is Reading.NOTHING
            body = b"" if unread else read(answer, limits.octets, question.reading)
            return Fetched(target, answer.status, headers, body)
    except TimeoutError:
        words = _("%(host)s did not answer in full within %(seconds)d seconds.")
        raise FetchError(words % {"host": target.host, "seconds": limits.seconds}) from None
    except ssl.SSLCertVerificationError as error:
        words = _("The certificate of %(host)s is not good: %(why)s.")
        said = {"host": target.host, "why": error.verify_message.rstrip(".")}
        raise FetchError(words % said) from None
    except (OSError, HTTPException):
        words = _("%(host)s did not answer as a web server does.")
        raise FetchError(words % {"host": target.host}) from None


def checked(target: Target, deadline: Deadline) -> list[Address]:
    """Return the addresses of the server; one that must not be asked spoils them all."""
    literal = target.literal
    addresses = [literal] if literal else addresses_of(target.host, deadline)
    if not all(may_be_asked(address) for address in addresses):
        words = _("%(host)s is not a server of the open Internet, so it is not asked.")
        raise FetchError(words % {"host": target.host})
    return addresses[:MOST_ADDRESSES]


def connect(
    target: Target, addresses: list[Address], deadline: Deadline, trust: ssl.SSLContext | None
) -> socket.socket:
    """Return a connection to the first of `addresses` that takes one: nothing is looked up anew."""
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
    raise FetchError(_("%(host)s cannot be reached.") % {"host": target.authority})


def read(answer: HTTPResponse, most: int, reading: Reading) -> bytes:
    """Return the body; raise `FetchError` where all of it is wanted and it is too long."""
    body = answer.read(most + 1)
    if len(body) > most and reading is Reading.WHOLE:
        raise FetchError(_("The answer is longer than %(most)d octets.") % {"most": most})
    return body[:most]


class Patient(io.RawIOBase):
    """Reads from a connection until the deadline, however slowly the octets drip."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        super().__init__()
        self.connection = connection
        self.deadline = deadline

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` with what there is."""
        self.connection.settimeout(self.deadline.left())
        return self.connection.recv_into(buffer)

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return itself as the file that `http.client` reads a socket by."""
        return io.BufferedReader(self)
