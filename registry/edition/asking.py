"""Asking the application as a browser without cookies does, in this process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

LEFT_OUT: Final = ("Content-Length", "ETag", "Last-Modified", "Set-Cookie", "Vary")
"""Headers that whoever serves the file makes anew, or that are about the application."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the application says at a path: status, headers and octets."""

    path: str
    status: int
    headers: dict[str, str]
    octets: bytes

    @property
    def media_type(self) -> str:
        """The media type, without its parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip()

    @property
    def is_everybodys(self) -> bool:
        """Whether it is a page or file that everybody is given so."""
        kept = self.headers.get("Cache-Control", "")
        is_own = "Set-Cookie" in self.headers or "private" in kept or "no-store" in kept
        return self.status == 200 and not is_own

    @property
    def served_with(self) -> dict[str, str]:
        """The headers with which the file is to be served."""
        return {name: text for name, text in self.headers.items() if name not in LEFT_OUT}


class Start:
    """What the application says before the octets (PEP 3333)."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}

    def __call__(
        self, status: str, headers: list[tuple[str, str]], failed: object = None, /
    ) -> Callable[[bytes], object]:
        """Take down status and headers; what is written later is never used by Django."""
        self.status, self.headers = int(status[:3]), dict(headers)
        return bytes


class Application:
    """The registry at the address that others know it by."""

    def __init__(self) -> None:
        self.handler = WSGIHandler()
        self.site = urlsplit(settings.SITE)

    def ask(self, path: str) -> Answered:
        """Return what is answered at `path`."""
        start = Start()
        answer = self.handler(self.environment(path), start)
        try:
            octets = b"".join(answer)
        finally:
            answer.close()
        return Answered(path, start.status, start.headers, octets)

    def environment(self, path: str) -> dict[str, Any]:
        """Return what a web server would hand over (PEP 3333)."""
        place, _mark, query = path.partition("?")
        port = self.site.port or {"https": 443}.get(self.site.scheme, 80)
        return {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(place).decode("latin-1"),
            "QUERY_STRING": query,
            "RAW_URI": path,
            "SERVER_NAME": self.site.hostname or "",
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": self.site.netloc,
            "HTTP_X_FORWARDED_PROTO": self.site.scheme,
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self.site.scheme,
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
