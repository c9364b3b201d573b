"""Names by the thousand: read from the request line by line, and answered line by line."""

from __future__ import annotations

import io
import json
from typing import IO, Any, Final, cast

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import UnsupportedMediaType, ValidationError
from rest_framework.request import Request

from registry import check_limits, desk
from registry.api.problems import refusals
from registry.api.throttle import CheckThrottle
from registry.api.urn.answers import LineSerializer
from registry.api.urn.media import LinesRenderer, PlainJSONRenderer, TextRenderer, TooMuch
from registry.api.urn.questions import read_parameters
from registry.api.urn.views import OpenView
from registry.desk import LONGEST, Known, Line

TEXT: Final = "text/plain"
LINES: Final = "application/x-ndjson"
WRITERS: Final = {LINES: desk.as_json_lines, TEXT: desk.as_text}
YES_OR_NO: Final = ("yes", "no")
RULES: Final = OpenApiParameter(
    "rules",
    enum=YES_OR_NO,
    default="yes",
    description="Whether names are held against the rules of their namespaces.",
)


class CheckView(OpenView):
    """Many names, one on each line."""

    renderer_classes = [LinesRenderer, TextRenderer]
    throttle_classes = [CheckThrottle]

    @extend_schema(
        operation_id="urn_check",
        request={TEXT: OpenApiTypes.STR, LINES: OpenApiTypes.STR},
        responses={
            (200, LINES): LineSerializer,
            (200, TEXT): OpenApiTypes.STR,
            **refusals(400, 413, 415, 429),
        },
        parameters=[RULES],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Check names, one on each line, and answer on a line each.

        The body is text (`text/plain`), or JSON lines (`application/x-ndjson`) of strings or of
        objects with the key `urn`; in UTF-8, up to 20,000 lines and 2 MiB, of which no line is
        longer than 65,536 octets. More is refused with 413: send it in parts, or run `python -m
        registry.urn check` on your own machine. An address that sends many lists within a minute
        is told when to send the next (429, `Retry-After`). The answer is JSON lines, or text with
        `Accept: text/plain`: number, answer and detail, with tabs between them.

        Which registered NIDs resemble one that nobody has registered is said of the first 500
        different ones; of others `near` is null.

        With `?rules=no` nothing is asked but whether each is a URN, and of which registered
        namespace, which takes a third of the time.
        """
        kind = media_type(request)
        body = read_body(request)
        registered = desk.known(with_rules=asks_for_rules(request))
        judge = judge_text if kind == TEXT else judge_json
        lines = (
            judge(number, text, registered)
            for number, text in desk.numbered(io.BytesIO(body).readline)
        )
        chosen = request.accepted_renderer.media_type
        return StreamingHttpResponse(
            WRITERS[chosen](lines, registered), content_type=f"{chosen}; charset=utf-8"
        )

    def handle_exception(self, exc: Exception) -> Any:
        """Return what went wrong as JSON, whatever the answer would have been."""
        response = super().handle_exception(exc)
        self.request.accepted_renderer = PlainJSONRenderer()
        self.request.accepted_media_type = PlainJSONRenderer.media_type
        return response


def asks_for_rules(request: Request) -> bool:
    """Whether names are to be held against the rules of their namespaces."""
    asked = read_parameters(request, others={"rules"}).get("rules", "yes")
    if asked not in YES_OR_NO:
        raise ValidationError({"rules": [_("This is “yes” or “no”.")]})
    return bool(asked == "yes")


def media_type(request: Request) -> str:
    """Return which of the two kinds of lines is sent; raise `UnsupportedMediaType` for others."""
    sent = request.content_type or ""
    kind, _semicolon, parameters = sent.partition(";")
    if kind.strip().lower() not in WRITERS or not is_utf_8(parameters):
        raise UnsupportedMediaType(sent)
    return kind.strip().lower()


def is_utf_8(parameters: str) -> bool:
    """Whether the parameters of a media type leave the text in UTF-8, or a part of it."""
    name, _equals, value = parameters.strip().lower().partition("=")
    return name.strip() != "charset" or value.strip().strip('"') in {"utf-8", "utf8", "us-ascii"}


def read_body(request: Request) -> bytes:
    """Return the body, whether or not its length was announced; raise `TooMuch` for too much.

    All is read before anything is answered, since an answer that has begun cannot be a refusal.
    """
    try:
        body = stream_of(request).read(check_limits.MAX_OCTETS + 1)
        lines = body.count(b"\n") + (not body.endswith(b"\n"))
        check_limits.refuse_too_large(len(body), lines)
    except check_limits.TooLarge as refusal:
        raise TooMuch(str(refusal)) from None
    return body


def stream_of(request: Request) -> IO[bytes]:
    """Return the body to be read."""
    environ = request.META
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body of unannounced length for none; this server says where it ends.
        return cast("IO[bytes]", environ["wsgi.input"])
    return cast("IO[bytes]", request._request)


def judge_text(number: int, text: str | None, registered: Known) -> Line:
    """Return the answer about a line of text, none of which is too long to be read."""
    if text is None:
        most = f"{LONGEST:,}"
        unread = _("The line has more than %s octets and was not read.") % most
        return Line(number, "", None, unread=unread)
    return desk.judge(number, text, registered)


def judge_json(number: int, text: str | None, registered: Known) -> Line:
    """Return the answer about the name that a JSON line holds."""
    name = None if text is None else named(text)
    if text is not None and name is None:
        unread = _("The line is neither a JSON string nor an object with a string as its “urn”.")
        return Line(number, text, None, unread=unread)
    return judge_text(number, name, registered)


def named(text: str) -> str | None:
    """Return the name in a JSON line, none where there is no such thing in it."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = given.get("urn") if isinstance(given, dict) else given
    return name if isinstance(name, str) else None
