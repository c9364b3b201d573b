"""What programs are told when something is refused: problem details (RFC 9457), never a page."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse, JsonResponse
from django.utils.functional import Promise

from registry.http.cors import allow_any_origin

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
UNTYPED_PROBLEM: Final = "about:blank"
"""The type of a problem that its status says already (RFC 9457, section 4.2.1)."""
JSON_ENDINGS: Final = frozenset({"json", "jsonld"})


def make_problem(
    status: int,
    detail: str,
    *,
    type_uri: str = UNTYPED_PROBLEM,
    title: str | Promise = "",
    **members: Any,
) -> dict[str, Any]:
    """Return problem details; without a type of its own, a problem has its status as title."""
    return {
        "type": type_uri,
        "title": title or HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        **members,
    }


def respond_with_problem(status: int, detail: str, **members: Any) -> HttpResponse:
    """Return a response with the problem details that `make_problem` makes of the same."""
    return JsonResponse(
        make_problem(status, detail, **members), status=status, content_type=PROBLEM_MEDIA_TYPE
    )


def build_refusal(ending: str, status: int, detail: str) -> HttpResponse:
    """Return a refusal in the manner of a format: problem details, or a line of text."""
    if ending in JSON_ENDINGS:
        return allow_any_origin(respond_with_problem(status, detail))
    line = f"{HTTPStatus(status).phrase}. {detail}\n"
    return allow_any_origin(
        HttpResponse(line, status=status, content_type="text/plain; charset=utf-8")
    )
