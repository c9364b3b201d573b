"""What a load did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows were added, changed and left alone; `kept` are ours and were not touched."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    kept: int = 0

    def __str__(self) -> str:
        counts = f"{self.added} added, {self.changed} changed, {self.unchanged} unchanged"
        return f"{counts}, {self.kept} kept as registered here" if self.kept else counts
