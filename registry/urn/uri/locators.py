"""The locators of the draft "Uniform Resource Locators" of 1993."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..errors import require_text
from ..parts import PartMapping
from ..syntax import HEXDIGS
from .reference import URISyntaxError

_PORTS: Final = r"(?::(?P<port>[0-9]+))?+"
_HOSTPORT: Final = rf"(?P<host>[^/?#:@]++){_PORTS}"
_LOGIN: Final = rf"(?:(?P<user>[^/?#:@]++)(?::(?P<password>[^/?#@]*+))?+@)?+{_HOSTPORT}"
# The search contains no second question mark.
_SEARCH: Final = r"(?:\?(?P<search>[^?#]++))?+"

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
    r"(?:%00(?P<version>[0-9]++)(?P<attributes>[^?#]++)?+)?+",
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
# Schemes that begin with "x-" are experimental, and have the generic form.
_EXPERIMENTAL: Final = re.compile(rf"(?P<path>[^?#]*+){_SEARCH}(?:#(?P<fragment>.*+))?+", re.DOTALL)
_DRAFT: Final = "BNF syntax (draft on Uniform Resource Locators, 1993)"
_BROKEN_ESCAPE: Final = re.compile(f"%(?!{HEXDIGS})")
_PREFIXED: Final = re.compile(r"(?:[Uu][Rr][Ll]: ?)?((?:[Xx]-[A-Za-z0-9]|[A-Za-z])[A-Za-z0-9]*+):")
# Schemes that people take for the draft's, and where they come from.
_LATER: Final = {"file": "RFC 1738", "mid": "RFC 2392", "cid": "RFC 2392"}
# What the BNF allows nowhere: its national characters, and those it does not name.
_STRAY: Final = re.compile(r"[^A-Za-z0-9$\-_@.&+!*\"'():;, %/?#]")


@dataclass(frozen=True, slots=True)
class LocatorParts:
    """A locator by the draft of 1993: its scheme, and its parts by the draft's names.

    `parts` has those that are present; `strays` the 0-based positions of characters that the draft
    does not allow in a locator, though later practice may.
    """

    scheme: str
    parts: PartMapping
    strays: tuple[int, ...]


def parse_locator(text: str) -> LocatorParts | None:
    """Split a locator, with or without the prefix `URL:`; `None` for any other scheme.

    Raises `URISyntaxError` if the scheme is one of the draft's and the rest does not have its form,
    and for `file`, `mid` and `cid`, which came later.
    A scheme that begins with `x-` has the generic form, and an empty fragment counts as absent: the
    locator then means the whole. What the draft leaves for later study (x500, whois) is recognised
    and kept whole.
    """
    require_text(text, "A locator")
    prefixed = _PREFIXED.match(text)
    scheme = prefixed.group(1).lower() if prefixed else ""
    pattern = _EXPERIMENTAL if scheme.startswith("x-") else _PATTERNS.get(scheme)
    if scheme in _LATER:
        message = f"The draft does not have the scheme “{scheme}”, which {_LATER[scheme]} added"
        raise URISyntaxError(message, 0, "scheme", f"scheme, {_DRAFT}")
    if prefixed is None or pattern is None:
        return None
    broken = _BROKEN_ESCAPE.search(text, prefixed.end())
    if broken is not None:
        message = "A “%” without two hexadecimal digits after it cannot stand in a locator"
        raise URISyntaxError(message, broken.start(), "path", f"escape, {_DRAFT}")
    match = pattern.fullmatch(text, prefixed.end())
    if match is None:
        raise _explain_misfit(text, scheme, prefixed.end(), pattern)
    parts = {name: part for name, part in match.groupdict().items() if part is not None}
    if not parts.get("fragment"):
        # An empty one, with or without its "#", means the whole (the draft's "Fragment-id").
        parts.pop("fragment", None)
    if scheme == "gopher":
        # If type and selector are left out, the draft says that the type is 1.
        parts.setdefault("type", "1")
    strays = tuple(stray.start() for stray in _STRAY.finditer(text))
    return LocatorParts(scheme, PartMapping(parts), strays)


def _explain_misfit(text: str, scheme: str, start: int, pattern: re.Pattern[str]) -> URISyntaxError:
    """Why the rest of `text` does not have its scheme's form: at a second `?`, or as a whole."""
    first = text.find("?", start)
    second = text.find("?", first + 1) if first >= 0 else -1
    hash_sign = text.find("#", start)
    is_in_search = second >= 0 and (hash_sign < 0 or second < hash_sign)
    if is_in_search and pattern.fullmatch(text[:second], start):
        message = "A second “?” cannot stand in the search of a locator"
        return URISyntaxError(message, second, "query", f"search, {_DRAFT}")
    message = f"What follows “{scheme}:” does not have the form of such a locator"
    return URISyntaxError(message, start, "path", f"{scheme} address, {_DRAFT}")
