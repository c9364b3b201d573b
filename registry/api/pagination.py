"""Cursor pagination: a cursor says after which row to go on, so that new rows shift nothing."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Generic, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from registry.api.query_parameters import (
    DEFAULT_PAGE_SIZE,
    read_fields_parameter,
)
from registry.api.views import get_serializer_context
from registry.http.links import Link
from registry.serializers.base import OutputSerializer, SparseSerializer

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")
OtherItem = TypeVar("OtherItem")
IN_MEMORY_ORDER: Final = "in hand"
"""The order of rows that no query sorts."""
CURSOR_SIGNER: Final = Signer(salt="registry.api.listing")


@dataclass(frozen=True, slots=True)
class SortKey:
    """By what rows are sorted: a column or an expression that is never null."""

    by: str | Combinable
    descends: bool = False


SortOrder = tuple[SortKey, ...]
"""Keys whose values together belong to one row alone."""
SortOrders = Mapping[str, SortOrder]


@dataclass(frozen=True, slots=True)
class Cursor:
    """Between which rows a part of a list begins: after those values, or before them."""

    order: str
    goes_back: bool
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return CURSOR_SIGNER.sign_object([self.order, self.goes_back, list(self.values)])

    @classmethod
    def read(cls, text: str, order: str, keys: SortOrder) -> Cursor:
        """Return the cursor in an address; one of another order is refused like a forged one."""
        try:
            said, goes_back, values = CURSOR_SIGNER.unsign_object(text)
        except (BadSignature, ValueError):
            said, goes_back, values = None, False, []
        if said != order or len(values) != len(keys):
            words = _("This cursor is none of this list in this order. Begin without one.")
            raise ValidationError({"cursor": [words]})
        return cls(order, goes_back, tuple(values))


@dataclass(frozen=True, slots=True)
class CursorPage(Generic[Item]):
    """Some rows of a list, and where to go on."""

    rows: list[Item]
    after: Cursor | None
    before: Cursor | None

    def with_rows(self, rows: list[OtherItem]) -> CursorPage[OtherItem]:
        """Return the same part of the list with its rows seen otherwise."""
        return CursorPage(rows, self.after, self.before)


def paginate_queryset(
    found: QuerySet[Row], orders: SortOrders, asked: Mapping[str, Any], usual: str
) -> CursorPage[Row]:
    """Return the rows that are asked for, in the order that is asked for."""
    order, size = asked.get("sort") or usual, asked.get("page_size") or DEFAULT_PAGE_SIZE
    keys = orders[order]
    cursor = Cursor.read(asked["cursor"], order, keys) if asked.get("cursor") else None
    goes_back = cursor is not None and cursor.goes_back
    marked = found.annotate(
        **{name_sort_column(n): make_sort_expression(key) for n, key in enumerate(keys)}
    )
    if cursor:
        marked = marked.filter(filter_beyond_cursor(keys, cursor))
    directions = [key.descends != goes_back for key in keys]
    marked = marked.order_by(
        *(
            f"-{name_sort_column(n)}" if down else name_sort_column(n)
            for n, down in enumerate(directions)
        )
    )
    rows = list(marked[: size + 1])
    has_more, rows = len(rows) > size, rows[:size]
    rows = rows[::-1] if goes_back else rows
    after = rows and (has_more or goes_back)
    before = rows and (has_more if goes_back else cursor is not None)
    return CursorPage(
        rows,
        Cursor(order, False, read_sort_values(rows[-1], keys)) if after else None,
        Cursor(order, True, read_sort_values(rows[0], keys)) if before else None,
    )


def paginate_rows(
    rows: Sequence[Item], key: Callable[[Item], str], asked: Mapping[str, Any]
) -> CursorPage[Item]:
    """Return a part of rows that are all in hand, in the order of a key that is one row's own."""
    size, cursor = asked.get("page_size") or DEFAULT_PAGE_SIZE, None
    if asked.get("cursor"):
        cursor = Cursor.read(asked["cursor"], IN_MEMORY_ORDER, (SortKey("key"),))
    left = [row for row in rows if cursor is None or is_beyond_cursor(key(row), cursor)]
    shown = left[-size:] if cursor and cursor.goes_back else left[:size]
    first, last = (key(shown[0]), key(shown[-1])) if shown else ("", "")
    return CursorPage(
        list(shown),
        Cursor(IN_MEMORY_ORDER, False, (last,)) if shown and last != key(rows[-1]) else None,
        Cursor(IN_MEMORY_ORDER, True, (first,)) if shown and first != key(rows[0]) else None,
    )


def is_beyond_cursor(key: str, cursor: Cursor) -> bool:
    """Whether a row comes after the cursor, or before it where it goes back."""
    place: str = cursor.values[0]
    return key < place if cursor.goes_back else key > place


def name_sort_column(number: int) -> str:
    """Return how a key is called in the query."""
    return f"sorted_by_{number}"


def make_sort_expression(key: SortKey) -> Any:
    """Return what a key is in the query."""
    return F(key.by) if isinstance(key.by, str) else key.by


def read_sort_values(row: Model, keys: SortOrder) -> tuple[Any, ...]:
    """Return the values of a row by which it is sorted, as JSON can hold them."""
    values = (vars(row)[name_sort_column(n)] for n, _key in enumerate(keys))
    return tuple(
        value.isoformat() if isinstance(value, datetime.date) else value for value in values
    )


def filter_beyond_cursor(keys: SortOrder, cursor: Cursor) -> Q:
    """Return which rows come after the cursor, or before it where it goes back."""
    ways = []
    for n, (key, value) in enumerate(zip(keys, cursor.values, strict=True)):
        same = {name_sort_column(m): cursor.values[m] for m in range(n)}
        comes_down = key.descends != cursor.goes_back
        ways.append(Q(**same, **{f"{name_sort_column(n)}__{'lt' if comes_down else 'gt'}": value}))
    return reduce(or_, ways)


def make_page_response(
    request: Request,
    part: CursorPage[Item],
    of: type[SparseSerializer[Any]],
    **context: Any,
) -> Response:
    """Return a part of a list, with the addresses of its neighbours in body and `Link`."""
    only = read_fields_parameter(request, of)
    known = get_serializer_context(request) | context
    rows: Any = of(part.rows, many=True, only=only, context=known)
    here = request.build_absolute_uri()
    near = {
        "next": replace_query_param(here, "cursor", str(part.after)) if part.after else None,
        "previous": replace_query_param(here, "cursor", str(part.before)) if part.before else None,
    }
    return Response({"results": rows.data, **near}, headers=make_pagination_links(near))


@cache
def make_list_serializer(of: type[OutputSerializer[Any]]) -> serializers.Serializer[Any]:
    """Return how a part of a list is described."""
    return inline_serializer(
        f"{of.__name__.removesuffix('Serializer')}List",
        {
            "results": of(many=True),
            "next": serializers.URLField(allow_null=True, help_text="The next part."),
            "previous": serializers.URLField(allow_null=True, help_text="The part before."),
        },
    )


def make_pagination_links(near: Mapping[str, str | None]) -> dict[str, str]:
    """Return the header that leads on (RFC 8288)."""
    relations = {"next": "next", "previous": "prev"}
    links = [Link(url, relations[name]) for name, url in near.items() if url]
    return {"Link": ", ".join(each.header for each in links)} if links else {}


def make_sort_parameter(orders: SortOrders, usual: str) -> serializers.ChoiceField:
    """Return the parameter that says by what a list is sorted."""
    return serializers.ChoiceField(
        list(orders), required=False, help_text=f"By what it is sorted: {usual} usually."
    )
