"""The address as the client sent it: `%2C` and `,` are different names (RFC 8141, section 3.1).

Servers hand it over in ways of their own, and the path that Django sees is decoded. This module
is the only one that looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest

from registry.query_string import decode_octets, octets_of

AS_SENT: Final = ("RAW_URI", "REQUEST_URI")
"""Where WSGI servers put the target: gunicorn; uWSGI, mod_wsgi, cheroot and waitress."""
ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*")
UNTOUCHED: Final = re.compile(r"[A-Za-z0-9\-._~:]*")
"""What is the same before and after decoding, unless somebody encoded it for no reason."""


class TargetUnknown(Exception):
    """The server does not hand over the address as sent, and it cannot be told otherwise."""


@dataclass(frozen=True, slots=True)
class RawTarget:
    """What stands behind the place at which a view is mounted, as it was sent.

    `query` is what stands behind `?`, and `fragment` what stands behind `#`, which clients keep
    for themselves but for some; none where there is no such mark.
    """

    rest: str
    query: str | None
    fragment: str | None

    @property
    def tail(self) -> str:
        """The fragment with its mark, empty where there is none."""
        return "" if self.fragment is None else f"#{self.fragment}"


def raw_target(request: HttpRequest, mount: str) -> RawTarget:
    """Return what was asked for below `mount`, such as `/resolve/`.

    Raises `TargetUnknown`, and `NotUTF8` for octets beyond ASCII that are no text.
    """
    sent = sent_by(request)
    if sent is None:
        return put_together(request, mount)
    before, mark, fragment = origin_form(sent).partition("#")
    path, question, query = before.partition("?")
    rest = below(mount, path, request.META.get("SCRIPT_NAME", "") or "")
    behind_path = len(rest) + len(question)
    return RawTarget(
        readable(rest),
        readable(query, behind_path) if question else None,
        readable(fragment, behind_path + len(query) + len(mark)) if mark else None,
    )


def sent_by(request: HttpRequest) -> str | None:
    """Return the target as it was sent, each octet one character; none where nobody says."""
    scope: Mapping[str, Any] = getattr(request, "scope", {})
    if scope.get("raw_path") is not None:
        query: bytes = scope.get("query_string", b"")
        sent: bytes = scope["raw_path"] + (b"?" + query if query else b"")
        return sent.decode("latin-1")
    return next((str(request.META[name]) for name in AS_SENT if name in request.META), None)


def origin_form(target: str) -> str:
    """Return the target without what proxies are told before it (RFC 9112, section 3.2.2)."""
    absolute = ABSOLUTE.match(target)
    return target[absolute.end() :] if absolute else target


def readable(text: str, offset: int = 0) -> str:
    """Return a raw text with octets beyond ASCII as the characters that they mean in UTF-8.

    Raises `NotUTF8` with the place, counted on from `offset`.
    """
    return text if text.isascii() else decode_octets(octets_of(text), offset)


def below(mount: str, path: str, script: str) -> str:
    """Return what stands below `mount`; a proxy may have cut off where the application is."""
    if script and path.startswith(f"{script}/"):
        path = path[len(script) :]
    # Somebody may have encoded a letter of our own part: it is counted, not compared.
    *before, rest = path.split("/", mount.count("/"))
    if len(before) < mount.count("/"):
        raise TargetUnknown(path)
    return rest


def put_together(request: HttpRequest, mount: str) -> RawTarget:
    """Return the target out of the decoded path, where that can have been sent in one way only.

    Queries are not decoded by anybody.
    """
    rest = request.path_info.removeprefix(mount)
    if not UNTOUCHED.fullmatch(rest):
        raise TargetUnknown(rest)
    return RawTarget(rest, request.META.get("QUERY_STRING") or None, None)


def raw_query(request: HttpRequest) -> str:
    """Return what stands behind the first `?` as sent, behind `#` too; may raise `NotUTF8`."""
    sent = sent_by(request)
    if sent is None:
        return readable(request.META.get("QUERY_STRING", ""))
    return readable(sent.partition("?")[2])
