"""A URI reference and its five components (RFC 3986, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from registry.urn.uri.errors import URISyntaxError


@dataclass(frozen=True, slots=True)
class Authority:
    """The parts of an authority (section 3.2); `None` where one is absent, `""` where empty."""

    userinfo: str | None
    host: str
    port: str | None

    def __str__(self) -> str:
        user = "" if self.userinfo is None else f"{self.userinfo}@"
        return f"{user}{self.host}" + ("" if self.port is None else f":{self.port}")


@dataclass(frozen=True, slots=True)
class Reference:
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
        return recompose(self)


def split(text: str) -> Reference:
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
    return Reference(
        scheme if has_scheme else None,
        authority,
        path,
        query if question else None,
        fragment if hash_sign else None,
    )


def split_authority(authority: str) -> Authority:
    """Split an authority at its first `@` and at the colon behind the host (section 3.2)."""
    userinfo, at, rest = authority.partition("@")
    if not at:
        userinfo, rest = "", authority
    end = (rest.find("]") + 1 or len(rest)) if rest.startswith("[") else 0
    host, colon, port = rest[end:].partition(":")
    return Authority(userinfo if at else None, rest[:end] + host, port if colon else None)


def recompose(reference: Reference) -> str:
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
    if split(text) != reference:
        raise _unfit(reference, marks)
    return text


def _unfit(reference: Reference, marks: tuple[str, ...]) -> URISyntaxError:
    again = split("".join(marks))
    names = ("scheme", "authority", "path", "query", "fragment")
    unlike = next(name for name in names if getattr(again, name) != getattr(reference, name))
    component = "host" if unlike == "authority" else unlike
    position = sum(len(mark) for mark in marks[: names.index(unlike)])
    message = f"The {unlike} would be read as something else when put together"
    return URISyntaxError(message, position, component, "RFC 3986, sections 3.3 and 5.3")
