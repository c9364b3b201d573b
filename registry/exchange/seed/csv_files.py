"""Seed files: rows that know their line, their columns, and their errors."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import Model

from registry.enums import NamespaceKind
from registry.errors import RegistryError
from registry.models import Namespace, Organization, Provenance
from registry.urn.nid import informal_number
from registry.urn.syntax import NID
from registry.validators import validate_partial_date


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """One error in a line of a file; line 0 is the file as a whole."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.text}"


class InvalidSeedFiles(RegistryError):
    """Files were refused; `defects` lists everything wrong, in line order."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, defects: Iterable[Defect]) -> None:
        self.defects = tuple(sorted(set(defects)))
        super().__init__("\n".join(map(str, self.defects)))


# UTF-32 first: its little-endian byte order mark begins with that of UTF-16.
OTHER_ENCODINGS = (
    (BOM_UTF32_LE, "UTF-32"),
    (BOM_UTF32_BE, "UTF-32"),
    (BOM_UTF16_LE, "UTF-16"),
    (BOM_UTF16_BE, "UTF-16"),
)


def read_utf8_file(path: Path) -> str:
    """Return the text of a file, without its byte order mark.

    Raises `InvalidSeedFiles` if it cannot be opened, is empty, or is in another encoding; then with
    the line and the byte of each place.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise make_file_refusal(path, 0, f"It cannot be read: {error.strerror}.") from None
    for mark, encoding in OTHER_ENCODINGS:
        if content.startswith(mark):
            raise make_file_refusal(path, 1, f"The file is in {encoding}. Save it as UTF-8.")
    content = content.removeprefix(BOM_UTF8)
    if not content.strip():
        raise make_file_refusal(path, 0, "The file is empty.")
    defects = [
        Defect(path.name, number, trouble)
        for number, line in enumerate(content.splitlines(), start=1)
        if (trouble := find_encoding_error(line))
    ]
    if defects:
        raise InvalidSeedFiles(defects)
    return content.decode()


def find_encoding_error(line: bytes) -> str:
    """Return why the bytes of a line are not text, or empty."""
    if b"\0" in line:
        place = line.index(b"\0") + 1
        return f"Byte {place} is zero. The file may be in UTF-16; save it as UTF-8."
    try:
        line.decode()
    except UnicodeDecodeError as error:
        byte = f"Byte {error.start + 1} (0x{line[error.start]:02X})"
        return f"{byte} is not UTF-8. The file may be in Latin-1; save it as UTF-8."
    return ""


def make_file_refusal(path: Path, line: int, text: str) -> InvalidSeedFiles:
    """Return the refusal of a file for one reason."""
    return InvalidSeedFiles([Defect(path.name, line, text)])


@dataclass(frozen=True, slots=True)
class CSVRow:
    """One row: the line it begins on, and its values by column."""

    line: int
    values: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


@dataclass(frozen=True, slots=True)
class CSVTable:
    """The rows of a file that could be read, and the errors of the others."""

    name: str
    rows: tuple[CSVRow, ...]
    defects: tuple[Defect, ...]


def read_csv_table(path: Path, columns: Sequence[str]) -> CSVTable:
    """Return the rows of a file that has exactly these columns, in any order.

    Raises `InvalidSeedFiles` if no row can be trusted: wrong encoding, wrong columns, no rows.
    """
    lines = list(number_csv_rows(read_utf8_file(path)))
    rows: list[CSVRow] = []
    defects = [Defect(path.name, line, found) for line, found in lines if isinstance(found, str)]
    readable = [(line, found) for line, found in lines if isinstance(found, list)]
    if not readable:
        raise InvalidSeedFiles(defects)
    (first, header), *others = readable
    wrong = [Defect(path.name, first, text) for text in find_wrong_columns(header, columns)]
    if not others and not defects:
        wrong.append(Defect(path.name, first, "There is no row below the names of the columns."))
    if wrong:
        raise InvalidSeedFiles(wrong)
    for line, fields in others:
        if len(fields) == len(header):
            rows.append(CSVRow(line, dict(zip(header, fields, strict=True))))
        else:
            text = f"{len(fields)} fields where {len(header)} are expected."
            defects.append(Defect(path.name, line, text))
    return CSVTable(path.name, tuple(rows), tuple(defects))


def number_csv_rows(text: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield each row that is not blank with its first line; an unreadable one as a sentence."""
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


def find_wrong_columns(header: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each column that is missing, unknown or duplicated."""
    counted = Counter(header)
    for column in columns:
        if column not in counted:
            yield f"The column “{column}” is missing."
    for column, count in counted.items():
        if column not in columns:
            yield f"The column “{column}” is not known."
        elif count > 1:
            yield f"The column “{column}” is there {count} times."


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """How many rows were added, changed and left alone; `kept` are our own and not touched."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    kept: int = 0

    def __str__(self) -> str:
        counts = f"{self.added} added, {self.changed} changed, {self.unchanged} unchanged"
        return f"{counts}, {self.kept} kept as registered here" if self.kept else counts


ColumnCheck = Callable[[str], str]

MAX_INTEGER = 2_147_483_647  # the maximum of an integer column
REFERENCE_SEPARATOR = ", "
GUESS_MARK = "(assumed)"
NO_DATE_MARK = "none"
UNCHECKED_ADDRESS_MARK = "pattern"


def quote_value(value: str) -> str:
    """Return `value` as a message shows it: short, and on one line."""
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in value)
    return f"“{shown[:40]}…”" if len(shown) > 40 else f"“{shown}”"


def check_nid(value: str) -> str:
    """A NID by RFC 8141, section 2, whether or not it could be requested today."""
    if not re.fullmatch(NID, value):
        return f"{quote_value(value)} is not a NID (RFC 8141, section 2)."
    if (informal_number(value) or 0) > MAX_INTEGER:
        return f"{quote_value(value)} has too large a number."
    return ""


def make_choice_check(*values: str) -> ColumnCheck:
    """Return the check for one of `values`."""

    def check(value: str) -> str:
        expected = ", ".join(f"“{each}”" if each else "empty" for each in values)
        return "" if value in values else f"{quote_value(value)} is none of: {expected}."

    return check


def make_text_check(most: int | None) -> ColumnCheck:
    """Return the check for a one-line text that fits into a column of `most` characters."""

    def check(value: str) -> str:
        if most is not None and len(value) > most:
            return f"{quote_value(value)} has {len(value)} characters; {most} is the most."
        unseen = [each for each in value if not each.isprintable()]
        return (
            f"{quote_value(value)} has a character that does not show (U+{ord(unseen[0]):04X})."
            if unseen
            else ""
        )

    return check


def make_required_check(check: ColumnCheck) -> ColumnCheck:
    """Return the check for what `check` allows, except an empty value."""
    return lambda value: check(value) if value else "It is empty."


def check_date(value: str) -> str:
    """A date as precise as it is known, or nothing."""
    try:
        validate_partial_date(value)
    except ValidationError as error:
        return error.messages[0]
    return ""


def check_web_address(value: str) -> str:
    """A web address, or nothing."""
    try:
        URLValidator(schemes=["http", "https"])(value or "https://registry.example/")
    except ValidationError:
        return f"{quote_value(value)} is not an address in the web."
    return make_text_check(find_max_length(Provenance, "template_url"))(value)


def find_max_length(model: type[Model], name: str) -> int | None:
    """Return how many characters a database column takes."""
    return getattr(model._meta.get_field(name), "max_length", None)


NAMESPACE_COLUMNS: Mapping[str, ColumnCheck] = {
    "nid": check_nid,
    "kind": make_choice_check(*NamespaceKind.values),
    "reference": make_text_check(500),
    "registered": check_date,
    "template_url": check_web_address,
    "registrant_organization": make_text_check(find_max_length(Organization, "name")),
    "purpose_hint": make_text_check(find_max_length(Namespace, "summary")),
    "background": make_text_check(find_max_length(Namespace, "background")),
    "confidence": make_choice_check("seen", "memory"),
}

PROVENANCE_COLUMNS: Mapping[str, ColumnCheck] = {
    "nid": check_nid,
    "kind": make_choice_check(*NamespaceKind.values),
    "registered_source": make_choice_check(
        "iana-record", "template-date", "rfc-month-seen", "rfc-month-memory", NO_DATE_MARK
    ),
    "template_url_source": make_choice_check("seen", UNCHECKED_ADDRESS_MARK, ""),
    "template_version": make_text_check(find_max_length(Namespace, "last_known_version")),
    "template_date": check_date,
    "template_generation": make_text_check(find_max_length(Provenance, "template_generation")),
    "working_note": make_text_check(200),
}


def find_wrong_values(row: CSVRow, checks: Mapping[str, ColumnCheck]) -> Iterator[str]:
    """Yield a sentence for each value of `row` that its column does not allow."""
    for column, check in checks.items():
        trouble = check(row[column])
        if trouble:
            yield f"{column}: {trouble}"
