"""Services for names that begin in one way: compared as the namespace compares its names."""

from __future__ import annotations

from registry.rulebook import rule as rule_of
from registry.rulebook.merging import merged
from registry.urn.equivalence import upper_percent


def folded(nid: str, nss: str) -> str:
    """Return an NSS, or the beginning of one, without what its namespace does not count."""
    rule = rule_of(nid)
    return merged(rule.merges if rule else (), nss)


def behind(nid: str, prefix: str, nss: str) -> str | None:
    """Return what stands in `nss` behind `prefix`, none where it does not begin so.

    In the letters of the name, where what the namespace does not count leaves its length alone.
    """
    nss = upper_percent(nss)
    if not prefix:
        return nss
    name, beginning = folded(nid, nss), folded(nid, upper_percent(prefix))
    if not name.startswith(beginning):
        return None
    is_as_long = len(name) == len(nss) and len(beginning) == len(prefix)
    return nss[len(prefix) :] if is_as_long else name[len(beginning) :]
