"""Values of columns as JSON has them, and back."""

from __future__ import annotations

import base64
import datetime
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, CharField, Field, IntegerField, TextField

Names = Mapping[int, str]
Read = Callable[[Any], Any]

AS_JSON_HAS_IT: Final = (BooleanField, CharField, IntegerField, TextField)


def written(line: Any) -> bytes:
    """Return one line of a dump; the same value is always the same octets."""
    try:
        return AS_IT_IS.encode(line).encode() + b"\n"
    except UnicodeEncodeError:  # A lone surrogate is no character, yet JSON can say it.
        return ESCAPED.encode(line).encode() + b"\n"


def plain(value: Any) -> str:
    """Return a value that JSON does not know as text, from which `to_python` makes it again."""
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    return base64.b64encode(value).decode("ascii")


def encoder(*, is_ascii: bool) -> json.JSONEncoder:
    """Return what writes values, always in the same order and without blanks."""
    return json.JSONEncoder(
        ensure_ascii=is_ascii, sort_keys=True, separators=(",", ":"), default=plain
    )


AS_IT_IS: Final = encoder(is_ascii=False)
ESCAPED: Final = encoder(is_ascii=True)


def names_for(field: Field[Any, Any]) -> Names:
    """Return the names by which a column refers to what has another number elsewhere."""
    if field.related_model is ContentType:
        return {each.pk: f"{each.app_label}.{each.model}" for each in ContentType.objects.all()}
    if field.related_model is Permission:
        known = Permission.objects.select_related("content_type")
        return {each.pk: ".".join(each.natural_key()) for each in known}
    if field.related_model is Group:
        return {each.pk: each.name for each in Group.objects.all()}
    return {}


def reader_for(field: Field[Any, Any], connection: BaseDatabaseWrapper) -> Read | None:
    """Return what makes of what a dump says what the database takes; none where it is the same."""
    if names := names_for(field):
        numbers = {name: number for number, name in names.items()}
        return lambda name: None if name is None else numbers[name]
    if isinstance(kind_of(field), AS_JSON_HAS_IT):
        return None
    return lambda said: field.get_db_prep_save(field.to_python(said), connection)


def kind_of(field: Field[Any, Any]) -> Field[Any, Any]:
    """Return the column itself, or the one of another table that it refers to."""
    target: Field[Any, Any] = getattr(field, "target_field", field) if field.is_relation else field
    return target
