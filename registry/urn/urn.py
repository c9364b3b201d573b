"""A URN as a value, parsed from a text, composed of parts or built from a name (RFC 8141, 2)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NoReturn, Self, TypedDict, Unpack

from .causes import SURROGATE_CAUSES
from .equivalence import fold_percent_octets
from .errors import URNSyntaxError, refuse_type, require_text
from .faults import find_cause
from .syntax import (
    ALPHANUM,
    F_COMPONENT,
    HEXDIGS,
    NAMESTRING,
    NID,
    NSS,
    PCHAR_SET,
    Q_COMPONENT,
    R_COMPONENT,
    WHOLE_URN,
)

# Component, prefix, and what it may contain, in the order they have in a URN.
_PARTS: Final = tuple(
    (component, mark, re.compile(pattern))
    for component, mark, pattern in (
        ("nid", "urn:", NID),
        ("nss", ":", NSS),
        ("r", "?+", R_COMPONENT),
        ("q", "?=", Q_COMPONENT),
        ("f", "#", F_COMPONENT),
    )
)
_STRAY_IN_NID: Final = re.compile(f"[^{ALPHANUM}-]")


class URNParts(TypedDict, total=False):
    """Parts of a URN by the names of its attributes; `None` is an absent component."""

    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


def compose_urn(
    nid: str | None,
    nss: str | None,
    r_component: str | None = None,
    q_component: str | None = None,
    f_component: str | None = None,
) -> str:
    """The text of the URN with these parts, each already percent-encoded.

    Raises `URNSyntaxError` if a part is invalid in its place, or NID or NSS is `None`; its `text`
    is the composed whole and its `position` counts in that.
    """
    parts = ("" if nid is None else nid, "" if nss is None else nss)
    given = [
        (component, mark, pattern, part)
        for (component, mark, pattern), part in zip(
            _PARTS, (*parts, r_component, q_component, f_component), strict=True
        )
        if part is not None
    ]
    for *_, part in given:
        require_text(part, "A part of a URN")
    text = "".join(mark + part for _, mark, _, part in given)
    start = 0
    for component, mark, pattern, part in given:
        start += len(mark)
        if not pattern.fullmatch(part):
            raise _explain_misplaced_part(text, start, component, part, pattern)
        start += len(part)
    return text


def _explain_misplaced_part(
    text: str, start: int, component: str, part: str, pattern: re.Pattern[str]
) -> URNSyntaxError:
    stray = _STRAY_IN_NID.search(part) if component == "nid" else None
    if component == "nid" and stray is None:
        return URNSyntaxError(text)
    reach = pattern.match(part)
    end = start + (stray.start() if stray else reach.end() if reach else 0)
    return URNSyntaxError(text, end, find_cause(text, end, component, first=end == start))


_match_whole: Final = WHOLE_URN.fullmatch
_match_parts: Final = NAMESTRING.fullmatch
_new: Final = object.__new__


class _UnfrozenURN:
    """The text and the parts of a URN, which `parse` sets before it freezes them.

    An attribute that Python sets itself costs a tenth of one set past `__setattr__`.
    """

    __slots__ = ("_text", "f_component", "nid", "nss", "q_component", "r_component")
    _text: str
    nid: str
    """The namespace identifier, in the case it was written in."""
    nss: str
    """The namespace-specific string."""
    r_component: str | None
    """The part after `?+`, for a resolver (2.3.1); `None` when there is none."""
    q_component: str | None
    """The part after `?=`, for the resource (2.3.2); `None` when there is none."""
    f_component: str | None
    """The part after `#`, for the client (2.3.3); empty and absent (`None`) differ."""


class URN(_UnfrozenURN):
    """A text that is a URN, and its parts as written.

    Frozen; equal, hashed and ordered by spelling. `is_equivalent_to` compares by section 3, and
    `assigned_name` is the key under which equivalent URNs are one. `match` takes it apart in the
    order of its parts, as in `case URN("isbn", nss)`. Calling the class parses a text as `parse`
    does and raises `URNSyntaxError` if it is not a URN.
    """

    __slots__ = ()
    __match_args__ = ("nid", "nss", "r_component", "q_component", "f_component")

    def __new__(cls, text: str) -> Self:
        parsed, urn = parse(text), _new(cls)
        for set_attribute, value in zip(
            _SETTERS, (parsed._text, *_list_parts(parsed)), strict=True
        ):
            set_attribute(urn, value)
        return urn

    @property
    def text(self) -> str:
        """The whole URN as written."""
        return self._text

    @property
    def assigned_name(self) -> str:
        """The canonical form: scheme, NID and percent-octets folded, components left out (3.1)."""
        name = self._text
        if "#" in name:
            name = name[: name.index("#")]
        if "?" in name:
            name = name[: name.index("?")]
        end = name.index(":", 4)
        if "%" in name:
            return name[:end].lower() + fold_percent_octets(name[end:])
        return name[:end].lower() + name[end:]

    def is_equivalent_to(self, other: URN) -> bool:
        """Whether the two are URN-equivalent by section 3.1, whatever their namespace adds."""
        require_urn(other)
        return self.assigned_name == other.assigned_name

    def replace(self, **parts: Unpack[URNParts]) -> Self:
        """The URN with some of its parts replaced; `None` removes an optional one.

        Raises `URNSyntaxError` when a part is invalid in its place, such as a `?=` in an
        r-component.
        """
        changed: URNParts = {**self.parts, **parts}
        text = compose_urn(**changed)
        return type(self)(self._text[:3] + text[3:])

    @property
    def parts(self) -> URNParts:
        """All five parts by name."""
        return {
            "nid": self.nid,
            "nss": self.nss,
            "r_component": self.r_component,
            "q_component": self.q_component,
            "f_component": self.f_component,
        }

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"URN({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URN):
            return self._text == other._text
        return NotImplemented

    def __lt__(self, other: URN) -> bool:
        return self._text < _get_text(other)

    def __le__(self, other: URN) -> bool:
        return self._text <= _get_text(other)

    def __gt__(self, other: URN) -> bool:
        return self._text > _get_text(other)

    def __ge__(self, other: URN) -> bool:
        return self._text >= _get_text(other)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self._text,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a URN is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a URN is frozen: {name} cannot be deleted")


_list_parts: Final = attrgetter(*URN.__match_args__)
_SETTERS: Final = [_UnfrozenURN.__dict__[name].__set__ for name in ("_text", *URN.__match_args__)]


def _get_text(given: object) -> str:
    if isinstance(given, URN):
        return given._text
    raise TypeError(f"a URN is ordered among URNs, and this is of type {type(given).__name__}")


def parse(text: str) -> URN:
    """Parse `text`, all of it, as a URN by RFC 8141, section 2.

    Raises `URNSyntaxError`, which says where and by which rule it stops being one, and which is
    also a `TypeError` for anything but a `str`. Nothing is trimmed, folded or decoded, and whether
    the NID may be registered is not checked.
    """
    try:
        match = _match_parts(text)
    except TypeError:
        raise refuse_type(text) from None
    if match is None:
        raise URNSyntaxError(text)
    urn: Any = _UnfrozenURN()
    urn._text = text if text.__class__ is str else match[0]
    urn.nid, urn.nss, urn.r_component, urn.q_component, urn.f_component = match.groups()
    urn.__class__ = URN
    parsed: URN = urn
    return parsed


def is_valid(text: str) -> bool:
    """Whether `text`, all of it, is a URN by RFC 8141, section 2.

    Raises `URNSyntaxError`, which is also a `TypeError`, for anything but a `str`.
    """
    try:
        return _match_whole(text) is not None
    except TypeError:
        raise refuse_type(text) from None


def require_urn(given: object) -> None:
    """Raise `TypeError` for anything but a `URN`: a text must be parsed first."""
    if not isinstance(given, URN):
        message = f"A URN is asked for, and this is of type {type(given).__name__}: parse it first."
        raise TypeError(message)


_ENCODED: Final = re.compile(f"[^{PCHAR_SET}/]")
_ENCODED_IN_RQF: Final = re.compile(f"[^{PCHAR_SET}/?]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def build(
    nid: str,
    name: str,
    *,
    r_component: str | None = None,
    q_component: str | None = None,
    f_component: str | None = None,
) -> URN:
    """The URN of `name`, given as people write it, in the namespace `nid`.

    What a URN cannot contain is written as UTF-8 and percent-encoded, including a `%`, since the
    name is taken as not encoded yet, and a leading `/`. Raises `URNSyntaxError` for an invalid NID,
    an empty part, and a lone surrogate, which has no UTF-8.

    Section 2.2 leaves the conversion of a native name to an NSS to the namespace if it has rules of
    its own; without knowing them, do not build its URNs.
    """
    return URN(
        compose_urn(
            nid,
            _encode_strays(_ENCODED, name, "nss"),
            _encode_component(r_component, "r"),
            _encode_component(q_component, "q"),
            _encode_component(f_component, "f"),
        )
    )


def _encode_component(text: str | None, component: str) -> str | None:
    return None if text is None else _encode_strays(_ENCODED_IN_RQF, text, component)


def _encode_strays(encoded: re.Pattern[str], text: str, component: str) -> str:
    require_text(text, "A part of a URN")
    lone = _SURROGATE.search(text)
    if lone:
        raise URNSyntaxError(text, lone.start(), SURROGATE_CAUSES[component])
    written = encoded.sub(lambda match: percent_encode(match.group()), text)
    if component == "r":
        written = written.replace("?=", "%3F=")
    if component != "f" and written[:1] in ("/", "?"):
        written = percent_encode(written[:1]) + written[1:]
    return written


def percent_encode(text: str) -> str:
    """Each octet of the UTF-8 of `text` as a percent triplet (RFC 3986, section 2.1)."""
    return "".join(f"%{octet:02X}" for octet in text.encode())


_TRIPLETS: Final = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])++")
# Letters, combining marks, digits and symbols are shown; nothing that is invisible, breaks the line
# or changes the direction of writing may be decoded.
_READABLE: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "So"})
_MARKS: Final = frozenset({"Mn", "Mc"})
_TRIPLET: Final = re.compile(f"%{HEXDIGS}")
# Classified as letters and symbols, although nothing is drawn for them.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class DisplayForm:
    """What to show of a URN, and whether it is the URN itself.

    `text` is for reading; `exact` is the URN as written, to copy. `str()` says which it is.
    """

    text: str
    exact: str

    @property
    def is_exact(self) -> bool:
        """Whether what is shown is the URN itself, to the letter."""
        return self.text == self.exact

    def __str__(self) -> str:
        return self.text if self.is_exact else f"{self.text} (for reading; the URN is {self.exact})"


def display(urn: URN) -> DisplayForm:
    """The URN with percent-encoded UTF-8 decoded where that can be read without confusion.

    ASCII stays encoded: decoded, it could pass for a delimiter or for something the namespace
    reserves. So do octets that are not UTF-8, and a combining mark that would be drawn on a
    delimiter. The scheme and every component are shown (section 4.4).
    """
    require_urn(urn)
    return DisplayForm(_TRIPLETS.sub(_decode_readable, urn.text), urn.text)


def _decode_readable(match: re.Match[str]) -> str:
    triplets = match.group()
    shown, start = [], 0
    is_carried = _may_carry_mark(match.string[: match.start()][-3:])
    for char in bytes.fromhex(triplets.replace("%", "")).decode("utf-8", "surrogateescape"):
        end = start + 3 * len(char.encode("utf-8", "surrogateescape"))
        is_carried = _is_readable(char, is_carried=is_carried)
        shown.append(char if is_carried else triplets[start:end])
        start = end
    return "".join(shown)


def _may_carry_mark(before: str) -> bool:
    """Whether a combining mark may follow the last of these three characters."""
    return before[-1:].isalnum() and not _TRIPLET.fullmatch(before)


def _is_readable(char: str, *, is_carried: bool) -> bool:
    category = unicodedata.category(char)
    is_drawn = category in _READABLE and char not in _BLANK
    return is_drawn and (is_carried or category not in _MARKS)
