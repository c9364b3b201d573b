"""Byte ranges: part of a file, for clients that have the rest (RFC 9110, section 14)."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest
from django.utils.http import parse_http_date_safe
from django.utils.translation import gettext as _

from registry.errors import RegistryError

BYTE_RANGE: Final = re.compile(r"bytes[ \t]*=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.IGNORECASE)
"""One range; clients that ask for several get the whole file, which section 14.2 allows."""
MAX_RANGE_DIGITS: Final = 18


class UnsatisfiableRange(RegistryError):
    """The file has none of the requested octets (RFC 9110, section 15.5.17)."""

    status = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE

    def __init__(self) -> None:
        super().__init__(_("The file has no bytes in the requested range."))


def choose_byte_range(
    request: HttpRequest, size: int, etag: str, last_modified: str
) -> range | None:
    """Return the requested octets of `size`, or None if all are wanted.

    Raises `UnsatisfiableRange` if the file has none of them.
    """
    asked = request.headers.get("Range", "")
    if request.method != "GET" or not asked or not is_range_valid(request, etag, last_modified):
        return None
    return parse_byte_range(asked, size)


def is_range_valid(request: HttpRequest, etag: str, last_modified: str) -> bool:
    """Whether `If-Range` names the current file, as strictly as section 13.1.5 requires."""
    named = request.headers.get("If-Range", "").strip()
    if not named:
        return True
    if named.startswith(('"', "W/")):
        return named == etag and not named.startswith("W/")
    return bool(last_modified) and parse_http_date_safe(named) == parse_http_date_safe(
        last_modified
    )


def parse_byte_range(field: str, size: int) -> range | None:
    """Return the octets that the field asks for; None unless it is a single valid range."""
    found = BYTE_RANGE.fullmatch(field.strip())
    if not found or not any(found.groups()) or max(map(len, found.groups())) > MAX_RANGE_DIGITS:
        return None
    first, last = found.groups()
    if not first:
        if int(last) == 0 or size == 0:
            raise UnsatisfiableRange
        return range(max(0, size - int(last)), size)
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise UnsatisfiableRange
    return range(int(first), min(size, int(last) + 1) if last else size)
