"""A URN as a value, and the way from a text to it (RFC 8141, section 2)."""

from __future__ import annotations

import re
from typing import Final, NoReturn, Self, Unpack

from registry.urn.assembly import Parts, compose
from registry.urn.diagnosis import diagnose
from registry.urn.equivalence import upper_percent
from registry.urn.syntax import NAMESTRING

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
            raise diagnose(text)
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
        return f"urn:{nid.lower()}:{upper_percent(nss) if '%' in nss else nss}"

    def is_equivalent_to(self, other: URN) -> bool:
        """Whether the two are URN-equivalent by section 3.1, whatever their namespace adds."""
        return self.assigned_name == other.assigned_name

    def replace(self, **parts: Unpack[Parts]) -> Self:
        """The URN with some of its parts exchanged; `None` leaves an optional one out.

        Raises `URNSyntaxError` when a part cannot stand where it is put, as a `?=` in an
        r-component.
        """
        nid, nss, r_component, q_component, f_component = self._match.groups()
        kept: Parts = {
            "nid": nid,
            "nss": nss,
            "r_component": r_component,
            "q_component": q_component,
            "f_component": f_component,
        }
        changed: Parts = {**kept, **parts}
        text = compose(**changed)
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
        raise diagnose(text)
    urn = _new(URN)
    _set_match(urn, match)
    return urn


def is_valid(text: str) -> bool:
    """Whether `text`, all of it, is a URN by RFC 8141, section 2."""
    return _fullmatch(text) is not None
