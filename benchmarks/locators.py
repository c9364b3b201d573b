"""How long a locator table takes to load, how large it is, and how fast look-ups are."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from benchmarks.databases import DATABASES, empty_registry, require_postgresql
from benchmarks.tables import Table

ROWS: Final = 1_000_000


def measure(is_smallest: bool) -> Iterator[Table]:
    """Load a table into each database, in a process of its own."""
    require_postgresql()
    rows = 1_000 if is_smallest else ROWS
    spawn = multiprocessing.get_context("spawn")
    figures = []
    for database in DATABASES:
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            figures.append(pool.submit(measure_database, database, rows).result())
    columns = ("", "rows in a second", "memory at most", "octets a row", "look-up", "in 10,000")
    yield Table(
        f"A table of {rows:,} locators, and look-ups compared with one of 10,000",
        (*columns, "times as long", "target"),
        figures,
    )


def measure_database(database: str, rows: int) -> Sequence[str]:
    """Return the row of one database."""
    with empty_registry(database):
        # The measuring module imports the models, which need the settings.
        figures: Sequence[str] = importlib.import_module("benchmarks.locator_rows").measure(rows)
    return database, *figures
