"""What operators see of each request: a line in the log, and figures.

It comes before everything else, since cached responses never reach Django's middleware.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication

from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import SimpleLazyObject
from prometheus_client import Counter, Histogram
from structlog.contextvars import bind_contextvars, clear_contextvars

logger = logging.getLogger("registry.access")

REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""What an identifier that a web server in front of us gives a request looks like."""
PERSON_KEY: Final = "registry.person"
"""Where a request notes the key of the person who sent it, once known."""
AREA: Final = re.compile(r"/(?:api|resolve|namespaces|requests|exports|review|publish|admin)?\b")
"""Places with figures of their own: few, whatever is requested."""
DURATION_BUCKETS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUESTS: Final = Counter(
    "registry_http_requests", "Requests answered.", ["method", "area", "status"]
)
DURATIONS: Final = Histogram(
    "registry_http_request_seconds",
    "How long requests took, until the last octet was handed over.",
    ["area"],
    buckets=DURATION_BUCKETS,
)


class ObservedHandler:
    """Gives each request an identifier, and reports it once it is answered."""

    def __init__(self, handler: WSGIApplication) -> None:
        self.handler = handler

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        request_id = find_request_id(environ)
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        report = RequestReport(environ)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            report.status = int(status[:3])
            return start_response(status, [*headers, ("X-Request-ID", request_id)], *error)

        body = self.handler(environ, start)
        wrapper = environ.get("wsgi.file_wrapper")
        if isinstance(wrapper, type) and isinstance(body, wrapper):
            # The server sends the file itself, which it does not do from within another body.
            report.finish()
            return body
        return ObservedBody(body, report.finish)


class ObservedBody:
    """The octets of a response; reports when the server is done with them."""

    def __init__(self, body: Iterable[bytes], finish: Callable[[], None]) -> None:
        self.body, self.finish = body, finish

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.body)

    def close(self) -> None:
        """Close the response, and report it."""
        try:
            if close := getattr(self.body, "close", None):
                close()
        finally:
            self.finish()


class RequestReport:
    """What is reported about one request: never its query, its body or an address."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self.environ, self.begun, self.status = environ, time.perf_counter(), 0

    def finish(self) -> None:
        """Write the log line, and count."""
        seconds = time.perf_counter() - self.begun
        method, path = self.environ.get("REQUEST_METHOD", ""), self.environ.get("PATH_INFO", "")
        found = AREA.match(path)
        area = found[0].strip("/") if found else ""
        known = method if method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} else "other"
        REQUESTS.labels(known, area or "other", str(self.status)).inc()
        DURATIONS.labels(area or "other").observe(seconds)
        logger.info(
            "request",
            extra={
                "method": method,
                "path": path,
                "status": self.status,
                "duration_ms": round(seconds * 1_000, 1),
                "person": self.environ.get(PERSON_KEY),
            },
        )


def find_request_id(environ: dict[str, Any]) -> str:
    """Return the identifier of a request: the one the web server in front of us gave it, or a new
    one.
    """
    given = environ.get("HTTP_X_REQUEST_ID", "")
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


class PersonMiddleware:
    """Notes for the log who sent a request, if anything asked; asks nothing itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered."""
        response = self.get_response(request)
        known = vars(request)
        person = known.get("user")
        if type(person) is SimpleLazyObject:
            # The person of a session is looked up when something asks, and not for the log.
            person = known.get("_cached_user")
        if person is not None and person.pk:
            request.META[PERSON_KEY] = person.pk
        return response
