"""The address as the client sent it: `%2C` and `,` are different names (RFC 8141, section 3.1).

Servers pass it in different ways, and the path that Django sees is decoded. Only this module looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest

from registry.errors import RegistryError
from registry.http.query_string import decode_octets, encode_raw_query

RAW_TARGET_KEYS: Final = ("RAW_URI", "REQUEST_URI")
"""Where WSGI servers put the target: gunicorn; uWSGI, mod_wsgi, cheroot and waitress."""
ABSOLUTE_FORM_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*")
UNENCODED_TEXT: Final = re.compile(r"[A-Za-z0-9\-._~:]*")
"""What is the same before and after decoding, unless somebody encoded it for no reason."""


class TargetUnknown(RegistryError):
    """The server does not pass the address as sent, and it cannot be reconstructed."""

    status = HTTPStatus.NOT_IMPLEMENTED


@dataclass(frozen=True, slots=True)
class RawTarget:
    """What follows the place where a view is mounted, as sent.

    `query` is what follows `?`, and `fragment` what follows `#`, which few clients send; each is
    None if its mark is missing.
    """

    rest: str
    query: str | None
    fragment: str | None

    @property
    def tail(self) -> str:
        """The fragment with its mark, empty if there is none."""
        return "" if self.fragment is None else f"#{self.fragment}"


def read_raw_target(request: HttpRequest, mount: str) -> RawTarget:
    """Return what was requested below `mount`, such as `/resolve/`.

    Raises `TargetUnknown`, and `NotUTF8` for octets beyond ASCII that are not text.
    """
    sent = find_sent_target(request)
    if sent is None:
        return rebuild_target(request, mount)
    before, mark, fragment = convert_to_origin_form(sent).partition("#")
    path, question, query = before.partition("?")
    rest = strip_mount(mount, path, request.META.get("SCRIPT_NAME", "") or "")
    behind_path = len(rest) + len(question)
    return RawTarget(
        decode_raw_text(rest),
        decode_raw_text(query, behind_path) if question else None,
        decode_raw_text(fragment, behind_path + len(query) + len(mark)) if mark else None,
    )


def find_sent_target(request: HttpRequest) -> str | None:
    """Return the target as sent, each octet one character; None if the server does not pass it."""
    scope: Mapping[str, Any] = getattr(request, "scope", {})
    if scope.get("raw_path") is not None:
        query: bytes = scope.get("query_string", b"")
        sent: bytes = scope["raw_path"] + (b"?" + query if query else b"")
        return sent.decode("latin-1")
    return next((str(request.META[name]) for name in RAW_TARGET_KEYS if name in request.META), None)


def convert_to_origin_form(target: str) -> str:
    """Return the target without the scheme and host that proxies get (RFC 9112, section 3.2.2)."""
    absolute = ABSOLUTE_FORM_PREFIX.match(target)
    return target[absolute.end() :] if absolute else target


def decode_raw_text(text: str, offset: int = 0) -> str:
    """Return a raw text with octets beyond ASCII as the characters they mean in UTF-8.

    Raises `NotUTF8` with the position, counted from `offset`.
    """
    return text if text.isascii() else decode_octets(encode_raw_query(text), offset)


def strip_mount(mount: str, path: str, script: str) -> str:
    """Return what follows `mount`; a proxy may have removed the path of the application."""
    if script and path.startswith(f"{script}/"):
        path = path[len(script) :]
    # A letter of our own part may be percent-encoded: it is counted, not compared.
    *before, rest = path.split("/", mount.count("/"))
    if len(before) < mount.count("/"):
        raise TargetUnknown(path)
    return rest


def rebuild_target(request: HttpRequest, mount: str) -> RawTarget:
    """Return the target rebuilt from the decoded path, if only one target can have led to it.

    Nobody decodes queries.
    """
    rest = request.path_info.removeprefix(mount)
    if not UNENCODED_TEXT.fullmatch(rest):
        raise TargetUnknown(rest)
    return RawTarget(rest, request.META.get("QUERY_STRING") or None, None)


def read_raw_query(request: HttpRequest) -> str:
    """Return what follows the first `?` as sent, including any `#`; may raise `NotUTF8`."""
    sent = find_sent_target(request)
    if sent is None:
        return decode_raw_text(request.META.get("QUERY_STRING", ""))
    return decode_raw_text(sent.partition("?")[2])
