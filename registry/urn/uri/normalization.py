"""The rungs of the comparison ladder (RFC 3986, section 6.2), each by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Final

from registry.urn.equivalence import upper_percent
from registry.urn.syntax import HEXDIGS, UNRESERVED
from registry.urn.uri.reference import Reference, recompose, split, split_authority
from registry.urn.uri.resolution import guarded, remove_dot_segments
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


def normalize(text: str, rung: Rung = Rung.DOTS) -> str:
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
        text = _urn_step(text, step) if is_urn else recompose(_STEPS[step](split(text)))
    return text


def _urn_step(text: str, step: Rung) -> str:
    urn = URN(text)
    if step is Rung.SCHEME:
        return urn.assigned_name
    if step is Rung.CASE:
        return upper_percent(f"urn:{urn.nid.lower()}{text[4 + len(urn.nid) :]}")
    return text


def _case(reference: Reference) -> Reference:
    """Section 6.2.2.1: scheme and host in lower case, percent-octets in upper case."""
    folded = _on_data(reference, upper_percent)
    scheme = None if folded.scheme is None else folded.scheme.lower()
    return _lower_host(replace(folded, scheme=scheme))


def _percent(reference: Reference) -> Reference:
    """Section 6.2.2.2: what stands for an unreserved character is written as that character."""
    return _lower_host(_on_data(reference, _decode_unreserved))


def _dots(reference: Reference) -> Reference:
    """Section 6.2.2.3, for absolute URIs: in a relative reference dots still have a meaning."""
    if reference.scheme is None:
        return reference
    return guarded(replace(reference, path=remove_dot_segments(reference.path)))


def _scheme(reference: Reference) -> Reference:
    """Section 6.2.3: without the default port, and the root in place of an empty path."""
    scheme = reference.scheme or ""
    if scheme not in _PORTS or reference.authority is None:
        return reference
    parts = split_authority(reference.authority)
    port = None if parts.port in ("", _PORTS[scheme]) else parts.port
    path = reference.path or ("/" if scheme in _ROOTED else "")
    return replace(reference, authority=str(replace(parts, port=port)), path=path)


def _on_data(reference: Reference, fold: Callable[[str], str]) -> Reference:
    def on(part: str | None) -> str | None:
        return None if part is None else fold(part)

    return replace(
        reference,
        authority=on(reference.authority),
        path=fold(reference.path),
        query=on(reference.query),
        fragment=on(reference.fragment),
    )


def _lower_host(reference: Reference) -> Reference:
    if reference.authority is None:
        return reference
    parts = split_authority(reference.authority)
    host = upper_percent(parts.host.lower())
    return replace(reference, authority=str(replace(parts, host=host)))


def _decode_unreserved(text: str) -> str:
    return _TRIPLET.sub(_unreserved_or_same, text)


def _unreserved_or_same(match: re.Match[str]) -> str:
    char = chr(int(match.group(1), 16))
    return char if _UNRESERVED.fullmatch(char) else match.group()


_STEPS: Final = {
    Rung.CASE: _case,
    Rung.PERCENT: _percent,
    Rung.DOTS: _dots,
    Rung.SCHEME: _scheme,
}
