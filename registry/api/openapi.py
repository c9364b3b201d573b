"""Parameters and problems that the OpenAPI descriptions of several addresses share."""

from __future__ import annotations

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

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
READING_PROBLEMS: Final = (400, 401, 404)
"""The problems that reading one thing can meet."""
WRITING_PROBLEMS: Final = (400, 401, 403, 404, 409, 413, 415, 422, 429)
"""The problems that writing can meet."""
EDITING_PROBLEMS: Final = (*WRITING_PROBLEMS, 412, 428)
"""The problems that changing what somebody else may have changed can meet."""


def make_path_parameter(
    name: str, words: str, kind: OpenApiTypes = OpenApiTypes.INT, example: object = 1
) -> OpenApiParameter:
    """Return how a part of an address is described."""
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
