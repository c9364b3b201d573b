"""Rules that a grammar may use without defining them, because others have.

The core rules of RFC 5234 (appendix B.1) belong to ABNF itself. Those of RFC 3986 (appendix A)
and RFC 8141 (section 2) are what grammars of namespaces lean on, and mostly say so in prose.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from registry.grammar import abnf
from registry.grammar.rule import Rule

CORE: Final = "RFC 5234, appendix B.1"
_URI: Final = "RFC 3986, appendix A"
_URN: Final = "RFC 8141, section 2"

_TEXTS: Final[dict[str, dict[str, str]]] = {
    CORE: {
        "ALPHA": "%x41-5A / %x61-7A",
        "BIT": '"0" / "1"',
        "CHAR": "%x01-7F",
        "CR": "%x0D",
        "CRLF": "CR LF",
        "CTL": "%x00-1F / %x7F",
        "DIGIT": "%x30-39",
        "DQUOTE": "%x22",
        "HEXDIG": 'DIGIT / "A" / "B" / "C" / "D" / "E" / "F"',
        "HTAB": "%x09",
        "LF": "%x0A",
        "LWSP": "*(WSP / CRLF WSP)",
        "OCTET": "%x00-FF",
        "SP": "%x20",
        "VCHAR": "%x21-7E",
        "WSP": "SP / HTAB",
    },
    _URI: {
        "alphanum": "ALPHA / DIGIT",
        "unreserved": 'ALPHA / DIGIT / "-" / "." / "_" / "~"',
        "gen-delims": '":" / "/" / "?" / "#" / "[" / "]" / "@"',
        "sub-delims": '"!" / "$" / "&" / "\'" / "(" / ")" / "*" / "+" / "," / ";" / "="',
        "reserved": "gen-delims / sub-delims",
        "pct-encoded": '"%" HEXDIG HEXDIG',
        "pchar": 'unreserved / pct-encoded / sub-delims / ":" / "@"',
        "segment": "*pchar",
        "segment-nz": "1*pchar",
        "fragment": '*( pchar / "/" / "?" )',
    },
    _URN: {
        "namestring": 'assigned-name [ rq-components ] [ "#" f-component ]',
        "assigned-name": '"urn" ":" NID ":" NSS',
        "NID": "(alphanum) 0*30(ldh) (alphanum)",
        "ldh": 'alphanum / "-"',
        "NSS": 'pchar *(pchar / "/")',
        "rq-components": '[ "?+" r-component ] [ "?=" q-component ]',
        "r-component": 'pchar *( pchar / "/" / "?" )',
        "q-component": 'pchar *( pchar / "/" / "?" )',
        "f-component": "fragment",
    },
}
_PLACES: Final = {
    name.lower(): (source, name, text)
    for source, rules in _TEXTS.items()
    for name, text in rules.items()
}
# A namespace that writes these anew says what its own are, and contradicts nobody.
_MEANT_TO_DIFFER: Final = frozenset(map(str.lower, [*_TEXTS[_URN], "segment", "fragment"]))


def source(name: str) -> str:
    """Where the known rule `name` is defined; empty for any other."""
    return _PLACES[name.lower()][0] if name.lower() in _PLACES else ""


def is_fixed(name: str) -> bool:
    """Whether `name` means the same wherever it is used."""
    return name.lower() in _PLACES and name.lower() not in _MEANT_TO_DIFFER


def find(name: str) -> Rule | None:
    """The known rule `name`, in whatever case; `None` for any other name."""
    return _read(name.lower()) if name.lower() in _PLACES else None


@cache
def _read(name: str) -> Rule:
    _, written, text = _PLACES[name]
    return abnf.rules(f"{written} = {text}")[0]
