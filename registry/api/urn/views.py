"""Questions about URNs, open to everyone and from every site; nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from registry import check_limits, desk
from registry.api.door import Door
from registry.api.problems import refusals
from registry.api.throttle import CheckThrottle
from registry.api.urn.answers import (
    CompareAnswerSerializer,
    FindAnswerSerializer,
    ParseAnswerSerializer,
    ReferenceAnswerSerializer,
)
from registry.api.urn.media import BoundedJSONParser, TooMuch
from registry.api.urn.questions import (
    CompareQuestion,
    FindQuestion,
    ParseQuestion,
    Question,
    ReferenceQuestion,
    read_parameters,
)
from registry.urn import find

REFUSED: Final = refusals(400)
REFUSED_LONG: Final = refusals(400, 413, 415)


class OpenView(Door):
    """Asked without account or token, by pages of any site."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []
    parser_classes = [BoundedJSONParser]
    answers_once = False


class QuestionView(OpenView):
    """One question, in the address or as JSON, and the answer to it."""

    question: type[Question]

    def asked(self, request: Request) -> Mapping[str, Any]:
        """Return what is asked; raise `ValidationError` where something is missing."""
        is_in_address = request.method in ("GET", "HEAD")
        question = self.question(data=self.in_address(request) if is_in_address else request.data)
        question.is_valid(raise_exception=True)
        return cast("Mapping[str, Any]", question.validated_data)

    def in_address(self, request: Request) -> dict[str, str]:
        """Return what the address asks; raise `ValidationError` where it does not say one thing."""
        names, uris = self.question().fields.keys(), self.question.uris
        return read_parameters(request, uris=uris, others=names - uris)

    def answer(self, asked: Mapping[str, Any]) -> serializers.BaseSerializer[Any]:
        """Return the answer to what is asked."""
        raise NotImplementedError

    def reply(self, request: Request) -> Response:
        """Answer what is asked."""
        return Response(self.answer(self.asked(request)).data)


class ParseView(QuestionView):
    """One text, read as a URN."""

    question = ParseQuestion

    def answer(self, asked: Mapping[str, Any]) -> ParseAnswerSerializer:
        """Return all there is to say of the text."""
        return ParseAnswerSerializer(desk.inspect(asked["urn"]), context={"request": self.request})

    @extend_schema(
        operation_id="urn_parse",
        parameters=[ParseQuestion],
        responses={200: ParseAnswerSerializer, **REFUSED},
    )
    def get(self, request: Request) -> Response:
        """Read one text as a URN: its parts, what is wrong with it, and where."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_parse_long",
        request=ParseQuestion,
        responses={200: ParseAnswerSerializer, **REFUSED_LONG},
    )
    def post(self, request: Request) -> Response:
        """Ask the same of a text that is too long for an address."""
        return self.reply(request)


class CompareView(QuestionView):
    """Two texts, compared as URNs."""

    question = CompareQuestion

    def answer(self, asked: Mapping[str, Any]) -> CompareAnswerSerializer:
        """Return whether the two are equivalent, and why."""
        pair = desk.compare(asked["a"], asked["b"])
        return CompareAnswerSerializer(pair, context={"request": self.request})

    @extend_schema(
        operation_id="urn_compare",
        parameters=[CompareQuestion],
        responses={200: CompareAnswerSerializer, **REFUSED},
    )
    def get(self, request: Request) -> Response:
        """Compare two URNs by RFC 8141, section 3.1, and apart from it by their namespace."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_compare_long",
        request=CompareQuestion,
        responses={200: CompareAnswerSerializer, **REFUSED_LONG},
    )
    def post(self, request: Request) -> Response:
        """Ask the same of texts that are too long for an address."""
        return self.reply(request)


class ReferenceView(QuestionView):
    """A reference, resolved against a base."""

    question = ReferenceQuestion

    def answer(self, asked: Mapping[str, Any]) -> ReferenceAnswerSerializer:
        """Return the target, with advice where the base is a URN."""
        return ReferenceAnswerSerializer(desk.resolve(**asked))

    @extend_schema(
        operation_id="urn_resolve_reference",
        parameters=[ReferenceQuestion],
        responses={200: ReferenceAnswerSerializer, **REFUSED},
    )
    def get(self, request: Request) -> Response:
        """Resolve a reference by RFC 3986, section 5.2, with the advice of RFC 8141 on bases."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_resolve_reference_long",
        request=ReferenceQuestion,
        responses={200: ReferenceAnswerSerializer, **REFUSED_LONG},
    )
    def post(self, request: Request) -> Response:
        """Ask the same of texts that are too long for an address."""
        return self.reply(request)


class FindView(QuestionView):
    """URNs and other URIs in running text.

    A long text is as much work as a list of names, and counted as one.
    """

    question = FindQuestion

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what counts the texts of an address; those that fit into one are free."""
        return [CheckThrottle()] if self.request.method == "POST" else []

    def answer(self, asked: Mapping[str, Any]) -> FindAnswerSerializer:
        """Return what was found, in order; raise `TooMuch` where that would be a long answer."""
        most = check_limits.MAX_NAMES
        found = list(islice(find(asked["text"]), most + 1))
        if len(found) > most:
            words = _("There are more than %s URIs in the text. Send it in parts.")
            raise TooMuch(words % f"{most:,}")
        return FindAnswerSerializer({"found": found}, context={"known": desk.known()})

    @extend_schema(
        operation_id="urn_find",
        parameters=[FindQuestion],
        responses={200: FindAnswerSerializer, **REFUSED},
    )
    def get(self, request: Request) -> Response:
        """Find the URNs and other URIs in running text (RFC 3986, appendix C)."""
        return self.reply(request)

    @extend_schema(
        operation_id="urn_find_long",
        request=FindQuestion,
        responses={200: FindAnswerSerializer, **REFUSED_LONG, **refusals(429)},
    )
    def post(self, request: Request) -> Response:
        """Search a text that is too long for an address.

        Up to 2 MiB of JSON, and 20,000 URIs in it. An address may send so many texts and lists of
        names in a minute; more are told when to come again (429, `Retry-After`).
        """
        return self.reply(request)
