"""Two names of a namespace side by side, with the rule that decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from registry.rulebook.answers import Equivalence
from registry.rulebook.merging import in_words, needed
from registry.urn import URN
from registry.urn.equivalence import upper_percent

_SECTION: Final = "RFC 8141, section 3.1"


def compare(first: URN, second: URN, merges: Iterable[str] | None, document: str) -> Equivalence:
    """Compare by section 3.1 first, and where that keeps two names apart by `merges`.

    `merges` are `None` where one of the names is against the rule of the namespace.
    """
    if first.is_equivalent_to(second):
        return Equivalence(True, f"The two are the same name by {_SECTION}.", _SECTION)
    if first.nid.lower() != second.nid.lower():
        return Equivalence(False, "The two are names of different namespaces.", _SECTION)
    if merges is None:
        message = "The two are different names, and one of them is against the rule of both."
        return Equivalence(False, message, _SECTION)
    used = needed(merges, upper_percent(first.nss), upper_percent(second.nss))
    if used is None:
        message = "The two are different names, and their namespace has nothing that merges them."
        return Equivalence(False, message, _SECTION)
    message = f"The two are the same name: their namespace does not count {in_words(used)}."
    return Equivalence(True, message, document, used)
