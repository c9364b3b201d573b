"""Why a text is not a URN: the cause, with its rule, and the place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from registry.urn.characters import describe

SECTION_2: Final = "RFC 8141, section 2"


@dataclass(frozen=True, slots=True)
class Cause:
    """One way of not being a URN.

    `what` and `mend` are sentences; `{character}` in them is the character at fault, named, and
    `{encoded}` is its percent-encoding.
    """

    component: str
    rule: str
    what: str
    mend: str


class URNSyntaxError(ValueError):
    """A text is not a URN.

    `position` is the 0-based index of the first character that cannot stand, or the length of the
    text where something is missing at its end. `component` is `scheme`, `nid`, `nss`, `r`, `q` or
    `f`; `rule` the production or sentence that is broken, with its section; `str()` is a message
    fit to show, made of `message` (what and where) and `mend` (how to put it right).
    """

    def __init__(self, text: str, position: int, cause: Cause) -> None:
        self.text = text
        self.position = position
        self.cause = cause

    @property
    def component(self) -> str:
        """The component in which the text stops being a URN."""
        return self.cause.component

    @property
    def rule(self) -> str:
        """The production or sentence that is broken, with the section it stands in."""
        return self.cause.rule

    @property
    def message(self) -> str:
        """What is wrong, and at which character, counted from 1 as people count."""
        what = self.cause.what.format(character=self._character)
        return f"{what[0].upper()}{what[1:]} ({self._place})."

    @property
    def mend(self) -> str:
        """How to put it right."""
        return self.cause.mend.format(character=self._character, encoded=self._encoded)

    @property
    def _place(self) -> str:
        if self.position < len(self.text):
            return f"character {self.position + 1}"
        return f"after character {self.position}" if self.text else "nothing was typed"

    @property
    def _character(self) -> str:
        at = self.text[self.position : self.position + 1]
        return describe(at) if at else "the end of the text"

    @property
    def _encoded(self) -> str:
        at = self.text[self.position : self.position + 1]
        return "".join(f"%{octet:02X}" for octet in at.encode("utf-8", "replace"))

    def __str__(self) -> str:
        return f"{self.message} {self.mend}"
