"""The WSGI handler: cached responses are sent before Django looks at the request."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse

from django.core.handlers.wsgi import WSGIHandler
from django.db import connection

from registry.http.cache import ResponseCache, ServedResponse
from registry.http.cache_policy import is_cacheable_request
from registry.http.middleware import find_cached_response


class CachingWSGIHandler:
    """Django's handler, with a shortcut for what its first middleware would answer."""

    def __init__(self) -> None:
        self.handler = WSGIHandler()
        first = getattr(getattr(self.handler, "_middleware_chain", None), "__wrapped__", None)
        self.memory: ResponseCache | None = getattr(first, "memory", None)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        given = self.known(environ)
        if given is None:
            return self.handler(environ, start_response)
        status = f"{given.status} {HTTPStatus(given.status).phrase}"
        start_response(status, list(given.headers.items()))
        return [given.body]

    def known(self, environ: dict[str, Any]) -> ServedResponse | None:
        """Return what is cached for the request; None if anything is in the way."""
        memory = self.memory
        if memory is None or not is_cacheable_request(environ):
            return None
        # Django does this at the start of each request.
        connection.close_if_unusable_or_obsolete()
        return find_cached_response(memory, environ)
