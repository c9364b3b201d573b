"""The namespace identifier in what people write where they are asked for it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from registry.urn.characters import excerpt
from registry.urn.nid import PLACEHOLDER

_NID: Final = r"[A-Za-z0-9][A-Za-z0-9-]{0,62}[A-Za-z0-9]"
_QUOTED: Final = re.compile(rf"[\"“”'‘`<]\s?(?:urn:)?({_NID}):?\s?[\"“”'’`>]", re.I)
_BARE: Final = re.compile(rf"(?:urn:)?({_NID}):?[.,;]?", re.I)
_NAME_OF_OTHERS: Final = re.compile(rf"urn:{_NID}:[A-Za-z0-9]", re.I)
_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_USUAL: Final = frozenset(
    "a an and are as assigned assignment be been being by following for formal from has have"
    " iana id identifier identifiers in informal is it namespace namespaces new nid of or"
    " please proposed register registered registration request requested requesting requests"
    " shall should string text that the this to type uniform resource name names urn urns used"
    " value we will with number next".split()
)


class Named(NamedTuple):
    """The identifier, empty where none was found; what to know of it; whether text is left."""

    nid: str
    remarks: tuple[str, ...] = ()
    left: bool = False


def identifier(value: str, text: str) -> Named:
    """The identifier that `value` asks for in a template whose whole text is `text`."""
    words = " ".join(value.split())
    if not words:
        return Named("")
    if _NAME_OF_OTHERS.search(words):
        return Named("", (_OF_OTHERS.format(quoted=excerpt(words)),), left=True)
    nid = _candidate(words)
    if not nid:
        if _all_usual(words):
            return Named("", (f"{excerpt(words)} names no identifier.",))
        return Named("", (f"No identifier could be made out in {excerpt(words)}.",), left=True)
    if _is_within_another(nid, text):
        return Named("", (_OF_OTHERS.format(quoted=excerpt(nid)),), left=True)
    rest = words.replace(nid, " ", 1)
    sentence = _all_usual(rest)
    bare = not _WORD.search(rest) or rest.strip(" \"“”'.:").lower() == "urn"
    remarks = () if bare else (f"“{nid}” was read from {excerpt(words, 80)}.",)
    return Named(nid, remarks, left=not sentence)


_OF_OTHERS: Final = (
    "{quoted} is a name within another namespace, and not an identifier. Names within a namespace"
    " are registered by the rules of that namespace."
)


def _candidate(words: str) -> str:
    bare = _BARE.fullmatch(words)
    if bare:
        return "" if bare[1].lower() in _USUAL or bare[1].lower() == "tbd" else bare[1]
    quoted = [match[1] for match in _QUOTED.finditer(words[:2_000])]
    if quoted:
        return quoted[0]
    unusual = [
        word.rstrip("-") for word in _WORD.findall(words[:300]) if word.lower() not in _USUAL
    ]
    if PLACEHOLDER in unusual:
        return PLACEHOLDER
    # Without quotation marks a sentence names an identifier only if nothing else can be meant.
    return unusual[0] if len(unusual) == 1 and len(unusual[0]) > 1 else ""


def _all_usual(words: str) -> bool:
    return all(word.lower() in _USUAL | {"tbd"} for word in _WORD.findall(words))


def _is_within_another(nid: str, text: str) -> bool:
    """Whether names of the text begin with another identifier and have this one as a part."""
    own = re.search(rf"\burn:{nid}\b", text, re.I)
    part = re.search(rf"\burn:(?!{nid}:){_NID}:(?:[\w.-]{{1,60}}:){{0,5}}{nid}\b", text, re.I)
    return part is not None and own is None
