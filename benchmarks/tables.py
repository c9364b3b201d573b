"""Tables of figures, and their places in README.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

README: Final = Path(__file__).with_name("README.md")
MISSED: Final = "**missed**"


class CannotRun(Exception):
    """A program lacks something on this machine; the message says what."""


def judge(target: str, is_met: bool) -> str:
    """Return a target, and whether it is met."""
    return f"{target} {'met' if is_met else MISSED}".strip()


@dataclass(frozen=True)
class Table:
    """Figures in Markdown: the first column names the row, the others are numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        alignment = ["---", *["--:"] * (len(self.columns) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.columns, alignment, *self.rows)]
        return "\n".join([f"**{self.caption}**", "", *lines])

    @property
    def is_met(self) -> bool:
        """Whether no row missed its target."""
        return not any(MISSED in cell for row in self.rows for cell in row)


def replace_tables(name: str, text: str, readme: Path = README) -> None:
    """Put a program's tables between its markers in README.md.

    Raises `CannotRun` if it has no markers.
    """
    before, marker = readme.read_text("utf-8"), f"<!-- {name} -->"
    place = re.compile(rf"{marker}\n.*?<!-- end of {name} -->", re.DOTALL)
    if not place.search(before):
        raise CannotRun(f"{readme.name} has no place for tables between {marker} and its end.")
    section = f"{marker}\n\n{text}\n\n<!-- end of {name} -->"
    readme.write_text(place.sub(lambda _found: section, before), encoding="utf-8")
