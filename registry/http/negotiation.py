"""Content negotiation for a request: which media type it prefers.

Pages, files, resolution and the API all use `registry.content_negotiation`, which knows the rules
of RFC 9110, section 12.5, but no requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.http import HttpRequest
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from registry.content_negotiation import choose_media_type

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
"""Types by which some ask for pages, not meant by clients that accept any `application/*`."""
JSON: Final = "application/json"
PLAIN_TEXT: Final = "text/plain"
URI_LIST: Final = "text/uri-list"
LINKSET: Final = "application/linkset+json"


def get_accept_header(request: HttpRequest) -> str:
    """Return the media types that the client accepts; without the header it accepts all."""
    return request.headers.get("Accept", "")


def negotiate(request: HttpRequest, offered: Sequence[str]) -> str | None:
    """Return which of the media types `offered` is preferred; None if none is acceptable."""
    return choose_media_type(get_accept_header(request), offered)


class AcceptNegotiation(DefaultContentNegotiation):
    """Chooses renderers of the API in the same way as everything else here.

    The framework itself ignores weights: of `text/plain;q=0.1` and another type it takes the one it
    lists first, and it answers with a type whose weight is zero.
    """

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the preferred renderer and its media type."""
        by_type: dict[str, Any] = {str(each.media_type): each for each in renderers}
        chosen = negotiate(request._request, list(by_type))
        if chosen is None:
            raise NotAcceptable(available_renderers=list(by_type.values()))
        return by_type[chosen], chosen
