"""Query parameter serializers, and sparse fields: `?fields=nid,status`."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from registry.api.views import get_serializer_context
from registry.serializers.base import SparseSerializer
from registry.urn import nid as nids

Rows = TypeVar("Rows", bound=QuerySet[Any])

MAX_PAGE_SIZE: Final = 1_000
DEFAULT_PAGE_SIZE: Final = 100
MAX_LISTED_CHARACTERS: Final = 4_000
"""The longest list of names in an address: servers in between cut off longer ones."""


def filter_by_nid(rows: Rows, nid: str) -> Rows:
    """Return the rows with that NID, in any case; all of them if it is empty."""
    if not nid:
        return rows
    return rows.filter(nid=nids.canonical(nid)) if nid.isascii() else rows.none()


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


def split_listed(text: str) -> set[str]:
    return {each.strip() for each in text.split(",")} - {""}


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
