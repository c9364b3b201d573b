"""What programs ask. A malformed URN is a good question; a missing one is not."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from registry.query_string import QueryStringError, read_query


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


class Question(serializers.Serializer[Any]):
    """A question; `uris` are those of its parameters in which a `+` is a plus."""

    uris: ClassVar[frozenset[str]] = frozenset()


class ParseQuestion(Question):
    """A text to read as a URN."""

    uris = frozenset({"urn"})

    urn = AnyText(help_text="The text to read, whatever it is; percent-encode it in an address.")


class CompareQuestion(Question):
    """Two texts to compare as URNs."""

    uris = frozenset({"a", "b"})

    a = AnyText(help_text="The first text.")
    b = AnyText(help_text="The second text.")


class ReferenceQuestion(Question):
    """A reference and its base."""

    uris = frozenset({"base", "reference"})

    base = AnyText(help_text="The base URI, with its scheme.")
    reference = AnyText(help_text="The reference, relative or not.")
    strict = serializers.BooleanField(
        default=True,
        help_text="If false, a scheme in the reference that is the base's is passed over.",
    )


class FindQuestion(Question):
    """Running text to search."""

    text = AnyText(help_text="The text in which to find URNs and other URIs.")


def read_parameters(
    request: Request, *, uris: Set[str] = frozenset(), others: Set[str] = frozenset()
) -> dict[str, str]:
    """Return the parameters of the address; raise `ValidationError` for any that is doubtful."""
    try:
        return read_query(request.META.get("QUERY_STRING", ""), uris, others, is_strict=True)
    except QueryStringError as error:
        raise ValidationError({error.parameter: [str(error)]}) from None
