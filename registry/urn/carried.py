"""The URN in an address of the web, such as that of a resolver."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from .syntax import REACH

_MAX_LENGTH: Final = 2000
_SEPARATED: Final = re.compile(
    r"(?:https?|ftp)://[^/?#]*+[/?#](?:|.*?[/?=&#;:+,(!|])(urn(?::|%(?:25)*+3A).*+)",
    re.IGNORECASE | re.DOTALL,
)
_COMPONENT_MARKS: Final = ("+", "=")


def find_carried_urn(address: str) -> str:
    """The URN in a web address, as written there; empty if it has none.

    In the path it goes on to the query, except for one that begins a component, `?+` or `?=`; as a
    value in the query it ends at the next `&`. One that was encoded for the address is decoded. An
    empty or incomplete name is none.
    """
    match = _SEPARATED.match(address) if len(address) <= _MAX_LENGTH else None
    if match is None:
        return ""
    text = match[1]
    before = address[: match.start(1)]
    fragment = ""
    if "#" not in before:
        text, hash_sign, fragment = text.partition("#")
        fragment = hash_sign + fragment
    if "?" in before or "#" in before:
        text = text.partition("&")[0]
    else:
        path, mark, query = text.partition("?")
        text = path.removesuffix("/")
        if query.startswith(_COMPONENT_MARKS):
            text = f"{text}{mark}{query}"
    while text[3:4] != ":":
        text = unquote(text, errors="surrogateescape")
    reach = REACH.match(text if fragment == "#" else text + fragment)
    return reach.group() if reach and reach.group(2) else ""
