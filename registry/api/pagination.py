"""Cursor pagination: a cursor names the row to continue after, so new rows shift nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from registry.api.query_parameters import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from registry.http.formats import Link, join_links

CURSOR_SIGNER: Final = Signer(salt="registry.api.listing")
SortOrders = Mapping[str, tuple[str, ...]]
"""Sort orders by name, as `order_by` takes them: columns never null and together unique."""


class KeysetPagination(CursorPagination):
    """REST framework's, with every sort column in the position, so that no offset is needed."""

    page_size = DEFAULT_PAGE_SIZE
    max_page_size = MAX_PAGE_SIZE
    page_size_query_param = "page_size"
    ordering: tuple[str, ...]
    cursor: Cursor | None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the requested rows."""
        self.base_url = request.build_absolute_uri()
        self.sort: str = view.get_sort()
        self.ordering = view.sort_orders[self.sort]
        self.cursor = self.decode_cursor(request)
        is_reverse = self.cursor is not None and self.cursor.reverse
        size = self.get_page_size(request) or DEFAULT_PAGE_SIZE
        rows = list(self.select_rows(queryset, is_reverse)[: size + 1])
        has_more, page = len(rows) > size, rows[:size]
        self.page = page[::-1] if is_reverse else page
        self.has_next = bool(page) and (has_more or is_reverse)
        self.has_previous = bool(page) and (has_more if is_reverse else self.cursor is not None)
        # No other row has the position of the first or the last, so pages can continue from them.
        self.next_position = self.previous_position = None
        return self.page

    def select_rows(self, rows: QuerySet[Any], is_reverse: bool) -> QuerySet[Any]:
        """Return the rows beyond the cursor, nearest first."""
        if self.cursor is not None:
            rows = rows.filter(filter_beyond_cursor(self.ordering, self.cursor))
        return rows.order_by(
            *(reverse_direction(name) if is_reverse else name for name in self.ordering)
        )

    def _get_position_from_instance(self, instance: Any, ordering: Sequence[str]) -> Any:
        """Return the sort columns of a row as JSON can hold them."""
        values = (
            attrgetter(strip_direction(name).replace("__", "."))(instance) for name in ordering
        )
        return [
            value.isoformat() if isinstance(value, datetime.date) else value for value in values
        ]

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor in the address; refuse one of another order like a forged one."""
        encoded = request.query_params.get(self.cursor_query_param)
        if not encoded:
            return None
        try:
            sort, is_reverse, position = CURSOR_SIGNER.unsign_object(encoded)
        except (BadSignature, ValueError):
            sort, is_reverse, position = None, False, []
        if sort != self.sort or len(position) != len(self.ordering):
            words = _("This cursor is not from this list in this order. Begin without one.")
            raise ValidationError({"cursor": [words]})
        return Cursor(0, is_reverse, position)

    def encode_cursor(self, cursor: Cursor) -> str:
        """Return the address of the list from the cursor on."""
        encoded = CURSOR_SIGNER.sign_object([self.sort, cursor.reverse, cursor.position])
        return replace_query_param(self.base_url or "", self.cursor_query_param, encoded)

    def get_paginated_response(self, data: Any) -> Response:
        """Return the rows, with the addresses of the adjacent pages in the body and in `Link`."""
        near = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        relations = {"next": "next", "previous": "prev"}
        links = [Link(url, relations[name]) for name, url in near.items() if url]
        headers = {"Link": join_links(links)} if links else {}
        return Response({"results": data, **near}, headers=headers)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a paginated list."""
        url = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "properties": {
                "results": schema,
                "next": {**url, "description": "The next part."},
                "previous": {**url, "description": "The part before."},
            },
            "required": ["next", "previous", "results"],
        }


def filter_beyond_cursor(ordering: Sequence[str], cursor: Cursor) -> Q:
    """Return the filter for rows after the cursor, or before it when paging back."""
    values: Any = cursor.position
    ways, same = [], Q()
    for name, value in zip(ordering, values, strict=True):
        column, descends = strip_direction(name), name.startswith("-") != cursor.reverse
        ways.append(same & Q(**{f"{column}__{'lt' if descends else 'gt'}": value}))
        same &= Q(**{column: value})
    return reduce(or_, ways)


def strip_direction(name: str) -> str:
    """Return the column of an order without its direction."""
    return name.removeprefix("-")


def reverse_direction(name: str) -> str:
    """Return the order of a column reversed."""
    return strip_direction(name) if name.startswith("-") else f"-{name}"


def make_sort_parameter(orders: SortOrders, usual: str) -> serializers.ChoiceField:
    """Return the parameter that selects a list's order."""
    return serializers.ChoiceField(
        list(orders), required=False, help_text=f"By what it is sorted: {usual} usually."
    )
