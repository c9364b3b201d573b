"""What is wrong with a file, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """One thing that is wrong, in a line of a file; line 0 is the file as a whole."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.text}"


class BadFiles(Exception):
    """Files were refused; `defects` are all there are, in the order of the lines."""

    def __init__(self, defects: Iterable[Defect]) -> None:
        self.defects = tuple(sorted(set(defects)))
        super().__init__("\n".join(map(str, self.defects)))
