"""The version of the registry: a number that rises with everything a reader can see."""

from __future__ import annotations

from typing import Final

from registry.models import Counter

SERIES: Final = (Counter.EVENT, Counter.SHOWN)


def registry_version() -> int:
    """Return the version as of now, in one small query.

    Every line of the journal raises it, and so does what changes a public page without one and
    says so by `shown_anew`.
    """
    return sum(Counter.objects.filter(name__in=SERIES).values_list("value", flat=True))


def shown_anew() -> None:
    """Raise the version: something public changed that the journal does not tell of."""
    Counter.objects.take(Counter.SHOWN)
