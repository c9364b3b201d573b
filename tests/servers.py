"""Real servers on this machine, for tests of requests to others."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

import dns.message
import dns.name
import dns.rcode
import dns.rrset
from dns.rdatatype import RdataType
from pytest_django import Settings

CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""A self-signed certificate for secure.northlight.example, with its key, for these tests only."""


class NameServer:
    """Answers from `records`: by name and kind, the answers to give one after the other.

    Each answer is a list of values; the last one is repeated. `asked` has the queries.
    """

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[list[str]]] = {}
        self.asked: list[tuple[str, str]] = []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.serve)

    @property
    def address(self) -> str:
        """The listening address."""
        host, port = self.socket.getsockname()
        return f"{host}:{port}"

    def say(self, name: str, kind: str, *answers: Sequence[str]) -> None:
        """Set the answer for `name`."""
        self.records[name, kind] = [list(answer) for answer in answers]

    def serve(self) -> None:
        """Serve until an empty datagram comes."""
        while question := self.receive():
            octets, sender = question
            self.socket.sendto(self.answer(octets), sender)

    def receive(self) -> tuple[bytes, tuple[str, int]] | None:
        """Return the next query and its sender."""
        octets, sender = self.socket.recvfrom(4096)
        return (octets, sender) if octets else None

    def answer(self, octets: bytes) -> bytes:
        """Return the answer to a query."""
        query = dns.message.from_wire(octets)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True), RdataType.to_text(question.rdtype)
        self.asked.append((name, kind))
        response = dns.message.make_response(query, recursion_available=True)
        answers = self.records.get((name, kind))
        if answers:
            values = answers.pop(0) if len(answers) > 1 else answers[0]
            response.answer.append(dns.rrset.from_text_list(question.name, 0, "IN", kind, values))
        elif not any(name == recorded_name for recorded_name, _kind in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire()

    def __enter__(self) -> NameServer:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.socket.getsockname())
        self.thread.join()
        self.socket.close()


class Answering(BaseHTTPRequestHandler):
    """Responds as the server was told to, and records the requests."""

    server: WebServer

    def do_GET(self) -> None:
        """Answer."""
        self.server.asked.append((self.headers["Host"], self.path))
        self.server.answer(self)

    def do_POST(self) -> None:
        """Respond, after recording what was sent."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sent.append((dict(self.headers.items()), body))
        self.do_GET()

    def do_HEAD(self) -> None:
        """Respond as to GET; the responder leaves out the body."""
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


class WebServer(ThreadingHTTPServer):
    """Answers every request with `answer`; `asked` has the host and path of each, `sent` the
    headers and the body of what was posted.
    """

    def __init__(
        self, answer: Callable[[Answering], object], host: str = "127.0.0.1", port: int = 0
    ) -> None:
        super().__init__((host, port), Answering)
        self.answer = answer
        self.asked: list[tuple[str, str]] = []
        self.sent: list[tuple[dict[str, str], bytes]] = []

    @property
    def port(self) -> int:
        """The listening port."""
        return int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that hang up."""


@contextmanager
def web_server(
    answer: Callable[[Answering], object],
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    encrypted: bool = False,
) -> Iterator[WebServer]:
    """Serve for the duration of the block, with the test certificate if `encrypted`."""
    with WebServer(answer, host, port) as server:
        if encrypted:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def saying(
    body: bytes = b"Hello.", status: int = 200, **headers: str
) -> Callable[[Answering], None]:
    """Return a responder with `body`; headers are written with underscores."""

    def answer(to: Answering) -> None:
        to.send_response(status)
        for name, value in headers.items():
            to.send_header(name.replace("_", "-"), value)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        if to.command != "HEAD":
            to.wfile.write(body)

    return answer


def leading(location: str, status: int = 302) -> Callable[[Answering], None]:
    """Return a responder that redirects to `location`."""
    return saying(b"", status, Location=location)


@contextmanager
def rdap_server(settings: Settings, names: NameServer) -> Iterator[dict[str, object]]:
    """Serve IANA's list of RDAP servers, and what the one for `.example` says of each domain.

    Yields an empty dictionary: the answer about a domain, or just the day on which it was
    registered. Of others the server knows nothing.
    """
    known: dict[str, object] = {}

    def answer(to: Answering) -> None:
        if to.path == "/dns.json":
            address = f"http://rdap.example:{server.port}/v1/"
            saying(json.dumps({"services": [[["net", "example"], [address]]]}).encode())(to)
            return
        domain = to.path.removeprefix("/v1/domain/")
        said = known.get(domain)
        if isinstance(said, str):
            events = [{"eventAction": "registration", "eventDate": f"{said}T12:00:00Z"}]
            said = {"ldhName": domain.upper(), "events": events}
        saying(json.dumps(said).encode(), 200 if said else 404)(to)

    names.say("rdap.example", "A", ["127.0.0.1"])
    with web_server(answer) as server:
        settings.DEMONSTRATION = False
        settings.REGISTRY_RDAP_LIST = f"http://rdap.example:{server.port}/dns.json"
        yield known


class QuietFiles(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def served_folder(
    folder: Path, handler_class: type[SimpleHTTPRequestHandler] = QuietFiles
) -> Iterator[str]:
    """Serve the files of a folder; yield their address."""
    handler = partial(handler_class, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
