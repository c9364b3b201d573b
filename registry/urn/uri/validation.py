"""Whether each component of a URI may be as it is (RFC 3986, section 3 and appendix A)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address
from itertools import islice
from typing import Final, Literal

from registry.urn.characters import describe
from registry.urn.syntax import ALPHANUM, HEXDIGS, PCHAR_SET, SUB_DELIMS, UNRESERVED
from registry.urn.uri.errors import URISyntaxError
from registry.urn.uri.reference import Reference, split, split_authority

Form = Literal["reference", "uri", "absolute"]

_MOST: Final = 100
_PERCENT: Final = f"%(?!{HEXDIGS})"
_BAD_SCHEME: Final = re.compile(rf"[^{ALPHANUM}+.\-]")
_BAD_USERINFO: Final = re.compile(f"[^{UNRESERVED}{SUB_DELIMS}:%]|{_PERCENT}")
_BAD_REG_NAME: Final = re.compile(f"[^{UNRESERVED}{SUB_DELIMS}%]|{_PERCENT}")
_BAD_PORT: Final = re.compile("[^0-9]")
_BAD_PATH: Final = re.compile(f"[^{PCHAR_SET}/%]|{_PERCENT}")
_BAD_QUERY: Final = re.compile(f"[^{PCHAR_SET}/?%]|{_PERCENT}")
_IP_FUTURE: Final = re.compile(f"[vV][0-9A-Fa-f]+\\.[{UNRESERVED}{SUB_DELIMS}:]+")
_SCHEME_RULE: Final = 'scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) (RFC 3986, section 3.1)'


def validate(text: str, form: Form = "reference", most: int = _MOST) -> tuple[URISyntaxError, ...]:
    """What keeps `text` from being a URI reference, from left to right; `()` where nothing does.

    `form` asks for more: a `"uri"` has a scheme, an `"absolute"` URI no fragment either (4.3).
    """
    return tuple(islice(_problems(split(text), form), most))


def _problems(reference: Reference, form: Form) -> Iterator[URISyntaxError]:
    start = 0
    if reference.scheme is not None:
        yield from _in_scheme(reference.scheme)
        start = len(reference.scheme) + 1
    elif form != "reference":
        yield URISyntaxError("The scheme is missing", 0, "scheme", _SCHEME_RULE)
    if reference.authority is not None:
        yield from _in_authority(reference.authority, start + 2)
        start += 2 + len(reference.authority)
    yield from _in_path(reference, start)
    start += len(reference.path)
    if reference.query is not None:
        yield from _bad(_BAD_QUERY, reference.query, start + 1, "query", "query, section 3.4")
        start += 1 + len(reference.query)
    if reference.fragment is not None:
        if form == "absolute":
            yield _fragment_in_absolute(start)
        fragment = reference.fragment
        yield from _bad(_BAD_QUERY, fragment, start + 1, "fragment", "fragment, section 3.5")


def _fragment_in_absolute(position: int) -> URISyntaxError:
    rule = "absolute-URI, section 4.3 (RFC 3986)"
    return URISyntaxError("An absolute URI has no fragment", position, "fragment", rule)


def _in_scheme(scheme: str) -> Iterator[URISyntaxError]:
    if not (scheme[0].isascii() and scheme[0].isalpha()):
        message = f"{describe(scheme[0])} cannot begin the scheme"
        yield URISyntaxError(_capital(message), 0, "scheme", _SCHEME_RULE)
    for match in _BAD_SCHEME.finditer(scheme, 1):
        message = f"{describe(match.group())} cannot stand in the scheme"
        yield URISyntaxError(_capital(message), match.start(), "scheme", _SCHEME_RULE)


def _in_authority(authority: str, start: int) -> Iterator[URISyntaxError]:
    parts = split_authority(authority)
    if parts.userinfo is not None:
        yield from _bad(_BAD_USERINFO, parts.userinfo, start, "userinfo", "userinfo, section 3.2.1")
        start += len(parts.userinfo) + 1
    yield from _in_host(parts.host, start)
    if parts.port is not None:
        start += len(parts.host) + 1
        yield from _bad(_BAD_PORT, parts.port, start, "port", "port = *DIGIT, section 3.2.3")


def _in_host(host: str, start: int) -> Iterator[URISyntaxError]:
    if not host.startswith("["):
        # An IPv4 address is a reg-name too, and so is what only resembles one.
        yield from _bad(_BAD_REG_NAME, host, start, "host", "reg-name, section 3.2.2")
        return
    end = host.find("]")
    literal = host[1:end]
    if end < 0 or end + 1 < len(host):
        position = start + (len(host) if end < 0 else end + 1)
        yield _host_error("An address in square brackets ends with “]” and nothing more", position)
    elif not (_IP_FUTURE.fullmatch(literal) or _is_ipv6(literal)):
        yield _host_error("What is in square brackets is not an IPv6 address", start + 1)


def _is_ipv6(literal: str) -> bool:
    try:
        IPv6Address(literal)
    except AddressValueError:
        return False
    return "%" not in literal


def _host_error(message: str, position: int) -> URISyntaxError:
    return URISyntaxError(message, position, "host", "IP-literal (RFC 3986, section 3.2.2)")


def _in_path(reference: Reference, start: int) -> Iterator[URISyntaxError]:
    path = reference.path
    colon = path.partition("/")[0].find(":")
    if reference.scheme is None and reference.authority is None and colon >= 0:
        message = "A colon cannot stand in the first segment of a relative reference"
        rule = "path-noscheme (RFC 3986, section 4.2)"
        yield URISyntaxError(message, start + colon, "path", rule)
    yield from _bad(_BAD_PATH, path, start, "path", "path, section 3.3")


def _bad(
    bad: re.Pattern[str], text: str, start: int, component: str, production: str
) -> Iterator[URISyntaxError]:
    for match in bad.finditer(text):
        at = match.group()
        what = "a “%” without two hexadecimal digits after it" if at == "%" else describe(at)
        message = _capital(f"{what} cannot stand in the {component}")
        rule = "pct-encoded, section 2.1" if at == "%" else production
        yield URISyntaxError(message, start + match.start(), component, f"{rule} (RFC 3986)")


def _capital(message: str) -> str:
    return message[0].upper() + message[1:]
