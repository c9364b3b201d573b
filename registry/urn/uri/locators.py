"""The locator schemes of the draft of 1993, each taken apart (its BNF and its notes on schemes)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from registry.urn.uri.reference import URISyntaxError

_PORTS: Final = r"(?::(?P<port>[0-9]+))?+"
_HOSTPORT: Final = rf"(?P<host>[^/?#:@]++){_PORTS}"
_LOGIN: Final = rf"(?:(?P<user>[^/?#:@]++)(?::(?P<password>[^/?#@]*+))?+@)?+{_HOSTPORT}"
_SEARCH: Final = r"(?:\?(?P<search>[^#]++))?+"

_GRAMMARS: Final = {
    "http": rf"//{_HOSTPORT}(?:/(?P<path>[^?#]*+))?+{_SEARCH}",
    "ftp": rf"//{_LOGIN}/(?P<path>[^?#]*+)",
    "afs": r"//(?P<cell>[^/?#]++)/(?P<path>[^?#]*+)",
    "news": r"(?:(?P<all>\*)|(?P<article>[^/?#@]++@[^/?#@]++)|(?P<group>[A-Za-z][^/?#@]*+))",
    "nntp": rf"(?://{_HOSTPORT}/)?+(?P<group>[A-Za-z][^/?#@]*+)/(?P<article>[0-9]++)",
    "mailto": r"(?P<user>[^/?#@]++)@(?P<host>[^/?#@:]++)",
    "wais": rf"//{_HOSTPORT}/(?P<database>[^/?#]++)"
    rf"(?:/(?P<type>[^/?#]++)/(?P<path>[^?#]*+)|{_SEARCH})",
    "prospero": rf"//{_HOSTPORT}/(?P<name>(?:(?!%00)[^?#])*+)"
    r"(?:%00(?P<version>[0-9]++)(?P<attributes>[^?#]*+))?+",
    "telnet": rf"//{_LOGIN}",
    "rlogin": rf"//{_LOGIN}",
    "tn3270": rf"//{_LOGIN}",
    "whois": rf"//{_HOSTPORT}(?:/(?P<query>[^#]*+))?+",
    "x500": r"(?P<name>[^#]*+)",
    "gopher": rf"//{_HOSTPORT}(?:/(?:(?P<type>[^/?#])(?P<selector>[^?#]*+))?+)?+{_SEARCH}",
}
_PATTERNS: Final = {
    scheme: re.compile(f"{grammar}(?:#(?P<fragment>.*+))?+", re.DOTALL)
    for scheme, grammar in _GRAMMARS.items()
}
_PREFIXED: Final = re.compile(r"(?:[Uu][Rr][Ll]: ?)?([A-Za-z][A-Za-z0-9]*+):")
# What the BNF allows nowhere: its national characters, and those it does not name.
_STRAY: Final = re.compile(r"[^A-Za-z0-9$\-_@.&+!*\"'():;, %/?#]")


@dataclass(frozen=True, slots=True)
class LocatorParts:
    """A locator by the draft of 1993: its scheme, and its parts by the names of the draft.

    `parts` holds those that are there; `strays` the 0-based positions of characters that the
    draft does not allow in a locator, though later practice may.
    """

    scheme: str
    parts: Mapping[str, str]
    strays: tuple[int, ...]


def parse_locator(text: str) -> LocatorParts | None:
    """Take a locator apart, with or without the prefix `URL:`; `None` for any other scheme.

    Raises `URISyntaxError` where the scheme is one of the draft's and the rest does not have its
    form. What the draft leaves for later study (x500, whois) is recognised and taken as a whole.
    """
    prefixed = _PREFIXED.match(text)
    scheme = prefixed.group(1).lower() if prefixed else ""
    if prefixed is None or scheme not in _PATTERNS:
        return None
    match = _PATTERNS[scheme].fullmatch(text, prefixed.end())
    if match is None:
        message = f"What follows “{scheme}:” does not have the form of such a locator"
        rule = f"{scheme} address, BNF syntax (draft on Uniform Resource Locators, 1993)"
        raise URISyntaxError(message, prefixed.end(), "path", rule)
    parts = {name: part for name, part in match.groupdict().items() if part is not None}
    if scheme == "gopher":
        # Where type and selector are left out, the draft has the type be 1.
        parts.setdefault("type", "1")
    strays = tuple(stray.start() for stray in _STRAY.finditer(text))
    return LocatorParts(scheme, MappingProxyType(parts), strays)
