"""The rungs of the comparison ladder, and two URIs compared on it (RFC 3986, section 6.2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from registry.urn.equivalence import fold_percent_octets
from registry.urn.syntax import HEXDIGS, UNRESERVED
from registry.urn.uri.reference import (
    URIReference,
    recompose_reference,
    split_authority,
    split_reference,
)
from registry.urn.uri.resolution import guard_path, remove_dot_segments
from registry.urn.urn import URN, is_valid

# Behind a "%" that lacks its digits nothing is decoded, or it might become them.
_TRIPLET: Final = re.compile(f"(?<!%)(?<!%[0-9A-Fa-f])%({HEXDIGS})")
_UNRESERVED: Final = re.compile(f"[{UNRESERVED}]")
_PORTS: Final = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
_ROOTED: Final = frozenset({"http", "https", "ws", "wss"})


class Rung(StrEnum):
    """How far up the ladder a comparison climbs; each rung stands on those before it."""

    SIMPLE = "simple"
    CASE = "case"
    PERCENT = "percent-encoding"
    DOTS = "dot segments"
    SCHEME = "scheme-based"


def normalize_uri(text: str, rung: Rung = Rung.DOTS) -> str:
    """`text` in the form that URIs equal at `rung` share.

    A URN is never decoded and its dots mean nothing (RFC 8141, sections 3.1 and 4.2), so that for
    one only the case is folded, and at `Rung.SCHEME` it is its assigned name. What begins with
    `urn:` and is no URN has no other form, since nobody can tell which name was meant: it stays
    as it is.
    """
    steps = list(Rung)[1 : list(Rung).index(rung) + 1]
    is_urn = text[:4].lower() == "urn:"
    if is_urn and not is_valid(text):
        return text
    for step in steps:
        text = (
            _normalize_urn(text, step)
            if is_urn
            else recompose_reference(_STEPS[step](split_reference(text)))
        )
    return text


def _normalize_urn(text: str, step: Rung) -> str:
    urn = URN(text)
    if step is Rung.SCHEME:
        return urn.assigned_name
    if step is Rung.CASE:
        return fold_percent_octets(f"urn:{urn.nid.lower()}{text[4 + len(urn.nid) :]}")
    return text


def _fold_case(reference: URIReference) -> URIReference:
    """Section 6.2.2.1: scheme and host in lower case, percent-octets in upper case."""
    folded = _apply_to_data(reference, fold_percent_octets)
    scheme = None if folded.scheme is None else folded.scheme.lower()
    return _lower_host(replace(folded, scheme=scheme))


def _decode_percent(reference: URIReference) -> URIReference:
    """Section 6.2.2.2: what stands for an unreserved character is written as that character."""
    return _lower_host(_apply_to_data(reference, _decode_unreserved))


def _normalize_dots(reference: URIReference) -> URIReference:
    """Section 6.2.2.3, for absolute URIs: in a relative reference dots still have a meaning."""
    if reference.scheme is None:
        return reference
    return guard_path(replace(reference, path=remove_dot_segments(reference.path)))


def _normalize_scheme(reference: URIReference) -> URIReference:
    """Section 6.2.3: without the default port, and the root in place of an empty path."""
    scheme = reference.scheme or ""
    if scheme not in _PORTS or reference.authority is None:
        return reference
    parts = split_authority(reference.authority)
    port = None if parts.port in ("", _PORTS[scheme]) else parts.port
    path = reference.path or ("/" if scheme in _ROOTED else "")
    return replace(reference, authority=str(replace(parts, port=port)), path=path)


def _apply_to_data(reference: URIReference, fold: Callable[[str], str]) -> URIReference:
    def on(part: str | None) -> str | None:
        return None if part is None else fold(part)

    return replace(
        reference,
        authority=on(reference.authority),
        path=fold(reference.path),
        query=on(reference.query),
        fragment=on(reference.fragment),
    )


def _lower_host(reference: URIReference) -> URIReference:
    if reference.authority is None:
        return reference
    parts = split_authority(reference.authority)
    host = fold_percent_octets(parts.host.lower())
    return replace(reference, authority=str(replace(parts, host=host)))


def _decode_unreserved(text: str) -> str:
    return _TRIPLET.sub(_decode_triplet, text)


def _decode_triplet(match: re.Match[str]) -> str:
    char = chr(int(match.group(1), 16))
    return char if _UNRESERVED.fullmatch(char) else match.group()


_STEPS: Final = {
    Rung.CASE: _fold_case,
    Rung.PERCENT: _decode_percent,
    Rung.DOTS: _normalize_dots,
    Rung.SCHEME: _normalize_scheme,
}


@dataclass(frozen=True, slots=True)
class ComparisonStep:
    """What two URIs look like on one rung."""

    rung: Rung
    first: str
    second: str

    @property
    def is_equal(self) -> bool:
        """Whether they are the same on this rung."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class URIComparison:
    """The rungs in order, up to the one that found two URIs equal, or all of them."""

    steps: tuple[ComparisonStep, ...]

    @property
    def rung(self) -> Rung | None:
        """The lowest rung on which the two are equal; `None` where they differ on all."""
        last = self.steps[-1]
        return last.rung if last.is_equal else None

    @property
    def is_equal(self) -> bool:
        """Whether some rung finds the two equal."""
        return self.rung is not None


def compare_uris(first: str, second: str, highest: Rung = Rung.SCHEME) -> URIComparison:
    """Climb the ladder with two URIs until they are equal, or to the `highest` rung asked for.

    Equal means the same resource; different means only that spelling does not show it (6.1).
    """
    steps = []
    for rung in Rung:
        steps.append(ComparisonStep(rung, normalize_uri(first, rung), normalize_uri(second, rung)))
        if steps[-1].is_equal or rung is highest:
            break
    return URIComparison(tuple(steps))
