"""Parameters and problems that addresses share."""

from __future__ import annotations

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

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
READING: Final = (400, 401, 404)
"""The problems that reading one thing can meet."""
WRITING: Final = (400, 401, 403, 404, 409, 413, 415, 422, 429)
"""The problems that writing can meet."""
EDITING: Final = (*WRITING, 412, 428)
"""The problems that changing what somebody else may have changed can meet."""


def in_path(name: str, words: str, kind: OpenApiTypes = OpenApiTypes.INT) -> OpenApiParameter:
    """Return how a part of an address is described."""
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, description=words)


REFERENCE: Final = in_path("reference", "Of the request, in any case.", OpenApiTypes.STR)
NID: Final = in_path("nid", "A registered NID, in any case.", OpenApiTypes.STR)
