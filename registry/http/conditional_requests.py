"""On what a client wants an answer: only its head, or only where it has another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import parse_etags, parse_http_date_safe

from registry.http.cache_policy import Environ

BODY_HEADERS: Final = (
    "Content-Disposition",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Type",
)


@dataclass(frozen=True, slots=True)
class RequestConditions:
    """What the request said of it."""

    is_head: bool
    none_match: str | None
    modified_since: str | None

    @classmethod
    def of(cls, sent: Environ) -> RequestConditions:
        """Read them."""
        return cls(
            sent["REQUEST_METHOD"] == "HEAD",
            sent.get("HTTP_IF_NONE_MATCH"),
            sent.get("HTTP_IF_MODIFIED_SINCE"),
        )

    def are_met_by(self, headers: Mapping[str, str]) -> bool:
        """Whether the client has this already (RFC 9110, section 13.2.2)."""
        if self.none_match is not None:
            etag = headers.get("ETag", "")
            known = [tag.removeprefix("W/") for tag in parse_etags(self.none_match)]
            return bool(etag) and ("*" in known or etag.removeprefix("W/") in known)
        if self.modified_since is None or "Last-Modified" not in headers:
            return False
        since = parse_http_date_safe(self.modified_since)
        latest = parse_http_date_safe(headers["Last-Modified"])
        return since is not None and latest is not None and latest <= since

    def applied_to(self, response: HttpResponseBase) -> HttpResponseBase:
        """Return a response that is not kept as the client wants it."""
        if response.status_code == 200 and self.are_met_by(response.headers):
            remove_body(response).status_code = 304
            for name in BODY_HEADERS:
                del response.headers[name]
            return response
        return remove_body(response) if self.is_head else response


def remove_conditions(request: HttpRequest) -> None:
    """Have the whole answer made, whatever part of it is asked for: it is kept."""
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
    request.method = "GET"


def select_not_modified_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that say nothing is new (RFC 9110, section 15.4.5)."""
    return {name: text for name, text in headers.items() if name not in BODY_HEADERS}


def remove_body(response: HttpResponseBase) -> HttpResponseBase:
    """Return the response without its body, which only its length tells of."""
    if isinstance(response, HttpResponse):
        response.headers.setdefault("Content-Length", str(len(response.content)))
        response.content = b""
    elif isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    return response
