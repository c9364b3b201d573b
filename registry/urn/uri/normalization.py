"""The rungs of the comparison ladder, and two URIs compared on it (RFC 3986, section 6.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from ..equivalence import fold_percent_octets
from ..errors import refuse_type
from ..syntax import ALPHANUM, HEXDIGS, UNRESERVED
from ..urn import URN, is_valid
from .reference import (
    URIAuthority,
    URIReference,
    join_components,
    split_authority,
    split_reference,
)
from .resolution import guard_path, remove_dot_segments
from .schemes import DEFAULT_PORTS

# After a "%" without its digits nothing is decoded, or it might become them.
_TRIPLET: Final = re.compile(f"(?<!%)(?<!%[0-9A-Fa-f])%({HEXDIGS})")
_UNRESERVED: Final = re.compile(f"[{UNRESERVED}]")
_DECODED: Final = {
    f"{octet:02X}": chr(octet) for octet in range(128) if _UNRESERVED.fullmatch(chr(octet))
}
_SCHEME: Final = re.compile(rf"[A-Za-z][{ALPHANUM}+.\-]*+")
# Letters beyond ASCII keep their case: what is not a valid host stays as it is.
_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_ROOTED: Final = frozenset({"http", "https", "ws", "wss"})


class Rung(StrEnum):
    """How far up the ladder a comparison climbs; each rung includes those before it."""

    SIMPLE = "simple"
    CASE = "case"
    PERCENT = "percent-encoding"
    DOTS = "dot segments"
    SCHEME = "scheme-based"


_RUNGS: Final = tuple(Rung)
_HEIGHTS: Final = {rung: height for height, rung in enumerate(_RUNGS)}


def normalize_uri(text: str, rung: Rung = Rung.DOTS) -> str:
    """`text` in the form that URIs equal at `rung` share.

    A URN is never decoded and its dots have no meaning (RFC 8141, sections 3.1 and 4.2), so only
    its case is folded, and at `Rung.SCHEME` it is its assigned name. What begins with `urn:` and is
    not a URN stays as it is, since nobody can tell which name was meant. So does what has no scheme
    before its colon.
    """
    height = _HEIGHTS[rung]
    if height == 0:
        return text
    if not is_normalizable(text):
        return text
    if _is_named(text):
        return next(islice(_climb_with_urn(text), height, None))
    parts = split_reference(text)
    for step in _STEPS[:height]:
        parts = step(parts)
    return join_components(*parts)


def is_normalizable(text: str) -> bool:
    """Whether `text` can have a normal form other than itself: a URN, or any other reference."""
    try:
        if text[:4].lower() == "urn:":
            return is_valid(text)
        scheme = split_reference(text).scheme
    except (TypeError, AttributeError):
        raise refuse_type(text, "A URI") from None
    return scheme is None or _SCHEME.fullmatch(scheme) is not None


def _is_named(text: str) -> bool:
    return text[:4].lower() == "urn:"


def climb_ladder(text: str) -> Iterator[str]:
    """The form of `text` on each rung in order, each made from the one before."""
    if not is_normalizable(text):
        yield from (text for _ in _RUNGS)
    elif _is_named(text):
        yield from _climb_with_urn(text)
    else:
        yield text
        parts = split_reference(text)
        for step in _STEPS:
            parts = step(parts)
            yield join_components(*parts)


def _climb_with_urn(text: str) -> Iterator[str]:
    urn = URN(text)
    end = len("urn:") + len(urn.nid)
    folded = fold_percent_octets(text[:end].lower() + text[end:])
    yield from (text, folded, folded, folded, urn.assigned_name)


def _fold_case(parts: URIReference) -> URIReference:
    """Section 6.2.2.1: scheme and host in lower case, percent-octets in upper case."""
    scheme, authority, path, query, fragment = parts
    if scheme is not None:
        scheme = scheme.lower()
    if authority:
        authority = _lower_host(_fold_octets(authority))
    return URIReference(
        scheme, authority, _fold_octets(path), _fold_octets(query), _fold_octets(fragment)
    )


def _decode_percent(parts: URIReference) -> URIReference:
    """Section 6.2.2.2: encoded unreserved characters are decoded."""
    scheme, authority, path, query, fragment = parts
    if authority and "%" in authority:
        user, host, port = split_authority(authority)
        authority = str(URIAuthority(_decode(user), _decode(host).translate(_LOWER), port))
        authority = fold_percent_octets(authority)
    return URIReference(scheme, authority, _decode(path), _decode(query), _decode(fragment))


def _normalize_dots(parts: URIReference) -> URIReference:
    """Section 6.2.2.3, for absolute URIs: in a relative reference dots still have a meaning."""
    if parts.scheme is None or "." not in parts.path:
        return parts
    return guard_path(parts._replace(path=remove_dot_segments(parts.path)))


def _normalize_scheme(parts: URIReference) -> URIReference:
    """Section 6.2.3: without an empty or default port, and the root instead of an empty path."""
    scheme, authority, path, query, fragment = parts
    if not authority:
        return parts
    user, host, port = split_authority(authority)
    if port is not None:
        port = _normalize_port(scheme or "", port)
        authority = str(URIAuthority(user, host, port))
    if not path and scheme in _ROOTED:
        path = "/"
    return URIReference(scheme, authority, path, query, fragment)


def _normalize_port(scheme: str, port: str) -> str | None:
    """The number without leading zeros, `None` if it can be left out (section 3.2.3)."""
    if not port:
        return None
    if not (port.isascii() and port.isdecimal()):
        return port
    number = port.lstrip("0") or "0"
    return None if number == DEFAULT_PORTS.get(scheme) else number


_STEPS: Final = (_fold_case, _decode_percent, _normalize_dots, _normalize_scheme)


_Part = TypeVar("_Part", str, str | None)


def _fold_octets(part: _Part) -> _Part:
    return fold_percent_octets(part) if part and "%" in part else part


def _lower_host(authority: str) -> str:
    if "@" not in authority:
        # A port has no case, so the whole rest counts as the host.
        return _fold_octets(
            authority.lower() if authority.isascii() else authority.translate(_LOWER)
        )
    user, host, port = split_authority(authority)
    return fold_percent_octets(str(URIAuthority(user, host.translate(_LOWER), port)))


def _decode(text: _Part) -> _Part:
    return _TRIPLET.sub(_decode_triplet, text) if text and "%" in text else text


def _decode_triplet(match: re.Match[str]) -> str:
    return _DECODED.get(match.group(1).upper(), match.group())


class ComparisonStep(NamedTuple):
    """What two URIs look like on one rung."""

    rung: Rung
    first: str
    second: str

    @property
    def is_equal(self) -> bool:
        """Whether they are the same on this rung."""
        return self.first == self.second


class URIComparison(NamedTuple):
    """The rungs in order, up to the one where two URIs are equal, or all of them."""

    steps: tuple[ComparisonStep, ...]

    @property
    def rung(self) -> Rung | None:
        """The lowest rung on which the two are equal; `None` if they differ on all."""
        last = self.steps[-1]
        return last.rung if last.is_equal else None

    @property
    def is_equal(self) -> bool:
        """Whether the two are equal on some rung."""
        return self.rung is not None


def compare_uris(first: str, second: str, highest: Rung = Rung.SCHEME) -> URIComparison:
    """Climb the ladder with two URIs until they are equal, or to the `highest` rung.

    Equal means the same resource; different only means that the spelling does not show it (6.1).
    """
    steps = []
    for rung, one, other in zip(_RUNGS, climb_ladder(first), climb_ladder(second), strict=True):
        steps.append(ComparisonStep(rung, one, other))
        if one == other or rung is highest:
            break
    return URIComparison(tuple(steps))
