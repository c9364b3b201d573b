"""Tables of labels and values, in the ways that people draw and mark them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from registry.template.reading.label_names import LABELS, normalize_label
from registry.template.reading.mail import MailLine

_ENOUGH: Final = 3
_INDENT: Final = "   "
_BOX: Final = str.maketrans(
    {
        **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("─━═", "-"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋╒╕╘╛╞╡╪", "+"),
    }
)
_BORDER: Final = re.compile(r" *[|+]? *(?:[-=:]{2,}[-=+|: ]*|={3,})")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_BREAK: Final = re.compile(r"<br ?/?>", re.I)
_EMPHASIS: Final = re.compile(r"^([*_`]{1,3})(.*?)\1$")
# Whether a field is required, or filled in, in a column of its own.
_FLAG: Final = re.compile(r"(?:yes|no|required|optional|mandatory|[mox✓✔✗]|)", re.I)
_COUNT: Final = re.compile(r"\s*[0-9]{1,3}\.?\s*")
_MAX_LABEL_LENGTH: Final = 90


class TableRow(NamedTuple):
    """The cells of a row, which may have several lines, and the lines that it was on."""

    cells: tuple[str, ...]
    first: int
    last: int


def find_label(cell: str) -> str:
    """The label that a cell is, without emphasis and signs; empty if it is none."""
    bare = " ".join(cell[:_MAX_LABEL_LENGTH].split())
    bare = _EMPHASIS.sub(r"\2", bare.strip('"')).strip(" :")
    return bare if normalize_label(bare) in LABELS else ""


def write_rows(rows: Sequence[TableRow]) -> list[MailLine]:
    """The rows as labels with values; those of another table with bars between the cells."""
    width = max((len(row.cells) for row in rows), default=0)
    across = {find_label(cell) for cell in rows[0].cells} - {""} if rows else set()
    columns = [
        len({label for row in rows if at < len(row.cells) and (label := find_label(row.cells[at]))})
        for at in range(width)
    ]
    if len(across) >= _ENOUGH and len(across) > max(columns):
        return list(_write_columns(rows))
    if not columns or max(columns) < _ENOUGH:
        return [MailLine(row.first, row.last, " | ".join(row.cells)) for row in rows]
    return list(_write_labels(rows, columns.index(max(columns))))


def _write_columns(rows: Sequence[TableRow]) -> Iterator[MailLine]:
    first, last = rows[0].first, rows[-1].last
    for at, cell in enumerate(rows[0].cells):
        yield MailLine(first, last, "")
        yield MailLine(first, last, f"{find_label(cell) or cell.strip()}:")
        for row in rows[1:]:
            if at < len(row.cells):
                yield from _write_value(row.cells[at], row._replace(first=first, last=last))


def _write_labels(
    rows: Sequence[TableRow], column: int, *, others: bool = True
) -> Iterator[MailLine]:
    """Each row as a label and its value; with `others` also what is no label of a field."""
    begun = False
    for row in rows:
        cell = row.cells[column] if column < len(row.cells) else ""
        label = find_label(cell)
        values = row.cells[column + 1 :] if column < len(row.cells) else row.cells
        if label:
            values = tuple(cell for cell in values if not _FLAG.fullmatch(cell.strip()))
            values = values or row.cells[:column]
        if label:
            begun = True
            yield MailLine(row.first, row.last, "")
            yield MailLine(row.first, row.last, f"{label}:")
        elif not begun:
            # The head of the table.
            yield MailLine(row.first, row.last, " | ".join(row.cells), is_markup=True)
            continue
        elif not others:
            values = row.cells
        elif cell.strip():
            yield MailLine(row.first, row.last, "")
            yield MailLine(row.first, row.last, f"{cell.strip(' :')}:")
        for value in values:
            yield from _write_value(value, row)


def _write_value(value: str, row: TableRow) -> Iterator[MailLine]:
    for line in _BREAK.sub("\n", value).split("\n"):
        text = line.replace("\\|", "|").rstrip()
        yield MailLine(row.first, row.last, _INDENT + text.strip() if text.strip() else "")


def read_tables(lines: list[MailLine]) -> list[MailLine]:
    """The lines, with tables of labels written as labels with values."""
    if not any("|" in line.text.translate(_BOX) for line in lines):
        return lines
    read: list[MailLine] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _is_row(lines[end].text):
            end += 1
        if end - at < 2:
            read.append(lines[at])
            at += 1
            continue
        block = lines[at:end]
        rows = list(_list_rows(block))
        written = write_rows(rows)
        if any(line.text.endswith(":") for line in written):
            borders = [line._replace(is_markup=True) for line in block if not _has_words(line.text)]
            read += sorted([*written, *borders], key=lambda line: line.first)
        else:
            read += block
        at = end
    return read


def _has_words(text: str) -> bool:
    bare = text.translate(_BOX)
    return not _BORDER.fullmatch(bare) and bare.strip() not in ("{|", "|}", "|-", "|")


def _is_row(text: str) -> bool:
    bare = text.translate(_BOX).strip()
    if _BORDER.fullmatch(bare) or bare.startswith(("|", "{|", "! ")):
        return True
    return " | " in bare


def _list_rows(block: Sequence[MailLine]) -> Iterator[TableRow]:
    """The rows: each line, or in a table with borders between the rows what is between them."""
    if block[0].text.strip().startswith("{|") or any(line.text.strip() == "|-" for line in block):
        yield from _list_wiki_rows(block)
        return
    plain = [line._replace(text=line.text.translate(_BOX)) for line in block]
    grid = sum(line.text.lstrip().startswith("+") for line in plain) > 2
    waiting: list[TableRow] = []
    single: list[TableRow] = []
    for line in plain:
        if _BORDER.fullmatch(line.text.strip()):
            yield from _merge_rows(waiting) if grid else waiting
            waiting = []
            continue
        row = TableRow(_split_cells(line.text), line.first, line.last)
        (single if len(row.cells) == 1 else waiting).append(row)
    yield from _merge_rows(waiting) if grid else waiting
    # One cell a line: labels and values take turns.
    for label, value in zip(single[::2], single[1::2], strict=False):
        yield TableRow((*label.cells, *value.cells), label.first, value.last)


def _split_cells(text: str) -> tuple[str, ...]:
    bare = text.strip()
    cells = _CELL_END.split(bare.removeprefix("|"))
    if bare.endswith("|") and len(cells) > 1:
        cells.pop()
    return tuple(cell.strip() for cell in cells)


def _merge_rows(rows: Sequence[TableRow]) -> list[TableRow]:
    """The lines between two borders as one row, unless each has a label of its own."""
    labelled = sum(any(map(find_label, row.cells)) for row in rows)
    if len(rows) < 2 or labelled > 1:
        return list(rows)
    width = max(len(row.cells) for row in rows)
    cells = tuple(
        "\n".join(row.cells[at] for row in rows if at < len(row.cells)).strip("\n")
        for at in range(width)
    )
    return [TableRow(cells, rows[0].first, rows[-1].last)]


def _list_wiki_rows(block: Sequence[MailLine]) -> Iterator[TableRow]:
    cells: list[str] = []
    first = last = 0
    for line in block:
        bare = line.text.strip()
        if bare.startswith(("{|", "|}", "|-", "|+")):
            if cells:
                yield TableRow(tuple(cells), first, last)
            cells, first = [], 0
            continue
        first, last = first or line.first, line.last
        if bare.startswith(("|", "!")):
            cells += [cell.strip() for cell in re.split(r"\|\||!!", bare[1:])]
        elif cells:
            cells[-1] += f"\n{bare}"
    if cells:
        yield TableRow(tuple(cells), first, last)


def read_csv(lines: list[MailLine]) -> list[MailLine]:
    """Comma-separated values (RFC 4180), and those that semicolons or tabs separate."""
    for sign in ",;\t":
        labels = {at: _find_csv_label(line.text, sign) for at, line in enumerate(lines)}
        begins = [at for at, label in labels.items() if label]
        if len({labels[at] for at in begins}) <= _ENOUGH:
            continue
        start = begins[0]
        reader = csv.reader((line.text + "\n" for line in lines[start:]), delimiter=sign)
        rows: list[TableRow] = []
        number = start
        try:
            for cells in reader:
                end = start + reader.line_num
                if cells and _COUNT.fullmatch(cells[0]):
                    cells = cells[1:]
                joined = (*cells[:1], sign.join(cells[1:]).strip("\n"))
                rows.append(TableRow(joined, lines[number].first, lines[end - 1].last))
                number = end
        except csv.Error:
            continue
        return [*lines[:start], *_write_labels(rows, 0, others=False)]
    return lines


def _find_csv_label(text: str, sign: str) -> str:
    cell, found, rest = text.partition(sign)
    if _COUNT.fullmatch(cell[:10]):
        cell, found, _ = rest.partition(sign)
    # A colon is a sign of its own, whatever follows.
    return "" if not found or cell.rstrip().endswith(":") else find_label(cell)
