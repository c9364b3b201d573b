"""A text read as a URI of any scheme, or as a locator of 1993."""

from __future__ import annotations

from dataclasses import dataclass

from registry.urn import Found, URNSyntaxError, find, parse, problems, uri


@dataclass(frozen=True, slots=True)
class URIReading:
    """How RFC 3986 reads a text.

    `problems` keep it from being what `form` asks for; for a text that begins with `urn:` they are
    those of RFC 8141. `normal` is its form on the requested rung, empty if there is none, and
    `host_kind` is None if there is no host.
    """

    text: str
    form: uri.ReferenceForm
    parts: uri.URIReference
    problems: tuple[uri.URISyntaxError | URNSyntaxError, ...]
    host_kind: uri.HostKind | None
    normal: str

    @property
    def is_valid(self) -> bool:
        """Whether it is what was asked for."""
        return not self.problems


def read_uri(
    text: str, form: uri.ReferenceForm = "uri", rung: uri.Rung = uri.Rung.SCHEME
) -> URIReading:
    """Read `text` by RFC 3986, and a URN by RFC 8141. Nothing is refused."""
    parts = uri.split_reference(text)
    is_named = text[:4].lower() == "urn:"
    found: tuple[uri.URISyntaxError | URNSyntaxError, ...] = (
        problems(text) if is_named else uri.validate_reference(text, form)
    )
    kind = None
    if parts.authority is not None:
        kind = uri.classify_host(uri.split_authority(parts.authority).host)
    normal = "" if found else uri.normalize_uri(text, rung)
    return URIReading(text, form, parts, found, kind, normal)


def read_other_uri(text: str) -> URIReading | None:
    """Read a text that is not a URN as a URI of another scheme; None if it is not one."""
    scheme = uri.split_reference(text).scheme
    if scheme is None or scheme.lower() == "urn":
        return None
    reading = read_uri(text)
    return reading if reading.is_valid else None


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece of a searched text: one of the URIs, or what is between two of them."""

    text: str
    found: Found | None = None
    is_registered: bool = False


def split_at_uris(text: str, most: int, registered: frozenset[str]) -> tuple[FoundPiece, ...]:
    """Return all of `text` in pieces, of which up to `most` are URIs found in it.

    `registered` are the canonical NIDs that make a URN one of a registered namespace.
    """
    pieces: list[FoundPiece] = []
    reached = 0
    for count, found in enumerate(find(text, with_suffixes=True)):
        if count == most:
            break
        if found.start > reached:
            pieces.append(FoundPiece(text[reached : found.start]))
        is_registered = found.is_urn and parse(found.text).nid.lower() in registered
        pieces.append(FoundPiece(text[found.start : found.end], found, is_registered))
        reached = found.end
    if reached < len(text):
        pieces.append(FoundPiece(text[reached:]))
    return tuple(pieces)
