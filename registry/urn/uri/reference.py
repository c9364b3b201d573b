"""A URI reference and its five components (RFC 3986, section 3), and the locators of 1993."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address
from itertools import islice
from types import MappingProxyType
from typing import Final, Literal

from registry.urn.characters import describe_character
from registry.urn.syntax import ALPHANUM, HEXDIGS, PCHAR_SET, SUB_DELIMS, UNRESERVED


class URISyntaxError(ValueError):
    """A text, or what is to be put together, is not what RFC 3986 has for it.

    `position` is the 0-based index of the first character that cannot stand; `component` one of
    `scheme`, `userinfo`, `host`, `port`, `path`, `query` and `fragment`; `rule` the production or
    sentence that is broken, with its section. `str()` is fit to show.
    """

    def __init__(self, message: str, position: int, component: str, rule: str) -> None:
        super().__init__(message, position, component, rule)
        self.message = message
        self.position = position
        self.component = component
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} (character {self.position + 1})."


@dataclass(frozen=True, slots=True)
class URIAuthority:
    """The parts of an authority (section 3.2); `None` where one is absent, `""` where empty."""

    userinfo: str | None
    host: str
    port: str | None

    def __str__(self) -> str:
        user = "" if self.userinfo is None else f"{self.userinfo}@"
        return f"{user}{self.host}" + ("" if self.port is None else f":{self.port}")


@dataclass(frozen=True, slots=True)
class URIReference:
    """The components of a URI or a relative reference, as written.

    `None` is an absent component and `""` an empty one, which is not the same (section 5.3); the
    path is never absent.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def is_relative(self) -> bool:
        """Whether it is a relative reference: one without a scheme (section 4.2)."""
        return self.scheme is None

    @property
    def is_same_document(self) -> bool:
        """Whether it can only mean the document that it stands in (section 4.4)."""
        return not (self.scheme or self.authority is not None or self.path) and self.query is None

    def __str__(self) -> str:
        return recompose_reference(self)


def split_reference(text: str) -> URIReference:
    """Split any text into the components that it would have as a reference (Appendix B).

    Never fails: whether each component may be so is for `validate`.
    """
    rest, hash_sign, fragment = text.partition("#")
    rest, question, query = rest.partition("?")
    scheme, colon, behind = rest.partition(":")
    has_scheme = bool(scheme and colon) and "/" not in scheme
    path = behind if has_scheme else rest
    authority = None
    if path.startswith("//"):
        authority, slash, segments = path[2:].partition("/")
        path = slash + segments
    return URIReference(
        scheme if has_scheme else None,
        authority,
        path,
        query if question else None,
        fragment if hash_sign else None,
    )


def split_authority(authority: str) -> URIAuthority:
    """Split an authority at its first `@` and at the colon behind the host (section 3.2)."""
    userinfo, at, rest = authority.partition("@")
    if not at:
        userinfo, rest = "", authority
    end = (rest.find("]") + 1 or len(rest)) if rest.startswith("[") else 0
    host, colon, port = rest[end:].partition(":")
    return URIAuthority(userinfo if at else None, rest[:end] + host, port if colon else None)


def recompose_reference(reference: URIReference) -> str:
    """Put the components together (section 5.3), so that `split` takes them apart again.

    Raises `URISyntaxError` where it could not: a path behind an authority that does not begin
    with `/`, one without an authority that begins with `//`, and the like (section 3.3).
    """
    marks = (
        "" if reference.scheme is None else f"{reference.scheme}:",
        "" if reference.authority is None else f"//{reference.authority}",
        reference.path,
        "" if reference.query is None else f"?{reference.query}",
        "" if reference.fragment is None else f"#{reference.fragment}",
    )
    text = "".join(marks)
    if split_reference(text) != reference:
        raise _explain_unfit(reference, marks)
    return text


def _explain_unfit(reference: URIReference, marks: tuple[str, ...]) -> URISyntaxError:
    again = split_reference("".join(marks))
    names = ("scheme", "authority", "path", "query", "fragment")
    unlike = next(name for name in names if getattr(again, name) != getattr(reference, name))
    component = "host" if unlike == "authority" else unlike
    position = sum(len(mark) for mark in marks[: names.index(unlike)])
    message = f"The {unlike} would be read as something else when put together"
    return URISyntaxError(message, position, component, "RFC 3986, sections 3.3 and 5.3")


ReferenceForm = Literal["reference", "uri", "absolute"]

_MAX_PROBLEMS: Final = 100
_PERCENT: Final = f"%(?!{HEXDIGS})"
_BAD_SCHEME: Final = re.compile(rf"[^{ALPHANUM}+.\-]")
_BAD_USERINFO: Final = re.compile(f"[^{UNRESERVED}{SUB_DELIMS}:%]|{_PERCENT}")
_BAD_REG_NAME: Final = re.compile(f"[^{UNRESERVED}{SUB_DELIMS}%]|{_PERCENT}")
_BAD_PORT: Final = re.compile("[^0-9]")
_BAD_PATH: Final = re.compile(f"[^{PCHAR_SET}/%]|{_PERCENT}")
_BAD_QUERY: Final = re.compile(f"[^{PCHAR_SET}/?%]|{_PERCENT}")
_IP_FUTURE: Final = re.compile(f"[vV][0-9A-Fa-f]+\\.[{UNRESERVED}{SUB_DELIMS}:]+")
_SCHEME_RULE: Final = 'scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) (RFC 3986, section 3.1)'


def validate_reference(
    text: str, form: ReferenceForm = "reference", most: int = _MAX_PROBLEMS
) -> tuple[URISyntaxError, ...]:
    """What keeps `text` from being a URI reference, from left to right; `()` where nothing does.

    `form` asks for more: a `"uri"` has a scheme, an `"absolute"` URI no fragment either (4.3).
    """
    return tuple(islice(_find_problems(split_reference(text), form), most))


def _find_problems(reference: URIReference, form: ReferenceForm) -> Iterator[URISyntaxError]:
    start = 0
    if reference.scheme is not None:
        yield from _check_scheme(reference.scheme)
        start = len(reference.scheme) + 1
    elif form != "reference":
        yield URISyntaxError("The scheme is missing", 0, "scheme", _SCHEME_RULE)
    if reference.authority is not None:
        yield from _check_authority(reference.authority, start + 2)
        start += 2 + len(reference.authority)
    yield from _check_path(reference, start)
    start += len(reference.path)
    if reference.query is not None:
        yield from _find_bad_characters(
            _BAD_QUERY, reference.query, start + 1, "query", "query, section 3.4"
        )
        start += 1 + len(reference.query)
    if reference.fragment is not None:
        if form == "absolute":
            yield _reject_fragment(start)
        fragment = reference.fragment
        yield from _find_bad_characters(
            _BAD_QUERY, fragment, start + 1, "fragment", "fragment, section 3.5"
        )


def _reject_fragment(position: int) -> URISyntaxError:
    rule = "absolute-URI, section 4.3 (RFC 3986)"
    return URISyntaxError("An absolute URI has no fragment", position, "fragment", rule)


def _check_scheme(scheme: str) -> Iterator[URISyntaxError]:
    if not (scheme[0].isascii() and scheme[0].isalpha()):
        message = f"{describe_character(scheme[0])} cannot begin the scheme"
        yield URISyntaxError(_capitalize_first(message), 0, "scheme", _SCHEME_RULE)
    for match in _BAD_SCHEME.finditer(scheme, 1):
        message = f"{describe_character(match.group())} cannot stand in the scheme"
        yield URISyntaxError(_capitalize_first(message), match.start(), "scheme", _SCHEME_RULE)


def _check_authority(authority: str, start: int) -> Iterator[URISyntaxError]:
    parts = split_authority(authority)
    if parts.userinfo is not None:
        yield from _find_bad_characters(
            _BAD_USERINFO, parts.userinfo, start, "userinfo", "userinfo, section 3.2.1"
        )
        start += len(parts.userinfo) + 1
    yield from _check_host(parts.host, start)
    if parts.port is not None:
        start += len(parts.host) + 1
        yield from _find_bad_characters(
            _BAD_PORT, parts.port, start, "port", "port = *DIGIT, section 3.2.3"
        )


def _check_host(host: str, start: int) -> Iterator[URISyntaxError]:
    if not host.startswith("["):
        # An IPv4 address is a reg-name too, and so is what only resembles one.
        yield from _find_bad_characters(
            _BAD_REG_NAME, host, start, "host", "reg-name, section 3.2.2"
        )
        return
    end = host.find("]")
    literal = host[1:end]
    if end < 0 or end + 1 < len(host):
        position = start + (len(host) if end < 0 else end + 1)
        yield _build_host_error(
            "An address in square brackets ends with “]” and nothing more", position
        )
    elif not (_IP_FUTURE.fullmatch(literal) or _is_ipv6(literal)):
        yield _build_host_error("What is in square brackets is not an IPv6 address", start + 1)


def _is_ipv6(literal: str) -> bool:
    try:
        IPv6Address(literal)
    except AddressValueError:
        return False
    return "%" not in literal


def _build_host_error(message: str, position: int) -> URISyntaxError:
    return URISyntaxError(message, position, "host", "IP-literal (RFC 3986, section 3.2.2)")


def _check_path(reference: URIReference, start: int) -> Iterator[URISyntaxError]:
    path = reference.path
    colon = path.partition("/")[0].find(":")
    if reference.scheme is None and reference.authority is None and colon >= 0:
        message = "A colon cannot stand in the first segment of a relative reference"
        rule = "path-noscheme (RFC 3986, section 4.2)"
        yield URISyntaxError(message, start + colon, "path", rule)
    yield from _find_bad_characters(_BAD_PATH, path, start, "path", "path, section 3.3")


def _find_bad_characters(
    bad: re.Pattern[str], text: str, start: int, component: str, production: str
) -> Iterator[URISyntaxError]:
    for match in bad.finditer(text):
        at = match.group()
        what = (
            "a “%” without two hexadecimal digits after it" if at == "%" else describe_character(at)
        )
        message = _capitalize_first(f"{what} cannot stand in the {component}")
        rule = "pct-encoded, section 2.1" if at == "%" else production
        yield URISyntaxError(message, start + match.start(), component, f"{rule} (RFC 3986)")


def _capitalize_first(message: str) -> str:
    return message[0].upper() + message[1:]


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
