"""The kind of host in an authority, and errors in hosts (RFC 3986, section 3.2.2)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from ..syntax import SUB_DELIMS, UNRESERVED

_DEC_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = re.compile(rf"{_DEC_OCTET}(?:\.{_DEC_OCTET}){{3}}")
_H16: Final = re.compile("[0-9A-Fa-f]{0,4}")
_MAX_GROUPS: Final = 8
_WHOLE_FUTURE: Final = re.compile(rf"[vV][0-9A-Fa-f]++\.[{UNRESERVED}{SUB_DELIMS}:]++")
_FUTURE: Final = re.compile(rf"[vV](?:[0-9A-Fa-f]++(?:\.[{UNRESERVED}{SUB_DELIMS}:]*+)?+)?+")


class HostKind(StrEnum):
    """The kinds of host, by their productions; an empty one is a registered name."""

    IPV4 = "IPv4address"
    IPV6 = "IPv6address"
    IPV_FUTURE = "IPvFuture"
    REG_NAME = "reg-name"


def classify_host(host: str) -> HostKind | None:
    """The kind of host this is, trying the strictest production first; `None` if it is none.

    By section 3.2.2 the first match wins: `1.2.3.4` is an address and `1.2.3.400` a registered
    name. An address of six or more groups is in square brackets.
    """
    if not host.startswith("["):
        if _IPV4.fullmatch(host):
            return HostKind.IPV4
        return HostKind.REG_NAME if _REG_NAME.fullmatch(host) else None
    if find_literal_fault(host) is not None:
        return None
    return HostKind.IPV_FUTURE if host[1] in "vV" else HostKind.IPV6


_REG_NAME: Final = re.compile(f"(?:[{UNRESERVED}{SUB_DELIMS}]|%[0-9A-Fa-f]{{2}})*+")


class HostFault(NamedTuple):
    """The 0-based index of the first invalid character of a host, and the rule it breaks."""

    position: int
    message: str


_NOT_CLOSED: Final = "An address in square brackets ends with “]” and nothing more"
_NO_ADDRESS: Final = "What is in square brackets is not an IPv6 address from here on"
_NO_FUTURE: Final = "What is in square brackets is not an address of a later version from here on"


def find_literal_fault(host: str) -> HostFault | None:
    """Where `host`, which begins with `[`, stops being an IP-literal; `None` if it is one.

    The position is that of the first character that no address has there, or of a bracket that
    comes too early.
    """
    end = host.find("]")
    literal = host[1:] if end < 0 else host[1:end]
    is_future = literal[:1] in ("v", "V")
    fault = _find_future_fault(literal) if is_future else find_ipv6_fault(literal)
    if fault is not None and not (end < 0 and fault == len(literal)):
        return HostFault(1 + fault, _NO_FUTURE if is_future else _NO_ADDRESS)
    if end < 0 or end + 1 < len(host):
        return HostFault(len(host) if end < 0 else end + 1, _NOT_CLOSED)
    return None


def _find_future_fault(literal: str) -> int | None:
    if _WHOLE_FUTURE.fullmatch(literal):
        return None
    run = _FUTURE.match(literal)
    return run.end() if run else 0


def find_ipv6_fault(literal: str) -> int | None:
    """The first index of `literal` at which it is no IPv6 address any more; `None` for an address.

    The length of the text if something is missing at its end.
    """
    groups, at, is_shortened = 0, 0, False
    if literal.startswith("::"):
        at, is_shortened = 2, True
    while at < len(literal):
        run = _H16.match(literal, at)
        end = run.end() if run else at
        if end == at:
            # Only a colon can begin the two that stand for zeros.
            return at + (at == 0 and literal[0] == ":")
        if literal[end : end + 1] == "." and literal[at:end].isdecimal():
            return _find_last_ipv4_fault(literal, at, end, groups, is_shortened=is_shortened)
        groups += 1
        if groups > _MAX_GROUPS - is_shortened:
            return at
        if end == len(literal):
            return None if is_shortened or groups == _MAX_GROUPS else end
        if literal[end] != ":" or groups == _MAX_GROUPS - is_shortened:
            return end
        at = end + 1
        if literal.startswith(":", at):
            if is_shortened:
                return at
            at, is_shortened = at + 1, True
    return None if literal.endswith("::") else at


def _find_last_ipv4_fault(
    literal: str, start: int, end: int, groups: int, *, is_shortened: bool
) -> int | None:
    """The fault of an address that ends with an IPv4 address beginning at `start`."""
    is_placed = groups <= _MAX_GROUPS - 3 if is_shortened else groups == _MAX_GROUPS - 2
    if not is_placed:
        return end
    at = start
    for octet in range(4):
        match = _OCTET.match(literal, at)
        if match is None:
            return at
        at = match.end()
        if octet < 3:
            if literal[at : at + 1] != ".":
                return at
            at += 1
    return None if at == len(literal) else at


_OCTET: Final = re.compile(_DEC_OCTET)
