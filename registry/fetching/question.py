"""What is asked of a server, as it is written on the line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from django.conf import settings

from registry.fetching.target import Target


class Reading(Enum):
    """How much of the body of an answer is wanted."""

    WHOLE = "all of it; one that is too long is an error"
    BEGINNING = "as much as the limit lets through"
    NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Question:
    """A method, what is sent with it, and how much of the answer is read."""

    method: str = "GET"
    accept: str = "*/*"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    reading: Reading = Reading.WHOLE

    def octets(self, target: Target) -> bytes:
        """Return the request, which asks that nothing be compressed or kept open."""
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
