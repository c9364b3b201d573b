"""What people type finds what they mean, among the first three results."""

from __future__ import annotations

import csv
from pathlib import Path

from registry.enums import SearchKind
from registry.search import search_index

QUERIES_FILE = Path(__file__).resolve().parent / "queries.csv"
LEAST_SHARE = 0.95


def found_first(query: str) -> list[str]:
    return [
        f"guide:{each.key}" if each.kind == SearchKind.GUIDE else each.key
        for each in search_index(query).best
    ]


def test_95_in_100_queries_find_what_is_meant_among_the_first_three(shipped: None) -> None:
    with QUERIES_FILE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    missed = [
        f"{row['query']}: {row['expected']} not in {found}"
        for row in rows
        if not set(row["expected"].split()) <= set(found := found_first(row["query"]))
    ]

    assert len(rows) == 150
    assert len(missed) <= len(rows) * (1 - LEAST_SHARE), "\n".join(missed)
    print("\n".join(missed))
