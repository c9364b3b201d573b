"""When two URNs are the same name, and what tells them apart (RFC 8141, section 3.1)."""

from __future__ import annotations

import re
from typing import Final

_HAS_LOWER: Final = re.compile("%[0-9A-F]?+[a-f]")
_RUN_OF_TRIPLETS: Final = re.compile("(?:%[0-9A-Fa-f]{2})++")


def fold_assigned_name(nid: str, nss: str) -> str:
    """Fold what section 3.1 folds, and nothing else, in the two parts of a URN."""
    if "%" in nss:
        nss = fold_percent_octets(nss)
    return f"urn:{nid.lower()}:{nss}"


def fold_percent_octets(text: str) -> str:
    """Write the hexadecimal digits of each percent-octet of `text` in upper case."""
    if _HAS_LOWER.search(text) is None:
        return text
    return _RUN_OF_TRIPLETS.sub(_uppercase_match, text)


def _uppercase_match(match: re.Match[str]) -> str:
    return match.group().upper()
