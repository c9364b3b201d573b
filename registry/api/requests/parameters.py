"""Parameters and problems that addresses of requests share."""

from __future__ import annotations

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from registry.workflow import VERBS

REFERENCE: Final = OpenApiParameter(
    "reference", OpenApiTypes.STR, OpenApiParameter.PATH, description="In any case."
)
VERB: Final = OpenApiParameter(
    "verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="Of the table."
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what was seen.",
)
KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Made by the program: asked twice with one key, it is done once. Kept for a day.",
)
WRITING: Final = (400, 401, 403, 404, 409, 413, 415, 422, 429)
"""The problems that writing can meet."""
