"""Sparse fields: `?fields=nid,status` leaves out what nobody asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

Shape = type[serializers.Serializer[Any]]


def narrowed(
    request: Request, rows: Iterable[dict[str, Any]], shape: Shape
) -> list[dict[str, Any]]:
    """Return rows with the members alone that are asked for, in the order of the answer."""
    wanted = wanted_of(request, shape)
    if wanted is None:
        return list(rows)
    return [{name: row[name] for name in row if name in wanted} for row in rows]


def wanted_of(request: Request, shape: Shape) -> frozenset[str] | None:
    """Return the names asked for, none where all are; point at those that are not known."""
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
