"""A text read as a URI of any scheme, or as a locator of 1993."""

from __future__ import annotations

from dataclasses import dataclass

from registry.urn import URNSyntaxError, problems, uri


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
