"""Whether this process lives and can serve, and how the registry is: for whoever looks after it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from prometheus_client import CONTENT_TYPE_LATEST

from registry.database import is_database_unavailable, is_lock_error, list_pending_migrations
from registry.http.cache import ResponseCache
from registry.http.cache_policy import NO_STORE
from registry.http.metrics import write_metrics
from registry.selectors.service_status import list_status_objects, read_service_status

LIVE_PATH: Final = "/health/live"
READY_PATH: Final = "/health/ready"
STATUS_PATH: Final = "/health/status"
METRICS_PATH: Final = "/health/metrics"
TEXT, JSON = "text/plain", "application/json"
OPEN_PATHS: Final = (LIVE_PATH, READY_PATH)
PROTECTED_PATHS: Final = (STATUS_PATH, METRICS_PATH)


class HealthMiddleware:
    """Answers what is asked of health before anything asks for host, TLS or session.

    Whoever looks after the process asks it by its own address and without TLS. Anybody may ask
    whether it is live and ready, so that no more is said than a word for each state. Status and
    figures are for whoever says the token of `REGISTRY_STATUS_TOKEN`; others find nothing there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer what is asked of health; have all else answered."""
        if request.path_info not in OPEN_PATHS and not may_read_status(request):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            refusal = build_state("method not allowed", HTTPStatus.METHOD_NOT_ALLOWED)
            refusal.headers["Allow"] = "GET, HEAD"
            return refusal
        return ANSWERS[request.path_info](request)


def may_read_status(request: HttpRequest) -> bool:
    """Whether a protected address is asked for with the token; never while there is none."""
    token = settings.REGISTRY_STATUS_TOKEN
    if request.path_info not in PROTECTED_PATHS or not token:
        return False
    said = request.headers.get("Authorization", "")
    return hmac.compare_digest(said.encode(), f"Bearer {token}".encode())


def report_liveness(request: HttpRequest) -> HttpResponse:
    """Say that this process answers."""
    return build_state("live")


def report_readiness(request: HttpRequest) -> HttpResponse:
    """Say that readers are served: the database has the tables of this version, or memory does.

    While the database is away a load balancer that is told otherwise would take out every server,
    though each of them still gives out what it remembers.
    """
    try:
        pending = list_pending_migrations()
    except Error as error:
        if can_answer_from_memory(request, error):
            return build_state("ready, from memory")
        return build_state("database unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    if pending:
        return build_state("migrations pending", HTTPStatus.SERVICE_UNAVAILABLE)
    return build_state("ready")


def can_answer_from_memory(request: HttpRequest, error: Error) -> bool:
    """Whether this process remembers public answers, and may give them in spite of `error`."""
    memory: ResponseCache | None = vars(request).get("public_memory")
    is_outage = is_database_unavailable(error) or is_lock_error(error)
    return is_outage and memory is not None and memory.can_serve_stale()


def build_state(word: str, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    """Return one line of text that nobody keeps."""
    headers = {"Cache-Control": NO_STORE, "X-Content-Type-Options": "nosniff"}
    return HttpResponse(
        f"{word}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers
    )


def report_status(request: HttpRequest) -> HttpResponse:
    """Say what `manage.py status` does; 503 where something needs somebody.

    Whoever accepts JSON and no text is given that.
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
    READY_PATH: report_readiness,
    STATUS_PATH: report_status,
    METRICS_PATH: report_metrics,
}
