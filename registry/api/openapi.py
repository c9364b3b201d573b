"""How the API is described: what all operations share, and common parameters."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS

from registry.api.deprecations import find_deprecation
from registry.api.problems import ProblemDetailsSerializer
from registry.http.problems import PROBLEM_MEDIA_TYPE
from registry.workflow import VERBS

IF_MATCH_PARAMETER: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what was seen.",
    examples=[OpenApiExample("A revision", '"5"')],
)
IDEMPOTENCY_KEY_PARAMETER: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Made by the program: asked twice with one key, it is done once. Kept for a day.",
    examples=[OpenApiExample("A UUID", "8e03978e-40d5-43e8-bc93-6894a57f9324")],
)


def make_path_parameter(
    name: str, words: str, kind: OpenApiTypes = OpenApiTypes.INT, example: object = 1
) -> OpenApiParameter:
    """Return the description of a path parameter."""
    examples = [OpenApiExample(str(example), example)]
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, description=words, examples=examples)


REFERENCE_PARAMETER: Final = make_path_parameter(
    "reference", "Of the request, in any case.", OpenApiTypes.STR, "r-2026-0012"
)
NID_PARAMETER: Final = make_path_parameter(
    "nid", "A registered NID, in any case.", OpenApiTypes.STR, "isbn"
)
VERB_PARAMETER: Final = OpenApiParameter(
    "verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="Of the table."
)
PATH_PARAMETERS: Final = (REFERENCE_PARAMETER, NID_PARAMETER, VERB_PARAMETER)
"""Path parameters that mean the same everywhere."""


class RegistrySchema(AutoSchema):
    """Describes an operation, deriving from its view whatever can be derived."""

    def get_override_parameters(self) -> list[Any]:
        """Return the path parameters, the query parameters, and `Idempotency-Key`."""
        parts = (*PATH_PARAMETERS, *getattr(self.view, "path_parameters", ()))
        described: list[Any] = [each for each in parts if f"{{{each.name}}}" in self.path]
        queries = getattr(self.view, "query_serializers", {})
        if query := queries.get(getattr(self.view, "action", None)):
            described.append(query)
        if self.method not in SAFE_METHODS and getattr(self.view, "answers_once", False):
            described.append(IDEMPOTENCY_KEY_PARAMETER)
        return described

    def is_deprecated(self) -> bool:
        return find_deprecation(self.view, self.method) is not None

    def get_paginated_name(self, serializer_name: str) -> str:
        """Return the name of a paginated list."""
        return f"{serializer_name}List"

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        """Return the responses, with the problems that every operation of this kind can meet."""
        bodies = super()._get_response_bodies(direction)
        for status in self.list_problems():
            response = OpenApiResponse(ProblemDetailsSerializer, HTTPStatus(status).phrase)
            bodies[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                response, str(status), (PROBLEM_MEDIA_TYPE,), direction
            )
        return bodies

    def list_problems(self) -> Iterator[int]:
        """Yield the statuses of refusals that operations need not list themselves."""
        parameters = {(each["in"], each["name"]) for each in self._get_parameters()}
        places = {place for place, _name in parameters}
        is_safe, is_personal = self.method in SAFE_METHODS, bool(self.view.authentication_classes)
        if "path" in places:
            yield 404
        if is_personal:
            yield 401
        if is_safe and "query" in places:
            yield 400
        if not is_safe and (not is_personal or getattr(self.view, "answers_once", False)):
            yield from (400, 413, 415)
        if not is_safe and is_personal:
            yield from (403, 409, 429)
        if not is_safe and getattr(self.view, "answers_once", False):
            yield 422
        if ("header", "If-Match") in parameters:
            yield from (412, 428)
