"""Making a URN out of a name in its native spelling (RFC 8141, section 2.2)."""

from __future__ import annotations

import re
from typing import Final

from registry.urn.assembly import compose
from registry.urn.causes import SURROGATES
from registry.urn.errors import URNSyntaxError
from registry.urn.syntax import PCHAR_SET
from registry.urn.urn import URN

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
        compose(
            nid,
            _encode(_ENCODED, name, "nss"),
            _encode_component(r_component, "r"),
            _encode_component(q_component, "q"),
            _encode_component(f_component, "f"),
        )
    )


def _encode_component(text: str | None, component: str) -> str | None:
    return None if text is None else _encode(_ENCODED_IN_RQF, text, component)


def _encode(encoded: re.Pattern[str], text: str, component: str) -> str:
    lone = _SURROGATE.search(text)
    if lone:
        raise URNSyntaxError(text, lone.start(), SURROGATES[component])
    written = encoded.sub(lambda match: percent(match.group()), text)
    if component == "r":
        written = written.replace("?=", "%3F=")
    if component != "f" and written[:1] in ("/", "?"):
        written = percent(written[:1]) + written[1:]
    return written


def percent(text: str) -> str:
    """Each octet of the UTF-8 of `text` as a percent triplet (RFC 3986, section 2.1)."""
    return "".join(f"%{octet:02X}" for octet in text.encode())
