"""Query parameter serializers, and sparse fields: `?fields=nid,status`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from registry.api.views import get_serializer_context
from registry.selectors.as_of import (
    Moment,
    UnknownMoment,
    parse_moment,
)
from registry.serializers.base import SparseSerializer

MAX_PAGE_SIZE: Final = 1_000
DEFAULT_PAGE_SIZE: Final = 100
MAX_LISTED_CHARACTERS: Final = 4_000
"""The longest list of names in an address: servers in between cut off longer ones."""


class QuerySerializer(serializers.Serializer[Any]):
    """The query parameters of an address; each list has its own."""


class FieldsQuerySerializer(QuerySerializer):
    """Which members of the response are wanted."""

    def get_fields(self) -> dict[str, Any]:
        """Return the parameter, whose name is reserved by the framework."""
        words = (
            "Names of members, with commas between: the answer has no others, although they are "
            "described as always there."
        )
        return {
            **super().get_fields(),
            "fields": serializers.CharField(required=False, help_text=words, max_length=500),
        }


class ListQuerySerializer(FieldsQuerySerializer):
    """Query parameters of every list."""

    page_size = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_PAGE_SIZE,
        help_text=f"How many at once; {DEFAULT_PAGE_SIZE} usually.",
    )
    cursor = serializers.CharField(
        required=False, help_text="Where to go on: taken from `next` or `previous`, never made."
    )


class AsOfQuerySerializer(QuerySerializer):
    """Which moment the question is about."""

    as_of = serializers.CharField(
        required=False,
        max_length=40,
        help_text="A day, month or year, which means its end in UTC, or a moment such as "
        "2026-11-20T12:00:00Z: the registry as it stood then.",
    )


def split_listed(text: str) -> set[str]:
    return {each.strip() for each in text.split(",")} - {""}


def read_as_of(asked: Mapping[str, Any], *with_it: str) -> Moment | None:
    """Return the moment asked about, or None for now.

    `with_it` are the parameters that can be combined with it; others describe only the present, and
    are refused.
    """
    if "as_of" not in asked:
        return None
    words = _("This does not work with as_of: leave out one of the two.")
    wrong = [name for name in asked if name not in {"as_of", "fields", *with_it} and asked[name]]
    if wrong:
        raise ValidationError({name: [words] for name in wrong})
    try:
        return parse_moment(asked["as_of"])
    except UnknownMoment as error:
        raise ValidationError({"as_of": [str(error)]}) from None


def validate_query(of: type[QuerySerializer], request: Request) -> dict[str, Any]:
    """Return the parameters; raise `ValidationError` for invalid ones."""
    asked = of(data=request.query_params)
    unknown = request.query_params.keys() - asked.fields.keys()
    if unknown:
        words = _("There is no parameter with this name.")
        raise ValidationError({name: [words] for name in sorted(unknown)})
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


SerializerClass = type[serializers.Serializer[Any]]


def serialize_sparsely(
    request: Request, thing: Any, of: type[SparseSerializer[Any]], **context: Any
) -> dict[str, Any]:
    """Serialize only the requested members."""
    known = get_serializer_context(request) | context
    return of(thing, only=read_fields_parameter(request, of), context=known).data


def read_fields_parameter(request: Request, shape: SerializerClass) -> frozenset[str] | None:
    """Return the requested names, or None for all; report unknown ones."""
    said = request.query_params.get("fields")
    if said is None:
        return None
    names = [name.strip() for name in said.split(",")]
    known = shape().fields.keys()
    unknown = [name for name in names if name not in known]
    if unknown:
        words = _("There is no member “%(name)s”. There are: %(known)s.")
        told = [words % {"name": name, "known": ", ".join(known)} for name in unknown]
        raise ValidationError({"fields": told})
    return frozenset(names)
