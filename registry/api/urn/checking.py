"""Names by the thousand: read from the request line by line, and answered line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, cast

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import UnsupportedMediaType, ValidationError
from rest_framework.request import Request

from registry import desk
from registry.api.problems import refusals
from registry.api.urn.answers import LineSerializer
from registry.api.urn.media import LinesRenderer, PlainJSONRenderer, TextRenderer
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
Read = Callable[[int], bytes]


class CheckView(OpenView):
    """Any number of names, one on each line."""

    renderer_classes = [LinesRenderer, TextRenderer]

    @extend_schema(
        operation_id="urn_check",
        request={TEXT: OpenApiTypes.STR, LINES: OpenApiTypes.STR},
        responses={
            (200, LINES): LineSerializer,
            (200, TEXT): OpenApiTypes.STR,
            **refusals(400, 415),
        },
        parameters=[RULES],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Check names, one on each line, and answer on a line each while they still arrive.

        The body is text (`text/plain`), or JSON lines (`application/x-ndjson`) of strings or of
        objects with the key `urn`; in UTF-8 and of any length, no line longer than 65,536 octets.
        The answer is JSON lines, or text with `Accept: text/plain`: number, answer and detail,
        with tabs between them. It begins before all is sent: read it while you send.

        With `?rules=no` nothing is asked but whether each is a URN, and of which registered
        namespace, which takes a third of the time.
        """
        kind = media_type(request)
        read = body(request)
        registered = desk.known(with_rules=asks_for_rules(request))
        judge = judge_text if kind == TEXT else judge_json
        lines = (judge(number, text, registered) for number, text in desk.numbered(read))
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
    asked = request.query_params.get("rules", "yes")
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


def body(request: Request) -> Read:
    """Return how to read the body a line at a time, whether or not its length was announced."""
    environ = request.META
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body of unannounced length for none; this server says where it ends.
        return cast("Read", environ["wsgi.input"].readline)
    return cast("Read", request._request.readline)


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
