"""How lists are divided."""

from __future__ import annotations

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Numbered pages of 100; `?page_size=` asks for fewer, or for up to 1,000."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1_000
