"""Journal lines for rows created in bulk, so that `verify_journal` finds nothing wrong."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from django.db import models, transaction

from registry import journal
from registry.batches import batched
from registry.journal.openness import list_openness
from registry.journal.row_digests import build_row_key, list_row_facts
from registry.journal.row_verification import (
    CHUNK_SIZE,
    KnownRows,
    list_verified_tables,
    needs_line,
    read_current_value,
    read_lines,
)
from registry.models import Event, RegistrationRequest
from registry.transparency.replay import SealedEntries

LINES_PER_BATCH: Final = 500
VERB: Final = "create_in_bulk"


@transaction.atomic
def record_rows() -> int:
    """Write a line for each row that the journal does not know as it is; return how many."""
    count = 0
    with closing(sqlite3.connect("")) as connection:
        known = KnownRows(connection)
        deque(read_lines(known, SealedEntries(), withheld=False), maxlen=0)
        for batch in batched(find_untold(known), LINES_PER_BATCH):
            count += write_batch(batch)
    return count


def find_untold(known: KnownRows) -> Iterator[tuple[models.Model, str]]:
    """Yield each such row, with what the journal says of it now: empty if it does not know it."""
    for rows in list_verified_tables(withheld=False):
        for row in rows.iterator(chunk_size=CHUNK_SIZE):
            last = known.get(build_row_key(row))
            before = last.said if last else ""
            if needs_line(row, SealedEntries()) and before != read_current_value(row):
                yield row, before


def write_batch(batch: list[tuple[models.Model, str]]) -> int:
    """Write the lines of these rows, each as if an act had just changed it."""
    lines, facts = [], []
    for row, before in batch:
        line, found = compose_line(row, before)
        lines.append(line)
        facts.append(found)
    journal.number_lines(lines)
    for line, found, is_open in zip(lines, facts, list_openness(lines), strict=True):
        journal.compose_entry(line, found, is_open=is_open)
    Event.objects.bulk_create(lines)
    return len(lines)


def compose_line(row: models.Model, before: str) -> tuple[Event, dict[str, Any]]:
    """Return the line of one row, not numbered yet, and the facts for its entry."""
    now = read_current_value(row)
    if isinstance(row, RegistrationRequest):
        return journal.compose_line(row, actor=None, verb=VERB, source=before, target=now), {}
    line, key = journal.compose_line(row, actor=None, verb=VERB), build_row_key(row)
    line.rows[key] = [before, now]
    said = list_row_facts(row)
    return line, {key: said} if said else {}
