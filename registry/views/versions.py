"""How the versions of a namespace lead to one another (RFC 5829)."""

from __future__ import annotations

from collections.abc import Sequence

from registry.models import Registration
from registry.views.links import Link


def of_namespace(versions: Sequence[Registration]) -> list[Link]:
    """Return the links of a namespace; `versions` begin with the one in force."""
    if not versions:
        return []
    latest = versions[0]
    return [
        Link(latest.namespace.get_absolute_url(), "version-history"),
        Link(latest.get_absolute_url(), "latest-version"),
    ]


def of_version(versions: Sequence[Registration], shown: Registration) -> list[Link]:
    """Return the links of one version among all."""
    place = list(versions).index(shown)
    older, newer = versions[place + 1 : place + 2], versions[:place][-1:]
    return [
        *of_namespace(versions),
        *(Link(each.get_absolute_url(), "predecessor-version") for each in older),
        *(Link(each.get_absolute_url(), "successor-version") for each in newer),
    ]
