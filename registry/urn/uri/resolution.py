"""From a reference and a base to the target (RFC 3986, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from ..finding import Finding, Severity
from .reference import (
    URIReference,
    URISyntaxError,
    join_components,
    split_reference,
)

_DOTS: Final = (".", "..")


@dataclass(frozen=True, slots=True)
class Resolution:
    """The target of a reference, and findings on how it was resolved."""

    target: str
    findings: tuple[Finding, ...]


def resolve_reference(base: str, reference: str, *, strict: bool = True) -> str:
    """The target of `reference` against `base` by section 5.2.2.

    If not `strict`, a scheme in the reference that equals the base's is ignored, as older parsers
    do. `../` never climbs above the root. Raises `URISyntaxError` for a base without a scheme.
    """
    # The result cannot be misread: the parts come from texts and no path becomes an authority.
    return join_components(
        *_find_target(_parse_base(base), split_reference(reference), strict=strict)
    )


class BaseSource(StrEnum):
    """Where a base comes from: the innermost of these that exists (section 5.1)."""

    EMBEDDED = "embedded"
    ENCAPSULATING = "encapsulating"
    RETRIEVAL = "retrieval"
    DEFAULT = "default"


class Base(NamedTuple):
    """A base URI, where it comes from, and the section that says so."""

    uri: str
    source: BaseSource
    rule: str


def establish_base(
    *,
    embedded: str | None = None,
    encapsulating: str | None = None,
    retrieval: str | None = None,
    default: str | None = None,
) -> Base:
    """The base for references in a document, by section 5.1 (of the draft of 2003 too).

    `embedded` comes from the content, `encapsulating` is the base of the enclosing message or
    document, `retrieval` the URI it was last retrieved from, `default` what the application knows.
    The first one given counts, without its fragment; a relative one is resolved against the next.
    Raises `URISyntaxError` if none of them leads to a URI with a scheme.
    """
    given = {
        source: text
        for source, text in zip(
            BaseSource, (embedded, encapsulating, retrieval, default), strict=True
        )
        if text is not None
    }
    if not given:
        message = "There is no base: neither content, nor context, nor application has one"
        raise URISyntaxError(message, 0, "scheme", "RFC 3986, section 5.1")
    first, *outer = given
    parts = split_reference(given[first])
    text = join_components(*parts._replace(fragment=None))
    if parts.scheme is None and outer:
        around = establish_base(**{source.value: given[source] for source in outer})
        text = resolve_reference(around.uri, text)
    _parse_base(text)
    return Base(text, first, f"RFC 3986, section 5.1.{list(BaseSource).index(first) + 1}")


def is_same_document(reference: str, base: str) -> bool:
    """Whether `reference` leads to the document of `base` itself, ignoring fragments (section 4.4).

    Nothing needs to be retrieved then. The two are compared by spelling; raises `URISyntaxError`
    for a base without a scheme.
    """
    target = split_reference(resolve_reference(base, reference))
    return target._replace(fragment=None) == split_reference(base)._replace(fragment=None)


def resolve_with_advice(base: str, reference: str, *, strict: bool = True) -> Resolution:
    """Resolve like `resolve_reference`, and warn if the base is a URN (RFC 8141, section 4.3)."""
    target = resolve_reference(base, reference, strict=strict)
    return Resolution(target, advise_on_reference(base, reference))


def advise_on_reference(base: str, reference: str) -> tuple[Finding, ...]:
    """What the URN specifications say about `reference` against `base`; `()` without a URN."""
    given = split_reference(reference)
    if not given.is_relative or (split_reference(base).scheme or "").lower() != "urn":
        return ()
    if given.is_same_document:
        return (_SAME_DOCUMENT,)
    return (_URN_BASE, _OTHER_BASE)


def remove_dot_segments(path: str) -> str:
    """`path` without its segments `.` and `..` (section 5.2.4), in one pass."""
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
    scheme, authority, path, query, fragment = given
    if scheme is not None and not strict and scheme.lower() == (base.scheme or "").lower():
        scheme = None
    if scheme is not None or authority is not None:
        whole = URIReference(scheme or base.scheme, authority, path, query, fragment)
        return _normalize_dots(whole)
    if not path:
        query = base.query if query is None else query
        return URIReference(base.scheme, base.authority, base.path, query, fragment)
    path = path if path[0] == "/" else _merge_paths(base, path)
    return _normalize_dots(URIReference(base.scheme, base.authority, path, query, fragment))


def _normalize_dots(reference: URIReference) -> URIReference:
    scheme, authority, path, query, fragment = reference
    if "." in path:
        path = remove_dot_segments(path)
    return guard_path(URIReference(scheme, authority, path, query, fragment))


def _merge_paths(base: URIReference, path: str) -> str:
    """Section 5.2.3: all but the last segment of the base, and then the reference's path."""
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def guard_path(reference: URIReference) -> URIReference:
    """`reference`, with its path kept from being read as an authority if it has none.

    Without an authority no path begins with `//` (section 3.3), but removing dots may leave one.
    """
    if reference.authority is None and reference.path.startswith("//"):
        return reference._replace(path=f"/.{reference.path}")
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
