"""Loading a locator table and looking names up, compared with a small table."""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.db import connection

from benchmarks.tables import judge
from registry import permissions
from registry.enums import NamespaceKind, TableState
from registry.exchange import locator_tables
from registry.models import Namespace
from registry.resolution.sources import (
    find_locator,
    find_resolvable_namespace,
)
from registry.urn import URN, parse

SMALL: Final = 10_000
ROUNDS: Final = 25
LOOK_UPS: Final = 400
MAX_SHARE: Final = 1.5
SPREAD: Final = 7_919  # A prime: names come in no order.


class Lines:
    """A CSV file of `rows` rows that takes no space."""

    def __init__(self, rows: int) -> None:
        self.rows = iter(range(rows))
        self.count = rows

    def readline(self, size: int, /) -> bytes:
        """Return the next line."""
        number = next(self.rows, None)
        if number is None:
            return b""
        return f"{make_name(number * SPREAD % self.count)},{make_locator(number)}\n".encode("ascii")


def make_name(number: int) -> str:
    """Return a name as long as those of many libraries."""
    return f"de:101:1-{number:017d}"


def make_locator(number: int) -> str:
    """Return an address of usual length."""
    return f"https://repository.library.example/objects/{number:010d}"


def load_lines(nid: str, rows: int) -> tuple[Namespace, float]:
    """Load a table; return its namespace and how many seconds that took."""
    namespace = Namespace.objects.create(nid=nid, nid_as_registered=nid, kind=NamespaceKind.FORMAL)
    table = locator_tables.begin_table(
        namespace, actor=permissions.CLOCK, file_name="rows.csv", over=None
    )
    start = time.monotonic()
    table = locator_tables.load_table(table, Lines(rows))
    assert (table.state, table.rows) == (TableState.CURRENT, rows), table.report[:3]
    return namespace, time.monotonic() - start


def look_up(namespace: Namespace, names: list[URN]) -> float:
    """Return how many seconds finding `names` takes."""
    start = time.perf_counter()
    known = find_resolvable_namespace(namespace.nid)
    assert known
    for urn in names:
        assert find_locator(known.namespace, urn, known.equivalence, known.table)
    return time.perf_counter() - start


def draw_names(namespace: Namespace, rows: range) -> list[URN]:
    """Return random names of a table."""
    numbers = random.choices(rows, k=LOOK_UPS)
    return [parse(f"urn:{namespace.nid}:{make_name(number)}") for number in numbers]


def measure_database_size() -> int:
    """Return the size of the database on disk, once everything is written."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("CHECKPOINT")
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        size: tuple[int] = cursor.fetchone()
    return size[0]


def read_peak_memory() -> float:
    """Return the peak memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    peak = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    assert peak
    return int(peak[1]) / 1024


def compare_tables(
    large: tuple[Namespace, range], small: tuple[Namespace, range]
) -> tuple[float, ...]:
    """Return seconds per look-up in the large table and in the small one, and their ratio.

    They alternate, each time with other names.
    """
    pairs = [
        (look_up(large[0], draw_names(*large)), look_up(small[0], draw_names(*small)))
        for _ in range(ROUNDS)
    ]
    of_large, of_small = (statistics.median(times) / LOOK_UPS for times in zip(*pairs, strict=True))
    return of_large, of_small, statistics.median(one / other for one, other in pairs)


def measure(rows: int) -> Sequence[str]:
    """Return the figures of the database of this process."""
    small, _seconds = load_lines("small", SMALL)
    before = measure_database_size()
    # Migrating took more memory than loading does: the peak is counted from here on.
    Path("/proc/self/clear_refs").write_text("5")
    large, seconds = load_lines("large", rows)
    memory = read_peak_memory()
    octets = (measure_database_size() - before) / rows
    of_large, of_small, share = compare_tables((large, range(rows)), (small, range(SMALL)))
    return (
        f"{rows / seconds:,.0f}",
        f"{memory:.0f} MB",
        f"{octets:.0f}",
        f"{of_large * 1e6:.0f} µs",
        f"{of_small * 1e6:.0f} µs",
        f"{share:.2f}",
        judge(f"{MAX_SHARE}", share <= MAX_SHARE),
    )
