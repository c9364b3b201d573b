"""Counts the processor time of requests whose sender has only so much of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse

from registry.rate_limits import CHECK_USAGE, LimitUsage, count_processor_time


class ProcessorTimeMiddleware:
    """Counts what a request that began a check took, until the last octet was made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = time.thread_time()
        response = self.get_response(request)
        usage = request.META.get(CHECK_USAGE)
        if usage is None:
            return response
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = count_stream(iter(response), usage, begun)
        else:
            settle_usage(usage, begun)
        return response


def count_stream(
    pieces: Iterator[bytes], usage: LimitUsage, begun: float
) -> Generator[bytes, None, None]:
    """Yield the pieces, and count what the request took when they end or nobody reads on."""
    try:
        yield from pieces
    finally:
        settle_usage(usage, begun)


def settle_usage(usage: LimitUsage, begun: float) -> None:
    """Count the time since `begun`; in an outage, what was reserved stays counted."""
    with suppress(DatabaseError):
        count_processor_time(usage, time.thread_time() - begun)
