"""The registered NIDs that a check is given."""

from __future__ import annotations

import csv
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final

from registry.urn.nid import canonical

_HEADINGS: Final = frozenset({"nid", "urn namespace", "namespace identifier"})


class Registered:
    """A set of registered NIDs, and which of them are like one that is not."""

    def __init__(self, nids: frozenset[str]) -> None:
        self._nids = nids
        self.near = lru_cache(maxsize=1024)(self._near)

    def __contains__(self, nid: str) -> bool:
        return canonical(nid) in self._nids

    def _near(self, nid: str) -> tuple[str, ...]:
        return tuple(get_close_matches(canonical(nid), sorted(self._nids), n=3, cutoff=0.75))


def read_nids(path: Path) -> Registered:
    """Read NIDs from a file: one on each line, or the column of a CSV file that is headed so."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    heading = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((index for index, cell in enumerate(heading) if cell in _HEADINGS), None)
    body = rows if column is None else rows[1:]
    index = column or 0
    return Registered(frozenset(canonical(row[index].strip()) for row in body if len(row) > index))
