"""Entity tags: writing requires `If-Match`, and `If-None-Match` saves reading again."""

from __future__ import annotations

import hashlib
import re
from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.problems import PreconditionFailed, PreconditionRequired
from registry.http.conditional_requests import respond_conditionally
from registry.http.problems import respond_with_problem


def make_etag(mark: object) -> str:
    """Return the entity tag of a revision, an edition or another mark of a version."""
    return quote_etag(str(mark))


def apply_if_none_match(request: Request, response: Response) -> HttpResponseBase:
    """Return the response with an entity tag of its content, or 304 if the client has it.

    The tag begins with the mark that writing requires, if any: `"5-…"` is revision 5.
    """
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
        return response
    said: Any = response.render().content
    digest = hashlib.sha256(said).hexdigest()[:20]
    mark = response.headers.get("ETag", "").strip('"')
    if "HTTP_IF_MATCH" in request.META:
        # A compressed response has its own tag (`registry.http.cache`) but the same content.
        request.META["HTTP_IF_MATCH"] = re.sub(r'-(?:br|gzip)"', '"', request.META["HTTP_IF_MATCH"])
    response["ETag"] = make_etag(f"{mark}-{digest}" if mark else digest)
    answer = respond_conditionally(request._request, response)
    if answer.status_code == HTTPStatus.PRECONDITION_FAILED:
        return respond_with_problem(
            answer.status_code, _("This is not, or no longer, what the request names.")
        )
    return answer


def require_if_match(request: Request, current: object) -> None:
    """Refuse callers whose `If-Match` does not name `current`, such as a revision or an edition.

    `If-Match: *` would match anything, so it proves nothing about what the caller saw.
    """
    said = parse_etags(request.headers.get("If-Match", ""))
    if said in ([], ["*"]):
        raise PreconditionRequired
    if str(current) not in {each.strip('"').partition("-")[0] for each in said}:
        raise PreconditionFailed(_("Somebody has acted since you looked. Reload, then decide."))
