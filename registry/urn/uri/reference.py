"""A URI reference and its five components (RFC 3986, section 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, NamedTuple

from ..characters import describe_character
from ..errors import refuse_type
from ..syntax import ALPHANUM, HEXDIGS, PCHAR_SET, SUB_DELIMS, UNRESERVED
from .hosts import find_literal_fault


class URISyntaxError(ValueError):
    """A text, or the parts to be composed, break the syntax of RFC 3986.

    `position` is the 0-based index of the first invalid character; `component` one of `scheme`,
    `userinfo`, `host`, `port`, `path`, `query` and `fragment`; `rule` the production or sentence
    that is broken, with its section. `str()` can be shown.
    """

    def __init__(self, message: str, position: int, component: str, rule: str) -> None:
        super().__init__(message, position, component, rule)
        self.message = message
        self.position = position
        self.component = component
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} (character {self.position + 1})."

    def __eq__(self, other: object) -> bool:
        return self.args == other.args if isinstance(other, URISyntaxError) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.args)


class URIAuthority(NamedTuple):
    """The parts of an authority (section 3.2); `None` if one is absent, `""` if empty."""

    userinfo: str | None
    host: str
    port: str | None

    def __str__(self) -> str:
        user = "" if self.userinfo is None else f"{self.userinfo}@"
        return f"{user}{self.host}" + ("" if self.port is None else f":{self.port}")


class URIReference(NamedTuple):
    """The components of a URI or a relative reference, as written.

    `None` is an absent component and `""` an empty one, which differ (section 5.3); the path is
    never absent.
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
        """Whether it can only mean the document that contains it (section 4.4)."""
        return not (self.scheme or self.authority is not None or self.path) and self.query is None

    def __str__(self) -> str:
        return recompose_reference(self)


# Appendix B, which accepts any text; possessive, so that each character is read once.
_REFERENCE: Final = re.compile(
    r"(?:([^:/?#]++):)?+(?://([^/?#]*+))?+([^?#]*+)(?:\?([^#]*+))?+(?:#(.*+))?+", re.DOTALL
)
_match_reference: Final = _REFERENCE.fullmatch
_make_reference: Final = URIReference._make


def split_reference(text: str) -> URIReference:
    """Split any text into the components that it would have as a reference (Appendix B).

    Never fails for a text: `validate_reference` checks the components.
    """
    try:
        match = _match_reference(text)
    except TypeError:
        raise refuse_type(text, "A URI reference") from None
    assert match is not None, "the expression takes any text"
    return _make_reference(match.groups())


def split_authority(authority: str) -> URIAuthority:
    """Split an authority at its first `@` and at the colon after the host (section 3.2)."""
    userinfo, at, rest = authority.partition("@")
    if not at:
        userinfo, rest = "", authority
    end = (rest.find("]") + 1 or len(rest)) if rest.startswith("[") else 0
    host, colon, port = rest[end:].partition(":")
    return URIAuthority(userinfo if at else None, rest[:end] + host, port if colon else None)


def join_components(
    scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None
) -> str:
    """The components joined (section 5.3), without checks."""
    text = path if authority is None else f"//{authority}{path}"
    if scheme is not None:
        text = f"{scheme}:{text}"
    if query is not None:
        text = f"{text}?{query}"
    return text if fragment is None else f"{text}#{fragment}"


def recompose_reference(reference: URIReference) -> str:
    """Join the components (section 5.3), so that `split_reference` gives them again.

    Raises `URISyntaxError` if that is impossible: a path after an authority that does not begin
    with `/`, one without an authority that begins with `//`, and the like (section 3.3).
    """
    text = join_components(*reference)
    if split_reference(text) != reference:
        raise _explain_unfit(reference)
    return text


def _explain_unfit(reference: URIReference) -> URISyntaxError:
    again = split_reference(join_components(*reference))
    index = next(i for i, part in enumerate(reference) if part != again[i])
    unlike = URIReference._fields[index]
    component = "host" if unlike == "authority" else unlike
    before = (part if at < index else None for at, part in enumerate(reference))
    scheme, authority, path, query, _ = before
    position = len(join_components(scheme, authority, path or "", query, None))
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
_SCHEME_RULE: Final = 'scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) (RFC 3986, section 3.1)'


def validate_reference(
    text: str, form: ReferenceForm = "reference", most: int = _MAX_PROBLEMS
) -> tuple[URISyntaxError, ...]:
    """Why `text` is not a URI reference, from left to right; `()` if it is one.

    `form` can require more: a `"uri"` has a scheme, an `"absolute"` URI also no fragment (4.3).
    """
    reference = split_reference(text)
    is_of_form = (form == "reference" or reference.scheme is not None) and (
        form != "absolute" or reference.fragment is None
    )
    if is_of_form and _VALID.fullmatch(text):
        return ()
    return tuple(islice(_find_problems(reference, form), most))


def _repeat_valid(characters: str) -> str:
    return f"[{characters}]*+(?:%{HEXDIGS}[{characters}]*+)*+"


# All but addresses in square brackets, and relative references whose first segment has a colon.
_VALID: Final = re.compile(
    rf"(?:[A-Za-z][{ALPHANUM}+.\-]*+:|(?=[/?#]))"
    rf"(?://(?:{_repeat_valid(UNRESERVED + SUB_DELIMS + ':')}@)?+"
    rf"{_repeat_valid(UNRESERVED + SUB_DELIMS)}(?::[0-9]*+)?+(?=[/?#]|\Z)|(?!//))"
    rf"{_repeat_valid(PCHAR_SET + '/')}(?:\?{_repeat_valid(PCHAR_SET + '/?')})?+"
    rf"(?:#{_repeat_valid(PCHAR_SET + '/?')})?+"
)


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
    fault = find_literal_fault(host)
    if fault is not None:
        yield _build_host_error(fault.message, start + fault.position)


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
