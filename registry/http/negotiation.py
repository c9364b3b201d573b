"""Content negotiation with a request: which media type it would rather have.

Pages, files, resolution and the API all ask `registry.content_negotiation`, which knows the rules
of RFC 9110, section 12.5, and no request.
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
"""By which some ask for pages; where any kind of application will do, it is not meant."""
JSON: Final = "application/json"
PLAIN_TEXT: Final = "text/plain"
URI_LIST: Final = "text/uri-list"
LINKSET: Final = "application/linkset+json"


def get_accept_header(request: HttpRequest) -> str:
    """Return which media types the client takes; one that does not say takes all."""
    return request.headers.get("Accept", "")


def negotiate(request: HttpRequest, offered: Sequence[str]) -> str | None:
    """Return which of the media types `offered` is wanted most, none where none will do."""
    return choose_media_type(get_accept_header(request), offered)


class AcceptNegotiation(DefaultContentNegotiation):
    """Chooses renderers of the API as everything else here is chosen.

    The framework's own way does not look at weights: of `text/plain;q=0.1` and another type it
    takes what it lists first, and it answers in what has the weight of nothing.
    """

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer that is wanted most, and its media type."""
        by_type: dict[str, Any] = {str(each.media_type): each for each in renderers}
        chosen = negotiate(request._request, list(by_type))
        if chosen is None:
            raise NotAcceptable(available_renderers=list(by_type.values()))
        return by_type[chosen], chosen
