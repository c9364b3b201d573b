"""Questions about URNs, open to everybody: parse, compare, resolve a reference, find, check."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from itertools import islice
from typing import IO, Any, Final, cast

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from registry import inspection, rate_limits
from registry.api.parsers_and_renderers import (
    BodyTooLarge,
    BoundedJSONParser,
    LinesRenderer,
    PlainJSONRenderer,
    TextRenderer,
)
from registry.api.problems import describe_problems
from registry.api.throttling import CheckThrottle
from registry.api.urn_serializers import (
    CompareAnswerSerializer,
    CompareQuestionSerializer,
    FindAnswerSerializer,
    FindQuestionSerializer,
    LineSerializer,
    ParseAnswerSerializer,
    ParseQuestionSerializer,
    ReferenceAnswerSerializer,
    ReferenceQuestionSerializer,
    URNQuestionSerializer,
    read_question_parameters,
)
from registry.api.views import RegistryAPIView
from registry.inspection import (
    MAX_LINE_BYTES,
    CheckedLine,
    RegisteredNids,
)
from registry.urn import find


class PublicAPIView(RegistryAPIView):
    """Asked without account or token, by pages of any site."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []
    parser_classes = [BoundedJSONParser]
    answers_once = False


class QuestionView(PublicAPIView):
    """One question, in the address or as JSON, and the answer to it."""

    question: type[URNQuestionSerializer]

    def asked(self, request: Request) -> Mapping[str, Any]:
        """Return what is asked; raise `ValidationError` where something is missing."""
        is_in_address = request.method in ("GET", "HEAD")
        question = self.question(data=self.in_address(request) if is_in_address else request.data)
        question.is_valid(raise_exception=True)
        return cast("Mapping[str, Any]", question.validated_data)

    def in_address(self, request: Request) -> dict[str, str]:
        """Return what the address asks; raise `ValidationError` where it does not say one thing."""
        names, uris = self.question().fields.keys(), self.question.uris
        return read_question_parameters(request, uris=uris, others=names - uris)

    def answer(self, asked: Mapping[str, Any]) -> serializers.BaseSerializer[Any]:
        """Return the answer to what is asked."""
        raise NotImplementedError

    def reply(self, request: Request) -> Response:
        """Answer what is asked."""
        return Response(self.answer(self.asked(request)).data)


class ParseView(QuestionView):
    """One text, read as a URN."""

    question = ParseQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> ParseAnswerSerializer:
        """Return all there is to say of the text."""
        return ParseAnswerSerializer(
            inspection.inspect_text(asked["urn"]), context={"request": self.request}
        )

    @extend_schema(
        operation_id="urn_parse",
        parameters=[ParseQuestionSerializer],
        responses=ParseAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Read one text as a URN: its parts, what is wrong with it, and where."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_parse_long",
        request=ParseQuestionSerializer,
        responses=ParseAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same of a text that is too long for an address."""
        return self.reply(request)


class CompareView(QuestionView):
    """Two texts, compared as URNs."""

    question = CompareQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> CompareAnswerSerializer:
        """Return whether the two are equivalent, and why."""
        pair = inspection.compare_texts(asked["a"], asked["b"])
        return CompareAnswerSerializer(pair, context={"request": self.request})

    @extend_schema(
        operation_id="urn_compare",
        parameters=[CompareQuestionSerializer],
        responses=CompareAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Compare two URNs by RFC 8141, section 3.1, and apart from it by their namespace."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_compare_long",
        request=CompareQuestionSerializer,
        responses=CompareAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same of texts that are too long for an address."""
        return self.reply(request)


class ReferenceView(QuestionView):
    """A reference, resolved against a base."""

    question = ReferenceQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> ReferenceAnswerSerializer:
        """Return the target, with advice where the base is a URN."""
        return ReferenceAnswerSerializer(inspection.resolve_reference_text(**asked))

    @extend_schema(
        operation_id="urn_resolve_reference",
        parameters=[ReferenceQuestionSerializer],
        responses=ReferenceAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Resolve a reference by RFC 3986, section 5.2, with the advice of RFC 8141 on bases."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_resolve_reference_long",
        request=ReferenceQuestionSerializer,
        responses=ReferenceAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same of texts that are too long for an address."""
        return self.reply(request)


class FindView(QuestionView):
    """URNs and other URIs in running text.

    A long text is as much work as a list of names, and counted as one.
    """

    question = FindQuestionSerializer

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what counts the texts of an address; those that fit into one are free."""
        return [CheckThrottle()] if self.request.method == "POST" else []

    def answer(self, asked: Mapping[str, Any]) -> FindAnswerSerializer:
        """Return what was found, in order; raise `BodyTooLarge` where that is too much."""
        most = rate_limits.MAX_CHECKED_NAMES
        found = list(islice(find(asked["text"]), most + 1))
        if len(found) > most:
            words = _("There are more than %s URIs in the text. Send it in parts.")
            raise BodyTooLarge(words % f"{most:,}")
        return FindAnswerSerializer(
            {"found": found}, context={"known": inspection.read_registered_nids()}
        )

    @extend_schema(
        operation_id="urn_find",
        parameters=[FindQuestionSerializer],
        responses=FindAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Find the URNs and other URIs in running text (RFC 3986, appendix C)."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_find_long",
        request=FindQuestionSerializer,
        responses={200: FindAnswerSerializer, **describe_problems(429)},
    )
    def post(self, request: Request) -> Response:
        """Search a text that is too long for an address.

        Up to 2 MiB of JSON, and 20,000 URIs in it. An address may send so many texts and lists of
        names in a minute; more are told when to come again (429, `Retry-After`).
        """
        return self.reply(request)


TEXT_MEDIA_TYPE: Final = "text/plain"
JSON_LINES_MEDIA_TYPE: Final = "application/x-ndjson"
LINE_WRITERS: Final = {
    JSON_LINES_MEDIA_TYPE: inspection.write_json_lines,
    TEXT_MEDIA_TYPE: inspection.write_lines_text,
}
YES_OR_NO: Final = ("yes", "no")
RULES_PARAMETER: Final = OpenApiParameter(
    "rules",
    enum=YES_OR_NO,
    default="yes",
    description="Whether names are held against the rules of their namespaces.",
)


class CheckView(PublicAPIView):
    """Many names, one on each line."""

    renderer_classes = [LinesRenderer, TextRenderer]
    throttle_classes = [CheckThrottle]

    @extend_schema(
        operation_id="urn_check",
        request={TEXT_MEDIA_TYPE: OpenApiTypes.STR, JSON_LINES_MEDIA_TYPE: OpenApiTypes.STR},
        responses={
            (200, JSON_LINES_MEDIA_TYPE): LineSerializer,
            (200, TEXT_MEDIA_TYPE): OpenApiTypes.STR,
            **describe_problems(429),
        },
        parameters=[RULES_PARAMETER],
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
        kind = read_line_media_type(request)
        body = read_lines_body(request)
        registered = inspection.read_registered_nids(with_rules=asks_for_rules(request))
        judge = check_text_line if kind == TEXT_MEDIA_TYPE else check_json_line
        lines = (
            judge(number, text, registered)
            for number, text in inspection.number_stream_lines(io.BytesIO(body).readline)
        )
        chosen = request.accepted_renderer.media_type
        return StreamingHttpResponse(
            LINE_WRITERS[chosen](lines, registered), content_type=f"{chosen}; charset=utf-8"
        )

    def handle_exception(self, exc: Exception) -> Any:
        """Return what went wrong as JSON, whatever the answer would have been."""
        response = super().handle_exception(exc)
        self.request.accepted_renderer = PlainJSONRenderer()
        self.request.accepted_media_type = PlainJSONRenderer.media_type
        return response


def asks_for_rules(request: Request) -> bool:
    """Whether names are to be held against the rules of their namespaces."""
    asked = read_question_parameters(request, others={"rules"}).get("rules", "yes")
    if asked not in YES_OR_NO:
        raise ValidationError({"rules": [_("This is “yes” or “no”.")]})
    return bool(asked == "yes")


def read_line_media_type(request: Request) -> str:
    """Return which of the two kinds of lines is sent; raise `UnsupportedMediaType` for others."""
    sent = request.content_type or ""
    kind, _semicolon, parameters = sent.partition(";")
    if kind.strip().lower() not in LINE_WRITERS or not is_utf_8_charset(parameters):
        raise UnsupportedMediaType(sent)
    return kind.strip().lower()


def is_utf_8_charset(parameters: str) -> bool:
    """Whether the parameters of a media type leave the text in UTF-8, or a part of it."""
    name, _equals, value = parameters.strip().lower().partition("=")
    return name.strip() != "charset" or value.strip().strip('"') in {"utf-8", "utf8", "us-ascii"}


def read_lines_body(request: Request) -> bytes:
    """Return the body, whether or not its length was announced; raise `ListTooLarge` for too much.

    All is read before anything is answered, since an answer that has begun cannot be a refusal.
    """
    body = open_body(request).read(rate_limits.MAX_CHECKED_OCTETS + 1)
    lines = body.count(b"\n") + (not body.endswith(b"\n"))
    rate_limits.refuse_oversized_check(len(body), lines)
    return body


def open_body(request: Request) -> IO[bytes]:
    """Return the body to be read."""
    environ = request.META
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body of unannounced length for none; this server says where it ends.
        return cast("IO[bytes]", environ["wsgi.input"])
    return cast("IO[bytes]", request._request)


def check_text_line(number: int, text: str | None, registered: RegisteredNids) -> CheckedLine:
    """Return the answer about a line of text, none of which is too long to be read."""
    if text is None:
        most = f"{MAX_LINE_BYTES:,}"
        unread = _("The line has more than %s octets and was not read.") % most
        return CheckedLine(number, "", None, unread=unread)
    return inspection.check_line(number, text, registered)


def check_json_line(number: int, text: str | None, registered: RegisteredNids) -> CheckedLine:
    """Return the answer about the name that a JSON line holds."""
    name = None if text is None else read_json_name(text)
    if text is not None and name is None:
        unread = _("The line is neither a JSON string nor an object with a string as its “urn”.")
        return CheckedLine(number, text, None, unread=unread)
    return check_text_line(number, name, registered)


def read_json_name(text: str) -> str | None:
    """Return the name in a JSON line, none where there is no such thing in it."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = given.get("urn") if isinstance(given, dict) else given
    return name if isinstance(name, str) else None
