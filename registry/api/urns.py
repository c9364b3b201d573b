"""Questions about URNs and URIs, open to everyone: all that the library answers."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from http import HTTPStatus
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

from registry import inspection, rate_limits, selectors
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
    BuildAnswerSerializer,
    BuildQuestionSerializer,
    CompareAnswerSerializer,
    CompareQuestionSerializer,
    ConvertAnswerSerializer,
    ConvertQuestionSerializer,
    FindAnswerSerializer,
    FindQuestionSerializer,
    IdentifierAnswerSerializer,
    IdentifierQuestionSerializer,
    LineSerializer,
    LocateQuestionSerializer,
    LocatorAnswerSerializer,
    NormalizeQuestionSerializer,
    ParseAnswerSerializer,
    ParseQuestionSerializer,
    ReferenceAnswerSerializer,
    ReferenceQuestionSerializer,
    ResolvedLineSerializer,
    URIAnswerSerializer,
    URNQuestionSerializer,
    ValidateQuestionSerializer,
    read_question_parameters,
)
from registry.api.views import RegistryAPIView
from registry.inspection import (
    MAX_LINE_BYTES,
    CheckedLine,
    RegisteredNids,
)
from registry.presenters.resolution import (
    NamespaceLookup,
    ResolvedLine,
    resolve_name,
    serialize_resolved_line,
)
from registry.resolution import find_resolvable_namespace
from registry.urn import Severity, find, nid as nids, spec, uri


class PublicAPIView(RegistryAPIView):
    """Called without account or token, by pages of any site."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []
    parser_classes = [BoundedJSONParser]
    answers_once = False


class QuestionView(PublicAPIView):
    """One question, in the address or as JSON, and the answer to it."""

    question: type[URNQuestionSerializer]

    def asked(self, request: Request) -> Mapping[str, Any]:
        """Return the question; raise `ValidationError` if something is missing."""
        is_in_address = request.method in ("GET", "HEAD")
        question = self.question(data=self.in_address(request) if is_in_address else request.data)
        question.is_valid(raise_exception=True)
        return cast("Mapping[str, Any]", question.validated_data)

    def in_address(self, request: Request) -> dict[str, str]:
        """Return the question in the address; raise `ValidationError` if it is ambiguous."""
        names, uris = self.question().fields.keys(), self.question.uris
        return read_question_parameters(request, uris=uris, others=names - uris)

    def answer(self, asked: Mapping[str, Any]) -> serializers.BaseSerializer[Any]:
        """Return the answer to the question."""
        raise NotImplementedError

    def reply(self, request: Request) -> Response:
        """Return the response to the question."""
        return Response(self.answer(self.asked(request)).data)


class ParseView(QuestionView):
    """One text, read as a URN."""

    question = ParseQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> ParseAnswerSerializer:
        """Return everything there is to say about the text."""
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
        """Ask the same about a text that is too long for an address."""
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
        """Compare two URNs by RFC 8141, section 3.1, and separately by their namespace."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_compare_long",
        request=CompareQuestionSerializer,
        responses=CompareAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same about texts that are too long for an address."""
        return self.reply(request)


class ReferenceView(QuestionView):
    """A reference, resolved against a base."""

    question = ReferenceQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> ReferenceAnswerSerializer:
        """Return the target, with advice if the base is a URN."""
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
        """Ask the same about texts that are too long for an address."""
        return self.reply(request)


class NormalizeView(QuestionView):
    """A URN or URI in its normal form."""

    question = NormalizeQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> URIAnswerSerializer:
        """Return what it is, and its form on the requested rung."""
        return URIAnswerSerializer(inspection.read_uri(asked["uri"], rung=uri.Rung(asked["rung"])))

    @extend_schema(
        operation_id="urn_normalize",
        parameters=[NormalizeQuestionSerializer],
        responses=URIAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Normalize a URN (RFC 8141, section 3.1) or another URI (RFC 3986, section 6.2)."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_normalize_long",
        request=NormalizeQuestionSerializer,
        responses=URIAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same about a text that is too long for an address."""
        return self.reply(request)


class ValidateView(QuestionView):
    """A text as a URI of any scheme."""

    question = ValidateQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> URIAnswerSerializer:
        """Return whether it is what was asked for, its parts, and what kind of host it names."""
        return URIAnswerSerializer(inspection.read_uri(asked["uri"], asked["form"]))

    @extend_schema(
        operation_id="urn_validate",
        parameters=[ValidateQuestionSerializer],
        responses=URIAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Read a text as a URI, a reference or an absolute URI (RFC 3986, section 4)."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_validate_long",
        request=ValidateQuestionSerializer,
        responses=URIAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same about a text that is too long for an address."""
        return self.reply(request)


class ConvertView(QuestionView):
    """A text of an earlier specification, converted to RFC 8141."""

    question = ConvertQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> ConvertAnswerSerializer:
        """Return the URN, or the reason why the text is not one."""
        return ConvertAnswerSerializer(inspection.convert_text(asked["urn"], asked["by"]))

    @extend_schema(
        operation_id="urn_convert",
        parameters=[ConvertQuestionSerializer],
        responses=ConvertAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Convert an earlier specification's syntax to RFC 8141: `?q` to `?=q`, `??r` to `?+r`."""
        return self.reply(request)


class BuildView(QuestionView):
    """The URN of a name that is not encoded yet."""

    question = BuildQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> BuildAnswerSerializer:
        """Return the URN, or the reason why the parts do not make one."""
        return BuildAnswerSerializer(inspection.build_urn(**asked))

    @extend_schema(
        operation_id="urn_build",
        parameters=[BuildQuestionSerializer],
        responses=BuildAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Build a URN that follows the rule of its namespace; other characters are encoded."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_build_long",
        request=BuildQuestionSerializer,
        responses=BuildAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask the same about parts that are too long for an address."""
        return self.reply(request)


class LocateView(QuestionView):
    """A locator by the draft of 1993."""

    question = LocateQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> LocatorAnswerSerializer:
        """Return its parts, or the reason why the text is not one."""
        try:
            located = uri.parse_locator(asked["uri"])
        except uri.URISyntaxError as error:
            return LocatorAnswerSerializer({"located": None, "problem": error.with_traceback(None)})
        return LocatorAnswerSerializer({"located": located, "problem": None})

    @extend_schema(
        operation_id="urn_locate",
        parameters=[LocateQuestionSerializer],
        responses=LocatorAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Split a locator into parts by the draft on Uniform Resource Locators of 1993."""
        return self.reply(request)


class IdentifierView(QuestionView):
    """An identifier of a namespace, and the rules by which one may be registered."""

    question = IdentifierQuestionSerializer

    def answer(self, asked: Mapping[str, Any]) -> IdentifierAnswerSerializer:
        """Return every hard rule that it breaks, and what could be registered instead; if none,
        what there is to consider.
        """
        findings = selectors.list_nid_findings(asked["nid"])
        is_barred = any(finding.severity is Severity.BLOCK for finding in findings)
        return IdentifierAnswerSerializer(
            {
                "nid": asked["nid"],
                "kind": nids.kind(asked["nid"]),
                "findings": findings,
                "suggestions": nids.suggestions(asked["nid"], selectors.NidLookup())
                if is_barred
                else (),
            }
        )

    @extend_schema(
        operation_id="urn_check_identifier",
        parameters=[IdentifierQuestionSerializer],
        responses=IdentifierAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        """Ask whether an identifier may be registered (RFC 8141, sections 2 and 5.1)."""
        return self.reply(request)


class FindView(QuestionView):
    """URNs and other URIs in running text.

    A long text is as much work as a list of names, and counts as one.
    """

    question = FindQuestionSerializer

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the throttle for posted texts; those that fit into an address are free."""
        return [CheckThrottle()] if self.request.method == "POST" else []

    def answer(self, asked: Mapping[str, Any]) -> FindAnswerSerializer:
        """Return what was found, in order; raise `BodyTooLarge` if it is too much."""
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

        Up to 2 MiB of JSON, with up to 20,000 URIs. The processor time per minute in which texts
        and lists of names are read is limited for each network address; over the limit the answer
        says when to try again (429, `Retry-After`).
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


RESOLVED_SERVICES: Final = tuple(each for each in spec.SERVICE_DESIGNATORS if each != "I=I")
SERVICE_PARAMETER: Final = OpenApiParameter(
    "service",
    enum=RESOLVED_SERVICES,
    description="What is wanted of each name (RFC 2483); what its namespace has first, usually.",
)


class LinesAPIView(PublicAPIView):
    """Many names, one per line, answered line by line."""

    renderer_classes = [LinesRenderer, TextRenderer]
    throttle_classes = [CheckThrottle]

    def handle_exception(self, exc: Exception) -> Any:
        """Return errors as JSON, whatever the format of the answer."""
        response = super().handle_exception(exc)
        self.request.accepted_renderer = PlainJSONRenderer()
        self.request.accepted_media_type = PlainJSONRenderer.media_type
        return response


class CheckView(LinesAPIView):
    """Many names, one per line, and what is wrong with each."""

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
        """Check names, one per line, and answer with one line each.

        The body is text (`text/plain`), or JSON lines (`application/x-ndjson`) of strings or of
        objects with the key `urn`; in UTF-8, up to 20,000 lines and 2 MiB, and no line longer than
        65,536 octets. More is refused with 413: send it in parts, or run `python -m registry.urn
        check` on your own machine. The processor time per minute is limited, and `RateLimit`
        says how many milliseconds are left; over the limit the answer says when to send the next
        list (429, `Retry-After`). The answer is JSON lines, or text
        with `Accept: text/plain`: number, answer and detail, separated by tabs.

        Similar registered NIDs are listed for the first 500 different unregistered ones; for others
        `near` is null.

        With `?rules=no` the answer only says whether each is a URN, and of which registered
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


class ResolveView(LinesAPIView):
    """Many names, one per line, and where each of them leads."""

    @extend_schema(
        operation_id="urn_resolve",
        request={TEXT_MEDIA_TYPE: OpenApiTypes.STR, JSON_LINES_MEDIA_TYPE: OpenApiTypes.STR},
        responses={
            (200, JSON_LINES_MEDIA_TYPE): ResolvedLineSerializer,
            (200, TEXT_MEDIA_TYPE): OpenApiTypes.STR,
            **describe_problems(429),
        },
        parameters=[SERVICE_PARAMETER],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Resolve many names, one per line, and answer with one line each.

        It takes the same input as `urn/check/`, with the same limits, and counts together with it.
        Each line gets the answer of `/resolve/` for its name: `status` is the status there,
        `targets` are the addresses, best first, and `type` is the kind of refusal if there are
        none. No other server is contacted. With `Accept: text/plain` each line has number, status
        and the best address, separated by tabs. The answer begins before all names are looked up.
        """
        kind = read_line_media_type(request)
        wanted = read_wanted_service(request)
        read = read_text_name if kind == TEXT_MEDIA_TYPE else read_json_name
        version = selectors.find_registry_version()
        find = cache(partial(find_resolvable_namespace, version=version))
        numbered = inspection.number_stream_lines(io.BytesIO(read_lines_body(request)).readline)
        lines = (
            resolve_line(number, None if text is None else read(text), wanted, find)
            for number, text in numbered
        )
        chosen = request.accepted_renderer.media_type
        return StreamingHttpResponse(
            RESOLVED_LINE_WRITERS[chosen](lines), content_type=f"{chosen}; charset=utf-8"
        )


def read_wanted_service(request: Request) -> str:
    """Return the requested service, or empty for the first of each namespace."""
    asked = read_question_parameters(request, others={"service"}).get("service", "")
    if asked and asked not in RESOLVED_SERVICES:
        words = _("There is no service with this name. There are: %s.")
        raise ValidationError({"service": [words % ", ".join(RESOLVED_SERVICES)]})
    return asked


def read_text_name(text: str) -> str:
    """Return the name in a line of text."""
    return text.strip()


def resolve_line(
    number: int, name: str | None, service: str, find: NamespaceLookup
) -> ResolvedLine:
    """Return where the name on a line leads."""
    if name is None:
        return ResolvedLine(number, None, HTTPStatus.BAD_REQUEST, "malformed")
    return resolve_name(number, name, service, find)


def write_resolved_json(lines: Iterable[ResolvedLine]) -> Iterator[str]:
    """Yield one JSON object per line."""
    return (f"{json.dumps(serialize_resolved_line(line))}\n" for line in lines)


def write_resolved_text(lines: Iterable[ResolvedLine]) -> Iterator[str]:
    """Yield each line's number, status and best address or refusal, separated by tabs."""
    for line in lines:
        answer = line.targets[0].address if line.targets else line.kind
        yield f"{line.number}\t{line.status:d}\t{answer}\n"


RESOLVED_LINE_WRITERS: Final = {
    JSON_LINES_MEDIA_TYPE: write_resolved_json,
    TEXT_MEDIA_TYPE: write_resolved_text,
}


def asks_for_rules(request: Request) -> bool:
    """Whether to check names against the rules of their namespaces."""
    asked = read_question_parameters(request, others={"rules"}).get("rules", "yes")
    if asked not in YES_OR_NO:
        raise ValidationError({"rules": [_("This is “yes” or “no”.")]})
    return bool(asked == "yes")


def read_line_media_type(request: Request) -> str:
    """Return which media type of lines was sent; raise `UnsupportedMediaType` for others."""
    sent = request.content_type or ""
    kind, _semicolon, parameters = sent.partition(";")
    if kind.strip().lower() not in LINE_WRITERS or not is_utf_8_charset(parameters):
        raise UnsupportedMediaType(sent)
    return kind.strip().lower()


def is_utf_8_charset(parameters: str) -> bool:
    """Whether a media type's parameters allow UTF-8, or a subset of it."""
    name, _equals, value = parameters.strip().lower().partition("=")
    return name.strip() != "charset" or value.strip().strip('"') in {"utf-8", "utf8", "us-ascii"}


def read_lines_body(request: Request) -> bytes:
    """Return the body, whether or not its length was announced; raise `ListTooLarge` for too much.

    It is all read before anything is answered, since a response that has begun cannot be refused.
    """
    body = open_body(request).read(rate_limits.MAX_CHECKED_OCTETS + 1)
    lines = body.count(b"\n") + (not body.endswith(b"\n"))
    rate_limits.refuse_oversized_check(len(body), lines)
    return body


def open_body(request: Request) -> IO[bytes]:
    """Return the body as a stream."""
    environ = request.META
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body without a length for empty; this server says where it ends.
        return cast("IO[bytes]", environ["wsgi.input"])
    return cast("IO[bytes]", request._request)


def check_text_line(number: int, text: str | None, registered: RegisteredNids) -> CheckedLine:
    """Return the answer for a line of text; none is too long to read."""
    if text is None:
        most = f"{MAX_LINE_BYTES:,}"
        unread = _("The line is longer than %s bytes and was not read.") % most
        return CheckedLine(number, "", None, unread=unread)
    return inspection.check_line(number, text, registered)


def check_json_line(number: int, text: str | None, registered: RegisteredNids) -> CheckedLine:
    """Return the answer for the name in a JSON line."""
    name = None if text is None else read_json_name(text)
    if text is not None and name is None:
        unread = _("The line is neither a JSON string nor an object with a string as its “urn”.")
        return CheckedLine(number, text, None, unread=unread)
    return check_text_line(number, name, registered)


def read_json_name(text: str) -> str | None:
    """Return the name in a JSON line, or None if it has none."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = given.get("urn") if isinstance(given, dict) else given
    return name if isinstance(name, str) else None
