"""Whether this process lives and can serve, and how the registry is doing: for its operators."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from prometheus_client import CONTENT_TYPE_LATEST

from registry.database import (
    is_database_unavailable,
    is_lock_error,
    list_pending_migrations,
    probe_writing,
)
from registry.http.cache import MEMORY_KEY, NO_STORE, ResponseCache
from registry.http.metrics import write_metrics
from registry.selectors.service_status import list_status_objects, read_service_status

LIVE_PATH: Final = "/health/live"
READY_PATH: Final = "/health/ready"
STATUS_PATH: Final = "/health/status"
METRICS_PATH: Final = "/health/metrics"
TEXT, JSON = "text/plain", "application/json"
PROBE_SECONDS: Final = 10
"""How often a process that is asked whether it is ready writes to the database."""
OPEN_PATHS: Final = (LIVE_PATH, READY_PATH)
PROTECTED_PATHS: Final = (STATUS_PATH, METRICS_PATH)


class HealthMiddleware:
    """Answers health checks before anything asks for host, TLS or session.

    Operators ask the process at its own address and without TLS. Anybody may ask whether it is live
    and ready, so the answer is a single word. Status and figures require `REGISTRY_STATUS_TOKEN`;
    without it, nothing is found there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.writing = WritingProbe()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer health checks; pass everything else on."""
        if request.path_info not in OPEN_PATHS and not may_read_status(request):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            refusal = build_state("method not allowed", HTTPStatus.METHOD_NOT_ALLOWED)
            refusal.headers["Allow"] = "GET, HEAD"
            return refusal
        if request.path_info == READY_PATH:
            return report_readiness(request, self.writing)
        return ANSWERS[request.path_info](request)


class WritingProbe:
    """Finds out whether the database takes writes by writing, as seldom as once in ten seconds."""

    def __init__(self) -> None:
        self.due, self.is_refused = 0.0, False

    def finds_refusal(self) -> bool:
        """Whether writes are refused, as far as is known; raises no error."""
        now = time.monotonic()
        if now >= self.due:
            self.due = now + PROBE_SECONDS
            try:
                probe_writing()
            except Error as error:
                self.is_refused = not is_lock_error(error)
            else:
                self.is_refused = False
        return self.is_refused


def may_read_status(request: HttpRequest) -> bool:
    """Whether a protected address is requested with the token; never if none is set."""
    token = settings.REGISTRY_STATUS_TOKEN
    if request.path_info not in PROTECTED_PATHS or not token:
        return False
    said = request.headers.get("Authorization", "")
    return hmac.compare_digest(said.encode(), f"Bearer {token}".encode())


def report_liveness(request: HttpRequest) -> HttpResponse:
    """Say that this process answers."""
    return build_state("live")


def report_readiness(request: HttpRequest, writing: WritingProbe) -> HttpResponse:
    """Say that readers are served: the database has this version's tables, or the cache can answer.

    While the database is away, a load balancer that heard otherwise would take out every server,
    although each still serves what it has cached.
    """
    try:
        pending = list_pending_migrations()
    except Error as error:
        if can_answer_from_memory(request, error):
            return build_state("ready, from memory")
        return build_state("database unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    if pending:
        return build_state("migrations pending", HTTPStatus.SERVICE_UNAVAILABLE)
    return build_state("ready, reading only" if writing.finds_refusal() else "ready")


def can_answer_from_memory(request: HttpRequest, error: Error) -> bool:
    """Whether this process has cached public responses, and may serve them in spite of `error`."""
    memory: ResponseCache | None = request.META.get(MEMORY_KEY)
    is_outage = is_database_unavailable(error) or is_lock_error(error)
    return is_outage and memory is not None and memory.can_serve_stale()


def build_state(word: str, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    """Return one line of text that is never stored."""
    headers = {"Cache-Control": NO_STORE, "X-Content-Type-Options": "nosniff"}
    return HttpResponse(
        f"{word}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers
    )


def report_status(request: HttpRequest) -> HttpResponse:
    """Return what `manage.py status` reports; 503 if something needs attention.

    Clients that accept JSON and no text get that.
    """
    lines = list(read_service_status())
    is_wrong = any(each.is_wrong for each in lines)
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_wrong else HTTPStatus.OK
    if request.get_preferred_type([TEXT, JSON]) == JSON:
        response = build_state("", status)
        response.content = f"{json.dumps(list_status_objects(lines), indent=2)}\n".encode()
        response.headers["Content-Type"] = JSON
        return response
    text = "\n".join(f"{'!' if each.is_wrong else ' '} {each.name}: {each.text}" for each in lines)
    return build_state(text, status)


def report_metrics(request: HttpRequest) -> HttpResponse:
    """Return figures for Prometheus."""
    response = build_state("")
    response.content = write_metrics()
    response.headers["Content-Type"] = CONTENT_TYPE_LATEST
    return response


ANSWERS: Final[Mapping[str, Callable[[HttpRequest], HttpResponse]]] = {
    LIVE_PATH: report_liveness,
    STATUS_PATH: report_status,
    METRICS_PATH: report_metrics,
}
