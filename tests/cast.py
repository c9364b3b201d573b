"""The journal's event about what factories made: accounts with powers, and proofs."""

from __future__ import annotations

from django.db import transaction

from registry import journal
from registry.journal.row_digests import build_row_key
from registry.journal.row_verification import list_tables_of_people
from registry.models import Event, User


@transaction.atomic
def record_cast() -> Event:
    """Write an event that rests on all rows that say who decides and who acts for whom."""
    rows = [row for table in list_tables_of_people() for row in table]
    return journal.append(
        User.objects.earliest("pk"),
        actor=None,
        verb="admin.add",
        rows=dict.fromkeys(map(build_row_key, rows)),
    )
