"""Every reason why a text is not a URN, with the rule of RFC 8141."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SECTION_2: Final = "RFC 8141, section 2"


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason why a text is not a URN.

    `what` and `mend` are sentences; `{character}` in them is the name of the invalid character, and
    `{encoded}` is its percent-encoding.
    """

    component: str
    rule: str
    what: str
    mend: str


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
NID_FULL: Final = Cause(
    "nid",
    _NID,
    "a hyphen stands as the 32nd character of the NID, which is its last",
    "A NID has 2 to 32 characters, and ends with a letter or a digit.",
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
NSS_ADDRESS: Final = Cause(
    "nss",
    _NSS,
    "the NSS begins with “/”",
    "If this is a web address, it is a URI already: leave “urn:” out.",
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
NOT_TEXT: Final = Cause(
    "text",
    _ASSIGNED_NAME,
    "this is no text",
    "Give the text of the URN, as a str.",
)
UNDECODED_CAUSES: Final = {
    component: Cause(
        component,
        f"Characters outside ASCII are percent-encoded as UTF-8 (RFC 8141, section {section})",
        "{character} stands in the " + ("NSS" if component == "nss" else f"{component}-component"),
        "Nobody can tell which character it was: save the text as UTF-8, or percent-encode it.",
    )
    for component, section in _SECTIONS.items()
} | {
    "nid": Cause(
        "nid",
        NID_FOREIGN.rule,
        "{character} stands in the NID",
        NID_FOREIGN.mend,
    )
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
