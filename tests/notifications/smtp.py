"""A mail server on loopback: accepts letters, refuses addresses, can be slow, down and up again."""

from __future__ import annotations

import socketserver
import threading
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

HANGING_SECONDS: Final = 20


class Session(socketserver.StreamRequestHandler):
    """One SMTP conversation (RFC 5321), as far as our client goes."""

    server: MailServer

    def handle(self) -> None:
        self.say("220 mail.example")
        to: list[str] = []
        for line in self.rfile:
            verb, _space, rest = line.decode("ascii").strip().partition(" ")
            if verb.upper() == "QUIT":
                self.say("221 bye")
                return
            if verb.upper() == "RCPT":
                address = rest.partition("<")[2].partition(">")[0]
                code = self.server.refused.get(address, 250)
                to += [address] if code == 250 else []
                self.say(f"{code} {address}")
            elif verb.upper() == "DATA":
                self.take(to)
                to = []
            else:
                self.say("250 mail.example")

    def take(self, to: list[str]) -> None:
        """Read a letter up to the lone full stop, and keep it."""
        self.say("354 go on")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        self.server.reading.set()
        self.server.may_answer.wait(HANGING_SECONDS)
        octets = b"".join(lines).replace(b"\r\n", b"\n")
        message = message_from_bytes(octets, policy=policy.default)
        self.server.taken.append((to, message))
        self.say("250 taken")

    def say(self, line: str) -> None:
        """Answer with one line."""
        self.wfile.write(f"{line}\r\n".encode("ascii"))


class MailServer(socketserver.ThreadingTCPServer):
    """Listens on a port of its own from `start` to `stop`, repeatedly."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Session)
        self.taken: list[tuple[list[str], EmailMessage]] = []
        self.refused: dict[str, int] = {}
        self.reading = threading.Event()
        self.may_answer = threading.Event()
        self.may_answer.set()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        """The port."""
        return int(self.server_address[1])

    @property
    def addresses(self) -> list[str]:
        """The recipients of accepted letters, sorted, each once per letter."""
        return sorted(address for to, _message in self.taken for address in to)

    def stop(self) -> None:
        """Be down."""
        self.shutdown()
        self.server_close()
