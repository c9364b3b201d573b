"""URIs built from plain values, and split into them again.

Each component allows certain characters (RFC 3986, section 3); all others, and those that would end
it, are written as UTF-8 and percent-encoded (sections 2.1 and 2.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from ..errors import require_text
from ..syntax import HEXDIGS, PCHAR_SET, SUB_DELIMS, UNRESERVED
from .hosts import HostKind, classify_host
from .reference import (
    URIAuthority,
    URIReference,
    URISyntaxError,
    recompose_reference,
    validate_reference,
)

Component = Literal["userinfo", "host", "segment", "path", "query", "name", "value", "fragment"]

# Characters allowed in each as data: a segment ends at "/", a name or value of a query at "&" and
# "=", and there a "+" may be read as a space.
_DATA: Final[dict[Component, str]] = {
    "userinfo": f"{UNRESERVED}{SUB_DELIMS}:",
    "host": f"{UNRESERVED}{SUB_DELIMS}",
    "segment": PCHAR_SET,
    "path": f"{PCHAR_SET}/",
    "query": f"{PCHAR_SET}/?",
    "name": re.sub("[&=+]", "", f"{PCHAR_SET}/?"),
    "value": re.sub("[&+]", "", f"{PCHAR_SET}/?"),
    "fragment": f"{PCHAR_SET}/?",
}
_STRAYS: Final = {component: re.compile(f"[^{allowed}]+") for component, allowed in _DATA.items()}
_TRIPLETS: Final = re.compile(f"(?:%{HEXDIGS})+")
_BARE_PERCENT: Final = re.compile(f"%(?!{HEXDIGS})")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def encode_component(text: str, component: Component) -> str:
    """`text`, which is not encoded yet, encoded for that component, including any `%`.

    Raises `URISyntaxError` for a lone surrogate, which has no UTF-8.
    """
    require_text(text, "A component of a URI")
    lone = _SURROGATE.search(text)
    if lone is not None:
        message = "A lone surrogate has no UTF-8 and cannot be encoded"
        raise URISyntaxError(message, lone.start(), _name_part(component), "RFC 3986, section 2.5")
    return _STRAYS[component].sub(_encode_run, text)


def _encode_run(match: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in match.group().encode())


def decode_component(text: str) -> str:
    """The content of a component: its triplets decoded, once, as UTF-8 (section 2.4).

    Split the URI first: after decoding, delimiters and data look the same. Raises `URISyntaxError`
    for a `%` without its digits and for octets that are not UTF-8.
    """
    require_text(text, "A component of a URI")
    bare = _BARE_PERCENT.search(text)
    if bare is not None:
        message = "A “%” without two hexadecimal digits after it stands for nothing"
        raise URISyntaxError(message, bare.start(), "path", "pct-encoded, section 2.1 (RFC 3986)")
    return _TRIPLETS.sub(_decode_run, text)


def _decode_run(match: re.Match[str]) -> str:
    octets = bytes.fromhex(match.group().replace("%", ""))
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        position = match.start() + 3 * error.start
        message = f"The octet 0x{octets[error.start]:02X} is not UTF-8"
        rule = "RFC 3986, section 2.5"
        raise URISyntaxError(message, position, "path", rule) from None


def build_uri(
    scheme: str,
    *,
    host: str | None = None,
    userinfo: str | None = None,
    port: int | None = None,
    path: str | Iterable[str] = "",
    query: str | Iterable[tuple[str, str]] | None = None,
    fragment: str | None = None,
) -> str:
    """The URI of these parts, none of which is encoded yet.

    `path` is a text in which `/` separates, or the segments, in which it does not; `query` a text,
    or pairs of a name and a value. An IPv6 address is put in brackets. Raises `URISyntaxError` if
    the parts do not make a URI, and for `urn`, whose names `build` makes.
    """
    if scheme.lower() == "urn":
        message = "A URN is built from its NID and the name in it, by `build`"
        raise URISyntaxError(message, 0, "scheme", "RFC 8141, section 2.2")
    reference = URIReference(
        scheme,
        _build_authority(host, userinfo, port),
        _build_path(path, has_authority=host is not None),
        _build_query(query),
        None if fragment is None else encode_component(fragment, "fragment"),
    )
    text = recompose_reference(reference)
    for error in validate_reference(text, "uri", most=1):
        raise error
    return text


def _build_authority(host: str | None, userinfo: str | None, port: int | None) -> str | None:
    if host is None:
        if userinfo is not None or port is not None:
            message = "User information and a port stand beside a host alone"
            raise URISyntaxError(message, 0, "host", "authority, section 3.2 (RFC 3986)")
        return None
    user = None if userinfo is None else encode_component(userinfo, "userinfo")
    literal = host if host.startswith("[") else f"[{host}]"
    is_literal = classify_host(literal) in (HostKind.IPV6, HostKind.IPV_FUTURE)
    written = literal if is_literal and ":" in host else encode_component(host, "host")
    return str(URIAuthority(user, written, None if port is None else str(port)))


def _build_path(path: str | Iterable[str], *, has_authority: bool) -> str:
    if isinstance(path, str):
        return encode_component(path, "path")
    written = "/".join(encode_component(segment, "segment") for segment in path)
    return f"/{written}" if has_authority and written else written


def _build_query(query: str | Iterable[tuple[str, str]] | None) -> str | None:
    if query is None or isinstance(query, str):
        return None if query is None else encode_component(query, "query")
    return "&".join(
        f"{encode_component(name, 'name')}={encode_component(value, 'value')}"
        for name, value in query
    )


def _name_part(component: Component) -> str:
    if component in ("segment", "path"):
        return "path"
    return "query" if component in ("name", "value") else component
