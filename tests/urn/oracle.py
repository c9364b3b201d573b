"""RFC 8141, section 2, once more: slow, following its prose, to compare the library with."""

from __future__ import annotations

import re

PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
NID = r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]"

Parts = tuple[str, str, str | None, str | None, str | None]


def read(text: str) -> Parts | None:
    """NID, NSS and components of a URN, `None` for any other text."""
    if text[:4] not in ("urn:", "URN:", "Urn:", "uRn:", "urN:", "URn:", "UrN:", "uRN:"):
        return None
    nid, colon, rest = text[4:].partition(":")
    rest, hash_sign, fragment = rest.partition("#")
    nss, r_component, q_component = _components(rest)
    f_component = fragment if hash_sign else None
    may_be = (
        colon
        and re.fullmatch(NID, nid)
        and re.fullmatch(f"{PCHAR}(?:{PCHAR}|/)*", nss)
        and all(
            part is None or re.fullmatch(f"{PCHAR}(?:{PCHAR}|/|[?])*", part)
            for part in (r_component, q_component)
        )
        and (f_component is None or re.fullmatch(f"(?:{PCHAR}|/|[?])*", f_component))
    )
    return (nid, nss, r_component, q_component, f_component) if may_be else None


def _components(rest: str) -> tuple[str, str | None, str | None]:
    """The NSS ends at the first `?+` or `?=`, the r-component at the first `?=` (2.3.1)."""
    r_at, q_at = rest.find("?+"), rest.find("?=")
    if r_at >= 0 and (q_at < 0 or r_at < q_at):
        r_component, equals, q_component = rest[r_at + 2 :].partition("?=")
        return rest[:r_at], r_component, q_component if equals else None
    if q_at >= 0:
        return rest[:q_at], None, rest[q_at + 2 :]
    return rest, None, None
