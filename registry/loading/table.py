"""Files of comma-separated values, as rows that know their line."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry.loading.defects import BadFiles, Defect
from registry.loading.encoding import read_text


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line it begins on, and its values by column."""

    line: int
    values: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file that could be read, and what is wrong with the others."""

    name: str
    rows: tuple[Row, ...]
    defects: tuple[Defect, ...]


def read_table(path: Path, columns: Sequence[str]) -> Table:
    """Return the rows of a file that has exactly these columns, in any order.

    Raises `BadFiles` where no row can be trusted: another encoding, other columns, no rows.
    """
    lines = list(numbered(read_text(path)))
    rows: list[Row] = []
    defects = [Defect(path.name, line, found) for line, found in lines if isinstance(found, str)]
    readable = [(line, found) for line, found in lines if isinstance(found, list)]
    if not readable:
        raise BadFiles(defects)
    (first, header), *others = readable
    wrong = [Defect(path.name, first, text) for text in wrong_columns(header, columns)]
    if not others and not defects:
        wrong.append(Defect(path.name, first, "There is no row below the names of the columns."))
    if wrong:
        raise BadFiles(wrong)
    for line, fields in others:
        if len(fields) == len(header):
            rows.append(Row(line, dict(zip(header, fields, strict=True))))
        else:
            text = f"{len(fields)} fields where {len(header)} are expected."
            defects.append(Defect(path.name, line, text))
    return Table(path.name, tuple(rows), tuple(defects))


def numbered(text: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield each row that is not blank with its first line; what cannot be read as a sentence."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, f"The row cannot be read: {error}."
        else:
            if fields:
                yield line, fields


def wrong_columns(header: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each column that is missing, not known or there twice."""
    counted = Counter(header)
    for column in columns:
        if column not in counted:
            yield f"The column “{column}” is missing."
    for column, count in counted.items():
        if column not in columns:
            yield f"The column “{column}” is not known."
        elif count > 1:
            yield f"The column “{column}” is there {count} times."
