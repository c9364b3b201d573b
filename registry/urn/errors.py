"""Why a text is not a URN: every cause, with the rule of RFC 8141 that says so, and the place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from registry.urn.characters import describe_character

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
        return describe_character(at) if at else "the end of the text"

    @property
    def _encoded(self) -> str:
        at = self.text[self.position : self.position + 1]
        return "".join(f"%{octet:02X}" for octet in at.encode("utf-8", "replace"))

    def __str__(self) -> str:
        return f"{self.message} {self.mend}"


_ASSIGNED_NAME: Final = f'assigned-name = "urn" ":" NID ":" NSS ({SECTION_2})'
_NID: Final = f"NID = (alphanum) 0*30(ldh) (alphanum) ({SECTION_2})"
_NSS: Final = f'NSS = pchar *(pchar / "/") ({SECTION_2})'
_R: Final = f'r-component = pchar *( pchar / "/" / "?" ) ({SECTION_2})'
_Q: Final = f'q-component = pchar *( pchar / "/" / "?" ) ({SECTION_2})'
_F: Final = f'f-component = fragment = *( pchar / "/" / "?" ) ({SECTION_2})'
_PCT: Final = 'pct-encoded = "%" HEXDIG HEXDIG (RFC 3986, section 2.1)'
_QUESTION: Final = (
    f"A “?” outside the components is followed by “+” or “=”, or is a syntax error ({SECTION_2})"
)
_ENCODE: Final = "If it belongs to the name, write it as {encoded}; if not, remove it."

SCHEME_MISSING: Final = Cause(
    "scheme",
    _ASSIGNED_NAME,
    "{character} stands where a URN has its scheme, “urn:”",
    "A URN begins with “urn:”, in upper or lower case.",
)
NID_MISSING: Final = Cause(
    "nid",
    _NID,
    "{character} stands where the NID should begin",
    "After “urn:” comes the identifier of a namespace, such as “example”.",
)
NID_CHARACTER: Final = Cause(
    "nid",
    _NID,
    "{character} cannot stand in the NID",
    "A NID has letters a to z, digits and hyphens; nothing in it can be percent-encoded.",
)
NID_FOREIGN: Final = Cause(
    "nid",
    "NIDs have no characters outside ASCII and no encoding for them (RFC 8141, section 2.1)",
    "{character} cannot stand in the NID",
    "A NID has letters a to z, digits and hyphens; nothing in it can be percent-encoded.",
)
NID_SHORT: Final = Cause(
    "nid",
    _NID,
    "the NID has one character only",
    "A NID has 2 to 32 characters.",
)
NID_LONG: Final = Cause(
    "nid",
    _NID,
    "the NID goes on after 32 characters",
    "A NID has 2 to 32 characters.",
)
NID_HYPHEN: Final = Cause(
    "nid",
    _NID,
    "a hyphen stands at an end of the NID",
    "A NID begins and ends with a letter or a digit.",
)
NSS_MISSING: Final = Cause(
    "nss",
    _ASSIGNED_NAME,
    "the NSS is missing",
    "After the NID come a colon and the name itself, as in “urn:example:foo”.",
)
NSS_SLASH: Final = Cause(
    "nss",
    _NSS,
    "the NSS begins with “/”",
    "Leave the “/” out, or write it as %2F if the name begins with it.",
)
STRAY_QUESTION_MARK: Final = Cause(
    "nss",
    _QUESTION,
    "a “?” without “+” or “=” after it cannot stand in a URN",
    "Write “?=” before a q-component, “?+” before an r-component, %3F for the character itself.",
)
_R_BEGINS: Final = _R.replace(SECTION_2, "RFC 8141, sections 2 and 2.3.1")
_Q_BEGINS: Final = _Q.replace(SECTION_2, "RFC 8141, sections 2 and 2.3.2")
EMPTY_CAUSES: Final = {
    "nid": NID_MISSING,
    "nss": NSS_MISSING,
    "r": Cause(
        "r",
        _R_BEGINS,
        "the r-component is empty",
        "Write something after “?+”, or leave “?+” out.",
    ),
    "q": Cause(
        "q",
        _Q_BEGINS,
        "the q-component is empty",
        "Write something after “?=”, or leave “?=” out.",
    ),
}
BEGINNING_CAUSES: Final = {
    "r": Cause(
        "r",
        _R_BEGINS,
        "the r-component begins with {character}",
        "Begin it with another character, or write this one as {encoded}.",
    ),
    "q": Cause(
        "q",
        _Q_BEGINS,
        "the q-component begins with {character}",
        "Begin it with another character, or write this one as {encoded}.",
    ),
}
SECOND_HASH: Final = Cause(
    "f",
    "The f-component goes from “#” to the end of the URN (RFC 8141, section 2.3.3)",
    "a second “#” cannot stand in the f-component",
    "Write the second as %23, or remove it.",
)
_ENCODABLE: Final = {
    "nss": Cause("nss", _NSS, "{character} cannot stand in the NSS", _ENCODE),
    "r": Cause("r", _R, "{character} cannot stand in the r-component", _ENCODE),
    "q": Cause("q", _Q, "{character} cannot stand in the q-component", _ENCODE),
    "f": Cause("f", _F, "{character} cannot stand in the f-component", _ENCODE),
}
_SECTIONS: Final = {"nss": "2.2", "r": "2.3.1", "q": "2.3.2", "f": "2.3.3"}
CHARACTER_CAUSES: Final = {"nid": NID_CHARACTER, **_ENCODABLE}
FOREIGN_CAUSES: Final = {"nid": NID_FOREIGN} | {
    component: Cause(
        component,
        f"Characters outside ASCII are percent-encoded (RFC 8141, section {_SECTIONS[component]})",
        cause.what,
        cause.mend,
    )
    for component, cause in _ENCODABLE.items()
}
SURROGATE_CAUSES: Final = {"nid": NID_FOREIGN} | {
    component: Cause(
        component, cause.rule, cause.what, "It has no encoding at all: remove it or retype it."
    )
    for component, cause in _ENCODABLE.items()
}
PERCENT_CAUSES: Final = {
    component: Cause(
        component,
        _PCT,
        cause.what.format(character="a “%” without two hexadecimal digits after it"),
        "Write %25 for the character itself, or complete the encoding.",
    )
    for component, cause in _ENCODABLE.items()
}
SPECIAL_CAUSES: Final = {
    ("nss", "/"): NSS_SLASH,
    ("nss", "?"): STRAY_QUESTION_MARK,
    ("f", "#"): SECOND_HASH,
    **{(component, "%"): cause for component, cause in PERCENT_CAUSES.items()},
}
