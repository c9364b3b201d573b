"""Where the thing is that a name names, from the table that an organization loaded for it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from registry.choices import TableState
from registry.models import Locator, LocatorTable, Namespace
from registry.queries import Prepared
from registry.rulebook import Outcome, rule as rule_of
from registry.rulebook.merging import merged
from registry.urn import URN
from registry.urn.equivalence import upper_percent

KEY_OCTETS: Final = 16
IN_USE: Final = Prepared(
    lambda key: LocatorTable.objects.filter(namespace_id=key, state=TableState.CURRENT)
)


def locator_of(namespace: Namespace, urn: URN) -> str | None:
    """Return the locator of `urn`, a name of `namespace`, in the table in use; one query."""
    found = Locator.objects.filter(
        table__namespace=namespace, table__state=TableState.CURRENT, key=key(merges(urn), urn.nss)
    )
    return found.values_list("locator", flat=True).first()


def has_locators(namespace: Namespace) -> bool:
    """Whether a table of `namespace` is in use."""
    return bool(IN_USE(namespace.pk))


def merges(urn: URN) -> tuple[str, ...]:
    """Return what the namespace of `urn` declares beyond RFC 8141, section 3.1.

    It speaks of names that follow its rule alone: others are compared as they stand.
    """
    rule = rule_of(urn.nid)
    if rule is None or not rule.merges or rule.check(urn).outcome is Outcome.AGAINST:
        return ()
    return rule.merges


def key(merges: Iterable[str], nss: str) -> bytes:
    """Return by what rows are found: the same for equivalent names of a namespace, and no others.

    Percent-octets are folded as section 3.1 does it, and then what `merges` leave out.
    """
    compared = merged(merges, upper_percent(nss))
    return hashlib.blake2b(compared.encode("ascii"), digest_size=KEY_OCTETS).digest()
