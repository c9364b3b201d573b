"""Deprecated parts of the API: announced in responses, in OpenAPI and on the page of versions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import http_date
from rest_framework.views import APIView

from registry.http.formats import Link, add_links
from registry.http.negotiation import HTML


@dataclass(frozen=True, slots=True)
class DeprecatedOperation:
    """A deprecated operation, from when it should not be used, and until when it works.

    `view` is the name of its class and `action` that of its method. `words` tell people what is
    going away, and what to use instead.
    """

    view: str
    action: str
    since: datetime.date
    until: datetime.date
    words: str | Promise


DEPRECATED_OPERATIONS: Final[tuple[DeprecatedOperation, ...]] = ()
"""Newest first; at least a year lies between the two dates of each."""


def find_deprecation(view: APIView, method: str) -> DeprecatedOperation | None:
    """Return the deprecation of the operation that `method` calls on a view, if there is one."""
    asked = type(view).__name__, getattr(view, "action", None) or method.lower()
    return next((each for each in DEPRECATED_OPERATIONS if (each.view, each.action) == asked), None)


def add_deprecation_headers(response: HttpResponseBase, operation: DeprecatedOperation) -> None:
    """Add both dates to a response (RFC 9745, section 2; RFC 8594, section 3)."""
    response.headers["Deprecation"] = f"@{find_first_second(operation.since)}"
    response.headers["Sunset"] = http_date(find_first_second(operation.until))
    add_links(response, [Link(reverse("api:versions"), "deprecation", HTML)])


def find_first_second(day: datetime.date) -> int:
    """Return when a day begins, in UTC, as Unix time."""
    return int(datetime.datetime.combine(day, datetime.time(), datetime.UTC).timestamp())
