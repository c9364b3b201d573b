"""A finished answer: what is kept of a response, and how it is given again."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import quote_etag

from registry.accepting import takes_gzip
from registry.serving.addresses import Sent
from registry.serving.conditions import Conditions, unchanged
from registry.serving.privacy import is_anonymous

KEPT: Final = frozenset({200, 301, 303, 308, 404, 410})
VARIES_BY: Final = frozenset(
    {"accept", "accept-language", "accept-encoding", "authorization", "cookie", "hx-request"}
)
"""Headers by which answers can be told apart; one that varies by another is not kept."""
NOT_FOR_ALL: Final = re.compile(r"\b(?:no-store|no-cache|private)\b", re.IGNORECASE)
EVERYBODYS: Final = "public, max-age=0, must-revalidate"
"""Kept by browsers and networks, and asked for again each time: a publication shows at once."""
PRIVATE: Final = "private"
PACKED: Final = re.compile(r"text/|application/(?:x-nd|[\w.-]+\+)?(?:json|xml)\b|image/svg")
WORTH_PACKING: Final = 500
OVERHEAD: Final = 2_000
"""Octets that an answer takes beside its body, about."""


def named(vary: str) -> frozenset[str]:
    """Return the headers that `Vary` names, in lower case."""
    return frozenset(name.strip() for name in vary.lower().split(",")) - {""}


def is_for_all(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether everybody who sends the same cookies is answered so."""
    varies = named(response.headers.get("Vary", ""))
    return (
        is_anonymous(request)
        and response.status_code in KEPT
        and not response.streaming
        and not response.cookies
        and not NOT_FOR_ALL.search(response.headers.get("Cache-Control", ""))
        and varies <= VARIES_BY
        and not response.has_header("Content-Encoding")
    )


class Given(NamedTuple):
    """What one request is given; headers are never written to."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def response(self) -> HttpResponse:
        """The same for Django."""
        response = HttpResponse(self.body, status=self.status, headers=self.headers)
        if "Content-Type" not in self.headers:
            del response.headers["Content-Type"]
        return response


@dataclass(frozen=True)
class Answer:
    """What is given to everybody who asks: body, packed body, and the headers of either."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_packed: bool

    @classmethod
    def of(cls, response: HttpResponse, path: str, *, has_cookies: bool = False) -> Answer:
        """Return what is kept of `response`, with an ETag and word of who may keep it.

        What was asked with cookies is for those alone who send the same, which networks that keep
        it might not look at.
        """
        headers = dict(response.headers.items())
        headers.setdefault("Cache-Control", PRIVATE if has_cookies else EVERYBODYS)
        # What is edited comes back in If-Match as it was given: such a text stays one and the same.
        edited = path.startswith("/api/v1/") and "ETag" in headers
        is_packed = bool(
            len(response.content) >= WORTH_PACKING
            and PACKED.match(headers.get("Content-Type", ""))
            and not edited
        )
        if is_packed and "accept-encoding" not in named(headers.get("Vary", "")):
            headers["Vary"] = ", ".join(filter(None, [headers.get("Vary"), "Accept-Encoding"]))
        if response.status_code == 200 and "ETag" not in headers:
            headers["ETag"] = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
        return cls(response.status_code, headers, response.content, is_packed)

    @cached_property
    def varies_by(self) -> frozenset[str]:
        """The headers of a request that it depends on, in lower case."""
        return named(self.headers.get("Vary", ""))

    @property
    def size(self) -> int:
        """How many octets of memory it takes, about; both bodies counted."""
        return OVERHEAD + len(self.body) * (2 if self.is_packed else 1)

    @cached_property
    def plain(self) -> Given:
        """The body as it is, with its headers."""
        return Given(self.status, self.headers | {"Content-Length": str(len(self.body))}, self.body)

    @cached_property
    def packed(self) -> Given:
        """The body in gzip with its headers; made once, and always the same octets."""
        headers = self.headers | {"Content-Encoding": "gzip"}
        if "ETag" in headers:
            # Another form has another strong validator (RFC 9110, section 8.8.3.3).
            headers["ETag"] = re.sub(r'"\Z', '-gzip"', headers["ETag"])
        body = gzip.compress(self.body, 6, mtime=0)
        return Given(self.status, headers | {"Content-Length": str(len(body))}, body)

    def given_to(self, sent: Sent) -> Given:
        """Return what is given to one request."""
        asked, form = Conditions.of(sent), self.plain
        if self.is_packed and takes_gzip(sent.get("HTTP_ACCEPT_ENCODING", "")):
            form = self.packed
        if self.status == 200 and asked.are_met_by(form.headers):
            return Given(304, unchanged(form.headers), b"")
        return form._replace(body=b"") if asked.is_head else form
