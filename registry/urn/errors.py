"""Errors for texts that are not URNs: which rule was broken, and where."""

from __future__ import annotations

from typing import Final

from . import causes
from .causes import Cause
from .characters import describe_character, find_undecoded_octet
from .faults import Fault, find_first_fault


class URNSyntaxError(ValueError):
    """A text is not a URN.

    `position` is the 0-based index of the first invalid character, or the length of the text if
    something is missing at its end. `component` is `scheme`, `nid`, `nss`, `r`, `q` or `f`; `rule`
    the production or sentence that is broken, with its section; `str()` is a message that can be
    shown, consisting of `message` (what and where) and `mend` (how to fix it).

    Raised with the text only, it finds position and cause on demand: code that just skips what is
    not a URN does not pay for the reason.
    """

    def __init__(self, text: str, position: int | None = None, cause: Cause | None = None) -> None:
        self.text = text
        self._fault = None if position is None or cause is None else Fault(position, cause)

    @property
    def fault(self) -> Fault:
        """The position and the cause together."""
        if self._fault is None:
            self._fault = find_first_fault(self.text)
        return self._fault

    @property
    def position(self) -> int:
        """The 0-based index of the first invalid character."""
        return self.fault.position

    @property
    def cause(self) -> Cause:
        """Why it is invalid."""
        return self.fault.cause

    @property
    def component(self) -> str:
        """The component in which the text stops being a URN."""
        return self.cause.component

    @property
    def rule(self) -> str:
        """The production or sentence that is broken, with its section."""
        return self.cause.rule

    @property
    def message(self) -> str:
        """What is wrong, and at which character, counted from 1 as people count."""
        what = self.cause.what.format(character=self._character)
        return f"{what[0].upper()}{what[1:]} ({self._place})."

    @property
    def mend(self) -> str:
        """How to fix it."""
        return self.cause.mend.format(character=self._character, encoded=self._encoded)

    @property
    def _place(self) -> str:
        at = self.text[self.position : self.position + 1]
        if at and find_undecoded_octet(at) is not None:
            before = self.text[: self.position].encode("utf-8", "surrogateescape")
            return f"octet {len(before) + 1}"
        if at:
            return f"character {self.position + 1}"
        return f"after character {self.position}" if self.text else "nothing was typed"

    @property
    def _character(self) -> str:
        at = self.text[self.position : self.position + 1]
        return describe_character(at) if at else "the end of the text"

    @property
    def _encoded(self) -> str:
        at = self.text[self.position : self.position + 1]
        return "".join(f"%{octet:02X}" for octet in at.encode("utf-8", "replace"))

    def __str__(self) -> str:
        return f"{self.message} {self.mend}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URNSyntaxError):
            return (type(self), self.text, self.fault) == (type(other), other.text, other.fault)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.text, self.fault))


class URNTypeError(URNSyntaxError, TypeError):
    """The argument is not a text.

    It is a `TypeError` as everywhere in Python, and a `URNSyntaxError` too, so that one `except` is
    enough for untrusted input. `given` is the name of the type.
    """

    def __init__(self, given: str, what: str = "A URN") -> None:
        super().__init__("", 0, causes.NOT_TEXT)
        self.args = (given, what)
        self.given, self.what = given, what

    @property
    def message(self) -> str:
        """What was given instead of a text."""
        return f"{self.what} is read from a str, and this is {describe_type(self.given)}."

    @property
    def mend(self) -> str:
        """How to get a text."""
        return _MENDS.get(self.given, causes.NOT_TEXT.mend)


_MENDS: Final = {
    "NoneType": "Ask first whether there is a URN at all.",
    "bytes": "Decode it first, as in data.decode('utf-8').",
    "bytearray": "Decode it first, as in data.decode('utf-8').",
    "URN": "It has been read already: its `text` is what was read.",
}


def describe_type(name: str) -> str:
    """Say in a sentence which type something has, by the name of the type."""
    if name == "NoneType":
        return "None"
    if name == "bytes":
        return "bytes"
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def refuse_type(given: object, what: str = "A URN") -> URNTypeError:
    """The error for `given`, which is not a `str`."""
    return URNTypeError(type(given).__name__, what)


def require_text(given: object, what: str = "A URN") -> None:
    """Raise `URNTypeError` for anything but a `str`; `what` begins the sentence that says so."""
    if not isinstance(given, str):
        raise refuse_type(given, what)
