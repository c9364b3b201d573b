"""What programs ask. A malformed URN is a good question; a missing one is not."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(OpenApiTypes.STR)
class AnyText(serializers.Field[str, str, str, Any]):
    """Text exactly as it was sent: nothing is trimmed or refused in it."""

    default_error_messages = {"invalid": _("This is not a string.")}

    def to_internal_value(self, data: str) -> str:
        """Return `data` if it is text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return data

    def to_representation(self, value: str) -> str:
        """Return the text."""
        return value


class ParseQuestion(serializers.Serializer[Any]):
    """A text to read as a URN."""

    urn = AnyText(help_text="The text to read, whatever it is.")


class CompareQuestion(serializers.Serializer[Any]):
    """Two texts to compare as URNs."""

    a = AnyText(help_text="The first text.")
    b = AnyText(help_text="The second text.")


class ReferenceQuestion(serializers.Serializer[Any]):
    """A reference and its base."""

    base = AnyText(help_text="The base URI, with its scheme.")
    reference = AnyText(help_text="The reference, relative or not.")
    strict = serializers.BooleanField(
        default=True,
        help_text="If false, a scheme in the reference that is the base's is passed over.",
    )


class FindQuestion(serializers.Serializer[Any]):
    """Running text to search."""

    text = AnyText(help_text="The text in which to find URNs and other URIs.")
