"""From a reference and a base to the target (RFC 3986, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from registry.urn.finding import Finding, Severity
from registry.urn.uri.reference import (
    URIReference,
    URISyntaxError,
    recompose_reference,
    split_reference,
)

_DOTS: Final = (".", "..")


@dataclass(frozen=True, slots=True)
class Resolution:
    """The target of a reference, and what there is to say of how it was found."""

    target: str
    findings: tuple[Finding, ...]


def resolve_reference(base: str, reference: str, *, strict: bool = True) -> str:
    """The target of `reference` against `base` by section 5.2.2.

    Not `strict`, a scheme in the reference that is the base's is passed over, as older parsers
    do. `../` never climbs above the root. Raises `URISyntaxError` for a base without a scheme.
    """
    return recompose_reference(
        _find_target(_parse_base(base), split_reference(reference), strict=strict)
    )


def resolve_with_advice(base: str, reference: str, *, strict: bool = True) -> Resolution:
    """As `resolve`, with a warning where a URN is used as base (RFC 8141, section 4.3)."""
    target = resolve_reference(base, reference, strict=strict)
    return Resolution(target, advise_on_reference(base, reference))


def advise_on_reference(base: str, reference: str) -> tuple[Finding, ...]:
    """What the URN specifications say of `reference` against `base`; `()` without a URN there."""
    given = split_reference(reference)
    if not given.is_relative or (split_reference(base).scheme or "").lower() != "urn":
        return ()
    if given.is_same_document:
        return (_SAME_DOCUMENT,)
    return (_URN_BASE, _OTHER_BASE)


def remove_dot_segments(path: str) -> str:
    """`path` without its segments `.` and `..` (section 5.2.4), in one pass over them."""
    segments = path.split("/")
    last = len(segments) - 1
    start = 0
    while start < last and segments[start] in _DOTS:
        start += 1
    if segments[start] in _DOTS:
        return ""
    kept = [segments[start]]
    for index in range(start + 1, last + 1):
        segment = segments[index]
        if segment == ".." and kept:
            kept.pop()
        if segment not in _DOTS:
            kept.append(f"/{segment}")
        elif index == last:
            kept.append("/")
    return "".join(kept)


def _parse_base(base: str) -> URIReference:
    parts = split_reference(base)
    if parts.scheme is None:
        message = "A base URI has a scheme"
        raise URISyntaxError(message, 0, "scheme", "RFC 3986, section 5.1")
    return parts


def _find_target(base: URIReference, given: URIReference, *, strict: bool) -> URIReference:
    is_same = (given.scheme or "").lower() == (base.scheme or "").lower()
    if given.scheme is not None and (strict or not is_same):
        return _normalize_dots(given)
    if given.authority is not None:
        return _normalize_dots(replace(given, scheme=base.scheme))
    if given.path:
        path = given.path if given.path.startswith("/") else _merge_paths(base, given.path)
        placed = replace(given, scheme=base.scheme, authority=base.authority, path=path)
        return _normalize_dots(placed)
    return replace(
        base,
        query=base.query if given.query is None else given.query,
        fragment=given.fragment,
    )


def _normalize_dots(reference: URIReference) -> URIReference:
    return guard_path(replace(reference, path=remove_dot_segments(reference.path)))


def _merge_paths(base: URIReference, path: str) -> str:
    """Section 5.2.3: all but the last segment of the base, and then the reference's path."""
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def guard_path(reference: URIReference) -> URIReference:
    """`reference`, its path kept from being read as an authority where there is none.

    Without an authority no path begins with `//` (section 3.3), and removing dots may leave one.
    """
    if reference.authority is None and reference.path.startswith("//"):
        return replace(reference, path=f"/.{reference.path}")
    return reference


_SAME_DOCUMENT: Final = Finding(
    "reference.same-document",
    Severity.NOTE,
    "The reference stays within the document, so that nothing depends on the URN having a path.",
    "RFC 3986, section 4.4",
)
_URN_BASE: Final = Finding(
    "reference.urn-base",
    Severity.WARN,
    "URNs have no path for a relative reference to begin from: the target follows the rules of "
    "RFC 3986 and may be no URN at all.",
    "RFC 8141, section 4.3",
    "Write the whole URI in place of the relative reference.",
)
_OTHER_BASE: Final = Finding(
    "reference.other-base",
    Severity.NOTE,
    "A better base is one that the resource declares, one given while the URN was resolved, or "
    "the address at which the resource was found.",
    "draft-ietf-urnbis-rfc2141bis-urn-12, section 5.3",
)
