"""JSON as RFC 8785 writes it: the same value always gives the same octets."""

from __future__ import annotations

import json
from typing import Any

import rfc8785

from registry.transparency.errors import MalformedText


def canonicalize(value: Any) -> bytes:
    """Return `value` as canonical JSON (RFC 8785, section 3.2).

    Raises `MalformedText` for what JSON cannot express: NaN, integers beyond 2**53, lone
    surrogates.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise MalformedText(f"This cannot be said in canonical JSON: {error}.") from None


def parse_canonical(octets: bytes) -> Any:
    """Parse canonical JSON; raise `MalformedText` for JSON in any other spelling.

    Only one spelling is accepted, since the digest of an entry is that of its octets. A name that
    is repeated is missing from the spelling that is compared.
    """
    try:
        value = json.loads(octets)
    except (ValueError, RecursionError):
        raise MalformedText("This is not JSON.") from None
    if canonicalize(value) != octets:
        raise MalformedText("This is JSON, but not in its canonical form (RFC 8785).")
    return value
