"""Services for names that begin in one way: compared as the namespace compares its names."""

from __future__ import annotations

from registry.rulebook import rule as rule_of
from registry.rulebook.merging import merged
from registry.urn.equivalence import upper_percent


def folded(nid: str, nss: str) -> str:
    """Return an NSS, or the beginning of one, without what its namespace does not count."""
    rule = rule_of(nid)
    return merged(rule.merges if rule else (), upper_percent(nss))


def behind(nid: str, prefix: str, nss: str) -> str | None:
    """Return what stands in `nss` behind `prefix`, none where it does not begin so.

    As it was written, where what the namespace does not count leaves its length alone.
    """
    if not prefix:
        return nss
    name, beginning = folded(nid, nss), folded(nid, prefix)
    if not name.startswith(beginning):
        return None
    is_as_long = len(name) == len(nss) and len(beginning) == len(prefix)
    return nss[len(prefix) :] if is_as_long else name[len(beginning) :]
