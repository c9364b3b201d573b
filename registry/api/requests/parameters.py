"""Parameters that addresses of requests alone have."""

from __future__ import annotations

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from registry.workflow import VERBS

VERB: Final = OpenApiParameter(
    "verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="Of the table."
)
