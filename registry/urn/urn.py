"""A URN as a value, read from a text, composed of parts or built from a name (RFC 8141, 2)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, NoReturn, Self, TypedDict, Unpack

from registry.urn.diagnosis import diagnose_text, find_cause
from registry.urn.equivalence import fold_assigned_name
from registry.urn.errors import SURROGATE_CAUSES, URNSyntaxError
from registry.urn.syntax import (
    ALPHANUM,
    F_COMPONENT,
    NAMESTRING,
    NID,
    NSS,
    PCHAR_SET,
    Q_COMPONENT,
    R_COMPONENT,
)

# Component, what introduces it, and what it may hold, in the order they stand in a URN.
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
    """Parts of a URN by the names of its attributes; `None` is a component that is absent."""

    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


def compose_urn(
    nid: str,
    nss: str,
    r_component: str | None = None,
    q_component: str | None = None,
    f_component: str | None = None,
) -> str:
    """The text of the URN with these parts, each already percent-encoded.

    Raises `URNSyntaxError` where a part cannot stand in its place; its `text` is the whole that
    was put together and its `position` counts in that.
    """
    parts = (nid, nss, r_component, q_component, f_component)
    given = [
        (component, mark, pattern, part)
        for (component, mark, pattern), part in zip(_PARTS, parts, strict=True)
        if part is not None
    ]
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
        return diagnose_text(text)
    reach = pattern.match(part)
    end = start + (stray.start() if stray else reach.end() if reach else 0)
    return URNSyntaxError(text, end, find_cause(text, end, component, first=end == start))


_fullmatch: Final = NAMESTRING.fullmatch
_new: Final = object.__new__


class URN:
    """A text that is a URN, and its parts as written.

    Frozen; equal and hashed by spelling. `is_equivalent_to` compares as section 3 does. Calling
    the class reads a text as `parse` does and raises `URNSyntaxError` where it is not a URN.
    """

    # The parts are taken from the match when asked for: most URNs are only ever passed on.
    __slots__ = ("_match",)
    _match: re.Match[str]

    def __new__(cls, text: str) -> Self:
        match = _fullmatch(text)
        if match is None:
            raise diagnose_text(text)
        urn = _new(cls)
        _set_match(urn, match)
        return urn

    @property
    def text(self) -> str:
        """The whole URN as written."""
        return self._match.group()

    @property
    def nid(self) -> str:
        """The namespace identifier, in the case it was written in."""
        return self._match.group(1)

    @property
    def nss(self) -> str:
        """The namespace-specific string."""
        return self._match.group(2)

    @property
    def r_component(self) -> str | None:
        """What stands behind `?+`, for a resolver (2.3.1); `None` when there is none."""
        return self._match.group(3)

    @property
    def q_component(self) -> str | None:
        """What stands behind `?=`, for the resource (2.3.2); `None` when there is none."""
        return self._match.group(4)

    @property
    def f_component(self) -> str | None:
        """What stands behind `#`, for the client (2.3.3); empty and absent (`None`) differ."""
        return self._match.group(5)

    @property
    def assigned_name(self) -> str:
        """The canonical form: scheme, NID and percent-octets folded, components left out (3.1)."""
        nid, nss = self._match.group(1, 2)
        return fold_assigned_name(nid, nss)

    def is_equivalent_to(self, other: URN) -> bool:
        """Whether the two are URN-equivalent by section 3.1, whatever their namespace adds."""
        return self.assigned_name == other.assigned_name

    def replace(self, **parts: Unpack[URNParts]) -> Self:
        """The URN with some of its parts exchanged; `None` leaves an optional one out.

        Raises `URNSyntaxError` when a part cannot stand where it is put, as a `?=` in an
        r-component.
        """
        nid, nss, r_component, q_component, f_component = self._match.groups()
        kept: URNParts = {
            "nid": nid,
            "nss": nss,
            "r_component": r_component,
            "q_component": q_component,
            "f_component": f_component,
        }
        changed: URNParts = {**kept, **parts}
        text = compose_urn(**changed)
        return type(self)(self.text[:3] + text[3:])

    def __str__(self) -> str:
        return self._match.group()

    def __repr__(self) -> str:
        return f"URN({self.text!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URN):
            return self.text == other.text
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._match.group())

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.text,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a URN is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a URN is frozen: {name} cannot be deleted")


_set_match: Final = URN.__dict__["_match"].__set__


def parse(text: str) -> URN:
    """Read `text`, all of it, as a URN by RFC 8141, section 2.

    Raises `URNSyntaxError`, which says where and by which rule it stops being one. Nothing is
    trimmed, folded or decoded, and whether the NID may be registered is not asked.
    """
    match = _fullmatch(text)
    if match is None:
        raise diagnose_text(text)
    urn = _new(URN)
    _set_match(urn, match)
    return urn


def is_valid(text: str) -> bool:
    """Whether `text`, all of it, is a URN by RFC 8141, section 2."""
    return _fullmatch(text) is not None


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

    What cannot stand in a URN is written as UTF-8 and percent-encoded: a `%` too, since the name
    is taken as not encoded yet, and a `/` at the beginning. Raises `URNSyntaxError` for a NID
    that cannot be, an empty part, and a lone surrogate, which has no UTF-8.

    Section 2.2 leaves the way from a native name to an NSS to the namespace where it has rules of
    its own; who does not know them must not build its URNs.
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
# Letters, marks upon them, digits and symbols are shown; nothing that is invisible, breaks the
# line or turns the direction of writing may come out of an encoding.
_READABLE: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "So"})
# Counted among letters and symbols, and yet nothing is drawn for them.
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

    ASCII stays encoded: decoded, it could pass for a delimiter or for what the namespace keeps.
    So do octets that are not UTF-8. The scheme and every component are shown (section 4.4).
    """
    return DisplayForm(_TRIPLETS.sub(_decode_readable, urn.text), urn.text)


def _decode_readable(match: re.Match[str]) -> str:
    triplets = match.group()
    shown, start = [], 0
    for char in bytes.fromhex(triplets.replace("%", "")).decode("utf-8", "surrogateescape"):
        end = start + 3 * len(char.encode("utf-8", "surrogateescape"))
        shown.append(char if _is_readable(char) else triplets[start:end])
        start = end
    return "".join(shown)


def _is_readable(char: str) -> bool:
    return unicodedata.category(char) in _READABLE and char not in _BLANK
