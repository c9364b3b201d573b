"""The version of the registry: a number that rises with everything a reader can see."""

from __future__ import annotations

from typing import Final

from django.db import connection

from registry.models import Counter

SERIES: Final = (Counter.EVENT, Counter.SHOWN)
# Asked with each request, so that it is as short as a question can be.
ASKED: Final = f"SELECT value FROM {Counter._meta.db_table} WHERE name IN (%s, %s)"


def registry_version() -> int:
    """Return the version as of now, in one small query.

    Every line of the journal raises it, and so does what changes a public page without one and
    says so by `shown_anew`.
    """
    with connection.cursor() as cursor:
        cursor.execute(ASKED, SERIES)
        return sum(value for (value,) in cursor.fetchall())


def shown_anew() -> None:
    """Raise the version: something public changed that the journal does not tell of."""
    Counter.objects.take(Counter.SHOWN)
